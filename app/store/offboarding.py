"""Erasing a whole tenant. Runs as the owner of the tables: the app role has no right to delete ledger rows."""

from __future__ import annotations

from sqlalchemy import delete
from sqlalchemy.ext.asyncio import AsyncSession

from app.domain.caller import Owner
from app.store.records import (
    IdempotencyRow,
    LedgerRow,
    LedgerTextRow,
    PreviewRow,
    RecallRow,
    ReceiptRow,
    SealRow,
    TokenBudgetRow,
)
from app.store.scope import mine, mine_by_key, ours
from app.store.tables import (
    CounterRow,
    EvidenceRow,
    KeyRow,
    LinkRow,
    MemoryRow,
    OwnerKeyRow,
    OwnerRow,
    TenantChainRow,
    TenantRow,
)


async def erase_user(session: AsyncSession, owner: Owner) -> int:
    """Delete every row that stands under a user's id; tell how many memories went."""
    count = 0
    for table in (LinkRow, EvidenceRow, LedgerTextRow, CounterRow, RecallRow, MemoryRow, OwnerRow):
        done = await session.execute(delete(table).where(mine(owner, table)))
        if table is MemoryRow:
            count = max(0, getattr(done, "rowcount", 0))
    return count


async def erase_user_key(session: AsyncSession, owner: Owner) -> None:
    """Delete what stands under a user's keyed hash: ledger, receipts, previews, used keys."""
    for table in (LedgerRow, IdempotencyRow, PreviewRow, ReceiptRow):
        await session.execute(delete(table).where(mine_by_key(owner, table)))


async def erase_tenant_rows(session: AsyncSession, tenant_id: str) -> None:
    """Delete a tenant's keys and chains, and the tenant itself, when nothing of its users is left."""
    for table in (KeyRow, TenantChainRow, SealRow, OwnerKeyRow, TokenBudgetRow, TenantRow):
        await session.execute(delete(table).where(ours(tenant_id, table)))
