"""Figures of a gate against labels, each with its 95% bootstrap interval."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

import numpy as np
import numpy.typing as npt

from benchmarks.bootstrap import ROUNDS, SEED, Figure

Floats = npt.NDArray[np.float64]
_TAILS: Final = (2.5, 97.5)


def resampled(of: Callable[[Floats], float], groups: Sequence[str]) -> Figure:
    """Give a figure of weighted rows with its interval.

    Args:
        of: Computes the figure from one weight per row.
        groups: The group of each row; rows are resampled within each group.
    """
    random = np.random.default_rng(SEED)
    names = np.array(groups)
    places = [np.flatnonzero(names == name) for name in sorted(set(groups))]
    drawn = []
    for _ in range(ROUNDS // 4):
        weights = np.zeros(len(groups))
        for own in places:
            weights[own] = random.multinomial(len(own), np.full(len(own), 1 / len(own)))
        drawn.append(of(weights))
    low, high = np.percentile(drawn, _TAILS)
    return Figure(of(np.ones(len(groups))), float(low), float(high), len(groups))


def f1(predicted: Sequence[bool], labelled: Sequence[bool]) -> Callable[[Floats], float]:
    """Give the harmonic mean of precision and recall, as a function of weights."""
    found, true = np.array(predicted, dtype=bool), np.array(labelled, dtype=bool)

    def of(weights: Floats) -> float:
        both, either = float(weights[found & true].sum()), float(weights[found].sum() + weights[true].sum())
        return 2 * both / either if either else 0.0

    return of


def share(flags: Sequence[bool], among: Sequence[bool] | None = None) -> Callable[[Floats], float]:
    """Give the share of flagged rows, as a function of weights."""
    flagged = np.array(flags, dtype=bool)
    chosen = np.ones(len(flagged), dtype=bool) if among is None else np.array(among, dtype=bool)

    def of(weights: Floats) -> float:
        whole = float(weights[chosen].sum())
        return float(weights[chosen & flagged].sum()) / whole if whole else 0.0

    return of


def auc(scores: Sequence[float], labelled: Sequence[bool]) -> Callable[[Floats], float]:
    """Give the chance that a labelled row has the higher score (ties count half), as a function of weights."""
    _, place = np.unique(np.array(scores), return_inverse=True)
    true = np.array(labelled, dtype=bool)

    def of(weights: Floats) -> float:
        yes = np.bincount(place, weights=weights * true, minlength=place.max() + 1)
        no = np.bincount(place, weights=weights * ~true, minlength=place.max() + 1)
        below = np.cumsum(no) - no
        pairs = float(yes.sum() * no.sum())
        return float((yes * (below + no / 2)).sum()) / pairs if pairs else 0.0

    return of


def kept_at(scores: Sequence[float], labelled: Sequence[bool], stored: float) -> Callable[[Floats], float]:
    """Give the share of labelled rows among the best-scored `stored` share of all; ties are shared out evenly."""
    values, place = np.unique(-np.array(scores), return_inverse=True)
    true = np.array(labelled, dtype=bool)

    def of(weights: Floats) -> float:
        size = np.bincount(place, weights=weights, minlength=len(values))
        held = np.bincount(place, weights=weights * true, minlength=len(values))
        room = np.clip(stored * size.sum() - (np.cumsum(size) - size), 0.0, size)
        part = np.divide(room, size, out=np.zeros_like(room), where=size > 0)
        return float((held * part).sum() / held.sum()) if held.sum() else 0.0

    return of
