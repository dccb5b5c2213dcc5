"""Rows for tests that speak to the store, or to the database, without the services."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from typing import Any

from app.domain.caller import Owner
from app.domain.indexing import indexed_terms
from app.embedded import Addresses
from app.services.sealing import Sealing
from app.services.tenancy import Tenancy
from app.store.database import Database
from app.store.ids import new_id
from app.store.memories import Memories

NOW = datetime(2026, 1, 1, tzinfo=UTC)


def a_row(**changes: Any) -> dict[str, Any]:
    """The columns of a plain active fact."""
    row_id = changes.pop("id", None) or new_id()
    content = changes.get("content", f"Keeps a locker {row_id}")
    return {
        "id": row_id,
        "kind": "semantic",
        "content": content,
        "content_key": content,
        "subject": "user",
        "attribute": None,
        "value": None,
        "positive": True,
        "single_valued": False,
        "importance": 6,
        "confidence": 0.9,
        "trust": 3,
        "status": "active",
        "retired_by": None,
        "stale": False,
        "pinned": False,
        "occurred_at": NOW,
        "valid_from": None,
        "valid_to": None,
        "known_from": NOW,
        "known_to": None,
        "created_at": NOW,
        "updated_at": NOW,
        "expires_at": None,
        "metadata": {},
        "source_type": "conversation",
        "source_id": None,
        "session_id": None,
        "session_ordinal": 0,
        "agent_id": None,
        "embedding": None,
        "embedding_model": None,
        "embedding_dimension": None,
        "terms": indexed_terms("user", content),
        **changes,
    }


def embedded(vector: Any, model: str = "m") -> dict[str, Any]:
    """The three columns of a vector."""
    return {"embedding": vector, "embedding_model": model, "embedding_dimension": len(vector)}


@asynccontextmanager
async def database_of(addresses: Addresses) -> AsyncIterator[Database]:
    """The app's own pool."""
    database = Database(addresses.app_url, pool_size=2, statement_timeout_seconds=15)
    try:
        yield database
    finally:
        await database.close()


async def an_owner(database: Database, addresses: Addresses, tenant_id: str, user_id: str = "ada") -> Owner:
    """A user whose row is there."""
    sealing = Sealing(addresses.secret_key)
    tenancy = Tenancy(database, sealing)
    if tenant_id not in {tenant.tenant_id for tenant in await tenancy.tenants()}:
        await tenancy.add_tenant(tenant_id, now=NOW)
    owner = sealing.owner(tenant_id, user_id)
    async with database.owner(owner) as session:
        await Memories(session, owner).lock_owner(NOW)
    return owner
