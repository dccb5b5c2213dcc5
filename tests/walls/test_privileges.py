"""The app role may do what app/store/privileges.py says, to the column, and nothing else."""

from __future__ import annotations

import re

import asyncpg
import pytest

from app.embedded import Addresses
from app.store.privileges import _CHANGEABLE
from app.store.tables import Base
from tests.store.scratch import APP, ask, run

TABLE_WIDE = ("SELECT", "INSERT", "UPDATE", "DELETE", "TRUNCATE", "REFERENCES", "TRIGGER", "MAINTAIN")


def _written(table: str) -> tuple[set[str], set[str]]:
    """What the file says: privileges on the whole table, and the columns that may be updated."""
    said = _CHANGEABLE[table]
    columns = re.search(r"update \(([^)]*)\)", said)
    wide = {word.strip().upper() for word in re.sub(r"update \([^)]*\)", "", said).split(",") if word.strip()}
    return wide, {name.strip() for name in columns.group(1).split(",")} if columns else set()


def test_every_table_of_the_schema_is_written_down(postgres: Addresses) -> None:
    found = {row["relname"] for row in ask(postgres.superuser_url, _TABLES)}
    assert found == set(_CHANGEABLE)
    assert set(Base.metadata.tables) | {"alembic_version"} == found


_TABLES = (
    "select relname from pg_class c join pg_namespace n on n.oid = relnamespace "
    "where nspname = 'public' and relkind in ('r', 'p', 'v', 'm', 'f', 'S')"
)


@pytest.mark.parametrize("table", sorted(_CHANGEABLE))
@pytest.mark.parametrize("fixture", ["postgres", "postgres_16"])
def test_the_app_role_has_exactly_the_written_privileges(
    request: pytest.FixtureRequest, fixture: str, table: str
) -> None:
    url = request.getfixturevalue(fixture).superuser_url
    wide, updatable = _written(table)
    # what counts is what the role can do, also by way of PUBLIC or of another role
    known = TABLE_WIDE if fixture == "postgres" else TABLE_WIDE[:-1]
    asked = ", ".join(f"has_table_privilege('{APP}', 'public.{table}', '{name}') as \"{name}\"" for name in known)
    (row,) = ask(url, f"select {asked}")
    assert {name for name, held in row.items() if held} == wide
    columns = ask(
        url,
        f"""
        select attname,
               has_column_privilege('{APP}', attrelid, attnum, 'UPDATE') as updates,
               has_column_privilege('{APP}', attrelid, attnum, 'REFERENCES') as refers
        from pg_attribute where attrelid = 'public.{table}'::regclass and attnum > 0 and not attisdropped
        """,
    )
    assert {row["attname"] for row in columns if row["updates"]} == updatable
    assert not any(row["refers"] for row in columns)


KEPT = {
    "memories": (
        "tenant_id id user_id kind content content_key subject attribute value positive single_valued importance trust "
        "occurred_at valid_from created_at source_type source_id session_id session_ordinal agent_id terms"
    ),
    "evidence": "tenant_id id user_id memory_id write_id role quote origin trust source_type source_id occurred_at",
    "ledger": "tenant_id id user_key seq at event write_id memory_key body prev_hash hash",
    "ledger_texts": "tenant_id ledger_id user_id memory_id body expires_at",
    "receipts": "tenant_id id user_key seq erased_at body id_keys prev_hash hash",
    "links": "tenant_id from_id relation to_id user_id",
    "api_keys": "tenant_id key_id secret_hash scopes bound_user",
}


@pytest.mark.parametrize("table", sorted(KEPT))
def test_what_must_not_change_cannot_be_changed(postgres: Addresses, table: str) -> None:
    for column in KEPT[table].split():
        with pytest.raises(asyncpg.InsufficientPrivilegeError, match="permission denied"):
            run(postgres.app_url, f"update {table} set {column} = {column}")


@pytest.mark.parametrize(
    "statement",
    [
        "delete from ledger",
        "delete from receipts",
        "delete from owner_keys",
        "delete from api_keys",
        "delete from tenants",
        "delete from tenant_chains",
        "truncate memories",
        "truncate ledger",
        "drop table memories",
        "alter table memories disable row level security",
        "alter table memories no force row level security",
        "drop policy memories_user_id on memories",
        "create policy open on memories for select using (true)",
        "alter table memories disable trigger all",
        "create table public.planted (x int)",
        "create function public.planted() returns int language sql as 'select 1'",
        "set role lethe_owner",
        "set session authorization lethe_owner",
        "set session_replication_role = replica",
        "update alembic_version set version_num = 'x'",
    ],
)
def test_the_app_role_cannot_take_a_wall_down(postgres: Addresses, statement: str) -> None:
    with pytest.raises((asyncpg.InsufficientPrivilegeError, asyncpg.InvalidParameterValueError)):
        run(postgres.app_url, statement)


def test_row_security_off_shows_an_error_and_no_row(postgres: Addresses) -> None:
    with pytest.raises(asyncpg.InsufficientPrivilegeError):
        run(postgres.app_url, "set row_security = off; select * from memories")
    # the owner is behind the walls as well
    with pytest.raises(asyncpg.InsufficientPrivilegeError):
        run(postgres.owner_url, "set row_security = off; select * from memories")


def test_the_app_role_owns_nothing_and_belongs_to_nobody(postgres: Addresses) -> None:
    (row,) = ask(
        postgres.superuser_url,
        f"""
        select rolsuper, rolbypassrls, rolcreaterole, rolcreatedb, rolreplication,
               exists (select from pg_auth_members where member = r.oid) as belongs,
               exists (select from pg_shdepend where refobjid = r.oid and deptype = 'o') as owns
        from pg_roles r where rolname = '{APP}'
        """,
    )
    assert not any(row.values())
