"""Many rows made by the database, and the plan of a recall over them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from app.domain.caller import Owner
from app.domain.commands import RecallCommand
from app.domain.terms import query_terms, tsquery
from app.embedded import Addresses
from app.store.candidates import prepared
from app.store.database import Database
from app.store.memories import Memories
from app.store.shapes import Query, Shape, values_of
from tests.store.rows import NOW, a_row, embedded
from tests.store.scratch import ask_now, run_now

WORDS = ("lamp", "harbour", "violin", "ticket", "gravel", "saddle", "orchid", "anchor")
DIMENSION = 8


async def a_first_row(database: Database, owner: Owner) -> None:
    """The row that all others of an owner are copies of."""
    row = a_row(
        **embedded([1.0, *[0.1] * (DIMENSION - 1)]),
        session_id="s0",
        session_ordinal=0,
        content=f"first of {owner.user_id}",
    )
    async with database.owner(owner) as session:
        await Memories(session, owner).add([row])


async def multiplied(server: Addresses, owner: Owner, copies: int) -> None:
    """Copy the row of an owner, with words and vectors of its own for each copy."""
    named = await ask_now(
        server.superuser_url,
        "select column_name as name from information_schema.columns where table_name = 'memories' "
        "and is_generated = 'NEVER' order by ordinal_position",
    )
    own = {
        "id": "md5(m.user_id || ' ' || n)::uuid",  # the same in every run: ids break ties
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
    """A recall whose query matches some of the rows."""
    text = "the violin near the harbour"
    words = tuple(query_terms(text))
    command = RecallCommand(query=text, received_at=NOW, k=k)
    return command, Query([1.0, *[0.2] * (DIMENSION - 1)], "m", tsquery(words), words)


async def plan(server: Addresses, owner: Owner, shape: Shape) -> dict[str, Any]:
    """What Postgres did for a recall of this shape: the top of the tree."""
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
    """All nodes of a plan."""
    yield node
    for child in node.get("Plans", ()):
        yield from nodes(child)


def scans(found: dict[str, Any]) -> list[dict[str, Any]]:
    """The nodes that read a table, or an index that holds what is asked."""
    return [node for node in nodes(found) if "Scan" in node["Node Type"] and node.get("Relation Name")]


def touched(node: dict[str, Any]) -> float:
    """The rows that a scan looked at, in all its loops."""
    seen = node["Actual Rows"] + node.get("Rows Removed by Filter", 0) + node.get("Rows Removed by Index Recheck", 0)
    return float(seen * node["Actual Loops"])
