from __future__ import annotations

import pytest

from app.domain.voice import third_person, third_singular


@pytest.mark.parametrize(
    ("said", "told"),
    [
        # the verb after "I"
        ("I use PostgreSQL", "User uses PostgreSQL"),
        ("I'm vegan", "User is vegan"),
        ("I've lived here for years", "User has lived here for years"),
        ("I have a cat", "User has a cat"),
        ("I don't eat meat", "User doesn't eat meat"),
        ("I can't swim", "User can't swim"),
        ("I went to Rome", "User went to Rome"),
        ("I need glasses", "User needs glasses"),
        ("I really love jazz", "User really loves jazz"),
        ("I no longer live in Paris", "User no longer lives in Paris"),
        ("I study law", "User studies law"),
        ("I will start in May", "User will start in May"),
        ("i watch football", "User watches football"),
        ("I cook and bake", "User cooks and bakes"),
        # what belongs to the speaker
        ("I use PostgreSQL for all my services", "User uses PostgreSQL for all their services"),
        ("My favourite colour is blue", "User's favourite colour is blue"),
        ("Coffee makes me nervous", "Coffee makes User nervous"),
        ("My wife taught me to cook when I was ill", "User's wife taught them to cook when they were ill"),
        ("Our client Northwind wants weekly reports", "User's client Northwind wants weekly reports"),
    ],
)
def test_first_person_becomes_third(said: str, told: str) -> None:
    assert third_person(said) == told


@pytest.mark.parametrize(
    "said", ["We use Kafka", "You told me so", "The sky is blue", "I not only use Go", "I + you", "I"]
)
def test_what_the_grammar_does_not_allow_is_left(said: str) -> None:
    assert third_person(said) is None or said == "I"


@pytest.mark.parametrize(
    ("verb", "form"),
    [
        ("go", "goes"),
        ("try", "tries"),
        ("play", "plays"),
        ("fix", "fixes"),
        ("am", "is"),
        ("bought", "bought"),
        ("moved", "moved"),
        ("feed", "feeds"),
    ],
)
def test_verbs_are_inflected(verb: str, form: str) -> None:
    assert third_singular(verb) == form
