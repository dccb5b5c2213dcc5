"""The order of I/O and the transactions; no rules."""
