"""Each of the two walls holds when the other is down; with both down the same attack gets through."""

from __future__ import annotations

import httpx
import pytest

from app.embedded import Addresses
from tests.conftest import Service, SharedEmbedder, running, settings_for
from tests.store.scratch import ask_now
from tests.walls.stripping import strip_filters, take_down_row_level_security
from tests.walls.support import assault, comparable, read_everything, settle, shots

pytestmark = pytest.mark.anyio


async def test_row_level_security_holds_without_the_stores_filters(
    service: Service, postgres: Addresses, monkeypatch: pytest.MonkeyPatch
) -> None:
    stripped = strip_filters(monkeypatch)
    assert {name.rsplit(".", 1)[0] for name in stripped} >= {
        f"app.store.{module}" for module in ("memories", "search", "rows", "erasure", "ledger", "kept", "idempotency")
    }
    await assault(service, postgres.superuser_url)


async def test_the_stores_filters_hold_without_row_level_security(
    own_database: Addresses, embedder: SharedEmbedder
) -> None:
    async for service in running(settings_for(own_database), embedder):
        await take_down_row_level_security(own_database.owner_url)
        # nothing is hidden from the app role any more
        tenant = await service.tenant()
        await tenant.user("ada").force("Keeps a locker at the station.", kind="semantic")
        assert await ask_now(own_database.app_url, "select 1 from memories")
        await assault(service, own_database.superuser_url)


async def test_with_both_walls_down_every_call_leaks(
    own_database: Addresses, embedder: SharedEmbedder, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without this the tests above could pass by asking nothing."""
    async for service in running(settings_for(own_database), embedder):
        tenant = await service.tenant()
        victim = await settle(tenant.user("ada"))
        attacker = tenant.user("Ada")
        await attacker.force("Keeps a locker at the station.", kind="semantic")
        strip_filters(monkeypatch)
        await take_down_row_level_security(own_database.owner_url)
        for response in await read_everything(attacker, victim):
            leaks = any(secret in response.text for secret in victim.secrets[1:]) or _counts_too_much(response)
            assert leaks, (response.request.url, response.request.content)
        named, through = set(), set()
        for shot, blank in shots(victim):
            named.add(shot.name)
            if comparable(await shot.fire(attacker)) != comparable(await blank.fire(attacker)):
                through.add(shot.name)
        # a preview's token is hashed with the user it was given to: no wall is needed for it
        assert named - through == {"apply a preview"}


def _counts_too_much(response: httpx.Response) -> bool:
    return "json" in response.headers["content-type"] and bool(response.json().get("matched", 0) > 1)
