"""The simple methods, on cases small enough to work out."""

from __future__ import annotations

import math
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

import numpy as np
import pytest

from app.providers.ports import Vector
from benchmarks.baselines import BM25, METHODS, Scored, ages, order, words
from benchmarks.textsearch import open_text_search
from benchmarks.vectors import open_cache, vectors_of

DAY = datetime(2024, 1, 1, tzinfo=UTC)


def scored(cosine: list[float], bm25: list[float], age_days: list[float]) -> Scored:
    return Scored(np.array(cosine), np.array(bm25), np.array(age_days))


def test_bm25_of_one_word_is_the_formula() -> None:
    texts = [words(text) for text in ("the cat sat", "a dog", "a cat and a cat")]
    found = BM25(texts).scores(["cat"])
    idf = math.log(1 + (3 - 2 + 0.5) / (2 + 0.5))
    mean = 10 / 3
    once = idf * 2.2 / (1 + 1.2 * (0.25 + 0.75 * 3 / mean))
    twice = idf * 2 * 2.2 / (2 + 1.2 * (0.25 + 0.75 * 5 / mean))
    assert found.tolist() == pytest.approx([once, 0.0, twice])


@pytest.mark.parametrize(
    ("method", "expected"),
    [
        ("seed formula", [2, 1, 0]),  # two days outweigh any similarity
        ("bounded recency", [1, 0, 2]),  # what is old has no more than its similarity
        ("cosine", [0, 1, 2]),
        ("BM25", [1, 2, 0]),
        ("z-scored sum", [1, 0, 2]),
    ],
)
def test_each_method_orders_as_its_formula_says(method: str, expected: list[int]) -> None:
    given = scored([0.9, 0.6, 0.1], [0.0, 8.0, 2.0], [300.0, 2.0, 0.0])
    assert order(METHODS[method](given)) == expected


def test_rank_fusion_adds_the_places() -> None:
    found = METHODS["reciprocal rank fusion"](scored([0.9, 0.6], [1.0, 2.0], [0, 0]))
    assert found.tolist() == pytest.approx([1 / 61 + 1 / 62] * 2)


def test_equal_scores_keep_their_order_and_what_is_not_above_the_least_is_left_out() -> None:
    assert order(np.array([0.5, 0.7, 0.5])) == [1, 0, 2]
    assert order(np.array([-1.0, 0.7, 0.0]), least=-0.5) == [1, 2]


def test_ages_are_counted_from_the_latest_turn() -> None:
    assert ages([DAY, DAY + timedelta(days=2), None]).tolist() == [2.0, 0.0, 0.0]
    assert ages([None, None]).tolist() == [0.0, 0.0]


@pytest.mark.anyio
async def test_plainto_asks_for_every_word_and_the_lexical_leg_for_any() -> None:
    texts = ["I adopted a dog from the shelter", "The dog is called Rex", "We went to the opera"]
    async with open_text_search() as search:
        await search.add("one", texts)
        await search.add("other", ["A dog named Rex"])
        assert order(await search.plainto("one", "What is the dog called?"), least=-0.5) == [1]
        assert order(await search.plainto("one", "Which opera did the dog see?"), least=-0.5) == []
        leg = await search.lexical_leg("one", "Which opera did the dog see?")
        assert set(order(leg, least=-0.5)) == {0, 1, 2}
        assert len(leg) == len(texts)
        assert order(await search.lexical_leg("one", "..."), least=-0.5) == []


class CountingEmbedder:
    """Gives each text a vector of its own, and counts."""

    model_id = "counting"
    dimension = 2
    max_tokens = 8

    def __init__(self) -> None:
        self.texts: list[str] = []

    async def warm(self) -> None: ...

    async def close(self) -> None: ...

    async def embed_query(self, text: str) -> Vector:
        return (await self.embed_documents([text]))[0]

    async def embed_documents(self, texts: Sequence[str]) -> list[Vector]:
        self.texts += texts
        return [[float(len(text)), 1.0] for text in texts]


@pytest.mark.anyio
async def test_a_vector_is_computed_once_and_kept_on_disk(tmp_path: Path) -> None:
    embedder, steps = CountingEmbedder(), list[int]()
    for _ in range(2):
        with open_cache(tmp_path / "cache") as cache:
            found = await vectors_of(["a", "bb", "a"], embedder=embedder, cache=cache, advance=steps.append)
            assert {text: vector.tolist() for text, vector in found.items()} == {"a": [1.0, 1.0], "bb": [2.0, 1.0]}
    assert sorted(embedder.texts) == ["a", "bb"]
    assert sum(steps) == 4
    # no text in the file
    assert b"bb" not in (tmp_path / "cache" / "vectors.sqlite").read_bytes()
