"""What is kept for a while: recalls with a trace, and previews of a forget."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import select, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession

from app.domain.caller import Owner
from app.store.records import PreviewRow, RecallRow
from app.store.scope import mine, mine_by_key


@dataclass(frozen=True, slots=True)
class KeptRecall:
    """A recall as it was asked and answered."""

    id: UUID
    request: Mapping[str, Any]
    answer: Mapping[str, Any]
    created_at: datetime


class KeptRecalls:
    """One user's kept recalls. Made per transaction."""

    def __init__(self, session: AsyncSession, owner: Owner) -> None:
        self._session = session
        self._owner = owner

    async def keep(self, recall: KeptRecall, *, memory_ids: Sequence[UUID], expires_at: datetime) -> None:
        """Keep a recall until it expires or a forget touches what it shows."""
        await self._session.execute(
            insert(RecallRow).values(
                tenant_id=self._owner.tenant_id,
                id=recall.id,
                user_id=self._owner.user_id,
                request=dict(recall.request),
                answer=dict(recall.answer),
                memory_ids=list(memory_ids),
                created_at=recall.created_at,
                expires_at=expires_at,
            )
        )

    async def get(self, recall_id: UUID, *, now: datetime) -> KeptRecall | None:
        """Read a kept recall that has not expired."""
        row = await self._session.scalar(
            select(RecallRow).where(mine(self._owner, RecallRow), RecallRow.id == recall_id, RecallRow.expires_at > now)
        )
        return None if row is None else KeptRecall(row.id, row.request, row.answer, row.created_at)


@dataclass(frozen=True, slots=True)
class KeptPreview:
    """What a preview showed: which rows, and a fingerprint of how they looked."""

    token_hash: str
    selector: str
    plan: Mapping[str, Any]
    memory_ids: tuple[UUID, ...]
    fingerprint: str
    receipt_id: UUID | None
    expires_at: datetime


class KeptPreviews:
    """One user's previews. Made per transaction."""

    def __init__(self, session: AsyncSession, owner: Owner) -> None:
        self._session = session
        self._owner = owner

    async def keep(self, preview: KeptPreview, *, now: datetime) -> None:
        """Keep a preview until its token expires."""
        await self._session.execute(
            insert(PreviewRow).values(
                tenant_id=self._owner.tenant_id,
                token_hash=preview.token_hash,
                user_key=self._owner.user_key,
                selector=preview.selector,
                plan=dict(preview.plan),
                memory_ids=list(preview.memory_ids),
                fingerprint=preview.fingerprint,
                receipt_id=None,
                created_at=now,
                expires_at=preview.expires_at,
            )
        )

    async def get(self, token_hash: str) -> KeptPreview | None:
        """Read a preview, expired or not, until it is swept."""
        row = await self._session.scalar(
            select(PreviewRow).where(mine_by_key(self._owner, PreviewRow), PreviewRow.token_hash == token_hash)
        )
        if row is None:
            return None
        return KeptPreview(
            token_hash=row.token_hash,
            selector=row.selector,
            plan=row.plan,
            memory_ids=tuple(row.memory_ids),
            fingerprint=row.fingerprint,
            receipt_id=row.receipt_id,
            expires_at=row.expires_at,
        )

    async def apply(self, token_hash: str, *, receipt_id: UUID) -> None:
        """Mark a preview as applied: a second use answers the same receipt."""
        await self._session.execute(
            update(PreviewRow)
            .where(mine_by_key(self._owner, PreviewRow), PreviewRow.token_hash == token_hash)
            .values(receipt_id=receipt_id, memory_ids=[], fingerprint="", plan={})
        )
