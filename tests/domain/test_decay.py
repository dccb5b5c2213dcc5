"""How memories fade: bounded, monotone, slower for what matters and for what was confirmed."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.domain.decay import FLOOR, age_days, fades, half_life_days, reaches_floor_at, should_expire, weight
from app.domain.memory import Kind

SAID = datetime(2025, 6, 3, 9, 12, tzinfo=UTC)
kinds = st.sampled_from(Kind)
importances = st.integers(1, 10)
counts = st.integers(0, 10_000)
ages = st.floats(-1000, 40_000)


def weigh(kind: Kind, importance: int, age: float, *, reinforcements: int = 0, pinned: bool = False) -> float:
    return weight(
        kind,
        importance=importance,
        since=SAID,
        reinforcements=reinforcements,
        pinned=pinned,
        now=SAID + timedelta(days=age),
    )


def test_the_contract_example_holds() -> None:
    assert half_life_days(Kind.SEMANTIC, importance=8, reinforcements=0) == 400.0
    assert round(weigh(Kind.SEMANTIC, 8, 12), 2) == 0.98
    end = reaches_floor_at(Kind.SEMANTIC, importance=8, since=SAID, reinforcements=0, pinned=False)
    assert end == datetime(2030, 2, 26, 9, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("kind", "importance", "least", "most"),
    [
        (Kind.EPISODIC, 1, 2, 7),  # days
        (Kind.EPISODIC, 8, 14, 42),  # weeks
        (Kind.SEMANTIC, 5, 180, 400),
        (Kind.PROCEDURAL, 5, 1_500, 4_000),  # hardly
    ],
)
def test_the_kind_decides_the_pace(kind: Kind, importance: int, least: float, most: float) -> None:
    assert least <= half_life_days(kind, importance=importance, reinforcements=0) <= most


@settings(deadline=None)
@given(kinds, importances, ages, counts, st.booleans())
def test_weight_is_bounded(kind: Kind, importance: int, age: float, reinforcements: int, pinned: bool) -> None:
    assert FLOOR <= weigh(kind, importance, age, reinforcements=reinforcements, pinned=pinned) <= 1.0


@settings(deadline=None)
@given(kinds, importances, ages, ages, counts)
def test_weight_never_rises_with_time(kind: Kind, importance: int, one: float, other: float, seen: int) -> None:
    early, late = sorted((one, other))
    first = weigh(kind, importance, early, reinforcements=seen)
    assert first >= weigh(kind, importance, late, reinforcements=seen)


@settings(deadline=None)
@given(kinds, importances, st.floats(0, 4000), counts)
def test_confirmation_and_importance_slow_it(kind: Kind, importance: int, age: float, seen: int) -> None:
    now = weigh(kind, importance, age, reinforcements=seen)
    assert weigh(kind, importance, age, reinforcements=seen + 1) >= now
    assert weigh(kind, min(10, importance + 1), age, reinforcements=seen) >= now


def test_confirmation_counts_logarithmically() -> None:
    lives = [half_life_days(Kind.SEMANTIC, importance=5, reinforcements=number) for number in (0, 1, 2, 10, 1000)]
    assert lives == sorted(lives)
    assert lives[1] - lives[0] > lives[2] - lives[1]
    assert lives[-1] < 8 * lives[0]


@pytest.mark.parametrize(("importance", "pinned"), [(10, False), (1, True)])
def test_importance_ten_and_pinned_never_fade(importance: int, pinned: bool) -> None:
    assert weigh(Kind.EPISODIC, importance, 30_000, pinned=pinned) == 1.0
    options: dict[str, Any] = {"importance": importance, "since": SAID, "reinforcements": 0, "pinned": pinned}
    assert reaches_floor_at(Kind.EPISODIC, **options) is None
    assert not should_expire(Kind.EPISODIC, now=SAID + timedelta(days=30_000), **options)
    assert not fades(importance=importance, pinned=pinned)


def test_a_future_clock_is_age_zero() -> None:
    assert age_days(SAID, SAID - timedelta(days=9)) == 0.0
    assert weigh(Kind.EPISODIC, 1, -9) == 1.0


@settings(deadline=None)
@given(kinds, st.integers(1, 9), counts)
def test_it_expires_when_it_reaches_the_floor_and_not_before(kind: Kind, importance: int, seen: int) -> None:
    options: dict[str, Any] = {"importance": importance, "since": SAID, "reinforcements": seen, "pinned": False}
    end = reaches_floor_at(kind, **options)
    assert end is not None
    assert weight(kind, now=end, **options) == FLOOR
    assert should_expire(kind, now=end, **options)
    day_before = end - timedelta(days=1, seconds=1)
    assert weight(kind, now=day_before, **options) > FLOOR
    assert not should_expire(kind, now=day_before, **options)
