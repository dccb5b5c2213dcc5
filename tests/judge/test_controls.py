"""Known pairs stand where nobody can guess, and whoever gets one wrong has said nothing."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from app.domain.judging import Pair
from app.providers.controls import COUNT, REPLACED, STAYING, sheet

EARLIER, LATER = datetime(2025, 4, 1, tzinfo=UTC), datetime(2025, 4, 20, tzinfo=UTC)
PAIRS = [Pair(number, f"before {number}", EARLIER, f"after {number}", LATER) for number in (1, 2, 3)]


def test_the_pairs_keep_their_order_among_known_ones() -> None:
    for _ in range(50):
        made = sheet(PAIRS)
        assert [pair.number for pair in made.pairs] == list(range(1, len(PAIRS) + COUNT + 1))
        assert list(made.asked.values()) == [1, 2, 3]
        by_number = {pair.number: pair for pair in made.pairs}
        assert [by_number[number].later for number in made.asked] == ["after 1", "after 2", "after 3"]
        assert sorted(made.known.values()) == [False, False, True]
        for number, answer in made.known.items():
            texts = (by_number[number].earlier, by_number[number].later)
            assert texts in (REPLACED if answer else STAYING)
            assert (by_number[number].earlier_at, by_number[number].later_at) == (EARLIER, LATER)


def test_they_do_not_always_stand_at_the_same_places() -> None:
    assert len({tuple(sheet(PAIRS[:1]).known.items()) for _ in range(200)}) > COUNT


def test_right_answers_give_what_was_said_of_the_others() -> None:
    made = sheet(PAIRS)
    first, second, third = made.asked
    assert made.mark({**made.known, first: True, third: False}) == {1: True, 3: False}
    assert made.mark({**made.known, second: True, 99: True}) == {2: True}


@pytest.mark.parametrize("how", ["wrong", "left out"])
def test_one_known_pair_wrong_and_nothing_was_said(how: str) -> None:
    made = sheet(PAIRS)
    for number in made.known:
        said = {**made.known, **dict.fromkeys(made.asked, True)}
        if how == "wrong":
            said[number] = not said[number]
        else:
            del said[number]
        assert made.mark(said) is None
