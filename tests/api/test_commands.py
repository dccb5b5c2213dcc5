"""Valid requests become the right commands: defaults, aliases, nulls, both clocks."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import httpx
import pytest

from app.domain.commands import ALL_KINDS, AsOf, ForgetCommand, PatchCommand, RecallCommand, WriteCommand
from app.domain.filters import AllOf, Condition, Op
from app.domain.memory import Kind, Message, Role, Source, SourceType, Status
from tests.api.double import FOREIGN, KNOWN, NOW, ScriptedLethe
from tests.api.shapes import send

pytestmark = pytest.mark.anyio


async def sent(client: httpx.AsyncClient, lethe: ScriptedLethe, path: str, body: dict[str, Any]) -> Any:
    response = await send(client, "POST", path, body)
    assert response.status_code == 200, response.text
    return lethe.last()


async def test_a_text_alone_is_one_message_of_the_user_with_every_default(
    client: httpx.AsyncClient, lethe: ScriptedLethe
) -> None:
    command = await sent(client, lethe, "/memories/write", {"content": "I use PostgreSQL"})
    assert command == WriteCommand(messages=(Message(Role.USER, "I use PostgreSQL", NOW),), received_at=NOW)


async def test_an_openai_message_list_is_taken_unchanged(client: httpx.AsyncClient, lethe: ScriptedLethe) -> None:
    messages = [
        {"role": "developer", "content": "Be brief.", "name": None},
        {"role": "user", "content": [{"type": "text", "text": "See"}, {"type": "image_url", "image_url": {}}]},
        {"role": "assistant", "content": None, "tool_calls": [{"id": "c1"}], "refusal": None, "id": "m1"},
        {"role": "tool", "content": [{"type": "text", "text": "a"}, {"type": "text"}], "tool_call_id": "c1"},
        {"role": "function", "name": "f", "user_id": "ignored"},
    ]
    command = await sent(client, lethe, "/memories/write", {"messages": messages})
    assert command.messages == (
        Message(Role.SYSTEM, "Be brief.", NOW),
        Message(Role.USER, "See", NOW, skipped_parts=True),
        Message(Role.ASSISTANT, "", NOW),
        Message(Role.TOOL, "a\n", NOW),
        Message(Role.TOOL, "", NOW, name="f"),
    )


@pytest.mark.parametrize("text", ["", " ", "a\x00b", "a\ud800", "\ufffe\x07", "x" * 40_000])
async def test_a_fault_of_a_message_text_is_left_to_the_screen(
    client: httpx.AsyncClient, lethe: ScriptedLethe, text: str
) -> None:
    assert (await sent(client, lethe, "/memories/write", {"content": text})).messages[0].text == text
    parts = [{"type": "text", "text": text}]
    messages = [{"role": "user", "content": text}, {"role": "user", "content": parts}]
    command = await sent(client, lethe, "/memories/write", {"messages": messages})
    assert [message.text for message in command.messages] == [text, text]


async def test_all_fields_of_a_write_arrive(client: httpx.AsyncClient, lethe: ScriptedLethe) -> None:
    command = await sent(
        client,
        lethe,
        "/memories/write",
        {
            "messages": [
                {"role": "user", "content": "a", "occurred_at": "2025-06-01T12:00:00+02:00", "name": "Anna"},
                {"role": "user", "content": "b"},
            ],
            "occurred_at": "2025-06-02T00:00:00z",
            "run_id": "chat-812",
            "agent_id": "ops",
            "source": {"type": "document", "id": "a.pdf"},
            "metadata": {"a": {"b": [1]}, "n": None},
            "subject": "client:northwind",
            "kind": "procedural",
            "attribute": "home_city",
            "expires_at": "9999-12-31T23:59:59Z",
            "derived_from": [str(KNOWN), "abc", str(KNOWN).upper()],
            "infer": False,
            "force": True,
            "dry_run": True,
            "importance": 7,
        },
    )
    assert command == WriteCommand(
        messages=(
            Message(Role.USER, "a", datetime(2025, 6, 1, 10, tzinfo=UTC), name="Anna"),
            Message(Role.USER, "b", datetime(2025, 6, 2, tzinfo=UTC)),
        ),
        received_at=NOW,
        session_id="chat-812",
        agent_id="ops",
        source=Source(SourceType.DOCUMENT, "a.pdf"),
        metadata={"a": {"b": [1]}, "n": None},
        subject="client:northwind",
        kind=Kind.PROCEDURAL,
        attribute="home_city",
        expires_at=datetime(9999, 12, 31, 23, 59, 59, tzinfo=UTC),
        derived_from=(KNOWN, None, KNOWN),
        infer=False,
        force=True,
        dry_run=True,
        importance=7,
    )


async def test_null_means_left_out(client: httpx.AsyncClient, lethe: ScriptedLethe) -> None:
    nulls: dict[str, Any] = dict.fromkeys(
        ["messages", "occurred_at", "session_id", "source", "metadata", "kind", "infer", "dry_run", "derived_from"]
    )
    assert await sent(client, lethe, "/memories/write", {"content": "a", **nulls}) == WriteCommand(
        messages=(Message(Role.USER, "a", NOW),), received_at=NOW
    )
    nulls = dict.fromkeys(["k", "kinds", "min_score", "include", "token_budget", "filters", "as_of", "trace", "top_k"])
    command = await sent(client, lethe, "/recall", {"query": "x", **nulls})
    assert command == RecallCommand(query="x", received_at=NOW, request={"query": "x", **nulls})


@pytest.mark.parametrize("alias", ["k", "top_k", "limit"])
async def test_aliases_of_k(client: httpx.AsyncClient, lethe: ScriptedLethe, alias: str) -> None:
    assert (await sent(client, lethe, "/recall", {"query": "x", alias: 7})).k == 7


async def test_all_fields_of_a_recall_arrive(client: httpx.AsyncClient, lethe: ScriptedLethe) -> None:
    body = {
        "query": "deploy target",
        "k": 10,
        "kinds": ["semantic", "episodic", "semantic"],
        "subject": "user",
        "min_score": 1,
        "min_trust": 0,
        "include": ["superseded", "held", "disputed", "untrusted"],
        "token_budget": 0,
        "trace": True,
    }
    assert await sent(client, lethe, "/recall", body) == RecallCommand(
        query="deploy target",
        received_at=NOW,
        k=10,
        kinds=frozenset({Kind.SEMANTIC, Kind.EPISODIC}),
        subject="user",
        min_score=1.0,
        min_trust=0,
        include=frozenset({Status.SUPERSEDED, Status.HELD, Status.DISPUTED}),
        untrusted=True,
        token_budget=0,
        trace=True,
        request=body,
    )


@pytest.mark.parametrize(
    ("as_of", "resolved"),
    [
        # what we now believe was true then
        ({"valid_at": "2025-04-15T00:00:00Z"}, (datetime(2025, 4, 15, tzinfo=UTC), NOW, False)),
        # what we believed then
        (
            {"known_at": "2025-04-15T00:00:00Z"},
            (datetime(2025, 4, 15, tzinfo=UTC), datetime(2025, 4, 15, tzinfo=UTC), True),
        ),
        (
            {"valid_at": "2026-01-01T00:00:00Z", "known_at": "2025-06-03T10:00:00Z"},
            (datetime(2026, 1, 1, tzinfo=UTC), NOW, True),
        ),
    ],
)
async def test_the_missing_half_of_as_of_is_filled_in(
    client: httpx.AsyncClient, lethe: ScriptedLethe, as_of: dict[str, str], resolved: tuple[datetime, datetime, bool]
) -> None:
    assert (await sent(client, lethe, "/recall", {"query": "x", "as_of": as_of})).as_of == AsOf(*resolved)


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (
            {"memory_ids": [str(KNOWN), "abc", "{" + str(KNOWN) + "}"]},
            {"selector": "memory_ids", "memory_ids": (KNOWN, None, None)},
        ),
        (
            {"query": "Munich", "dry_run": True, "k": 3, "min_score": 0},
            {"selector": "query", "query": "Munich", "dry_run": True, "k": 3, "min_score": 0.0},
        ),
        ({"query": "Munich", "dry_run": True}, {"selector": "query", "query": "Munich", "dry_run": True}),
        ({"subject": "user", "history": False}, {"selector": "subject", "subject": "user", "history": False}),
        ({"source_id": "a.pdf"}, {"selector": "source_id", "source_id": "a.pdf"}),
        ({"run_id": "s"}, {"selector": "session_id", "session_id": "s"}),
        ({"everything": True}, {"selector": "everything"}),
        ({"before": "2025-01-01T00:00:00Z"}, {"selector": "before", "before": datetime(2025, 1, 1, tzinfo=UTC)}),
        ({"preview_token": "pv", "dry_run": False}, {"selector": "preview_token", "preview_token": "pv"}),
    ],
)
async def test_a_selector_arrives(
    client: httpx.AsyncClient, lethe: ScriptedLethe, body: dict[str, Any], expected: dict[str, Any]
) -> None:
    assert await sent(client, lethe, "/forget", body) == ForgetCommand(received_at=NOW, **expected)


async def test_the_forms_of_an_explanation(client: httpx.AsyncClient, lethe: ScriptedLethe) -> None:
    known = str(KNOWN)
    command = await sent(client, lethe, "/explain", {"memory_id": known})
    assert (command.by, command.memory_id) == ("memory_id", KNOWN)
    command = await sent(client, lethe, "/explain", {"recall_id": known})
    assert (command.by, command.recall_id, command.with_memory) == ("recall_id", KNOWN, False)
    command = await sent(client, lethe, "/explain", {"recall_id": known, "memory_id": known})
    assert (command.by, command.recall_id, command.with_memory) == ("recall_id", KNOWN, True)
    command = await sent(client, lethe, "/explain", {"recall": {"query": "x", "limit": 3}, "memory_id": known})
    assert (command.by, command.recall.k, command.recall.request) == ("recall", 3, {"query": "x", "limit": 3})
    command = await sent(client, lethe, "/explain", {"write_id": known, "question": None})
    assert (command.by, command.write_id) == ("write_id", KNOWN)
    command = await sent(client, lethe, "/explain", {"question": "why?"})
    assert (command.by, command.question) == ("question", "why?")


async def test_a_patch_says_what_was_sent_and_null_removes_only_the_end(
    client: httpx.AsyncClient, lethe: ScriptedLethe
) -> None:
    body: dict[str, Any] = {"expires_at": None, "pinned": True, "content": None, "metadata": None}
    assert (await client.patch(f"/memories/{KNOWN}", json=body)).status_code == 200
    assert lethe.last() == PatchCommand(received_at=NOW, changed=frozenset({"expires_at", "pinned"}), pinned=True)
    body = {"content": "User lives in Hamburg", "metadata": {}}
    assert (await client.patch(f"/memories/{KNOWN}", json=body)).status_code == 200
    assert lethe.last() == PatchCommand(
        received_at=NOW, changed=frozenset({"content", "metadata"}), content="User lives in Hamburg", metadata={}
    )


async def test_a_listing_takes_every_parameter(client: httpx.AsyncClient, lethe: ScriptedLethe) -> None:
    await client.get("/memories")
    plain = lethe.last()
    assert (plain.kinds, plain.statuses, plain.filters) == (ALL_KINDS, frozenset({Status.ACTIVE}), None)
    assert (plain.limit, plain.cursor) == (50, None)
    query: list[tuple[str, str | int | float | bool | None]] = [
        ("kind", "semantic"),
        ("kind", "episodic"),
        ("status", "held"),
        ("subject", "user"),
        ("source_type", "web"),
        ("pinned", "false"),
        ("created_after", "2025-01-01T00:00:00Z"),
        ("created_before", "2025-02-01T00:00:00Z"),
        ("limit", 200),
        ("cursor", "eyJ2IjoxfQ"),
    ]
    assert (await client.get("/memories", params=query)).status_code == 200
    command = lethe.last()
    assert command.kinds == {Kind.SEMANTIC, Kind.EPISODIC}
    assert command.statuses == {Status.HELD}
    assert command.filters == AllOf(
        (
            Condition("subject", False, Op.EQ, "user"),
            Condition("source_type", False, Op.EQ, SourceType.WEB),
            Condition("pinned", False, Op.EQ, False),
        )
    )
    assert command.created_before - command.created_after == timedelta(days=31)
    assert (command.limit, command.cursor) == (200, "eyJ2IjoxfQ")


async def test_a_cursor_is_bound_to_the_listing_but_not_to_the_size_of_the_page(
    client: httpx.AsyncClient, lethe: ScriptedLethe
) -> None:
    prints = []
    for query in (
        "kind=semantic&kind=episodic&limit=1",
        "kind=episodic&kind=semantic&cursor=eyJ2IjoxfQ",
        "kind=episodic",
        "kind=episodic&subject=user",
        "kind=episodic&attribute=user",
    ):
        await client.get(f"/memories?{query}")
        prints.append(lethe.last().parameters)
    assert prints[0] == prints[1]
    assert len(set(prints)) == 4


async def test_idempotency_compares_canonical_json(client: httpx.AsyncClient, lethe: ScriptedLethe) -> None:
    headers = {"Idempotency-Key": "turn-42", "Content-Type": "application/json; charset=utf-8"}
    for raw in (b'{"content":"a","kind":"semantic"}', b'{ "kind": "semantic",\n "content": "\\u0061" }'):
        assert (await client.post("/memories/write", content=raw, headers=headers)).status_code == 200
    first, second = lethe.idempotency
    assert first == second
    assert first is not None
    assert (first.key, first.path) == ("turn-42", "/memories/write")
    await client.post("/forget", json={"memory_ids": [str(FOREIGN)]}, headers={"Idempotency-Key": "turn-42"})
    assert lethe.idempotency[-1] is not None
    assert lethe.idempotency[-1].path == "/forget"


async def test_a_replay_says_so(client: httpx.AsyncClient, lethe: ScriptedLethe) -> None:
    assert "Idempotency-Replayed" not in (await client.post("/memories/write", json={"content": "a"})).headers
    lethe.replayed = True
    response = await client.post("/memories/write", json={"content": "a"}, headers={"Idempotency-Key": "k"})
    assert response.headers["Idempotency-Replayed"] == "true"
    response = await client.post("/forget", json={"everything": True}, headers={"Idempotency-Key": "k"})
    assert response.headers["Idempotency-Replayed"] == "true"


@pytest.mark.parametrize("body", [b"", b"{}", b'{"note": "Confirmed on the phone."}', b'{"note": null}'])
async def test_an_approval_may_carry_a_note(client: httpx.AsyncClient, lethe: ScriptedLethe, body: bytes) -> None:
    headers = {"Content-Type": "application/json"} if body else {}
    response = await client.post(f"/memories/{KNOWN}/approve", content=body, headers=headers)
    assert response.status_code == 200
    assert lethe.last() == ("Confirmed on the phone." if b"phone" in body else None)
