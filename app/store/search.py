"""Reading memories: the recall statement, the words of a forget, and the inventory."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime
from uuid import UUID

from sqlalchemy import case, exists, func, select, tuple_
from sqlalchemy.ext.asyncio import AsyncSession

from app.domain.caller import Owner
from app.domain.commands import ListCommand, RecallCommand
from app.domain.memory import Memory
from app.domain.ranker import RankWeights, Signals
from app.store.candidates import Candidates, read, signals_of, statement_of
from app.store.expressions import legs, relevance
from app.store.filters import to_sql
from app.store.rows import select_memories, to_memory
from app.store.scope import mine
from app.store.shapes import Query, shape_of, values_of
from app.store.tables import EvidenceRow, MemoryRow


class Search:
    """One user's memories, for reading. Made per transaction."""

    def __init__(self, session: AsyncSession, owner: Owner) -> None:
        self._session = session
        self._owner = owner

    async def candidates(
        self,
        command: RecallCommand,
        query: Query,
        *,
        min_trust: int,
        weights: RankWeights,
        also: UUID | None = None,
    ) -> Candidates:
        """Read what a recall ranks, in one statement.

        Args:
            command: What is asked.
            query: The same, prepared for both legs.
            min_trust: The trust a row needs.
            weights: The ranker's parameters.
            also: A row to read beside, whatever its status: for "why not".
        """
        shape = shape_of(command, query, weights=weights, also=also)
        statement = statement_of(shape, to_sql(command.filters))
        values = values_of(self._owner, command, query, min_trust=min_trust, also=also)
        return read(await self._session.execute(statement, values), also)

    async def everywhere(
        self, query: Query, *, words: Sequence[str], weights: RankWeights, limit: int
    ) -> list[Signals]:
        """Search every status and trust, and the quotes of the evidence too: for forgetting.

        A row whose evidence holds all the words counts as a full lexical match.
        """
        cosine, ts_rank = legs(vector=query.vector is not None, lexical=bool(query.tsquery))
        if words:
            quoted = exists().where(
                mine(self._owner, EvidenceRow),
                EvidenceRow.memory_id == MemoryRow.id,
                *(EvidenceRow.quote.icontains(word, autoescape=True) for word in words),
            )
            ts_rank = case((quoted, func.greatest(ts_rank, weights.lexical_full)), else_=ts_rank)
        statement = (
            select_memories(self._owner, cosine.label("cosine"), ts_rank.label("ts_rank"), links=False)
            .order_by(relevance(cosine, ts_rank, weights).desc(), MemoryRow.id)
            .limit(limit)
        )
        return [signals_of(row) for row in await self._session.execute(statement, query.values())]

    async def all_memories(self) -> list[Memory]:
        """Read every memory of the user: a trace counts what was left out, and why."""
        return [to_memory(row) for row in await self._session.execute(select_memories(self._owner))]

    async def page(self, command: ListCommand, *, after: tuple[datetime, UUID] | None) -> list[Memory]:
        """Read a page of the inventory, newest first; one row more than asked tells that there is a next page."""
        statement = select_memories(self._owner).where(
            MemoryRow.kind.in_(sorted(command.kinds)),
            MemoryRow.status.in_(sorted(command.statuses)),
            to_sql(command.filters),
        )
        if command.created_after is not None:
            statement = statement.where(MemoryRow.created_at > command.created_after)
        if command.created_before is not None:
            statement = statement.where(MemoryRow.created_at < command.created_before)
        if after is not None:
            statement = statement.where(tuple_(MemoryRow.created_at, MemoryRow.id) < tuple_(*after))
        statement = statement.order_by(MemoryRow.created_at.desc(), MemoryRow.id.desc()).limit(command.limit + 1)
        return [to_memory(row) for row in await self._session.execute(statement)]

    async def export_page(self, *, after: UUID | None, limit: int) -> list[Memory]:
        """Read the next rows of every status in the order of their ids."""
        statement = select_memories(self._owner).order_by(MemoryRow.id).limit(limit)
        if after is not None:
            statement = statement.where(MemoryRow.id > after)
        return [to_memory(row) for row in await self._session.execute(statement)]

    async def evidence(self, memory_ids: Collection[UUID]) -> dict[UUID, list[EvidenceRow]]:
        """Read all evidence of memories, oldest first."""
        found: dict[UUID, list[EvidenceRow]] = {memory_id: [] for memory_id in memory_ids}
        if memory_ids:
            statement = (
                select(EvidenceRow)
                .where(mine(self._owner, EvidenceRow), EvidenceRow.memory_id.in_(sorted(memory_ids)))
                .order_by(EvidenceRow.created_at, EvidenceRow.id)
            )
            for row in (await self._session.execute(statement)).scalars():
                found[row.memory_id].append(row)
        return found
