"""The tenant's chain: receipts of erasures and seals of the users' decision chains, one number after the other."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import BigInteger, cast, func, select, true, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession

from app.domain.answers import wire
from app.domain.ledger import GENESIS, chain_hash
from app.store.records import SealRow
from app.store.scope import ours
from app.store.tables import OwnerRow, TenantChainRow

SEAL_PAUSE = timedelta(hours=1)


class TenantChain:
    """One tenant's chain. Made per transaction."""

    def __init__(self, session: AsyncSession, tenant_id: str) -> None:
        self._session = session
        self._tenant_id = tenant_id

    async def lock(self) -> tuple[int, str]:
        """Lock the chain's end until the transaction is over; give its number and hash."""
        chain = select(TenantChainRow.seq, TenantChainRow.head).where(ours(self._tenant_id, TenantChainRow))
        row = (await self._session.execute(chain.with_for_update())).one_or_none()
        if row is None:
            await self._session.execute(
                insert(TenantChainRow).values(tenant_id=self._tenant_id, seq=0, head=GENESIS).on_conflict_do_nothing()
            )
            row = (await self._session.execute(chain.with_for_update())).one()
        return row.seq, row.head

    async def move(self, *, seq: int, head: str) -> None:
        """Set the chain's end."""
        await self._session.execute(
            update(TenantChainRow).where(ours(self._tenant_id, TenantChainRow)).values(seq=seq, head=head)
        )

    async def end(self) -> tuple[int, str]:
        """Read the chain's end."""
        chain = select(TenantChainRow.seq, TenantChainRow.head).where(ours(self._tenant_id, TenantChainRow))
        row = (await self._session.execute(chain)).one_or_none()
        return (0, GENESIS) if row is None else (row.seq, row.head)

    async def seal(self, *, now: datetime) -> bool:
        """Append a seal of the decision chains that moved; False when none did, or the last seal is fresh."""
        seq, prev = await self.lock()
        last = await self._session.scalar(select(func.max(SealRow.sealed_at)).where(ours(self._tenant_id, SealRow)))
        if last is not None and last + SEAL_PAUSE > now:
            return False
        head = func.jsonb_each(SealRow.heads).table_valued("key", "value").alias("head")
        sealed_rows = await self._session.execute(
            select(head.c.key, func.max(cast(head.c.value.op("->>")(0), BigInteger)).label("seq"))
            .select_from(SealRow)
            .join(head, true())
            .where(ours(self._tenant_id, SealRow))
            .group_by(head.c.key)
        )
        sealed: dict[str, int] = {row.key: row.seq for row in sealed_rows}
        rows = await self._session.execute(
            select(OwnerRow.user_key, OwnerRow.chain_seq, OwnerRow.chain_head).where(ours(self._tenant_id, OwnerRow))
        )
        # only what moved: a seal of everybody every time would outgrow what it seals
        heads = {
            row.user_key: [row.chain_seq, row.chain_head] for row in rows if row.chain_seq > sealed.get(row.user_key, 0)
        }
        if not heads:
            return False
        digest = chain_hash(prev, seal_fields(seq + 1, now, heads))
        await self._session.execute(
            insert(SealRow).values(
                tenant_id=self._tenant_id, seq=seq + 1, sealed_at=now, heads=heads, prev_hash=prev, hash=digest
            )
        )
        await self.move(seq=seq + 1, head=digest)
        return True

    async def seals(self) -> list[Mapping[str, Any]]:
        """Read all seals: number, heads, and what the hash covers."""
        rows = await self._session.execute(select(SealRow).where(ours(self._tenant_id, SealRow)).order_by(SealRow.seq))
        return [
            {
                "seq": row.seq,
                "heads": row.heads,
                "fields": seal_fields(row.seq, row.sealed_at, row.heads),
                "prev": row.prev_hash,
                "hash": row.hash,
            }
            for row in rows.scalars()
        ]


def seal_fields(seq: int, sealed_at: datetime, heads: Mapping[str, Any]) -> dict[str, Any]:
    """Give what a seal's hash covers."""
    return {"seq": seq, "sealed_at": wire(sealed_at), "heads": dict(heads)}
