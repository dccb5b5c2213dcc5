"""Upkeep of one user's rows: what has run out, and vectors that are missing."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import delete, func, or_, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from app.domain.caller import Owner
from app.domain.memory import Memory, Status
from app.store.records import IdempotencyRow, LedgerTextRow, PreviewRow, RecallRow
from app.store.rows import select_memories, to_memory
from app.store.scope import mine, mine_by_key
from app.store.tables import MemoryRow


@dataclass(frozen=True, slots=True)
class Unembedded:
    """A row without a vector of the present model."""

    id: UUID
    subject: str
    content: str


class Upkeep:
    """One user's upkeep. Made per transaction."""

    def __init__(self, session: AsyncSession, owner: Owner) -> None:
        self._session = session
        self._owner = owner

    async def fading(self, *, before: datetime, limit: int) -> list[Memory]:
        """Read active rows that are old enough to have faded; the decay rule decides."""
        statement = (
            select_memories(self._owner, links=False)
            .where(MemoryRow.status == Status.ACTIVE, MemoryRow.pinned.is_(False), MemoryRow.importance < 10)
            .where(MemoryRow.created_at < before)
            .order_by(MemoryRow.created_at)
            .limit(limit)
        )
        return [to_memory(row) for row in await self._session.execute(statement)]

    async def expire(self, memory_ids: Collection[UUID], *, now: datetime) -> int:
        """Let rows expire: those named, and those whose own time is over."""
        done = await self._session.execute(
            update(MemoryRow)
            .where(mine(self._owner, MemoryRow))
            # what was replaced runs out too: it was given an end
            .where(MemoryRow.status != Status.EXPIRED)
            .where(or_(MemoryRow.id.in_(sorted(memory_ids)), MemoryRow.expires_at <= now))
            .values(status=Status.EXPIRED, known_to=func.coalesce(MemoryRow.known_to, now), updated_at=now)
            .returning(MemoryRow.id)
        )
        return len(done.all())

    async def purgeable(self, *, expired_before: datetime, limit: int) -> list[UUID]:
        """Find rows that expired long enough ago to be erased."""
        rows = await self._session.execute(
            select(MemoryRow.id)
            .where(mine(self._owner, MemoryRow), MemoryRow.status == Status.EXPIRED)
            # a changed label postpones nothing
            .where(func.coalesce(MemoryRow.known_to, MemoryRow.updated_at) < expired_before)
            .order_by(MemoryRow.known_to, MemoryRow.id)
            .limit(limit)
        )
        return list(rows.scalars())

    async def drop_expired_texts(self, *, now: datetime) -> int:
        """Delete texts of dropped candidates, kept recalls, previews and used keys whose time is over."""
        count = 0
        for table in (LedgerTextRow, RecallRow):
            expiry: Any = table.expires_at
            done = await self._session.execute(delete(table).where(mine(self._owner, table), expiry <= now))
            count += max(0, getattr(done, "rowcount", 0))
        return count + await self.drop_expired_keyed(now=now)

    async def drop_expired_keyed(self, *, now: datetime) -> int:
        """Delete previews and used keys whose time is over: what stands under the user's hash."""
        previews = await self._session.execute(
            delete(PreviewRow).where(mine_by_key(self._owner, PreviewRow), PreviewRow.expires_at <= now)
        )
        # the bare row of an erased key stays, so that a late replay is still refused
        keys = await self._session.execute(
            delete(IdempotencyRow)
            .where(mine_by_key(self._owner, IdempotencyRow), IdempotencyRow.expires_at <= now)
            .where(IdempotencyRow.state != "erased")
        )
        return sum(max(0, getattr(done, "rowcount", 0)) for done in (previews, keys))

    async def unembedded(self, model: str, *, after: UUID | None, limit: int) -> list[Unembedded]:
        """Find rows without a vector of this model, in the order of their ids."""
        statement = (
            select(MemoryRow.id, MemoryRow.subject, MemoryRow.content)
            .where(mine(self._owner, MemoryRow))
            .where(or_(MemoryRow.embedding_model.is_(None), MemoryRow.embedding_model != model))
            .order_by(MemoryRow.id)
            .limit(limit)
        )
        if after is not None:
            statement = statement.where(MemoryRow.id > after)
        rows = await self._session.execute(statement)
        return [Unembedded(row.id, row.subject, row.content) for row in rows]

    async def set_vectors(self, vectors: Sequence[tuple[UUID, Sequence[float]]], *, model: str) -> None:
        """Store vectors for rows that still exist; a row that was erased meanwhile stays erased."""
        for memory_id, vector in sorted(vectors, key=lambda pair: pair[0]):
            await self._session.execute(
                update(MemoryRow)
                .where(mine(self._owner, MemoryRow), MemoryRow.id == memory_id)
                .values(embedding=list(vector), embedding_model=model, embedding_dimension=len(vector))
            )
