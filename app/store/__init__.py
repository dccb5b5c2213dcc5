"""The only SQL; every statement is born scoped."""
