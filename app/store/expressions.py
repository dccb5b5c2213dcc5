"""What the statements of recall compute per row: both legs, the ranker's relevance, and what stands near by."""

from __future__ import annotations

from typing import Any, Final

from pgvector.sqlalchemy import HALFVEC
from sqlalchemy import (
    ARRAY,
    REAL,
    BigInteger,
    ColumnElement,
    DateTime,
    Float,
    Integer,
    Text,
    and_,
    case,
    cast,
    func,
    literal_column,
    null,
    or_,
    text,
)
from sqlalchemy.dialects.postgresql import BIT, TSQUERY

from app.domain.memory import Kind
from app.domain.ranker import LONG_FROM, REACH, RankWeights
from app.store.scope import named
from app.store.tables import MemoryRow

_TIME: Final = DateTime(timezone=True)


def legs(*, vector: bool, lexical: bool) -> tuple[ColumnElement[Any], ColumnElement[Any]]:
    """Spell both raw legs, with the parameters `asked`, `model` and `asked_words`; a leg that is out is NULL."""
    cosine: ColumnElement[Any] = cast(null(), Float())
    ts_rank: ColumnElement[Any] = cast(null(), Float())
    if vector:
        # rows of another model cannot be compared
        same_model = MemoryRow.embedding_model == named("model", Text())
        cosine = case((same_model, number(1.0) - MemoryRow.embedding.op("<=>", return_type=Float())(_asked())))
    if lexical:
        long = func.greatest(func.length(MemoryRow.tsv) / number(LONG_FROM), number(1.0))
        ts_rank = cast(func.ts_rank(MemoryRow.tsv, asked_words(), text("0")), Float()) / (number(1.0) + func.ln(long))
    return cosine, ts_rank


def distance() -> ColumnElement[Any]:
    """Spell the cosine distance so that the covering index alone can tell it: by length, without the model's name."""
    same_length = func.vector_dims(MemoryRow.embedding) == named("dimension", Integer())
    return case((same_length, MemoryRow.embedding.op("<=>", return_type=Float())(_asked())))


def asked_words() -> ColumnElement[Any]:
    """Spell the words of the query: quoted lexemes of ours, which no configuration may change."""
    return cast(named("asked_words", Text()), TSQUERY())


def _asked() -> ColumnElement[Any]:
    # as numbers, which the driver sends in binary; text would take longer to write than the search takes
    return cast(named("asked", ARRAY(REAL())), HALFVEC())


def relevance(
    cosine: ColumnElement[Any],
    ts_rank: ColumnElement[Any],
    weights: RankWeights,
    *,
    session: ColumnElement[Any] | None = None,
    neighbours: ColumnElement[Any] | None = None,
) -> ColumnElement[Any]:
    """Spell the ranker's relevance, so that nothing it would put in front is cut off here."""
    zero = number(0.0)
    vector = func.greatest(func.coalesce(cosine, zero), zero)
    share = func.least(func.coalesce(ts_rank, zero) / number(weights.lexical_full), number(1.0))
    power = number(weights.lexical_power)
    meaning: ColumnElement[Any] = vector
    words: ColumnElement[Any] = func.power(share, power)
    around: ColumnElement[Any] = share
    if session is not None and neighbours is not None:
        best = func.greatest(func.coalesce(session, zero), vector)
        around = func.greatest(func.coalesce(neighbours, zero), share)
        meaning = (vector + number(weights.session) * best) / number(1.0 + weights.session)
        words = (words + number(weights.neighbours) * func.power(around, power)) / number(1.0 + weights.neighbours)
    both = number(weights.vector) * meaning + number(weights.lexical) * words
    alone = (
        share
        if neighbours is None
        else (share + number(weights.neighbours) * around) / number(1.0 + weights.neighbours)
    )
    # without a vector that can be compared the words stand for all, and each counts in full
    return case((cosine.is_(None), alone), else_=both)


def preliminary(told: Any, weights: RankWeights) -> ColumnElement[Any]:
    """Spell the relevance of a row whose signals are columns."""
    return relevance(told.cosine, told.ts_rank, weights, session=told.session, neighbours=told.neighbours)


def static(weights: RankWeights) -> ColumnElement[Any]:
    """Spell the factors that a row has by itself: importance and confidence with staleness."""

    def between(least: float, share: ColumnElement[Any]) -> ColumnElement[Any]:
        return number(least) + number(1.0 - least) * share

    stale = case((MemoryRow.stale, number(weights.stale_factor)), else_=number(1.0))
    importance = between(weights.importance_least, cast(MemoryRow.importance, Float()) / number(10.0))
    return importance * between(weights.confidence_least, cast(MemoryRow.confidence, Float())) * stale


def began() -> ColumnElement[Any]:
    """Spell when an event happened, or a fact began to hold."""
    return func.coalesce(MemoryRow.valid_from, MemoryRow.occurred_at)


def in_time(weights: RankWeights, *, period: bool) -> ColumnElement[Any]:
    """Spell the recency factor, with the parameters `since` and `until` for a question that names a time, else `clock`.

    A confirmation is not looked at: it can only bring back what recency has taken, at most a hundredth.
    """
    episodic = MemoryRow.kind == Kind.EPISODIC
    if period:
        since, until = named("since", _TIME), named("until", _TIME)
        begins_before = began() < until
        still_holds = or_(MemoryRow.valid_to.is_(None), MemoryRow.valid_to > since)
        held = case((episodic, and_(began() >= since, begins_before)), else_=and_(begins_before, still_holds))
        return case((held, number(1.0)), else_=number(weights.elsewhen))
    told = case((episodic, began()), else_=MemoryRow.created_at)
    seconds = func.date_part("epoch", named("clock", _TIME) - told)
    halves = func.greatest(seconds, number(0.0)) / number(86_400.0 * weights.recency_half_life_days)
    # 2 to the power of minus a thousand is no number any more
    left = func.power(number(2.0), -func.least(halves, number(500.0)))
    return number(weights.recency_least) + number(1.0 - weights.recency_least) * left


def mask_of(words: int) -> ColumnElement[Any]:
    """Spell which of the query's words a row holds, a bit each; a long text holds some word of any question."""
    if words == 0:
        return integer(0)
    bits: ColumnElement[Any] = integer(0)
    for place in range(words):
        word = cast(named(f"word_{place}", Text()), TSQUERY())
        bits = bits.op("|")(case((MemoryRow.tsv.op("@@")(word), integer(1 << place)), else_=integer(0)))
    return case((func.length(MemoryRow.tsv) <= integer(LONG_FROM), bits), else_=integer(0))


def neighbours_of(mask: Any, session: Any, order: tuple[Any, ...], *, words: int) -> ColumnElement[Any]:
    """Spell the share of the query's words within one, two and three memories of the session, as a mean."""
    if words == 0:
        return cast(null(), Float())
    total: ColumnElement[Any] = integer(0)
    for reach in range(1, REACH + 1):
        held = func.bit_or(mask).over(partition_by=session, order_by=order, rows=(-reach, reach))
        total = total + func.bit_count(cast(held, BIT(64)))
    return cast(total, Float()) / number(words * REACH)


def number(value: float) -> ColumnElement[Any]:
    """Spell a number of ours."""
    # in the text of the statement: each would be a parameter of its own otherwise
    return literal_column(f"{float(value)!r}::float8", Float())


def integer(value: int) -> ColumnElement[Any]:
    """Spell a whole number of ours."""
    return literal_column(f"{int(value)}::bigint", BigInteger())
