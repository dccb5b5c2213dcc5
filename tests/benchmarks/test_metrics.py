"""Figures against values worked out by hand."""

from __future__ import annotations

import math
from collections.abc import Sequence

import pytest

from benchmarks.bootstrap import Bootstrap
from benchmarks.metrics import both_sides, figures, folded, later_first


def ranking(*hits: str) -> list[frozenset[str]]:
    """Each word is a hit; a plus joins the turns of one hit, a dot is a memory of nobody."""
    return [frozenset() if hit == "." else frozenset(hit.split("+")) for hit in hits]


def test_figures_of_a_ranking_worked_out_by_hand() -> None:
    found = figures(ranking("x", "a", "y", "z", "w", "v", "b"), {"a", "b", "c"})
    assert found["hit@1"] == 0.0
    assert found["hit@5"] == found["hit@10"] == 1.0
    assert found["recall@5"] == pytest.approx(1 / 3)
    assert found["recall@10"] == found["recall@20"] == pytest.approx(2 / 3)
    assert found["mrr"] == 0.5
    gained = 1 / math.log2(3) + 1 / math.log2(8)
    ideal = 1 + 1 / math.log2(3) + 1 / 2
    assert found["ndcg@10"] == pytest.approx(gained / ideal)


@pytest.mark.parametrize("hits", [[], ["x", "y"], ["."]])
def test_nothing_found_is_nothing(hits: Sequence[str]) -> None:
    assert set(figures(ranking(*hits), {"a"}).values()) == {0.0}


def test_evidence_first_is_full_marks() -> None:
    assert set(figures(ranking("a"), {"a"}).values()) == {1.0}
    two = figures(ranking("a", "b", "x"), {"a", "b"})
    assert two["recall@5"] == two["ndcg@10"] == two["mrr"] == 1.0


def test_the_same_evidence_twice_gains_once() -> None:
    # statements of one turn, and a memory merged from two turns
    found = figures(ranking("a", "a", "a+b"), {"a", "b"})
    assert found["recall@5"] == 1.0
    assert found["ndcg@10"] == pytest.approx((1 + 1 / 2) / (1 + 1 / math.log2(3)))


def test_what_comes_after_the_depth_does_not_count() -> None:
    assert figures(ranking(*(f"x{n}" for n in range(100)), "a"), {"a"})["mrr"] == 0.0


def test_turns_fold_into_units_at_the_place_of_the_best() -> None:
    unit_of = {"a": "s1", "b": "s1", "c": "s2", "d": "s3"}
    assert folded(ranking("a", "b", ".", "c+a", "d"), unit_of) == ranking("s1", ".", "s2", "s3")


@pytest.mark.parametrize(
    ("hits", "expected"),
    [
        (("new", "old"), 1.0),
        (("old", "new"), 0.0),
        (("x", "new"), 1.0),  # the old one does not come at all
        (("old",), 0.0),
        ((), 0.0),
    ],
)
def test_the_later_statement_comes_first_or_not(hits: tuple[str, ...], expected: float) -> None:
    assert later_first(ranking(*hits), {"old"}, {"new"}) == expected


def test_both_sides_must_be_among_the_first() -> None:
    assert both_sides(ranking("a", "x", "b"), {"a"}, {"b"}) == 1.0
    assert both_sides(ranking("a", "x", "b"), {"a"}, {"b"}, k=2) == 0.0
    assert both_sides(ranking("a"), {"a"}, {"b"}) == 0.0


def test_the_interval_of_a_share_is_the_known_one() -> None:
    figure = Bootstrap(["one"] * 400).figure([1.0] * 100 + [0.0] * 300)
    half = 1.96 * math.sqrt(0.25 * 0.75 / 400)
    assert figure.value == 0.25
    assert figure.low == pytest.approx(0.25 - half, abs=0.01)
    assert figure.high == pytest.approx(0.25 + half, abs=0.01)


def test_few_groups_are_resampled_within_and_many_as_wholes() -> None:
    few = Bootstrap([f"g{n % 3}" for n in range(60)])
    many = Bootstrap([f"g{n % 12}" for n in range(60)])
    assert (few.by_group, many.by_group) == (False, True)
    # all of a group are alike: within it nothing varies, from group to group everything does
    alike = few.figure([float(n % 3 == 0) for n in range(60)])
    assert (alike.low, alike.value, alike.high) == pytest.approx((1 / 3, 1 / 3, 1 / 3))
    apart = many.figure([float(n % 12 < 4) for n in range(60)])
    assert apart.high - apart.low > 0.4


def test_the_same_questions_give_the_same_interval_again_and_a_constant_lead_is_certain() -> None:
    groups = [f"g{n % 5}" for n in range(50)]
    values = [float(n % 7 == 0) for n in range(50)]
    assert Bootstrap(groups).figure(values) == Bootstrap(groups).figure(values)
    lead = Bootstrap(groups).figure([0.25] * 50)
    assert [lead.low, lead.high] == pytest.approx([0.25, 0.25])
