"""The rules: pure functions over plain values, no I/O, no clock."""
