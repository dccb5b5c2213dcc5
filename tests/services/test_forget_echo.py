"""A fact stands in more than its own row: what was refused in the same write may repeat it."""

from __future__ import annotations

import pytest

from tests.conftest import User

pytestmark = pytest.mark.anyio


async def test_the_refused_echo_of_a_fact_goes_with_it(user: User) -> None:
    written = await user.ok(
        "POST",
        "/memories/write",
        {
            "messages": [
                {"role": "user", "content": "I live in Munich."},
                {"role": "assistant", "content": "Munich is lovely in spring!"},
            ]
        },
    )
    before = await user.explain(write_id=written["write_id"])
    assert "Munich is lovely in spring!" in [result["candidate"] for result in before["results"]]
    await user.forget(memory_ids=[written["results"][0]["memory_id"]])
    after = await user.explain(write_id=written["write_id"])
    assert [result["candidate"] for result in after["results"]] == [None, None]
    assert "Munich" not in str(after)


async def test_what_was_refused_in_another_write_stays_explained(user: User) -> None:
    kept = await user.write("I live in Munich.")
    refused = await user.write("Thanks for the help!")
    await user.forget(memory_ids=[kept["results"][0]["memory_id"]])
    explained = await user.explain(write_id=refused["write_id"])
    assert [result["candidate"] for result in explained["results"]] == ["Thanks for the help!"]


async def test_a_question_about_the_user_is_not_answered_with_somebody_elses_fact(user: User) -> None:
    await user.write("My brother Tom lives in Oslo.")
    answer = await user.explain(question="Where does the user live?")
    assert answer["memory"] is None
    answer = await user.explain(question="Where does my brother Tom live?")
    assert "Oslo" in answer["memory"]["content"]
