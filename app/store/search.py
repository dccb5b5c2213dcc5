"""Reading memories: the recall statement, the words of a forget, and the inventory."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from pgvector.sqlalchemy import HALFVEC
from sqlalchemy import (
    ColumnElement,
    Float,
    and_,
    bindparam,
    case,
    cast,
    exists,
    func,
    literal,
    null,
    or_,
    select,
    tuple_,
)
from sqlalchemy.dialects.postgresql import TSQUERY
from sqlalchemy.ext.asyncio import AsyncSession

from app.domain.caller import Owner
from app.domain.commands import AsOf, ListCommand, RecallCommand
from app.domain.memory import NEVER_BELIEVED, Kind, Memory, Status
from app.domain.ranker import LONG_FROM, RankWeights, Signals
from app.store.filters import to_sql
from app.store.rows import select_memories, to_memory
from app.store.scope import mine
from app.store.tables import EvidenceRow, MemoryRow

# how many rows are ranked in full; the statement has scored every row of the owner before it cuts here
RANKED = 200


@dataclass(frozen=True, slots=True)
class Query:
    """A query as the database needs it; a leg that is out is None."""

    vector: Sequence[float] | None
    model: str
    tsquery: str | None


class Search:
    """One user's memories, for reading. Made per transaction."""

    def __init__(self, session: AsyncSession, owner: Owner) -> None:
        self._session = session
        self._owner = owner

    async def candidates(
        self, command: RecallCommand, query: Query, *, min_trust: int, weights: RankWeights
    ) -> list[Signals]:
        """Read the best rows of this owner with their raw signals, in one statement."""
        cosine, ts_rank = _legs(query)
        statement = (
            select_memories(self._owner, cosine.label("cosine"), ts_rank.label("ts_rank"), links=False)
            .where(*visible(command, min_trust=min_trust))
            .order_by(_preliminary(cosine, ts_rank, weights).desc(), MemoryRow.id)
            .limit(max(RANKED, 2 * command.k))
        )
        return [_signals(row, query) for row in await self._session.execute(statement)]

    async def signals_of(self, memory_ids: Collection[UUID], query: Query) -> list[Signals]:
        """Read the raw signals of given rows, whatever their status: for "why not"."""
        if not memory_ids:
            return []
        cosine, ts_rank = _legs(query)
        statement = select_memories(self._owner, cosine.label("cosine"), ts_rank.label("ts_rank")).where(
            MemoryRow.id.in_(sorted(memory_ids))
        )
        return [_signals(row, query) for row in await self._session.execute(statement)]

    async def everywhere(
        self, query: Query, *, words: Sequence[str], weights: RankWeights, limit: int
    ) -> list[Signals]:
        """Search every status and trust, and the quotes of the evidence too: for forgetting.

        A row whose evidence holds all the words counts as a full lexical match.
        """
        cosine, ts_rank = _legs(query)
        if words:
            quoted = exists().where(
                mine(self._owner, EvidenceRow),
                EvidenceRow.memory_id == MemoryRow.id,
                *(EvidenceRow.quote.icontains(word, autoescape=True) for word in words),
            )
            ts_rank = case((quoted, func.greatest(ts_rank, weights.lexical_full)), else_=ts_rank)
        statement = (
            select_memories(self._owner, cosine.label("cosine"), ts_rank.label("ts_rank"), links=False)
            .order_by(_preliminary(cosine, ts_rank, weights).desc(), MemoryRow.id)
            .limit(limit)
        )
        return [_signals(row, query) for row in await self._session.execute(statement)]

    async def procedural(self, command: RecallCommand, *, min_trust: int) -> list[Memory]:
        """Read the procedural memories that belong at the head of a context block."""
        if Kind.PROCEDURAL not in command.kinds:
            return []
        statement = (
            select_memories(self._owner, links=False)
            .where(
                MemoryRow.kind == Kind.PROCEDURAL,
                *visible(command, min_trust=max(min_trust, 3)),
                MemoryRow.status == Status.ACTIVE,
            )
            .order_by(MemoryRow.importance.desc(), MemoryRow.created_at, MemoryRow.id)
            .limit(RANKED)
        )
        return [to_memory(row) for row in await self._session.execute(statement)]

    async def all_rows(self, command: RecallCommand, query: Query) -> list[Signals]:
        """Read every row of the user with its signals: a trace counts what was left out, and why."""
        cosine, ts_rank = _legs(query)
        statement = select_memories(self._owner, cosine.label("cosine"), ts_rank.label("ts_rank"))
        return [_signals(row, query) for row in await self._session.execute(statement)]

    async def page(self, command: ListCommand, *, after: tuple[datetime, UUID] | None) -> list[Memory]:
        """Read a page of the inventory, newest first; one row more than asked tells that there is a next page."""
        statement = select_memories(self._owner).where(
            MemoryRow.kind.in_(sorted(command.kinds)),
            MemoryRow.status.in_(sorted(command.statuses)),
            to_sql(command.filters),
        )
        if command.created_after is not None:
            statement = statement.where(MemoryRow.created_at > command.created_after)
        if command.created_before is not None:
            statement = statement.where(MemoryRow.created_at < command.created_before)
        if after is not None:
            statement = statement.where(tuple_(MemoryRow.created_at, MemoryRow.id) < tuple_(*after))
        statement = statement.order_by(MemoryRow.created_at.desc(), MemoryRow.id.desc()).limit(command.limit + 1)
        return [to_memory(row) for row in await self._session.execute(statement)]

    async def export_page(self, *, after: UUID | None, limit: int) -> list[Memory]:
        """Read the next rows of every status in the order of their ids."""
        statement = select_memories(self._owner).order_by(MemoryRow.id).limit(limit)
        if after is not None:
            statement = statement.where(MemoryRow.id > after)
        return [to_memory(row) for row in await self._session.execute(statement)]

    async def evidence(self, memory_ids: Collection[UUID]) -> dict[UUID, list[EvidenceRow]]:
        """Read all evidence of memories, oldest first."""
        found: dict[UUID, list[EvidenceRow]] = {memory_id: [] for memory_id in memory_ids}
        if memory_ids:
            statement = (
                select(EvidenceRow)
                .where(mine(self._owner, EvidenceRow), EvidenceRow.memory_id.in_(sorted(memory_ids)))
                .order_by(EvidenceRow.created_at, EvidenceRow.id)
            )
            for row in (await self._session.execute(statement)).scalars():
                found[row.memory_id].append(row)
        return found


