"""The service refuses to start where it could not keep a promise, and says how to mend it."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from alembic.script import ScriptDirectory
from pydantic import SecretStr, ValidationError

from app.embedded import Addresses
from app.metrics import Metrics
from app.services.container import open_lethe
from app.services.startup import StartupFault, require_sound, wait_for_database
from app.serving import preflight
from app.settings import Settings
from app.store.checks import DatabaseState
from app.store.migrate import alembic_config, head_revision, serves
from app.store.tables import TENANT_TABLES, USER_KEY_TABLES, USER_TABLES
from tests.conftest import settings_for
from tests.operations.doubles import ScriptedEmbedder
from tests.store.rows import database_of
from tests.store.scratch import APP, ask_now, run, run_now, scratch_database

PASSWORD = "only-for-this-test"


def checked(settings: Settings) -> None:
    """What `lethe serve` does before anything is let in."""
    asyncio.run(preflight(settings))


@pytest.fixture
def role(postgres: Addresses) -> Iterator[str]:
    """A role of this test's own, plain at first."""
    run(
        postgres.superuser_url,
        f"create role lethe_test login nosuperuser nobypassrls password '{PASSWORD}'",
        f"grant connect on database {postgres.app_url.rsplit('/', 1)[1]} to lethe_test",
    )
    yield "lethe_test"
    run(postgres.superuser_url, "drop owned by lethe_test", "drop role lethe_test")


def as_role(addresses: Addresses, role: str) -> Settings:
    url = re.sub(r"://[^@]+@", f"://{role}:{PASSWORD}@", addresses.app_url)
    return settings_for(replace(addresses, app_url=url))


@pytest.mark.parametrize(
    "makes_it",
    [
        "alter role lethe_test superuser",
        "alter role lethe_test bypassrls",
        "grant postgres to lethe_test",
        # without inheriting, one SET ROLE is enough
        "grant postgres to lethe_test with inherit false",
    ],
)
def test_a_role_that_can_bypass_the_walls(postgres: Addresses, role: str, makes_it: str) -> None:
    run(postgres.superuser_url, makes_it)
    with pytest.raises(
        StartupFault, match=r"'lethe_test' can bypass row-level security.*create role lethe_app login"
    ) as f:
        checked(as_role(postgres, role))
    assert "`lethe migrate`" in str(f.value)


def test_a_role_of_a_role_that_can_bypass_the_walls(postgres: Addresses, role: str) -> None:
    run(
        postgres.superuser_url,
        "create role lethe_between bypassrls",
        "create role lethe_outer nologin",
        "grant lethe_between to lethe_outer",
        "grant lethe_outer to lethe_test",
    )
    try:
        with pytest.raises(StartupFault, match="can bypass row-level security"):
            checked(as_role(postgres, role))
    finally:
        run(postgres.superuser_url, "drop role lethe_outer", "drop role lethe_between")


def test_the_owner_of_the_tables(postgres: Addresses, role: str) -> None:
    with pytest.raises(StartupFault, match=r"'lethe_owner' owns the tables.*LETHE_MIGRATION_URL.*LETHE_DATABASE_URL"):
        checked(settings_for(replace(postgres, app_url=postgres.owner_url)))
    run(postgres.superuser_url, "grant lethe_owner to lethe_test")
    with pytest.raises(StartupFault, match="'lethe_test' owns the tables"):
        checked(as_role(postgres, role))


def test_the_owner_of_a_single_table(own_database: Addresses) -> None:
    run(own_database.superuser_url, f"alter table previews owner to {APP}")
    with pytest.raises(StartupFault, match="owns the tables"):
        checked(settings_for(own_database))


@pytest.mark.parametrize("table", [*USER_TABLES, *USER_KEY_TABLES, *TENANT_TABLES])
def test_row_level_security_switched_off_on_any_table(walls_database: Addresses, table: str) -> None:
    for off, on in (
        ("disable row level security", "enable row level security"),
        ("no force row level security", "force row level security"),
    ):
        run(walls_database.owner_url, f"alter table {table} {off}")
        with pytest.raises(StartupFault, match=rf"not forced on {table}\. .*alter table {table} enable row level") as f:
            checked(settings_for(walls_database))
        run(walls_database.owner_url, f"alter table {table} {on}")
        assert "force row level security" in str(f.value)


@pytest.fixture(scope="module")
def walls_database(postgres: Addresses) -> Iterator[Addresses]:
    with scratch_database(postgres, migrated=True) as addresses:
        yield addresses


def test_a_server_that_forgets_what_it_acknowledged(postgres: Addresses) -> None:
    with pytest.raises(StartupFault, match=r"fsync = off: a crash loses acknowledged memories\. Set fsync = on"):
        checked(settings_for(postgres))


@pytest.mark.parametrize("scope", ["role", "database"])
def test_commits_that_are_not_waited_for(durable_database: Addresses, scope: str) -> None:
    database = durable_database.app_url.rsplit("/", 1)[1]
    name = f"role {APP} in database {database}" if scope == "role" else f"database {database}"
    checked(settings_for(durable_database))
    run(durable_database.superuser_url, f"alter {name} set synchronous_commit = off")
    with pytest.raises(StartupFault, match=r"synchronous_commit = off.*Set it to on, also for this role and database"):
        checked(settings_for(durable_database))
    for enough in ("on", "local"):
        run(durable_database.superuser_url, f"alter {name} set synchronous_commit = {enough}")
        checked(settings_for(durable_database))


