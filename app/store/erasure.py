"""Erasure: what a selector means, what goes with it, and the deletion of it all in one transaction."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import ARRAY, Text, Uuid, and_, any_, delete, exists, func, literal, or_, select, true, union, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import aliased

from app.domain.caller import Owner
from app.domain.commands import ForgetCommand
from app.domain.memory import Link
from app.store.filters import to_sql
from app.store.records import IdempotencyRow, LedgerRow, LedgerTextRow, PreviewRow, RecallRow
from app.store.scope import mine, mine_by_key
from app.store.tables import CounterRow, EvidenceRow, LinkRow, MemoryRow, OwnerRow


@dataclass(frozen=True, slots=True)
class Reach:
    """What one forget reaches: memories, single pieces of evidence, texts of decisions, or the whole user.

    The answers of `write_ids` are kept for retries, and repeat those texts.
    """

    memory_ids: frozenset[UUID]
    evidence_ids: frozenset[UUID] = frozenset()
    text_ids: frozenset[UUID] = frozenset()
    write_ids: frozenset[UUID] = frozenset()
    whole_user: bool = False


class Erasure:
    """One user's erasures. Made per transaction; the owner must be locked before anything is deleted."""

    def __init__(self, session: AsyncSession, owner: Owner) -> None:
        self._session = session
        self._owner = owner

    async def known(self, memory_ids: Collection[UUID]) -> set[UUID]:
        """Tell which of the ids are this user's."""
        return await self._ids(
            select(MemoryRow.id).where(mine(self._owner, MemoryRow), _among(MemoryRow.id, memory_ids))
        )

    async def match(self, command: ForgetCommand) -> Reach:
        """Find what a selector other than ids and words means."""
        memory = mine(self._owner, MemoryRow)
        match command.selector:
            case "everything":
                return Reach(await self._frozen(select(MemoryRow.id).where(memory)), whole_user=True)
            case "subject":
                return Reach(
                    await self._frozen(select(MemoryRow.id).where(memory, MemoryRow.subject == command.subject))
                )
            case "filters":
                return Reach(await self._frozen(select(MemoryRow.id).where(memory, to_sql(command.filters))))
            case "session_id":
                return await self._by_origin("session_id", str(command.session_id))
            case "source_id":
                return await self._by_origin("source_id", str(command.source_id))
            case "before":
                return await self._before(command.before)
        raise ValueError("not a selector of stored rows")

    async def _by_origin(self, label: str, value: str) -> Reach:
        # what was made from this origin goes; what was only confirmed by it loses that evidence
        evidence, memory, text = getattr(EvidenceRow, label), getattr(MemoryRow, label), getattr(LedgerTextRow, label)
        made = await self._frozen(
            union(
                select(MemoryRow.id).where(mine(self._owner, MemoryRow), memory == value),
                select(EvidenceRow.memory_id).where(
                    mine(self._owner, EvidenceRow), evidence == value, EvidenceRow.origin.is_(True)
                ),
            )
        )
        confirming = select(EvidenceRow.id).where(
            mine(self._owner, EvidenceRow), evidence == value, EvidenceRow.origin.is_(False)
        )
        texts = select(LedgerTextRow.ledger_id).where(mine(self._owner, LedgerTextRow), text == value)
        return await self._with_writes(made, confirming, texts)

    async def _before(self, before: datetime | None) -> Reach:
        confirmed = func.coalesce(CounterRow.confirmed_at, MemoryRow.created_at)
        old = (
            select(MemoryRow.id)
            .join(CounterRow, (CounterRow.tenant_id == MemoryRow.tenant_id) & (CounterRow.memory_id == MemoryRow.id))
            .where(mine(self._owner, MemoryRow), mine(self._owner, CounterRow), confirmed < before)
        )
        evidence = select(EvidenceRow.id).where(mine(self._owner, EvidenceRow), EvidenceRow.created_at < before)
        texts = select(LedgerTextRow.ledger_id).where(
            mine(self._owner, LedgerTextRow), LedgerTextRow.created_at < before
        )
        return await self._with_writes(await self._frozen(old), evidence, texts)

    async def _with_writes(self, memory_ids: frozenset[UUID], evidence: Any, texts: Any) -> Reach:
        evidence_ids, text_ids = await self._frozen(evidence), await self._frozen(texts)
        writes = union(
            select(EvidenceRow.write_id).where(
                mine(self._owner, EvidenceRow), _among(EvidenceRow.id, evidence_ids), EvidenceRow.write_id.is_not(None)
            ),
            select(LedgerRow.write_id).where(
                mine_by_key(self._owner, LedgerRow), _among(LedgerRow.id, text_ids), LedgerRow.write_id.is_not(None)
            ),
        )
        return Reach(memory_ids, evidence_ids, text_ids, await self._frozen(writes))

    async def earlier_versions(self, memory_ids: Collection[UUID]) -> set[UUID]:
        """Find every version that these memories replaced, however far back."""
        newer, older = LinkRow.from_id, LinkRow.to_id
        steps = union(
            select(newer.label("newer"), older.label("older")).where(
                mine(self._owner, LinkRow), LinkRow.relation == Link.SUPERSEDES
            ),
            # an approved memory is the later version of the one it was approved from
            select(older.label("newer"), newer.label("older")).where(
                mine(self._owner, LinkRow), LinkRow.relation == Link.APPROVED_AS
            ),
        ).cte("steps")
        chain = select(steps.c.older).where(_among(steps.c.newer, memory_ids)).cte("chain", recursive=True)
        chain = chain.union(select(steps.c.older).join(chain, steps.c.newer == chain.c.older))
        return await self._ids(select(chain.c.older)) - set(memory_ids)

    async def orphans(self, memory_ids: Collection[UUID]) -> set[UUID]:
        """Find what was derived from these memories and would have no parent left."""
        other = aliased(LinkRow)
        has_other_parent = exists().where(
            mine(self._owner, other),
            other.relation == Link.DERIVED_FROM,
            other.from_id == LinkRow.from_id,
            ~_among(other.to_id, memory_ids),
        )
        children = select(LinkRow.from_id).where(
            mine(self._owner, LinkRow),
            LinkRow.relation == Link.DERIVED_FROM,
            _among(LinkRow.to_id, memory_ids),
            ~has_other_parent,
        )
        return await self._ids(children) - set(memory_ids)

    async def remaining_children(self, memory_ids: Collection[UUID]) -> set[UUID]:
        """Find what was derived from these memories and keeps another parent: it becomes stale."""
        children = select(LinkRow.from_id).where(
            mine(self._owner, LinkRow), LinkRow.relation == Link.DERIVED_FROM, _among(LinkRow.to_id, memory_ids)
        )
        return await self._ids(children) - set(memory_ids)

    async def chains(self, memory_ids: Collection[UUID]) -> int:
        """Count the chains of supersession that lose a member."""
        reached = set(memory_ids)
        pairs = (
            await self._session.execute(
                select(LinkRow.from_id, LinkRow.to_id).where(
                    mine(self._owner, LinkRow),
                    LinkRow.relation == Link.SUPERSEDES,
                    _among(LinkRow.from_id, reached) | _among(LinkRow.to_id, reached),
                )
            )
        ).all()
        # chains are linear, so the number of connected groups is nodes minus edges
        nodes = {node for pair in pairs for node in pair}
        return len(nodes) - len(pairs)

    async def count(self, reach: Reach) -> dict[str, int]:
        """Count what erasing this would delete, by table."""
        return {name: len(await self._ids(self._deletions(reach)[name]())) for name in self._deletions(reach)} | {
            "queued_writes": 0
        }

    async def erase(self, reach: Reach) -> dict[str, int]:
        """Delete everything reached, and say how much of what.

        Single statements per table, children before parents; nothing refers to a deleted row afterwards.
        """
        counts = await self.count(reach)
        ids = reach.memory_ids
        owner = self._owner
        await self._take_labels_back(reach)
        links = or_(_among(LinkRow.from_id, ids), _among(LinkRow.to_id, ids))
        for table, where in (
            (LinkRow, links),
            # texts before evidence: the evidence tells from which writes a memory came
            (LedgerTextRow, self._texts(reach)),
            (EvidenceRow, self._reached(reach, EvidenceRow.memory_id, EvidenceRow.id, reach.evidence_ids)),
            (CounterRow, _among(CounterRow.memory_id, ids)),
            (RecallRow, self._touches(reach, RecallRow.memory_ids)),
            (MemoryRow, _among(MemoryRow.id, ids)),
        ):
            everything: Any = true() if reach.whole_user else where
            await self._session.execute(delete(table).where(mine(owner, table), everything))
        await self._silence(ids)
        await self._session.execute(
            update(IdempotencyRow)
            .where(mine_by_key(owner, IdempotencyRow), IdempotencyRow.state == "done", self._repeats(reach))
            .values(state="erased", body_hash=None, response=None, memory_ids=[])
        )
        # a preview that showed an erased row is out of date from now on
        await self._session.execute(
            update(PreviewRow)
            .where(mine_by_key(owner, PreviewRow), self._touches(reach, PreviewRow.memory_ids))
            .values(memory_ids=[], fingerprint="", plan={})
        )
        if reach.whole_user:
            await self._session.execute(delete(OwnerRow).where(mine(owner, OwnerRow)))
        return counts

    async def _take_labels_back(self, reach: Reach) -> None:
        """Remove from memories that stay the labels that came only with evidence that goes."""
        if reach.whole_user or not reach.evidence_ids:
            return
        going = select(EvidenceRow.memory_id).where(
            mine(self._owner, EvidenceRow), _among(EvidenceRow.id, reach.evidence_ids)
        )
        rows = (
            await self._session.execute(
                select(EvidenceRow.id, EvidenceRow.memory_id, EvidenceRow.labels).where(
                    mine(self._owner, EvidenceRow), EvidenceRow.memory_id.in_(going)
                )
            )
        ).all()
        staying = {row.memory_id for row in rows} - set(reach.memory_ids)
        for memory_id in sorted(staying):
            taken = [row.labels for row in rows if row.memory_id == memory_id and row.id in reach.evidence_ids]
            left = [row.labels for row in rows if row.memory_id == memory_id and row.id not in reach.evidence_ids]
            pairs = [(key, value) for labels in taken for key, value in labels.items()]
            gone = [(key, value) for key, value in pairs if all(labels.get(key) != value for labels in left)]
            if not gone:
                continue
            where = (mine(self._owner, MemoryRow), MemoryRow.id == memory_id)
            labels = await self._session.scalar(select(MemoryRow.labels).where(*where)) or {}
            kept = {key: value for key, value in labels.items() if (key, value) not in gone}
            if kept != labels:
                await self._session.execute(update(MemoryRow).where(*where).values(labels=kept))

    async def _silence(self, ids: Collection[UUID]) -> None:
        """Take what the decisions on other memories say of erased ones out of their texts."""
        gone = {str(memory_id) for memory_id in ids}
        names = LedgerTextRow.body["others"].has_any(literal(sorted(gone), ARRAY(Text())))
        speaking = (
            await self._session.execute(select(LedgerTextRow).where(mine(self._owner, LedgerTextRow), names))
        ).scalars()
        for row in speaking.all():
            kept = {name: value for name, value in row.body.items() if name != "details"}
            kept["supersedes"] = [item for item in row.body["supersedes"] if item not in gone]
            kept["related"] = [item for item in row.body["related"] if item["memory_id"] not in gone]
            kept["others"] = [item for item in row.body["others"] if item not in gone]
            columns = {column.name: getattr(row, column.name) for column in LedgerTextRow.__table__.columns}
            # texts are never updated, only made and taken away
            await self._session.execute(
                delete(LedgerTextRow).where(mine(self._owner, LedgerTextRow), LedgerTextRow.ledger_id == row.ledger_id)
            )
            await self._session.execute(insert(LedgerTextRow).values(columns | {"body": kept}))

    def _deletions(self, reach: Reach) -> Mapping[str, Callable[[], Any]]:
        owner, ids = self._owner, reach.memory_ids
        evidence = self._reached(reach, EvidenceRow.memory_id, EvidenceRow.id, reach.evidence_ids)
        texts = self._texts(reach)
        memory = mine(owner, MemoryRow)
        return {
            "memories": lambda: select(MemoryRow.id).where(memory, _among(MemoryRow.id, ids)),
            "embeddings": lambda: select(MemoryRow.id).where(
                memory, _among(MemoryRow.id, ids), MemoryRow.embedding.is_not(None)
            ),
            "evidence": lambda: select(EvidenceRow.id).where(mine(owner, EvidenceRow), evidence),
            "ledger_texts": lambda: select(LedgerTextRow.ledger_id).where(mine(owner, LedgerTextRow), texts),
            "links": lambda: select(func.row(LinkRow.from_id, LinkRow.relation, LinkRow.to_id)).where(
                mine(owner, LinkRow), or_(_among(LinkRow.from_id, ids), _among(LinkRow.to_id, ids))
            ),
            "recalls": lambda: select(RecallRow.id).where(
                mine(owner, RecallRow), self._touches(reach, RecallRow.memory_ids)
            ),
            "idempotency_bodies": lambda: select(func.row(IdempotencyRow.path, IdempotencyRow.key_hash)).where(
                mine_by_key(owner, IdempotencyRow),
                IdempotencyRow.state == "done",
                self._repeats(reach),
            ),
        }

    def _texts(self, reach: Reach) -> Any:
        """Spell which texts go: those about the memories, and what was refused in the writes they came from.

        An assistant's echo of a fact is refused in the same write, and holds the same words.
        """
        if reach.whole_user:
            return true()
        writes = select(EvidenceRow.write_id).where(
            mine(self._owner, EvidenceRow), _among(EvidenceRow.memory_id, reach.memory_ids)
        )
        refused = select(LedgerRow.id).where(mine_by_key(self._owner, LedgerRow), LedgerRow.write_id.in_(writes))
        return or_(
            _among(LedgerTextRow.memory_id, reach.memory_ids),
            _among(LedgerTextRow.ledger_id, reach.text_ids),
            and_(LedgerTextRow.memory_id.is_(None), LedgerTextRow.ledger_id.in_(refused)),
        )

    def _reached(self, reach: Reach, memory_column: Any, id_column: Any, ids: Collection[UUID]) -> Any:
        return true() if reach.whole_user else or_(_among(memory_column, reach.memory_ids), _among(id_column, ids))

    def _touches(self, reach: Reach, column: Any) -> Any:
        return true() if reach.whole_user else column.op("&&")(_array(reach.memory_ids))

    def _repeats(self, reach: Reach) -> Any:
        writes = literal(sorted(str(write_id) for write_id in reach.write_ids), ARRAY(Text()))
        by_write = IdempotencyRow.response["write_id"].astext == any_(writes)
        return or_(self._touches(reach, IdempotencyRow.memory_ids), by_write)

    async def mentioned_ids(self) -> dict[str, set[UUID]]:
        """List, by table, every memory id that this user's rows still hold: for the residue check."""
        owner = self._owner
        unnest = func.unnest
        return {
            "memories": await self._ids(select(MemoryRow.id).where(mine(owner, MemoryRow))),
            "memory_counters": await self._ids(select(CounterRow.memory_id).where(mine(owner, CounterRow))),
            "evidence": await self._ids(select(EvidenceRow.memory_id).where(mine(owner, EvidenceRow))),
            "links": await self._ids(
                union(
                    select(LinkRow.from_id).where(mine(owner, LinkRow)),
                    select(LinkRow.to_id).where(mine(owner, LinkRow)),
                )
            ),
            "ledger_texts": await self._ids(
                select(LedgerTextRow.memory_id).where(mine(owner, LedgerTextRow), LedgerTextRow.memory_id.is_not(None))
            )
            | {
                UUID(spoken_of)
                for spoken_of in await self._ids(
                    select(func.jsonb_array_elements_text(LedgerTextRow.body["others"])).where(
                        mine(owner, LedgerTextRow), LedgerTextRow.body.has_key("others")
                    )
                )
            },
            "recalls": await self._ids(select(unnest(RecallRow.memory_ids)).where(mine(owner, RecallRow))),
            "previews": await self._ids(select(unnest(PreviewRow.memory_ids)).where(mine_by_key(owner, PreviewRow))),
            "idempotency": await self._ids(
                select(unnest(IdempotencyRow.memory_ids)).where(mine_by_key(owner, IdempotencyRow))
            ),
        }

    async def _ids(self, statement: Any) -> set[Any]:
        return set((await self._session.execute(statement)).scalars())

    async def _frozen(self, statement: Any) -> frozenset[UUID]:
        return frozenset(await self._ids(statement))


def _array(ids: Collection[UUID]) -> Any:
    return literal(sorted(ids), ARRAY(Uuid()))


def _among(column: Any, ids: Collection[UUID]) -> Any:
    # one array parameter, however many ids: IN would need a parameter each
    return column == any_(_array(ids))
