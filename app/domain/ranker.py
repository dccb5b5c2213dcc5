"""The ranker: from raw signals to one score whose parts can be multiplied out.

    meaning = (cosine + session * the best cosine of the session) / (1 + session)
    words = (share ^ power + neighbours * (share of the words found near by) ^ power) / (1 + neighbours)
    relevance = vector * meaning + lexical * words
    score = relevance * importance_factor * confidence_factor * weight_factor * recency_factor

with share = min(1, ts_rank / lexical_full). What was said around a memory tells what it is about: "Sure,
on Friday" answers a question by the words of its neighbours. Near by are the memories up to three places
before and after it in its session; a memory without a session stands alone and gains nothing. Context is
all that a score takes from other rows: the calibration is fixed, and no other session and no other query
changes it. `lexical_full` is what
`ts_rank` gives for one matched lexeme over a one-word query (0.1 / (pi^2 / 6)); over an OR query it
divides by the number of words, so that the quotient is about the share of query words matched. The
power makes a part of the words count for less than its share: one common word in four is hardly a
match. Recall@10 with powers 1 and 2: LoCoMo .688 and .705, BEAM .579 and .602, PrefEval .514 and
.556; cosine alone has .491, .591 and .542 there (docs/benchmarks.md). Every factor is at most 1 and
close to it: they order what is equally relevant, they do not bury what is old.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from app.domain.answers import Scores
from app.domain.asking import Period
from app.domain.decay import DEFAULT_DECAY, DecayPolicy, age_days, weight
from app.domain.memory import Kind, Memory

POLICY: Final = "rank-1"
REACH: Final = 3
"""How many memories before and after are near by; the share of words is the mean over reaches of 1, 2 and 3."""
LONG_FROM: Final = 64
"""Different words from which a text counts as long: its `ts_rank` is divided by 1 + ln(words / LONG_FROM).

