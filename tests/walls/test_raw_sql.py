"""The database itself keeps users apart, whatever SQL the app role sends."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any
from uuid import uuid4

import asyncpg
import pytest
from sqlalchemy import text

from app.domain.caller import Owner
from app.embedded import Addresses
from app.store.database import Database, _set_tenant, _set_user
from app.store.privileges import _CHANGEABLE
from app.store.tables import TENANT_TABLES, USER_KEY_TABLES, USER_TABLES
from tests.conftest import Service, Tenant
from tests.store.scratch import ask_now
from tests.walls.support import Holdings, seal, settle

pytestmark = pytest.mark.anyio

WALLED = (*USER_TABLES, *USER_KEY_TABLES, *TENANT_TABLES)
PER_USER = (*USER_TABLES, *USER_KEY_TABLES)


@asynccontextmanager
async def app_role(postgres: Addresses, **settings: str) -> AsyncIterator[Any]:
    """A transaction as the app role with these settings, rolled back at the end."""
    connection = await asyncpg.connect(postgres.app_url)
    transaction = connection.transaction()
    await transaction.start()
    try:
        for name, value in settings.items():
            await connection.execute("select set_config($1, $2, true)", f"app.{name}", value)
        yield connection
    finally:
        await transaction.rollback()
        await connection.close()


@pytest.fixture(scope="module")
async def ada(service: Service) -> Holdings:
    """A user with rows in every table; every test here rolls back what it does."""
    holdings = await settle((await service.tenant()).user("ada"))
    await seal(holdings.user)
    return holdings


@pytest.fixture
def tenant(ada: Holdings) -> Tenant:
    return ada.user.tenant


def owner_of(service: Service, tenant: Tenant, user_id: str) -> Owner:
    return service.lethe.auth._sealing.owner(tenant.id, user_id)


def as_settings(owner: Owner) -> dict[str, str]:
    return {"tenant_id": owner.tenant_id, "user_id": owner.user_id, "user_key": owner.user_key}


async def counted(connection: Any, tables: tuple[str, ...]) -> dict[str, int]:
    return {table: await connection.fetchval(f"select count(*) from {table}") for table in tables}


async def test_a_user_sees_rows_in_every_table_and_nobody_else_sees_any(
    postgres: Addresses, service: Service, tenant: Tenant, ada: Holdings
) -> None:
    owner = owner_of(service, tenant, "ada")
    async with app_role(postgres, **as_settings(owner)) as connection:
        assert all((await counted(connection, WALLED)).values())
    stranger = owner_of(service, await service.tenant(), "ada")
    for settings in (
        {},
        {"tenant_id": "", "user_id": "", "user_key": ""},
        {"user_id": owner.user_id, "user_key": owner.user_key},
        {"tenant_id": "", "user_id": owner.user_id, "user_key": owner.user_key},
        {"tenant_id": "%", "user_id": "%", "user_key": "%"},
        {"tenant_id": owner.tenant_id.upper(), "user_id": owner.user_id, "user_key": owner.user_key},
        as_settings(stranger) | {"user_key": owner.user_key},
    ):
        async with app_role(postgres, **settings) as connection:
            found = await counted(connection, PER_USER)
            assert not any(found.values()), (settings, found)
    for settings in (
        {"tenant_id": owner.tenant_id},
        as_settings(owner_of(service, tenant, "Ada")),
        {"tenant_id": owner.tenant_id, "user_id": "", "user_key": ""},
    ):
        async with app_role(postgres, **settings) as connection:
            # the sweep lists the users of a tenant: the one exception (decision 4)
            found = await counted(connection, tuple(table for table in PER_USER if table != "owners"))
            assert not any(found.values()), (settings, found)


@pytest.mark.parametrize("table", PER_USER)
async def test_one_user_can_neither_change_delete_nor_plant_rows_of_another(
    postgres: Addresses, service: Service, tenant: Tenant, ada: Holdings, table: str
) -> None:
    owner, other = owner_of(service, tenant, "ada"), owner_of(service, tenant, "Ada")
    abroad = owner_of(service, await service.tenant(), "ada")
    column, value = ("user_id", owner.user_id) if table in USER_TABLES else ("user_key", owner.user_key)
    where = f"tenant_id = '{owner.tenant_id}' and {column} = '{value}'"
    (row,) = await ask_now(
        postgres.superuser_url,
        f"select to_jsonb(t)::text as row, count(*) over () from {table} t where {where} limit 1",
    )
    columns = [
        found["column_name"]
        for found in await ask_now(
            postgres.superuser_url,
            "select column_name from information_schema.columns "
            "where table_schema = 'public' and table_name = $1 and is_generated = 'NEVER'",
            table,
        )
    ]
    for attacker in (other, abroad):
        async with app_role(postgres, **as_settings(attacker)) as connection:
            changeable = _changeable(table)
            if changeable:
                done = await connection.execute(f"update {table} set {changeable[0]} = {changeable[0]} where {where}")
                assert done == "UPDATE 0"
            if "delete" in _CHANGEABLE[table]:
                assert await connection.execute(f"delete from {table} where {where}") == "DELETE 0"
            fresh = row["row"]
            for name in ("id", "ledger_id", "memory_id"):
                if name in columns and name not in ("memory_id",):
                    fresh = await connection.fetchval(
                        "select jsonb_set($1::jsonb, $2, to_jsonb($3::text))::text", fresh, [name], str(uuid4())
                    )
            names = ", ".join(columns)
            with pytest.raises(asyncpg.InsufficientPrivilegeError, match="row-level security"):
                await connection.execute(
                    f"insert into {table} ({names}) "
                    f"select {names} from jsonb_populate_record(null::{table}, $1::jsonb)",
                    fresh,
                )


def _changeable(table: str) -> list[str]:
    _, _, columns = _CHANGEABLE[table].partition("update (")
    return [name.strip() for name in columns.rstrip(")").split(",") if name.strip()]


async def test_an_own_row_cannot_be_handed_to_another_user(
    postgres: Addresses, service: Service, tenant: Tenant, ada: Holdings
) -> None:
    owner = owner_of(service, tenant, "ada")
    for table in PER_USER:
        for column in ("tenant_id", "user_id" if table in USER_TABLES else "user_key"):
            async with app_role(postgres, **as_settings(owner)) as connection:
                if (table, column) == ("owners", "user_key"):
                    continue
                with pytest.raises(asyncpg.InsufficientPrivilegeError, match="permission denied"):
                    await connection.execute(f"update {table} set {column} = 'bob'")


async def test_the_settings_end_with_their_transaction(postgres: Addresses, service: Service, tenant: Tenant) -> None:
    names = ("app.tenant_id", "app.user_id", "app.user_key")
    read = text("select " + ", ".join(f"current_setting('{name}', true)" for name in names) + ", pg_backend_pid()")
    owner = owner_of(service, tenant, "ada")
    database = Database(postgres.app_url, pool_size=1, statement_timeout_seconds=5)
    try:
        async with database.owner(owner) as session:
            *inside, pid = (await session.execute(read)).one()
            assert inside == [owner.tenant_id, owner.user_id, owner.user_key]
        async with database.registry() as session:
            *after, same_pid = (await session.execute(read)).one()
            assert same_pid == pid
            assert not any(after)
        with pytest.raises(RuntimeError):
            async with database.owner(owner):
                raise RuntimeError
        async with database.tenant(tenant.id) as session:
            *after, same_pid = (await session.execute(read)).one()
            assert same_pid == pid
            assert after[0] == tenant.id
            assert not any(after[1:])
    finally:
        await database.close()


HOSTILE = (
    "",
    "a'b",
    "a' or '1'='1",
    "a'; set local app.tenant_id = 'other",
    "a\\'b",
    "a;b",
    "a\nb",
    "a\n",
    "a\x00",
    "a b",
    'a"b',
    "a$$b",
    "ä",
    "ａ",  # a full-width letter that folds to a plain one
    "a\u2019",
    "a%",
    "a*",
    "a" * 129,
)


@pytest.mark.parametrize("value", HOSTILE)
def test_nothing_but_plain_ids_gets_into_a_set_local(value: str) -> None:
    key = "0" * 64
    with pytest.raises(ValueError, match="not a tenant id"):
        _set_tenant(value)
    with pytest.raises(ValueError, match="not a user id"):
        _set_user(Owner("acme", value, key))
    with pytest.raises(ValueError, match="not a user id"):
        _set_user(Owner("acme", "ada", value))


@pytest.mark.parametrize("value", ["Acme", "a_b", "a.b", "a" * 41])
def test_a_tenant_id_is_a_slug(value: str) -> None:
    with pytest.raises(ValueError, match="not a tenant id"):
        _set_tenant(value)


def test_plain_ids_stand_as_they_are() -> None:
    assert _set_tenant("acme-1") == "set local app.tenant_id = 'acme-1'"
    said = _set_user(Owner("acme", "A.z_0:@|+=/-", "0" * 64))
    assert said == f"set local app.user_id = 'A.z_0:@|+=/-'; set local app.user_key = '{'0' * 64}'"
