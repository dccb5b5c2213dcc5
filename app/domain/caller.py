"""Who is asking, and what the key allows. Identity never comes from a body."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Scope(StrEnum):
    """What a key may do."""

    READ = "memory:read"
    WRITE = "memory:write"
    FORGET = "memory:forget"
    IMPORT = "memory:import"
    REVIEW = "memory:review"
    ADMIN = "admin"


@dataclass(frozen=True, slots=True)
class Owner:
    """Whose memories: one user of one tenant. `user_key` is the keyed hash that may outlive the id."""

    tenant_id: str
    user_id: str
    user_key: str


@dataclass(frozen=True, slots=True)
class Principal:
    """A verified key: its tenant, scopes, and the one user it is bound to, if any."""

    tenant_id: str
    key_id: str
    scopes: frozenset[Scope]
    bound_user: str | None = None
