"""A slow model holds no connection, blocks nobody, and callers who go away leave nothing behind (field report O3)."""

from __future__ import annotations

import asyncio
import time
from typing import Any

import pytest

from app.embedded import Addresses
from tests.conftest import Service
from tests.extractor.conftest import Proposers
from tests.extractor.endpoint import Valve, says
from tests.providers.endpoint import Endpoint
from tests.store.scratch import ask_now

pytestmark = pytest.mark.anyio

_IDLE = (
    "select count(*) as n from pg_stat_activity where application_name = 'lethe' and state like 'idle in transaction%'"
)


def busy(service: Service) -> int:
    pool: Any = service.lethe.database.engine.pool
    return int(pool.checkedout())


async def until(condition: Any, seconds: float = 10.0) -> None:
    async with asyncio.timeout(seconds):
        # what is waited for happens in the server's threads, or in the pool
        while not condition():  # noqa: ASYNC110
            await asyncio.sleep(0.02)


async def test_sixty_writes_wait_for_a_slow_model_and_everything_else_goes_on(
    proposing: Proposers, endpoint: Endpoint, postgres: Addresses
) -> None:
    valve = Valve(says())
    endpoint.script(valve)
    async with proposing(pool_size=5, max_concurrent=80, max_concurrent_per_tenant=80) as service:
        tenant = await service.tenant()
        other = (await service.tenant()).user("eve")
        await other.force("Keeps a locker at the station.", kind="semantic")
        writing = [asyncio.create_task(tenant.user(f"u{number}").write("I live in Berlin.")) for number in range(60)]
        # as many as there are places for; the rest waits for one of them, not for a connection
        await until(lambda: valve.waiting == 32)
        await until(lambda: busy(service) == 0)
        times: list[float] = []
        for _ in range(20):
            begun = time.monotonic()
            assert (await service.http.get("/readyz")).status_code == 200
            times.append(time.monotonic() - begun)
        assert max(times) < 0.5
        begun = time.monotonic()
        assert await other.contents("station locker") == ["Keeps a locker at the station."]
        assert time.monotonic() - begun < 1
        assert (await ask_now(postgres.superuser_url, _IDLE))[0]["n"] == 0
        assert busy(service) == 0
        assert not any(write.done() for write in writing)
        valve.open()
        for answer in await asyncio.gather(*writing):
            assert (answer["counts"]["stored"], answer["degraded"]) == (1, [])


async def test_callers_who_go_away_leave_no_connection_and_no_place_taken(
    proposing: Proposers, endpoint: Endpoint, postgres: Addresses
) -> None:
    valve = Valve(says())
    endpoint.script(valve)
    async with proposing(pool_size=5, max_concurrent=80, max_concurrent_per_tenant=80) as service:
        tenant = await service.tenant()
        writing = [asyncio.create_task(tenant.user(f"u{number}").write("I live in Berlin.")) for number in range(45)]
        await until(lambda: valve.waiting == 32)
        for write in writing:
            write.cancel()
        gone = await asyncio.gather(*writing, return_exceptions=True)
        assert all(isinstance(outcome, asyncio.CancelledError) for outcome in gone)
        await until(lambda: busy(service) == 0)
        valve.open()
        user = tenant.user("late")
        said = await asyncio.wait_for(user.write("I live in Oslo."), 5)
        assert (said["counts"]["stored"], said["degraded"]) == (1, [])
        # nothing was stored behind the backs of those who left
        assert await tenant.user("u0").stored() == []
        assert (await ask_now(postgres.superuser_url, _IDLE))[0]["n"] == 0


async def test_a_model_slower_than_its_time_limit_delays_no_write_beyond_it(
    proposing: Proposers, endpoint: Endpoint
) -> None:
    endpoint.script(Valve(says()))
    async with proposing(pool_size=5, extractor_timeout_seconds=0.5, max_concurrent_per_tenant=64) as service:
        tenant = await service.tenant()
        begun = time.monotonic()
        answers = await asyncio.gather(*(tenant.user(f"u{number}").write("I live in Berlin.") for number in range(50)))
        assert time.monotonic() - begun < 10
        assert {tuple(answer["degraded"]) for answer in answers} == {("extractor",)}
        assert all(answer["counts"]["stored"] == 1 for answer in answers)


async def test_a_forget_overtakes_a_write_that_waits_for_the_model(proposing: Proposers, endpoint: Endpoint) -> None:
    valve = Valve(says())
    endpoint.script(valve)
    async with proposing() as service:
        user = (await service.tenant()).user("ada")
        writing = asyncio.create_task(user.write("I live in Berlin."))
        await until(lambda: valve.waiting == 1)
        await user.forget(everything=True)
        valve.open()
        (result,) = (await writing)["results"]
        assert (result["outcome"], result["reasons"][0]["code"]) == ("dropped", "relearn_blocked")
        assert await user.stored() == []
