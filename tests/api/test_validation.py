"""Every rule about requests, as a table: what is sent, and which faults come back."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import httpx
import pytest

from app.domain.answers import wire_time
from tests.api.double import KNOWN, NOW, ScriptedLethe
from tests.api.shapes import faults_of, problem_of, send

pytestmark = pytest.mark.anyio

ID = str(KNOWN)
SOON = wire_time(NOW + timedelta(minutes=9))
TOO_SOON = wire_time(NOW + timedelta(minutes=11))
HI = {"role": "user", "content": "hi"}
DEEP: dict[str, Any] = {"a": {"b": {"c": {}}}}

# body, faults
WRITES: list[tuple[dict[str, Any], list[tuple[str, str]]]] = [
    # one text, no more and no less
    ({}, [("", "one_of_required")]),
    ({"content": None, "messages": None}, [("", "one_of_required")]),
    ({"content": "a", "messages": [HI]}, [("", "one_of_required")]),
    ({"messages": []}, [("/messages", "out_of_range")]),
    ({"messages": [HI] * 101}, [("/messages", "too_many")]),
    ({"messages": {}}, [("/messages", "wrong_type")]),
    ({"messages": ["hi"]}, [("/messages/0", "wrong_type")]),
    ({"messages": [HI, {"content": "hi"}]}, [("/messages/1/role", "one_of_required")]),
    ({"messages": [{"role": None, "content": "hi"}]}, [("/messages/0/role", "one_of_required")]),
    ({"messages": [{"role": "bot", "content": "hi"}]}, [("/messages/0/role", "out_of_range")]),
    ({"messages": [{"role": 1, "content": "hi"}]}, [("/messages/0/role", "wrong_type")]),
    ({"messages": [{"role": "user", "content": 1}]}, [("/messages/0/content", "wrong_type")]),
    ({"messages": [{"role": "user", "content": {"text": "a"}}]}, [("/messages/0/content", "wrong_type")]),
    ({"messages": [{"role": "user", "content": ["a"]}]}, [("/messages/0/content", "wrong_type")]),
    (
        {"messages": [{"role": "user", "content": [{"type": "text", "text": 1}]}]},
        [("/messages/0/content", "wrong_type")],
    ),
    ({"messages": [{**HI, "name": "a\x00"}]}, [("/messages/0/name", "invalid_text")]),
    ({"content": 1}, [("/content", "wrong_type")]),
    ({"content": ["a"]}, [("/content", "wrong_type")]),
    # unknown fields are named at their parent, with a code of their own for identity
    ({"content": "a", "foo": 1}, [("", "unknown_field")]),
    ({"content": "a", "foo": None}, [("", "unknown_field")]),
    ({"content": "a", "user_id": "bob"}, [("", "user_in_body")]),
    ({"content": "a", "tenant_id": "t2"}, [("", "user_in_body")]),
    ({"content": "a", "source": {"type": "web", "uri": "x"}}, [("/source", "unknown_field")]),
    ({"content": "a", "async": True}, [("", "unknown_field")]),
    ({"content": "a", "\x00": 1}, [("", "unknown_field")]),
    ({"content": "a", "\ud800": 1}, [("", "invalid_text")]),
    # times
    ({"content": "a", "occurred_at": "2025-06-03T09:12:00"}, [("/occurred_at", "naive_time")]),
    ({"content": "a", "occurred_at": TOO_SOON}, [("/occurred_at", "in_future")]),
    ({"messages": [{**HI, "occurred_at": TOO_SOON}]}, [("/messages/0/occurred_at", "in_future")]),
    ({"messages": [{**HI, "occurred_at": "2025-06-03"}]}, [("/messages/0/occurred_at", "wrong_type")]),
    ({"content": "a", "occurred_at": 1748941920}, [("/occurred_at", "wrong_type")]),
    ({"content": "a", "occurred_at": "yesterday"}, [("/occurred_at", "wrong_type")]),
    ({"content": "a", "occurred_at": "2025-02-30T00:00:00Z"}, [("/occurred_at", "wrong_type")]),
    ({"content": "a", "occurred_at": "0001-01-01T00:00:00+23:00"}, [("/occurred_at", "out_of_range")]),
    ({"content": "a", "occurred_at": "9999-12-31T23:59:59-23:00"}, [("/occurred_at", "out_of_range")]),
    ({"content": "a", "expires_at": wire_time(NOW)}, [("/expires_at", "in_past")]),
    ({"content": "a", "expires_at": "2099-01-01T00:00:00"}, [("/expires_at", "naive_time")]),
    # labels
    ({"content": "a", "session_id": "x" * 257}, [("/session_id", "out_of_range")]),
    ({"content": "a", "session_id": ""}, [("/session_id", "blank")]),
    ({"content": "a", "session_id": "s", "run_id": "s"}, [("", "alias_conflict")]),
    ({"content": "a", "agent_id": 7}, [("/agent_id", "wrong_type")]),
    ({"content": "a", "agent_id": "a\x00b"}, [("/agent_id", "invalid_text")]),
    ({"content": "a", "source": "web"}, [("/source", "wrong_type")]),
    ({"content": "a", "source": {"type": "email"}}, [("/source/type", "out_of_range")]),
    ({"content": "a", "source": {"id": "x" * 257}}, [("/source/id", "out_of_range")]),
    ({"content": "a", "subject": " \u200b"}, [("/subject", "blank")]),
    ({"content": "a", "subject": "x" * 129}, [("/subject", "out_of_range")]),
    ({"content": "a", "attribute": ["x"]}, [("/attribute", "wrong_type")]),
    ({"content": "a", "kind": "working"}, [("/kind", "kind_not_stored")]),
    ({"content": "a", "kind": "Semantic"}, [("/kind", "out_of_range")]),
    # metadata is free, within limits
    ({"content": "a", "metadata": []}, [("/metadata", "wrong_type")]),
    ({"content": "a", "metadata": DEEP}, [("/metadata", "out_of_range")]),
    ({"content": "a", "metadata": {str(n): n for n in range(51)}}, [("/metadata", "too_many")]),
    ({"content": "a", "metadata": {"a": "x" * 8190}}, [("/metadata", "out_of_range")]),
    ({"content": "a", "metadata": {"a": ["\x00"]}}, [("/metadata", "invalid_text")]),
    ({"content": "a", "metadata": {"\udfff": 1}}, [("/metadata", "invalid_text")]),
    ({"content": "a", "metadata": {"a": 2**63}}, [("", "out_of_range")]),
    # modes
    ({"content": "a", "dry_run": "true"}, [("/dry_run", "wrong_type")]),
    ({"content": "a", "infer": 1}, [("/infer", "wrong_type")]),
    ({"content": "a", "force": True}, [("/force", "out_of_range")]),
    ({"content": "a", "importance": 5}, [("/importance", "out_of_range")]),
    ({"content": "a", "infer": False, "force": True, "importance": 11}, [("/importance", "out_of_range")]),
    ({"content": "a", "infer": False, "force": True, "importance": 0}, [("/importance", "out_of_range")]),
    ({"content": "a", "infer": False, "force": True, "importance": 5.0}, [("/importance", "wrong_type")]),
    ({"content": "a", "infer": False, "force": True, "importance": True}, [("/importance", "wrong_type")]),
    ({"content": "a", "derived_from": ID}, [("/derived_from", "wrong_type")]),
    ({"content": "a", "derived_from": [1]}, [("/derived_from/0", "wrong_type")]),
    ({"content": "a", "derived_from": [ID] * 33}, [("/derived_from", "too_many")]),
    # several at once, each in its place
    (
        {"content": "a", "kind": "x", "metadata": 1, "foo": 1, "bar": 2},
        [("/metadata", "wrong_type"), ("/kind", "out_of_range"), ("", "unknown_field")],
    ),
]

RECALLS: list[tuple[dict[str, Any], list[tuple[str, str]]]] = [
    ({}, [("/query", "one_of_required")]),
    ({"query": None}, [("/query", "one_of_required")]),
    ({"query": ""}, [("/query", "blank")]),
    ({"query": " \u3000\n"}, [("/query", "blank")]),
    ({"query": "x" * 8001}, [("/query", "out_of_range")]),
    ({"query": ["x"]}, [("/query", "wrong_type")]),
    ({"query": "a\x00"}, [("/query", "invalid_text")]),
    ({"query": "a\ud83d"}, [("/query", "invalid_text")]),
    *[({"query": "x", "k": k}, [("/k", "out_of_range")]) for k in (0, -1, 101, 10**9)],
    *[({"query": "x", "k": k}, [("/k", "wrong_type")]) for k in ("five", "5", 2.5, 5.0, True, [5])],
    ({"query": "x", "top_k": "5"}, [("/k", "wrong_type")]),
    ({"query": "x", "top_k": 5, "limit": 5}, [("", "alias_conflict")]),
    ({"query": "x", "k": 5, "limit": 5}, [("", "alias_conflict")]),
    ({"query": "x", "threshold": 0.5}, [("", "unknown_field")]),
    ({"query": "x", "memory_type": "semantic"}, [("", "unknown_field")]),
    ({"query": "x", "user_id": "bob"}, [("", "user_in_body")]),
    ({"query": "x", "kinds": []}, [("/kinds", "out_of_range")]),
    ({"query": "x", "kinds": "semantic"}, [("/kinds", "wrong_type")]),
    ({"query": "x", "kinds": ["semantic", "working"]}, [("/kinds/1", "kind_not_stored")]),
    ({"query": "x", "subject": ""}, [("/subject", "blank")]),
    ({"query": "x", "min_score": 1.1}, [("/min_score", "out_of_range")]),
    ({"query": "x", "min_score": -0.1}, [("/min_score", "out_of_range")]),
    ({"query": "x", "min_score": "0.5"}, [("/min_score", "wrong_type")]),
    ({"query": "x", "min_score": True}, [("/min_score", "wrong_type")]),
    ({"query": "x", "min_trust": 5}, [("/min_trust", "out_of_range")]),
    ({"query": "x", "min_trust": 2.0}, [("/min_trust", "wrong_type")]),
    ({"query": "x", "include": "held"}, [("/include", "wrong_type")]),
    ({"query": "x", "include": ["quarantined"]}, [("/include/0", "out_of_range")]),
    ({"query": "x", "token_budget": 32001}, [("/token_budget", "out_of_range")]),
    ({"query": "x", "token_budget": -1}, [("/token_budget", "out_of_range")]),
    ({"query": "x", "as_of": {}}, [("/as_of", "one_of_required")]),
    ({"query": "x", "as_of": {"valid_at": None}}, [("/as_of", "one_of_required")]),
    ({"query": "x", "as_of": "2025-04-15T00:00:00Z"}, [("/as_of", "wrong_type")]),
    ({"query": "x", "as_of": {"valid_at": "2025-04-15T00:00:00"}}, [("/as_of/valid_at", "naive_time")]),
    ({"query": "x", "as_of": {"known_at": SOON}}, [("/as_of/known_at", "in_future")]),
    ({"query": "x", "as_of": {"at": SOON, "known_at": wire_time(NOW)}}, [("/as_of", "unknown_field")]),
    ({"query": "x", "trace": "yes"}, [("/trace", "wrong_type")]),
    ({"query": "x", "filters": {"session_id": "\x00"}}, [("/filters/session_id", "invalid_text")]),
    ({"query": "x", "filters": {"metadata.\ud800": 1}}, [("/filters", "invalid_text")]),
]

FORGETS: list[tuple[dict[str, Any], list[tuple[str, str]]]] = [
    ({}, [("", "one_of_required")]),
    ({"memory_ids": None}, [("", "one_of_required")]),
    ({"dry_run": True}, [("", "one_of_required")]),
    ({"subject": "user", "session_id": "s"}, [("", "one_of_required")]),
    ({"everything": False, "subject": "user"}, [("", "one_of_required")]),
    ({"memory_ids": []}, [("/memory_ids", "out_of_range")]),
    ({"memory_ids": [ID] * 1001}, [("/memory_ids", "too_many")]),
    ({"memory_ids": [1]}, [("/memory_ids/0", "wrong_type")]),
    ({"memory_ids": ID}, [("/memory_ids", "wrong_type")]),
    ({"memory_ids": ["\x00"]}, [("/memory_ids/0", "invalid_text")]),
    ({"subject": " "}, [("/subject", "blank")]),
    ({"source_id": ""}, [("/source_id", "blank")]),
    ({"session_id": "\t"}, [("/session_id", "blank")]),
    ({"query": " ", "dry_run": True}, [("/query", "blank")]),
    ({"query": "x", "dry_run": True, "k": 101}, [("/k", "out_of_range")]),
    ({"query": "x", "dry_run": True, "min_score": 2}, [("/min_score", "out_of_range")]),
    ({"subject": "user", "k": 5, "min_score": 0.5}, [("/k", "out_of_range"), ("/min_score", "out_of_range")]),
    ({"everything": False}, [("/everything", "out_of_range")]),
    ({"everything": "true"}, [("/everything", "wrong_type")]),
    ({"before": "2025-01-01T00:00:00"}, [("/before", "naive_time")]),
    ({"before": "2025-01-01"}, [("/before", "wrong_type")]),
    ({"preview_token": "pv", "dry_run": True}, [("/dry_run", "out_of_range")]),
    ({"preview_token": "pv", "history": False}, [("/history", "out_of_range")]),
    ({"preview_token": "p\x00"}, [("/preview_token", "invalid_text")]),
    ({"everything": True, "block_relearn": True}, [("", "unknown_field")]),
    ({"user_id": "anna", "everything": True}, [("", "user_in_body")]),
    ({"filters": {"session_id": "\x00"}}, [("/filters/session_id", "invalid_text")]),
]

EXPLAINS: list[tuple[dict[str, Any], list[tuple[str, str]]]] = [
    ({}, [("", "one_of_required")]),
    ({"memory_id": None}, [("", "one_of_required")]),
    ({"recall_id": ID, "write_id": ID}, [("", "one_of_required")]),
    ({"write_id": ID, "memory_id": ID}, [("", "one_of_required")]),
    ({"question": "why?", "memory_id": ID}, [("", "one_of_required")]),
    ({"recall": {"query": "x"}}, [("", "one_of_required")]),
    ({"recall": {"query": "x"}, "recall_id": ID, "memory_id": ID}, [("", "one_of_required")]),
    ({"memory_id": 1}, [("/memory_id", "wrong_type")]),
    ({"question": " "}, [("/question", "blank")]),
    ({"recall": {"query": "x", "k": 0}, "memory_id": ID}, [("/recall/k", "out_of_range")]),
    ({"recall": {"query": "x", "foo": 0}, "memory_id": ID}, [("/recall", "unknown_field")]),
    ({"recall": [], "memory_id": ID}, [("/recall", "wrong_type")]),
    ({"recall": {"query": "x", "as_of": {}}, "memory_id": ID}, [("/recall/as_of", "one_of_required")]),
    (
        {"recall": {"query": "x", "filters": {"kind": "\x00"}}, "memory_id": ID},
        [("/recall/filters/kind", "invalid_text")],
    ),
    ({"memory_id": ID, "user_id": "bob"}, [("", "user_in_body")]),
]

PATCHES: list[tuple[dict[str, Any], list[tuple[str, str]]]] = [
    ({}, [("", "one_of_required")]),
    ({"content": None}, [("", "one_of_required")]),
    ({"content": " "}, [("/content", "blank")]),
    ({"content": "a\x00"}, [("/content", "invalid_text")]),
    ({"content": "x" * 32_001}, [("/content", "out_of_range")]),
    ({"pinned": "yes"}, [("/pinned", "wrong_type")]),
    ({"expires_at": wire_time(NOW)}, [("/expires_at", "in_past")]),
    ({"metadata": DEEP}, [("/metadata", "out_of_range")]),
    ({"expiration_date": None}, [("", "unknown_field")]),
    ({"status": "active"}, [("", "unknown_field")]),
    ({"trust": 4}, [("", "unknown_field")]),
]

APPROVALS: list[tuple[dict[str, Any], list[tuple[str, str]]]] = [
    ({"note": " "}, [("/note", "blank")]),
    ({"note": 1}, [("/note", "wrong_type")]),
    ({"note": "\x00a"}, [("/note", "invalid_text")]),
    ({"trust": 4}, [("", "unknown_field")]),
]

WRITE = ("POST", "/memories/write")
RECALL = ("POST", "/recall")
FORGET = ("POST", "/forget")
EXPLAIN = ("POST", "/explain")
PATCH = ("PATCH", f"/memories/{ID}")
APPROVE = ("POST", f"/memories/{ID}/approve")
REJECT = ("POST", f"/memories/{ID}/reject")
NO_OBJECTS: list[object] = [[], "text", 1, None, True]
CASES: list[tuple[tuple[str, str], object, list[tuple[str, str]]]] = [
    *[(WRITE, body, faults) for body, faults in WRITES],
    *[(RECALL, body, faults) for body, faults in RECALLS],
    *[(FORGET, body, faults) for body, faults in FORGETS],
    *[(EXPLAIN, body, faults) for body, faults in EXPLAINS],
    *[(PATCH, body, faults) for body, faults in PATCHES],
    *[(APPROVE, body, faults) for body, faults in APPROVALS],
    (REJECT, {"note": "x"}, [("", "unknown_field")]),
    *[
        (call, body, [("", "wrong_type")])
        for call in (WRITE, RECALL, FORGET, EXPLAIN, PATCH, APPROVE, REJECT)
        for body in NO_OBJECTS
    ],
]


@pytest.mark.parametrize(("call", "body", "faults"), CASES)
async def test_a_wrong_body_is_refused_with_the_place_and_the_code(
    client: httpx.AsyncClient,
    lethe: ScriptedLethe,
    call: tuple[str, str],
    body: object,
    faults: list[tuple[str, str]],
) -> None:
    response = await send(client, *call, body)
    assert faults_of(response) == faults
    assert lethe.commands == []


async def test_words_are_forgotten_only_after_a_preview(client: httpx.AsyncClient) -> None:
    response = await client.post("/forget", json={"query": "anything about Munich"})
    assert problem_of(response)["code"] == "preview_required"
    assert problem_of(response)["errors"] == []


@pytest.mark.parametrize(
    ("path", "body", "hint"),
    [
        ("/recall", {"query": "x", "threshold": 1}, "min_score"),
        ("/recall", {"query": "x", "memory_type": "semantic"}, "kind"),
        ("/memories/write", {"content": "x", "expiration_date": "2099-01-01"}, "expires_at"),
        ("/memories/write", {"content": "x", "user_id": "bob"}, "X-User-Id"),
    ],
)
async def test_a_field_known_from_elsewhere_gets_a_hint(
    client: httpx.AsyncClient, path: str, body: dict[str, Any], hint: str
) -> None:
    response = await client.post(path, json=body)
    assert hint in problem_of(response)["errors"][0]["detail"]


async def test_a_hundred_thousand_faults_give_a_short_answer(client: httpx.AsyncClient) -> None:
    response = await client.post("/memories/write", json={"content": "a", **{f"key{n}": n for n in range(50_000)}})
    assert faults_of(response) == [("", "unknown_field")]
    many = [{"role": "nobody", "name": 1, "occurred_at": "x"}] * 100
    assert len(faults_of(await client.post("/memories/write", json={"messages": many}))) == 50


# what the filter language refuses is tested with its parser; here, that it is asked, and where faults point to
FILTERS: list[tuple[tuple[str, str], dict[str, Any], list[tuple[str, str]]]] = [
    (RECALL, {"query": "x", "filters": []}, [("/filters", "wrong_type")]),
    (RECALL, {"query": "x", "filters": {"user_id": "bob"}}, [("/filters", "user_in_body")]),
    (RECALL, {"query": "x", "filters": {"metadata.a": {"$regex": "x"}}}, [("/filters", "unknown_operator")]),
    (FORGET, {"filters": {}}, [("/filters", "blank")]),
    (FORGET, {"filters": {"nothing": 1}}, [("/filters", "unknown_field")]),
    (EXPLAIN, {"memory_id": ID, "recall": {"query": "x", "filters": 1}}, [("/recall/filters", "wrong_type")]),
]


@pytest.mark.parametrize(("call", "body", "faults"), FILTERS)
async def test_filters_are_parsed_before_anything_is_done(
    client: httpx.AsyncClient,
    lethe: ScriptedLethe,
    call: tuple[str, str],
    body: object,
    faults: list[tuple[str, str]],
) -> None:
    response = await send(client, *call, body)
    assert [(pointer[: len("/recall/filters")], code) for pointer, code in faults_of(response)] == faults
    assert lethe.commands == []


async def test_an_empty_filter_is_no_filter_in_a_recall(client: httpx.AsyncClient, lethe: ScriptedLethe) -> None:
    assert (await client.post("/recall", json={"query": "x", "filters": {}})).status_code == 200
    assert lethe.last().filters is None
