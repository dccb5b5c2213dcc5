"""Offboarding a tenant leaves no row of it in any table, and every row of the others."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import pytest

from app.embedded import Addresses
from app.services.container import open_as_owner
from app.services.tenancy import TenancyFault
from app.store.idempotency import IdempotencyKeys
from tests.conftest import Service, settings_for
from tests.store.scratch import ask_now
from tests.walls.support import seal, settle

pytestmark = pytest.mark.anyio

_TABLES = (
    "select table_name from information_schema.columns where table_schema = 'public' and column_name = 'tenant_id'"
)


async def rows_of_tenant(url: str, tenant_id: str) -> dict[str, list[str]]:
    found = {}
    for table in [row["table_name"] for row in await ask_now(url, _TABLES)]:
        rows = await ask_now(
            url, f"select to_jsonb(t)::text as row from {table} t where tenant_id = $1 order by 1", tenant_id
        )
        found[table] = [row["row"] for row in rows]
    return found


async def test_a_tenant_goes_whole_and_alone(service: Service, postgres: Addresses) -> None:
    going, staying = await service.tenant(), await service.tenant()
    holdings = [await settle(going.user(name)) for name in ("ada", "bob", "A.z_0:@|+=/-")]
    await settle(staying.user("ada"))
    await seal(going.user("ada"))
    # users whose own row has gone, or who never got one, have rows under their hash only
    await going.user("bob").ok("POST", "/forget", {"everything": True}, headers={"Idempotency-Key": "k"})
    refused = await going.user("cay").call(
        "POST", "/memories/write", json={"content": "x", "derived_from": ["nobody"]}, headers={"Idempotency-Key": "k"}
    )
    assert refused.status_code == 404
    await going.user("dan").ok("POST", "/recall", {"query": "x", "trace": True})
    before, others = (
        await rows_of_tenant(postgres.superuser_url, going.id),
        await rows_of_tenant(postgres.superuser_url, staying.id),
    )
    assert all(before.values()), [table for table, rows in before.items() if not rows]
    as_owner = open_as_owner(settings_for(postgres))
    try:
        erased = await service.lethe.tenancy.offboard(going.id, as_owner=as_owner, now=service.lethe.now())
        assert erased == len(holdings[0].memory_ids) + len(holdings[2].memory_ids)
        assert not any((await rows_of_tenant(postgres.superuser_url, going.id)).values())
        assert await rows_of_tenant(postgres.superuser_url, staying.id) == others
        with pytest.raises(TenancyFault, match="no such tenant"):
            await service.lethe.tenancy.offboard(going.id, as_owner=as_owner, now=service.lethe.now())
    finally:
        await as_owner.close()
    response = await going.user("ada").call("GET", "/memories")
    assert response.status_code == 401
    # the name is free again, and whoever takes it finds nothing
    await service.lethe.tenancy.add_tenant(going.id, now=service.lethe.now())
    assert (await going.user("ada").call("GET", "/memories")).status_code == 401


async def test_an_interrupted_offboarding_is_finished_by_the_next(
    service: Service, postgres: Addresses, monkeypatch: pytest.MonkeyPatch
) -> None:
    tenant = await service.tenant()
    for name in ("ada", "bob"):
        await settle(tenant.user(name))
    as_owner = open_as_owner(settings_for(postgres))
    calls = 0

    def breaks(*arguments: Any, **names: Any) -> Any:
        nonlocal calls
        calls += 1
        if calls == 2:
            raise KeyboardInterrupt
        return real(*arguments, **names)

    real = as_owner.owner
    try:
        for _ in range(2):
            calls = 0
            monkeypatch.setattr(as_owner, "owner", breaks)
            with pytest.raises(KeyboardInterrupt):
                await service.lethe.tenancy.offboard(tenant.id, as_owner=as_owner, now=service.lethe.now())
            # while it goes, nobody adds to it
            assert (await tenant.user("ada").call("GET", "/memories")).status_code == 401
        monkeypatch.undo()
        await service.lethe.tenancy.offboard(tenant.id, as_owner=as_owner, now=service.lethe.now())
        assert not any((await rows_of_tenant(postgres.superuser_url, tenant.id)).values())
    finally:
        await as_owner.close()


async def test_a_claim_that_a_crash_left_behind_goes_with_its_tenant(service: Service, postgres: Addresses) -> None:
    """A process that ends between the claim of a key and the write leaves a row under the hash of a user unknown."""
    tenant = await service.tenant()
    owner = service.lethe.auth._sealing.owner(tenant.id, "ada")
    async with service.lethe.database.owner(owner) as session:
        await IdempotencyKeys(session, owner).claim(
            "/memories/write", "0" * 64, claim=uuid4(), body_hash="1" * 64, now=service.lethe.now()
        )
    as_owner = open_as_owner(settings_for(postgres))
    try:
        await service.lethe.tenancy.offboard(tenant.id, as_owner=as_owner, now=service.lethe.now())
    finally:
        await as_owner.close()
    assert not any((await rows_of_tenant(postgres.superuser_url, tenant.id)).values())
