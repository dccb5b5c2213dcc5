"""The service as a whole: what the routers talk to, opened for the life of the application."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from app.domain.answers import (
    Approval,
    DetailedMemory,
    MemoryExplanation,
    MemoryPage,
    PlaceExplanation,
    RecallAnswer,
    RecallExplanation,
    Receipt,
    WriteExplanation,
)
from app.domain.caller import Owner, Principal
from app.domain.commands import (
    ExplainCommand,
    ForgetCommand,
    ListCommand,
    PatchCommand,
    RecallCommand,
    WriteCommand,
)
from app.domain.errors import LetheError
from app.metrics import Metrics
from app.providers.factory import build_embedder, build_extractor, build_judge, build_pair_reader, build_reader
from app.providers.ports import Embedder, Extractor, Judge, PairReader, ProviderFault, Reader
from app.services.auth import Auth
from app.services.embedding import Embedding
from app.services.explain import ExplainService
from app.services.forget import ForgetService
from app.services.gating import Gating
from app.services.inventory import InventoryService
from app.services.judging import Judging
from app.services.maintenance import Maintenance
from app.services.pairing import Pairing
from app.services.proposing import Proposing, Tokens
from app.services.recall import RecallService
from app.services.regating import Regating
from app.services.replay import Replays
from app.services.replies import Idempotency, Readiness, Reply
from app.services.sealing import Sealing
from app.services.startup import StartupFault, require_same_embeddings, require_sound, wait_for_database
from app.services.tenancy import Tenancy
from app.services.write import WriteService
from app.settings import Settings
from app.store.checks import revision_of
from app.store.database import Database
from app.store.migrate import serves

SHORTEST_SECRET = 32


class Lethe:
    """The four verbs and what is around them. Answers are domain values or ready wire bodies."""

    def __init__(
        self,
        settings: Settings,
        database: Database,
        embedder: Embedder,
        metrics: Metrics,
        *,
        reader: Reader | None = None,
        pair_reader: PairReader | None = None,
        extractor: Extractor | None = None,
        judge: Judge | None = None,
    ) -> None:
        self.settings = settings
        self.embedder = embedder
        self.database = database
        sealing = Sealing(secret_of(settings))
        embedding = self._embedding = Embedding(embedder, metrics)
        self._gating = Gating(reader, metrics)
        self.tokens = Tokens(database, limit=settings.extractor_daily_tokens)
        self._proposing = Proposing(extractor, self.tokens, metrics)
        self._pairing = Pairing(pair_reader, metrics)
        self._judging = Judging(judge, self.tokens, metrics)
        replays = Replays(database, sealing)
        self.auth = Auth(database, sealing, cache_seconds=settings.key_cache_seconds)
        self.tenancy = Tenancy(database, sealing)
        self.regating = Regating(database, sealing)
        self._write = WriteService(
            database, self._gating, embedding, self._proposing, self._pairing, self._judging, sealing, replays, metrics
        )
        self._recall = RecallService(database, embedding)
        self._forget = ForgetService(database, embedding, sealing, replays)
        self._explain = ExplainService(database, embedding, sealing)
        self._inventory = InventoryService(database, embedding, sealing, self._forget)
        self.maintenance = Maintenance(database, embedding, sealing, self._forget)

    def now(self) -> datetime:
        """Tell the time: the one clock of a request."""
        return datetime.now(UTC)

    async def authenticate(self, token: str) -> Principal:
        """Verify a key; see `Auth.authenticate`."""
        return await self.auth.authenticate(token, now=self.now())

    def owner(self, principal: Principal, user_id: str | None) -> Owner:
        """Name the owner of a request; see `Auth.owner`."""
        return self.auth.owner(principal, user_id)

    async def write(self, owner: Owner, command: WriteCommand, *, idempotency: Idempotency | None) -> Reply:
        """Take what is offered; see `WriteService.write`."""
        policy = self.auth.policy(owner.tenant_id)
        return await self._write.write(owner, command, policy=policy, idempotency=idempotency)

    async def recall(self, owner: Owner, command: RecallCommand) -> RecallAnswer:
        """Bring back what matters now; see `RecallService.recall`."""
        return await self._recall.recall(owner, command, policy=self.auth.policy(owner.tenant_id))

    async def forget(self, owner: Owner, command: ForgetCommand, *, idempotency: Idempotency | None) -> Reply:
        """Preview or erase; see `ForgetService.forget`."""
        return await self._forget.forget(owner, command, idempotency=idempotency)

    async def receipt(self, owner: Owner, receipt_id: UUID | None, *, now: datetime) -> Receipt:
        """Read a receipt with a fresh look for residue."""
        return await self._forget.receipt(owner, receipt_id, now=now)

    async def explain(
        self, owner: Owner, command: ExplainCommand
    ) -> MemoryExplanation | PlaceExplanation | RecallExplanation | WriteExplanation:
        """Say why; see `ExplainService.explain`."""
        return await self._explain.explain(owner, command, policy=self.auth.policy(owner.tenant_id))

    async def list_memories(self, owner: Owner, command: ListCommand) -> MemoryPage:
        """List the inventory."""
        return await self._inventory.page(owner, command)

    async def get_memory(self, owner: Owner, memory_id: UUID | None, *, now: datetime) -> DetailedMemory:
        """Fetch one memory."""
        return await self._inventory.get(owner, memory_id, now=now)

    async def patch_memory(self, owner: Owner, memory_id: UUID | None, command: PatchCommand) -> DetailedMemory:
        """Correct one memory."""
        return await self._inventory.patch(owner, memory_id, command)

    async def delete_memory(self, owner: Owner, memory_id: UUID | None, *, now: datetime) -> Receipt:
        """Erase one memory."""
        return await self._forget.delete(owner, memory_id, now=now)

    async def approve(self, owner: Owner, memory_id: UUID | None, *, note: str | None, now: datetime) -> Approval:
        """Approve a reviewed memory."""
        policy = self.auth.policy(owner.tenant_id)
        return await self._inventory.approve(owner, memory_id, note=note, now=now, policy=policy)

    async def reject(self, owner: Owner, memory_id: UUID | None, *, now: datetime) -> Receipt:
        """Erase a reviewed memory."""
        return await self._inventory.reject(owner, memory_id, now=now)

    def export(self, owner: Owner, *, now: datetime) -> AsyncIterator[Mapping[str, Any]]:
        """Give everything that is stored of a user, line by line."""
        return self._inventory.export(owner, now=now)

    async def ready(self) -> Readiness:
        """Check database and schema, and tell how the providers did the last time they were asked."""
        # a provider that is out takes nothing away but quality: the service stays in rotation
        checks = {"database": "ok", "migrations": "ok", "embedder": "out" if self._embedding.is_out else "ok"}
        if self._gating.is_on:
            checks["reader"] = "out" if self._gating.is_out else "ok"
        if self._pairing.is_on:
            checks["pair_reader"] = "out" if self._pairing.is_out else "ok"
        if self._proposing.is_on:
            checks["extractor"] = "out" if self._proposing.is_out else "ok"
        if self._judging.is_on:
            checks["judge"] = "out" if self._judging.is_out else "ok"
        try:
            async with self.database.registry() as session:
                revision = await revision_of(session)
        except LetheError:
            checks["database"] = checks["migrations"] = "unreachable"
        else:
            if not serves(revision):
                checks["migrations"] = "not at head"
        return Readiness(checks["database"] == checks["migrations"] == "ok", checks)


def secret_of(settings: Settings) -> str:
    """Give the service's secret.

    Raises:
        StartupFault: There is none, or it is too short to be one.
    """
    secret = settings.secret_key.get_secret_value() if settings.secret_key is not None else ""
    if len(secret) < SHORTEST_SECRET:
        raise StartupFault(
            f"LETHE_SECRET_KEY needs at least {SHORTEST_SECRET} characters. Make one with: "
            "python3 -c 'import secrets; print(secrets.token_urlsafe(48))' and keep it: without it no key works"
        )
    return secret


def open_database(settings: Settings) -> Database:
    """Make the pool that the settings name; nothing is connected yet.

    Raises:
        StartupFault: No address.
    """
    if settings.database_url is None:
        raise StartupFault(
            "LETHE_DATABASE_URL is not set. Set it, or start with `lethe serve`, which runs an embedded Postgres"
        )
    return Database(
        settings.database_url.get_secret_value(),
        pool_size=settings.pool_size,
        statement_timeout_seconds=settings.statement_timeout_seconds,
    )


def open_embedder(settings: Settings) -> Embedder:
    """Make the embedder that the settings name; nothing is loaded or asked yet.

    Raises:
        StartupFault: Its settings could never work.
    """
    try:
        return build_embedder(settings)
    except ValueError as fault:
        raise StartupFault(f"the embedder cannot be used: {fault}") from fault


def open_extractor(settings: Settings) -> Extractor | None:
    """Make the extractor that the settings name, None when it is off; nothing is asked yet.

    Raises:
        StartupFault: Its settings could never work.
    """
    try:
        return build_extractor(settings)
    except ValueError as fault:
        raise StartupFault(f"the extractor cannot be used: {fault}") from fault


def open_judge(settings: Settings) -> Judge | None:
    """Make the judge that the settings name, None when it is off; nothing is asked yet.

    Raises:
        StartupFault: Its settings could never work.
    """
    try:
        return build_judge(settings)
    except ValueError as fault:
        raise StartupFault(f"the judge cannot be used: {fault}") from fault


def open_as_owner(settings: Settings) -> Database:
    """Make a pool as the owner of the tables, for what the app role has no right to.

    Raises:
        StartupFault: No address.
    """
    if settings.migration_url is None:
        raise StartupFault("set LETHE_MIGRATION_URL to the database's address as the owner of the tables")
    return Database(
        settings.migration_url.get_secret_value(),
        pool_size=1,
        statement_timeout_seconds=settings.statement_timeout_seconds,
    )


@asynccontextmanager
async def open_lethe(
    settings: Settings,
    *,
    metrics: Metrics,
    embedder: Embedder | None = None,
    extractor: Extractor | None = None,
    judge: Judge | None = None,
    durable: bool = True,
    same_model: bool = True,
    warm: bool = True,
    wait_seconds: float = 60.0,
) -> AsyncIterator[Lethe]:
    """Open the service: check everything, warm the model, keep up the store meanwhile.

    Args:
        settings: With database address and secret.
        metrics: Where to count.
        embedder: Instead of the one that the settings name.
        extractor: Instead of the one that the settings name.
        judge: Instead of the one that the settings name.
        durable: False lets a server with fsync off pass; for tests on throw-away data.
        same_model: False lets another embedding model pass; for computing the vectors anew.
        warm: False loads no model before it is asked for; for commands that need none.
        wait_seconds: How long to wait for a database that is not up yet.

    Raises:
        StartupFault: Something must be mended first.
    """
    secret_of(settings)
    database = open_database(settings)
    reader, pair_reader = build_reader(settings), build_pair_reader(settings)
    extractor = open_extractor(settings) if extractor is None else extractor
    judge = open_judge(settings) if judge is None else judge
    embedder = open_embedder(settings) if embedder is None else embedder
    upkeep: asyncio.Task[None] | None = None
    try:
        require_sound(await wait_for_database(database, seconds=wait_seconds), durable=durable)
        if same_model:
            await require_same_embeddings(database, embedder, now=datetime.now(UTC))
        try:
            if warm:
                await embedder.warm()
                for one in (reader, pair_reader):
                    if one is not None:
                        await asyncio.to_thread(one.load)
        except ProviderFault as fault:
            raise StartupFault(f"a bundled model cannot be loaded: {fault}") from fault
        lethe = Lethe(
            settings,
            database,
            embedder,
            metrics,
            reader=reader,
            pair_reader=pair_reader,
            extractor=extractor,
            judge=judge,
        )
        if settings.maintenance_seconds > 0:
            pause = settings.maintenance_seconds
            upkeep = asyncio.create_task(lethe.maintenance.keep_on(pause_seconds=pause, clock=lethe.now))
        yield lethe
    finally:
        if upkeep is not None:
            upkeep.cancel()
            await asyncio.gather(upkeep, return_exceptions=True)
        if extractor is not None:
            await extractor.close()
        if judge is not None:
            await judge.close()
        await embedder.close()
        await database.close()
