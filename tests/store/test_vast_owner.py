"""How Postgres reads an owner of 200,000 rows, two thirds of the table: by the owner's indexes, and no foreign row."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from app.domain.caller import Owner
from app.domain.ranker import DEFAULT_WEIGHTS
from app.embedded import Addresses
from app.store.shapes import shape_of
from benchmarks.speed.load import connected, without_indexes
from tests.store.plans import a_first_row, asked, multiplied, nodes, plan, scans, touched
from tests.store.rows import an_owner, database_of
from tests.store.scratch import run_now, scratch_database

pytestmark = [pytest.mark.anyio, pytest.mark.timeout(240)]

ROWS = 200_000
OTHERS = 100_000
TABLES = ["memories", "memory_counters"]


@pytest.fixture(scope="module")
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(scope="module")
def there(server: Addresses) -> Iterator[Addresses]:
    with scratch_database(server, migrated=True) as found:
        yield found


@pytest.fixture(scope="module")
async def vast(there: Addresses) -> tuple[Owner, dict[str, Any]]:
    """The owner, and the plan of a recall. The indexes are built after the rows, as the same they were."""
    async with database_of(there) as database:
        owner, crowd = [await an_owner(database, there, "plans", name) for name in ("vast", "crowd")]
        for one in (owner, crowd):
            await a_first_row(database, one)
        async with connected(there.owner_url) as connection, without_indexes(connection, TABLES, apart=True):
            await multiplied(there, owner, ROWS - 1)
            await multiplied(there, crowd, OTHERS - 1)
    await run_now(there.superuser_url, *(f"vacuum analyze {table}" for table in TABLES))
    command, query = asked()
    shape = shape_of(command, query, weights=DEFAULT_WEIGHTS, also=None, large=True)
    assert shape.large
    return owner, await plan(there, owner, shape)


async def test_only_the_owners_rows_are_read(vast: tuple[Owner, dict[str, Any]]) -> None:
    owner, found = vast
    read = scans(found)
    assert {node["Relation Name"] for node in read} == set(TABLES)
    for node in read:
        assert node["Node Type"] != "Seq Scan", node
        # what the workers of a parallel scan read is told as a rounded mean
        assert touched(node) <= ROWS + node["Actual Loops"], node
    for node in nodes(found):
        condition = node.get("Index Cond", "")
        if condition:
            # by the owner, or row by row by key
            assert "tenant_id = " in condition
            assert f"user_id = '{owner.user_id}'" in condition or "id = " in condition, condition


async def test_the_vector_leg_reads_the_covering_index_alone(vast: tuple[Owner, dict[str, Any]]) -> None:
    _, found = vast
    (covering,) = [node for node in nodes(found) if node.get("Index Name") == "ix_memories_owner_vectors"]
    assert covering["Node Type"] == "Index Only Scan"
    assert abs(covering["Actual Rows"] * covering["Actual Loops"] - ROWS) <= covering["Actual Loops"]
    # none, but for what other transactions of the moment keep from being marked
    assert covering["Heap Fetches"] <= ROWS / 20
    # rows are read whole by the word leg once; what is scored is a small part of them
    whole = [node for node in scans(found) if node is not covering and touched(node) > ROWS / 20]
    assert len(whole) <= 1
    scored = max(node["Actual Rows"] for node in nodes(found) if node.get("Subplan Name") == "CTE scored")
    assert scored < 3_000
