"""The ledger and the receipts prove themselves: what was changed afterwards shows."""

from __future__ import annotations

import asyncpg
import pytest

from app.embedded import Addresses
from app.services.verifying import verify_tenant
from tests.conftest import Service, Tenant

pytestmark = pytest.mark.anyio


async def _story(tenant: Tenant) -> None:
    ada, bob = tenant.user("ada"), tenant.user("bob")
    await ada.write("I live in Munich. Thanks!")
    await ada.write("I moved to Berlin.")
    await bob.write("I am allergic to peanuts.")
    await bob.forget(everything=True)
    await ada.forget(query="anything about Munich", dry_run=True)
    kept = (await ada.stored())[0]
    await ada.forget(memory_ids=[kept["id"]])


async def test_an_untouched_tenant_holds_with_and_without_seals(service: Service, tenant: Tenant) -> None:
    await _story(tenant)
    before = await verify_tenant(service.lethe.database, tenant.id)
    assert before.faults == ()
    assert (before.users, before.receipts, before.seals) == (2, 2, 0)
    assert (await service.lethe.maintenance.run_once(now=service.lethe.now())).seals >= 1
    await tenant.user("ada").write("I use PostgreSQL.")
    after = await verify_tenant(service.lethe.database, tenant.id)
    assert after.faults == ()
    assert (after.receipts, after.seals) == (2, 1)
    assert after.decisions > before.decisions


async def test_a_seal_is_made_only_when_something_moved(service: Service, tenant: Tenant) -> None:
    await tenant.user("ada").write("I use PostgreSQL.")
    await service.lethe.maintenance.run_once(now=service.lethe.now())
    await service.lethe.maintenance.run_once(now=service.lethe.now())
    assert (await verify_tenant(service.lethe.database, tenant.id)).seals == 1


@pytest.mark.parametrize(
    ("tampering", "expected"),
    [
        ("update ledger set body = body || '{\"importance\": 1}' where tenant_id = $1 and seq = 1", "decision 1"),
        ("delete from ledger_texts where tenant_id = $1", None),
        ("update receipts set body = body || '{\"matched\": 0}' where tenant_id = $1", "tenant's chain: link"),
        ("delete from receipts where tenant_id = $1 and seq = 1", "tenant's chain"),
        ("update seals set heads = '{}' where tenant_id = $1", "tenant's chain: link"),
        ("delete from seals where tenant_id = $1", "its end is not the last"),
    ],
)
async def test_what_was_changed_afterwards_shows(
    service: Service, tenant: Tenant, postgres: Addresses, tampering: str, expected: str | None
) -> None:
    await _story(tenant)
    await service.lethe.maintenance.run_once(now=service.lethe.now())
    connection = await asyncpg.connect(postgres.superuser_url)
    try:
        await connection.execute(tampering, tenant.id)
    finally:
        await connection.close()
    faults = (await verify_tenant(service.lethe.database, tenant.id)).faults
    if expected is None:
        # texts are there to be erased: the chain holds without them
        assert faults == ()
    else:
        assert any(expected in fault for fault in faults), faults
