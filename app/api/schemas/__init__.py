"""Requests and answers of the HTTP surface, one file per verb."""
