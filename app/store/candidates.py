"""The recall statement: all rows of an owner scored in one pass, the best of them read in full.

scored   the owner's visible rows with cosine, ts_rank and a mask of the query's words
told     the same beside what was told around them: per session the best cosine, per row the words
         within one, two and three memories of it
ranked   in the order of the ranker's relevance, importance and confidence
then     the first rows with all columns, and the procedural memories that head a context block
"""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final
from uuid import UUID

from pgvector.sqlalchemy import HALFVEC
from sqlalchemy import (
    ARRAY,
    REAL,
    BigInteger,
    ColumnElement,
    Float,
    Integer,
    Select,
    Text,
    Uuid,
    and_,
    case,
    cast,
    false,
    func,
    literal_column,
    null,
    or_,
    select,
    text,
    true,
    union_all,
)
from sqlalchemy.dialects.postgresql import BIT, TSQUERY, asyncpg

from app.domain.caller import Owner
from app.domain.commands import RecallCommand
from app.domain.memory import Kind, Memory, Status
from app.domain.ranker import LONG_FROM, REACH, RankWeights, Signals
from app.domain.trust import PROCEDURAL_FLOOR
from app.store.rows import select_memories, to_memory
from app.store.scope import ANY_OWNER, mine, named
from app.store.tables import MemoryRow
from app.store.visible import visible

FULL: Final = 32
"""How many rows are read in full at least; all rows were scored before.

The statement orders by relevance, importance and confidence. What it leaves to the ranker (weight and recency) is
between .89 and 1, so that a row beyond these would have to overtake all of them within that margin.
"""
MASKED: Final = 62  # words of a query that have a bit of their own


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

    def values(self) -> dict[str, Any]:
        """Give the values of the parameters of both legs."""
        return {
            "model": self.model,
            "asked": None if self.vector is None else list(self.vector),
            "asked_words": self.tsquery,
        }


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


@dataclass(frozen=True, slots=True)
class Shape:
    """What the statement of a recall depends on, its values and filters aside: equal shapes share their SQL."""

    vector: bool
    lexical: bool
    words: int
    kinds: frozenset[Kind]
    include: frozenset[Status]
    subject: bool
    as_of: bool
    heads: bool
    also: bool
    weights: RankWeights


def shape_of(command: RecallCommand, query: Query, *, weights: RankWeights, also: UUID | None) -> Shape:
    """Tell the shape of a recall."""
    return Shape(
        vector=query.vector is not None,
        lexical=bool(query.tsquery),
        words=min(len(query.words), MASKED),
        kinds=command.kinds,
        include=command.include,
        subject=command.subject is not None,
        as_of=command.as_of is not None,
        heads=command.token_budget > 0 and Kind.PROCEDURAL in command.kinds,
        also=also is not None,
        weights=weights,
    )


def values_of(
    owner: Owner, command: RecallCommand, query: Query, *, min_trust: int, also: UUID | None
) -> dict[str, Any]:
    """Give the values of all named parameters; a statement takes those that its shape has."""
    values: dict[str, Any] = {
        "tenant_id": owner.tenant_id,
        "user_id": owner.user_id,
        "min_trust": min_trust,
        "now": command.received_at,
        "subject": command.subject,
        **query.values(),
        "last": max(FULL, 2 * command.k),
        "also": also,
    }
    if command.as_of is not None:
        values |= {"valid_at": command.as_of.valid_at, "known_at": command.as_of.known_at}
    # quoted lexemes of ours, folded as the stored ones were
    return values | {f"word_{place}": f"'{word}'" for place, word in enumerate(query.words[:MASKED])}


