"""What a question or a request tells in passing is a statement of its own."""

from __future__ import annotations

import pytest

from app.domain.memory import Modality
from tests.domain.saying import candidates

TOLD = [
    # reasons
    ("Since I'm vegan now, what can I cook tonight?", ["User is vegan now"]),
    ("Now that I live in Oslo, which gym should I join?", ["User lives in Oslo"]),
    ("Given that my rent is 1,200 euros, how much should I earn?", ["User's rent is 1,200 euros"]),
    ("Because my son is allergic to nuts, what should I bake?", ["User's son is allergic to nuts"]),
    ("What should I bake, since my son is allergic to nuts?", ["User's son is allergic to nuts"]),
    ("Since I'm vegan, and my wife hates tofu, what can I cook?", ["User is vegan", "User's wife hates tofu"]),
    ("As I live in Leeds now, is there a good dentist?", ["User lives in Leeds now"]),
    ("As a nurse on night shifts, how should I sleep?", ["User is a nurse on night shifts"]),
    # what is said of somebody or something
    ("Can you help me cut my AWS bill, which has grown to 900 dollars a month?", ["User's AWS bill has grown to 900"]),
    ("How do I greet my landlord, who raised the rent to 1,200 euros?", ["User's landlord raised the rent to 1,200"]),
    ("How do I tell my boss, who is called Renate now, that I'm late?", ["User's boss is called Renate now"]),
    ("What can I give my daughter Mia, who turns six on Friday?", ["User's daughter Mia turns six on Friday"]),
    ("Can I bring my dog, who's scared of trains, to the office?", ["User's dog is scared of trains"]),
    ("Remind me to call my sister Ana, who moved to Porto, on Friday.", ["User's sister Ana lives in Porto"]),
    (
        "I'm trying to increase the test coverage for my parser, which has recently improved to 78%.",
        ["The test coverage for User's parser has recently improved to 78%"],
    ),
    # a new value
    ("How would you plan a week with my new budget of 300 euros?", ["User's new budget is 300 euros"]),
    (
        "I want to redo the plan to reflect the new sprint deadline of April 5, 2026, can you help?",
        ["The new sprint deadline is April 5, 2026"],
    ),
    # other languages
    ("Da ich jetzt vegan bin, was kann ich heute kochen?", ["Ich bin jetzt vegan"]),
    ("Weil mein Sohn allergisch gegen Nüsse ist, was soll ich backen?", ["Mein Sohn ist allergisch gegen Nüsse"]),
    ("Maintenant que j'habite à Lyon, quel club me conseilles-tu ?", ["j'habite à Lyon"]),
    ("Ahora que vivo en Sevilla, ¿a qué gimnasio voy?", ["vivo en Sevilla"]),
    ("既然我搬到了杭州，有什么好的健身房？", ["我搬到了杭州"]),
]


@pytest.mark.parametrize(("text", "told"), TOLD)
def test_what_is_told_in_passing_is_a_statement(text: str, told: list[str]) -> None:
    found = [one for one in candidates(text) if one.claim.modality is Modality.ASSERTED]
    for words in told:
        assert any(one.content.startswith(words) for one in found), [one.content for one in found]
    for one in found:
        assert text[one.start :].startswith(one.quote)


@pytest.mark.parametrize(
    "text",
    [
        "Between my car and my bike, which is faster?",
        "Since you asked, what is the weather in Rome?",
        "Since I can't sleep, what can I do?",
        "As a test, can you tell me my name?",
        "As a rule, should I tip the driver?",
        "Is it because I'm tired?",
        "If I had my own car, which runs on gas, what would I pay?",
        "What if my boss, who is called Renate, were to leave?",
        "Imagine my house, which has ten rooms, burns down, what then?",
        "Write a story about my dog, who is a wizard.",
        "Translate this: my boss, who is mean, fired me.",
        "Should I take my umbrella, which would be heavy?",
        "Do you know the Louvre, which is in Paris?",
        "Falls ich vegan wäre, was könnte ich kochen?",
        "Si yo fuera vegano, ¿qué podría comer?",
    ],
)
def test_what_is_only_asked_or_supposed_is_no_statement(text: str) -> None:
    assert [one.content for one in candidates(text) if one.claim.modality is Modality.ASSERTED] == []


def test_what_comes_before_a_question_in_the_middle_of_a_sentence_is_told() -> None:
    text = "I'm using Flask 2.3 for my shop - can you help me add a login, and I prefer short answers?"
    first, *_ = candidates(text)
    assert (first.content, first.claim.modality) == ("User is using Flask 2.3 for their shop", Modality.ASSERTED)


def test_a_relative_clause_stays_with_what_it_is_about() -> None:
    contents = [one.content for one in candidates("I want to sell my car, which I never liked.")]
    assert contents == ["User wants to sell their car, which they never liked"]
