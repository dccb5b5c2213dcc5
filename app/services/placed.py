"""What is placed and what becomes of it: the labels of a write, a judged statement, and the outcome."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from uuid import UUID

from app.domain.answers import RelatedMemory
from app.domain.changes import Marked, marked
from app.domain.claim import Candidate
from app.domain.gate import GateVerdict
from app.domain.indexing import indexed_terms
from app.domain.judging import AsRead
from app.domain.memory import Action, Kind, Memory, Outcome, Reason, Source, Status
from app.domain.ranker import weight_of
from app.domain.text import content_key
from app.providers.ports import Vector


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
class Judged:
    """What a judge had to say: by which prompt, of how many rows, and which of them he says to be superseded."""

    prompt: str
    asked: int
    rows: tuple[AsRead, ...]


@dataclass(frozen=True, slots=True)
class Item:
    """A statement to place: kept, held or quarantined by the gate, with its vector if there is one."""

    candidate: Candidate
    verdict: GateVerdict
    trust: int
    vector: Vector | None
    model: str
    judged: Judged | None = None
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


def row_of(memory: Memory, item: Item, *, retired_by: str | None) -> dict[str, Any]:
    """Give the columns of a new row."""
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