A long text holds some word of any question. Postgres' own normalisation divides by the length of
short texts too and loses there (LoCoMo, lexical leg alone: .515 against .589). Recall@10 without and
with it: BEAM .481 and .579; LoCoMo and PrefEval have no long texts.
"""
_DIGITS: Final = 4


@dataclass(frozen=True, slots=True)
class Signals:
    """A candidate with its raw signals. None means that the leg was absent; no match is 0.0.

    Attributes:
        memory: The memory.
        cosine: Of its vector and the query's.
        ts_rank: Of its words and the query's, discounted for long texts, see `LONG_FROM`.
        neighbours: Share of the query's words that it or short texts near by hold, 0..1.
        session: The best cosine of its session.
    """

    memory: Memory
    cosine: float | None
    ts_rank: float | None
    neighbours: float | None = None
    session: float | None = None


@dataclass(frozen=True, slots=True)
class RankWeights:
    """The parameters of the ranker.

    Attributes:
        vector: Share of the vector leg in relevance.
        lexical: Share of the lexical leg; the two add up to 1.
        lexical_full: The `ts_rank` that counts as a full match.
        lexical_power: To which the lexical leg is raised in relevance.
        neighbours: What the words near by count, against 1 for the memory's own.
        session: What the best cosine of the session counts, against 1 for the memory's own.
        importance_least: The importance factor at importance 0.
        confidence_least: The confidence factor at confidence 0.
        stale_factor: What a stale source leaves of the confidence factor.
        weight_least: The weight factor at weight 0.
        recency_least: The recency factor of what is infinitely old.
        recency_half_life_days: After which half of what recency can add is gone.
        elsewhen: What the recency factor keeps of a memory of another time than the one that was asked for.
    """

    vector: float = 0.6
    lexical: float = 0.4
    lexical_full: float = 0.0608
    lexical_power: float = 2.0
    neighbours: float = 0.9
    session: float = 0.4
    importance_least: float = 0.8
    confidence_least: float = 0.8
    stale_factor: float = 0.9
    weight_least: float = 0.9
    recency_least: float = 0.99
    recency_half_life_days: float = 30.0
    elsewhen: float = 0.8


DEFAULT_WEIGHTS: Final = RankWeights()
FORGET_WEIGHTS: Final = RankWeights(lexical_power=1.0)
"""For what is to be forgotten: half the words are half a match, as nothing should be missed."""


@dataclass(frozen=True, slots=True)
class Ranked:
    """A candidate with its score and every term of it."""

    memory: Memory
    score: float
    scores: Scores


def rank(
    signals: Iterable[Signals],
    *,
    now: datetime,
    weights: RankWeights = DEFAULT_WEIGHTS,
    decay: DecayPolicy = DEFAULT_DECAY,
    period: Period | None = None,
) -> list[Ranked]:
    """Score candidates and put the best first; of equal scores the later event, then by id.

    Args:
        signals: The candidates.
        now: The rank clock.
        weights: The ranker's parameters.
        decay: The parameters of decay.
        period: The time that the question asks for, if it names one.

    Returns:
        Scores in [0, 1], rounded to four digits; the rounded parts multiply to the score.
    """
    ranked = [_score(candidate, now=now, weights=weights, decay=decay, period=period) for candidate in signals]
    return sorted(ranked, key=lambda hit: (-hit.score, -_begin(hit.memory).timestamp(), hit.memory.id))


def _score(
    candidate: Signals, *, now: datetime, weights: RankWeights, decay: DecayPolicy, period: Period | None
) -> Ranked:
    memory = candidate.memory
    vector = _leg(candidate.cosine, full=1.0)
    lexical = _leg(candidate.ts_rank, full=weights.lexical_full)
    # a memory is part of its own surroundings
    session = None if vector is None else max(vector, _leg(candidate.session, full=1.0) or 0.0)
    neighbours = None if lexical is None else max(lexical, _leg(candidate.neighbours, full=1.0) or 0.0)
    confidence = _between(weights.confidence_least, memory.confidence)
    scores = Scores(
        vector=vector,
        lexical=lexical,
        session=session,
        neighbours=neighbours,
        relevance=_relevance(vector, lexical, session, neighbours, weights),
        importance_factor=_round(_between(weights.importance_least, memory.importance / 10)),
        confidence_factor=_round(confidence * (weights.stale_factor if memory.stale else 1.0)),
        weight_factor=_round(_between(weights.weight_least, weight_of(memory, now=now, decay=decay))),
        recency_factor=_round(_recency(memory, now=now, weights=weights, period=period)),
    )
    score = (
        scores.relevance
        * scores.importance_factor
        * scores.confidence_factor
        * scores.weight_factor
        * scores.recency_factor
    )
    return Ranked(memory, _round(score), scores)


def weight_of(memory: Memory, *, now: datetime, decay: DecayPolicy = DEFAULT_DECAY) -> float:
    """Give a memory's decay weight at a time."""
    return weight(
        memory.kind,
        importance=memory.importance,
        since=memory.confirmed_at or memory.created_at,
        reinforcements=memory.reinforcements,
        pinned=memory.pinned,
        now=now,
        policy=decay,
    )


def _leg(raw: float | None, *, full: float) -> float | None:
    # a NaN is a leg that is out; a negative cosine says no more than none
    if raw is None or not math.isfinite(raw):
        return None
    return _round(min(1.0, max(0.0, raw / full)))


def _relevance(
    vector: float | None, lexical: float | None, session: float | None, neighbours: float | None, weights: RankWeights
) -> float:
    meaning = words = 0.0
    if vector is not None and session is not None:
        meaning = (vector + weights.session * session) / (1.0 + weights.session)
    if lexical is not None and neighbours is not None:
        power = weights.lexical_power if vector is not None else 1.0
        words = (lexical**power + weights.neighbours * neighbours**power) / (1.0 + weights.neighbours)
    if vector is None:
        return _round(words)
    if lexical is None:
        return _round(meaning)
    return _round(weights.vector * meaning + weights.lexical * words)


def _begin(memory: Memory) -> datetime:
    return memory.valid_from or memory.occurred_at


def _recency(memory: Memory, *, now: datetime, weights: RankWeights, period: Period | None) -> float:
    if period is not None:
        # a question that names its time is not about what is fresh
        return 1.0 if period.holds(memory) else weights.elsewhen
    since = _begin(memory) if memory.kind is Kind.EPISODIC else memory.confirmed_at or memory.created_at
    return _between(weights.recency_least, math.exp2(-age_days(since, now) / weights.recency_half_life_days))


def _between(least: float, share: float) -> float:
    return least + (1.0 - least) * min(1.0, max(0.0, share))


def _round(value: float) -> float:
    return round(value, _DIGITS)
