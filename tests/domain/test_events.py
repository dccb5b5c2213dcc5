"""What comes again and again is a habit, and no event, whatever day or month it names."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from app.domain.extract import extract
from app.domain.memory import Kind, Message, Role

SAID = datetime(2025, 4, 22, 12, tzinfo=UTC)  # a Tuesday


def kinds(text: str) -> set[Kind]:
    return {one.kind for one in extract(Message(Role.USER, text, SAID), index=0, text=text)}


@pytest.mark.parametrize(
    "text",
    [
        "I go to choir on Tuesday evenings.",
        "We have a meeting every Monday.",
        "I have a call with my sister every other Sunday.",
        "Our team has a demo on Fridays.",
        "We go to the lake every summer, in July.",
        "The rent is due on the 1st of every month.",
        "I have physio twice a week.",
        "There's a release each quarter.",
    ],
)
def test_what_recurs_is_no_event(text: str) -> None:
    assert Kind.EPISODIC not in kinds(text), text


@pytest.mark.parametrize(
    "text",
    [
        "I have a dentist appointment on Friday.",
        "We have a meeting tomorrow, like every week.",
        "I'm flying to Rome on the 30th.",
        "Last Monday I ran a marathon.",
    ],
)
def test_what_happens_once_is_an_event(text: str) -> None:
    assert Kind.EPISODIC in kinds(text), text


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("My exam is on Thursday the 8th.", "2025-05-08"),
        ("My exam is on the 30th.", "2025-04-30"),
        ("The exam was on the 8th.", "2025-04-08"),
    ],
)
def test_a_day_of_the_month_is_the_nearest_one_that_the_tense_allows(text: str, day: str) -> None:
    (one,) = extract(Message(Role.USER, text, SAID), index=0, text=text)
    assert one.claim.valid_from is not None
    assert one.claim.valid_from.date().isoformat() == day
