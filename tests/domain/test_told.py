"""What a speaker tells over the statements and messages of one write: corrections, and who is who."""

from __future__ import annotations

import pytest

from app.domain.commands import WriteCommand
from app.domain.intake import Offer, consider
from app.domain.memory import Code, Message, Modality, Role, Verdict, default_thresholds
from tests.domain.saying import SAID_AT


def told(*turns: str | tuple[Role, str] | tuple[Role, str, str]) -> list[Offer]:
    """Judge turns as one write; a plain one is the user's."""
    messages = tuple(
        Message(Role.USER, turn, SAID_AT)
        if isinstance(turn, str)
        else Message(turn[0], turn[1], SAID_AT, name=turn[2] if len(turn) == 3 else None)
        for turn in turns
    )
    return consider(WriteCommand(messages=messages, received_at=SAID_AT), thresholds=default_thresholds())


def contents(offers: list[Offer], decision: Verdict) -> list[str]:
    return [one.candidate.content for one in offers if one.candidate and one.verdict.decision is decision]


CORRECTIONS = [
    # said in so many words
    ("I live in Oslo.", "Sorry, I meant Bergen.", "User lives in Bergen"),
    ("I live in Oslo.", "oops, I mean Bergen", "User lives in Bergen"),
    ("I live in Oslo.", "Sorry, I meant to say Bergen!", "User lives in Bergen"),
    ("I live in Oslo.", "I should have said Bergen.", "User lives in Bergen"),
    ("I live in Oslo.", "That should be Bergen.", "User lives in Bergen"),
    ("I live in Oslo.", "Make that Bergen.", "User lives in Bergen"),
    ("I live in Oslo.", "Correction: Bergen.", "User lives in Bergen"),
    ("I live in Oslo.", "My mistake, it's Bergen.", "User lives in Bergen"),
    ("I live in Oslo.", "No wait, Bergen.", "User lives in Bergen"),
    ("I live in Oslo.", "Sorry, Bergen.", "User lives in Bergen"),
    # by naming what was wrong
    ("I live in Oslo.", "Bergen, not Oslo.", "User lives in Bergen"),
    ("I live in Oslo.", "Not Oslo, Bergen.", "User lives in Bergen"),
    ("I live in Oslo.", "Typo: Bergen instead of Oslo", "User lives in Bergen"),
    # other attributes, other people
    ("I work at Equinor.", "Scratch that, Statkraft.", "User works at Statkraft"),
    ("I'm allergic to nuts.", "Typo, eggs.", "User is allergic to eggs"),
    ("I have two kids.", "Sorry, three.", "User has three kids"),
    ("My sister lives in Rome.", "I meant Milan.", "User's sister lives in Milan"),
    # a day for a day, a date for a date: also where no attribute was read
    (
        "My dentist appointment is on Tuesday.",
        "Sorry, I meant Wednesday.",
        "User's dentist appointment is on Wednesday",
    ),
    ("My exam is on 3 May.", "Correction: 4 May.", "User's exam is on 4 May"),
]


