"""Figures of one ranking against known evidence.

A ranking is a list of hits, best first; each hit is the set of turns that it came from (one turn for a verbatim
memory; several, when statements of several turns were merged into one memory; none, for a memory that is not ours).
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from typing import Final

Ranking = Sequence[frozenset[str]]

DEPTH: Final = 100
"""Hits that count, for every system."""
NAMES: Final = ("hit@1", "hit@5", "hit@10", "recall@5", "recall@10", "recall@20", "mrr", "ndcg@10")
_HITS: Final = (1, 5, 10)
_RECALLS: Final = (5, 10, 20)
_NDCG: Final = 10


def figures(ranking: Ranking, evidence: Collection[str]) -> dict[str, float]:
    """Score a ranking.

    Args:
        ranking: Hits, best first.
        evidence: The relevant turns; not empty.

    Returns:
        hit@k: 1 if one of the first k hits is relevant. recall@k: share of the evidence in the first k hits.
        mrr: 1 / place of the first relevant hit, 0 without one. ndcg@10: binary gain (Järvelin and Kekäläinen 2002);
        a hit gains only by evidence that no earlier hit brought.
    """
    wanted = frozenset(evidence)
    found: set[str] = set()
    new: list[bool] = []
    covered: list[int] = []
    for hit in ranking[:DEPTH]:
        fresh = (hit & wanted) - found
        found |= fresh
        new.append(bool(fresh))
        covered.append(len(found))
    result = {f"hit@{k}": float(any(new[:k])) for k in _HITS}
    for k in _RECALLS:
        result[f"recall@{k}"] = (covered[min(k, len(covered)) - 1] if covered else 0) / len(wanted)
    result["mrr"] = 1.0 / (1 + new.index(True)) if any(new) else 0.0
    gained = sum(1.0 / math.log2(place + 2) for place, is_new in enumerate(new[:_NDCG]) if is_new)
    ideal = sum(1.0 / math.log2(place + 2) for place in range(min(_NDCG, len(wanted))))
    result["ndcg@10"] = gained / ideal
    return result


def folded(ranking: Ranking, unit_of: Mapping[str, str]) -> list[frozenset[str]]:
    """Turn a ranking of turns into one of units (sessions, exchanges), each at the place of its best turn."""
    seen: set[str] = set()
    units: list[frozenset[str]] = []
    for hit in ranking[:DEPTH]:
        fresh = frozenset(unit_of[turn] for turn in hit) - seen
        if fresh or not hit:
            units.append(fresh)
        seen |= fresh
    return units


def later_first(ranking: Ranking, earlier: Collection[str], later: Collection[str]) -> float:
    """Give 1 if the later statement comes before the earlier one, 0 if after it or if it does not come."""
    place_of_earlier, place_of_later = _place(ranking, earlier), _place(ranking, later)
    return float(place_of_later < place_of_earlier)


def both_sides(ranking: Ranking, one: Collection[str], other: Collection[str], *, k: int = 10) -> float:
    """Give 1 if the first k hits hold both statements."""
    return float(_place(ranking[:k], one) < k and _place(ranking[:k], other) < k)


def _place(ranking: Ranking, wanted: Collection[str]) -> int:
    for place, hit in enumerate(ranking[:DEPTH]):
        if not hit.isdisjoint(wanted):
            return place
    return DEPTH
