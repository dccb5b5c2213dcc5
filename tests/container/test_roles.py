"""docker/roles.sql, run by psql on a real server as the Postgres image runs it."""

from __future__ import annotations

import subprocess
from typing import Any

import asyncpg
import pytest

from app.services.startup import require_sound
from app.store.checks import look_at
from app.store.database import Database
from app.store.migrate import REQUIRED_PGVECTOR, migrate
from scripts.check_container import ROOT, embedded_psql
from tests.container.conftest import ComposeDatabase


async def rows(url: str, sql: str) -> list[Any]:
    connection = await asyncpg.connect(url)
    try:
        return [tuple(row) for row in await connection.fetch(sql)]
    finally:
        await connection.close()


def again(database: ComposeDatabase, environment: dict[str, str]) -> subprocess.CompletedProcess[str]:
    """Run the script once more, from whatever database a superuser is in."""
    script = str(ROOT / "docker/roles.sql")
    psql = [str(embedded_psql()), "--no-psqlrc", "--quiet", "--file", script, database.superuser]
    return subprocess.run(psql, env=environment, capture_output=True, text=True, check=False)


@pytest.mark.anyio
async def test_neither_role_can_take_the_walls_down_and_the_owner_owns(database: ComposeDatabase) -> None:
    found = await rows(
        database.superuser,
        "select rolname, rolcanlogin, rolsuper, rolbypassrls, rolcreatedb, rolcreaterole, rolreplication "
        "from pg_roles where rolname like 'lethe%' order by 1",
    )
    assert found == [(role, True, False, False, False, False, False) for role in ("lethe_app", "lethe_owner")]
    owners = "select pg_get_userbyid(datdba) from pg_database where datname = 'lethe'"
    assert await rows(database.superuser, owners) == [("lethe_owner",)]
    ((version,),) = await rows(database.app, "select extversion from pg_extension where extname = 'vector'")
    assert tuple(map(int, version.split("."))) >= REQUIRED_PGVECTOR


@pytest.mark.anyio
async def test_the_service_finds_the_migrated_database_sound(database: ComposeDatabase) -> None:
    await migrate(database.owner, app_role="lethe_app")
    opened = Database(database.app, pool_size=1, statement_timeout_seconds=10)
    try:
        async with opened.registry() as session:
            # the server of the tests forgets its promises for speed
            require_sound(await look_at(session), durable=False)
    finally:
        await opened.close()
    with pytest.raises(asyncpg.InsufficientPrivilegeError):
        await rows(database.app, "create table mine (id int)")


@pytest.mark.anyio
async def test_run_again_it_keeps_the_data_and_changes_the_passwords(database: ComposeDatabase) -> None:
    await migrate(database.owner, app_role="lethe_app")
    await rows(database.owner, "insert into tenants values ('kept', '{}', now()) returning 1")
    done = again(database, {"LETHE_OWNER_PASSWORD": "it's new", "LETHE_APP_PASSWORD": "also \\ new"})
    assert (done.returncode, done.stdout) == (0, ""), done.stderr
    changed = ComposeDatabase(database.server, {"LETHE_OWNER_PASSWORD": "it%27s%20new", "LETHE_APP_PASSWORD": ""})
    assert await rows(changed.owner, "select tenant_id from tenants") == [("kept",)]
    assert await rows(database.url("lethe_app", "also%20%5C%20new"), "select 1") == [(1,)]
    with pytest.raises(asyncpg.InvalidPasswordError):
        await rows(database.app, "select 1")


@pytest.mark.parametrize("missing", ["LETHE_OWNER_PASSWORD", "LETHE_APP_PASSWORD"])
def test_without_a_password_it_stops_and_names_the_variable(database: ComposeDatabase, missing: str) -> None:
    given = {"LETHE_OWNER_PASSWORD": "one", "LETHE_APP_PASSWORD": "two"}
    done = again(database, {name: value for name, value in given.items() if name != missing})
    assert done.returncode != 0
    assert f"{missing} is not set" in done.stderr