def test_a_schema_that_is_not_there_yet(postgres: Addresses) -> None:
    words = r"the schema is at nothing, this version needs \w+\. Run `lethe migrate`"
    with scratch_database(postgres) as addresses, pytest.raises(StartupFault, match=words):
        checked(settings_for(addresses))


def test_a_schema_that_is_older_than_this_version_and_one_that_is_newer(durable_database: Addresses) -> None:
    known = [script.revision for script in ScriptDirectory.from_config(alembic_config()).walk_revisions()]
    assert known[0] == head_revision()
    assert [serves(revision) for revision in known] == [True] + [False] * (len(known) - 1)
    assert not serves(None)
    # what comes after this version: the old one serves while the new one is rolled out
    run(durable_database.owner_url, "update alembic_version set version_num = 'from_the_future'")
    checked(settings_for(durable_database))


def test_a_schema_that_was_migrated_for_another_role(postgres: Addresses, role: str) -> None:
    with pytest.raises(StartupFault, match="Run `lethe migrate`"):
        checked(as_role(postgres, role))


def test_a_database_without_pgvector(postgres: Addresses) -> None:
    words = r"pgvector is not installed.*create extension vector"
    with scratch_database(postgres, extension=None) as addresses, pytest.raises(StartupFault, match=words):
        checked(settings_for(addresses))


@pytest.mark.parametrize(
    ("part", "wrong", "words"),
    [
        (r"://(\w+):", r"://\1:x", "does not accept this role and password"),
        (r"/\w+$", "/nowhere", "no such database"),
    ],
)
def test_an_address_that_will_never_work_is_not_waited_for(
    postgres: Addresses, part: str, wrong: str, words: str
) -> None:
    settings = settings_for(replace(postgres, app_url=re.sub(part, wrong, postgres.app_url)))
    with pytest.raises(StartupFault, match=f"{words}. Check LETHE_DATABASE_URL") as fault:
        checked(settings)
    assert settings.database_url is not None
    assert settings.database_url.get_secret_value().split(":")[2].split("@")[0] not in str(fault.value)


def test_a_role_that_may_not_connect(own_database: Addresses) -> None:
    name = own_database.app_url.rsplit("/", 1)[1]
    run(own_database.superuser_url, f"revoke connect on database {name} from public")
    with pytest.raises(StartupFault, match="no right to connect to the database"):
        checked(settings_for(own_database))


@pytest.mark.parametrize("secret", [None, "", "short", "x" * 31])
def test_a_secret_that_is_none(postgres: Addresses, secret: str | None) -> None:
    settings = settings_for(postgres)
    settings = settings.model_copy(update={"secret_key": None if secret is None else SecretStr(secret)})
    with pytest.raises(StartupFault, match=r"LETHE_SECRET_KEY needs at least 32 characters\. Make one with:") as fault:
        checked(settings)
    assert not secret or secret not in str(fault.value)


@pytest.mark.parametrize("folder", ["", " "])
def test_a_data_folder_that_is_none(folder: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LETHE_DATA_DIR", folder)
    with pytest.raises(ValidationError, match="it is empty; name a folder, or unset it"):
        Settings(_env_file=None)


def test_no_address_at_all() -> None:
    settings = Settings(_env_file=None, secret_key=SecretStr("x" * 32))
    with pytest.raises(StartupFault, match="LETHE_DATABASE_URL is not set"):
        checked(settings)


@pytest.mark.parametrize("settings", [{"embedding_base_url": "ftp://x"}, {"embedding_api_key": SecretStr("a\nb")}])
def test_an_embedder_that_could_never_work(postgres: Addresses, settings: dict[str, Any]) -> None:
    with pytest.raises(StartupFault, match="the embedder cannot be used: "):
        checked(settings_for(postgres, embedder="openai", **settings))


SOUND = DatabaseState(
    role="lethe_app",
    bypasses=False,
    owns=False,
    open_tables=(),
    server_version=180000,
    fsync=True,
    synchronous_commit=True,
    pgvector="0.8.5",
    pgvector_out_of_sight=None,
    database="lethe",
    revision=None,
)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"server_version": 150012}, "Postgres 15 is too old: 16 or newer is needed"),
        ({"server_version": 140000}, "Postgres 14 is too old"),
        ({"pgvector": "0.8.1"}, r"pgvector 0\.8\.1 is too old: 0\.8\.2 .*alter extension vector update"),
    ],
)
def test_what_no_server_here_can_show(changes: dict[str, Any], words: str) -> None:
    with pytest.raises(StartupFault, match=words):
        require_sound(replace(SOUND, **changes), durable=True)


@pytest.mark.anyio
async def test_the_application_itself_refuses_too(walls_database: Addresses) -> None:
    """Also where it is not started by `lethe serve`, but by another server's `--factory`."""
    await run_now(walls_database.owner_url, "alter table ledger disable row level security")
    try:
        opening = open_lethe(
            settings_for(walls_database), metrics=Metrics(), embedder=ScriptedEmbedder(), durable=False
        )
        with pytest.raises(StartupFault, match="ledger"):
            await opening.__aenter__()
    finally:
        await run_now(walls_database.owner_url, "alter table ledger enable row level security")


@pytest.mark.anyio
async def test_a_state_is_read_as_it_is(durable_database: Addresses) -> None:
    async with database_of(durable_database) as database:
        state = await wait_for_database(database, seconds=1)
    assert replace(state, revision=None, pgvector="0.8.5", server_version=180000) == replace(
        SOUND, database=durable_database.app_url.rsplit("/", 1)[1]
    )
    (row,) = await ask_now(durable_database.app_url, "show server_version_num")
    assert state.server_version == int(row[0])
