"""Text that Postgres cannot hold, in every place where text can stand: never a 5xx (field report T3)."""

from __future__ import annotations

import copy
from typing import Any

import httpx
import pytest

from tests.api.double import KNOWN
from tests.api.shapes import faults_of, send

pytestmark = pytest.mark.anyio

ID = str(KNOWN)
BODIES: dict[str, dict[str, Any]] = {
    "/memories/write": {
        "messages": [
            {
                "role": "user",
                "content": "hi",
                "name": "Anna",
                "occurred_at": "2025-06-03T09:12:00Z",
                "tool_call_id": "c1",
            }
        ],
        "session_id": "chat-812",
        "agent_id": "ops",
        "source": {"type": "document", "id": "a.pdf"},
        "metadata": {"project": "apollo", "tags": ["x"], "inner": {"key": "v"}},
        "subject": "user",
        "kind": "semantic",
        "attribute": "home_city",
        "expires_at": "2099-01-01T00:00:00Z",
        "derived_from": [ID],
    },
    "/recall": {
        "query": "x",
        "kinds": ["semantic"],
        "subject": "user",
        "include": ["held"],
        "as_of": {"valid_at": "2025-04-15T00:00:00Z", "known_at": "2025-04-15T00:00:00Z"},
        "filters": {"metadata.project": "apollo", "or": [{"session_id": "a"}, {"agent_id": {"in": ["ops"]}}]},
    },
    "/forget": {"memory_ids": [ID]},
    "/explain": {"memory_id": ID, "recall": {"query": "x", "filters": {"session_id": "a"}}},
    f"/memories/{ID}/approve": {"note": "Confirmed."},
}
SELECTORS: list[dict[str, Any]] = [
    {"query": "x", "dry_run": True},
    {"subject": "user"},
    {"source_id": "a.pdf"},
    {"session_id": "s"},
    {"before": "2025-01-01T00:00:00Z"},
    {"preview_token": "pv"},
    {"filters": {"session_id": "s"}},
]
# what the contract takes as it comes: the words of a message, and keys of it that are not ours
FREE = {("messages", 0, "content"), ("messages", 0, "tool_call_id")}


def places(value: Any, path: tuple[str | int, ...] = ()) -> list[tuple[str | int, ...]]:
    """List the path of every string in a body."""
    if isinstance(value, str):
        return [path]
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [place for key, item in items for place in places(item, (*path, key))]


def spoilt(body: dict[str, Any], place: tuple[str | int, ...], text: str) -> dict[str, Any]:
    """Copy a body with one string spoilt."""
    body = copy.deepcopy(body)
    target: Any = body
    for step in place[:-1]:
        target = target[step]
    target[place[-1]] += text
    return body


VALUES = [(path, body, place) for path, body in BODIES.items() for place in places(body)]
VALUES += [("/forget", body, place) for body in SELECTORS for place in places(body)]


@pytest.mark.parametrize("bad", ["\x00", "\ud800"])
@pytest.mark.parametrize(("path", "body", "place"), VALUES)
async def test_nul_and_lone_surrogates_in_a_value(
    client: httpx.AsyncClient, path: str, body: dict[str, Any], place: tuple[str | int, ...], bad: str
) -> None:
    response = await send(client, "POST", path, spoilt(body, place, bad))
    assert response.status_code == (200 if place in FREE else 422), response.text
    assert bad not in response.text or place in FREE


@pytest.mark.parametrize("odd", ["\x01", "\x1f", "\x7f", "\ufffe", "\uffff", "\u202e", "\U0010ffff"])
@pytest.mark.parametrize(("path", "body", "place"), VALUES)
async def test_other_odd_characters_are_no_fault_of_the_service(
    client: httpx.AsyncClient, path: str, body: dict[str, Any], place: tuple[str | int, ...], odd: str
) -> None:
    assert (await send(client, "POST", path, spoilt(body, place, odd))).status_code < 500


@pytest.mark.parametrize("bad", ["\x00", "\ud800"])
@pytest.mark.parametrize("path", BODIES)
async def test_nul_and_lone_surrogates_in_a_key(client: httpx.AsyncClient, path: str, bad: str) -> None:
    response = await send(client, "POST", path, {**BODIES[path], f"key{bad}": 1})
    assert faults_of(response)[-1] in {("", "unknown_field"), ("", "invalid_text")}


async def test_nul_and_lone_surrogates_in_metadata_keys_and_message_keys(client: httpx.AsyncClient) -> None:
    for bad in ("\x00", "\ud800"):
        for metadata in ({bad: 1}, {"a": {bad: 1}}, {"a": [{bad: 1}]}):
            body = {"content": "a", "metadata": metadata}
            assert faults_of(await send(client, "POST", "/memories/write", body)) == [("/metadata", "invalid_text")]
        messages = [{"role": "user", "content": "a", f"key{bad}": bad}]
        assert (await send(client, "POST", "/memories/write", {"messages": messages})).status_code == 200


@pytest.mark.parametrize(
    "path",
    [
        "/memories/%00",
        "/memories/a%00b",
        "/forget/%00",
        "/memories?subject=%00",
        "/memories?cursor=%00",
        "/memories?%00=1",
        "/memories?filters=%00",
        "/memories?subject=%ED%A0%80",
        "/memories?limit=%00",
    ],
)
async def test_nul_in_a_path_or_a_parameter(client: httpx.AsyncClient, path: str) -> None:
    response = await client.get(path)
    assert response.status_code < 500
    assert "\x00" not in response.text
