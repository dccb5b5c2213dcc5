"""Vectors go in and are compared through the app's own session, whatever holds them and however long they are."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import numpy as np
import pytest
from sqlalchemy import text

from app.domain.caller import Owner
from app.domain.commands import RecallCommand
from app.domain.memory import Kind
from app.domain.ranker import RankWeights
from app.embedded import Addresses
from app.store.database import Database
from app.store.maintenance import Upkeep
from app.store.memories import Memories
from app.store.search import Search
from app.store.shapes import Query
from tests.store.rows import NOW, a_row, an_owner, database_of, embedded
from tests.store.scratch import ask_now

pytestmark = pytest.mark.anyio


@pytest.fixture
async def database(server: Addresses) -> AsyncIterator[Database]:
    async with database_of(server) as opened:
        yield opened


# the longest ids there can be: they share an index entry with the vector
TENANT, USER = "t" * 40, "u" * 128


@pytest.fixture
async def owner(database: Database, server: Addresses) -> AsyncIterator[Owner]:
    made = await an_owner(database, server, TENANT, USER)
    yield made
    for table in ("memory_counters", "memories"):
        await ask_now(server.superuser_url, f"delete from {table} where tenant_id = $1", TENANT)


async def add(database: Database, owner: Owner, *rows: dict[str, Any]) -> None:
    async with database.owner(owner) as session:
        await Memories(session, owner).add(rows)


async def nearest(database: Database, owner: Owner, vector: Any, *, model: str = "m", k: int = 100) -> list[Any]:
    command = RecallCommand(query="?", received_at=NOW, k=k, kinds=frozenset(Kind))
    async with database.owner(owner) as session:
        found = await Search(session, owner).candidates(
            command, Query(vector, model, None), min_trust=0, weights=RankWeights()
        )
    return sorted(found.signals, key=lambda signal: (-(signal.cosine or 0.0), signal.memory.id))


def random_vector(dimension: int, seed: int = 0) -> np.ndarray[Any, np.dtype[np.float32]]:
    drawn = np.random.default_rng(seed).standard_normal(dimension)
    return (drawn / np.linalg.norm(drawn)).astype(np.float32)


@pytest.mark.parametrize("hold", [list, np.asarray, lambda v: np.asarray(v, np.float16)])
async def test_a_vector_may_be_held_by_anything(database: Database, owner: Owner, hold: Any) -> None:
    # all of them on one side, so that no cosine is below zero
    vectors = [random_vector(384, seed) + 0.05 for seed in range(5)]
    vectors = [vector / np.linalg.norm(vector) for vector in vectors]
    rows = [a_row(**embedded(hold(vector.tolist()))) for vector in vectors]
    await add(database, owner, *rows)
    for row, vector in zip(rows, vectors, strict=True):
        found = await nearest(database, owner, hold(vector.tolist()))
        assert found[0].memory.id == row["id"]
        assert found[0].cosine == pytest.approx(1.0, abs=1e-3)
        expected = sorted((float(vector @ other) for other in vectors), reverse=True)
        assert [signal.cosine for signal in found] == pytest.approx(expected, abs=2e-3)


@pytest.mark.parametrize(("dimension", "covered"), [(8, True), (384, True), (1200, True), (1201, False), (3072, False)])
async def test_every_length_is_stored_and_found_and_the_index_holds_up_to_1200(
    database: Database, owner: Owner, server: Addresses, dimension: int, covered: bool
) -> None:
    rows = [a_row(**embedded(random_vector(dimension, seed).tolist())) for seed in range(3)]
    size = "select pg_relation_size('ix_memories_owner_vectors')"
    before = (await ask_now(server.superuser_url, size))[0][0]
    await add(database, owner, *rows)
    # numbers that do not compress, with the longest ids: an entry that was too large would have failed the insert
    for seed, row in enumerate(rows):
        found = await nearest(database, owner, random_vector(dimension, seed).tolist())
        assert [len(found), found[0].memory.id] == [3, row["id"]]
        assert found[0].cosine == pytest.approx(1.0, abs=1e-3)
    # a vector that comes later goes the same way as one that comes with its row
    async with database.owner(owner) as session:
        await Upkeep(session, owner).set_vectors([(rows[0]["id"], random_vector(dimension, 9).tolist())], model="m")
    assert (await nearest(database, owner, random_vector(dimension, 9).tolist()))[0].memory.id == rows[0]["id"]
    if dimension > 1000:
        grown = (await ask_now(server.superuser_url, size))[0][0] - before
        assert (grown > 0) == covered


async def test_rows_of_another_model_are_not_compared(database: Database, owner: Owner) -> None:
    vector = random_vector(384).tolist()
    ours, theirs, other_length, bare = (
        a_row(**embedded(vector)),
        a_row(**embedded(vector, "another")),
        a_row(**embedded(random_vector(8).tolist(), "another")),
        a_row(),
    )
    await add(database, owner, ours, theirs, other_length, bare)
    found = {signal.memory.id: signal.cosine for signal in await nearest(database, owner, vector)}
    assert found[ours["id"]] == pytest.approx(1.0, abs=1e-3)
    assert [found[row["id"]] for row in (theirs, other_length, bare)] == [None, None, None]


async def test_a_scan_over_one_users_vectors_reads_the_covering_index_alone(
    database: Database, owner: Owner, server: Addresses
) -> None:
    await add(database, owner, *(a_row(**embedded(random_vector(384, seed).tolist())) for seed in range(1000)))
    await ask_now(server.superuser_url, "vacuum analyze memories")
    statement = text(
        "explain select id, embedding <=> embedding from memories where tenant_id = :tenant and user_id = :user "
        "and status = 'active' and coalesce(embedding_dimension, 0) <= 1200"
    )
    async with database.owner(owner) as session:
        # whether one pass over a small table is cheaper is not the question: can the index tell all?
        await session.execute(text("set local enable_seqscan = off"))
        # walls included: the policies add no column that is not in the index
        plan = "\n".join((await session.execute(statement, {"tenant": TENANT, "user": USER})).scalars())
    assert "Index Only Scan using ix_memories_owner_vectors" in plan, plan


async def test_more_than_ten_searches_on_one_connection_stay_complete(server: Addresses) -> None:
    """After a few runs Postgres may take a generic plan, made for the average user; others lose rows there."""
    database = Database(server.app_url, pool_size=1, statement_timeout_seconds=15)
    try:
        ada = await an_owner(database, server, "complete", "ada")
        base = random_vector(64, 1)
        far = [0.4 * base + random_vector(64, 100 + seed) for seed in range(12)]
        crowds = [await an_owner(database, server, "complete", f"noise{number}") for number in range(5)]
        for number, crowd in enumerate(crowds):
            near = [base + 0.05 * random_vector(64, 1000 * number + seed) for seed in range(400)]
            await add(database, crowd, *(a_row(**embedded(vector.tolist())) for vector in near))
        mine = [a_row(**embedded(vector.tolist()), metadata={"three": seed < 3}) for seed, vector in enumerate(far)]
        retired = [
            a_row(**embedded((base + 0.01 * vector).tolist()), status="superseded", retired_by="resolver")
            for vector in far
        ]
        await add(database, ada, *mine, *retired)
        exact = [
            row["id"]
            for row, _ in sorted(
                zip(mine, far, strict=True), key=lambda pair: -float(pair[1] @ base / np.linalg.norm(pair[1]))
            )
        ]
        for _ in range(15):
            found = await nearest(database, ada, base.tolist())
            assert [signal.memory.id for signal in found] == exact
            assert len(await nearest(database, crowds[0], base.tolist(), k=100)) == 200
    finally:
        await database.close()
