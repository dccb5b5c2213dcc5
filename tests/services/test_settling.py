"""What was held as a plan or a guess, and is settled by a later statement; it does not lie there until its end."""

from __future__ import annotations

from typing import Any

import pytest

from tests.conftest import User

pytestmark = pytest.mark.anyio

CAME_TRUE = [
    # a move, a purchase, a pet, a job, a tool, a diet, a language: other words, often another attribute
    ("I might move to Oslo.", "I moved to Oslo."),
    ("I might move to Oslo next year.", "I live in Oslo now."),
    ("Maybe we'll relocate to Lisbon.", "I moved to Lisbon."),
    ("I'm thinking about getting a dog.", "I got a dog."),
    ("I'm thinking about getting a dog.", "We adopted a dog yesterday."),
    ("I'm thinking of buying a Tesla.", "I bought a Tesla."),
    ("I may quit my job.", "I quit my job."),
    ("I might join Google.", "I joined Google."),
    ("I might switch to Neovim.", "I switched to Neovim."),
    ("I'm considering going vegan.", "I'm vegan now."),
    ("Maybe I'll learn Italian.", "I'm learning Italian."),
    # without any attribute; an event; a guess instead of a plan; somebody else's
    ("I might apply for the job at Equinor.", "I applied for the job at Equinor."),
    ("We might get married in June.", "We got married in June."),
    ("I probably live in a flood zone.", "I live in a flood zone."),
    ("I think I'm allergic to nuts.", "I'm allergic to nuts."),
    ("My sister might move to Rome.", "My sister moved to Rome."),
]
CAME_TO_NOTHING = [
    ("I might move to Oslo.", "I decided not to move to Oslo."),
    ("I think I'm allergic to nuts.", "I'm not allergic to nuts."),
]
OPEN = [
    # another place, another animal, another deed, another thing of that name, another person
    ("I might move to Oslo.", "I moved to Bergen."),
    ("I might move to Oslo.", "I visited Oslo in May."),
    ("I might move to Oslo.", "I like Oslo."),
    ("I might move to Oslo.", "My sister moved to Oslo."),
    ("My sister might move to Oslo.", "I moved to Oslo."),
    ("I'm thinking about getting a dog.", "I got a cat."),
    ("I'm thinking about getting a dog.", "I got a dog leash."),
    ("I'm thinking about getting a dog.", "I'm allergic to dogs."),
    ("I might switch to Neovim.", "I use Emacs."),
    ("I might join Google.", "I joined a gym."),
    # still a plan
    ("I might move to Oslo.", "I'm thinking about moving to Oslo."),
    ("I might move to Oslo.", "Should I move to Oslo?"),
    ("I might move to Oslo.", "If I moved to Oslo I would be happy."),
]


async def settled(user: User, held: str, then: str, **labels: Any) -> tuple[dict[str, Any], dict[str, Any]]:
    before = (await user.write(held, occurred_at="2025-06-01T09:00:00Z"))["results"][0]
    assert before["outcome"] == "held"
    after = (await user.write(then, occurred_at="2025-09-01T09:00:00Z", **labels))["results"][0]
    return before, after


class TestSettled:
    @pytest.mark.parametrize(("held", "then"), CAME_TRUE)
    async def test_what_came_true_takes_its_place(self, user: User, held: str, then: str) -> None:
        before, after = await settled(user, held, then)
        # it was never believed, so that nothing is claimed to be retired
        assert (after["outcome"], after["supersedes"]) == ("stored", [])
        reason = {"code": "promoted", "detail": "came true: it was held as a plan or a guess since 2025-06-01"}
        assert reason in after["reasons"]
        assert await user.stored(status="held") == []
        explained = await user.explain(memory_id=before["memory_id"])
        assert [step["memory_id"] for step in explained["history"]] == [before["memory_id"], after["memory_id"]]
        # it was never believed: no question about the past brings the plan
        asked = await user.recall(f"Before: {held}", k=20)
        assert before["memory_id"] not in {memory["id"] for memory in asked["memories"]}

    @pytest.mark.parametrize(("held", "then"), CAME_TO_NOTHING)
    async def test_what_came_to_nothing_is_settled_too(self, user: User, held: str, then: str) -> None:
        before, after = await settled(user, held, then)
        assert after["supersedes"] == []
        told = {reason["detail"] for reason in after["reasons"]}
        assert "settles what was held since 2025-06-01: it came to nothing" in told
        assert (await user.ok("GET", f"/memories/{before['memory_id']}"))["superseded_by"] == after["memory_id"]
        assert await user.stored(status="held") == []

    @pytest.mark.parametrize(("held", "then"), OPEN)
    async def test_what_says_less_or_something_else_leaves_it_open(self, user: User, held: str, then: str) -> None:
        before, _ = await settled(user, held, then)
        assert before["memory_id"] in {memory["id"] for memory in await user.stored(status="held")}

    async def test_a_repeat_of_the_fact_settles_what_was_held_after_it(self, user: User) -> None:
        await user.write("I live in Oslo.", occurred_at="2025-05-01T09:00:00Z")
        _, after = await settled(user, "I might move to Oslo.", "I live in Oslo.")
        assert after["outcome"] == "reinforced"
        assert await user.stored(status="held") == []

    async def test_an_older_statement_settles_nothing(self, user: User) -> None:
        before = (await user.write("I might move to Oslo.", occurred_at="2025-06-01T09:00:00Z"))["results"][0]
        await user.write("I moved to Oslo.", occurred_at="2025-01-01T09:00:00Z")
        assert [memory["id"] for memory in await user.stored(status="held")] == [before["memory_id"]]

    async def test_a_less_trusted_source_settles_nothing(self, user: User) -> None:
        before, _ = await settled(
            user, "I might move to Oslo.", "I moved to Oslo.", source={"type": "document", "id": "d"}
        )
        assert [memory["id"] for memory in await user.stored(status="held")] == [before["memory_id"]]
