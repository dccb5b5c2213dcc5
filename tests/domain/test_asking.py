"""Questions about the past see what was replaced; a time that is named comes first."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from app.domain.asking import Period, asks_for_the_past, period_of
from app.domain.memory import Kind
from app.domain.ranker import DEFAULT_WEIGHTS, Signals, rank
from tests.domain.shelf import memory

NOW = datetime(2025, 6, 3, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    "query",
    [
        "Where did I live before?",
        "where did I live before I moved",
        "What did I use to drive?",
        "What was my previous job?",
        "my old address",
        "Who was my former boss?",
        "What did I eat before that?",
        "Where did I live in 2023?",
        "Which editor did I use last year?",
        "Wo habe ich früher gewohnt?",
        "mein ehemaliger Arbeitgeber",
        "Où est-ce que j'habitais avant ?",
        "mon ancienne adresse",
        "¿Dónde vivía antes?",
        "mi antiguo trabajo",
        "我以前住在哪里？",
    ],
)
def test_these_ask_for_what_is_over(query: str) -> None:
    assert asks_for_the_past(query, NOW)


@pytest.mark.parametrize(
    "query",
    [
        "Where do I live?",
        "What should I do before the exam starts?",
        "Which oldies do I like?",
        "What am I used to that others are not?",
        "What do I take before breakfast on Mondays?",
        "How do I like my eggs?",
        "What is planned for next month?",
        "Wo wohne ich?",
        "Où est-ce que j'habite ?",
        # each of these names something of the past, or sounds like it, and asks for today
        "What editor do I use to write Python?",
        "Which service do we use to deploy?",
        "When is my trip to Antigua?",
        "Que dois-je faire avant de partir ?",
        "¿Qué debo hacer antes de viajar?",
        "Was muss ich vorher erledigen?",
        "下周三之前我要做什么",
        "我怎么过去",
        "What is my current job as of 2025?",
        "Do I still live at the address I moved to in 2024?",
        "What phone do I have, the one I bought in 2024?",
        "Which trips have I taken since 2023?",
        "¿Dónde vivo?",
        "我住在哪里？",
        "",
    ],
)
def test_these_do_not(query: str) -> None:
    assert not asks_for_the_past(query, NOW)


def test_the_period_is_the_one_that_is_named() -> None:
    assert period_of("What did I do in May 2024?", NOW) == Period(
        datetime(2024, 5, 1, tzinfo=UTC), datetime(2024, 6, 1, tzinfo=UTC)
    )
    assert period_of("What do I like?", NOW) is None
    # a long text is no question: its end is not read
    assert period_of("x " * 400 + "in May 2024", NOW) is None


@pytest.mark.parametrize(
    ("query", "since", "until"),
    [
        ("What did I do since 2023?", datetime(2023, 1, 1, tzinfo=UTC), NOW),
        ("Where did I work from 2019 to 2022?", datetime(2019, 1, 1, tzinfo=UTC), datetime(2023, 1, 1, tzinfo=UTC)),
        ("What happened before May 2024?", datetime(1, 1, 1, tzinfo=UTC), datetime(2024, 5, 1, tzinfo=UTC)),
        ("What did I own until 2020?", datetime(1, 1, 1, tzinfo=UTC), datetime(2021, 1, 1, tzinfo=UTC)),
    ],
)
def test_the_word_before_a_time_opens_it(query: str, since: datetime, until: datetime) -> None:
    assert period_of(query, NOW) == Period(since, until)


def test_what_happened_or_held_then_comes_first() -> None:
    may = Period(datetime(2024, 5, 1, tzinfo=UTC), datetime(2024, 6, 1, tzinfo=UTC))
    then, later = datetime(2024, 5, 9, tzinfo=UTC), datetime(2025, 5, 9, tzinfo=UTC)
    old_fact = memory(1, kind=Kind.SEMANTIC, valid_from=then - timedelta(days=900), valid_to=then)
    new_fact = memory(2, kind=Kind.SEMANTIC, valid_from=later)
    old_event = memory(3, kind=Kind.EPISODIC, valid_from=then)
    new_event = memory(4, kind=Kind.EPISODIC, valid_from=later)
    rows = (new_fact, new_event, old_fact, old_event)
    hits = rank([Signals(row, 0.5, 0.0) for row in rows], now=NOW, period=may)
    assert {hit.memory.id for hit in hits[:2]} == {old_fact.id, old_event.id}
    assert [hit.scores.recency_factor for hit in hits] == [1.0, 1.0, DEFAULT_WEIGHTS.elsewhen, DEFAULT_WEIGHTS.elsewhen]
    # it orders what is about as relevant; it does not bury what is far more so
    hits = rank([Signals(new_event, 0.9, 0.0), Signals(old_event, 0.5, 0.0)], now=NOW, period=may)
    assert hits[0].memory.id == new_event.id


def test_the_last_moment_of_a_period_is_not_in_it() -> None:
    day = Period(NOW, NOW + timedelta(days=1))
    assert day.holds(memory(1, kind=Kind.EPISODIC, valid_from=NOW))
    assert not day.holds(memory(1, kind=Kind.EPISODIC, valid_from=NOW + timedelta(days=1)))
    assert not day.holds(memory(1, kind=Kind.SEMANTIC, valid_from=NOW - timedelta(days=9), valid_to=NOW))
