"""What only repeats a better ranked row comes last; what differs in anything but its wording never does."""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.domain.memory import Kind, Memory, Status
from app.domain.repeats import LONG_FROM, repeats, telling_words
from tests.domain.shelf import DAY, DAY_ONE, HOUR, memory, uid


def rows(*texts: str, **changes: Any) -> list[Memory]:
    return [memory(number, content=text, **changes) for number, text in enumerate(texts, start=1)]


def same(first: Memory, second: Memory) -> bool:
    return repeats([first, second], wanted=9) == {second.id: first.id}


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("I'm allergic to tree nuts.", "The user is allergic to tree nuts"),
        ("I use Postgres for analytics", "User uses Postgres for analytics."),
        ("User doesn't eat pork or shellfish", "The user does not eat pork or shellfish!"),
        ("I've two dogs", "I have 2 dogs."),
        ("On Tuesdays the user plays tennis", "User plays tennis on Tuesdays"),
        ("User loves dark mode in the editor", "User really likes dark mode in the editor"),
        ("The follow-up is on the 3rd floor", "the follow up is on the 3rd floor"),
        ("User has 1,200 EUR in savings", "user has 1200 EUR in savings"),
        ("**Deploy target**: the staging cluster", "Deploy target: the staging cluster"),
        ("User’s favourite colour is green", "My favorite color is green."),
        ("我喜欢喝咖啡加牛奶", "我喜欢喝咖啡加牛奶。"),
        ("I won't fly with Ryanair again", "I will not fly with Ryanair again"),
    ],
)
def test_the_same_in_other_words(one: str, other: str) -> None:
    assert same(*rows(one, other))
    assert same(*rows(other, one))


# each differs from its pair in one thing that matters
APART = [
    ("User has two kids in school", "User has three kids in school"),  # a number
    ("User has a dog and a cat", "User has dogs and a cat"),
    ("The badge code is 4711 at work", "The badge code is 4712 at work"),
    ("The freezer is at -5 degrees", "The freezer is at 5 degrees"),
    ("User takes .5 mg of Xanax", "User takes 5 mg of Xanax"),
    ("The stand-up is at 9:30 on Mondays", "The stand-up is at 9:45 on Mondays"),
    ("The flight to Rome is on 2026-03-01", "The flight to Rome is on 2026-03-02"),
    ("User met Ann in the park", "User met Ben in the park"),  # a name
    ("User met Ann in the park", "User met Ann and Ben in the park"),
    ("ann's brother lives in oslo", "ben's brother lives in oslo"),
    ("User works in IT at a bank", "User works at a bank"),
    ("User takes vitamin A in winter", "User takes a vitamin in winter"),
    ("User's blood type is A+", "User's blood type is A-"),
    ("User codes in C at work", "User codes in C++ at work"),
    ("User eats pork and beef", "User does not eat pork and beef"),  # a negation
    ("User drinks coffee without sugar", "User drinks coffee with sugar"),
    ("User never flies with Ryanair", "User flies with Ryanair"),
    ("User can go to the gym", "User can't go to the gym"),
    ("User lived in Oslo with Ann", "User lives in Oslo with Ann"),  # a tense
    ("User is moving to Oslo", "User was moving to Oslo"),
    ("User will visit Oslo and Bergen", "User visited Oslo and Bergen"),
    ("User prefers tea over coffee", "User prefers coffee over tea"),  # the order
    ("User flew from Oslo to Rome", "User flew from Rome to Oslo"),
    ("User drinks tea, not coffee", "User drinks coffee, not tea"),
    ("Ann beat Ben at chess", "Ben beat Ann at chess"),
    ("User plays tennis with Ann", "User quit tennis with Ann"),  # a verb
    ("User might buy a house", "User will buy a house"),
    ("Is user going to Rome with Ann?", "User is going to Rome with Ann"),
    ("User likes all Bach cantatas", "User likes some Bach cantatas"),
    ("我喜欢喝咖啡加牛奶", "我不喜欢喝咖啡加牛奶"),
    ("我爱你妈妈做的饭", "妈妈做的饭我爱你"),
    ("x != y on the port", "x = y on the port"),
    ("Set user_id to 5 in config", "Set id to 5 in config"),
]


@pytest.mark.parametrize(("one", "other"), APART)
def test_what_differs_in_a_number_a_name_a_negation_or_a_time_is_kept_apart(one: str, other: str) -> None:
    assert repeats(rows(one, other), wanted=9) == {}
    assert repeats(rows(other, one), wanted=9) == {}