class TestCorrections:
    @pytest.mark.parametrize(("first", "then", "right"), CORRECTIONS)
    @pytest.mark.parametrize("apart", [False, True], ids=["one message", "two messages"])
    def test_the_right_word_takes_the_place_of_the_wrong_one(
        self, first: str, then: str, right: str, *, apart: bool
    ) -> None:
        offers = told(first, then) if apart else told(f"{first} {then}")
        wrong, found = offers
        assert wrong.verdict.decision is Verdict.DROP
        assert wrong.verdict.reasons[0].code is Code.HYPOTHETICAL
        assert found.verdict.decision is Verdict.KEEP
        assert found.candidate is not None
        assert found.candidate.content.startswith(right)
        assert found.candidate.quote in then

    def test_an_answer_in_between_does_not_matter(self) -> None:
        offers = told("I live in Oslo.", (Role.ASSISTANT, "Nice city!"), "Sorry, I meant Bergen.")
        assert contents(offers, Verdict.KEEP) == ["User lives in Bergen"]

    def test_what_was_told_to_be_wrong_is_closed_where_it_is_held_already(self) -> None:
        found = told("I'm allergic to nuts.", "Typo, eggs.")[1].candidate
        assert found is not None
        assert (found.claim.value, found.claim.ends, found.claim.ended_value) == ("eggs", True, "nuts")

    @pytest.mark.parametrize(
        "then",
        [
            # an apology, a remark, a question, thanks
            "Sorry!",
            "Sorry, that was a long message.",
            "Sorry, dinner.",
            "I mean, it's fine.",
            "I mean it.",
            "I meant well.",
            "I meant to say thanks.",
            "No wait, what time is it?",
            "Thanks, not bad.",
            "Oops, wrong window.",
            "Make it quick.",
            # a day is no city, and another city after no mark is no correction
            "Actually, Monday.",
            "Bergen.",
        ],
    )
    def test_what_only_looks_like_one_takes_nothing_back(self, then: str) -> None:
        for offers in (told("I live in Oslo.", then), told(f"I live in Oslo. {then}")):
            assert "User lives in Oslo" in contents(offers, Verdict.KEEP)

    def test_a_number_does_not_become_a_city_nor_a_month(self) -> None:
        kept = contents(told("I moved to Lisbon in March.", "My mistake, April."), Verdict.KEEP)
        assert kept == ["User lives in Lisbon"]

    def test_nobody_corrects_somebody_else(self) -> None:
        offers = told((Role.USER, "I live in Oslo.", "Kim"), (Role.USER, "Sorry, I meant Bergen.", "Lee"))
        assert contents(offers, Verdict.KEEP) == ["User lives in Oslo"]

    def test_a_question_is_not_corrected_into_a_fact(self) -> None:
        assert contents(told("Do I live in Oslo?", "Sorry, I meant Bergen."), Verdict.KEEP) == []

    def test_kidding_takes_back_what_the_message_before_said(self) -> None:
        offers = told("I'm married to a robot.", "just kidding")
        assert contents(offers, Verdict.KEEP) == []


class TestCorrectionsThatAreNone:
    @pytest.mark.parametrize(
        "then", ["Oh, Anna.", "Well, Norway.", "Ok, Bergen.", "Make that three paragraphs.", "Hm, Rome!"]
    )
    def test_soft_words_and_other_things_correct_nothing(self, then: str) -> None:
        assert "User lives in Oslo" in contents(told("I live in Oslo.", then), Verdict.KEEP)

    @pytest.mark.parametrize("then", ["Oh, Anna.", "Sorry, Munich.", "No, Rome."])
    def test_an_answer_to_a_question_is_no_correction(self, then: str) -> None:
        offers = told("I live in Oslo.", (Role.ASSISTANT, "What is the name you look for?"), then)
        assert "User lives in Oslo" in contents(offers, Verdict.KEEP)

    def test_a_number_of_other_things_is_no_correction(self) -> None:
        assert "User has two kids" in contents(told("I have two kids.", "Make that three paragraphs."), Verdict.KEEP)

    def test_a_place_puts_the_home_right_and_not_the_employer(self) -> None:
        kept = contents(told("I live in Berlin. I work at SAP. Correction: Hamburg."), Verdict.KEEP)
        assert kept == ["User works at SAP", "User lives in Hamburg"]

    def test_another_employer_puts_the_employer_right(self) -> None:
        kept = contents(told("I live in Berlin. I work at SAP. Correction: Bosch."), Verdict.KEEP)
        assert kept == ["User lives in Berlin", "User works at Bosch"]

    def test_a_place_without_a_place_before_it_corrects_nothing(self) -> None:
        assert "User works at SAP" in contents(told("I work at SAP. Correction: Hamburg."), Verdict.KEEP)

    def test_an_uncertain_correction_closes_nothing_that_was_written_before(self) -> None:
        found = told("I live in Oslo.", "Sorry, Bergen.")[1].candidate
        assert found is not None
        assert (found.claim.value, found.claim.ends) == ("Bergen", False)


