"""How Postgres reads an owner's rows: by the owner's indexes alone, and no row of anybody else, at every size."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Any

import pytest
from sqlalchemy import event

from app.domain.caller import Owner
from app.domain.ranker import DEFAULT_WEIGHTS
from app.embedded import Addresses
from app.store.memories import Memories
from app.store.reading import candidates_of
from app.store.shapes import LARGE_FROM, shape_of
from tests.store.plans import DIMENSION, a_first_row, asked, multiplied, nodes, plan, scans, touched
from tests.store.rows import a_row, an_owner, database_of, embedded
from tests.store.scratch import run_now

pytestmark = pytest.mark.anyio

SIZES = {"few": 100, "many": 10_000, "huge": 40_000}
OTHERS = 20_000


@pytest.fixture(scope="module")
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(scope="module")
async def owners(server: Addresses) -> AsyncIterator[dict[str, Owner]]:
    """Owners of several sizes in one tenant, beside a crowd; their rows are made by the database, as copies of one."""
    async with database_of(server) as database:
        made = {name: await an_owner(database, server, "plans", name) for name in (*SIZES, "crowd")}
        for name, owner in made.items():
            await a_first_row(database, owner)
            await multiplied(server, owner, SIZES.get(name, OTHERS) - 1)
    await run_now(server.superuser_url, "vacuum analyze memories", "vacuum analyze memory_counters")
    yield made
    await run_now(
        server.superuser_url,
        "delete from memory_counters where tenant_id = 'plans'",
        "delete from memories where tenant_id = 'plans'",
    )


# an owner who holds a good part of this table is rightly read in one pass over it, if all of the rows are wanted
@pytest.mark.parametrize(("name", "large"), [("few", False), ("many", True), ("huge", True)])
async def test_only_the_owners_rows_are_read(
    server: Addresses, owners: dict[str, Owner], name: str, large: bool
) -> None:
    command, query = asked()
    shape = shape_of(command, query, weights=DEFAULT_WEIGHTS, also=None, large=large)
    assert shape.large == large
    found = await plan(server, owners[name], shape)
    read = scans(found)
    assert {node["Relation Name"] for node in read} == {"memories", "memory_counters"}
    for node in read:
        assert node["Node Type"] != "Seq Scan", node
        assert touched(node) <= SIZES[name], node
    for node in nodes(found):
        condition = node.get("Index Cond", "")
        if condition:
            # by the owner, or row by row by key
            assert "tenant_id = " in condition
            assert "user_id = " in condition or "id = " in condition, condition


@pytest.mark.parametrize("name", ["many", "huge"])
async def test_the_vector_leg_of_a_large_owner_reads_the_covering_index_alone(
    server: Addresses, owners: dict[str, Owner], name: str
) -> None:
    command, query = asked()
    found = await plan(server, owners[name], shape_of(command, query, weights=DEFAULT_WEIGHTS, also=None, large=True))
    covering = [node for node in nodes(found) if node.get("Index Name") == "ix_memories_owner_vectors"]
    assert [node["Node Type"] for node in covering] == ["Index Only Scan"]
    # none, but for what other transactions of the moment keep from being marked
    assert covering[0]["Heap Fetches"] <= SIZES[name] / 20
    assert covering[0]["Actual Rows"] == SIZES[name]
    # what is scored in full is a small part of the owner's rows
    scored = max(node["Actual Rows"] for node in nodes(found) if node.get("Subplan Name") == "CTE scored")
    assert scored < 3_000


async def test_an_owner_without_statistics_is_read_once(server: Addresses) -> None:
    """A plan made for a handful of rows must not read the others again for each."""
    async with database_of(server) as database:
        owner = await an_owner(database, server, "plans", "imported")
        await a_first_row(database, owner)
        await multiplied(server, owner, 3_000)
    command, query = asked()
    found = await plan(server, owner, shape_of(command, query, weights=DEFAULT_WEIGHTS, also=None))
    for node in nodes(found):
        if node["Node Type"] == "WindowAgg" or (
            "Index" in node["Node Type"] and node.get("Alias", "").startswith("memories_")
        ):
            assert node["Actual Loops"] == 1, node


async def test_two_legs_find_what_one_pass_finds(server: Addresses, owners: dict[str, Owner]) -> None:
    """All but what is middling in both legs; these rows are as alike as rows can be."""
    command, query = asked(k=10)
    assert SIZES["many"] > LARGE_FROM
    async with database_of(server) as database:
        both = []
        for large in (False, True):
            async with database.reading(owners["many"]) as reader:
                found = await candidates_of(
                    reader, owners["many"], command, query, min_trust=2, weights=DEFAULT_WEIGHTS, large=large
                )
            ordered = sorted(found.signals, key=lambda row: (-(row.cosine or 0) - (row.ts_rank or 0), row.memory.id))
            both.append([(row.memory.id, row.cosine, row.ts_rank, row.session, row.neighbours) for row in ordered[:10]])
            assert (found.total == SIZES["many"]) != large
    whole, chosen = ({row[0]: row[1:] for row in rows} for rows in both)
    assert both[0][0] == both[1][0]
    assert len(whole.keys() & chosen.keys()) >= 5
    # what is found has the same signals
    assert all(chosen[row] == whole[row] for row in whole.keys() & chosen.keys())


async def test_what_may_not_be_seen_stands_before_nothing(server: Addresses) -> None:
    """Untrusted rows, or rows of an old model, that are nearer than the user's own: all rows are scored then."""
    near = [1.0, *[0.2] * (DIMENSION - 1)]
    far = [0.5, *[0.6] * (DIMENSION - 1)]
    async with database_of(server) as database:
        for name, crowd in (("untrusted", {"trust": 0}), ("old-model", {"embedding_model": "old"})):
            owner = await an_owner(database, server, "plans", name)
            own = a_row(**embedded(far), content="The user's own")
            async with database.owner(owner) as session:
                rows = [a_row(**{**embedded(near), **crowd}, content=f"lamp {n}", terms="lamp") for n in range(700)]
                await Memories(session, owner).add([own, *rows])
            command, query = asked(k=10)
            async with database.reading(owner) as reader:
                found = await candidates_of(
                    reader,
                    owner,
                    command,
                    replace(query, tsquery=None, words=()),
                    min_trust=2,
                    weights=DEFAULT_WEIGHTS,
                    large=True,
                )
            best = max(found.signals, key=lambda row: row.cosine or 0.0)
            assert best.memory.id == own["id"], name


