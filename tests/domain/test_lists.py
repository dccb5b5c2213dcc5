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
        ("My city: Oslo", ["User lives in Oslo"]),
        ("My city: Paris", ["User lives in Paris"]),
        (
            "About me:\nName: Jo Berg\nCity: Graz\nLanguages: German, Dutch",
            ["User's name is Jo Berg", "User lives in Graz", "User speaks German", "User speaks Dutch"],
        ),
        ("My details:\n\n- Age: 34\n- Employer: Acme", ["User's age is 34", "User works at Acme"]),
        ("Update my profile:\nCity: Graz", ["User lives in Graz"]),
        # items that speak for themselves
        ("About me:\n- I live in Oslo\n- I'm allergic to nuts", ["User lives in Oslo", "User is allergic to nuts"]),
        ("Please remember:\n- I'm allergic to nuts", ["User is allergic to nuts"]),
        ("Add to my profile:\n- I live in Graz", ["User lives in Graz"]),
        ("Please consider:\n- I'm diabetic", ["User is diabetic"]),
        ("Keep these in mind:\n- I'm vegan", ["User is vegan"]),
        # of others
        ("My wife:\n- she works at Equinor", ["User's wife works at Equinor"]),
        ("My wife's allergies:\n- nuts\n- eggs", [f"User's wife is allergic to {it}" for it in ("nuts", "eggs")]),
        ("Allergies of my son:\n- nuts", ["User's son is allergic to nuts"]),
        (
            "Allergies:\n- nuts (my daughter)\n- eggs",
            ["User's daughter is allergic to nuts", "User is allergic to eggs"],
        ),
        ("Allergies:\n- my son: eggs", ["User's son is allergic to eggs"]),
        ("My brother Tom:\n- lives in Oslo", ["User's brother Tom lives in Oslo"]),
        ("About my brother:\nCity: Oslo", ["User's brother lives in Oslo"]),
        # none, not, no longer
        ("Allergies: none", ["User has no allergies"]),
        ("Medications:\n- none", ["User has no medications"]),
        ("Likes: tea, but not coffee", ["User likes tea", "User doesn't like coffee"]),
        ("Tools I no longer use:\n- Jira", ["User no longer uses Jira"]),
        ("Countries I have never visited:\n- Peru", ["User has never visited Peru"]),
        # talk is no item
        ("Allergies:\nnuts\nThanks for your help", ["User is allergic to nuts"]),
        # a request does not make material of what somebody says of themselves
        (
            "Plan a week of dinners for me:\n- I'm allergic to nuts\n- my wife is vegan",
            ["User is allergic to nuts", "User's wife is vegan"],
        ),
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
        "Rewrite this:\n- I live in Rome\n- I'm vegan",
        "Proofread my list:\n- I live in Rome",
        # the lines of anybody's address or profile
        "Write a cover letter for this person.\n\nName: John Smith\nCity: Dallas\nEmployer: Acme",
        "Here's the job posting:\nCompany: Acme\nLocation: Berlin\nRole: data engineer",
        "John Smith's profile:\nName: John Smith\nAllergies: nuts\nHobbies: chess",
        "Name: John Smith\nAllergies: nuts",
        "City: Oslo",
        "Employer: Acme (until 2020), Globex",
        "Phone: 555-0134\nEmail: jo@example.com",
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


@pytest.mark.parametrize(
    ("text", "heading", "subject"),
    [
        ("Always answer in German:\n- I am learning it", "Always answer in German", "user"),
        ("Anna can't have gluten:\n- she is coeliac", "Anna can't have gluten", "person:anna"),
    ],
)
def test_a_heading_that_no_item_uses_is_a_statement_of_its_own(text: str, heading: str, subject: str) -> None:
    first, item = candidates(text)
    assert first.quote == heading
    assert verdicts(text)[0].decision is Verdict.KEEP
    assert (first.claim.subject, item.claim.subject) == (subject, subject)


def test_a_heading_that_says_nothing_is_refused_and_not_lost() -> None:
    text = "Plan a week of dinners for me:\n- I'm allergic to nuts"
    assert candidates(text)[0].quote == "Plan a week of dinners for me"
    assert verdicts(text)[0].decision is Verdict.DROP


def test_a_value_of_which_there_is_one_is_not_cut_at_its_comma() -> None:
    (found,) = candidates("My city: Portland, Oregon")
    assert found.quote == "Portland, Oregon"