class TestCorrectionsInAFullClause:
    @pytest.mark.parametrize(
        ("text", "kept"),
        [
            ("I'm vegan. Scratch that, I'm vegetarian.", ["User is vegetarian"]),
            ("I'm vegan. Oops, I'm vegetarian.", ["User is vegetarian"]),
            ("I'm vegan. Just kidding, I'm vegetarian.", ["User is vegetarian"]),
            ("I have a dog. Sorry, I have two dogs.", ["User has two dogs"]),
            ("I live in Oslo. Sorry, I meant I live in Bergen.", ["User lives in Bergen"]),
            ("I work at SAP. I meant to say I work at Bosch.", ["User works at Bosch"]),
            ("I live in Oslo. That's not true, I live in Bergen.", ["User lives in Bergen"]),
            ("Typo: I live in Graz.", ["User lives in Graz"]),
            ("My bad, I live in Graz.", ["User lives in Graz"]),
            # one more of many, another subject, another kind of thing
            (
                "I'm allergic to nuts. Wait, I'm allergic to eggs too.",
                ["User is allergic to nuts", "User is allergic to eggs too"],
            ),
            ("I like tea. Actually, I like coffee.", ["User likes tea", "User likes coffee"]),
            ("I live in Oslo. Sorry, actually I live in Bergen.", ["User lives in Bergen"]),
            ("I live in Oslo. Sorry, I'm vegan.", ["User lives in Oslo", "User is vegan"]),
            ("I live in Oslo. Actually, my son lives in Rome.", ["User lives in Oslo", "User's son lives in Rome"]),
        ],
    )
    def test_the_statement_before_is_taken_back_where_both_tell_the_same(self, text: str, kept: list[str]) -> None:
        assert contents(told(text), Verdict.KEEP) == kept

    def test_without_an_attribute_one_word_may_differ(self) -> None:
        first, then = told("My flight is on Monday. My mistake, my flight is on Tuesday.")
        assert (first.verdict.decision, then.verdict.decision) == (Verdict.DROP, Verdict.KEEP)

    def test_an_apology_without_a_pause_is_no_mark(self) -> None:
        (found,) = told("Sorry I live so far away.")
        assert found.candidate is not None
        assert found.candidate.words == "Sorry I live so far away."


class TestTakenBack:
    @pytest.mark.parametrize(
        "then",
        [
            "Scratch that.",
            "Wait, strike that!",
            "That's wrong.",
            "No, that's not true.",
            "I take that back.",
            "I take back what I said.",
            "Sorry, I was wrong about that.",
            "Forget what I just said.",
            "Please ignore my last message.",
            "What I said before was not true.",
        ],
    )
    def test_what_was_said_last_does_not_stand_and_the_words_are_no_statement(self, then: str) -> None:
        for offers in (told("I'm vegan. I live in Oslo.", then), told(f"I'm vegan. I live in Oslo. {then}")):
            assert contents(offers, Verdict.KEEP) == ["User is vegan"]

    @pytest.mark.parametrize(
        ("text", "kept"),
        [
            ("I live in Oslo. Wait, that's wrong. It's Bergen.", ["User lives in Bergen"]),
            ("I live in Oslo. Oops. Bergen.", ["User lives in Bergen"]),
            ("I'm vegan. Scratch that. I'm vegetarian.", ["User is vegetarian"]),
            ("My flight is at 9:40. Sorry. I meant 9:50.", ["User's flight is at 9:50"]),
        ],
    )
    def test_the_right_words_may_stand_in_the_next_sentence(self, text: str, kept: list[str]) -> None:
        assert contents(told(text), Verdict.KEEP) == kept

    @pytest.mark.parametrize(
        "then",
        [
            "That's right.",
            "Never mind.",
            "What I said was true.",
            "Forget it, I'll do it myself.",
            "Ignore the noise.",
            "I take the bus back.",
        ],
    )
    def test_other_words_take_nothing_back(self, then: str) -> None:
        assert "User lives in Oslo" in contents(told("I live in Oslo.", then), Verdict.KEEP)

    def test_after_an_answer_only_words_about_oneself_take_back(self) -> None:
        answer = (Role.ASSISTANT, "Oslo is the capital of Sweden.")
        assert "User lives in Oslo" in contents(told("I live in Oslo.", answer, "That's wrong."), Verdict.KEEP)
        assert contents(told("I live in Oslo.", answer, "Scratch that."), Verdict.KEEP) == []

    def test_a_question_in_between_does_not_hide_plain_words(self) -> None:
        asked = (Role.ASSISTANT, "Noted! Shall I remind you?")
        kept = contents(told("My flight is at 9:40.", asked, "Sorry, I meant 9:50."), Verdict.KEEP)
        assert kept == ["User's flight is at 9:50"]

    @pytest.mark.parametrize(
        ("first", "then"),
        [
            ("I have two kids.", "Sorry, I meant 9:50."),
            ("My flight is at 9:40.", "Sorry, I meant Tuesday."),
            ("My dentist appointment is on Monday.", "Sorry, I meant 9:50."),
            ("I have two exams on Monday.", "I meant 9:50."),
        ],
    )
    def test_a_time_puts_a_time_right_and_a_day_a_day(self, first: str, then: str) -> None:
        assert told(first, then)[0].verdict.decision is Verdict.KEEP


