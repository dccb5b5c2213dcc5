"""A correction that comes in a write of its own: it puts right what the same talk said last, and nothing else."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from tests.conftest import Service, Tenant, User
from tests.services.listening import statements

pytestmark = pytest.mark.anyio

EVERY = ["active", "superseded", "held", "disputed", "quarantined", "expired"]

RIGHT = [
    # a time for a time
    ("My flight is at 9:40.", "Sorry, I meant 9:50.", "User's flight is at 9:50"),
    ("My flight is at 9:40.", "Wait, that's wrong, it's 9:50.", "User's flight is at 9:50"),
    ("My flight is at 9:40.", "Wait, that's wrong. It's 9:50.", "User's flight is at 9:50"),
    ("My flight is at 9:40.", "Oops, typo: 9:50", "User's flight is at 9:50"),
    ("My flight is at 9:40.", "I meant to write 9:50!", "User's flight is at 9:50"),
    ("My flight is at 9:40.", "Scratch that, my flight is at 9:50.", "User's flight is at 9:50"),
    ("My standup is at 9.", "Correction: 9:30", "User's standup is at 9:30"),
    # a day for a day
    ("My dentist appointment is on Monday.", "No, Tuesday, not Monday.", "User's dentist appointment is on Tuesday"),
    ("My dentist appointment is on Monday.", "Sorry, Tuesday.", "User's dentist appointment is on Tuesday"),
    ("My exam is on 3 May.", "My mistake, 4 May.", "User's exam is on 4 May"),
    # a place, an employer, a number, an allergy; somebody else's
    ("I live in Oslo.", "Sorry, I meant Bergen.", "User lives in Bergen"),
    ("I live in Oslo.", "Bergen, not Oslo.", "User lives in Bergen"),
    ("I live in Oslo.", "Oops. Bergen.", "User lives in Bergen"),
    ("I live in Oslo.", "That's not true, I live in Bergen.", "User lives in Bergen"),
    ("I work at Equinor.", "Scratch that, Statkraft.", "User works at Statkraft"),
    ("I have two kids.", "Sorry, three.", "User has three kids"),
    ("I'm allergic to nuts.", "Typo, eggs.", "User is allergic to eggs"),
    ("My sister lives in Rome.", "I meant Milan.", "User's sister lives in Milan"),
    # half of a sentence
    ("I moved to Oslo and work at Equinor.", "I meant Statkraft.", "User works at Statkraft"),
]


def contents(rows: list[dict[str, Any]]) -> list[str]:
    return [str(row["content"]).partition(" (")[0] for row in rows]


def said(answer: dict[str, Any]) -> dict[str, Any]:
    """Give the result that did something."""
    return next(one for one in answer["results"] if one["outcome"] not in ("dropped",))


class TestPutRight:
    @pytest.mark.parametrize(("first", "then", "right"), RIGHT)
    @pytest.mark.parametrize("session", [None, "chat"])
    async def test_the_row_of_the_wrong_words_gives_way(
        self, user: User, first: str, then: str, right: str, session: str | None
    ) -> None:
        labels = {} if session is None else {"session_id": session}
        before = (await user.write(first, **labels))["results"][-1]
        made = said(await user.write(then, **labels))
        assert made["outcome"] == "superseded"
        assert made["supersedes"] == [before["memory_id"]]
        assert made["reasons"][0]["code"] == "corrected"
        current = contents(await user.stored())
        assert right in current
        old = await user.ok("GET", f"/memories/{before['memory_id']}")
        assert (old["status"], old["superseded_by"]) == ("superseded", made["memory_id"])
        # what was put right never held: a question about the past does not bring it back
        asked = await user.recall(f"What was it before? {first}", k=20)
        assert before["memory_id"] not in {memory["id"] for memory in asked["memories"]}

    async def test_the_history_tells_rule_and_quote(self, user: User) -> None:
        before = (await user.write("My flight is at 9:40."))["results"][0]
        after = said(await user.write("Sorry, I meant 9:50."))
        explained = await user.explain(memory_id=after["memory_id"])
        assert [step["memory_id"] for step in explained["history"]] == [before["memory_id"], after["memory_id"]]
        last = explained["history"][-1]
        assert (last["rule"], last["quote"]) == ("put_right", "Sorry, I meant 9:50.")
        assert last["reasons"][0] == {"code": "corrected", "detail": "put right: User's flight is at 9:40"}
        old = await user.explain(memory_id=before["memory_id"])
        assert "You put it right on" in old["narrative"]

    async def test_a_correction_may_be_corrected(self, user: User) -> None:
        for text in ("I live in Oslo.", "Sorry, I meant Bergen.", "No wait, Trondheim."):
            await user.write(text)
        assert contents(await user.stored()) == ["User lives in Trondheim"]

    async def test_it_may_mean_an_earlier_one_of_the_same_kind(self, user: User) -> None:
        await user.write("My flight is at 9:40. I'm allergic to nuts.")
        await user.write("Sorry, I meant 9:50.")
        assert sorted(contents(await user.stored())) == ["User is allergic to nuts", "User's flight is at 9:50"]

    async def test_the_wrong_start_of_a_state_is_put_right(self, user: User) -> None:
        await user.write("I have lived in Oslo since 2019.")
        await user.write("Sorry, I meant 2018.")
        (row,) = await user.stored()
        assert (row["value"], row["valid_from"][:4]) == ("Oslo", "2018")

    async def test_a_dry_run_shows_it_and_stores_nothing(self, user: User) -> None:
        before = (await user.write("My flight is at 9:40."))["results"][0]
        shown = (await user.write("Sorry, I meant 9:50.", dry_run=True))["results"][0]
        assert shown["resolution"]["targets"] == [
            {"memory_id": before["memory_id"], "content": "User's flight is at 9:40", "status_after": "superseded"}
        ]
        assert contents(await user.stored()) == ["User's flight is at 9:40"]

    async def test_what_the_wrong_words_had_retired_comes_back(self, user: User) -> None:
        volvo = (await user.write("I drive a Volvo. I own a Fiat."))["results"][0]
        sold = said(await user.write("I sold the Volvo."))
        assert sold["supersedes"] == [volvo["memory_id"]]
        await user.write("Sorry, I meant the Fiat.")
        assert volvo["memory_id"] in {row["id"] for row in await user.stored()}

    async def test_what_was_true_before_the_wrong_words_stays_its_history(self, user: User) -> None:
        munich = said(await user.write("I live in Munich.", occurred_at="2025-01-01T09:00:00Z"))
        await user.write("I moved to Oslo.")
        await user.write("Sorry, I meant Bergen.")
        (row,) = await user.stored()
        assert row["value"] == "Bergen"
        past = await user.recall("Where did I live before?")
        assert {memory["value"] for memory in past["memories"]} == {"Munich", "Bergen"}
        assert munich["memory_id"] in {memory["id"] for memory in past["memories"]}

    async def test_together_with_the_next_message_it_reads_as_one_talk(self, user: User) -> None:
        await user.write("My flight is at 9:40.")
        await user.write(messages=[{"role": "assistant", "content": "Shall I remind you?"}])
        await user.write("Sorry, I meant 9:50.")
        assert contents(await user.stored()) == ["User's flight is at 9:50"]


TAKEN_BACK = [
    "Scratch that.",
    "Scratch that, sorry.",
    "Strike that!",
    "Wait, that's wrong.",
    "That's not true.",
    "I take that back.",
    "Sorry, I was wrong about that.",
    "Forget what I just said.",
    "Please ignore my last message.",
    "Just kidding!",
    "That was a joke.",
]


class TestTakenBack:
    @pytest.mark.parametrize("then", TAKEN_BACK)
    @pytest.mark.parametrize("first", ["I live in Oslo.", "My flight is at 9:40.", "I might move to Oslo."])
    async def test_what_was_said_last_does_not_stand(self, user: User, first: str, then: str) -> None:
        before = (await user.write(first, session_id="chat"))["results"][0]
        made = (await user.write(then, session_id="chat"))["results"][0]
        assert (made["outcome"], made["supersedes"]) == ("superseded", [before["memory_id"]])
        assert made["memory_id"] == before["memory_id"]
        assert made["reasons"][0]["code"] == "corrected"
        assert await user.stored(status=["active", "held"]) == []
        explained = await user.explain(memory_id=before["memory_id"])
        assert "You took it back." in explained["narrative"]
        assert explained["history"][-1]["rule"] == "taken_back"
        # nothing is left to be taken back a second time
        again = (await user.write(then, session_id="chat"))["results"][0]
        assert again["outcome"] == "dropped"

    async def test_both_halves_of_a_sentence_go(self, user: User) -> None:
        await user.write("I quit my job and moved to Rome.")
        await user.write("Just kidding.")
        assert await user.stored() == []

    async def test_the_sentence_before_stays(self, user: User) -> None:
        await user.write("I'm vegan. I live in Oslo.")
        await user.write("Scratch that.")
        assert contents(await user.stored()) == ["User is vegan"]

    async def test_what_it_had_replaced_holds_again(self, user: User) -> None:
        munich = said(await user.write("I live in Munich.", occurred_at="2025-01-01T09:00:00Z"))
        await user.write("I moved to Oslo.")
        await user.write("Scratch that.")
        (row,) = await user.stored()
        assert (row["id"], row["valid_to"]) == (munich["memory_id"], None)
        assert (await user.ok("GET", f"/memories/{row['id']}"))["superseded_by"] is None

    async def test_what_was_said_before_as_well_is_taken_back_all_the_same(self, user: User) -> None:
        await user.write("I live in Oslo.", session_id="a")
        await user.write("I live in Oslo.", session_id="b")
        await user.write("Scratch that.", session_id="b")
        assert await user.stored() == []


class TestQuotedAsWrong:
    async def test_what_is_quoted_as_wrong_goes_whenever_it_was_said(self, user: User) -> None:
        before = (await user.write("I live in Oslo.", occurred_at="2025-01-01T09:00:00Z", session_id="a"))["results"][0]
        await user.write("My flight is at 9:40.", occurred_at="2025-01-01T09:00:00Z", session_id="a")
        for text in ("I said I live in Oslo, but that's wrong.", "I said my flight is at 9:40, but that's not true."):
            made = (await user.write(text, session_id="b"))["results"][0]
            assert (made["outcome"], made["reasons"][0]["code"]) == ("superseded", "corrected")
        assert await user.stored() == []
        assert (await user.ok("GET", f"/memories/{before['memory_id']}"))["status"] == "superseded"

    async def test_what_is_right_takes_its_place(self, user: User) -> None:
        await user.write("I live in Oslo.", occurred_at="2025-01-01T09:00:00Z")
        await user.write("When I said I live in Oslo, I meant Bergen.")
        assert contents(await user.stored()) == ["User lives in Bergen"]

    async def test_what_nobody_said_makes_no_memory(self, user: User) -> None:
        answer = await user.write("I said I live in Oslo, but that's wrong.")
        assert [one["outcome"] for one in answer["results"]] == ["dropped"]
        assert await user.stored() == []


class TestNothingElse:
    @pytest.mark.parametrize(
        ("first", "then"),
        [
            # another form: a day is no time, a number no city, a time no count
            ("My flight is at 9:40.", "Sorry, I meant Tuesday."),
            ("My dentist appointment is on Monday.", "Sorry, I meant 9:50."),
            ("I live in Oslo.", "Sorry, I meant 9:50."),
            ("I have two kids.", "Sorry, I meant 9:50."),
            ("I work at Equinor.", "Correction: Hamburg."),
            ("My exam is on 3 May.", "I meant Anna."),
            # an apology, a remark, a question, thanks, a new fact
            ("I live in Oslo.", "Sorry!"),
            ("I live in Oslo.", "Sorry, that was a long message."),
            ("I live in Oslo.", "No, thanks."),
            ("I live in Oslo.", "Actually, can you help me with a poem?"),
            ("I live in Oslo.", "Wait, what time is it?"),
            ("I live in Oslo.", "Sorry, I'm vegan."),
            ("I live in Oslo.", "Never mind."),
            ("I live in Oslo.", "That's right."),
        ],
    )
    async def test_what_does_not_fit_retires_nothing(self, user: User, first: str, then: str) -> None:
        before = (await user.write(first, session_id="chat"))["results"][0]
        await user.write(then, session_id="chat")
        assert before["memory_id"] in {row["id"] for row in await user.stored()}

    @pytest.mark.parametrize("then", ["Scratch that.", "Just kidding.", "Scratch that, Equinor."])
    async def test_the_last_statement_is_meant_also_where_it_was_not_kept(self, user: User, then: str) -> None:
        await user.write("I live in Oslo.")
        await user.write("Thanks a lot!")
        await user.write(then)
        assert contents(await user.stored()) == ["User lives in Oslo"]

    async def test_other_talks_and_other_days_are_out_of_reach(self, user: User) -> None:
        await user.write("I live in Oslo.", session_id="one")
        await user.write("Sorry, I meant Bergen.", session_id="other")
        await user.write("Scratch that.", session_id="other")
        assert "User lives in Oslo" in contents(await user.stored())

    @pytest.mark.parametrize(
        ("labels", "later", "reached"),
        [
            ({}, "2025-06-03T09:10:00Z", True),
            ({}, "2025-06-03T10:00:00Z", False),
            ({"session_id": "s"}, "2025-06-03T10:00:00Z", True),
            ({"session_id": "s"}, "2025-06-05T10:00:00Z", False),
            # what happened before cannot put right what came after
            ({"session_id": "s"}, "2025-06-03T08:00:00Z", False),
        ],
    )
    async def test_how_far_back_it_reaches(
        self, user: User, labels: dict[str, Any], later: str, *, reached: bool
    ) -> None:
        await user.write("My flight is at 9:40.", occurred_at="2025-06-03T09:00:00Z", **labels)
        await user.write("Sorry, I meant 9:50.", occurred_at=later, **labels)
        assert ("User's flight is at 9:40" not in contents(await user.stored())) == reached

    async def test_nobody_puts_another_user_right(self, tenant: Tenant, user: User) -> None:
        other = tenant.user("bob")
        await user.write("I live in Oslo.", session_id="shared")
        await other.write("Sorry, I meant Bergen.", session_id="shared")
        await other.write("Scratch that.", session_id="shared")
        assert contents(await user.stored()) == ["User lives in Oslo"]

    async def test_an_assistant_takes_nothing_back(self, user: User) -> None:
        await user.write("I live in Oslo.", session_id="s")
        for text in ("Scratch that.", "Sorry, I meant Bergen."):
            await user.write(messages=[{"role": "assistant", "content": text}], session_id="s")
        assert contents(await user.stored()) == ["User lives in Oslo"]

    async def test_a_document_takes_nothing_back(self, user: User) -> None:
        await user.write("I live in Oslo.", session_id="s")
        await user.write("Scratch that.", session_id="s", source={"type": "document", "id": "d"})
        assert contents(await user.stored()) == ["User lives in Oslo"]

    @pytest.mark.parametrize("then", ["That's wrong.", "Sorry, Munich.", "That's wrong, it's 10.", "No, Rome."])
    async def test_what_may_answer_the_assistant_puts_nothing_right(self, user: User, then: str) -> None:
        await user.write("I live in Oslo. My flight is at 9:40.", session_id="s")
        await user.write(messages=[{"role": "assistant", "content": "The shop opens at 9, right?"}], session_id="s")
        await user.write(then, session_id="s")
        assert {"User lives in Oslo", "User's flight is at 9:40"} <= set(contents(await user.stored()))

    async def test_what_was_forgotten_does_not_come_back_by_a_correction(self, user: User) -> None:
        await user.write("I'm vegan.", session_id="s")
        before = (await user.write("I live in Oslo.", session_id="s"))["results"][0]
        await user.forget(memory_ids=[before["memory_id"]])
        await user.write("Sorry, I meant Bergen.", session_id="s")
        await user.write("Scratch that.", session_id="s")
        assert contents(await user.stored()) == ["User is vegan"]

    async def test_two_corrections_at_once_leave_one_fact(self, user: User) -> None:
        await user.write("I live in Oslo.", session_id="s")
        await asyncio.gather(
            *(user.write(f"Sorry, I meant {city}.", session_id="s") for city in ("Bergen", "Trondheim", "Tromsø"))
        )
        assert len(await user.stored()) == 1


class TestWhatItCosts:
    async def test_only_a_mark_is_looked_up_by_one_statement_more(self, service: Service, user: User) -> None:
        await user.write("My flight is at 9:40.")
        counts = {}
        for text in ("Sorry, I meant 9:50.", "My sister lives in Rome.", "Thanks!", "Scratch that."):
            with statements(service) as seen:
                await user.write(text, dry_run=True)
            counts[text] = sum("from ledger left outer join ledger_texts" in one.casefold() for one in seen)
        assert counts == {"Sorry, I meant 9:50.": 1, "My sister lives in Rome.": 0, "Thanks!": 0, "Scratch that.": 1}