def statement_of(shape: Shape, *filters: ColumnElement[bool]) -> Select[Any]:
    """Spell the recall statement of any owner, with named parameters.

    With `also` in the shape one more row is read with its signals, whether it may be seen or not; it lends nothing
    to the rows around it.
    """
    cosine, ts_rank = legs(vector=shape.vector, lexical=shape.lexical)
    heads = and_(
        MemoryRow.kind == Kind.PROCEDURAL, MemoryRow.status == Status.ACTIVE, MemoryRow.trust >= PROCEDURAL_FLOOR
    )
    may_see = and_(
        *visible(kinds=shape.kinds, include=shape.include, subject=shape.subject, as_of=shape.as_of), *filters
    )
    also = MemoryRow.id == named("also", Uuid())
    scored = (
        select(
            MemoryRow.id,
            MemoryRow.session_id,
            MemoryRow.session_ordinal,
            _static(shape.weights).label("static"),
            (heads if shape.heads else false()).label("heads"),
            cosine.label("cosine"),
            ts_rank.label("ts_rank"),
            _mask(shape.words).label("mask"),
            (may_see if shape.also else true()).label("seen"),
        )
        .where(mine(ANY_OWNER, MemoryRow), or_(may_see, also) if shape.also else may_see)
        .cte("scored")
        .prefix_with("materialized")
    )
    # a memory without a session stands alone
    session = func.coalesce(scored.c.session_id, cast(scored.c.id, Text()))
    told = select(
        scored.c.id,
        scored.c.static,
        scored.c.heads,
        scored.c.cosine,
        scored.c.ts_rank,
        scored.c.seen,
        func.max(case((scored.c.seen, scored.c.cosine))).over(partition_by=session).label("session"),
        _neighbours(
            case((scored.c.seen, scored.c.mask), else_=_integer(0)),
            session,
            (scored.c.session_ordinal, scored.c.id),
            words=shape.words,
        ).label("neighbours"),
    ).cte("told")
    # with a limit the planner knows how few rows are read in full
    best = (
        select(told, true().label("ranked"))
        .where(told.c.seen)
        .order_by((_preliminary(told.c, shape.weights) * told.c.static).desc(), told.c.id)
        .limit(named("last", Integer()))
        .subquery("best")
    )
    wanted: Any = select(best)
    apart = [told.c.heads] if shape.heads else []
    if shape.also:
        apart.append(told.c.id == named("also", Uuid()))
    if apart:
        wanted = union_all(wanted, select(told, false().label("ranked")).where(or_(*apart)))
    found = wanted.cte("found")
    return select_memories(
        ANY_OWNER,
        found.c.cosine,
        found.c.ts_rank,
        found.c.session.label("session_cosine"),
        found.c.neighbours,
        and_(found.c.heads, found.c.seen).label("heads"),
        found.c.ranked,
        links=shape.also,
    ).join(found, found.c.id == MemoryRow.id)


@dataclass(frozen=True, slots=True)
class Prepared:
    """SQL for the driver.

    Attributes:
        sql: With numbered parameters.
        names: Which value each parameter takes.
        constants: The values that are the same each time.
        row: Names the columns of a row.
    """

    sql: str
    names: tuple[str, ...]
    constants: Mapping[str, Any]
    row: Callable[[Iterable[Any]], Any]

    def arguments(self, values: Mapping[str, Any]) -> tuple[Any, ...]:
        """Put values into the order of the parameters."""
        return tuple(values[name] if name in values else self.constants[name] for name in self.names)


@lru_cache(maxsize=256)
def prepared(shape: Shape) -> Prepared:
    """Spell the statement of a shape as SQL for the driver; spelling it takes ten times as long as running it."""
    statement = statement_of(shape)
    dialect = asyncpg.dialect()  # type: ignore[no-untyped-call]
    compiled = statement.compile(dialect=dialect, compile_kwargs={"render_postcompile": True})
    # the columns are known at run time only
    row = namedtuple("row", [str(column.key) for column in statement.selected_columns])  # type: ignore[misc]
    return Prepared(str(compiled), tuple(compiled.positiontup or ()), dict(compiled.params), row._make)


def read(rows: Iterable[Any], also: UUID | None = None) -> Candidates:
    """Read what the statement found."""
    signals: list[Signals] = []
    heads: dict[UUID, Memory] = {}
    beside: Signals | None = None
    for row in rows:
        found = signals_of(row)
        if row.ranked:
            signals.append(found)
        # a row may come twice: as a candidate, and for what it is
        if row.heads:
            heads[row.id] = found.memory
        if row.id == also:
            beside = found
    first = sorted(heads.values(), key=lambda memory: (-memory.importance, memory.created_at, memory.id))
    return Candidates(signals, first, beside)


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


