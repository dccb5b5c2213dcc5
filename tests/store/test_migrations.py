"""The schema goes up, down and up again, is what the models say, and stands on both majors alike."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest
from alembic import command
from sqlalchemy import Connection, text
from sqlalchemy.ext.asyncio import create_async_engine

from app.embedded import Addresses
from app.services.startup import StartupFault
from app.store.database import driver_url
from app.store.migrate import (
    MigrationFault,
    alembic_config,
    head_revision,
    migrate_now,
    require_pgvector_version,
    role_of,
)
from tests.conftest import SharedEmbedder, running, settings_for
from tests.store.scratch import APP, OWNER, ask, run, run_now, scratch_database


@pytest.fixture
def empty(server: Addresses) -> Iterator[Addresses]:
    with scratch_database(server) as addresses:
        yield addresses


@pytest.fixture
def empty_18(postgres: Addresses) -> Iterator[Addresses]:
    with scratch_database(postgres) as addresses:
        yield addresses


def catalog(url: str) -> list[Any]:
    """Everything that the schema consists of."""
    parts = (
        "select table_name, column_name, data_type, udt_name, is_nullable, column_default, generation_expression "
        "from information_schema.columns where table_schema = 'public'",
        "select indexdef from pg_indexes where schemaname = 'public'",
        "select conrelid::regclass::text, conname, pg_get_constraintdef(oid) from pg_constraint "
        "where connamespace = 'public'::regnamespace",
        "select tablename, policyname, permissive, roles, cmd, qual, with_check from pg_policies",
        "select relname, relrowsecurity, relforcerowsecurity, relacl::text, reloptions::text from pg_class "
        "where relnamespace = 'public'::regnamespace and relkind = 'r'",
        "select attrelid::regclass::text, attname, attstorage::text, attacl::text from pg_attribute "
        "where attrelid in (select oid from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r') "
        "and attnum > 0",
    )
    return [sorted(map(str, ask(url, sql))) for sql in parts]


def test_up_down_and_up_again_end_in_the_same_schema(empty: Addresses) -> None:
    migrate_now(empty.owner_url, app_role=APP)
    first = catalog(empty.superuser_url)
    assert [row[0] for row in ask(empty.owner_url, "select version_num from alembic_version")] == [head_revision()]
    migrate_now(empty.owner_url, app_role=APP, revision="base")
    left = ask(empty.superuser_url, "select tablename from pg_tables where schemaname = 'public'")
    assert [row[0] for row in left] == ["alembic_version"]
    assert ask(empty.owner_url, "select * from alembic_version") == []
    migrate_now(empty.owner_url, app_role=APP)
    assert catalog(empty.superuser_url) == first
    # at head already: nothing to do, and the privileges are renewed
    run(empty.owner_url, f"grant update on evidence to {APP}", f"revoke select on memories from {APP}")
    migrate_now(empty.owner_url, app_role=APP)
    assert catalog(empty.superuser_url) == first


@pytest.mark.anyio
async def test_the_models_say_what_the_migrations_made(server: Addresses) -> None:
    def check(connection: Connection) -> None:
        config = alembic_config()
        config.attributes["connection"] = connection
        # raises where autogenerate would change anything
        command.check(config)

    engine = create_async_engine(driver_url(server.owner_url))
    try:
        async with engine.connect() as connection:
            await connection.run_sync(check)
            await connection.execute(text("alter table evidence add column surplus int"))
            with pytest.raises(Exception, match="surplus"):
                await connection.run_sync(check)
            await connection.rollback()
    finally:
        await engine.dispose()


def test_both_majors_have_the_same_schema(postgres: Addresses, postgres_16: Addresses) -> None:
    columns = [sorted(map(str, ask(addresses.superuser_url, _COLUMNS))) for addresses in (postgres, postgres_16)]
    assert columns[0] == columns[1]


_COLUMNS = (
    "select table_name, column_name, udt_name, is_nullable from information_schema.columns "
    "where table_schema = 'public'"
)


def test_the_vector_column_and_its_index(server: Addresses) -> None:
    columns = {
        row["attname"]: row
        for row in ask(
            server.superuser_url,
            "select attname, format_type(atttypid, atttypmod) as type, attstorage::text as storage, attgenerated::text "
            "as generated from pg_attribute where attrelid = 'public.memories'::regclass and attnum > 0",
        )
    }
    # untyped, so that the model can change; in the row, so that the exact scan does not follow pointers
    assert (columns["embedding"]["type"], columns["embedding"]["storage"]) == ("halfvec", "p")
    assert (columns["tsv"]["type"], columns["tsv"]["generated"]) == ("tsvector", "s")
    for name, kind in {
        "tenant_id": "text",
        "id": "uuid",
        "metadata": "jsonb",
        "confidence": "real",
        "session_ordinal": "bigint",
        "occurred_at": "timestamp with time zone",
        "embedding_dimension": "integer",
    }.items():
        assert columns[name]["type"] == kind
    zoneless = "select 1 from information_schema.columns where table_schema = 'public' and data_type = $1"
    assert ask(server.superuser_url, zoneless, "timestamp without time zone") == []
    assert ask(server.superuser_url, zoneless, "character varying") == [
        (1,)
    ]  # alembic_version.version_num, which is Alembic's own
    (index,) = ask(
        server.superuser_url, "select indexdef from pg_indexes where indexname = 'ix_memories_owner_vectors'"
    )
    assert index[0] == (
        "CREATE INDEX ix_memories_owner_vectors ON public.memories USING btree (tenant_id, user_id) "
        "INCLUDE (id, embedding) WHERE ((status = 'active'::text) AND (COALESCE(embedding_dimension, 0) <= 1200))"
    )


def test_four_processes_migrate_an_empty_database_at_once(empty_18: Addresses) -> None:
    program = (
        "import sys; from app.store.migrate import migrate_now; sys.stdin.readline(); "
        f"migrate_now(sys.argv[1], app_role={APP!r})"
    )
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", program, empty_18.owner_url],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        for _ in range(4)
    ]
    for process in processes:
        assert process.stdin is not None
        process.stdin.write("go\n")
        process.stdin.flush()
    said = [process.communicate(timeout=60)[0] for process in processes]
    assert [process.returncode for process in processes] == [0] * 4, said
    assert not any("Traceback" in words for words in said), said
    assert len(ask(empty_18.owner_url, "select * from alembic_version")) == 1


@pytest.fixture
def elsewhere(postgres: Addresses) -> Iterator[Addresses]:
    """A database with pgvector in a schema of its own, on the search_path."""
    with scratch_database(postgres, extension="extensions") as addresses:
        name = addresses.owner_url.rsplit("/", 1)[1]
        run(addresses.superuser_url, f"alter database {name} set search_path = public, extensions")
        migrate_now(addresses.owner_url, app_role=APP)
        yield addresses


@pytest.mark.anyio
async def test_the_extension_may_live_in_another_schema(elsewhere: Addresses, embedder: SharedEmbedder) -> None:
    async for service in running(settings_for(elsewhere), embedder):
        user = (await service.tenant()).user("ada")
        await user.write("I live in Berlin.")
        assert await user.contents("Where does the user live?") == ["User lives in Berlin"]
        assert (await user.recall("city"))["memories"][0]["scores"]["vector"] > 0


@pytest.mark.anyio
async def test_the_app_role_must_see_the_extension_as_well(elsewhere: Addresses, embedder: SharedEmbedder) -> None:
    name = elsewhere.owner_url.rsplit("/", 1)[1]
    await run_now(elsewhere.superuser_url, f"alter role {APP} in database {name} set search_path = public")
    with pytest.raises(StartupFault, match=r"pgvector .* schema extensions.* search_path"):
        await anext(running(settings_for(elsewhere), embedder))


def test_pgvector_in_a_schema_off_the_path_is_told_apart(postgres: Addresses) -> None:
    with scratch_database(postgres, extension="extensions") as addresses:
        with pytest.raises(MigrationFault, match=r"pgvector .* schema .*extensions.* search_path"):
            migrate_now(addresses.owner_url, app_role=APP)
        assert ask(addresses.superuser_url, "select tablename from pg_tables where schemaname = 'public'") == []


def test_without_the_right_to_create_it_pgvector_is_asked_for(postgres: Addresses) -> None:
    with scratch_database(postgres, extension=None) as addresses:
        run(
            addresses.superuser_url,
            f"alter database {addresses.owner_url.rsplit('/', 1)[1]} owner to postgres",
            f"grant create on schema public to {OWNER}",
        )
        with pytest.raises(
            MigrationFault, match=r"may not create the extension; as a superuser run: create extension vector"
        ):
            migrate_now(addresses.owner_url, app_role=APP)
        # as on a managed server: an administrator made the extension, the owner may not
        run(addresses.superuser_url, "create extension vector")
        migrate_now(addresses.owner_url, app_role=APP)


def test_a_server_that_does_not_carry_pgvector_is_told_so(postgres: Addresses) -> None:
    with scratch_database(postgres, extension=None) as addresses:
        # what a plain image answers: no such extension to be had
        name = addresses.owner_url.rsplit("/", 1)[1]
        run(
            addresses.superuser_url,
            "create table public.pg_available_extensions (name text, default_version text)",
            "grant select on public.pg_available_extensions to public",
            f"alter role {OWNER} in database {name} set search_path = public, pg_catalog",
        )
        with pytest.raises(MigrationFault, match=r"pgvector is not installed on this Postgres server; use an image"):
            migrate_now(addresses.owner_url, app_role=APP)


@pytest.mark.parametrize("version", ["0.4.4", "0.7.4", "0.8.0", "0.8.1", "0.8"])
def test_an_old_pgvector_is_refused_with_the_remedy(version: str) -> None:
    with pytest.raises(MigrationFault, match=r"pgvector .* is too old: 0\.8\.2 .*alter extension vector update"):
        require_pgvector_version(version)


@pytest.mark.parametrize("version", ["0.8.2", "0.8.10", "0.9", "0.10.0", "1.0", "1.0.0"])
def test_a_new_pgvector_passes(version: str) -> None:
    require_pgvector_version(version)


def test_an_app_role_that_is_not_there_is_asked_for(empty: Addresses) -> None:
    with pytest.raises(
        MigrationFault, match="there is no role 'nobody_here'; create it first: create role nobody_here"
    ):
        migrate_now(empty.owner_url, app_role="nobody_here")
    assert ask(empty.superuser_url, "select tablename from pg_tables where schemaname = 'public'") == []


@pytest.mark.parametrize("role", ["", "a-b", "A", "a;drop", 'a"b', "a" * 64])
def test_an_app_role_with_an_odd_name_is_refused(empty: Addresses, role: str) -> None:
    with pytest.raises(MigrationFault, match="lower-case letters"):
        migrate_now(empty.owner_url, app_role=role)


def test_a_role_is_read_from_an_address() -> None:
    assert role_of("postgresql://lethe_app:x@host/lethe") == "lethe_app"
    with pytest.raises(MigrationFault, match="names no role"):
        role_of("postgresql://host/lethe")


@pytest.mark.parametrize(
    ("part", "wrong", "words"),
    [
        (r"@127\.0\.0\.1:\d+", "@127.0.0.1:1", "nothing answers at this address"),
        (r"://(\w+):", r"://\1:x", "does not accept this role and password"),
        (r"://(\w+):", r"://nobody:", "does not accept this role and password"),
        (r"/\w+$", "/nowhere", "no such database"),
    ],
)
def test_an_address_that_does_not_work_is_told_in_words(postgres: Addresses, part: str, wrong: str, words: str) -> None:
    with pytest.raises(MigrationFault, match=f"{words}. Check LETHE_MIGRATION_URL"):
        migrate_now(re.sub(part, wrong, postgres.owner_url), app_role=APP)
