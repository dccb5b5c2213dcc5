"""Placing judged statements in the store: resolved one after the other under the owner's lock, written at the end.

Every statement that is judged goes through here; what a person corrects or approves stands in for a row, see
`inventory.py`. Within one transaction
later statements see what earlier ones did, so a batch ends as if its statements had come one by one.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from app.domain.answers import RelatedMemory
from app.domain.caller import Owner
from app.domain.changes import Marked, marked
from app.domain.claim import Candidate, Claim
from app.domain.gate import GateVerdict
from app.domain.indexing import indexed_terms
from app.domain.memory import (
    Action,
    Code,
    Kind,
    Link,
    Memory,
    Outcome,
    Reason,
    Relation,
    Source,
    Status,
    TenantPolicy,
    Verdict,
)
from app.domain.ranker import weight_of
from app.domain.resolution import Incoming, Resolution
from app.domain.resolver import resolve
from app.domain.text import content_key
from app.domain.timeline import Neighbour
from app.providers.ports import Vector
from app.store.ids import new_id
from app.store.memories import LastEvidence, Memories

_CAP_DETAIL = "the list of instructions is full; the weakest gave way"


@dataclass(frozen=True, slots=True)
class Labels:
    """What a write says about where its text came from."""

    received_at: datetime
    write_id: UUID
    source: Source
    session_id: str | None
    agent_id: str | None
    metadata: Mapping[str, Any]
    expires_at: datetime | None
    parents: tuple[UUID, ...] = ()
    # a parent was replaced before this arrived
    stale: bool = False


@dataclass(frozen=True, slots=True)
class Item:
    """A statement to place: kept, held or quarantined by the gate, with its vector if there is one."""

    candidate: Candidate
    verdict: GateVerdict
    trust: int
    vector: Vector | None
    model: str
    change: Marked | None = field(init=False)

    def __post_init__(self) -> None:
        """Read once what the statement itself marks as over or changed."""
        object.__setattr__(self, "change", marked(self.candidate))

    @property
    def kind(self) -> Kind:
        """Tell the kind that the gate gave."""
        return self.verdict.kind or self.candidate.kind

    @property
    def key(self) -> str:
        """Tell the key of the words, for exact repeats."""
        return content_key(self.candidate.claim.subject, self.candidate.content)


@dataclass(frozen=True, slots=True)
class Placed:
    """What became of an item."""

    outcome: Outcome
    action: Action | None
    memory_id: UUID
    kind: Kind
    reasons: tuple[Reason, ...]
    supersedes: tuple[UUID, ...]
    related: tuple[RelatedMemory, ...]
    rule: str
    # the rows it touches, as a dry run shows them: id, content, status afterwards
    targets: tuple[tuple[UUID, str, Status], ...]


@dataclass(slots=True)
class _Mentions:
    count: int = 0
    independent: int = 0


@dataclass(slots=True)
class Placement:
    """The unit of work of one transaction on one owner."""

    owner: Owner
    labels: Labels
    policy: TenantPolicy
    known: dict[UUID, Memory]
    last: dict[UUID, LastEvidence]
    _new: dict[UUID, dict[str, Any]] = field(default_factory=dict)
    _changes: dict[UUID, dict[str, Any]] = field(default_factory=dict)
    _mentions: dict[UUID, _Mentions] = field(default_factory=dict)
    _evidence: list[dict[str, Any]] = field(default_factory=list)
    _links: list[tuple[UUID, Link, UUID]] = field(default_factory=list)
    _unlinks: list[tuple[UUID, Link, UUID]] = field(default_factory=list)
    _retired: set[UUID] = field(default_factory=set)

    @classmethod
    async def begin(
        cls, memories: Memories, owner: Owner, labels: Labels, policy: TenantPolicy, items: Sequence[Item]
    ) -> Placement:
        """Read what the items may touch. The owner must be locked, unless nothing will be written."""
        claims = {(item.candidate.claim.subject, item.candidate.claim.attribute) for item in items}
        topics = {term for item in items if item.change is not None for term in item.change.topic}
        neighbours = await memories.neighbours(claims, {item.key for item in items}, topics)
        known = {memory.id: memory for memory in neighbours}
        if any(item.kind is Kind.PROCEDURAL for item in items):
            known |= {memory.id: memory for memory in await memories.active_procedural()}
        return cls(owner, labels, policy, known, await memories.last_evidence(known))

    def place(self, item: Item) -> Placed:
        """Resolve one item against what is there, and note what has to be written."""
        if item.verdict.decision is Verdict.QUARANTINE:
            return self._quarantine(item)
        incoming = self._incoming(item)
        resolution = resolve(incoming, self._neighbours(item))
        before = {change.memory_id: self.known[change.memory_id] for change in resolution.changes}
        row_id = self._carry_out(item, resolution)
        related, reasons = list(resolution.related), [*resolution.reasons]
        if resolution.status is Status.ACTIVE and resolution.kind is Kind.PROCEDURAL:
            displaced = self._make_room(row_id)
            related += [RelatedMemory(memory_id, Relation.DISPLACES) for memory_id in displaced]
            if displaced:
                reasons.append(Reason(Code.PROCEDURAL_CAP, _CAP_DETAIL))
        if resolution.outcome is Outcome.STORED and item.trust < self.policy.min_trust:
            reasons.append(
                Reason(Code.BELOW_RECALL_TRUST, f"trust {item.trust} is below the recall floor {self.policy.min_trust}")
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
                (memory_id, memory.content, self.known[memory_id].status) for memory_id, memory in before.items()
            ),
        )

    def is_new(self, memory_id: UUID) -> bool:
        """Tell whether a row was made by this placement."""
        return memory_id in self._new

    async def flush(self, memories: Memories) -> int:
        """Write everything that was noted; tell how many derived memories became stale.

        Old rows give way before new ones come in, so that no unique index sees both; rows are touched in the
        order of their ids.
        """
        now = self.labels.received_at
        for memory_id in sorted(self._changes):
            await memories.change(memory_id, self._changes[memory_id], now=now)
        await memories.add([self._new[memory_id] for memory_id in sorted(self._new)])
        for memory_id in sorted(self._mentions):
            counted = self._mentions[memory_id]
            await memories.count_mention(memory_id, mentions=counted.count, independent=counted.independent, now=now)
        await memories.add_evidence(self._evidence)
        await memories.unlink(self._unlinks)
        await memories.link(self._links, now=now)
        return await memories.mark_stale(self._retired, now=now)

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
        )

    def _neighbours(self, item: Item) -> list[Neighbour]:
        claim, key = item.candidate.claim, item.key
        near = [
            memory
            for memory in self.known.values()
            if memory.status is not Status.QUARANTINED
            and (
                memory.content_key == key
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
                last_evidence_at=self.last[memory.id].at if memory.id in self.last else memory.created_at,
                last_session_id=self.last[memory.id].session_id if memory.id in self.last else memory.session_id,
                last_said_at=self.last[memory.id].said_at if memory.id in self.last else None,
            )
            for memory in sorted(near, key=lambda memory: memory.id)
        ]

    def _carry_out(self, item: Item, resolution: Resolution) -> UUID:
        for change in resolution.changes:
            waited = self.known[change.memory_id].status in (Status.HELD, Status.DISPUTED)
            self._change(change.memory_id, change.values())
            if change.status is Status.SUPERSEDED:
                self._change(change.memory_id, {"retired_by": "set_aside" if waited else "resolver"})
                self._retired.add(change.memory_id)
        row_id = resolution.into
        if row_id is None:
            row_id = self._insert(
                item,
                status=resolution.status or Status.ACTIVE,
                kind=resolution.kind,
                claim=resolution.claim,
                valid_from=resolution.valid_from,
                valid_to=resolution.valid_to,
            )
            self._note_evidence(item, row_id, origin=True, independent=False)
        else:
            counted = self._mentions.setdefault(row_id, _Mentions())
            counted.count += 1
            counted.independent += int(resolution.independent)
            self._merge_labels(row_id)
            self._note_evidence(item, row_id, origin=False, independent=resolution.independent)
            if resolution.independent and self.known[row_id].stale:
                self._change(row_id, {"stale": False})
        for from_id, to_id, relation in resolution.unlink:
            self._unlink(from_id or row_id, relation, to_id or row_id)
        for from_id, to_id, relation in resolution.links:
            self._link(from_id or row_id, relation, to_id or row_id)
        return row_id

    def _link(self, from_id: UUID, relation: Link, to_id: UUID) -> None:
        """Note a link; a later statement of the same batch must see the chain as it will be."""
        self._links.append((from_id, relation, to_id))
        if relation is Link.SUPERSEDES:
            newer, older = self.known[from_id], self.known[to_id]
            self.known[from_id] = replace(newer, supersedes=tuple(sorted({*newer.supersedes, to_id})))
            self.known[to_id] = replace(older, superseded_by=from_id)

    def _unlink(self, from_id: UUID, relation: Link, to_id: UUID) -> None:
        link = (from_id, relation, to_id)
        if link in self._links:
            self._links.remove(link)
        else:
            self._unlinks.append(link)
        if relation is Link.SUPERSEDES:
            for memory_id, changes in (
                (from_id, {"supersedes": tuple(i for i in self._supersedes(from_id) if i != to_id)}),
                (to_id, {"superseded_by": None}),
            ):
                if memory_id in self.known:
                    self.known[memory_id] = replace(self.known[memory_id], **changes)

    def _supersedes(self, memory_id: UUID) -> tuple[UUID, ...]:
        return self.known[memory_id].supersedes if memory_id in self.known else ()

    def _quarantine(self, item: Item) -> Placed:
        same = [
            memory
            for memory in self.known.values()
            if memory.status is Status.QUARANTINED and memory.content_key == item.key
        ]
        row_id = (
            same[0].id
            if same
            else self._insert(item, status=Status.QUARANTINED, kind=item.kind, claim=item.candidate.claim)
        )
        self._note_evidence(item, row_id, origin=not same, independent=False)
        return Placed(Outcome.QUARANTINED, None, row_id, item.kind, (), (), (), "quarantine", ())

    def _insert(
        self,
        item: Item,
        *,
        status: Status,
        kind: Kind,
        claim: Claim,
        valid_from: datetime | None = None,
        valid_to: datetime | None = None,
    ) -> UUID:
        candidate, labels, now = item.candidate, self.labels, self.labels.received_at
        row_id = new_id()
        expires_at = labels.expires_at
        if status is Status.HELD:
            ttl = now + timedelta(days=self.policy.held_days)
            expires_at = ttl if expires_at is None else min(ttl, expires_at)
        memory = Memory(
            id=row_id,
            kind=kind,
            content=candidate.content,
            subject=claim.subject,
            attribute=claim.attribute,
            value=claim.value,
            positive=claim.positive,
            single_valued=claim.single_valued and kind is Kind.SEMANTIC and claim.attribute is not None,
            content_key=item.key,
            importance=item.verdict.importance or 1,
            confidence=item.verdict.confidence or 0.0,
            trust=item.trust,
            status=status,
            occurred_at=candidate.occurred_at,
            valid_from=valid_from,
            valid_to=valid_to,
            known_from=now,
            known_to=now if status is Status.SUPERSEDED else None,
            created_at=now,
            updated_at=now,
            expires_at=expires_at,
            metadata=dict(labels.metadata),
            pinned=False,
            source=labels.source,
            session_id=labels.session_id,
            session_ordinal=ordinal(candidate),
            agent_id=labels.agent_id,
            stale=labels.stale,
            confirmed_at=None,
            mentions=1,
            reinforcements=0,
        )
        self.known[row_id] = memory
        self.last[row_id] = LastEvidence(now, labels.session_id, candidate.occurred_at)
        self._new[row_id] = _row(memory, item, retired_by="resolver" if status is Status.SUPERSEDED else None)
        self._links += [(row_id, Link.DERIVED_FROM, parent) for parent in labels.parents]
        return row_id

    def _change(self, memory_id: UUID, values: Mapping[str, Any]) -> None:
        """Note a change; a row of this very transaction is changed before it is written."""
        memory = self.known[memory_id]
        self.known[memory_id] = replace(memory, **values)
        if memory_id in self._new:
            row = self._new[memory_id]
            row.update({("metadata" if name == "metadata" else name): value for name, value in values.items()})
        else:
            self._changes.setdefault(memory_id, {}).update(values)

    def _merge_labels(self, memory_id: UUID) -> None:
        # nothing that was there is lost; the same label said anew is the newer one
        merged = {**self.known[memory_id].metadata, **self.labels.metadata}
        if merged != self.known[memory_id].metadata:
            self._change(memory_id, {"metadata": merged})

    def _note_evidence(self, item: Item, memory_id: UUID, *, origin: bool, independent: bool) -> None:
        candidate, labels = item.candidate, self.labels
        self._evidence.append(
            {
                "id": new_id(),
                "memory_id": memory_id,
                "write_id": labels.write_id,
                "message_index": candidate.message_index,
                "role": candidate.role.value,
                "quote": candidate.quote,
                "labels": dict(labels.metadata),
                "origin": origin,
                "independent": independent,
                "trust": item.trust,
                "source_type": labels.source.type.value,
                "source_id": labels.source.id,
                "session_id": labels.session_id,
                "occurred_at": candidate.occurred_at,
                "created_at": labels.received_at,
            }
        )
        said = self.last[memory_id].said_at if memory_id in self.last else None
        if memory_id not in self.known or item.trust >= self.known[memory_id].trust:
            said = candidate.occurred_at if said is None else max(said, candidate.occurred_at)
        self.last[memory_id] = LastEvidence(labels.received_at, labels.session_id, said)

    def _make_room(self, newcomer: UUID) -> list[UUID]:
        """Let the weakest instruction give way when there are more than the cap allows."""
        now = self.labels.received_at
        others = [memory for memory in self.known.values() if memory.id != newcomer]
        displaced = over_the_cap(others, cap=self.policy.procedural_cap - 1, now=now)
        for memory in displaced:
            self._change(memory.id, {"status": Status.EXPIRED, "known_to": now})
        return [memory.id for memory in displaced]


def over_the_cap(memories: Iterable[Memory], *, cap: int, now: datetime) -> list[Memory]:
    """Pick the active instructions that give way when only `cap` may stay: the weakest first, pinned ones last."""
    active = [memory for memory in memories if memory.kind is Kind.PROCEDURAL and memory.status is Status.ACTIVE]
    active.sort(
        key=lambda memory: (
            memory.pinned,
            memory.importance * weight_of(memory, now=now),
            memory.created_at,
            memory.id,
        )
    )
    return active[: max(0, len(active) - max(0, cap))]


def ordinal(candidate: Candidate) -> int:
    """Give a message's place in its session: by its time in microseconds, then by its position (below 128)."""
    return int(candidate.occurred_at.timestamp() * 1_000_000) * 128 + candidate.message_index


