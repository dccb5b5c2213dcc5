"""Unknown, foreign and malformed ids answer byte for byte alike, in every call that takes an id."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import httpx
import pytest

from tests.conftest import Service, Tenant, User

pytestmark = pytest.mark.anyio

UNKNOWN = "0198ffff-0000-7000-8000-000000000000"
MALFORMED = (
    "abc",
    "1",
    "00000000-0000-0000-0000-00000000000",
    "00000000000000000000000000000000",
    "{01980000-0000-7000-8000-000000000000}",
    "01980000-0000-7000-8000-00000000000g",
    "' or '1'='1",
    "%00",
    "null",
    "á",
    "x" * 500,
)


@dataclass(frozen=True)
class Foreign:
    """Ids of somebody else: a memory of each status that the calls ask for, a recall, a write, a receipt."""

    memory: str
    held: str
    recall: str
    write: str
    receipt: str


async def belongings(user: User) -> Foreign:
    written = await user.write("I live in Berlin. I'm thinking about getting a dog.")
    gone = await user.write("I use Redis.")
    forgotten = await user.forget(memory_ids=[gone["results"][0]["memory_id"]])
    recall = await user.recall("Berlin", trace=True)
    memory, held = (result["memory_id"] for result in written["results"])
    return Foreign(memory, held, recall["recall_id"], written["write_id"], forgotten["receipt_id"])


@pytest.fixture(scope="module")
async def neighbours(service: Service) -> tuple[Tenant, Foreign, Foreign]:
    """Another user of the tenant, and a user of the same name in another tenant."""
    tenant, other = await service.tenant(), await service.tenant()
    return tenant, await belongings(tenant.user("bob")), await belongings(other.user("ada"))


CALLS: dict[str, tuple[str, Callable[[str], tuple[str, str, Any]]]] = {
    "get": ("memory", lambda i: ("GET", f"/memories/{i}", None)),
    "patch": ("memory", lambda i: ("PATCH", f"/memories/{i}", {"pinned": True})),
    "correct": ("memory", lambda i: ("PATCH", f"/memories/{i}", {"content": "User lives in Rome"})),
    "delete": ("memory", lambda i: ("DELETE", f"/memories/{i}", None)),
    "approve": ("held", lambda i: ("POST", f"/memories/{i}/approve", {})),
    "approve what is not for review": ("memory", lambda i: ("POST", f"/memories/{i}/approve", {})),
    "reject": ("held", lambda i: ("POST", f"/memories/{i}/reject", {})),
    "explain a memory": ("memory", lambda i: ("POST", "/explain", {"memory_id": i})),
    "explain a recall": ("recall", lambda i: ("POST", "/explain", {"recall_id": i})),
    "explain a write": ("write", lambda i: ("POST", "/explain", {"write_id": i})),
    "explain a place": ("memory", lambda i: ("POST", "/explain", {"recall": {"query": "Berlin"}, "memory_id": i})),
    "receipt": ("receipt", lambda i: ("GET", f"/forget/{i}", None)),
    "derived from": ("memory", lambda i: ("POST", "/memories/write", {"content": "I use Go.", "derived_from": [i]})),
}


def face(response: httpx.Response) -> tuple[int, bytes, dict[str, str]]:
    """Everything of an answer that its caller can see, but the request id."""
    headers = {name: value for name, value in response.headers.items() if name != "x-request-id"}
    return response.status_code, response.content, headers


@pytest.mark.parametrize("call", CALLS)
async def test_unknown_foreign_and_malformed_ids_are_alike(
    neighbours: tuple[Tenant, Foreign, Foreign], call: str
) -> None:
    tenant, colleague, namesake = neighbours
    ada = tenant.user("ada")
    thing, build = CALLS[call]
    expected = None
    for tried in (UNKNOWN, getattr(colleague, thing), getattr(namesake, thing), *MALFORMED):
        method, path, body = build(tried)
        response = await ada.call(method, path, json=body)
        expected = expected or face(response)
        assert face(response) == expected, tried
    assert expected is not None
    assert expected[0] == 404
    assert b'"code":"not_found"' in expected[1]
    assert await ada.stored(status=["active", "held"]) == []
    # and nothing of the others was touched
    assert {memory["id"] for memory in await tenant.user("bob").stored(status=["active", "held"])} == {
        colleague.memory,
        colleague.held,
    }


async def test_a_second_id_of_an_explanation_is_no_oracle(neighbours: tuple[Tenant, Foreign, Foreign]) -> None:
    tenant, colleague, namesake = neighbours
    carol = tenant.user("carol")
    await carol.write("I live in Oslo.")
    own = (await carol.recall("Oslo", trace=True))["recall_id"]
    faces = set()
    for recall in (own, UNKNOWN, colleague.recall, "abc"):
        for memory in (UNKNOWN, colleague.memory, namesake.memory, "abc"):
            response = await carol.call("POST", "/explain", json={"recall_id": recall, "memory_id": memory})
            faces.add((response.status_code, response.content))
    assert len(faces) == 1
    assert faces.pop()[0] == 404


async def test_a_forget_counts_every_id_that_is_not_ones_own_alike(
    neighbours: tuple[Tenant, Foreign, Foreign],
) -> None:
    tenant, colleague, namesake = neighbours
    dora = tenant.user("dora")
    own = (await dora.write("I live in Oslo."))["results"][0]["memory_id"]
    changing = ("receipt_id", "erased_at", "chain")
    shown = set()
    for strange in (UNKNOWN, colleague.memory, namesake.memory, "abc", "' or '1'='1"):
        for ids in ([strange], [strange, strange]):
            receipt = await dora.forget(memory_ids=ids)
            assert receipt["not_found"] == len(ids)
            assert receipt["matched"] == 0
            shown.add((len(ids), str({name: value for name, value in receipt.items() if name not in changing})))
        preview = await dora.forget(memory_ids=[own, own, strange], dry_run=True)
        assert (preview["matched"], len(preview["memories"])) == (1, 1)
    assert len(shown) == 2
    receipt = await dora.forget(memory_ids=[own, own, colleague.memory, "abc"])
    assert (receipt["matched"], receipt["not_found"], receipt["erased_ids"]) == (1, 2, [own])
    assert len(await tenant.user("bob").stored()) == 1


@pytest.mark.parametrize("path", ["/memories/a%2Fb", "/memories/..%2F..", "/forget/a%2Fb", "/memories/a/b/c"])
async def test_an_id_with_a_slash_is_no_path_of_ours(user: User, path: str) -> None:
    assert (await user.call("GET", path)).status_code == 404


async def test_ids_of_another_case_are_the_same_id(user: User) -> None:
    memory_id = (await user.write("I live in Berlin."))["results"][0]["memory_id"]
    assert (await user.ok("GET", f"/memories/{memory_id.upper()}"))["id"] == memory_id


async def test_a_preview_token_of_somebody_else_is_no_token(tenant: Tenant) -> None:
    ada, bob = tenant.user("ada"), tenant.user("bob")
    await bob.write("I live in Berlin.")
    token = (await bob.forget(everything=True, dry_run=True))["preview_token"]
    faces = set()
    for tried in (token, "pv_unknown", "x", ""):
        response = await ada.call("POST", "/forget", json={"preview_token": tried})
        faces.add((response.status_code, response.content))
    assert len(faces) == 1
    assert faces.pop()[0] == 410
    assert len(await bob.stored()) == 1
    assert (await bob.forget(preview_token=token))["matched"] == 1