class TestQuotingOneself:
    @pytest.mark.parametrize(
        "then",
        [
            "I said I live in Oslo, but that's wrong.",
            "I know I said I live in Oslo, but I was wrong.",
            "Earlier I told you that I live in Oslo but that was a mistake",
            "I mentioned I live in Oslo - that isn't true.",
            "I was wrong when I said I live in Oslo.",
            "I was joking when I said that I live in Oslo.",
            "It's not true that I live in Oslo.",
            "Please forget that I said I live in Oslo.",
        ],
    )
    def test_what_is_quoted_as_wrong_is_taken_back_and_not_told(self, then: str) -> None:
        for offers in (told("I live in Oslo.", then), told(f"I live in Oslo. {then}")):
            assert offers[0].verdict.decision is Verdict.DROP
            last = offers[-1].candidate
            assert last is not None
            assert (last.takes_back, last.claim.modality, last.claim.value) == (True, Modality.QUOTED, "Oslo")
        (alone,) = told(then)
        assert alone.candidate is not None
        assert alone.candidate.takes_back

    @pytest.mark.parametrize(
        ("text", "right"),
        [
            ("I said I live in Oslo, but I meant Bergen.", "User lives in Bergen"),
            ("I said I live in Oslo, but that's not true, I live in Bergen.", "User lives in Bergen"),
            ("I said I live in Oslo, but that's wrong: Bergen.", "User lives in Bergen"),
            ("When I said I live in Oslo, I meant Bergen.", "User lives in Bergen"),
            ("I told you that my flight is at 9:40, but it's 9:50.", "User's flight is at 9:50"),
            ("I told you my sister lives in Rome, but it's Milan.", "User's sister lives in Milan"),
        ],
    )
    def test_what_is_right_is_told(self, text: str, right: str) -> None:
        wrong, found = told(text)
        assert wrong.candidate is not None
        assert wrong.candidate.takes_back
        assert found.candidate is not None
        assert (found.verdict.decision, found.candidate.content) == (Verdict.KEEP, right)

    @pytest.mark.parametrize(
        ("text", "kept"),
        [
            ("I said I live in Oslo.", "User lives in Oslo"),
            ("I told you I'm allergic to nuts, that's right.", "User is allergic to nuts"),
            ("I said I like tea, but it's too hot today.", "User likes tea"),
            ("It's true that I live in Oslo.", "User lives in Oslo"),
        ],
    )
    def test_what_is_only_said_again_stays(self, text: str, kept: str) -> None:
        found = contents(told(text), Verdict.KEEP)
        assert any(one.startswith(kept) for one in found)
        assert not any(one.candidate.takes_back for one in told(text) if one.candidate)


class TestASentenceThatPutsItselfRight:
    @pytest.mark.parametrize(
        ("text", "kept"),
        [
            ("I live in Oslo, no wait, Bergen.", ["User lives in Bergen"]),
            ("I live in Oslo, scratch that, I live in Bergen.", ["User lives in Bergen"]),
            ("My flight is at 9:40, sorry, 9:50.", ["User's flight is at 9:50"]),
            ("I have two kids... sorry, three.", ["User has three kids"]),
            ("I work at SAP, I mean Bosch.", ["User works at Bosch"]),
            ("My exam is on Monday - no, Tuesday.", ["User's exam is on Tuesday"]),
            # no correction of anything
            ("I have two dogs, no cats.", ["User has two dogs, no cats"]),
            ("I live in Oslo, sorry for the late reply.", ["User lives in Oslo, sorry for the late reply"]),
        ],
    )
    def test_only_what_is_right_is_kept(self, text: str, kept: list[str]) -> None:
        assert [one.partition(" (")[0] for one in contents(told(text), Verdict.KEEP)] == kept


