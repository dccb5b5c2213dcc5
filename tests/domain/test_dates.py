"""Dates in words, read at the speaker's own time (field reports C5 and C6)."""

from __future__ import annotations

from datetime import datetime

import pytest

from app.domain.dates import find

FRIDAY = "2025-01-10T10:00:00+00:00"


@pytest.mark.parametrize(
    ("text", "said", "since", "until"),
    [
        # days by name
        ("today", FRIDAY, "2025-01-10", "2025-01-11"),
        ("tomorrow", FRIDAY, "2025-01-11", "2025-01-12"),
        ("yesterday", FRIDAY, "2025-01-09", "2025-01-10"),
        ("the day after tomorrow", FRIDAY, "2025-01-12", "2025-01-13"),
        ("the day before yesterday", FRIDAY, "2025-01-08", "2025-01-09"),
        ("this morning", FRIDAY, "2025-01-10", "2025-01-11"),
        # weekdays: next is of the week after, last is the most recent, on is the coming one
        ("next Tuesday", FRIDAY, "2025-01-14", "2025-01-15"),
        ("next Tuesday", "2025-01-06T10:00:00+00:00", "2025-01-14", "2025-01-15"),
        ("next friday", FRIDAY, "2025-01-17", "2025-01-18"),
        ("last Monday", FRIDAY, "2025-01-06", "2025-01-07"),
        ("last Friday", FRIDAY, "2025-01-03", "2025-01-04"),
        ("this Sunday", FRIDAY, "2025-01-12", "2025-01-13"),
        ("on Monday", FRIDAY, "2025-01-13", "2025-01-14"),
        # periods, over the turn of the year too
        ("last month", FRIDAY, "2024-12-01", "2025-01-01"),
        ("next month", "2025-12-31T10:00:00+00:00", "2026-01-01", "2026-02-01"),
        ("last week", FRIDAY, "2024-12-30", "2025-01-06"),
        ("this week", FRIDAY, "2025-01-06", "2025-01-13"),
        ("next year", FRIDAY, "2026-01-01", "2027-01-01"),
        ("next weekend", FRIDAY, "2025-01-18", "2025-01-20"),
        # distances
        ("in three days", FRIDAY, "2025-01-13", "2025-01-14"),
        ("in 2 weeks", FRIDAY, "2025-01-24", "2025-01-25"),
        ("two months ago", FRIDAY, "2024-11-01", "2024-12-01"),
        ("a year ago", FRIDAY, "2024-01-01", "2025-01-01"),
        ("5 days ago", FRIDAY, "2025-01-05", "2025-01-06"),
        # the calendar
        ("2025-03-01", FRIDAY, "2025-03-01", "2025-03-02"),
        ("on 2025-03-01", FRIDAY, "2025-03-01", "2025-03-02"),
        ("5 May 2024", FRIDAY, "2024-05-05", "2024-05-06"),
        ("May 5th, 2024", FRIDAY, "2024-05-05", "2024-05-06"),
        ("on the 3rd of March", FRIDAY, "2024-03-03", "2024-03-04"),
        ("in 2021", FRIDAY, "2021-01-01", "2022-01-01"),
        ("since March 2020", FRIDAY, "2020-03-01", "2020-04-01"),
        ("since May", FRIDAY, "2024-05-01", "2024-06-01"),
        ("as of May", "2025-06-03T09:00:00+00:00", "2025-05-01", "2025-06-01"),
        ("until March", FRIDAY, "2025-03-01", "2025-04-01"),
        # leap day
        ("tomorrow", "2024-02-28T10:00:00+00:00", "2024-02-29", "2024-03-01"),
        ("next year", "2024-02-29T10:00:00+00:00", "2025-01-01", "2026-01-01"),
    ],
)
def test_a_date_is_the_period_it_names(text: str, said: str, since: str, until: str) -> None:
    (stamp,) = find(f"I was there {text}", datetime.fromisoformat(said))
    assert (stamp.since.date().isoformat(), stamp.until.date().isoformat()) == (since, until)
    assert f"I was there {text}"[stamp.start : stamp.end] == text


@pytest.mark.parametrize(
    ("text", "label"),
    [
        # without a year the tense tells the side of today; said on 3 June 2025
        ("I broke my arm on 5 May", "2025-05-05"),
        ("I broke my arm on 5 July", "2024-07-05"),
        ("I have an exam on 5 May", "2026-05-05"),
        ("I have an exam on 5 July", "2025-07-05"),
        ("My daughter starts school in September", "2025-09"),
        ("I finished school in September", "2024-09"),
        ("I have worked here since September", "2024-09"),
    ],
)
def test_a_date_without_a_year_goes_with_the_tense(text: str, label: str) -> None:
    assert [stamp.label for stamp in find(text, datetime.fromisoformat("2025-06-03T09:12:00+00:00"))] == [label]


@pytest.mark.parametrize(
    ("said", "day"),
    [
        # half past midnight in Helsinki is still the day before in UTC
        ("2025-03-01T00:30:00+02:00", "2025-02-28"),
        ("2025-03-01T23:30:00-08:00", "2025-02-28"),
        ("2025-01-01T00:00:00+14:00", "2024-12-31"),
    ],
)
def test_yesterday_is_yesterday_where_the_speaker_is(said: str, day: str) -> None:
    moment = datetime.fromisoformat(said)
    (stamp,) = find("I came back yesterday", moment)
    assert stamp.label == day
    assert stamp.since.utcoffset() == moment.utcoffset()


@pytest.mark.parametrize(
    ("text", "hour", "minute"),
    [
        ("next Tuesday at 15:00", 15, 0),
        ("tomorrow at 3pm", 15, 0),
        ("tomorrow at 12 am", 0, 0),
        ("on Friday at 9.30", 9, 30),
        ("2025-02-01, at 8:05 a.m.", 8, 5),
    ],
)
def test_an_hour_is_taken_in(text: str, hour: int, minute: int) -> None:
    (stamp,) = find(f"dentist {text}", datetime.fromisoformat(FRIDAY))
    assert (stamp.since.hour, stamp.since.minute) == (hour, minute)


@pytest.mark.parametrize(
    "text",
    [
        "Today's meeting notes are in the wiki",
        "yesterday’s soup was good",
        "I may go",
        "march on, soldiers",
        "version 2025-13-45",
        "on 31 February 2025",
        "the may-tree",
        "call 2025 times",
        "",
    ],
)
def test_what_is_no_date_is_left_alone(text: str) -> None:
    assert find(text, datetime.fromisoformat(FRIDAY)) == []


def test_the_edges_of_time_do_not_break() -> None:
    assert find("in 999 years and yesterday", datetime.fromisoformat("0001-01-01T00:00:00+00:00")) is not None
    assert find("next year, next week, tomorrow", datetime.fromisoformat("9999-12-31T00:00:00+00:00")) is not None