async def test_long_vectors_are_read_in_one_pass(owners: dict[str, Owner]) -> None:
    command, query = asked()
    for length, large in ((1_200, True), (1_201, False)):
        longer = replace(query, vector=[0.1] * length)
        assert shape_of(command, longer, weights=DEFAULT_WEIGHTS, also=None, large=True).large == large


@pytest.mark.parametrize("name", ["many", "huge"])
async def test_the_rows_nearest_to_statements_are_told_by_the_covering_index_alone(
    server: Addresses, owners: dict[str, Owner], name: str
) -> None:
    asked_for = [[1.0, *[0.2] * (DIMENSION - 1)], [0.1, *[0.9] * (DIMENSION - 1)]]
    sent: list[tuple[str, Any]] = []
    async with database_of(server) as database:
        engine = database.engine.sync_engine
        async with database.owner(owners[name]) as session:
            event.listen(engine, "before_cursor_execute", lambda _c, _k, text, values, *_: sent.append((text, values)))
            near = await Memories(session, owners[name]).nearest(asked_for, model="m", limit=8)
            statement, values = sent[-1]
            answer = await (await session.connection()).exec_driver_sql(
                f"explain (analyze, format json) {statement}", values
            )
            told = answer.scalar_one()
    assert [len(found) for found in near] == [8, 8]
    found = (json.loads(told) if isinstance(told, str) else told)[0]["Plan"]
    covering = [node for node in nodes(found) if node.get("Index Name") == "ix_memories_owner_vectors"]
    assert [node["Node Type"] for node in covering] == ["Index Only Scan"] * 2
    for node in covering:
        assert node["Actual Rows"] == SIZES[name]
        assert node["Heap Fetches"] <= SIZES[name] / 20
    others = [node for node in scans(found) if node not in covering]
    # the few rows that were chosen, for the model of their vectors
    assert sum(map(touched, others)) <= 2 * 8
