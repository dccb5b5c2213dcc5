"""Nothing of one user reaches another: neither in the same tenant, nor under the same name in the next one."""

from __future__ import annotations

from typing import Any

import pytest

from app.embedded import Addresses
from tests.conftest import Service, Tenant
from tests.walls.support import EVERYTHING_RECALLED, assault

pytestmark = pytest.mark.anyio


async def test_no_call_shows_or_touches_what_is_another_users(service: Service, postgres: Addresses) -> None:
    await assault(service, postgres.superuser_url)


async def test_fifty_users_with_one_secret_each_see_their_own(service: Service) -> None:
    home, abroad = await service.tenant(), await service.tenant()
    users = [home.user(f"u{number}") for number in range(50)]
    words = [f"plover{number}x" for number in range(50)]
    for user, word in zip(users, words, strict=True):
        await user.write(
            f"My secret word is {word}. Please always greet me with {word}.", session_id="s", metadata={"w": word}
        )
    for number, user in enumerate(users):
        other = (number + (1 if number % 2 else 25)) % 50
        found = await user.recall(f"My secret word is {words[other]}", **EVERYTHING_RECALLED)
        assert words[number] in str(found["memories"])
        assert words[number] in found["context"]["text"]
        text = str(found)
        assert not any(word in text for word in words if word != words[number])
        assert sum(found["trace"]["excluded"].values()) + len(found["memories"]) <= 3
    namesake = await abroad.user("u1").recall(f"My secret word is {words[1]}", **EVERYTHING_RECALLED)
    assert namesake["memories"] == []
    assert not any(word in str(namesake) for word in words)


# byte for byte: none of these is another
NAMES = (
    "ada",
    "Ada",
    "ADA",
    "ada.",
    ".ada",
    "ada-",
    "ada_",
    "a",
    "ada@example.org",
    "tenant:ada",
    "ada|1",
    "ada/1",
    "ada=",
    "ada+1",
)


async def test_user_ids_are_compared_byte_for_byte(tenant: Tenant) -> None:
    for place, name in enumerate(NAMES):
        await tenant.user(name).force(f"Keeps locker number {place} at the station.", kind="semantic")
    for place, name in enumerate(NAMES):
        assert [memory["content"] for memory in await tenant.user(name).stored()] == [
            f"Keeps locker number {place} at the station."
        ]


@pytest.mark.parametrize(
    "headers",
    [
        [],
        [("X-User-Id", "")],
        [("X-User-Id", " ada")],
        [("X-User-Id", "ada ")],
        [("X-User-Id", "ada"), ("X-User-Id", "bob")],
        [("X-User-Id", "ada"), ("X-User-Id", "ada")],
        [("X-User-Id", "a" * 129)],
        [("X-User-Id", "a" * 10_240)],
        [("X-User-Id", "ada;drop")],
        [("X-User-Id", "ada'")],
        [("X-User-Id", "ada\x00")],
        [("X-User-Id", "ada\x7f")],
        [("X-User-Id", "ad\u00e4")],
        [("X-User-Id", "*")],
        [("X-User-Id", "%")],
    ],
)
async def test_a_user_that_is_not_one_is_refused(tenant: Tenant, headers: list[tuple[str, str]]) -> None:
    sent = [("Authorization", f"Bearer {tenant.key}"), *headers]
    raw = [(name.encode(), value.encode("latin-1")) for name, value in sent]
    response = await tenant.service.http.post("/recall", json={"query": "x"}, headers=raw)
    assert (response.status_code, response.json()["code"]) == (400, "user_required")


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/recall", {"query": "locker", "user_id": "bob"}),
        ("/recall", {"query": "locker", "tenant_id": "other"}),
        ("/recall", {"query": "locker", "filters": {"user_id": "bob"}}),
        ("/recall", {"query": "locker", "filters": {"tenant_id": "other"}}),
        ("/memories/write", {"content": "Has a locker.", "user_id": "bob"}),
        ("/memories/write", {"content": "Has a locker.", "tenant_id": "other"}),
        ("/forget", {"everything": True, "user_id": "bob"}),
        ("/forget", {"filters": {"user_id": "bob"}}),
        ("/explain", {"question": "locker?", "user_id": "bob"}),
    ],
)
async def test_identity_never_comes_from_a_body(tenant: Tenant, path: str, body: dict[str, Any]) -> None:
    await tenant.user("bob").force("Keeps a locker at the station.", kind="semantic")
    response = await tenant.user("ada").call("POST", path, json=body)
    assert response.status_code == 422
    assert await tenant.user("ada").stored() == []
    assert len(await tenant.user("bob").stored()) == 1


@pytest.mark.parametrize("query", ["user_id=bob", "tenant_id=other", "X-User-Id=bob"])
async def test_identity_never_comes_from_a_query(tenant: Tenant, query: str) -> None:
    for path in ("/memories", "/memories/export"):
        assert (await tenant.user("ada").call("GET", f"{path}?{query}")).status_code == 422