class TestJokes:
    @pytest.mark.parametrize(
        "then",
        [
            "Kidding aside, I really am.",
            "Jk Rowling is my favourite author.",
            "Joking about allergies is not funny.",
            "Just kidding around with friends.",
            "Just kidding, I live in Oslo.",
        ],
    )
    def test_a_sentence_that_begins_like_a_joke_takes_nothing_back(self, then: str) -> None:
        for offers in (told("I'm allergic to nuts.", then), told(f"I'm allergic to nuts. {then}")):
            assert "User is allergic to nuts" in contents(offers, Verdict.KEEP)

    @pytest.mark.parametrize(
        "then", ["Just kidding!", "jk", "I'm only joking.", "That was a joke.", "Just kidding, haha."]
    )
    def test_the_mark_alone_takes_the_whole_sentence_back(self, then: str) -> None:
        assert contents(told("I quit my job and moved to Rome.", then), Verdict.KEEP) == []

    def test_a_joke_is_taken_back_in_the_next_turn_or_never(self) -> None:
        robot = "I'm married to a robot."
        assert contents(told(robot, (Role.ASSISTANT, "Really?"), "just kidding"), Verdict.KEEP) == []
        assert "User is married to a robot" in contents(told(robot, "Hello there", "just kidding"), Verdict.KEEP)

    @pytest.mark.parametrize("then", ["No kidding.", "No joke!"])
    def test_no_joke_is_no_joke(self, then: str) -> None:
        for offers in (told("I'm married to a robot.", then), told(f"I'm married to a robot. {then}")):
            assert "User is married to a robot" in contents(offers, Verdict.KEEP)
        assert contents(told("I'm allergic to nuts, no kidding."), Verdict.KEEP)

    @pytest.mark.parametrize(
        "text", ["I meant Bergen.", "Sorry, I meant 9:50.", "Correction: Bosch.", "That should be 4."]
    )
    def test_a_correction_of_nothing_that_is_known_makes_no_memory(self, text: str) -> None:
        assert [one.verdict.decision for one in told(text)] == [Verdict.DROP]


class TestNames:
    @pytest.mark.parametrize(
        ("introduced", "subject"),
        [
            ("My wife Ana is a nurse.", "person:ana"),
            ("My wife's name is Ana.", "person:wife"),
            ("My wife is called Ana.", "person:wife"),
            ("Ana is my wife.", "person:ana"),
        ],
    )
    @pytest.mark.parametrize("later", ["Ana works at Equinor.", "My wife works at Equinor."])
    def test_a_name_and_a_relation_mean_the_same_person_in_later_messages(
        self, introduced: str, subject: str, later: str
    ) -> None:
        for offers in (told(introduced, later), told(introduced, (Role.ASSISTANT, "How nice"), later)):
            last = offers[-1].candidate
            assert last is not None
            assert (last.claim.subject, last.claim.attribute, last.claim.value) == (subject, "employer", "Equinor")

    def test_another_speaker_has_a_wife_of_their_own(self) -> None:
        offers = told((Role.USER, "My wife Ana is a nurse.", "Kim"), (Role.USER, "My wife works at Equinor.", "Lee"))
        assert [one.candidate.claim.subject for one in offers if one.candidate] == ["person:ana", "person:wife"]

    def test_she_of_another_message_is_nobody_for_certain(self) -> None:
        offers = told("My wife Ana is a nurse.", "She works at Equinor.")
        assert offers[-1].verdict.decision is Verdict.HOLD

    def test_an_unknown_name_stays_a_name(self) -> None:
        offers = told("My wife Ana is a nurse.", "Eva works at Equinor.")
        assert offers[-1].candidate is not None
        assert offers[-1].candidate.claim.subject == "person:eva"

    def test_an_assistant_introduces_nobody(self) -> None:
        offers = told((Role.ASSISTANT, "Your wife's name is Ana."), "Ana works at Equinor.")
        assert offers[-1].candidate is not None
        assert offers[-1].candidate.claim.subject == "person:ana"


def test_what_a_later_message_takes_back_is_no_news_beside_the_rest_of_its_message() -> None:
    plain = [one.candidate for one in told("I'm learning Italian now. I quit my job.") if one.candidate]
    assert all("I quit my job." in [words for _, words in one.told] for one in plain)
    taken = [
        one.candidate for one in told("I'm learning Italian now. I quit my job.", "Just kidding.") if one.candidate
    ]
    assert len(taken) >= len(plain)
    assert all("I quit my job." not in [words for _, words in one.told] for one in taken)
