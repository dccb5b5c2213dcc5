"""Field report W5 over its whole kind: a retry is answered, never done again."""

from __future__ import annotations

import asyncio
from typing import Any

import httpx
import pytest

from tests.conftest import Tenant, User
from tests.services.looking import Eye

pytestmark = pytest.mark.anyio

EVENT = {"content": "I launched version 2 on 2025-03-01"}


async def send(user: User, key: str, body: Any, path: str = "/memories/write") -> httpx.Response:
    return await user.call("POST", path, json=body, headers={"Idempotency-Key": key})


async def test_the_same_key_and_body_is_the_first_answer_again(user: User) -> None:
    answers = [await send(user, "k1", EVENT) for _ in range(3)]
    assert [answer.status_code for answer in answers] == [200] * 3
    assert answers[0].json() == answers[1].json() == answers[2].json()
    assert [answer.headers.get("Idempotency-Replayed") for answer in answers] == [None, "true", "true"]
    (memory,) = await user.stored()
    assert memory["kind"] == "episodic"
    assert (await user.explain(memory_id=memory["id"]))["strength"]["mentions"] == 1


async def test_bodies_are_compared_as_values_not_as_bytes(user: User) -> None:
    headers = {"Idempotency-Key": "k1", "Content-Type": "application/json"}
    first = b'{"content": "I use Redis.", "metadata": {"a": 1, "b": [1, 2]}}'
    same = b'{"metadata":{"b":[1,2],"a":1},\n "content":"I use \\u0052edis."}'
    other = b'{"metadata":{"b":[2,1],"a":1},"content":"I use Redis."}'
    answers = []
    for content in (first, same, other):
        answers.append(await user.call("POST", "/memories/write", content=content, headers=headers))
    assert answers[0].json() == answers[1].json()
    assert answers[1].headers["Idempotency-Replayed"] == "true"
    assert (answers[2].status_code, answers[2].json()["code"]) == (422, "idempotency_mismatch")


async def test_the_same_key_with_another_body_stores_nothing(user: User) -> None:
    await send(user, "k1", EVENT)
    for body in ({"content": "I launched version 3 on 2025-04-01"}, {**EVENT, "metadata": {"a": 1}}):
        refused = await send(user, "k1", body)
        assert (refused.status_code, refused.json()["code"]) == (422, "idempotency_mismatch")
    assert len(await user.stored()) == 1


async def test_a_key_belongs_to_one_user_of_one_tenant(tenant: Tenant, user: User) -> None:
    other_tenant = await tenant.service.tenant()
    users = [user, tenant.user("bob"), other_tenant.user("ada")]
    answers = [await send(one, "k1", EVENT) for one in users]
    assert len({answer.json()["write_id"] for answer in answers}) == 3
    assert all("Idempotency-Replayed" not in answer.headers for answer in answers)
    for one in users:
        assert len(await one.stored()) == 1


async def test_a_key_belongs_to_one_path(user: User) -> None:
    written = (await send(user, "k1", {"content": "I use Redis."})).json()
    body = {"memory_ids": [written["results"][0]["memory_id"]]}
    first, second = await send(user, "k1", body, "/forget"), await send(user, "k1", body, "/forget")
    assert (first.status_code, first.json()["matched"]) == (200, 1)
    assert second.headers["Idempotency-Replayed"] == "true"
    assert second.json()["receipt_id"] == first.json()["receipt_id"]
    # without a key it is another erasure, which finds nothing any more
    assert (await user.forget(**body))["matched"] == 0


async def test_without_a_key_an_event_told_twice_is_one_event(user: User) -> None:
    first, second = await user.write(**EVENT), await user.write(**EVENT)
    assert [first["results"][0]["outcome"], second["results"][0]["outcome"]] == ["stored", "reinforced"]
    assert len(await user.stored()) == 1