def visible(command: RecallCommand, *, min_trust: int) -> list[ColumnElement[bool]]:
    """Spell what a recall may see: status, validity, knowledge, trust, kind, subject and filters."""
    clauses: list[ColumnElement[bool]] = [MemoryRow.trust >= min_trust, to_sql(command.filters)]
    if command.kinds != frozenset(Kind):
        clauses.append(MemoryRow.kind.in_(sorted(command.kinds)))
    if command.subject is not None:
        clauses.append(MemoryRow.subject == command.subject)
    if command.as_of is not None or Status.SUPERSEDED in command.include:
        # what waited for a review and gave way was never believed: no request brings it back
        clauses.append(or_(MemoryRow.retired_by.is_(None), MemoryRow.retired_by.not_in(sorted(NEVER_BELIEVED))))
    if command.as_of is not None:
        return [*clauses, *_believed(command.as_of, command.include)]
    now = command.received_at
    clauses.append(MemoryRow.status.in_(sorted({Status.ACTIVE, *command.include})))
    clauses.append(or_(MemoryRow.expires_at.is_(None), MemoryRow.expires_at > now))
    # a past event stays true; a fact whose stated time is over does not. Superseded rows were asked for as such
    clauses.append(
        or_(
            MemoryRow.kind == Kind.EPISODIC,
            MemoryRow.status != Status.ACTIVE,
            MemoryRow.valid_to.is_(None),
            MemoryRow.valid_to > now,
        )
    )
    return clauses


def _believed(as_of: AsOf, include: Collection[Status]) -> list[ColumnElement[bool]]:
    statuses = {Status.ACTIVE, Status.SUPERSEDED, Status.EXPIRED, *include}
    # an end that became known only later did not exist for who asked then
    end_unknown = and_(MemoryRow.known_to.is_not(None), MemoryRow.known_to > as_of.known_at)
    return [
        MemoryRow.status.in_(sorted(statuses)),
        MemoryRow.known_from <= as_of.known_at,
        func.coalesce(MemoryRow.valid_from, MemoryRow.occurred_at) <= as_of.valid_at,
        or_(
            MemoryRow.kind == Kind.EPISODIC,
            MemoryRow.valid_to.is_(None),
            MemoryRow.valid_to > as_of.valid_at,
            end_unknown,
        ),
        or_(MemoryRow.status != Status.EXPIRED, MemoryRow.known_to.is_(None), end_unknown),
        # a correction ends a belief, not a time: it says that the old words never held
        or_(MemoryRow.retired_by.is_(None), MemoryRow.retired_by != "correction", end_unknown),
    ]


def _legs(query: Query) -> tuple[ColumnElement[Any], ColumnElement[Any]]:
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


def _preliminary(cosine: Any, ts_rank: Any, weights: RankWeights) -> ColumnElement[Any]:
    # the ranker's relevance, so that nothing it would put in front is cut off here
    zero, one = literal(0.0, Float()), literal(1.0, Float())
    vector = func.greatest(func.coalesce(cosine, zero), zero)
    share = func.least(func.coalesce(ts_rank, zero) / literal(weights.lexical_full, Float()), one)
    lexical = func.power(share, literal(weights.lexical_power, Float()))
    return literal(weights.vector, Float()) * vector + literal(weights.lexical, Float()) * lexical


def _signals(row: Any, query: Query) -> Signals:
    return Signals(
        memory=to_memory(row),
        cosine=None if row.cosine is None else float(row.cosine),
        ts_rank=float(row.ts_rank) if row.ts_rank is not None else None,
    )