def legs(*, vector: bool, lexical: bool) -> tuple[ColumnElement[Any], ColumnElement[Any]]:
    """Spell both raw legs, with the parameters `asked`, `model` and `asked_words`; a leg that is out is NULL."""
    cosine: ColumnElement[Any] = cast(null(), Float())
    ts_rank: ColumnElement[Any] = cast(null(), Float())
    if vector:
        # as numbers, which the driver sends in binary; text would take longer to write than the search takes
        asked = cast(named("asked", ARRAY(REAL())), HALFVEC())
        # rows of another model cannot be compared
        cosine = case(
            (
                MemoryRow.embedding_model == named("model", Text()),
                _number(1.0) - MemoryRow.embedding.op("<=>", return_type=Float())(asked),
            )
        )
    if lexical:
        # quoted lexemes of ours, folded as the stored ones were: no configuration may change them
        asked_words = cast(named("asked_words", Text()), TSQUERY())
        long = func.greatest(func.length(MemoryRow.tsv) / _number(LONG_FROM), _number(1.0))
        ts_rank = cast(func.ts_rank(MemoryRow.tsv, asked_words, text("0")), Float()) / (_number(1.0) + func.ln(long))
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
    zero = _number(0.0)
    vector = func.greatest(func.coalesce(cosine, zero), zero)
    share = func.least(func.coalesce(ts_rank, zero) / _number(weights.lexical_full), _number(1.0))
    power = _number(weights.lexical_power)
    meaning: ColumnElement[Any] = vector
    words: ColumnElement[Any] = func.power(share, power)
    if session is not None and neighbours is not None:
        best = func.greatest(func.coalesce(session, zero), vector)
        around = func.greatest(func.coalesce(neighbours, zero), share)
        meaning = (vector + _number(weights.session) * best) / _number(1.0 + weights.session)
        words = (words + _number(weights.neighbours) * func.power(around, power)) / _number(1.0 + weights.neighbours)
    return _number(weights.vector) * meaning + _number(weights.lexical) * words


def _preliminary(told: Any, weights: RankWeights) -> ColumnElement[Any]:
    return relevance(told.cosine, told.ts_rank, weights, session=told.session, neighbours=told.neighbours)


def _static(weights: RankWeights) -> ColumnElement[Any]:
    """Spell the factors that a row has by itself: importance and confidence with staleness."""

    def between(least: float, share: ColumnElement[Any]) -> ColumnElement[Any]:
        return _number(least) + _number(1.0 - least) * share

    stale = case((MemoryRow.stale, _number(weights.stale_factor)), else_=_number(1.0))
    importance = between(weights.importance_least, cast(MemoryRow.importance, Float()) / _number(10.0))
    return importance * between(weights.confidence_least, cast(MemoryRow.confidence, Float())) * stale


def _mask(words: int) -> ColumnElement[Any]:
    """Spell which of the query's words a row holds, a bit each; a long text holds some word of any question."""
    if words == 0:
        return _integer(0)
    bits: ColumnElement[Any] = _integer(0)
    for place in range(words):
        word = cast(named(f"word_{place}", Text()), TSQUERY())
        bits = bits.op("|")(case((MemoryRow.tsv.op("@@")(word), _integer(1 << place)), else_=_integer(0)))
    return case((func.length(MemoryRow.tsv) <= _integer(LONG_FROM), bits), else_=_integer(0))


def _neighbours(mask: Any, session: Any, order: tuple[Any, ...], *, words: int) -> ColumnElement[Any]:
    """Spell the share of the query's words within one, two and three memories of the session, as a mean."""
    if words == 0:
        return cast(null(), Float())
    total: ColumnElement[Any] = _integer(0)
    for reach in range(1, REACH + 1):
        held = func.bit_or(mask).over(partition_by=session, order_by=order, rows=(-reach, reach))
        total = total + func.bit_count(cast(held, BIT(64)))
    return cast(total, Float()) / _number(words * REACH)


def _number(value: float) -> ColumnElement[Any]:
    # in the text of the statement: each would be a parameter of its own otherwise
    return literal_column(f"{float(value)!r}::float8", Float())


def _integer(value: int) -> ColumnElement[Any]:
    return literal_column(f"{int(value)}::bigint", BigInteger())
