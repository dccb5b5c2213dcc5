"""Percentile bootstrap intervals (Efron and Tibshirani 1993, chapter 13), with a fixed seed.

Questions about one conversation or topic are not independent. With enough groups whole groups are resampled; with a
few, their number says nothing, and questions are resampled within each group.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt

SEED: Final = 20_240_521
ROUNDS: Final = 2_000
ENOUGH_GROUPS: Final = 10
_TAILS: Final = (2.5, 97.5)

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Figure:
    """A mean with its 95% interval."""

    value: float
    low: float
    high: float
    n: int

    def to_json(self) -> dict[str, Any]:
        """Give plain numbers, rounded to four digits."""
        return {"value": round(self.value, 4), "low": round(self.low, 4), "high": round(self.high, 4), "n": self.n}


class Bootstrap:
    """Resamples one set of questions; the same resamples serve every system, so that differences are paired."""

    def __init__(self, groups: Sequence[str], *, seed: int = SEED, rounds: int = ROUNDS) -> None:
        """Draw the resamples.

        Args:
            groups: The group of each question; not empty.
            seed: Of the random numbers.
            rounds: How many resamples.
        """
        names = sorted(set(groups))
        self.by_group = len(names) >= ENOUGH_GROUPS
        random = np.random.default_rng(seed)
        member = np.array([names.index(group) for group in groups])
        weights = np.zeros((rounds, len(groups)))
        if self.by_group:
            drawn = random.multinomial(len(names), np.full(len(names), 1 / len(names)), size=rounds)
            weights = drawn[:, member].astype(np.float64)
        else:
            for index in range(len(names)):
                own = np.flatnonzero(member == index)
                weights[:, own] = random.multinomial(len(own), np.full(len(own), 1 / len(own)), size=rounds)
        self._weights: Floats = weights / weights.sum(axis=1, keepdims=True)

    def figure(self, values: Sequence[float] | Floats) -> Figure:
        """Give the mean of one value per question, with its interval."""
        given = np.asarray(values, dtype=np.float64)
        low, high = np.percentile(self._weights @ given, _TAILS)
        return Figure(float(given.mean()), float(low), float(high), len(given))
