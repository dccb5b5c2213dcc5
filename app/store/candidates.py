"""The recall statement: all rows of an owner scored in one pass, the best of them read in full.

scored   the owner's visible rows with cosine, ts_rank and a mask of the query's words
told     the same beside what was told around them: per session the best cosine, per row the words
         within one, two and three memories of it
ranked   in the order of the ranker's relevance, importance and confidence
then     the first rows with all columns, and the procedural memories that head a context block
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final
from uuid import UUID

from pgvector.sqlalchemy import HALFVEC
from sqlalchemy import (
    BigInteger,
    ColumnElement,
    Float,
    Result,
    Select,
    Text,
    and_,
    bindparam,
    case,
    cast,
    false,
    func,
    literal,
    null,
    or_,
    select,
    true,
)
from sqlalchemy.dialects.postgresql import BIT, TSQUERY

from app.domain.caller import Owner
from app.domain.commands import RecallCommand
from app.domain.memory import Kind, Memory, Status
from app.domain.ranker import LONG_FROM, REACH, RankWeights, Signals
from app.domain.trust import PROCEDURAL_FLOOR
from app.store.rows import select_memories, to_memory
from app.store.scope import mine
from app.store.tables import MemoryRow
from app.store.visible import visible

FULL: Final = 64
"""How many rows are read in full at least; all rows were scored before.

The statement orders by relevance, importance and confidence. What it leaves to the ranker (weight and recency) is
between .85 and 1, so that a row beyond these would have to overtake all of them within that margin.
"""
_MASKED: Final = 62  # words of a query that have a bit of their own


@dataclass(frozen=True, slots=True)
class Query:
    """A query as the database needs it; a leg that is out is None.

    Attributes:
        vector: The query's vector.
        model: The model it came from.
        tsquery: The words joined with OR.
        words: The words one by one.
    """

    vector: Sequence[float] | None
    model: str
    tsquery: str | None
    words: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class Candidates:
    """What a recall ranks.

    Attributes:
        signals: The rows that may be among the hits.
        procedural: The procedural memories that head a context block, most important first.
        also: The row that was asked for beside them; None if there is none, or no such row.
    """

    signals: list[Signals]
    procedural: list[Memory]
    also: Signals | None = None


def statement_of(
    owner: Owner,
    command: RecallCommand,
    query: Query,
    *,
    min_trust: int,
    weights: RankWeights,
    also: UUID | None = None,
) -> Select[Any]:
    """Spell the recall statement of one owner.

    Args:
        owner: Whose rows.
        command: What is asked.
        query: The same, prepared for both legs.
        min_trust: The trust a row needs.
        weights: The ranker's parameters.
        also: A row to read with its signals whether it may be seen or not; it lends nothing to the rows around it.
    """
    cosine, ts_rank = legs(query)
    heads = and_(
        MemoryRow.kind == Kind.PROCEDURAL, MemoryRow.status == Status.ACTIVE, MemoryRow.trust >= PROCEDURAL_FLOOR
    )
    may_see = visible(command, min_trust=min_trust)
    scored = (
        select(
            MemoryRow.id,
            MemoryRow.session_id,
            MemoryRow.session_ordinal,
            _static(weights).label("static"),
            (heads if command.token_budget > 0 and Kind.PROCEDURAL in command.kinds else false()).label("heads"),
            cosine.label("cosine"),
            ts_rank.label("ts_rank"),
            _mask(query).label("mask"),
            (and_(*may_see) if also is not None else true()).label("seen"),
        )
        .where(
            mine(owner, MemoryRow), or_(and_(*may_see), MemoryRow.id == also) if also is not None else and_(*may_see)
        )
        .cte("scored")
        .prefix_with("materialized")
    )
    # a memory without a session stands alone
    session = func.coalesce(scored.c.session_id, cast(scored.c.id, Text()))
    order = (scored.c.session_ordinal, scored.c.id)
    told = select(
        scored.c.id,
        scored.c.static,
        scored.c.heads,
        scored.c.cosine,
        scored.c.ts_rank,
        scored.c.seen,
        func.max(case((scored.c.seen, scored.c.cosine))).over(partition_by=session).label("session"),
        _neighbours(
            case((scored.c.seen, scored.c.mask), else_=literal(0, BigInteger())),
            session,
            order,
            words=min(len(query.words), _MASKED),
        ).label("neighbours"),
    ).cte("told")
    best = (_preliminary(told.c, weights) * told.c.static).label("best")
    ranked = select(
        told, func.row_number().over(order_by=(told.c.seen.desc(), best.desc(), told.c.id)).label("place")
    ).cte("ranked")
    return (
        select_memories(
            owner,
            ranked.c.cosine,
            ranked.c.ts_rank,
            ranked.c.session.label("session_cosine"),
            ranked.c.neighbours,
            and_(ranked.c.heads, ranked.c.seen).label("heads"),
            and_(ranked.c.place <= full(command), ranked.c.seen).label("ranked"),
            ranked.c.place,
            links=also is not None,
        )
        .join(ranked, ranked.c.id == MemoryRow.id)
        .where(or_(ranked.c.place <= full(command), ranked.c.heads, MemoryRow.id == also))
        .order_by(ranked.c.place)
    )


def full(command: RecallCommand) -> int:
    """Tell how many rows of a recall are read in full."""
    return max(FULL, 2 * command.k)


def read(result: Result[Any], also: UUID | None = None) -> Candidates:
    """Read what the statement found."""
    signals: list[Signals] = []
    heads: list[Memory] = []
    beside: Signals | None = None
    for row in result:
        found = signals_of(row)
        if row.ranked:
            signals.append(found)
        if row.heads:
            heads.append(found.memory)
        if found.memory.id == also:
            beside = found
    heads.sort(key=lambda memory: (-memory.importance, memory.created_at, memory.id))
    return Candidates(signals, heads, beside)


def signals_of(row: Any) -> Signals:
    """Read the raw signals of a row; one without context stands alone."""
    around = getattr(row, "neighbours", None)
    session = getattr(row, "session_cosine", None)
    return Signals(
        memory=to_memory(row),
        cosine=None if row.cosine is None else float(row.cosine),
        ts_rank=None if row.ts_rank is None else float(row.ts_rank),
        neighbours=None if around is None else float(around),
        session=None if session is None else float(session),
    )


def legs(query: Query) -> tuple[ColumnElement[Any], ColumnElement[Any]]:
    """Spell both raw legs; a leg that is out is NULL."""
    cosine: ColumnElement[Any] = cast(null(), Float())
    ts_rank: ColumnElement[Any] = cast(null(), Float())
    if query.vector is not None:
        # rows of another model cannot be compared
        asked = bindparam("asked", list(query.vector), type_=HALFVEC())
        cosine = case(
            (
                MemoryRow.embedding_model == query.model,
                literal(1.0, Float()) - MemoryRow.embedding.op("<=>", return_type=Float())(asked),
            )
        )
    if query.tsquery:
        # quoted lexemes of ours, folded as the stored ones were: no configuration may change them
        asked_words = cast(bindparam("asked_words", query.tsquery), TSQUERY())
        one = literal(1.0, Float())
        long = func.greatest(func.length(MemoryRow.tsv) / literal(float(LONG_FROM), Float()), one)
        ts_rank = cast(func.ts_rank(MemoryRow.tsv, asked_words, 0), Float()) / (one + func.ln(long))
    return cosine, ts_rank


def relevance(
    cosine: ColumnElement[Any],
    ts_rank: ColumnElement[Any],
    weights: RankWeights,
    *,
    session: ColumnElement[Any] | None = None,
    neighbours: ColumnElement[Any] | None = None,
) -> ColumnElement[Any]:
    """Spell the ranker's relevance, so that nothing it would put in front is cut off here."""
    zero, one = literal(0.0, Float()), literal(1.0, Float())
    vector = func.greatest(func.coalesce(cosine, zero), zero)
    best = vector if session is None else func.greatest(func.coalesce(session, zero), vector)
    share = func.least(func.coalesce(ts_rank, zero) / literal(weights.lexical_full, Float()), one)
    around = share if neighbours is None else func.greatest(func.coalesce(neighbours, zero), share)

    def number(value: float) -> ColumnElement[Any]:
        return literal(value, Float())

    meaning = (vector + number(weights.session) * best) / number(1.0 + weights.session)
    power = number(weights.lexical_power)
    words = (func.power(share, power) + number(weights.neighbours) * func.power(around, power)) / number(
        1.0 + weights.neighbours
    )
    return number(weights.vector) * meaning + number(weights.lexical) * words