def _row(memory: Memory, item: Item, *, retired_by: str | None) -> dict[str, Any]:
    return {
        "id": memory.id,
        "kind": memory.kind.value,
        "content": memory.content,
        "content_key": memory.content_key,
        "subject": memory.subject,
        "attribute": memory.attribute,
        "value": memory.value,
        "positive": memory.positive,
        "single_valued": memory.single_valued,
        "importance": memory.importance,
        "confidence": memory.confidence,
        "trust": memory.trust,
        "status": memory.status.value,
        "retired_by": retired_by,
        "stale": memory.stale,
        "pinned": memory.pinned,
        "occurred_at": memory.occurred_at,
        "valid_from": memory.valid_from,
        "valid_to": memory.valid_to,
        "known_from": memory.known_from,
        "known_to": memory.known_to,
        "created_at": memory.created_at,
        "updated_at": memory.updated_at,
        "expires_at": memory.expires_at,
        "metadata": dict(memory.metadata),
        "source_type": memory.source.type.value,
        "source_id": memory.source.id,
        "session_id": memory.session_id,
        "session_ordinal": memory.session_ordinal,
        "agent_id": memory.agent_id,
        "embedding": None if item.vector is None else list(item.vector),
        "embedding_model": None if item.vector is None else item.model,
        "embedding_dimension": None if item.vector is None else len(item.vector),
        "terms": indexed_terms(memory.subject, memory.content),
    }
