"""How Postgres reads an owner's rows: by the owner's indexes alone, and no row of anybody else, at every size."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Iterator
from dataclasses import replace
from typing import Any

import pytest

from app.domain.caller import Owner
from app.domain.commands import RecallCommand
from app.domain.ranker import DEFAULT_WEIGHTS
from app.domain.terms import query_terms, tsquery
from app.embedded import Addresses
from app.store.candidates import prepared
from app.store.database import Database
from app.store.memories import Memories
from app.store.reading import candidates_of
from app.store.shapes import LARGE_FROM, Query, Shape, shape_of, values_of
from tests.store.rows import NOW, a_row, an_owner, database_of, embedded
from tests.store.scratch import ask_now, run_now

pytestmark = pytest.mark.anyio

SIZES = {"few": 100, "many": 10_000, "huge": 40_000}
OTHERS = 20_000
WORDS = ("lamp", "harbour", "violin", "ticket", "gravel", "saddle", "orchid", "anchor")
DIMENSION = 8


@pytest.fixture(scope="module")
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(scope="module")
async def owners(server: Addresses) -> AsyncIterator[dict[str, Owner]]:
    """Owners of several sizes in one tenant, beside a crowd; their rows are made by the database, as copies of one."""
    async with database_of(server) as database:
        made = {name: await an_owner(database, server, "plans", name) for name in (*SIZES, "crowd")}
        for name, owner in made.items():
            vector = [1.0, *[0.1] * (DIMENSION - 1)]
            async with database.owner(owner) as session:
                row = a_row(**embedded(vector), session_id="s0", session_ordinal=0, content=f"first of {name}")
                await Memories(session, owner).add([row])
            await _multiplied(server, owner, SIZES.get(name, OTHERS) - 1)
    await run_now(server.superuser_url, "vacuum analyze memories", "vacuum analyze memory_counters")
    yield made
    await run_now(
        server.superuser_url,
        "delete from memory_counters where tenant_id = 'plans'",
        "delete from memories where tenant_id = 'plans'",
    )


async def _multiplied(server: Addresses, owner: Owner, copies: int) -> None:
    named = await ask_now(
        server.superuser_url,
        "select column_name as name from information_schema.columns where table_name = 'memories' "
        "and is_generated = 'NEVER' order by ordinal_position",
    )
    own = {
        "id": "gen_random_uuid()",
        "content_key": "'copy ' || n",
        "session_id": "'s' || n / 10",
        "session_ordinal": "n",
        "terms": f"(array{list(WORDS)})[1 + n % {len(WORDS)}] || ' ' || (array{list(WORDS)})[1 + n / 7 % {len(WORDS)}]",
        "embedding": f"array[cos(n), sin(n), {', '.join(['0.1'] * (DIMENSION - 2))}]::real[]::halfvec",
    }
    columns = [row["name"] for row in named]
    values = ", ".join(own.get(name, f'm."{name}"') for name in columns)
    quoted = ", ".join(f'"{name}"' for name in columns)
    where = f"m.tenant_id = '{owner.tenant_id}' and m.user_id = '{owner.user_id}'"
    await run_now(
        server.superuser_url,
        f"insert into memories ({quoted}) select {values} "
        f"from memories m, generate_series(1, {copies}) n where {where}",
        f"insert into memory_counters (tenant_id, memory_id, user_id, mentions, reinforcements) "
        f"select m.tenant_id, m.id, m.user_id, 1, 0 from memories m where {where} on conflict do nothing",
    )


def asked(*, k: int = 5) -> tuple[RecallCommand, Query]:
    text = "the violin near the harbour"
    words = tuple(query_terms(text))
    command = RecallCommand(query=text, received_at=NOW, k=k)
    return command, Query([1.0, *[0.2] * (DIMENSION - 1)], "m", tsquery(words), words)


async def plan(server: Addresses, owner: Owner, shape: Shape) -> dict[str, Any]:
    command, query = asked()
    statement = prepared(shape)
    values = values_of(owner, command, query, min_trust=2, also=None)
    database = Database(server.app_url, pool_size=1, statement_timeout_seconds=30)
    try:
        async with database.reading(owner) as reader:
            rows = await reader.fetch(f"explain (analyze, format json) {statement.sql}", statement.arguments(values))
    finally:
        await database.close()
    told = rows[0][0]
    found: dict[str, Any] = (json.loads(told) if isinstance(told, str) else told)[0]["Plan"]
    return found


def nodes(node: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield node
    for child in node.get("Plans", ()):
        yield from nodes(child)


def scans(found: dict[str, Any]) -> list[dict[str, Any]]:
    return [node for node in nodes(found) if "Scan" in node["Node Type"] and node.get("Relation Name")]


def touched(node: dict[str, Any]) -> float:
    """The rows that a scan looked at, in all its loops."""
    seen = node["Actual Rows"] + node.get("Rows Removed by Filter", 0) + node.get("Rows Removed by Index Recheck", 0)
    return float(seen * node["Actual Loops"])


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
        async with database.owner(owner) as session:
            row = a_row(**embedded([1.0, *[0.1] * (DIMENSION - 1)]), session_id="s0", content="first of imported")
            await Memories(session, owner).add([row])
        await _multiplied(server, owner, 3_000)
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
