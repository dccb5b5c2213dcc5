"""Lists: an item says what its heading and it say together."""

from __future__ import annotations

import pytest

from app.domain.memory import Kind, Modality, Verdict
from tests.domain.saying import candidates, verdicts


def kept(text: str) -> list[str]:
    found = candidates(text)
    return [one.content for one, own in zip(found, verdicts(text), strict=True) if own.decision is Verdict.KEEP]


@pytest.mark.parametrize(
    ("text", "contents"),
    [
        # every kind of bullet, and none
        ("Allergies:\n- nuts\n- eggs", ["User is allergic to nuts", "User is allergic to eggs"]),
        ("Allergies:\n* nuts\n* eggs", ["User is allergic to nuts", "User is allergic to eggs"]),
        ("Allergies:\n1. nuts\n2. eggs", ["User is allergic to nuts", "User is allergic to eggs"]),
        ("**Allergies:**\n• nuts\n• eggs", ["User is allergic to nuts", "User is allergic to eggs"]),
        ("My food allergies:\nnuts\neggs", ["User is allergic to nuts", "User is allergic to eggs"]),
        ("Allergies: nuts, eggs and sesame", [f"User is allergic to {it}" for it in ("nuts", "eggs", "sesame")]),
        # a heading that stops before its object
        ("I'm allergic to:\n- nuts\n- eggs", ["User is allergic to nuts", "User is allergic to eggs"]),
        ("I speak:\n- German\n- Dutch", ["User speaks German", "User speaks Dutch"]),
        ("I'm allergic to the following:\n- nuts", ["User is allergic to nuts"]),
        # headings of a profile
        ("Languages:\n- German", ["User speaks German"]),
        ("Things I like:\n- jazz\n- tea", ["User likes jazz", "User likes tea"]),
        ("City: Oslo", ["User lives in Oslo"]),
        # items that speak for themselves
        ("About me:\n- I live in Oslo\n- I'm allergic to nuts", ["User lives in Oslo", "User is allergic to nuts"]),
        ("Please remember:\n- I'm allergic to nuts", ["User is allergic to nuts"]),
        ("My wife:\n- she works at Equinor", []),
    ],
)
def test_an_item_is_read_with_its_heading(text: str, contents: list[str]) -> None:
    assert kept(text) == contents


@pytest.mark.parametrize(
    "text",
    [
        "When you answer:\n- be brief\n- use metric units",
        "From now on:\n- be brief\n- never use emojis",
        "Please always:\n- answer in French\n- use metric units",
    ],
)
def test_wishes_in_a_list_are_standing_wishes(text: str) -> None:
    found = verdicts(text)
    assert [(own.decision, own.kind) for own in found] == [(Verdict.KEEP, Kind.PROCEDURAL)] * 2


@pytest.mark.parametrize(
    "text",
    [
        # material of a request or of a question
        "Can you compare these:\n- Postgres\n- MySQL",
        "Which is better:\n- Oslo\n- Bergen",
        "Write a story with:\n- a dragon\n- a knight",
        "Summarise these notes:\n- I live in Oslo\n- I work at Equinor",
        "Suppose I had:\n- a dog\n- a cat",
        # nothing of the user's
        "Here is the error:\n- line 3\n- line 4",
        "Ingredients:\n- two eggs\n- flour",
        "```\nAllergies:\n- nuts\n```",
    ],
)
def test_material_is_no_fact(text: str) -> None:
    assert kept(text) == []


def test_items_are_exact_spans_and_say_what_they_mean_in_full() -> None:
    text = "Hello!\n\nAllergies:\n  - nuts\n  - eggs"
    items = [one for one in candidates(text) if one.claim.attribute == "allergic_to"]
    assert [(one.quote, text[one.start : one.start + len(one.quote)]) for one in items] == [
        ("nuts", "nuts"),
        ("eggs", "eggs"),
    ]
    assert [one.words for one in items] == ["I'm allergic to nuts", "I'm allergic to eggs"]


def test_a_list_ends_where_other_text_begins() -> None:
    text = "Allergies:\n- nuts\n\nI live in Oslo.\n- eggs"
    assert [one.claim.attribute for one in candidates(text)] == ["allergic_to", "home_city", None]


def test_a_heading_that_tells_something_is_kept_beside_its_items() -> None:
    found = candidates("I have two dogs:\n- Rex\n- Fido")
    assert [one.quote for one in found] == ["I have two dogs", "Rex", "Fido"]


def test_a_colon_without_a_list_is_a_sentence_as_ever() -> None:
    (found,) = candidates("My favourite colour: green")
    assert found.claim.modality is Modality.ASSERTED
    assert found.quote == "My favourite colour: green"
