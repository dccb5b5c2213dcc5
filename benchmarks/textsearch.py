"""Postgres' own text search on a throw-away server: `plainto_tsquery`, and the service's lexical leg by itself."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any, Final

import asyncpg
import numpy as np

from app.domain.terms import document_terms, query_terms, tsquery
from app.embedded import EmbeddedPostgres
from benchmarks.baselines import Floats
from benchmarks.files import work_folder

_FAST: Final = {"fsync": "off", "full_page_writes": "off"}
# matches first, by ts_rank; what does not match is not returned, hence -1
_PLAINTO: Final = """
select n, case when words @@ q then ts_rank(words, q) else -1 end
from turns, plainto_tsquery('english', $2) q where pool = $1
"""
_LEG: Final = """
select n, case when terms @@ q then ts_rank(terms, q) else -1 end
from turns, cast($2::text as tsquery) q where pool = $1
"""


class TextSearch:
    """The turns of all pools in one table."""

    def __init__(self, connection: Any) -> None:
        self._connection = connection
        self._sizes: dict[str, int] = {}

    async def add(self, pool: str, texts: Sequence[str]) -> None:
        """Index the turns of a pool, as plain English text and as the service's terms."""
        await self._connection.executemany(
            "insert into turns values ($1, $2, to_tsvector('english', $3), to_tsvector('simple', $4))",
            # Postgres takes no NUL, and no tsvector of more than 1 MiB
            [(pool, n, text.replace("\x00", " "), document_terms(text)) for n, text in enumerate(texts)],
        )
        self._sizes[pool] = len(texts)

    async def plainto(self, pool: str, question: str) -> Floats:
        """Score by `plainto_tsquery`, which asks for every word; -1 where one is missing."""
        return self._scores(pool, await self._connection.fetch(_PLAINTO, pool, question.replace("\x00", " ")))

    async def lexical_leg(self, pool: str, question: str) -> Floats:
        """Score as the service's lexical leg does: any of its terms, by `ts_rank`."""
        asked = tsquery(query_terms(question))
        return self._scores(pool, await self._connection.fetch(_LEG, pool, asked) if asked else [])

    def _scores(self, pool: str, rows: Sequence[Any]) -> Floats:
        scores = np.full(self._sizes[pool], -1.0)
        for n, score in rows:
            scores[n] = score
        return scores


@asynccontextmanager
async def open_text_search() -> AsyncIterator[TextSearch]:
    """Run a Postgres for the time of the block.

    Raises:
        EmbeddedPostgresError: It cannot be started here.
    """
    with work_folder() as folder:
        postgres = EmbeddedPostgres(folder / "pg", options=_FAST)
        try:
            addresses = await asyncio.to_thread(postgres.start)
            connection = await asyncpg.connect(addresses.owner_url)
            try:
                await connection.execute("create table turns (pool text, n int, words tsvector, terms tsvector)")
                await connection.execute("create index on turns (pool)")
                yield TextSearch(connection)
            finally:
                await connection.close()
        finally:
            await asyncio.to_thread(postgres.stop)
