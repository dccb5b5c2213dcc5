"""Simple methods on the same texts and the same vectors, a few lines each, with where they come from.

Each gives a score per turn of a pool; `order` makes the ranking. None of them sees evidence.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

import numpy as np
import numpy.typing as npt

from benchmarks.metrics import DEPTH

Floats = npt.NDArray[np.float64]

_WORD: Final = re.compile(r"[^\W_]+")
_SECONDS_A_DAY: Final = 86_400.0


@dataclass(frozen=True, slots=True)
class Scored:
    """What a method may look at for one question of one pool.

    Attributes:
        cosine: Of the question to each turn.
        bm25: Of the question to each turn.
        age_days: Of each turn, at the time of the pool's latest turn; that is the kindest clock for recency.
    """

    cosine: Floats
    bm25: Floats
    age_days: Floats


def seed_formula(of: Scored) -> Floats:
    """0.7 similarity - 0.3 per day of age: the retrieval query of the sketch that this project began with."""
    return 0.7 * of.cosine - 0.3 * of.age_days


def bounded_recency(of: Scored) -> Floats:
    """0.7 similarity + 0.3 exp(-age / 30 days), in the manner of Park et al. 2023, "Generative Agents"."""
    return 0.7 * of.cosine + 0.3 * np.exp(-of.age_days / 30.0)


def cosine(of: Scored) -> Floats:
    """Similarity of the vectors alone: what a vector store does by default."""
    return of.cosine


def bm25(of: Scored) -> Floats:
    """Words alone: Robertson and Zaragoza 2009, k1 1.2, b 0.75."""
    return of.bm25


def z_sum(of: Scored) -> Floats:
    """Sum of both, each brought to mean 0 and deviation 1 per question (Lee 1997 and others, score normalisation)."""
    return _z(of.cosine) + _z(of.bm25)


def reciprocal_rank_fusion(of: Scored) -> Floats:
    """Sum of 1 / (60 + rank) over both: Cormack, Clarke and Büttcher 2009."""
    return 1.0 / (60 + _ranks(of.cosine)) + 1.0 / (60 + _ranks(of.bm25))


METHODS: Final[Mapping[str, Callable[[Scored], Floats]]] = {
    "seed formula": seed_formula,
    "bounded recency": bounded_recency,
    "cosine": cosine,
    "BM25": bm25,
    "z-scored sum": z_sum,
    "reciprocal rank fusion": reciprocal_rank_fusion,
}


def order(scores: Floats, *, least: float = -math.inf) -> list[int]:
    """Give the indices of the best scores, best first; equal scores keep their order of time.

    Args:
        scores: One per turn.
        least: Only what is above is returned at all.
    """
    best = np.argsort(-scores, kind="stable")[:DEPTH]
    return [int(index) for index in best if scores[index] > least]


def words(text: str) -> list[str]:
    """Split into lower-case words, plain."""
    return _WORD.findall(text.casefold())


class BM25:
    """Okapi BM25 over the turns of one pool."""

    def __init__(self, documents: Sequence[Sequence[str]], *, k1: float = 1.2, b: float = 0.75) -> None:
        """Count the words.

        Args:
            documents: The words of each turn.
            k1: How fast repeats saturate.
            b: How much length counts.
        """
        lengths = np.array([len(document) for document in documents], dtype=np.float64)
        norm = k1 * (1 - b + b * lengths / max(1.0, lengths.mean()))
        postings: dict[str, list[tuple[int, int]]] = {}
        for index, document in enumerate(documents):
            for word, count in Counter(document).items():
                postings.setdefault(word, []).append((index, count))
        self._size = len(documents)
        self._weights: dict[str, tuple[npt.NDArray[np.int64], Floats]] = {}
        for word, found in postings.items():
            turns = np.array([index for index, _ in found])
            counts = np.array([count for _, count in found], dtype=np.float64)
            idf = math.log(1 + (self._size - len(found) + 0.5) / (len(found) + 0.5))
            self._weights[word] = turns, idf * counts * (k1 + 1) / (counts + norm[turns])

    def scores(self, query: Sequence[str]) -> Floats:
        """Score every turn for the words of a question."""
        total = np.zeros(self._size)
        for word in query:
            if word in self._weights:
                turns, weight = self._weights[word]
                total[turns] += weight
        return total


def ages(times: Sequence[datetime | None]) -> Floats:
    """Give the age of each turn in days, at the time of the latest; 0 where the data tells no time."""
    known = [at for at in times if at is not None]
    now = max(known, default=None)
    return np.array([0.0 if at is None or now is None else (now - at).total_seconds() / _SECONDS_A_DAY for at in times])


def _z(scores: Floats) -> Floats:
    return (scores - float(scores.mean())) / (float(scores.std()) + 1e-9)


def _ranks(scores: Floats) -> Floats:
    ranks = np.empty(len(scores))
    ranks[np.argsort(-scores, kind="stable")] = np.arange(1, len(scores) + 1)
    return ranks
