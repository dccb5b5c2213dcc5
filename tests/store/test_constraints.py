"""Each rule that the database keeps, broken once; the message names the rule."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import insert, text, update
from sqlalchemy.exc import DBAPIError, IntegrityError
from sqlalchemy.ext.asyncio import AsyncSession

from app.domain.caller import Owner
from app.domain.errors import Unavailable
from app.domain.memory import Link
from app.embedded import Addresses
from app.store.database import Database
from app.store.ids import new_id
from app.store.memories import Memories
from app.store.records import IdempotencyRow, LedgerTextRow, TokenBudgetRow
from app.store.tables import Deployment, EvidenceRow, LinkRow, MemoryRow, TenantRow
from tests.store.rows import NOW, a_row, an_owner, database_of
from tests.store.scratch import ask_now

pytestmark = pytest.mark.anyio


@dataclass(frozen=True)
class Place:
    """A user with a transaction of its own."""

    database: Database
    owner: Owner


@pytest.fixture(scope="module")
async def place(anyio_backend: str, server: Addresses) -> AsyncIterator[Place]:
    async with database_of(server) as database:
        yield Place(database, await an_owner(database, server, "rules"))


async def stored(place: Place, *rows: Mapping[str, Any]) -> None:
    """Store rows, one after the other, and undo it."""
    async with place.database.owner(place.owner) as session:
        for row in rows:
            await Memories(session, place.owner).add([row])
        await session.rollback()


async def breaks(place: Place, name: str, *rows: Mapping[str, Any]) -> None:
    """The last of the rows breaks a rule, and the others do not."""
    await stored(place, *rows[:-1])
    with pytest.raises(IntegrityError, match=f'"{name}"'):
        await stored(place, *rows)


BROKEN: dict[str, dict[str, Any]] = {
    # what any memory must be
    "ck_memories_kind": {"kind": "working"},
    "ck_memories_status": {"status": "forgotten"},
    "ck_memories_content": {"content": ""},
    "ck_memories_subject": {"subject": ""},
    "ck_memories_importance": {"importance": 0},
    "ck_memories_confidence": {"confidence": 1.01},
    "ck_memories_trust": {"trust": 5},
    # a vector that nobody knows the model of cannot be compared
    "ck_memories_embedding_has_model": {"embedding": [1.0, 0.0]},
    # a held memory cannot be held for ever
    "ck_memories_held_has_ttl": {"status": "held"},
    # an event is never retired by another statement
    "ck_memories_episodic_append_only": {"kind": "episodic", "status": "superseded", "retired_by": "resolver"},
    # how things are to be done comes from the user alone
    "ck_memories_procedural_trusted": {"kind": "procedural", "trust": 2},
    # only a fact about something can have one value at a time
    "ck_memories_single_valued": {"single_valued": True},
    "ck_memories_retired_by": {"retired_by": "nobody"},
}
MORE: list[tuple[str, dict[str, Any]]] = [
    ("ck_memories_content", {"content": "x" * 32_001}),
    ("ck_memories_subject", {"subject": "x" * 129}),
    ("ck_memories_importance", {"importance": 11}),
    ("ck_memories_confidence", {"confidence": -0.01}),
    ("ck_memories_confidence", {"confidence": float("nan")}),
    ("ck_memories_trust", {"trust": -1}),
    ("ck_memories_embedding_has_model", {"embedding_model": "m", "embedding_dimension": 2}),
    ("ck_memories_embedding_has_model", {"embedding": [1.0], "embedding_model": "m"}),
    ("ck_memories_episodic_append_only", {"kind": "episodic", "status": "superseded", "retired_by": None}),
    ("ck_memories_single_valued", {"single_valued": True, "kind": "episodic", "attribute": "home_city"}),
]
ALLOWED: list[dict[str, Any]] = [
    {"content": "x" * 32_000, "subject": "y" * 128, "importance": 10, "confidence": 1.0, "trust": 4},
    {"importance": 1, "confidence": 0.0, "trust": 0},
    {"status": "held", "expires_at": NOW + timedelta(days=1)},
    {"kind": "episodic", "status": "superseded", "retired_by": "correction"},
    {"kind": "episodic", "status": "superseded", "retired_by": "approval"},
    # without the trust an instruction may wait for a review
    {"kind": "procedural", "trust": 0, "status": "held", "expires_at": NOW + timedelta(days=1)},
    {"kind": "procedural", "trust": 3},
    {"single_valued": True, "attribute": "home_city"},
]


async def test_every_check_on_memories_is_in_the_table(postgres: Addresses) -> None:
    found = await ask_now(
        postgres.superuser_url,
        "select conname from pg_constraint where conrelid = 'public.memories'::regclass and contype = 'c'",
    )
    assert {row["conname"] for row in found} == set(BROKEN)


@pytest.mark.parametrize(("name", "changes"), [*BROKEN.items(), *MORE])
async def test_a_broken_rule_is_refused(place: Place, name: str, changes: dict[str, Any]) -> None:
    await breaks(place, name, a_row(**changes))


@pytest.mark.parametrize("changes", ALLOWED)
async def test_what_the_rules_allow_is_stored(place: Place, changes: dict[str, Any]) -> None:
    await stored(place, a_row(**changes))


HOME = {"attribute": "home_city", "single_valued": True}


async def test_one_active_fact_per_single_valued_attribute(place: Place) -> None:
    await breaks(place, "uq_memories_one_active_fact", a_row(**HOME, value="Berlin"), a_row(**HOME, value="Oslo"))
    # history, other subjects and other attributes do not count
    await stored(
        place,
        a_row(**HOME),
        a_row(**HOME, status="superseded", retired_by="resolver"),
        a_row(**HOME, status="superseded", retired_by="resolver"),
        a_row(**HOME, status="disputed"),
        a_row(**HOME, subject="person:brother"),
        a_row(attribute="employer", single_valued=True),
        a_row(attribute="home_city"),
    )


async def test_a_second_active_fact_cannot_come_by_an_update(place: Place) -> None:
    old = a_row(**HOME, status="superseded", retired_by="resolver")
    async with place.database.owner(place.owner) as session:
        memories = Memories(session, place.owner)
        await memories.add([old, a_row(**HOME)])
        with pytest.raises(IntegrityError, match="uq_memories_one_active_fact"):
            await memories.change(old["id"], {"status": "active"}, now=NOW)
        await session.rollback()


async def test_no_twins_of_the_same_words(place: Place) -> None:
    twin = {"content": "Drinks tea", "content_key": "drinks tea"}
    await breaks(place, "uq_memories_no_twins", a_row(**twin), a_row(**twin))
    # events may repeat, and an old version may have the same words
    await stored(
        place,
        a_row(**twin),
        a_row(**twin, kind="episodic"),
        a_row(**twin, kind="episodic"),
        a_row(**twin, kind="procedural"),
        a_row(**twin, status="superseded", retired_by="resolver"),
    )


async def test_two_users_may_have_the_same_fact_and_the_same_words(place: Place, server: Addresses) -> None:
    other = await an_owner(place.database, server, "rules", "bob")
    abroad = await an_owner(place.database, server, "rules-2", "ada")
    row = a_row(**HOME, content="User lives in Berlin", content_key="k")
    for owner in (place.owner, other, abroad):
        async with place.database.owner(owner) as session:
            await Memories(session, owner).add([{**row, "id": new_id()}])


async def test_an_id_may_be_another_tenants(place: Place, server: Addresses) -> None:
    """A unique index without the tenant would tell one tenant what another has."""
    abroad = await an_owner(place.database, server, "rules-3", "ada")
    row = a_row()
    for owner in (place.owner, abroad):
        async with place.database.owner(owner) as session:
            await Memories(session, owner).add([row])


async def _broken_elsewhere(session: AsyncSession, owner: Owner) -> dict[str, Any]:
    first, second = a_row(), a_row()
    await Memories(session, owner).add([first, second])
    scope = {"tenant_id": owner.tenant_id, "user_id": owner.user_id}
    link = {**scope, "from_id": first["id"], "to_id": second["id"], "created_at": NOW, "relation": Link.SUPERSEDES}
    keyed = {"tenant_id": owner.tenant_id, "user_key": owner.user_key}
    evidence: dict[str, Any] = {
        **scope,
        "id": new_id(),
        "memory_id": new_id(),
        "write_id": None,
        "message_index": 0,
        "role": "user",
        "quote": "q",
        "labels": {},
        "origin": True,
        "independent": False,
        "trust": 3,
        "source_type": "conversation",
        "occurred_at": NOW,
        "created_at": NOW,
    }
    return {
        "ck_links_relation": insert(LinkRow).values(**{**link, "relation": "likes"}),
        "ck_links_not_itself": insert(LinkRow).values(**{**link, "to_id": first["id"]}),
        "fk_links_memories_tenant_id_to_id": insert(LinkRow).values(**{**link, "to_id": new_id()}),
        "fk_links_memories_tenant_id_from_id": insert(LinkRow).values(**{**link, "from_id": new_id()}),
        "fk_evidence_memories_tenant_id_memory_id": insert(EvidenceRow).values(**evidence),
        "fk_ledger_texts_ledger_tenant_id_ledger_id": insert(LedgerTextRow).values(
            **scope, ledger_id=new_id(), body={}, created_at=NOW
        ),
        "ck_idempotency_state": insert(IdempotencyRow).values(
            **keyed,
            path="/",
            key_hash="k",
            state="lost",
            claim=new_id(),
            memory_ids=[],
            lease_until=NOW,
            created_at=NOW,
            expires_at=NOW,
        ),
        "ck_tenants_slug": insert(TenantRow).values(tenant_id="A_b", settings={}, created_at=NOW),
        "ck_token_budget_tokens": insert(TokenBudgetRow).values(tenant_id=owner.tenant_id, day=NOW.date(), tokens=-1),
        "ck_deployment_single_row": insert(Deployment).values(
            id=2, embedding_model="m", embedding_dimension=1, created_at=NOW
        ),
    }


ELSEWHERE = (
    "ck_links_relation",
    "ck_links_not_itself",
    "fk_links_memories_tenant_id_to_id",
    "fk_links_memories_tenant_id_from_id",
    "fk_evidence_memories_tenant_id_memory_id",
    "fk_ledger_texts_ledger_tenant_id_ledger_id",
    "ck_idempotency_state",
    "ck_tenants_slug",
    "ck_token_budget_tokens",
    "ck_deployment_single_row",
)


@pytest.mark.parametrize("name", ELSEWHERE)
async def test_a_broken_rule_of_another_table_is_refused(place: Place, name: str) -> None:
    with pytest.raises(IntegrityError, match=f'"{name}"'):
        async with place.database.owner(place.owner) as session:
            await session.execute((await _broken_elsewhere(session, place.owner))[name])


async def test_every_check_elsewhere_is_in_the_table(postgres: Addresses) -> None:
    found = await ask_now(
        postgres.superuser_url,
        "select conname from pg_constraint where connamespace = 'public'::regnamespace and contype = 'c' "
        "and conrelid <> 'public.memories'::regclass",
    )
    # an odd user id cannot even be set: see the test below
    assert {row["conname"] for row in found} == {name for name in ELSEWHERE if name.startswith("ck_")} | {
        "ck_owners_user_id"
    }


async def test_an_odd_user_id_is_refused_by_the_table_as_well(place: Place, server: Addresses) -> None:
    with pytest.raises(Exception, match="ck_owners_user_id"):
        await ask_now(
            server.superuser_url,
            "insert into owners select tenant_id, 'a b', user_key, 0, 0, '', now() from owners limit 1",
        )


async def test_a_statement_that_is_too_slow_is_cut_off(postgres: Addresses) -> None:
    database = Database(postgres.app_url, pool_size=1, statement_timeout_seconds=0.2)
    try:
        with pytest.raises(Unavailable):
            async with database.registry() as session:
                await session.execute(text("select pg_sleep(5)"))
        async with database.registry() as session:
            assert await session.scalar(text("select 1")) == 1
    finally:
        await database.close()


async def test_only_written_columns_can_be_changed_through_the_store(place: Place) -> None:
    row = a_row()
    statement = update(MemoryRow).where(MemoryRow.id == row["id"]).values(content="something else entirely")
    async with place.database.owner(place.owner) as session:
        await Memories(session, place.owner).add([row])
        with pytest.raises(DBAPIError, match="permission denied"):
            await session.execute(statement)
        await session.rollback()
