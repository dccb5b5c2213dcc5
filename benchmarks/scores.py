"""What a score means: how often the first hit is right at it, and what a least score keeps and silences.

A question of one user is asked of the next user as well, whose memories hold no answer: there the best score tells how
high a recall goes on nothing but resemblance.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from typing import Any, Final

from benchmarks.asking import Answered
from benchmarks.corpus import Corpus
from benchmarks.shares import Share

BUCKETS: Final = (0.0, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.5, 0.6, 1.01)
LEAST: Final = (0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4)
FIRST: Final = 10  # hits among which evidence counts as found


def score_figures(corpus: Corpus, answered: Mapping[str, Answered]) -> dict[str, Any]:
    """Count over the questions that were answered.

    Returns:
        `meaning`: per range of scores, how often the first hit with such a score is evidence. `least`: per least score,
        the share of the evidence among the first ten hits that stays, and of the questions asked of somebody else that
        nothing answers; None where nobody else was asked.
    """
    firsts: list[tuple[float, bool]] = []
    found: list[float] = []
    elsewhere: list[float] = []
    for pool in corpus.pools:
        of = answered[pool.id]
        for question in pool.questions:
            if question.apart or question.id not in of.rankings:
                continue
            hits = list(zip(of.scores[question.id], of.rankings[question.id], strict=True))
            if hits:
                firsts.append((hits[0][0], not hits[0][1].isdisjoint(question.evidence)))
            found += [score for score, turns in hits[:FIRST] if not turns.isdisjoint(question.evidence)]
            if question.id in of.elsewhere:
                elsewhere.append(of.elsewhere[question.id])
    ranges = list(itertools.pairwise(BUCKETS))
    return {
        "meaning": [
            {
                "from": low,
                "to": min(1.0, high),
                "right": Share(
                    sum(right for score, right in firsts if low <= score < high),
                    sum(low <= score < high for score, _ in firsts),
                ).to_json(),
            }
            for low, high in ranges
        ],
        "least": [
            {
                "min_score": least,
                "kept": Share(sum(score >= least for score in found), len(found)).to_json(),
                "silent": Share(sum(score < least for score in elsewhere), len(elsewhere)).to_json()
                if elsewhere
                else None,
            }
            for least in LEAST
        ],
    }