def _preliminary(told: Any, weights: RankWeights) -> ColumnElement[Any]:
    return relevance(told.cosine, told.ts_rank, weights, session=told.session, neighbours=told.neighbours)


def _static(weights: RankWeights) -> ColumnElement[Any]:
    """Spell the factors that a row has by itself: importance and confidence with staleness."""

    def between(least: float, share: ColumnElement[Any]) -> ColumnElement[Any]:
        return literal(least, Float()) + literal(1.0 - least, Float()) * share

    stale = case((MemoryRow.stale, literal(weights.stale_factor, Float())), else_=literal(1.0, Float()))
    importance = between(weights.importance_least, cast(MemoryRow.importance, Float()) / literal(10.0, Float()))
    return importance * between(weights.confidence_least, cast(MemoryRow.confidence, Float())) * stale


def _mask(query: Query) -> ColumnElement[Any]:
    """Spell which of the query's words a row holds, a bit each; a long text holds some word of any question."""
    bits: ColumnElement[Any] = literal(0, BigInteger())
    for place, word in enumerate(query.words[:_MASKED]):
        holds = MemoryRow.tsv.op("@@")(cast(bindparam(f"word_{place}", f"'{word}'"), TSQUERY()))
        bits = bits.op("|")(case((holds, literal(1 << place, BigInteger())), else_=literal(0, BigInteger())))
    if not query.words:
        return bits
    return case((func.length(MemoryRow.tsv) <= LONG_FROM, bits), else_=literal(0, BigInteger()))


def _neighbours(mask: Any, session: Any, order: tuple[Any, ...], *, words: int) -> ColumnElement[Any]:
    """Spell the share of the query's words within one, two and three memories of the session, as a mean."""
    if words == 0:
        return cast(null(), Float())
    found = [
        func.bit_count(
            cast(func.bit_or(mask).over(partition_by=session, order_by=order, rows=(-reach, reach)), BIT(64))
        )
        for reach in range(1, REACH + 1)
    ]
    total: ColumnElement[Any] = found[0]
    for more in found[1:]:
        total = total + more
    return cast(total, Float()) / literal(float(words * REACH), Float())
