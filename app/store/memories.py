"""Writing memories: the owner's lock, the neighbours of a claim, new rows and changes to old ones."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from pgvector.sqlalchemy import HALFVEC
from sqlalchemy import (
    ARRAY,
    REAL,
    Float,
    Select,
    and_,
    case,
    cast,
    delete,
    func,
    literal,
    literal_column,
    select,
    union_all,
    update,
)
from sqlalchemy.dialects.postgresql import TSQUERY, aggregate_order_by, insert
from sqlalchemy.ext.asyncio import AsyncSession

from app.domain.caller import Owner
from app.domain.errors import Unavailable
from app.domain.ledger import GENESIS
from app.domain.memory import Kind, Link, Memory, Status
from app.domain.terms import tsquery
from app.store.records import LedgerRow
from app.store.rows import select_memories, to_memory
from app.store.scope import mine, mine_by_key
from app.store.tables import (
    COVERED_DIMENSIONS,
    CounterRow,
    EvidenceRow,
    LinkRow,
    MemoryRow,
    OwnerKeyRow,
    OwnerRow,
)

# each attempt is lost only to a forget of the whole user that comes in between
_LOCK_ATTEMPTS = 20
_READ = (Status.ACTIVE, Status.HELD, Status.DISPUTED, Status.SUPERSEDED, Status.QUARANTINED)
# rows read for one statement: of what is current, of what a change may touch, of older versions before and after, of
# what is held
_MOST_ROWS = 400
_MOST_TOUCHED = 200
_MOST_VERSIONS = 20
_MOST_HELD = 50


@dataclass(frozen=True, slots=True)
class Near:
    """What a statement is near to: its subject and attribute, and when it holds."""

    subject: str
    attribute: str | None
    at: datetime


@dataclass(frozen=True, slots=True)
class OwnerState:
    """An owner as locked: where its chain ends, and how often it has been forgotten."""

    forget_epoch: int
    chain_seq: int
    chain_head: str


@dataclass(frozen=True, slots=True)
class LastEvidence:
    """The newest evidence of a memory, as received, and the newest event time told by a source trusted no less."""

    at: datetime
    session_id: str | None
    said_at: datetime | None


class Memories:
    """One user's memories, for writing. Made per transaction."""

    def __init__(self, session: AsyncSession, owner: Owner) -> None:
        self._session = session
        self._owner = owner

    async def forget_epoch(self) -> int:
        """Read the forget epoch without a lock; for a user without a row, the one it would begin with."""
        last = select(func.max(LedgerRow.seq)).where(mine_by_key(self._owner, LedgerRow)).scalar_subquery()
        known = select(OwnerRow.forget_epoch).where(mine(self._owner, OwnerRow)).scalar_subquery()
        epoch: int = (await self._session.execute(select(func.coalesce(known, last, 0)))).scalar_one()
        return epoch

    async def lock_owner(self, now: datetime) -> OwnerState:
        """Lock the owner's row until the transaction ends, making it for a new user.

        Raises:
            Unavailable: Forgets of the whole user took the row away every time it was about to be locked.
        """
        locked = (
            select(OwnerRow.user_key, OwnerRow.forget_epoch, OwnerRow.chain_seq, OwnerRow.chain_head)
            .where(mine(self._owner, OwnerRow))
            .with_for_update()
        )
        for _ in range(_LOCK_ATTEMPTS):
            row = (await self._session.execute(locked)).one_or_none()
            if row is not None:
                if row.user_key != self._owner.user_key:
                    # the secret was changed: what comes now stands under another hash
                    await self._remember_key()
                return OwnerState(row.forget_epoch, row.chain_seq, row.chain_head)
            if await self._introduce_owner(now):
                return await self._continue_chain()
        raise Unavailable

    async def lock_known_owner(self) -> OwnerState | None:
        """Lock the owner's row; None for a user who has none. Only a write, or a forget, makes one."""
        row = (
            await self._session.execute(
                select(OwnerRow.forget_epoch, OwnerRow.chain_seq, OwnerRow.chain_head)
                .where(mine(self._owner, OwnerRow))
                .with_for_update()
            )
        ).one_or_none()
        return None if row is None else OwnerState(row.forget_epoch, row.chain_seq, row.chain_head)

    async def _remember_key(self) -> None:
        await self._session.execute(
            insert(OwnerKeyRow)
            .values(tenant_id=self._owner.tenant_id, user_key=self._owner.user_key)
            .on_conflict_do_nothing()
        )

    async def _introduce_owner(self, now: datetime) -> bool:
        """Make the owner's row; False when another transaction made it meanwhile."""
        await self._remember_key()
        made = await self._session.scalar(
            insert(OwnerRow)
            .values(
                tenant_id=self._owner.tenant_id,
                user_id=self._owner.user_id,
                user_key=self._owner.user_key,
                forget_epoch=0,
                chain_seq=0,
                chain_head=GENESIS,
                created_at=now,
            )
            .on_conflict_do_nothing()
            .returning(OwnerRow.user_id)
        )
        return made is not None

    async def _continue_chain(self) -> OwnerState:
        """Let a user who was erased and comes back continue the chain that the keyed hash still has.

        Read when the row is ours: before, a forget may be about to end the chain elsewhere.
        """
        last = (
            await self._session.execute(
                select(LedgerRow.seq, LedgerRow.hash)
                .where(mine_by_key(self._owner, LedgerRow))
                .order_by(LedgerRow.seq.desc())
                .limit(1)
            )
        ).one_or_none()
        if last is None:
            return OwnerState(0, 0, GENESIS)
        # the epoch grows with every forget, also across an erasure of the user
        await self.move_chain(seq=last.seq, head=last.hash, forget_epoch=last.seq)
        return OwnerState(last.seq, last.seq, last.hash)

    async def move_chain(self, *, seq: int, head: str, forget_epoch: int | None = None) -> None:
        """Set the owner's chain head, and the forget epoch where a forget moved it."""
        values: dict[str, Any] = {"chain_seq": seq, "chain_head": head}
        if forget_epoch is not None:
            values["forget_epoch"] = forget_epoch
        await self._session.execute(update(OwnerRow).where(mine(self._owner, OwnerRow)).values(**values))

    async def neighbours(
        self,
        near: Collection[Near],
        keys: Collection[str],
        topics: Collection[str] = (),
        stems: Collection[str] = (),
        planned: Collection[str] = (),
    ) -> list[Memory]:
        """Read the rows that share a subject and attribute, the very words, or a topic with what comes in.

        However long the history, a bounded number is read: of superseded versions those nearest in time.

        Args:
            near: Subject, attribute and time of each statement.
            keys: Content keys.
            topics: Terms of what is said to be over or changed; of those only current rows.
            stems: Beginnings of such terms.
            planned: Subjects of whom something is stated that may have been held as a plan or a guess.
        """
        times: dict[tuple[str, str], list[datetime]] = {}
        for one in near:
            if one.attribute is not None:
                times.setdefault((one.subject, one.attribute), []).append(one.at)
        legs = [
            leg for (subject, attribute), at in sorted(times.items()) for leg in self._versions(subject, attribute, at)
        ]
        if keys:
            same_words = self._ids().where(MemoryRow.status.in_(_READ), MemoryRow.content_key.in_(sorted(keys)))
            legs.append(same_words.order_by(MemoryRow.created_at.desc(), MemoryRow.id).limit(_MOST_ROWS))
        if topics or stems:
            asked = cast(literal(tsquery(sorted(topics), stems=sorted(stems))), TSQUERY())
            touched = self._ids().where(MemoryRow.status == Status.ACTIVE, MemoryRow.tsv.op("@@")(asked))
            legs.append(touched.order_by(MemoryRow.created_at.desc(), MemoryRow.id).limit(_MOST_TOUCHED))
        if planned:
            held = self._ids().where(MemoryRow.status == Status.HELD, MemoryRow.subject.in_(sorted(planned)))
            legs.append(held.order_by(MemoryRow.created_at.desc(), MemoryRow.id).limit(_MOST_HELD))
        if not legs:
            return []
        found = union_all(*(leg.subquery().select() for leg in legs)).subquery()
        statement = select_memories(self._owner).where(MemoryRow.id.in_(select(found.c.id)))
        return [to_memory(row) for row in await self._session.execute(statement)]

    async def nearest(self, asked: Sequence[Sequence[float]], *, model: str, limit: int) -> list[dict[UUID, float]]:
        """Read which current rows are nearest to each vector, with their cosines; rows of another model are not.

        The covering index alone tells the nearest, by the length of the vectors; the model is looked at afterwards.

        Args:
            asked: Vectors.
            model: Which they come from.
            limit: Rows for each.
        """
        legs = []
        # in so many words: an index's condition is not recognised in parameters
        dimension = func.coalesce(MemoryRow.embedding_dimension, literal_column("0"))
        is_active = MemoryRow.status == literal_column("'active'")
        covered = and_(is_active, dimension <= literal_column(str(COVERED_DIMENSIONS)))
        for place, vector in enumerate(asked):
            # as numbers, which the driver sends in binary
            asked_for = cast(literal(list(vector), ARRAY(REAL())), HALFVEC())
            same_length = func.vector_dims(MemoryRow.embedding) == len(vector)
            distance = case((same_length, MemoryRow.embedding.op("<=>", return_type=Float())(asked_for)))
            leg = select(literal(place).label("place"), MemoryRow.id, distance.label("distance"))
            leg = leg.where(mine(self._owner, MemoryRow), covered)
            legs.append(leg.order_by(distance, MemoryRow.id).limit(limit))
        found: list[dict[UUID, float]] = [{} for _ in asked]
        if not legs:
            return found
        near = union_all(*(leg.subquery().select() for leg in legs)).cte("near").prefix_with("materialized")
        rows = (
            select(near.c.place, near.c.id, near.c.distance)
            .join(MemoryRow, MemoryRow.id == near.c.id)
            .where(mine(self._owner, MemoryRow), MemoryRow.embedding_model == model)
        )
        for place, memory_id, distance in await self._session.execute(rows):
            found[place][memory_id] = 1 - distance
        return found

    def _ids(self) -> Select[Any]:
        return select(MemoryRow.id).where(mine(self._owner, MemoryRow))

    def _versions(self, subject: str, attribute: str, at: Sequence[datetime]) -> list[Select[Any]]:
        """Select what is said now of an attribute, and the versions nearest to some times."""
        said = self._ids().where(MemoryRow.subject == subject, MemoryRow.attribute == attribute)
        now = [status for status in _READ if status is not Status.SUPERSEDED]
        current = said.where(MemoryRow.status.in_(now)).order_by(MemoryRow.created_at.desc(), MemoryRow.id)
        begin = func.coalesce(MemoryRow.valid_from, MemoryRow.occurred_at)
        past = said.where(MemoryRow.status == Status.SUPERSEDED)
        before = past.where(begin <= max(at)).order_by(begin.desc(), MemoryRow.id).limit(_MOST_VERSIONS + len(at))
        after = past.where(begin >= min(at)).order_by(begin, MemoryRow.id).limit(_MOST_VERSIONS + len(at))
        return [current.limit(_MOST_ROWS), before, after]

    async def last_evidence(self, memory_ids: Collection[UUID]) -> dict[UUID, LastEvidence]:
        """Read the newest evidence of each memory."""
        if not memory_ids:
            return {}
        newest_first = aggregate_order_by(EvidenceRow.session_id, EvidenceRow.created_at.desc(), EvidenceRow.id.desc())
        statement = (
            select(
                EvidenceRow.memory_id,
                func.max(EvidenceRow.created_at).label("at"),
                func.array_agg(newest_first).label("sessions"),
                # what a less trusted source said does not make a memory newer
                func.max(EvidenceRow.occurred_at).filter(EvidenceRow.trust >= MemoryRow.trust).label("said_at"),
            )
            .join(MemoryRow, and_(MemoryRow.tenant_id == EvidenceRow.tenant_id, MemoryRow.id == EvidenceRow.memory_id))
            .where(mine(self._owner, EvidenceRow), mine(self._owner, MemoryRow))
            .where(EvidenceRow.memory_id.in_(sorted(memory_ids)))
            .group_by(EvidenceRow.memory_id)
        )
        rows = await self._session.execute(statement)
        return {row.memory_id: LastEvidence(row.at, row.sessions[0], row.said_at) for row in rows}

    async def active_procedural(self) -> list[Memory]:
        """Read the user's active procedural memories."""
        statement = select_memories(self._owner, links=False).where(
            MemoryRow.kind == Kind.PROCEDURAL, MemoryRow.status == Status.ACTIVE
        )
        return [to_memory(row) for row in await self._session.execute(statement)]

    async def by_id(self, memory_id: UUID, *, lock: bool = False) -> Memory | None:
        """Read one memory of any status."""
        statement = select_memories(self._owner).where(MemoryRow.id == memory_id)
        if lock:
            statement = statement.with_for_update(of=MemoryRow)
        row = (await self._session.execute(statement)).one_or_none()
        return None if row is None else to_memory(row)

    async def by_ids(self, memory_ids: Collection[UUID]) -> list[Memory]:
        """Read those of the ids that are this user's."""
        if not memory_ids:
            return []
        statement = select_memories(self._owner).where(MemoryRow.id.in_(sorted(memory_ids)))
        return [to_memory(row) for row in await self._session.execute(statement)]

    async def change(self, memory_id: UUID, values: Mapping[str, Any], *, now: datetime) -> None:
        """Change columns of a memory that may change."""
        columns = {("labels" if name == "metadata" else name): value for name, value in values.items()}
        await self._session.execute(
            update(MemoryRow)
            .where(mine(self._owner, MemoryRow), MemoryRow.id == memory_id)
            .values(**columns, updated_at=now)
        )

    async def add(self, rows: Sequence[Mapping[str, Any]]) -> None:
        """Insert memories, each with its counters."""
        if not rows:
            return
        scope = {"tenant_id": self._owner.tenant_id, "user_id": self._owner.user_id}
        await self._session.execute(insert(MemoryRow.__table__), [dict(row) | scope for row in rows])  # type: ignore[arg-type]
        await self._session.execute(
            insert(CounterRow),
            [
                {**scope, "memory_id": row["id"], "mentions": 1, "reinforcements": 0, "confirmed_at": None}
                for row in rows
            ],
        )

    async def count_mention(self, memory_id: UUID, *, mentions: int, independent: int, now: datetime) -> None:
        """Count further statements of a memory; independent ones confirm it as of now."""
        values: dict[str, Any] = {"mentions": CounterRow.mentions + mentions}
        if independent:
            values["reinforcements"] = CounterRow.reinforcements + independent
            values["confirmed_at"] = func.greatest(CounterRow.confirmed_at, now)
        await self._session.execute(
            update(CounterRow).where(mine(self._owner, CounterRow), CounterRow.memory_id == memory_id).values(**values)
        )

    async def add_evidence(self, rows: Sequence[Mapping[str, Any]]) -> None:
        """Insert evidence."""
        if rows:
            scope = {"tenant_id": self._owner.tenant_id, "user_id": self._owner.user_id}
            await self._session.execute(insert(EvidenceRow), [dict(row) | scope for row in rows])

    async def link(self, links: Iterable[tuple[UUID, Link, UUID]], *, now: datetime) -> None:
        """Insert links, read as from-relation-to; one that is there already stays."""
        rows = [
            {
                "tenant_id": self._owner.tenant_id,
                "user_id": self._owner.user_id,
                "from_id": from_id,
                "relation": relation,
                "to_id": to_id,
                "created_at": now,
            }
            for from_id, relation, to_id in links
        ]
        if rows:
            await self._session.execute(insert(LinkRow).on_conflict_do_nothing(), rows)

    async def unlink(self, links: Iterable[tuple[UUID, Link, UUID]]) -> None:
        """Remove links, where an older statement takes its place in the middle of a chain."""
        for from_id, relation, to_id in links:
            await self._session.execute(
                delete(LinkRow).where(
                    mine(self._owner, LinkRow),
                    LinkRow.from_id == from_id,
                    LinkRow.relation == relation,
                    LinkRow.to_id == to_id,
                )
            )

    async def mark_stale(self, parents: Collection[UUID], *, now: datetime) -> int:
        """Mark what was derived from these parents as stale; tell how many rows that were not yet."""
        if not parents:
            return 0
        children = select(LinkRow.from_id).where(
            mine(self._owner, LinkRow), LinkRow.relation == Link.DERIVED_FROM, LinkRow.to_id.in_(sorted(parents))
        )
        changed = await self._session.execute(
            update(MemoryRow)
            .where(mine(self._owner, MemoryRow), MemoryRow.id.in_(children), MemoryRow.stale.is_(False))
            .values(stale=True, updated_at=now)
            .returning(MemoryRow.id)
        )
        return len(changed.all())
