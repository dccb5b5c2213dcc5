"""One gate for every path (field reports W4, P2 and C6): whatever way a text comes in, it is judged and told alike."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from tests.conftest import User
from tests.services.looking import Eye

pytestmark = pytest.mark.anyio
FACT = "My deploy target is Fly"
OTHER = {"role": "user", "content": "I speak Dutch."}


def as_messages(text: str) -> dict[str, Any]:
    return {"messages": [{"role": "user", "content": text}]}


def in_a_batch(text: str) -> dict[str, Any]:
    return {"messages": [OTHER, {"role": "assistant", "content": "I see."}, {"role": "user", "content": text}]}


def as_content(text: str) -> dict[str, Any]:
    return {"content": text}


def verbatim(text: str) -> dict[str, Any]:
    return {"content": text, "infer": False}


def in_a_session(text: str) -> dict[str, Any]:
    return {**as_messages(text), "session_id": "s-1"}


def imported(text: str) -> dict[str, Any]:
    return {**verbatim(text), "source": {"type": "import", "id": "old-notes"}}


PATHS = [as_messages, in_a_batch, as_content, verbatim, in_a_session, imported]


@pytest.mark.parametrize("first", PATHS)
async def test_no_path_makes_a_twin_of_what_another_stored(user: User, first: Any) -> None:
    await user.ok("POST", "/memories/write", first(FACT))
    for path in PATHS:
        if (path is imported) != (first is imported):
            continue  # an import has less trust: it neither confirms nor merges
        answer = await user.ok("POST", "/memories/write", path(FACT))
        assert answer["results"][-1]["outcome"] == "reinforced"
    assert len([row for row in await user.stored(status=["active", "disputed"]) if "Fly" in row["content"]]) == 1


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize(
    "line", ["thanks!", "what time is it?", "HEARTBEAT_OK 12:00:01", "If I had a dog I'd call it Rex"]
)
async def test_what_the_gate_refuses_is_refused_on_every_path(user: User, path: Any, line: str) -> None:
    answer = await user.ok("POST", "/memories/write", path(line))
    refused = answer["results"][-1]
    assert refused["outcome"] == "dropped"
    assert refused["reasons"]
    assert not any(line[:8] in row["content"] for row in await user.stored(status=["active", "held", "quarantined"]))


async def test_what_was_approved_is_not_stored_again(user: User) -> None:
    text = "I'm thinking about getting a dog"
    held = (await user.write(text))["results"][0]["memory_id"]
    approved = (await user.ok("POST", f"/memories/{held}/approve", {}))["memory"]["id"]
    for session in ("a", "b"):
        (again,) = (await user.write(text, session_id=session))["results"]
        assert (again["outcome"], again["memory_id"]) == ("reinforced", approved)
    assert [row["id"] for row in await user.stored(status=["active", "held"])] == [approved]


@pytest.mark.parametrize(
    ("text", "secret", "kept"),
    [
        ("My AWS key is AKIA" + "Q7" * 8 + ", region eu-west-1, and I use PostgreSQL.", "AKIAQ7", "PostgreSQL"),
        ("I use PostgreSQL, the bot's token is ghp_" + "a1B2" * 9, "ghp_a1B2", "PostgreSQL"),
        ("I use PostgreSQL at postgres://app:hunter2pass@db/app", "hunter2pass", "PostgreSQL"),
        ("I use PostgreSQL and my password is Tr0ub4dor&3", "Tr0ub4dor", "PostgreSQL"),
    ],
)
@pytest.mark.parametrize("path", [as_messages, verbatim, in_a_session])
async def test_no_path_lets_a_credential_into_any_table(
    user: User, eye: Eye, path: Any, text: str, secret: str, kept: str
) -> None:
    answer = await user.call("POST", "/memories/write", json=path(text))
    assert secret not in answer.text
    assert any(kept in row["content"] for row in await user.stored())
    assert await eye.find(secret) == {}


@pytest.mark.parametrize(
    "text",
    [
        "I forgot my password again, as usual",
        "I work on JWT validation",
        "Our release commit is 3f786850e387550fdab836ed7e6dc881de23001b",
        "My device id is 123e4567-e89b-12d3-a456-426614174000",
    ],
)
async def test_talk_about_secrets_hashes_and_ids_is_left_alone(user: User, text: str) -> None:
    (result,) = (await user.write(text))["results"]
    assert "secret_redacted" not in {reason["code"] for reason in result["reasons"]}
    assert result["evidence"]["quote"] in {None, text}


@pytest.fixture(params=["America/Los_Angeles", "Asia/Tokyo", "UTC"])
def zone(request: pytest.FixtureRequest) -> Iterator[str]:
    """Let the process live in a time zone."""
    before = os.environ.get("TZ")
    os.environ["TZ"] = request.param
    time.tzset()
    yield request.param
    if before is None:
        del os.environ["TZ"]
    else:
        os.environ["TZ"] = before
    time.tzset()


async def test_the_zone_of_the_machine_shows_nowhere(user: User, zone: str) -> None:
    begin = datetime.now(UTC)
    memory_id = (await user.write("I use Redis"))["results"][0]["memory_id"]
    (recalled,) = (await user.recall("Redis"))["memories"]
    explained = (await user.explain(memory_id=memory_id))["memory"]
    listed = await user.ok("GET", f"/memories/{memory_id}")
    for name in ("created_at", "occurred_at"):
        told = {row[name] for row in (recalled, explained, listed) if name in row}
        assert len(told) == 1
        (said,) = told
        assert said.endswith("Z")
        assert begin - timedelta(seconds=5) <= datetime.fromisoformat(said) <= begin + timedelta(seconds=30)


async def test_a_correction_in_the_same_write_leaves_the_right_fact_only(user: User) -> None:
    for turns in (
        ["I live in Oslo.", "Sorry, I meant Bergen."],
        ["I work at Equinor. Oops, make that Statkraft."],
    ):
        messages = [{"role": "user", "content": turn} for turn in turns]
        answer = await user.write(messages=messages)
        assert [result["outcome"] for result in answer["results"]] == ["dropped", "stored"]
    assert {row["content"] for row in await user.stored(status=["active", "superseded", "held"])} == {
        "User lives in Bergen",
        "User works at Statkraft",
    }


async def test_a_list_makes_a_memory_of_each_item_with_the_items_own_words_as_evidence(user: User) -> None:
    answer = await user.write("Allergies:\n- nuts\n- eggs")
    assert [result["evidence"]["quote"] for result in answer["results"]] == ["nuts", "eggs"]
    assert {row["content"] for row in await user.stored()} == {"User is allergic to nuts", "User is allergic to eggs"}
