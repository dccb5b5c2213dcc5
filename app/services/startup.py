"""What must hold before the service takes requests; each refusal says how to mend it."""

from __future__ import annotations

import asyncio
import time
from datetime import datetime

import structlog
from sqlalchemy.exc import DBAPIError

from app.domain.errors import LetheError
from app.providers.ports import Embedder
from app.store.checks import DatabaseState, look_at
from app.store.database import Database, refusal
from app.store.identity import Registry
from app.store.migrate import MigrationFault, head_revision, pgvector_out_of_sight, require_pgvector_version, serves

log = structlog.get_logger(__name__)

OLDEST_POSTGRES = 160000


class StartupFault(Exception):
    """The service must not start like this; the text says how to mend it."""


async def wait_for_database(database: Database, *, seconds: float) -> DatabaseState:
    """Look at the database, trying again while it cannot be reached.

    Raises:
        StartupFault: It could not be reached in time.
    """
    deadline = time.monotonic() + seconds
    while True:
        try:
            async with database.registry() as session:
                return await look_at(session)
        except (LetheError, DBAPIError) as fault:
            refused = refusal(fault)
            if refused is not None:
                # waiting would not help
                raise StartupFault(f"the database cannot be used: {refused}. Check LETHE_DATABASE_URL") from fault
            if not isinstance(fault, LetheError):
                raise
            if time.monotonic() >= deadline:
                cause = type(fault.__cause__).__name__ if fault.__cause__ else fault.code
                raise StartupFault(
                    f"the database cannot be reached ({cause}). Check LETHE_DATABASE_URL, and that the server runs and "
                    "accepts this role's password"
                ) from fault
            log.warning("waiting_for_database")
            await asyncio.sleep(1.0)


def require_sound(state: DatabaseState, *, durable: bool) -> None:
    """Refuse a database that would break a promise.

    Args:
        state: What was found.
        durable: Whether fsync and synchronous_commit must be on; only tests on throw-away data say no.

    Raises:
        StartupFault: With the remedy.
    """
    if state.server_version < OLDEST_POSTGRES:
        raise StartupFault(f"Postgres {state.server_version // 10000} is too old: 16 or newer is needed")
    if state.bypasses:
        raise StartupFault(
            f"the role {state.role!r} can bypass row-level security, the wall between users. Use a plain role: create "
            "role lethe_app login nosuperuser nobypassrls password '...'; then put it into LETHE_DATABASE_URL and run "
            "`lethe migrate`"
        )
    if state.owns:
        raise StartupFault(
            f"the role {state.role!r} owns the tables and could take the walls down. Keep the owner in "
            "LETHE_MIGRATION_URL, and use a plain role in LETHE_DATABASE_URL"
        )
    if state.pgvector is None:
        raise StartupFault(
            "pgvector is not installed in this database. As a superuser run: create extension vector; if that fails, "
            "use a server that carries pgvector 0.8.2 or newer"
        )
    try:
        require_pgvector_version(state.pgvector)
    except MigrationFault as fault:
        raise StartupFault(str(fault)) from fault
    if state.pgvector_out_of_sight is not None:
        raise StartupFault(pgvector_out_of_sight(state.pgvector_out_of_sight, state.database))
    head = head_revision()
    if not serves(state.revision):
        raise StartupFault(
            f"the schema is at {state.revision or 'nothing'}, this version needs {head}. Run `lethe migrate` with "
            "LETHE_MIGRATION_URL set to the owner's address"
        )
    if state.open_tables:
        raise StartupFault(
            f"row-level security is not forced on {', '.join(state.open_tables)}. As the owner run, for each of them: "
            f"alter table {state.open_tables[0]} enable row level security, force row level security"
        )
    if durable and not state.fsync:
        raise StartupFault("the server runs with fsync = off: a crash loses acknowledged memories. Set fsync = on")
    if durable and not state.synchronous_commit:
        raise StartupFault(
            "the server runs with synchronous_commit = off: a crash loses acknowledged memories. Set it to on, "
            "also for this role and database"
        )


async def require_same_embeddings(database: Database, embedder: Embedder, *, now: datetime) -> None:
    """Refuse an embedding model whose vectors cannot be compared with the stored ones.

    Raises:
        StartupFault: Naming both models and dimensions, and the remedy.
    """
    async with database.registry() as session:
        model, dimension = await Registry(session).embedding_model(embedder.model_id, embedder.dimension, now=now)
    if (model, dimension) != (embedder.model_id, embedder.dimension):
        raise StartupFault(
            f"the stored vectors come from {model!r} with {dimension} dimensions, the settings say "
            f"{embedder.model_id!r} with {embedder.dimension}. Set the embedding model back, or run `lethe reembed` to "
            "compute every vector anew with the new one"
        )
