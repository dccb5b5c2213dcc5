"""Upkeep: what ran out expires, what expired long ago is erased, missing vectors are filled in."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from datetime import datetime, timedelta

import structlog

from app.domain.caller import Owner
from app.domain.decay import FLOOR
from app.domain.errors import LetheError
from app.domain.indexing import indexed_text
from app.domain.memory import TenantPolicy
from app.domain.ranker import weight_of
from app.providers.ports import Embedder
from app.services.embedding import Embedding
from app.services.forget import ForgetService
from app.services.sealing import Sealing
from app.services.tenancy import policy_of
from app.services.transactions import retried
from app.store.chains import TenantChain
from app.store.database import Database
from app.store.identity import Registry, TenantKeys
from app.store.maintenance import Upkeep
from app.store.memories import Memories

log = structlog.get_logger(__name__)

_BATCH = 200
# stands in for an id that is not known; only rows under a hash are touched with it
_NOBODY = "-"
# nothing fades to the floor in less
_YOUNG = timedelta(days=1)


@dataclass(slots=True)
class Round:
    """What one round did."""

    users: int = 0
    expired: int = 0
    purged: int = 0
    texts: int = 0
    vectors: int = 0
    seals: int = 0
    failed: int = 0


class Maintenance:
    """Goes through all tenants and users; any number of processes may do so at once."""

    def __init__(self, database: Database, embedding: Embedding, sealing: Sealing, forget: ForgetService) -> None:
        self._database = database
        self._embedding = embedding
        self._sealing = sealing
        self._forget = forget

    async def run_once(self, *, now: datetime) -> Round:
        """Do one round over everybody."""
        done = Round()
        async for owner, policy in self._owners():
            done.users += 1
            try:
                await self._sweep(owner, policy, done, now=now)
                done.vectors += await self.fill_vectors(owner)
            except Exception:
                # one user's trouble holds up nobody else
                done.failed += 1
                log.exception("maintenance_failed_for_a_user")
        await self._sweep_the_forgotten(done, now=now)
        await self._seal(done, now=now)
        return done

    async def fill_vectors(self, owner: Owner) -> int:
        """Embed this user's rows that have no vector of the present model; stops where the embedder is out.

        A text that the embedder refuses keeps its row without a vector, and holds up no other.
        """
        filled, after = 0, None
        while True:
            async with self._database.owner(owner) as session:
                rows = await Upkeep(session, owner).unembedded(self._embedding.model_id, after=after, limit=_BATCH)
            if not rows:
                return filled
            texts = [indexed_text(row.subject, row.content) for row in rows]
            vectors, missing = await self._embedding.documents(texts)
            if missing and not self._embedding.is_out:
                vectors = await self._embedding.one_by_one(texts)
            pairs = [(row.id, vector) for row, vector in zip(rows, vectors, strict=True) if vector is not None]
            if pairs:
                async with self._database.owner(owner) as session:
                    await Upkeep(session, owner).set_vectors(pairs, model=self._embedding.model_id)
            filled += len(pairs)
            if self._embedding.is_out:
                return filled
            after = rows[-1].id

    async def settle_model(self, embedder: Embedder) -> None:
        """Make the present model the one that stored vectors must come from; `run_once` then fills them in."""
        async with self._database.registry() as session:
            await Registry(session).set_embedding_model(embedder.model_id, embedder.dimension)

    async def keep_on(self, *, pause_seconds: float, clock: Callable[[], datetime]) -> None:
        """Do a round, pause, and again, until cancelled. A round that fails is told and tried again."""
        while True:
            await asyncio.sleep(pause_seconds)
            try:
                done = await self.run_once(now=clock())
            except LetheError as fault:
                log.warning("maintenance_failed", code=fault.code)
            except Exception:
                # whatever it was, the next round must come
                log.exception("maintenance_failed")
            else:
                log.debug(
                    "maintenance", users=done.users, expired=done.expired, purged=done.purged, vectors=done.vectors
                )

    async def _owners(self) -> AsyncIterator[tuple[Owner, TenantPolicy]]:
        async with self._database.registry() as session:
            tenants = await Registry(session).tenants()
        for tenant in tenants:
            async with self._database.tenant(tenant.tenant_id) as session:
                users = await TenantKeys(session, tenant.tenant_id).users()
            for user_id, _ in users:
                yield self._sealing.owner(tenant.tenant_id, user_id), policy_of(tenant.settings)

    async def _sweep_the_forgotten(self, done: Round, *, now: datetime) -> None:
        """Drop what ran out of users who are known by their hash only: those who were forgotten, or never stored."""
        async with self._database.registry() as session:
            tenants = await Registry(session).tenants()
        for tenant in tenants:
            async with self._database.tenant(tenant.tenant_id) as session:
                keys = TenantKeys(session, tenant.tenant_id)
                known = {user_key for _, user_key in await keys.users()}
                hashes = [user_key for user_key in await keys.user_keys() if user_key not in known]
            for user_key in hashes:
                nobody = Owner(tenant.tenant_id, _NOBODY, user_key)
                async with self._database.owner(nobody) as session:
                    done.texts += await Upkeep(session, nobody).drop_expired_keyed(now=now)

    async def _seal(self, done: Round, *, now: datetime) -> None:
        """Seal where the users' decision chains end into each tenant's chain."""
        async with self._database.registry() as session:
            tenants = await Registry(session).tenants()
        for tenant in tenants:
            async with self._database.tenant(tenant.tenant_id) as session:
                done.seals += await TenantChain(session, tenant.tenant_id).seal(now=now)

    async def _sweep(self, owner: Owner, policy: TenantPolicy, done: Round, *, now: datetime) -> None:
        async def run() -> tuple[int, int, int]:
            async with self._database.owner(owner) as session:
                upkeep = Upkeep(session, owner)
                if await Memories(session, owner).lock_known_owner() is None:
                    # forgotten since the list was read: nothing may bring the id back
                    return 0, 0, 0
                old = await upkeep.fading(before=now - _YOUNG, limit=10 * _BATCH)
                faded = [memory.id for memory in old if weight_of(memory, now=now) <= FLOOR]
                expired = await upkeep.expire(faded, now=now)
                grace = now - timedelta(days=policy.purge_grace_days)
                purgeable = await upkeep.purgeable(expired_before=grace, limit=_BATCH)
                if purgeable:
                    await self._forget.erase_ids(session, owner, purgeable, selector="expired", now=now)
                texts = await upkeep.drop_expired_texts(now=now)
                return expired, len(purgeable), texts

        expired, purged, texts = await retried(run)
        done.expired += expired
        done.purged += purged
        done.texts += texts
