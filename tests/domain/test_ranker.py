"""One score whose parts multiply, that does not depend on the other rows and does not bury what is old (R2, R5)."""

from __future__ import annotations

import math
from datetime import timedelta
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.domain.decay import should_expire
from app.domain.memory import Kind, Memory
from app.domain.ranker import DEFAULT_WEIGHTS, Ranked, Signals, rank
from tests.domain.shelf import DAY, DAY_ONE, memory, uid

FULL = DEFAULT_WEIGHTS.lexical_full


def one(row: Memory, cosine: float | None = 0.5, ts_rank: float | None = 0.0, **options: Any) -> Ranked:
    (hit,) = rank([Signals(row, cosine, ts_rank)], now=options.pop("now", DAY_ONE), **options)
    return hit


def product(hit: Ranked) -> float:
    parts = hit.scores
    return (
        parts.relevance * parts.importance_factor * parts.confidence_factor * parts.weight_factor * parts.recency_factor
    )


raw = st.none() | st.floats(allow_nan=True, allow_infinity=True) | st.floats(-1, 1)


@settings(deadline=None)
@given(
    raw,
    raw,
    st.sampled_from(Kind),
    st.integers(1, 10),
    st.floats(0, 1),
    st.floats(-400, 20_000),
    st.booleans(),
    st.booleans(),
    st.integers(0, 1000),
)
def test_every_term_is_finite_within_bounds_and_they_multiply_to_the_score(
    cosine: float | None,
    ts_rank: float | None,
    kind: Kind,
    importance: int,
    confidence: float,
    age: float,
    pinned: bool,
    stale: bool,
    seen: int,
) -> None:
    row = memory(
        kind=kind,
        importance=importance,
        confidence=confidence,
        pinned=pinned,
        stale=stale,
        reinforcements=seen,
        confirmed_at=DAY_ONE if seen else None,
    )
    hit = one(row, cosine, ts_rank, now=DAY_ONE + timedelta(days=age))
    names = (
        "vector",
        "lexical",
        "relevance",
        "importance_factor",
        "confidence_factor",
        "weight_factor",
        "recency_factor",
    )
    for name in names:
        value = getattr(hit.scores, name)
        assert value is None or (math.isfinite(value) and 0.0 <= value <= 1.0)
        assert value is None or round(value, 4) == value
    assert 0.0 <= hit.score <= 1.0
    assert abs(product(hit) - hit.score) <= 1e-3


def test_the_factors_of_the_contract_example_hold() -> None:
    hit = one(memory(importance=8, confidence=0.95), 0.7731, 0.6402 * FULL)
    assert (hit.scores.vector, hit.scores.lexical) == (0.7731, 0.6402)
    assert (hit.scores.importance_factor, hit.scores.confidence_factor) == (0.96, 0.99)


@pytest.mark.parametrize(
    ("cosine", "ts_rank", "relevance"),
    [
        (0.8, FULL, 0.88),
        (0.8, FULL / 2, 0.58),  # half the words are a quarter of a match
        (0.8, 0.0, 0.48),  # no word in common
        (0.8, None, 0.8),  # the query has no words
        (None, FULL / 2, 0.5),  # the embedder is out
        (None, None, 0.0),
        (-0.3, 0.0, 0.0),  # a negative cosine says no more than none
        (math.nan, FULL, 1.0),  # a NaN is a leg that is out
        (1.1, 9.0, 1.0),
    ],
)
def test_relevance_joins_the_legs_that_are_there(cosine: float | None, ts_rank: float | None, relevance: float) -> None:
    assert one(memory(), cosine, ts_rank).scores.relevance == pytest.approx(relevance, abs=1e-4)


@settings(deadline=None)
@given(st.lists(st.tuples(st.floats(-1, 1), st.floats(0, 0.1)), min_size=1, max_size=12))
def test_the_order_is_by_score_then_id_and_no_row_changes_anothers_score(legs: list[tuple[float, float]]) -> None:
    signals = [Signals(memory(number), *leg) for number, leg in enumerate(legs, start=1)]
    hits = rank(signals, now=DAY_ONE)
    assert [(-hit.score, hit.memory.id) for hit in hits] == sorted((-hit.score, hit.memory.id) for hit in hits)
    assert rank(reversed(signals), now=DAY_ONE) == hits
    for signal in signals:
        assert rank([signal], now=DAY_ONE)[0] in hits


@pytest.mark.parametrize("kind", list(Kind))
@pytest.mark.parametrize("importance", [5, 6, 7, 8, 9, 10])
def test_an_old_exact_match_stands_before_thirty_fresh_unrelated_memories(kind: Kind, importance: int) -> None:
    age = DAY * 400
    old = memory(1, kind=kind, importance=importance)
    options: dict[str, Any] = {"importance": importance, "since": DAY_ONE, "reinforcements": 0, "pinned": False}
    if should_expire(kind, now=DAY_ONE + age, **options):
        age = DAY * (importance * 12)  # as old as it gets before it expires
    now = DAY_ONE + age
    fresh = [memory(n, kind=kind, importance=10, confidence=1.0, occurred_at=now) for n in range(2, 32)]
    signals = [Signals(old, 0.92, FULL * 0.9), *(Signals(row, 0.45, FULL * 0.25) for row in fresh)]
    assert rank(signals, now=now)[0].memory.id == old.id


def test_recency_only_breaks_ties() -> None:
    old, new = memory(1, occurred_at=DAY_ONE - DAY * 300), memory(2)
    assert [hit.memory.id for hit in rank([Signals(old, 0.5, 0.0), Signals(new, 0.5, 0.0)], now=DAY_ONE)] == [
        uid(2),
        uid(1),
    ]
    assert rank([Signals(old, 0.6, 0.0), Signals(new, 0.5, 0.0)], now=DAY_ONE)[0].memory.id == uid(1)


def test_imported_history_does_not_fade_on_arrival() -> None:
    history = memory(occurred_at=DAY_ONE - DAY * 3000, created_at=DAY_ONE)
    assert one(history).scores.weight_factor == 1.0
    assert one(history).scores.recency_factor == 1.0
    event = memory(kind=Kind.EPISODIC, occurred_at=DAY_ONE - DAY * 3000, created_at=DAY_ONE)
    assert one(event).scores.weight_factor == 1.0
    assert one(event).scores.recency_factor < 1.0  # an event is as old as it is


def test_a_future_event_is_as_fresh_as_can_be() -> None:
    assert one(memory(kind=Kind.EPISODIC, valid_from=DAY_ONE + DAY * 30)).scores.recency_factor == 1.0


def test_a_stale_source_lowers_confidence_only() -> None:
    sound, stale = one(memory()), one(memory(stale=True))
    assert stale.scores.confidence_factor < sound.scores.confidence_factor
    assert stale.scores.relevance == sound.scores.relevance


@settings(deadline=None)
@given(st.integers(0, 50))
def test_recalling_changes_nothing(times: int) -> None:
    signals = [Signals(memory(1), 0.5, 0.0), Signals(memory(2), 0.4, 0.0)]
    first = rank(signals, now=DAY_ONE)
    for _ in range(times):
        assert rank(signals, now=DAY_ONE) == first
