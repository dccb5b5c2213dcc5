"""`lethe gate replay`: what other thresholds would have changed, from the ledger of all users, without a text."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from app.domain.memory import Kind
from app.domain.regate import Wish
from app.services.tenancy import TenancyFault
from tests.conftest import Tenant, User

pytestmark = pytest.mark.anyio


async def test_it_counts_what_would_change_over_all_users(user: User, tenant: Tenant) -> None:
    await user.write("I use PostgreSQL. I love spicy food. Thanks!")
    await tenant.user("bob").write("I'm thinking about getting a dog. Where do I live?")
    regating = tenant.service.lethe.regating
    same = await regating.replay(tenant.id, Wish())
    assert (same.decisions, sum(same.changes.values())) == (5, 0)
    stricter = await regating.replay(tenant.id, Wish(importance=7))
    assert stricter.users == 2
    assert stricter.changes[("preference", "semantic", "keep", "drop")] == 1
    assert stricter.changes[("hedged", "semantic", "hold", "drop")] == 1
    assert sum(stricter.changes.values()) == 2
    looser = await regating.replay(tenant.id, Wish(confidence=0.3))
    assert dict(looser.changes) == {("hedged", "semantic", "hold", "keep"): 1}
    other = await regating.replay(tenant.id, Wish(importance=10, kind=Kind.PROCEDURAL))
    assert not other.changes


async def test_it_begins_where_it_is_told_to(user: User, tenant: Tenant) -> None:
    await user.write("I use PostgreSQL.")
    later = datetime.now(UTC) + timedelta(minutes=1)
    assert (await tenant.service.lethe.regating.replay(tenant.id, Wish(importance=9), since=later)).decisions == 0


async def test_forgotten_users_count_by_their_numbers(user: User, tenant: Tenant) -> None:
    await user.write("I use PostgreSQL.")
    await user.forget(everything=True)
    found = await tenant.service.lethe.regating.replay(tenant.id, Wish(importance=9))
    assert (found.decisions, sum(found.changes.values())) == (1, 1)


async def test_one_tenant_does_not_read_another(user: User, tenant: Tenant) -> None:
    await user.write("I use PostgreSQL.")
    other = await tenant.service.tenant()
    assert (await tenant.service.lethe.regating.replay(other.id, Wish(importance=9))).decisions == 0


async def test_a_tenant_that_is_not_there_is_told(tenant: Tenant) -> None:
    with pytest.raises(TenancyFault, match="lethe tenant list"):
        await tenant.service.lethe.regating.replay("nobody", Wish(importance=9))
