"""Used Idempotency-Keys: claimed first in a transaction of their own, completed in the write's."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from sqlalchemy import and_, delete, or_, select, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession

from app.domain.caller import Owner
from app.store.records import IdempotencyRow
from app.store.scope import mine_by_key
from app.store.tables import OwnerKeyRow

LEASE = timedelta(seconds=60)
KEPT = timedelta(hours=24)


@dataclass(frozen=True, slots=True)
class Used:
    """A key as it stands: `claimed`, `done` with its answer, or `erased`."""

    state: str
    body_hash: str | None
    response: Mapping[str, Any] | None


class IdempotencyKeys:
    """One user's used keys. Made per transaction."""

    def __init__(self, session: AsyncSession, owner: Owner) -> None:
        self._session = session
        self._owner = owner

    async def claim(self, path: str, key_hash: str, *, claim: UUID, body_hash: str, now: datetime) -> Used | None:
        """Take the key for `claim`; None when it is ours now, else how it stands.

        A claim whose lease is over, and a key older than 24 h, are taken over.
        """
        fresh = {
            "state": "claimed",
            "claim": claim,
            "body_hash": body_hash,
            "response": None,
            "memory_ids": [],
            "lease_until": now + LEASE,
            "expires_at": now + KEPT,
        }
        # a user who never gets further than this must still be found when the tenant is offboarded
        await self._session.execute(
            insert(OwnerKeyRow)
            .values(tenant_id=self._owner.tenant_id, user_key=self._owner.user_key)
            .on_conflict_do_nothing()
        )
        statement = (
            insert(IdempotencyRow)
            .values(
                tenant_id=self._owner.tenant_id,
                user_key=self._owner.user_key,
                path=path,
                key_hash=key_hash,
                created_at=now,
                **fresh,
            )
            .on_conflict_do_update(
                index_elements=["tenant_id", "user_key", "path", "key_hash"],
                set_=fresh,
                where=or_(
                    # what was erased stays refused, however late the replay
                    and_(IdempotencyRow.expires_at <= now, IdempotencyRow.state != "erased"),
                    and_(
                        IdempotencyRow.state == "claimed",
                        IdempotencyRow.lease_until <= now,
                        # an abandoned claim is taken over by the same request only
                        IdempotencyRow.body_hash == body_hash,
                    ),
                ),
            )
            .returning(IdempotencyRow.claim)
        )
        if await self._session.scalar(statement) is not None:
            return None
        row = (
            await self._session.execute(
                select(IdempotencyRow.state, IdempotencyRow.body_hash, IdempotencyRow.response).where(
                    self._where(path, key_hash)
                )
            )
        ).one()
        return Used(row.state, row.body_hash, row.response)

    async def complete(
        self, path: str, key_hash: str, *, claim: UUID, response: Mapping[str, Any], memory_ids: Collection[UUID]
    ) -> bool:
        """Keep the answer under the key; False when another request has taken the claim over."""
        done = await self._session.execute(
            update(IdempotencyRow)
            .where(self._where(path, key_hash), IdempotencyRow.claim == claim, IdempotencyRow.state == "claimed")
            .values(state="done", response=dict(response), memory_ids=sorted(memory_ids))
            .returning(IdempotencyRow.claim)
        )
        return done.one_or_none() is not None

    async def release(self, path: str, key_hash: str, *, claim: UUID) -> None:
        """Give a claim back, so that the same key can be tried again at once."""
        await self._session.execute(
            delete(IdempotencyRow).where(
                self._where(path, key_hash), IdempotencyRow.claim == claim, IdempotencyRow.state == "claimed"
            )
        )

    def _where(self, path: str, key_hash: str) -> Any:
        return and_(
            mine_by_key(self._owner, IdempotencyRow),
            IdempotencyRow.path == path,
            IdempotencyRow.key_hash == key_hash,
        )
