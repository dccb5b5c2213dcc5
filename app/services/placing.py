"""Placing judged statements in the store: resolved one after the other under the owner's lock, written at the end.

Every statement that is judged goes through here; what a person corrects or approves stands in for a row, see
`inventory.py`. Within one transaction
later statements see what earlier ones did, so a batch ends as if its statements had come one by one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from types import MappingProxyType
from uuid import UUID

from app.domain.answers import RelatedMemory
from app.domain.caller import Owner
from app.domain.judging import open_rows
from app.domain.memory import (
    USER_SUBJECT,
    Code,
    Kind,
    Memory,
    Modality,
    Outcome,
    Reason,
    Relation,
    Status,
    TenantPolicy,
    Verdict,
)
from app.domain.pairs import Beside
from app.domain.resolution import Incoming, Resolution
from app.domain.resolver import resolve
from app.domain.righting import TAKEN_BACK, wrong_rows
from app.domain.terms import query_terms
from app.domain.timeline import Neighbour
from app.domain.turnover import Weighed
from app.services.notes import Notes
from app.services.placed import Item, Labels, Placed, over_the_cap
from app.services.weighing import Place, place_of, weigh_items
from app.store.memories import Memories, Near

_CAP_DETAIL = "the list of instructions is full; the weakest gave way"


@dataclass(slots=True)
class Placement:
    """The unit of work of one transaction on one owner."""

    owner: Owner
    labels: Labels
    notes: Notes
    # by the place of the statement; one that was not weighed is left to the rules
    weighed: Mapping[Place, Weighed]

    @classmethod
    async def begin(
        cls,
        memories: Memories,
        owner: Owner,
        labels: Labels,
        policy: TenantPolicy,
        items: Sequence[Item],
        *,
        readings: Mapping[Beside, float] = MappingProxyType({}),
        wide: bool = False,
    ) -> Placement:
        """Read what the items may touch. The owner must be locked, unless nothing will be written.

        Args:
            memories: The owner's rows.
            owner: Whose.
            labels: Of the write.
            policy: Of the tenant.
            items: What is to be placed.
            readings: What the pair reader said before; see `pairing`.
            wide: Read what merely shares a word as well, for a judge.
        """
        near = [Near(i.candidate.claim.subject, i.candidate.claim.attribute, _time_of(i)) for i in items]
        topics = frozenset[str]().union(*(item.change.topic for item in items if item.change is not None))
        stems = frozenset[str]().union(*(item.change.stems for item in items if item.change is not None))
        if wide:
            topics |= frozenset(term for item in items for term in query_terms(item.candidate.content))
        # whose plans and guesses may be settled
        planned = {subject for i in items if _is_plain(i) for subject in (i.candidate.claim.subject, USER_SUBJECT)}
        neighbours = await memories.neighbours(near, {item.key for item in items}, topics, stems, planned)
        known = {memory.id: memory for memory in neighbours}
        judged = {row.id for item in items if item.judged is not None for row in item.judged.rows} - known.keys()
        known |= {memory.id: memory for memory in await memories.by_ids(sorted(judged))} if judged else {}
        weighed, read = await weigh_items(memories, items, known, readings)
        known |= read
        known |= await _put_right(memories, items, known)
        if any(item.kind is Kind.PROCEDURAL for item in items):
            known |= {memory.id: memory for memory in await memories.active_procedural()}
        return cls(owner, labels, Notes(labels, policy, known, await memories.last_evidence(known)), weighed)

    def open_rows(self, item: Item) -> list[Neighbour]:
        """Tell which stored rows the rules would leave beside an item, although they have something in common."""
        if item.verdict.decision is not Verdict.KEEP:
            return []
        incoming = self._incoming(item)
        rows = [row for row in self._neighbours(item, incoming, wide=True) if not self.notes.is_new(row.id)]
        return open_rows(resolve(incoming, self._neighbours(item, incoming)), incoming, rows)

    def has_use(self, item: Item) -> bool:
        """Tell whether there is something to do: what only takes back needs a row that still says it."""
        if not item.candidate.takes_back:
            return True
        incoming = self._incoming(item)
        return bool(wrong_rows(incoming, self._neighbours(item, incoming)))

    def place(self, item: Item) -> Placed:
        """Resolve one item against what is there, and note what has to be written."""
        if item.verdict.decision is Verdict.QUARANTINE:
            return self._quarantine(item)
        incoming = self._incoming(item)
        resolution = resolve(incoming, self._neighbours(item, incoming))
        before = {change.memory_id: self.notes.known[change.memory_id] for change in resolution.changes}
        row_id = self._carry_out(item, resolution)
        related, reasons = list(resolution.related), [*resolution.reasons]
        if resolution.status is Status.ACTIVE and resolution.kind is Kind.PROCEDURAL:
            displaced = self._make_room(row_id)
            related += [RelatedMemory(memory_id, Relation.DISPLACES) for memory_id in displaced]
            if displaced:
                reasons.append(Reason(Code.PROCEDURAL_CAP, _CAP_DETAIL))
        if resolution.outcome is Outcome.STORED and item.trust < self.notes.policy.min_trust:
            reasons.append(
                Reason(
                    Code.BELOW_RECALL_TRUST,
                    f"trust {item.trust} is below the recall floor {self.notes.policy.min_trust}",
                )
            )
        return Placed(
            outcome=resolution.outcome,
            action=resolution.action,
            memory_id=row_id,
            kind=resolution.kind,
            reasons=tuple(reasons),
            supersedes=resolution.supersedes,
            related=tuple(related),
            rule=resolution.rule,
            targets=tuple(
                (memory_id, memory.content, self.notes.known[memory_id].status) for memory_id, memory in before.items()
            ),
        )

    @property
    def known(self) -> Mapping[UUID, Memory]:
        """The rows as they will be."""
        return self.notes.known

    async def flush(self, memories: Memories) -> int:
        """Write what was noted; tell how many derived memories became stale."""
        return await self.notes.flush(memories)

    def is_new(self, memory_id: UUID) -> bool:
        """Tell whether a row was made by this placement."""
        return self.notes.is_new(memory_id)

    def _incoming(self, item: Item) -> Incoming:
        candidate = item.candidate
        return Incoming(
            kind=item.kind,
            content=candidate.content,
            content_key=item.key,
            claim=candidate.claim,
            trust=item.trust,
            confidence=item.verdict.confidence or 0.0,
            occurred_at=candidate.occurred_at,
            received_at=self.labels.received_at,
            role=candidate.role,
            session_id=self.labels.session_id,
            expires_at=self.labels.expires_at,
            metadata=self.labels.metadata,
            held=item.verdict.decision is Verdict.HOLD,
            change=item.change,
            weighed=self.weighed.get(place_of(item)),
            judged=frozenset(
                row.id
                for row in (item.judged.rows if item.judged is not None else ())
                if row.holds(self.notes.known.get(row.id))
            ),
            puts_right=frozenset(row.id for row in candidate.puts_right if row.holds(self.notes.known.get(row.id))),
            takes_back=candidate.takes_back,
        )

    def _neighbours(self, item: Item, incoming: Incoming, *, wide: bool = False) -> list[Neighbour]:
        claim, key = item.candidate.claim, item.key
        near = [
            memory
            for memory in self.notes.known.values()
            if memory.status is not Status.QUARANTINED
            and (
                memory.content_key == key
                or memory.id in incoming.judged
                or memory.id in incoming.puts_right
                or memory.superseded_by in incoming.puts_right
                or (incoming.weighed is not None and memory.id in incoming.weighed.nearest)
                or (wide and memory.subject == claim.subject)
                or (memory.status is Status.HELD and _is_plain(item))
                or (
                    claim.attribute is not None
                    and memory.subject == claim.subject
                    and memory.attribute == claim.attribute
                )
                or (
                    item.change is not None
                    and memory.status is Status.ACTIVE
                    and item.change.touches(memory, subject=claim.subject, attribute=claim.attribute)
                )
            )
        ]
        return [
            Neighbour(
                memory=memory,
                last_evidence_at=last.at if last else memory.created_at,
                last_session_id=last.session_id if last else memory.session_id,
                last_said_at=last.said_at if last else None,
            )
            for memory in sorted(near, key=lambda memory: memory.id)
            for last in (self.notes.last.get(memory.id),)
        ]

    def _carry_out(self, item: Item, resolution: Resolution) -> UUID:
        for change in resolution.changes:
            waited = self.notes.known[change.memory_id].status in (Status.HELD, Status.DISPUTED)
            self.notes.change(change.memory_id, change.values())
            if change.status is Status.SUPERSEDED:
                by = "set_aside" if waited else change.retired_by or "resolver"
                self.notes.change(change.memory_id, {"retired_by": by})
                self.notes.retired(change.memory_id)
        row_id = resolution.into
        if row_id is None:
            row_id = self.notes.insert(
                item,
                status=resolution.status or Status.ACTIVE,
                kind=resolution.kind,
                claim=resolution.claim,
                valid_from=resolution.valid_from,
                valid_to=resolution.valid_to,
            )
            self.notes.note_evidence(item, row_id, origin=True, independent=False)
        elif resolution.rule == TAKEN_BACK:
            self.notes.note_evidence(item, row_id, origin=False, independent=False)
        else:
            self.notes.mention(row_id, independent=resolution.independent)
            self.notes.merge_labels(row_id)
            self.notes.note_evidence(item, row_id, origin=False, independent=resolution.independent)
            if resolution.independent and self.notes.known[row_id].stale:
                self.notes.change(row_id, {"stale": False})
        for from_id, to_id, relation in resolution.unlink:
            self.notes.unlink(from_id or row_id, relation, to_id or row_id)
        for from_id, to_id, relation in resolution.links:
            self.notes.link(from_id or row_id, relation, to_id or row_id)
        return row_id

    def _quarantine(self, item: Item) -> Placed:
        same = [
            memory
            for memory in self.notes.known.values()
            if memory.status is Status.QUARANTINED and memory.content_key == item.key
        ]
        row_id = (
            same[0].id
            if same
            else self.notes.insert(item, status=Status.QUARANTINED, kind=item.kind, claim=item.candidate.claim)
        )
        self.notes.note_evidence(item, row_id, origin=not same, independent=False)
        return Placed(Outcome.QUARANTINED, None, row_id, item.kind, (), (), (), "quarantine", ())

    def _make_room(self, newcomer: UUID) -> list[UUID]:
        """Let the weakest instruction give way when there are more than the cap allows."""
        now = self.labels.received_at
        others = [memory for memory in self.notes.known.values() if memory.id != newcomer]
        displaced = over_the_cap(others, cap=self.notes.policy.procedural_cap - 1, now=now)
        for memory in displaced:
            self.notes.change(memory.id, {"status": Status.EXPIRED, "known_to": now})
        return [memory.id for memory in displaced]


def _is_plain(item: Item) -> bool:
    return item.verdict.decision is Verdict.KEEP and item.candidate.claim.modality is Modality.ASSERTED


async def _put_right(memories: Memories, items: Sequence[Item], known: Mapping[UUID, Memory]) -> dict[UUID, Memory]:
    """Read the rows that statements say to be wrong, and what these retired."""
    wrong = {row.id for item in items for row in item.candidate.puts_right}
    if not wrong:
        return {}
    rows = {memory.id: memory for memory in await memories.by_ids(sorted(wrong))}
    older = {row_id for memory in rows.values() for row_id in memory.supersedes} - known.keys()
    return rows | {memory.id: memory for memory in await memories.by_ids(sorted(older))}


def _time_of(item: Item) -> datetime:
    return item.candidate.claim.valid_from or item.candidate.occurred_at
