"""Migrations under an advisory lock: any number of processes may start at once on an empty database."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from alembic import command
from alembic.config import Config
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, text
from sqlalchemy.engine import make_url
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import create_async_engine

from app.store.database import driver_url, is_out, refusal

# "lethe" as a number; held for the session, so that a second migrator waits and then finds nothing to do
ADVISORY_LOCK = 0x6C65746865
REQUIRED_PGVECTOR = (0, 8, 2)


class MigrationFault(Exception):
    """The database cannot be migrated; the text says how to mend it."""


def alembic_config() -> Config:
    """Point Alembic at the migrations, in a checkout or inside the installed package."""
    here = Path(__file__).resolve().parent.parent
    for folder in (here.parent / "alembic", here / "_alembic"):
        if (folder / "env.py").exists():
            config = Config()
            # interpolation signs in a path would be read as ConfigParser syntax
            config.set_main_option("script_location", str(folder).replace("%", "%%"))
            return config
    raise MigrationFault("the migrations are missing from this installation; install the package again")


def head_revision() -> str:
    """Name the newest revision of the migrations."""
    head = ScriptDirectory.from_config(alembic_config()).get_current_head()
    if head is None:
        raise MigrationFault("the migrations are missing from this installation; install the package again")
    return head


def serves(revision: str | None) -> bool:
    """Tell whether this version can work on a schema: on its own head, and on a newer one it does not know yet.

    Migrations first expand, so that the old version goes on working while the new one is rolled out.
    """
    if revision is None:
        return False
    known = {script.revision for script in ScriptDirectory.from_config(alembic_config()).walk_revisions()}
    return revision == head_revision() or revision not in known


@contextmanager
def configured_connection(config: Config) -> Iterator[Connection]:
    """Give env.py the connection to migrate on: the one handed over, else one to LETHE_MIGRATION_URL."""
    connection: Connection | None = config.attributes.get("connection")
    if connection is None:
        raise MigrationFault("run the migrations with `lethe migrate`, which takes the lock and renews privileges")
    yield connection


async def migrate(owner_url: str, *, app_role: str, revision: str = "head") -> None:
    """Bring the database to a revision, and give the app role its privileges.

    Args:
        owner_url: Address of the database as the owner of its tables.
        app_role: The role that the service connects as.
        revision: Where to go; an older one than the present runs the downgrades.

    Raises:
        MigrationFault: The database cannot be reached, pgvector is missing, too old or out of sight, or the app role
        does not exist.
    """
    engine = create_async_engine(driver_url(owner_url))
    try:
        async with engine.connect() as connection:
            await connection.execute(text("select pg_advisory_lock(:lock)"), {"lock": ADVISORY_LOCK})
            await connection.commit()
            try:
                await connection.run_sync(_require_pgvector)
                await connection.run_sync(_run, app_role=app_role, revision=revision)
                await connection.commit()
            finally:
                await connection.rollback()
                await connection.execute(text("select pg_advisory_unlock(:lock)"), {"lock": ADVISORY_LOCK})
                await connection.commit()
    except ValueError as fault:
        raise MigrationFault(str(fault)) from fault
    except (OSError, DBAPIError) as fault:
        words = refusal(fault) or ("nothing answers at this address" if is_out(fault) else None)
        if words is None:
            raise
        raise MigrationFault(f"the database cannot be reached: {words}. Check LETHE_MIGRATION_URL") from fault
    finally:
        await engine.dispose()


def migrate_now(owner_url: str, *, app_role: str, revision: str = "head") -> None:
    """Do the same from a program without an event loop."""
    asyncio.run(migrate(owner_url, app_role=app_role, revision=revision))


def role_of(url: str) -> str:
    """Tell which role an address connects as."""
    name = make_url(url).username
    if not name:
        raise MigrationFault("LETHE_DATABASE_URL names no role; write it as postgresql://role:password@host/database")
    return name


def _require_pgvector(connection: Connection) -> None:
    installed = connection.scalar(text("select extversion from pg_extension where extname = 'vector'"))
    if installed is None:
        offered = connection.scalar(text("select default_version from pg_available_extensions where name = 'vector'"))
        if offered is None:
            raise MigrationFault(
                "pgvector is not installed on this Postgres server; use an image or package that carries pgvector "
                "0.8.2 or newer"
            )
        try:
            with connection.begin_nested():
                connection.execute(text("create extension if not exists vector"))
        except Exception as fault:  # the driver's classes differ; the remedy is the same
            raise MigrationFault(
                "this role may not create the extension; as a superuser run: create extension vector"
            ) from fault
        installed = connection.scalar(text("select extversion from pg_extension where extname = 'vector'"))
        connection.commit()
    require_pgvector_version(str(installed))
    if connection.scalar(text("select to_regtype('halfvec')")) is None:
        schema, database = connection.execute(
            text(
                "select n.nspname, current_database() from pg_extension e "
                "join pg_namespace n on n.oid = e.extnamespace where extname = 'vector'"
            )
        ).one()
        raise MigrationFault(pgvector_out_of_sight(schema, database))


def pgvector_out_of_sight(schema: str, database: str) -> str:
    """Say how to bring an extension into sight that stands in a schema off the search_path."""
    return (
        f"pgvector is installed in the schema {schema}, which this role does not see. Put it on the search_path: alter "
        f"database {database} set search_path = public, {schema}; and grant usage on schema {schema} to public; then "
        "connect anew"
    )


def require_pgvector_version(installed: str) -> None:
    """Refuse a pgvector that is too old.

    Raises:
        MigrationFault: Older than 0.8.2, with the remedy.
    """
    parts = tuple(int(part) for part in installed.split(".")[:3] if part.isdigit())
    if parts < REQUIRED_PGVECTOR:
        raise MigrationFault(
            f"pgvector {installed} is too old: 0.8.2 or newer is needed (older ones can leak rows during parallel "
            "index builds). Upgrade the package, then as a superuser run: alter extension vector update"
        )


def _run(connection: Connection, *, app_role: str, revision: str) -> None:
    config = alembic_config()
    config.attributes["connection"] = connection
    config.attributes["app_role"] = app_role
    script = ScriptDirectory.from_config(config)
    present = _present_revision(connection)
    if revision == "base" or (present is not None and _is_older(script, revision, present)):
        command.downgrade(config, revision)
    else:
        command.upgrade(config, revision)


def _present_revision(connection: Connection) -> str | None:
    if connection.scalar(text("select to_regclass('alembic_version')")) is None:
        return None
    present: str | None = connection.scalar(text("select version_num from alembic_version"))
    return present


def _is_older(script: ScriptDirectory, wanted: str, present: str) -> bool:
    resolved: Any = script.get_revision(wanted)
    older = {revision.revision for revision in script.iterate_revisions(present, "base")}
    return resolved is not None and resolved.revision in older and resolved.revision != present