@pytest.mark.parametrize("copies", [8])
async def test_the_same_key_at_once_stores_once(user: User, copies: int) -> None:
    answers = await asyncio.gather(*(send(user, "k1", EVENT) for _ in range(copies)))
    done = [answer for answer in answers if answer.status_code == 200]
    busy = [answer for answer in answers if answer.status_code != 200]
    assert done
    assert len({answer.content for answer in done} | {answer.json()["write_id"] for answer in done}) <= 3
    assert len({answer.json()["write_id"] for answer in done}) == 1
    assert sum("Idempotency-Replayed" not in answer.headers for answer in done) == 1
    for answer in busy:
        assert (answer.status_code, answer.json()["code"]) == (409, "idempotency_in_progress")
        assert answer.headers["Retry-After"] == "1"
    assert len(await user.stored()) == 1
    assert (await send(user, "k1", EVENT)).headers["Idempotency-Replayed"] == "true"


async def test_different_bodies_under_one_key_at_once_store_one_of_them(user: User) -> None:
    bodies = [{"content": f"I launched version {n} on 2025-03-01"} for n in range(6)]
    answers = await asyncio.gather(*(send(user, "k1", body) for body in bodies))
    codes = sorted(answer.json().get("code", "done") for answer in answers)
    assert codes.count("done") == 1
    assert set(codes) <= {"done", "idempotency_mismatch", "idempotency_in_progress"}
    assert len(await user.stored()) == 1


@pytest.mark.parametrize("selector", ["id", "everything", "history"])
async def test_a_key_whose_content_was_erased_brings_nothing_back(user: User, eye: Eye, selector: str) -> None:
    body = {"content": "My badge code is QUAGGA-1144"}
    first = (await send(user, "k1", body)).json()
    memory_id = first["results"][0]["memory_id"]
    if selector == "everything":
        await user.forget(everything=True)
    elif selector == "history":
        newer = await user.write("My badge code is QUAGGA-2255")
        await user.forget(memory_ids=[newer["results"][0]["memory_id"]])
    else:
        await user.forget(memory_ids=[memory_id])
    for again in (body, {"content": "something else"}):
        gone = await send(user, "k1", again)
        assert (gone.status_code, gone.json()["code"]) == (410, "idempotency_erased")
    assert await user.stored(status=["active", "superseded"]) == []
    assert await eye.find("QUAGGA", memory_id) == {}


async def test_a_reinforcing_write_is_erased_with_what_it_reinforced(user: User, eye: Eye) -> None:
    first = await user.write("My badge code is QUOKKA-1144")
    await send(user, "k2", {"content": "My badge code is QUOKKA-1144"})
    await user.forget(memory_ids=[first["results"][0]["memory_id"]])
    assert (await send(user, "k2", {"content": "My badge code is QUOKKA-1144"})).status_code == 410
    assert await eye.find("QUOKKA") == {}


async def test_a_failed_request_gives_the_key_back(user: User) -> None:
    refused = await send(user, "k1", {"content": "I use Redis.", "derived_from": ["abc"]})
    assert refused.status_code == 404
    invalid = await send(user, "k1", {"content": "I use Redis.", "nonsense": 1})
    assert invalid.status_code == 422
    mended = await send(user, "k1", {"content": "I use Redis."})
    assert mended.status_code == 200
    assert "Idempotency-Replayed" not in mended.headers
    stale = await send(user, "k2", {"preview_token": "pv_no"}, "/forget")
    assert stale.status_code == 410
    assert (await send(user, "k2", {"everything": True}, "/forget")).status_code == 200


async def test_a_write_that_keeps_nothing_is_remembered_too(user: User) -> None:
    first, second = await send(user, "k1", {"content": "thanks!"}), await send(user, "k1", {"content": "thanks!"})
    assert first.json() == second.json()
    assert second.headers["Idempotency-Replayed"] == "true"


@pytest.mark.parametrize("key", ["", " ", "a b", "a" * 256, "é"])
async def test_keys_are_visible_ascii(user: User, key: str) -> None:
    headers = {"Authorization": f"Bearer {user.tenant.key}", "X-User-Id": user.id, "Idempotency-Key": key}
    sent = [(name.encode(), value.encode("latin-1")) for name, value in headers.items()]
    response = await user.tenant.service.http.post("/memories/write", json=EVENT, headers=sent)
    assert response.status_code == 422
    assert await user.stored() == []


async def test_the_longest_key_is_taken(user: User) -> None:
    for key in ("!", "~" * 255):
        assert (await send(user, key, EVENT)).status_code == 200
