"""What is read beside a message, and how a reading counts (`app/domain/pairs.py`)."""

from __future__ import annotations

from uuid import UUID

import pytest

from app.domain.pairs import ASKED, MOST_ASKED, read_together, worth_reading


def ids(count: int) -> list[UUID]:
    return [UUID(int=number) for number in range(1, count + 1)]


def test_the_likeliest_rows_are_read_and_no_unlikely_one() -> None:
    one, two, three, four, five = ids(5)
    chances = {one: 0.3, two: ASKED, three: ASKED / 2, four: 0.9, five: 0.3}
    assert worth_reading(chances) == [four, one, five]
    assert worth_reading({two: ASKED, three: ASKED / 2, one: 0.0}) == [two]
    assert len(worth_reading(dict.fromkeys(ids(8), 0.5))) == MOST_ASKED


@pytest.mark.parametrize("chance", [0.0, 0.02, 0.5, 0.86, 1.0])
def test_where_nothing_was_read_the_weights_decide(chance: float) -> None:
    assert read_together(chance, None) == chance


def test_what_was_not_to_be_read_stays_whatever_is_said_of_the_same_words() -> None:
    assert read_together(0.0, 9.0) == 0.0
    assert read_together(ASKED / 2, 9.0) == ASKED / 2


def test_both_count() -> None:
    assert read_together(0.5, 4.0) > read_together(0.5, 1.0) > read_together(0.5, -4.0)
    assert read_together(0.9, 1.0) > read_together(0.1, 1.0)
    assert read_together(0.99, -6.0) < 0.5 < read_together(0.1, 6.0)


@pytest.mark.parametrize("odds", [-80.0, 0.0, 80.0])
@pytest.mark.parametrize("chance", [0.0, 0.5, 1.0])
def test_it_is_a_chance_however_sure_the_two_are(chance: float, odds: float) -> None:
    assert 0.0 <= read_together(chance, odds) <= 1.0
