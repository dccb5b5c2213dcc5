"""The unit of work of a write: what is noted while statements are placed, and written at the end in a fixed order."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from app.domain.claim import Claim
from app.domain.memory import Kind, Link, Memory, Status, TenantPolicy
from app.services.placed import Item, Labels, ordinal, row_of
from app.store.ids import new_id
from app.store.memories import LastEvidence, Memories


@dataclass(slots=True)
class _Mentions:
    count: int = 0
    independent: int = 0


@dataclass(slots=True)
class Notes:
    """What one transaction will write: rows, changes, links and evidence, and the rows as they will be."""

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

    async def flush(self, memories: Memories) -> int:
        """Write everything that was noted; tell how many derived memories became stale.

        Old rows give way before others become current again and new ones come in, so that no unique index sees both;
        else rows are touched in the order of their ids.
        """
        now = self.labels.received_at
        for memory_id in sorted(self._changes, key=lambda one: (self.known[one].status is Status.ACTIVE, one)):
            await memories.change(memory_id, self._changes[memory_id], now=now)
        await memories.add([self._new[memory_id] for memory_id in sorted(self._new)])
        for memory_id in sorted(self._mentions):
            counted = self._mentions[memory_id]
            await memories.count_mention(memory_id, mentions=counted.count, independent=counted.independent, now=now)
        await memories.add_evidence(self._evidence)
        await memories.unlink(self._unlinks)
        await memories.link(self._links, now=now)
        return await memories.mark_stale(self._retired, now=now)

    def is_new(self, memory_id: UUID) -> bool:
        """Tell whether a row was made here."""
        return memory_id in self._new

    def mention(self, memory_id: UUID, *, independent: bool) -> None:
        """Count a repeat."""
        counted = self._mentions.setdefault(memory_id, _Mentions())
        counted.count += 1
        counted.independent += int(independent)

    def retired(self, memory_id: UUID) -> None:
        """Note that a row is current no more, for what was derived from it."""
        self._retired.add(memory_id)

    def link(self, from_id: UUID, relation: Link, to_id: UUID) -> None:
        """Note a link; a later statement of the same batch must see the chain as it will be."""
        self._links.append((from_id, relation, to_id))
        if relation is Link.SUPERSEDES:
            newer, older = self.known[from_id], self.known[to_id]
            self.known[from_id] = replace(newer, supersedes=tuple(sorted({*newer.supersedes, to_id})))
            self.known[to_id] = replace(older, superseded_by=from_id)

    def unlink(self, from_id: UUID, relation: Link, to_id: UUID) -> None:
        """Take a link back, noted or stored."""
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

    def insert(
        self,
        item: Item,
        *,
        status: Status,
        kind: Kind,
        claim: Claim,
        valid_from: datetime | None = None,
        valid_to: datetime | None = None,
    ) -> UUID:
        """Note a new row and what it was derived from; gives its id."""
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
        self._new[row_id] = row_of(memory, item, retired_by="resolver" if status is Status.SUPERSEDED else None)
        self._links += [(row_id, Link.DERIVED_FROM, parent) for parent in labels.parents]
        return row_id

    def change(self, memory_id: UUID, values: Mapping[str, Any]) -> None:
        """Note a change; a row of this very transaction is changed before it is written."""
        memory = self.known[memory_id]
        self.known[memory_id] = replace(memory, **values)
        if memory_id in self._new:
            row = self._new[memory_id]
            row.update({("metadata" if name == "metadata" else name): value for name, value in values.items()})
        else:
            self._changes.setdefault(memory_id, {}).update(values)

    def merge_labels(self, memory_id: UUID) -> None:
        """Add the write's labels to a row."""
        # nothing that was there is lost; the same label said anew is the newer one
        merged = {**self.known[memory_id].metadata, **self.labels.metadata}
        if merged != self.known[memory_id].metadata:
            self.change(memory_id, {"metadata": merged})

    def note_evidence(self, item: Item, memory_id: UUID, *, origin: bool, independent: bool) -> None:
        """Note where a row has it from."""
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
