"""The schema keeps tenants apart, and is ready to be spread over machines by tenant."""

from __future__ import annotations

from typing import Any

import pytest

from app.embedded import Addresses
from app.store.tables import TENANT_TABLES, USER_KEY_TABLES, USER_TABLES, Base
from tests.store.scratch import ask

# Written exceptions, each with its reason; decision 4 says the same.
NOT_WALLED = {
    "tenants": "slugs and settings, read before any tenant is known",
    "deployment": "one row: the embedding model of all vectors",
    "alembic_version": "the revision of the schema",
}
NO_TENANT = {"deployment", "alembic_version"}
WALLED = (*USER_TABLES, *USER_KEY_TABLES, *TENANT_TABLES)


@pytest.fixture(params=["postgres", "postgres_16"])
def database(request: pytest.FixtureRequest) -> Addresses:
    addresses: Addresses = request.getfixturevalue(request.param)
    return addresses


def _tables(database: Addresses) -> list[Any]:
    return ask(
        database.superuser_url,
        "select relname, relrowsecurity, relforcerowsecurity, relpersistence::text from pg_class c "
        "join pg_namespace n on n.oid = relnamespace where nspname = 'public' and relkind in ('r', 'p')",
    )


def test_every_table_is_walled_or_a_written_exception(database: Addresses) -> None:
    tables = _tables(database)
    assert {row["relname"] for row in tables} == set(WALLED) | set(NOT_WALLED)
    for row in tables:
        walled = row["relname"] not in NOT_WALLED
        assert (row["relrowsecurity"], row["relforcerowsecurity"]) == (walled, walled), row["relname"]
        # an unlogged table would forget acknowledged rows
        assert row["relpersistence"] == "p"


def test_policies_have_the_proven_shape(database: Addresses) -> None:
    found = ask(database.superuser_url, "select * from pg_policies where schemaname = 'public'")
    shapes = {
        (row["tablename"], row["permissive"], row["cmd"], row["qual"] or row["with_check"], tuple(row["roles"]))
        for row in found
    }
    expected = set()
    for table in WALLED:
        expected.add((table, "PERMISSIVE", "ALL", _shape("tenant_id"), ("public",)))
    for table in set(USER_TABLES) - {"owners"}:
        expected.add((table, "RESTRICTIVE", "ALL", _shape("user_id"), ("public",)))
    for table in USER_KEY_TABLES:
        expected.add((table, "RESTRICTIVE", "ALL", _shape("user_key"), ("public",)))
    for command in ("INSERT", "UPDATE", "DELETE"):
        expected.add(("owners", "RESTRICTIVE", command, _shape("user_id"), ("public",)))
    assert shapes == expected
    for row in found:
        # what may be written is what may be seen
        assert row["with_check"] in (row["qual"], None) or row["qual"] is None


def _shape(column: str) -> str:
    return f"({column} = ( SELECT current_setting('app.{column}'::text, true) AS current_setting))"


def test_the_tenant_comes_first_in_every_index(database: Addresses) -> None:
    rows = ask(
        database.superuser_url,
        """
        select i.indrelid::regclass::text as on_table, i.indexrelid::regclass::text as name, indisunique as is_unique,
               array(select coalesce(a.attname, '<expression>')
                     from unnest(i.indkey[0:i.indnkeyatts - 1]) with ordinality as k(attnum, place)
                     left join pg_attribute a on a.attrelid = i.indrelid and a.attnum = k.attnum
                     order by place)::text[] as columns
        from pg_index i join pg_class c on c.oid = i.indrelid join pg_namespace n on n.oid = c.relnamespace
        where nspname = 'public'
        """,
    )
    assert len(rows) > 20
    for row in rows:
        if row["on_table"] in NO_TENANT:
            continue
        assert row["columns"][0] == "tenant_id", row
        if row["is_unique"] and row["on_table"] in USER_TABLES and not row["name"].startswith("pk_"):
            assert row["columns"][1] == "user_id", row


def test_the_tenant_comes_first_in_every_foreign_key_and_primary_key(database: Addresses) -> None:
    rows = ask(
        database.superuser_url,
        """
        select conrelid::regclass::text as on_table, conname, contype::text,
               array(select attname from unnest(conkey) with ordinality k(n, place)
                     join pg_attribute on attrelid = conrelid and attnum = n order by place)::text[] as columns,
               array(select attname from unnest(confkey) with ordinality k(n, place)
                     join pg_attribute on attrelid = confrelid and attnum = n order by place)::text[] as referred
        from pg_constraint where connamespace = 'public'::regnamespace and contype in ('p', 'u', 'f', 'x')
        """,
    )
    assert not [row for row in rows if row["contype"] == "x"]
    primary = {row["on_table"] for row in rows if row["contype"] == "p"}
    assert primary == set(WALLED) | set(NOT_WALLED)
    for row in rows:
        if row["on_table"] in NO_TENANT:
            continue
        assert row["columns"][0] == "tenant_id", row
        if row["contype"] == "f":
            assert row["referred"][0] == "tenant_id", row


def test_the_tenant_has_one_type_everywhere_and_is_never_null(database: Addresses) -> None:
    rows = ask(
        database.superuser_url,
        "select table_name, data_type, collation_name, is_nullable from information_schema.columns "
        "where table_schema = 'public' and column_name in ('tenant_id', 'user_id', 'user_key')",
    )
    assert {row["table_name"] for row in rows} == {row["relname"] for row in _tables(database)} - NO_TENANT
    assert {(row["data_type"], row["collation_name"], row["is_nullable"]) for row in rows} == {("text", None, "NO")}


def test_no_triggers_rules_views_or_privileged_functions(database: Addresses) -> None:
    for what, sql in {
        "triggers": "select tgname from pg_trigger where not tgisinternal",
        "rules": "select rulename from pg_rules where schemaname = 'public'",
        "views": "select 1 from pg_class where relkind in ('v', 'm', 'f') and relnamespace = 'public'::regnamespace",
        "functions": "select proname from pg_proc p where pronamespace = 'public'::regnamespace and not exists "
        "(select from pg_depend where objid = p.oid and deptype = 'e')",
        "partitions": "select 1 from pg_inherits",
    }.items():
        assert ask(database.superuser_url, sql) == [], what


def test_the_lists_of_walled_tables_cover_the_models() -> None:
    assert set(Base.metadata.tables) == set(WALLED) | (set(NOT_WALLED) - {"alembic_version"})
    for name, table in Base.metadata.tables.items():
        assert ("user_id" in table.columns) == (name in USER_TABLES), name
        if name not in ("owner_keys", "owners"):
            assert ("user_key" in table.columns) == (name in USER_KEY_TABLES), name
