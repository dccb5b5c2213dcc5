"""How a thing is said: said again, as a figure of speech, as a lasting wish, or as the news of one night."""

from __future__ import annotations

import pytest

from app.domain.memory import Code, Kind, Verdict
from tests.domain.saying import candidates, verdict, verdicts


class TestSaidAgain:
    @pytest.mark.parametrize(
        "text",
        [
            "As I said, I'm vegan.",
            "Like I said, I'm vegan.",
            "as I told you, I'm vegan",
            "As I mentioned earlier, I'm vegan.",
            "As I said before: I'm vegan",
            "Like I've already told you, I'm vegan.",
            "As mentioned above, I'm vegan.",
            "I already told you that I'm vegan.",
            "I told you I'm vegan.",
            "I said I'm vegan.",
            "I've mentioned before that I'm vegan.",
        ],
    )
    def test_it_is_the_speakers_own_statement(self, text: str) -> None:
        (found,) = verdicts(text)
        (candidate,) = candidates(text)
        assert found.decision is Verdict.KEEP
        assert (candidate.claim.attribute, candidate.claim.value, candidate.quote) == ("diet", "vegan", text)
        assert candidate.content == "User is vegan"

    @pytest.mark.parametrize(
        "text",
        [
            "He said: I'm vegan.",
            "She told me, I'm vegan.",
            "“I'm vegan,” said the waiter.",
            "As the hero said: I'm vegan.",
            "In the song he sings: I'm vegan",
        ],
    )
    def test_words_of_others_are_not(self, text: str) -> None:
        assert {found.decision for found in verdicts(text)} == {Verdict.DROP}


class TestFigures:
    @pytest.mark.parametrize(
        "text",
        [
            "I'm allergic to paperwork",
            "I'm allergic to Mondays lol",
            "I'm allergic to early mornings, sorry",
            "I'm married to my job",
            "I basically live in my inbox these days",
            "I work for my cat, she's the boss",
            "I could eat a horse",
            "I'd kill for a coffee",
            "I'm dying of boredom",
        ],
    )
    def test_they_state_no_fact(self, text: str) -> None:
        found = verdict(text)
        assert (found.decision, found.reasons[0].code) == (Verdict.DROP, Code.HYPOTHETICAL)

    @pytest.mark.parametrize(
        "text",
        [
            # what may well be meant
            "I'm allergic to cleaning products",
            "I'm allergic to work gloves",
            "I'm allergic to latex",
            "I'm allergic to exercise, it gives me hives",
            "I'm married to my best friend Jon",
            "I live in Head, a village in Cornwall",
            "I live in a boat on the river",
            "Our docs live in Slack",
            "I work for my father's company",
        ],
    )
    def test_what_may_be_meant_is_kept(self, text: str) -> None:
        assert Verdict.KEEP in {found.decision for found in verdicts(text)}


class TestStandingWishes:
    @pytest.mark.parametrize(
        "text",
        [
            "Could you keep your answers short from now on?",
            "Can you always answer in French?",
            "Could you please never use emojis?",
            "Will you stop using emojis?",
            "Would you mind using shorter sentences going forward?",
            "From now on, could you answer in French?",
            "Could you ask me before you delete anything, every time?",
            "For future reference, use tabs",
            "As a general rule, give me the code first",
            "In all your answers, use metric units",
            "Moving forward, keep it brief",
        ],
    )
    def test_a_question_or_a_preface_does_not_make_them_requests(self, text: str) -> None:
        found = verdict(text)
        assert (found.decision, found.kind) == (Verdict.KEEP, Kind.PROCEDURAL)

    @pytest.mark.parametrize(
        "text",
        [
            "Could you keep your answer short?",
            "Can you always see my messages?",
            "Do you always answer in French?",
            "Can you explain why I always get this error?",
            "Could you tell me what happens every time I press it?",
            "Can you answer this in French?",
            "Would you mind checking this?",
            "Can you write code?",
            "Please answer in German this time",
        ],
    )
    def test_a_question_or_a_request_for_once_is_no_standing_wish(self, text: str) -> None:
        assert verdict(text).decision is Verdict.DROP

    @pytest.mark.parametrize(
        "text",
        ["I want you to call me Sam", "I'd like you to call me Sam", "We'd prefer that you call me Sam", "Call me Sam"],
    )
    def test_a_wish_for_a_name_is_kept_however_it_is_put(self, text: str) -> None:
        (candidate,) = candidates(text)
        assert (candidate.claim.attribute, candidate.claim.value) == ("preferred_name", "Sam")
        assert verdict(text).decision is Verdict.KEEP

    @pytest.mark.parametrize("text", ["I want you to call me later", "I'd like you to call me back tomorrow"])
    def test_a_call_is_no_name(self, text: str) -> None:
        assert candidates(text)[0].claim.attribute != "preferred_name"


class TestOneDay:
    @pytest.mark.parametrize(
        "text",
        [
            "I slept badly last night",
            "I slept terribly",
            "Slept like a log",
            "I hardly slept",
            "I woke up late this morning",
            "I couldn't sleep last night",
            "I went to bed early yesterday",
            "I had a great lunch today",
            "I skipped breakfast",
            "I missed the bus this morning",
            "I had a headache yesterday",
        ],
    )
    def test_how_a_night_or_a_meal_went_is_over(self, text: str) -> None:
        found = verdict(text)
        assert (found.decision, found.reasons[0].code) == (Verdict.DROP, Code.EPHEMERAL)

    @pytest.mark.parametrize(
        "text",
        [
            "I sleep badly",
            "I haven't slept well since the accident",
            "I always skip breakfast",
            "I've had headaches for weeks",
            "I broke my leg last night",
            "I had lunch with my new boss Priya yesterday",
            "I had a heart attack last night",
            "I slept in a tent every night of my childhood",
        ],
    )
    def test_what_goes_on_or_weighs_more_is_not(self, text: str) -> None:
        assert verdict(text).decision is not Verdict.DROP


class TestToldWithARequest:
    @pytest.mark.parametrize(
        ("text", "content"),
        [
            ("Don't forget: I am allergic to penicillin.", "User is allergic to penicillin"),
            ("Never forget: I'm diabetic.", "User is diabetic"),
            ("Take into account that I'm diabetic.", "User is diabetic"),
            ("Update my profile: I live in Graz.", "User lives in Graz"),
            ("Let me tell you something: my name is Paul.", "User's name is Paul"),
            ("Call my wife Anna, she is allergic to nuts.", "User's wife Anna is allergic to nuts"),
            ("Use my new address, I moved to Graz.", "User lives in Graz"),
            ("Send it to my work email, I work at Bosch now.", "User works at Bosch now"),
            ("Book a table for two, I'm allergic to shellfish and my wife is vegan.", "User is allergic to shellfish"),
            ("Suggest a restaurant, because I'm allergic to shellfish.", "User is allergic to shellfish"),
        ],
    )
    def test_what_somebody_says_of_themselves_is_kept(self, text: str, content: str) -> None:
        found = zip(candidates(text), verdicts(text), strict=True)
        assert content in [one.content for one, own in found if own.decision is Verdict.KEEP]

    @pytest.mark.parametrize(
        "text",
        [
            # words for somebody else, words to be worked on, a remark
            "Write a poem, I live in Oslo.",
            "Tell him, I live in Oslo.",
            "Translate this, I live in Rome.",
            "Write an email to my boss: I am sick today.",
            "Give me a plan, I think.",
            "Forget it, I was wrong.",
        ],
    )
    def test_what_is_part_of_the_request_is_not(self, text: str) -> None:
        assert all(own.decision is Verdict.DROP for own in verdicts(text))
