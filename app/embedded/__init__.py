"""Postgres with pgvector out of a wheel: started on demand, shared by processes, gone with the last of them."""

from app.embedded.errors import EmbeddedPostgresError
from app.embedded.roles import Addresses
from app.embedded.server import EmbeddedPostgres

__all__ = ["Addresses", "EmbeddedPostgres", "EmbeddedPostgresError"]
