"""The raw floor: what the database work of a recall takes at least, by the driver that the service uses.

One prepared statement scans the owner's rows exactly, scores both legs and reads the ten best with what an answer
needs. Nothing is checked, ranked, composed or put into objects.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any, Final

import numpy as np

from app.domain.caller import Owner
from app.domain.terms import query_terms, tsquery
from benchmarks.speed.data import Question
from benchmarks.speed.load import connected
from benchmarks.speed.timing import Search

_STATEMENT: Final = """
with scored as (
    select id,
           1.0::float8 - (embedding <=> $3) as cosine,
           ts_rank(tsv, $4::text::tsquery, 0)::float8 as words
    from memories
    where tenant_id = $1 and user_id = $2 and status = 'active' and coalesce(embedding_dimension, 0) <= 1200
), best as (
    select id, cosine, words,
           0.5::float8 * greatest(cosine, 0.0::float8)
           + 0.5::float8 * power(least(words / 0.0608::float8, 1.0::float8), 2.0::float8) as score
    from scored order by score desc, id limit $5
)
select m.id, m.kind, m.content, m.subject, m.attribute, m.value, m.importance, m.confidence, m.trust, m.status,
       m.occurred_at, m.valid_from, m.valid_to, m.known_from, m.known_to, m.created_at, m.updated_at, m.expires_at,
       m.metadata, m.pinned, m.stale, m.source_type, m.source_id, m.session_id, m.agent_id,
       c.mentions, c.reinforcements, c.confirmed_at, best.cosine, best.words, best.score
from best
join memories m on m.tenant_id = $1 and m.user_id = $2 and m.id = best.id
join memory_counters c on c.tenant_id = $1 and c.user_id = $2 and c.memory_id = best.id
order by best.score desc, best.id
"""


class Floor:
    """One connection as the app role with the statement prepared."""

    def __init__(self, connection: Any, statement: Any, *, k: int) -> None:
        self._connection = connection
        self._statement = statement
        self._k = k

    def in_transactions(self, owners: Sequence[Owner], asked: Sequence[Question]) -> Search:
        """Search as a service must: BEGIN and the settings that open the rows, the statement, COMMIT."""
        ready = [_ready(owners[n % len(owners)], question) for n, question in enumerate(asked)]

        async def search(number: int) -> int:
            opening, values = ready[number % len(ready)]
            await self._connection.execute(opening)
            rows = await self._statement.fetch(*values, self._k)
            await self._connection.execute("commit")
            return len(rows)

        return search

    def bare(self, owners: Sequence[Owner], asked: Sequence[Question]) -> Search:
        """Search with the settings made once for all: a new owner costs nothing, which no service can have."""
        ready = [_ready(owners[0], question) for question in asked]

        async def search(number: int) -> int:
            opening, values = ready[number % len(ready)]
            if number == 0:
                await self._connection.execute(opening.replace("begin; ", "").replace("set local", "set"))
            return len(await self._statement.fetch(*values, self._k))

        return search


@asynccontextmanager
async def floor(app_url: str, *, k: int) -> AsyncIterator[Floor]:
    """Connect as the app role and prepare the statement."""
    async with connected(app_url) as connection:
        # as the service's own connections: a plan for the average owner is wrong for others
        await connection.execute("set plan_cache_mode = force_custom_plan; set jit = off; set timezone = 'UTC'")
        yield Floor(connection, await connection.prepare(_STATEMENT), k=k)


def packed(vector: Sequence[float]) -> bytes:
    """Write a vector as Postgres reads a halfvec: its length, nothing, and the numbers, the high byte first."""
    return np.array([len(vector), 0], ">u2").tobytes() + np.array(vector, ">f2").tobytes()


def _ready(owner: Owner, question: Question) -> tuple[str, tuple[Any, ...]]:
    opening = (
        f"begin; set local app.tenant_id = '{owner.tenant_id}'; set local app.user_id = '{owner.user_id}'; "
        f"set local app.user_key = '{owner.user_key}'"
    )
    words = tsquery(query_terms(question.text))
    return opening, (owner.tenant_id, owner.user_id, packed(question.vector), words)
