"""Idempotency: a key is claimed before the work, completed with it, and given back when the work failed."""

from __future__ import annotations

from collections.abc import AsyncIterator, Collection, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from app.domain.caller import Owner
from app.domain.errors import IdempotencyErased, IdempotencyInProgress, IdempotencyMismatch
from app.services.replies import Idempotency
from app.services.sealing import Sealing
from app.store.database import Database
from app.store.idempotency import IdempotencyKeys
from app.store.ids import new_id


@dataclass(slots=True)
class Claim:
    """A claim on a key; `answer` is set when the request was answered before. Without a key it does nothing."""

    owner: Owner
    idempotency: Idempotency | None
    key_hash: str
    id: UUID
    answer: Mapping[str, Any] | None = None

    async def complete(
        self, session: AsyncSession, response: Mapping[str, Any], *, memory_ids: Collection[UUID]
    ) -> None:
        """Keep the answer under the key, in the transaction that did the work.

        Raises:
            IdempotencyInProgress: Another request has taken the claim over; this one must not count.
        """
        if self.idempotency is None:
            return
        keys = IdempotencyKeys(session, self.owner)
        done = await keys.complete(
            self.idempotency.path, self.key_hash, claim=self.id, response=response, memory_ids=memory_ids
        )
        if not done:
            raise IdempotencyInProgress


class Replays:
    """Claims keys."""

    def __init__(self, database: Database, sealing: Sealing) -> None:
        self._database = database
        self._sealing = sealing

    @asynccontextmanager
    async def claimed(self, owner: Owner, idempotency: Idempotency | None, *, now: datetime) -> AsyncIterator[Claim]:
        """Hold a key while the work is done; a fault gives it back, so that a retry can run at once.

        Raises:
            IdempotencyInProgress, IdempotencyMismatch, IdempotencyErased: The key cannot be used for this.
        """
        if idempotency is None:
            yield Claim(owner, None, "", new_id())
            return
        parts = (owner.tenant_id, owner.user_key)
        key_hash = self._sealing.mac("idempotency-key", *parts, idempotency.path, idempotency.key)
        body_hash = self._sealing.mac("idempotency-body", *parts, idempotency.body.decode("utf-8", "surrogatepass"))
        claim = Claim(owner, idempotency, key_hash, new_id())
        async with self._database.owner(owner) as session:
            used = await IdempotencyKeys(session, owner).claim(
                idempotency.path, key_hash, claim=claim.id, body_hash=body_hash, now=now
            )
        if used is not None:
            if used.state == "erased":
                raise IdempotencyErased
            if used.body_hash != body_hash:
                raise IdempotencyMismatch
            if used.state == "claimed" or used.response is None:
                raise IdempotencyInProgress
            claim.answer = used.response
            yield claim
            return
        try:
            yield claim
        except BaseException:
            async with self._database.owner(owner) as session:
                await IdempotencyKeys(session, owner).release(idempotency.path, key_hash, claim=claim.id)
            raise
