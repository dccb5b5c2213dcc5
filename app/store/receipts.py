"""Receipts of erasures: append-only, free of content, links of the tenant's chain."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession

from app.domain.answers import wire
from app.domain.caller import Owner
from app.domain.ledger import chain_hash
from app.store.chains import TenantChain
from app.store.records import ReceiptRow
from app.store.scope import mine_by_key


@dataclass(frozen=True, slots=True)
class StoredReceipt:
    """A receipt as kept: free of content."""

    id: UUID
    erased_at: datetime
    body: Mapping[str, Any]
    id_keys: tuple[str, ...]
    seq: int
    prev: str
    hash: str


class Receipts:
    """One user's receipts. Made per transaction."""

    def __init__(self, session: AsyncSession, owner: Owner) -> None:
        self._session = session
        self._owner = owner

    async def file(
        self, receipt_id: UUID, *, body: Mapping[str, Any], id_keys: Sequence[str], erased_at: datetime
    ) -> StoredReceipt:
        """Append a receipt to the tenant's chain."""
        chain = TenantChain(self._session, self._owner.tenant_id)
        seq, prev = await chain.lock()
        seq += 1
        keys = sorted(id_keys)
        digest = chain_hash(prev, _fields(receipt_id, seq, self._owner.user_key, erased_at, body, keys))
        await self._session.execute(
            insert(ReceiptRow).values(
                tenant_id=self._owner.tenant_id,
                id=receipt_id,
                user_key=self._owner.user_key,
                seq=seq,
                erased_at=erased_at,
                body=dict(body),
                id_keys=keys,
                prev_hash=prev,
                hash=digest,
            )
        )
        await chain.move(seq=seq, head=digest)
        return StoredReceipt(receipt_id, erased_at, body, tuple(keys), seq, prev, digest)

    async def get(self, receipt_id: UUID) -> StoredReceipt | None:
        """Read a receipt of this user."""
        row = await self._session.scalar(
            select(ReceiptRow).where(mine_by_key(self._owner, ReceiptRow), ReceiptRow.id == receipt_id)
        )
        if row is None:
            return None
        return StoredReceipt(row.id, row.erased_at, row.body, tuple(row.id_keys), row.seq, row.prev_hash, row.hash)

    async def links(self) -> list[Mapping[str, Any]]:
        """Read this user's receipts as links of the tenant's chain, for verification."""
        rows = await self._session.execute(select(ReceiptRow).where(mine_by_key(self._owner, ReceiptRow)))
        return [
            {
                "seq": row.seq,
                "fields": _fields(row.id, row.seq, row.user_key, row.erased_at, row.body, row.id_keys),
                "prev": row.prev_hash,
                "hash": row.hash,
            }
            for row in rows.scalars()
        ]


def _fields(
    receipt_id: UUID, seq: int, user_key: str, erased_at: datetime, body: Mapping[str, Any], id_keys: Sequence[str]
) -> dict[str, Any]:
    """Give what a receipt's hash covers."""
    return {
        "id": str(receipt_id),
        "seq": seq,
        "user_key": user_key,
        "erased_at": wire(erased_at),
        "body": dict(body),
        "id_keys": sorted(id_keys),
    }