@pytest.mark.parametrize(
    "text",
    [
        "Thanks!",
        "Thank you so much, Mel!",
        "Wow, that's great, Caroline!",
        "Sure, on Friday.",
        "Yes, I went there last week with Ann.",
        "He did it again at the office.",
        "I ran five miles with Ann yesterday.",
        "Are you going to Rome with Ann?",
        "你去哪里吃饭了吗",
        "",
        "😀 😀 😀 😀",
    ],
)
def test_short_turns_and_what_leans_on_its_surroundings_are_left_alone(text: str) -> None:
    assert telling_words(text) is None
    assert repeats(rows(text, text), wanted=9) == {}


TEXT = "User keeps a spare key at Ann's flat"


@pytest.mark.parametrize(
    "other",
    [
        {"subject": "person:brother"},
        {"kind": Kind.PROCEDURAL},
        {"status": Status.SUPERSEDED},
        {"positive": False},
        {"valid_from": DAY_ONE - DAY * 40},
        {"valid_to": DAY_ONE + DAY * 40},
        {"trust": 4},  # what is less trusted stands for nothing that is trusted more
    ],
)
def test_the_same_words_of_another_subject_kind_status_or_time_say_something_else(other: dict[str, Any]) -> None:
    assert same(memory(1, content=TEXT), memory(2, content=TEXT))
    assert not same(memory(1, content=TEXT), memory(2, content=TEXT, **other))


def test_a_less_trusted_row_gives_way() -> None:
    assert same(memory(1, content=TEXT), memory(2, content=TEXT, trust=1))


def test_an_event_is_the_same_only_at_the_same_time() -> None:
    def ran(number: int, **changes: Any) -> Memory:
        return memory(number, content="User ran ten miles with Ann", kind=Kind.EPISODIC, **changes)

    assert same(ran(1), ran(2, occurred_at=DAY_ONE + HOUR / 2))
    assert not same(ran(1), ran(2, occurred_at=DAY_ONE + HOUR))
    assert not same(ran(1), ran(2, occurred_at=DAY_ONE + DAY))
    # of one sentence in two spellings one may be taken for a fact
    assert same(ran(1), replace(ran(2, occurred_at=DAY_ONE + HOUR / 2), kind=Kind.SEMANTIC))
    assert not same(ran(1), replace(ran(2, occurred_at=DAY_ONE + DAY), kind=Kind.SEMANTIC))
    # a stated time counts, not when it was told
    day = DAY_ONE - DAY * 10
    assert same(ran(1, valid_from=day), ran(2, valid_from=day, occurred_at=DAY_ONE + DAY * 5))
    assert not same(ran(1, valid_from=day), ran(2, valid_from=day - DAY))


def test_long_texts_repeat_by_their_fingerprint_only() -> None:
    long = "Notes on the harbour: " + "the crane lifts nine tonnes at low tide. " * 30
    assert len(long) > LONG_FROM
    assert same(*rows(long, f" {long.upper()} "))
    assert not same(*rows(long, long.replace("The", "A", 1).replace("the crane", "a crane", 1)))


def test_the_best_ranked_stands_for_all_and_the_rest_is_not_looked_at() -> None:
    told = rows("I have two dogs", "I use Vim", "I've two dogs", "I have 2 dogs", "I like jazz music", "I've 2 dogs")
    assert repeats(told, wanted=9) == {uid(3): uid(1), uid(4): uid(1), uid(6): uid(1)}
    # the list is full with the third that says something new
    assert repeats(told, wanted=3) == {uid(3): uid(1), uid(4): uid(1)}
    assert repeats(told, wanted=0) == {}
    assert repeats([], wanted=5) == {}


WORDS = ("User", "not", "never", "Ann", "Ben", "tea", "coffee", "over", "3", "4", "drinks", "drank", "-", ",", "don't")


@settings(deadline=None)
@given(st.lists(st.sampled_from(WORDS), min_size=4, max_size=9), st.data())
def test_one_word_more_or_other_keeps_any_text_apart(words: list[str], data: st.DataObject) -> None:
    text = " ".join(words)
    place = data.draw(st.integers(0, len(words) - 1))
    word = data.draw(st.sampled_from(("not", "Cid", "17", "was", "without")))
    for other in ([*words[:place], word, *words[place:]], [*words[:place], word, *words[place + 1 :]]):
        assert other == words or not same(*rows(text, " ".join(other)))


@settings(deadline=None)
@given(st.text(max_size=80), st.text(max_size=80))
def test_any_text_is_read_and_the_answer_is_the_same_both_ways(one: str, other: str) -> None:
    assert same(*rows(one, other)) == same(*rows(other, one))
    assert telling_words(one) == telling_words(one)


def test_who_did_what_to_whom_stays_apart() -> None:
    for first, second in permutations(permutations(("Ann", "hired", "Ben", "for", "Cid")), 2):
        if same(*rows(" ".join(first), " ".join(second))):
            # one part moved to the front, the order within both parts kept
            turned = [first[n:] + first[:n] for n in range(len(first))]
            assert second in turned
