"""Every statement that the service really sends names the tenant; shards are found by it, and walls doubled."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from sqlalchemy import event

from app.embedded import Addresses
from app.services.container import open_as_owner
from app.store.tables import TENANT_TABLES, USER_KEY_TABLES, USER_TABLES
from tests.conftest import Service, SharedEmbedder, running, settings_for
from tests.walls.support import EVERYTHING_RECALLED, STATUSES, settle

pytestmark = pytest.mark.anyio

WALLED = (*USER_TABLES, *USER_KEY_TABLES, *TENANT_TABLES)


@contextmanager
def recorded(engine: Any) -> Iterator[list[str]]:
    statements: list[str] = []

    def keep(_c: Any, _cursor: Any, statement: str, *_rest: Any) -> None:
        statements.append(" ".join(statement.split()))

    event.listen(engine.sync_engine, "before_cursor_execute", keep)
    try:
        yield statements
    finally:
        event.remove(engine.sync_engine, "before_cursor_execute", keep)


def unscoped(statement: str) -> list[str]:
    """The mentions of walled tables in a statement that no tenant restricts."""
    found = []
    for table in WALLED:
        for match in re.finditer(rf"(?i)\b(from|join|update|,)\s+{table}\b(?: as (\w+))?", statement):
            name = match.group(2) or table
            if not re.search(rf"\b{name}\.tenant_id = ", statement):
                found.append(name)
        inserted = re.search(rf"(?i)insert into {table} \(([^)]*)\)", statement)
        if inserted and "tenant_id" not in inserted.group(1).split(", "):
            found.append(table)
    return found


@pytest.mark.parametrize(
    ("statement", "mentions"),
    [
        ("SELECT memories.id FROM memories WHERE memories.user_id = $1", ["memories"]),
        ("SELECT memories.id FROM memories WHERE memories.tenant_id = $1", []),
        ("SELECT 1 FROM links AS l, memories WHERE l.tenant_id = $1", ["memories"]),
        ("UPDATE owners SET chain_seq=$1 WHERE owners.user_id = $2", ["owners"]),
        ("DELETE FROM recalls WHERE recalls.user_id = $1", ["recalls"]),
        ("INSERT INTO ledger (id, user_key) VALUES ($1, $2)", ["ledger"]),
        ("SELECT 1 FROM links AS links_1 JOIN links AS links_2 ON true WHERE links_1.tenant_id = $1", ["links_2"]),
    ],
)
def test_the_check_sees_a_missing_tenant(statement: str, mentions: list[str]) -> None:
    assert unscoped(statement) == mentions


@pytest.fixture
async def alone(own_database: Addresses, embedder: SharedEmbedder) -> AsyncIterator[Service]:
    """A service without other tests' tenants: upkeep goes through all there are."""
    async for service in running(settings_for(own_database), embedder):
        yield service


async def test_every_statement_of_every_verb_names_the_tenant(alone: Service, own_database: Addresses) -> None:
    service, lethe = alone, alone.lethe
    as_owner = open_as_owner(settings_for(own_database))
    with recorded(lethe.database.engine) as statements, recorded(as_owner.engine) as statements_as_owner:
        tenant = await service.tenant()
        user = tenant.user("ada")
        holdings = await settle(user)
        for status in STATUSES:
            for memory in await user.stored(status=status):
                await user.explain(memory_id=memory["id"])
                await user.call("GET", f"/memories/{memory['id']}")
                if status in ("held", "quarantined"):
                    await user.call("POST", f"/memories/{memory['id']}/approve", json={})
        first = (await user.stored())[0]["id"]
        await user.ok("PATCH", f"/memories/{first}", {"content": "Opens with a code."})
        await user.call("GET", "/memories/export")
        await user.ok("GET", f"/memories?limit=1&cursor={holdings.cursor}")
        await user.ok("GET", f"/forget/{holdings.receipt_id}")
        kept = (await user.recall("safe", **EVERYTHING_RECALLED))["recall_id"]
        await user.explain(recall_id=kept)
        await user.explain(recall_id=kept, memory_id=first)
        await user.explain(recall={"query": "safe"}, memory_id=first)
        await user.explain(question="safe?")
        await user.explain(write_id=holdings.write_ids[0])
        preview = await user.forget(query="safe", dry_run=True, min_score=0.0)
        await user.forget(preview_token=preview["preview_token"])
        for selector in ({"session_id": "a"}, {"source_id": "a"}, {"subject": "a"}, {"filters": {"trust": 0}}):
            await user.forget(**selector)
        await user.forget(before="2020-01-01T00:00:00Z")
        await lethe.maintenance.run_once(now=lethe.now())
        await user.forget(everything=True)
        await settle(tenant.user("bob"), mark=holdings.mark)
        rotated = (await lethe.tenancy.keys(tenant.id))[0].key_id
        await lethe.tenancy.rotate_key(tenant.id, rotated, old_ends_at=lethe.now(), now=lethe.now())
        await lethe.tenancy.offboard(tenant.id, as_owner=as_owner, now=lethe.now())
    await as_owner.close()
    assert len(statements) > 300
    assert len(statements_as_owner) > 15
    touched = {table for table in WALLED for statement in statements if re.search(rf"\b{table}\b", statement)}
    assert touched == set(WALLED)
    for statement in [*statements, *statements_as_owner]:
        assert unscoped(statement) == [], statement
        # one statement at a time, and nothing of the caller's pasted into it
        assert "Zq" not in statement
        assert holdings.mark not in statement
