"""Adapters to other memory libraries. They run in an environment of their own and import nothing of ours."""
