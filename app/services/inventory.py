"""The user's own inventory: list, fetch, correct, review, export."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from app.domain.answers import (
    Approval,
    DetailedMemory,
    EvidenceView,
    MemoryPage,
    Receipt,
    detailed,
    view,
    wire,
)
from app.domain.caller import Owner
from app.domain.commands import ListCommand, PatchCommand
from app.domain.errors import InvalidCursor, NotFound, NotReviewable
from app.domain.indexing import indexed_text
from app.domain.memory import (
    Code,
    Kind,
    Link,
    Memory,
    Message,
    Reason,
    Role,
    Source,
    SourceType,
    Status,
    TenantPolicy,
)
from app.domain.ranker import weight_of
from app.providers.ports import Vector
from app.services.embedding import Embedding
from app.services.forget import ForgetService
from app.services.placed import over_the_cap
from app.services.revising import Revision, revised
from app.services.sealing import Sealing
from app.services.transactions import retried
from app.store.database import Database
from app.store.ids import new_id
from app.store.ledger import Entry, Ledger
from app.store.memories import Memories, Near
from app.store.search import Search
from app.store.tables import EvidenceRow

_REVIEWABLE = frozenset({Status.HELD, Status.QUARANTINED, Status.DISPUTED})
_CORRECTABLE = _REVIEWABLE | {Status.ACTIVE}
_EXPORT_PAGE = 200


class InventoryService:
    """Shows memories as they are stored, and takes the user's and the reviewer's word on them."""

    def __init__(self, database: Database, embedding: Embedding, sealing: Sealing, forget: ForgetService) -> None:
        self._database = database
        self._embedding = embedding
        self._sealing = sealing
        self._forget = forget

    async def page(self, owner: Owner, command: ListCommand) -> MemoryPage:
        """List memories, newest first.

        Raises:
            InvalidCursor: Not ours, another user's, or made for other parameters.
        """
        after = self._after(owner, command)
        async with self._database.owner(owner) as session:
            rows = await Search(session, owner).page(command, after=after)
        shown, more = rows[: command.limit], len(rows) > command.limit
        cursor = None
        if more:
            last = shown[-1]
            mark = {"at": last.created_at.isoformat(), "id": str(last.id), "for": command.parameters}
            cursor = self._sealing.sign("cursor", owner, mark)
        now = command.received_at
        return MemoryPage(tuple(detailed(row, weight=round(weight_of(row, now=now), 4)) for row in shown), cursor)

    def _after(self, owner: Owner, command: ListCommand) -> tuple[datetime, UUID] | None:
        if command.cursor is None:
            return None
        mark = self._sealing.open("cursor", owner, command.cursor)
        if mark is None or mark.get("for") != command.parameters:
            raise InvalidCursor
        return datetime.fromisoformat(mark["at"]), UUID(mark["id"])

    async def get(self, owner: Owner, memory_id: UUID | None, *, now: datetime) -> DetailedMemory:
        """Fetch one memory of any status.

        Raises:
            NotFound: Unknown, foreign or malformed.
        """
        async with self._database.owner(owner) as session:
            memory = await _required(session, owner, memory_id)
        return detailed(memory, weight=round(weight_of(memory, now=now), 4))

    async def patch(self, owner: Owner, memory_id: UUID | None, command: PatchCommand) -> DetailedMemory:
        """Correct a memory: new labels on the row, or a new row in its place when the content changed.

        Raises:
            NotFound: Unknown, foreign or malformed. NotReviewable: new content for a row that is history.
        """
        now = command.received_at
        values: dict[str, Any] = {}
        if "metadata" in command.changed:
            values["metadata"] = dict(command.metadata or {})
        if "pinned" in command.changed and command.pinned is not None:
            values["pinned"] = command.pinned
        if "expires_at" in command.changed:
            values["expires_at"] = command.expires_at
        revision, expected = None, Status.ACTIVE
        if command.content is not None:
            async with self._database.owner(owner) as session:
                old = await _required(session, owner, memory_id)
            if old.status not in _CORRECTABLE:
                raise NotReviewable("Only current memories can be corrected; this one is history.")
            expected = old.status
            message = Message(Role.USER, command.content, now)
            revision = revised(old, message, reason=Reason(Code.CORRECTED, "corrected by the user"))

        async def run() -> Memory:
            async with self._database.owner(owner) as session:
                memories = Memories(session, owner)
                await memories.lock_owner(now)
                memory = await _required(session, owner, memory_id)
                current = memory.id
                if revision is not None and memory.status is not expected:
                    raise NotReviewable("This memory changed meanwhile. Read it again, then correct what is current.")
                if revision is not None and revision.content_key != memory.content_key:
                    current = await self._replace(session, owner, memory, revision, vector, link=Link.SUPERSEDES)
                if values:
                    await memories.change(current, _allowed(memory, values), now=now)
                    await self._record_labels(session, owner, current, sorted(values), now=now)
                return await _required(session, owner, current)

        vector = await self._vector(revision)
        memory = await retried(run)
        return detailed(memory, weight=round(weight_of(memory, now=now), 4))

    async def approve(
        self, owner: Owner, memory_id: UUID | None, *, note: str | None, now: datetime, policy: TenantPolicy
    ) -> Approval:
        """Store a reviewed memory anew, on the reviewer's word; the reviewed row is set aside.

        Raises:
            NotFound: Unknown, foreign or malformed. NotReviewable: neither held, quarantined nor disputed.
        """
        async with self._database.owner(owner) as session:
            old = await _required(session, owner, memory_id)
        if old.status not in _REVIEWABLE:
            raise NotReviewable
        detail = "approved by a reviewer" if note is None else "approved by a reviewer, with a note"
        message = Message(Role.USER, note or old.content, now)
        revision = replace(
            revised(old, message, reason=Reason(Code.APPROVED, detail)),
            content=old.content,
            content_key=old.content_key,
            attribute=old.attribute,
            value=old.value,
            positive=old.positive,
            single_valued=old.single_valued,
            status=Status.ACTIVE,
            # what was held is no longer on trial
            expires_at=None if old.status is Status.HELD else old.expires_at,
        )
        vector = await self._vector(revision)

        async def run() -> tuple[Memory, UUID]:
            async with self._database.owner(owner) as session:
                await Memories(session, owner).lock_owner(now)
                reviewed = await _required(session, owner, memory_id)
                if reviewed.status not in _REVIEWABLE:
                    raise NotReviewable
                # labels may have changed since the first look
                current = replace(revision, metadata=reviewed.metadata, pinned=reviewed.pinned)
                new = await self._replace(session, owner, reviewed, current, vector, link=Link.APPROVED_AS)
                await self._make_room(session, owner, new, policy, now=now)
                return await _required(session, owner, new), reviewed.id

        memory, retired = await retried(run)
        return Approval(view(memory), retired)

    async def reject(self, owner: Owner, memory_id: UUID | None, *, now: datetime) -> Receipt:
        """Erase a reviewed memory, with a receipt.

        Raises:
            NotFound: Unknown, foreign or malformed. NotReviewable: neither held, quarantined nor disputed.
        """

        async def run() -> Receipt:
            async with self._database.owner(owner) as session:
                await Memories(session, owner).lock_owner(now)
                memory = await _required(session, owner, memory_id)
                if memory.status not in _REVIEWABLE:
                    raise NotReviewable
                return await self._forget.erase_ids(session, owner, [memory.id], selector="memory_ids", now=now)

        return await retried(run)

    async def export(self, owner: Owner, *, now: datetime) -> AsyncIterator[Mapping[str, Any]]:
        """Give every memory with its evidence and its earlier versions, page by page."""
        after: UUID | None = None
        while True:
            async with self._database.owner(owner) as session:
                search = Search(session, owner)
                rows = await search.export_page(after=after, limit=_EXPORT_PAGE)
                evidence = await search.evidence([row.id for row in rows])
                older = await Memories(session, owner).by_ids({other for row in rows for other in row.supersedes})
            contents = {memory.id: memory for memory in older}
            for row in rows:
                yield wire(
                    {
                        "memory": detailed(row, weight=round(weight_of(row, now=now), 4)),
                        "evidence": [evidence_view(item) for item in evidence[row.id]],
                        "history": [view(contents[other]) for other in row.supersedes if other in contents],
                    }
                )
            if len(rows) < _EXPORT_PAGE:
                return
            after = rows[-1].id

    async def _make_room(
        self, session: AsyncSession, owner: Owner, newcomer: UUID, policy: TenantPolicy, *, now: datetime
    ) -> None:
        """Hold the list of instructions to its cap when one was approved."""
        memories = Memories(session, owner)
        active = await memories.active_procedural()
        if newcomer in {memory.id for memory in active}:
            others = [memory for memory in active if memory.id != newcomer]
            for memory in over_the_cap(others, cap=policy.procedural_cap - 1, now=now):
                await memories.change(memory.id, {"status": Status.EXPIRED, "known_to": now}, now=now)

    async def _record_labels(
        self, session: AsyncSession, owner: Owner, memory_id: UUID, changed: list[str], *, now: datetime
    ) -> None:
        """Tell the ledger which labels changed, not to what."""
        memories = Memories(session, owner)
        state = await memories.lock_owner(now)
        entry = Entry(
            event="labels",
            body={"changed": changed},
            memory_key=self._sealing.memory_key(owner, memory_id),
        )
        seq, head = await Ledger(session, owner).append([entry], seq=state.chain_seq, head=state.chain_head, now=now)
        await memories.move_chain(seq=seq, head=head)

    async def _vector(self, revision: Revision | None) -> Vector | None:
        if revision is None:
            return None
        vectors, _ = await self._embedding.documents([indexed_text(revision.subject, revision.content)])
        return vectors[0]

    async def _replace(
        self,
        session: AsyncSession,
        owner: Owner,
        old: Memory,
        revision: Revision,
        vector: Vector | None,
        *,
        link: Link,
    ) -> UUID:
        """Put a revision in the place of a row, and of whatever it contradicts."""
        now, memories, new = revision.at, Memories(session, owner), new_id()
        state = await memories.lock_owner(now)
        rivals = await self._rivals(memories, old, revision)
        for rival in sorted([old, *rivals], key=lambda memory: memory.id):
            retired = {
                "status": Status.SUPERSEDED,
                "retired_by": _retired_by(rival, old, link),
                "valid_to": rival.valid_to or now,
                "known_to": now,
            }
            await memories.change(rival.id, retired, now=now)
        await memories.add([revision.row(new, vector, self._embedding.model_id)])
        await memories.add_evidence([revision.evidence(new_id(), new)])
        links = [(old.id, link, new) if link is Link.APPROVED_AS else (new, link, old.id)]
        links += [(new, Link.SUPERSEDES, rival.id) for rival in rivals]
        await memories.link(links, now=now)
        await memories.mark_stale({old.id, *(rival.id for rival in rivals)}, now=now)
        entry = Entry(
            event="approve" if link is Link.APPROVED_AS else "patch",
            body=revision.ledger_body(supersedes=len(rivals) + (link is Link.SUPERSEDES)),
            memory_key=self._sealing.memory_key(owner, new),
            memory_id=new,
            text={
                "candidate": revision.content,
                "quote": revision.quote,
                "details": [revision.reason.detail],
                "verdict_details": [revision.reason.detail],
            },
        )
        seq, head = await Ledger(session, owner).append([entry], seq=state.chain_seq, head=state.chain_head, now=now)
        await memories.move_chain(seq=seq, head=head)
        return new

    async def _rivals(self, memories: Memories, old: Memory, revision: Revision) -> list[Memory]:
        """Find the active rows that cannot stand beside the revision: the same words, or the same single value."""
        if revision.status is not Status.ACTIVE:
            return []
        near = await memories.neighbours(
            [Near(revision.subject, revision.attribute, revision.at)], {revision.content_key}
        )
        return [
            memory
            for memory in near
            if memory.id != old.id
            and memory.status is Status.ACTIVE
            and memory.kind is not Kind.EPISODIC
            and (
                (memory.content_key == revision.content_key and memory.kind is revision.kind)
                or (
                    revision.single_valued
                    and memory.single_valued
                    and memory.subject == revision.subject
                    and memory.attribute == revision.attribute
                )
            )
        ]


def evidence_view(row: EvidenceRow) -> EvidenceView:
    """Show a piece of evidence."""
    return EvidenceView(
        role=Role(row.role),
        source=Source(SourceType(row.source_type), row.source_id),
        session_id=row.session_id,
        quote=row.quote,
        occurred_at=row.occurred_at,
        trust=row.trust,
        write_id=row.write_id,
    )


def _retired_by(row: Memory, old: Memory, link: Link) -> str:
    """Say how a row gives way; what was never current must not come back as history."""
    if row.id != old.id:
        return "resolver"
    if link is Link.APPROVED_AS:
        return "approval"
    return "correction" if row.status is Status.ACTIVE else "set_aside"


def _allowed(memory: Memory, values: Mapping[str, Any]) -> dict[str, Any]:
    """Keep a held memory's time limit: it may be shortened, not removed."""
    allowed = dict(values)
    if memory.status is Status.HELD and "expires_at" in allowed:
        wanted = allowed["expires_at"]
        allowed["expires_at"] = memory.expires_at if wanted is None else min(wanted, memory.expires_at or wanted)
    return allowed


async def _required(session: AsyncSession, owner: Owner, memory_id: UUID | None) -> Memory:
    memory = None if memory_id is None else await Memories(session, owner).by_id(memory_id)
    if memory is None:
        raise NotFound
    return memory
