"""The recall statement: all rows of an owner scored in one pass, the best of them read in full.

scored   the owner's visible rows with cosine, ts_rank and a mask of the query's words
told     the same beside what was told around them: per session the best cosine, per row the words
         within one, two and three memories of it
found    the first in the order of the ranker, and the procedural memories that head a context block;
         only these are read with all columns
"""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any
from uuid import UUID

from sqlalchemy import (
    CTE,
    ColumnElement,
    Integer,
    Select,
    Text,
    Uuid,
    and_,
    cast,
    false,
    func,
    or_,
    select,
    true,
    union,
    union_all,
)
from sqlalchemy.dialects.postgresql import asyncpg

from app.domain.memory import Kind, Memory, Status
from app.domain.ranker import Signals
from app.domain.trust import PROCEDURAL_FLOOR
from app.store.expressions import (
    asked_words,
    began,
    distance,
    in_time,
    integer,
    legs,
    mask_of,
    neighbours_of,
    preliminary,
    static,
)
from app.store.rows import select_memories, to_memory
from app.store.scope import ANY_OWNER, mine, named
from app.store.shapes import Shape
from app.store.tables import COVERED_DIMENSIONS, MemoryRow
from app.store.visible import visible


@dataclass(frozen=True, slots=True)
class Candidates:
    """What a recall ranks.

    Attributes:
        signals: The rows that may be among the hits.
        procedural: The procedural memories that head a context block, most important first.
        also: The row that was asked for beside them; None if there is none, or no such row.
        total: How many rows were scored.
        reached: How many rows the vector leg of a large owner chose.
    """

    signals: list[Signals]
    procedural: list[Memory]
    also: Signals | None = None
    total: int = 0
    reached: int = 0


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
        *visible(kinds=shape.kinds, include=shape.include, subject=shape.subject, as_of=shape.as_of, past=shape.past),
        *filters,
    )
    also = MemoryRow.id == named("also", Uuid())
    scored_rows = select(
        MemoryRow.id,
        MemoryRow.session_id,
        MemoryRow.session_ordinal,
        (static(shape.weights) * in_time(shape.weights, period=shape.period)).label("static"),
        began().label("began"),
        (heads if shape.heads else false()).label("heads"),
        cosine.label("cosine"),
        ts_rank.label("ts_rank"),
        mask_of(shape.words).label("mask"),
        (may_see if shape.also else true()).label("seen"),
    ).where(mine(ANY_OWNER, MemoryRow), or_(may_see, also) if shape.also else may_see)
    reached: ColumnElement[Any] = integer(0)
    if shape.large:
        chosen, reached = _chosen(shape, may_see, ts_rank, heads)
        scored_rows = scored_rows.join(chosen, chosen.c.id == MemoryRow.id)
    scored = scored_rows.cte("scored").prefix_with("materialized")
    # a memory without a session stands alone, and so does a row that may not be seen
    session = (func.coalesce(scored.c.session_id, cast(scored.c.id, Text())), scored.c.seen)
    told = select(
        scored.c.id,
        scored.c.static,
        scored.c.heads,
        scored.c.cosine,
        scored.c.ts_rank,
        scored.c.seen,
        scored.c.began,
        func.max(scored.c.cosine).over(partition_by=session).label("session"),
        neighbours_of(
            scored.c.mask,
            session,
            (scored.c.session_ordinal, scored.c.id),
            words=shape.words,
        ).label("neighbours"),
    ).cte("told")
    # with a limit the planner knows how few rows are read in full
    best = (
        select(told, true().label("ranked"))
        .where(told.c.seen)
        .order_by((preliminary(told.c, shape.weights) * told.c.static).desc(), told.c.began.desc(), told.c.id)
        .limit(named("last", Integer()))
        .subquery("best")
    )
    wanted: Any = select(best)
    apart = [told.c.heads] if shape.heads else []
    if shape.also:
        apart.append(told.c.id == named("also", Uuid()))
    if apart:
        wanted = union_all(wanted, select(told, false().label("ranked")).where(or_(*apart)))
    # else the planner may read all of this anew for every row of the owner, where it takes the owner for small
    found = wanted.cte("found").prefix_with("materialized")
    return select_memories(
        ANY_OWNER,
        found.c.cosine,
        found.c.ts_rank,
        found.c.session.label("session_cosine"),
        found.c.neighbours,
        and_(found.c.heads, found.c.seen).label("heads"),
        found.c.ranked,
        select(func.count()).select_from(scored).scalar_subquery().label("total"),
        reached.label("reached"),
        links=shape.also,
    ).join(found, found.c.id == MemoryRow.id)


def _chosen(
    shape: Shape, may_see: ColumnElement[bool], ts_rank: ColumnElement[Any], heads: ColumnElement[bool]
) -> tuple[CTE, ColumnElement[Any]]:
    """Spell which rows of a large owner are scored: the best of each leg, their sessions, and the instructions.

    The vector leg reads nothing but the covering index, several times what it chooses, as it cannot see there which
    rows may be seen. The second value is how many of those it chose.
    """
    leg = named("leg", Integer())
    covered = and_(
        MemoryRow.status == Status.ACTIVE, func.coalesce(MemoryRow.embedding_dimension, 0) <= COVERED_DIMENSIONS
    )
    nearest = (
        select(MemoryRow.id, distance().label("distance"))
        .where(mine(ANY_OWNER, MemoryRow), covered)
        .order_by(distance())
        .limit(named("reach", Integer()))
        .cte("nearest")
        .prefix_with("materialized")
    )
    same_model = MemoryRow.embedding_model == named("model", Text())
    near = (
        select(MemoryRow.id)
        .join(nearest, nearest.c.id == MemoryRow.id)
        .where(mine(ANY_OWNER, MemoryRow), may_see, same_model)
        .order_by(nearest.c.distance, MemoryRow.id)
        .limit(leg)
        .cte("near")
        .prefix_with("materialized")
    )
    best: list[Any] = [select(near.c.id)]
    if shape.lexical:
        asked = MemoryRow.tsv.op("@@")(asked_words())
        worded = (
            select(MemoryRow.id)
            .where(mine(ANY_OWNER, MemoryRow), may_see, asked)
            .order_by(ts_rank.desc(), MemoryRow.id)
            .limit(leg)
        )
        best.append(select(worded.subquery("worded")))
    seeds = union(*best).cte("seeds").prefix_with("materialized")
    sessions = (
        select(MemoryRow.session_id)
        .join(seeds, seeds.c.id == MemoryRow.id)
        .where(mine(ANY_OWNER, MemoryRow), MemoryRow.session_id.is_not(None))
        .distinct()
        .cte("sessions")
        .prefix_with("materialized")
    )
    around = (
        select(MemoryRow.id)
        .join(sessions, sessions.c.session_id == MemoryRow.session_id)
        .where(mine(ANY_OWNER, MemoryRow))
    )
    every: list[Any] = [select(seeds.c.id), around]
    if shape.heads:
        every.append(select(MemoryRow.id).where(mine(ANY_OWNER, MemoryRow), heads))
    reached = select(func.count()).select_from(near).scalar_subquery()
    return union(*every).cte("chosen").prefix_with("materialized"), reached


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
    total = reached = 0
    for row in rows:
        total, reached = row.total, row.reached
        found = signals_of(row)
        if row.ranked:
            signals.append(found)
        # a row may come twice: as a candidate, and for what it is
        if row.heads:
            heads[row.id] = found.memory
        if row.id == also:
            beside = found
    first = sorted(heads.values(), key=lambda memory: (-memory.importance, memory.created_at, memory.id))
    return Candidates(signals, first, beside, total, reached)


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
