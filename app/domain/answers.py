"""What the services answer: plain values whose field names are the wire's."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, is_dataclass
from datetime import UTC, datetime
from enum import Enum
from typing import Any, Final
from uuid import UUID

from app.domain.memory import Action, Kind, Memory, Outcome, Reason, Relation, Role, Source, Status


class _Absent:
    """A field that exists only when it was asked for, and was not."""

    def __repr__(self) -> str:
        return "ABSENT"


ABSENT: Final[Any] = _Absent()


def wire(value: Any) -> Any:
    """Turn an answer into JSON values: times as RFC 3339 UTC with Z, absent fields left out."""
    if is_dataclass(value) and not isinstance(value, type):
        pairs = ((f.name, getattr(value, f.name)) for f in fields(value))
        return {name: wire(item) for name, item in pairs if item is not ABSENT}
    if isinstance(value, Mapping):
        return {str(key): wire(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [wire(item) for item in value]
    if isinstance(value, datetime):
        return wire_time(value)
    if isinstance(value, UUID):
        return str(value)
    if isinstance(value, Enum):
        return value.value
    return value


def wire_time(at: datetime) -> str:
    """Format an instant as RFC 3339 in UTC with Z."""
    return at.astimezone(UTC).isoformat().replace("+00:00", "Z")


@dataclass(frozen=True, slots=True)
class MemoryView:
    """A memory as returned everywhere."""

    id: UUID
    kind: Kind
    content: str
    subject: str
    attribute: str | None
    value: str | None
    importance: int
    confidence: float
    trust: int
    status: Status
    occurred_at: datetime
    valid_from: datetime | None
    valid_to: datetime | None
    created_at: datetime
    updated_at: datetime
    metadata: Mapping[str, Any]


def view(memory: Memory) -> MemoryView:
    """Show a memory's core fields."""
    return MemoryView(**{f.name: getattr(memory, f.name) for f in fields(MemoryView)})


@dataclass(frozen=True, slots=True)
class DetailedMemory(MemoryView):
    """A memory as listed, fetched and exported; `weight` is its decay now, 0..1."""

    weight: float
    pinned: bool
    source: Source
    session_id: str | None
    agent_id: str | None
    confirmed_at: datetime | None
    expires_at: datetime | None
    supersedes: tuple[UUID, ...]
    superseded_by: UUID | None


def detailed(memory: Memory, *, weight: float) -> DetailedMemory:
    """Show a memory with its details."""
    names = [f.name for f in fields(DetailedMemory) if f.name != "weight"]
    return DetailedMemory(**{name: getattr(memory, name) for name in names}, weight=weight)


@dataclass(frozen=True, slots=True)
class Quote:
    """Where in the request a candidate came from."""

    message_index: int
    role: Role
    quote: str | None


@dataclass(frozen=True, slots=True)
class RelatedMemory:
    """A rare link of a result."""

    memory_id: UUID
    relation: Relation


@dataclass(frozen=True, slots=True)
class ResolutionTarget:
    """An existing row that a dry run would touch."""

    memory_id: UUID
    content: str
    status_after: Status


@dataclass(frozen=True, slots=True)
class ResolutionView:
    """What a dry run would do to the store."""

    action: Action
    targets: tuple[ResolutionTarget, ...]


@dataclass(frozen=True, slots=True)
class WriteResult:
    """What one candidate did, and why."""

    candidate: str | None
    outcome: Outcome
    reasons: tuple[Reason, ...]
    kind: Kind | None
    importance: int | None
    confidence: float | None
    trust: int
    memory_id: UUID | None
    supersedes: tuple[UUID, ...]
    related: tuple[RelatedMemory, ...]
    evidence: Quote
    resolution: ResolutionView | None = ABSENT


@dataclass(frozen=True, slots=True)
class PolicyView:
    """The gate's version and this tenant's thresholds."""

    version: str
    thresholds: Mapping[str, Mapping[str, float]]


@dataclass(frozen=True, slots=True)
class WriteAnswer:
    """The reply of a write. `counts` holds every outcome, zeros included."""

    write_id: UUID | None
    dry_run: bool
    counts: Mapping[str, int]
    results: tuple[WriteResult, ...]
    policy: PolicyView = ABSENT
    degraded: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Scores:
    """Every term of a score; a leg that was absent is null, with what its surroundings add."""

    vector: float | None
    lexical: float | None
    session: float | None
    neighbours: float | None
    relevance: float
    importance_factor: float
    confidence_factor: float
    weight_factor: float
    recency_factor: float


@dataclass(frozen=True, slots=True)
class ScoredMemory(MemoryView):
    """A recalled memory with its score and all terms."""

    score: float
    scores: Scores


def scored(memory: Memory, *, score: float, scores: Scores) -> ScoredMemory:
    """Show a recalled memory."""
    return ScoredMemory(**{f.name: getattr(memory, f.name) for f in fields(MemoryView)}, score=score, scores=scores)


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A memory that was returned, or always belongs in the block, but did not fit."""

    id: UUID
    reason: str


@dataclass(frozen=True, slots=True)
class ContextBlock:
    """The fenced block for the model; `tokens` is an estimate, bytes / 3."""

    text: str
    tokens: int
    token_budget: int
    refs: Mapping[str, UUID]
    left_out: tuple[LeftOut, ...]


@dataclass(frozen=True, slots=True)
class AsOfView:
    """Both clocks of a recall about the past, resolved."""

    valid_at: datetime
    known_at: datetime


@dataclass(frozen=True, slots=True)
class NearMiss:
    """A memory just after the cut."""

    id: UUID
    rank: int
    score: float
    why_not: str


@dataclass(frozen=True, slots=True)
class Trace:
    """How a recall came about; counts cover this user's rows only."""

    policy: str
    rank_clock: datetime
    embedding_model: str
    legs: Mapping[str, int]
    candidates: int
    excluded: Mapping[str, int]
    near: tuple[NearMiss, ...]
    timings_ms: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class RecallAnswer:
    """The reply of a recall."""

    recall_id: UUID | None
    memories: tuple[ScoredMemory, ...]
    context: ContextBlock | None
    degraded: tuple[str, ...]
    as_of: AsOfView = ABSENT
    trace: Trace = ABSENT


ERASED_TABLES: Final = (
    "memories",
    "embeddings",
    "evidence",
    "ledger_texts",
    "links",
    "recalls",
    "idempotency_bodies",
    "queued_writes",
)


@dataclass(frozen=True, slots=True)
class Deadlines:
    """When the deeper tiers are clean; null where it is not known or not promised."""

    storage: datetime | None
    wal: datetime | None
    backups: datetime | None


@dataclass(frozen=True, slots=True)
class ChainLink:
    """A receipt's place in the tenant's chain."""

    seq: int
    prev: str
    hash: str


@dataclass(frozen=True, slots=True)
class Residue:
    """A fresh look for what should be gone."""

    checked_at: datetime
    clean: bool
    found: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Receipt:
    """The record of an erasure. `erased_ids` is in the first answer only, `residue` in later looks only."""

    receipt_id: UUID
    dry_run: bool
    selector: str
    erased_at: datetime
    matched: int
    derived: int
    not_found: int
    erased_ids: tuple[UUID, ...]
    erased: Mapping[str, int]
    chains_closed: int
    block_relearn: bool
    tier: str
    deadlines: Deadlines | None
    chain: ChainLink
    residue: Residue | None = ABSENT


@dataclass(frozen=True, slots=True)
class PreviewRow:
    """A row that a previewed forget would erase; `because` is match, derived or history."""

    id: UUID
    kind: Kind
    content: str
    status: Status
    score: float | None
    because: str


@dataclass(frozen=True, slots=True)
class Preview:
    """What a forget would erase, and the token that applies exactly that."""

    receipt_id: None
    dry_run: bool
    selector: str
    matched: int
    derived: int
    truncated: bool
    memories: tuple[PreviewRow, ...]
    would_erase: Mapping[str, int]
    preview_token: str | None
    expires_at: datetime | None


@dataclass(frozen=True, slots=True)
class EvidenceView:
    """One piece of evidence of a memory."""

    role: Role
    source: Source
    session_id: str | None
    quote: str | None
    occurred_at: datetime
    trust: int
    write_id: UUID | None


@dataclass(frozen=True, slots=True)
class VerdictView:
    """The gate's decision as the ledger kept it."""

    decision: str
    decided_by: str
    policy: str
    importance: int | None
    confidence: float | None
    reasons: tuple[Reason, ...]
    at: datetime


@dataclass(frozen=True, slots=True)
class HistoryEntry:
    """One step of a fact's life; an erased one has null id and content. `rule` decided it, `quote` is what was said."""

    memory_id: UUID | None
    content: str | None
    event: str
    at: datetime | None
    reasons: tuple[Reason, ...]
    rule: str | None = None
    quote: str | None = None


@dataclass(frozen=True, slots=True)
class Strength:
    """How strong a memory is now, and how it fades. Ages and half-lives in days."""

    weight: float
    age_days: float
    half_life_days: float
    mentions: int
    reinforcements: int
    confirmed_at: datetime | None
    fades: bool
    floor: float
    reaches_floor_at: datetime | None


@dataclass(frozen=True, slots=True)
class Match:
    """Which memory a question was matched to."""

    memory_id: UUID
    score: float


@dataclass(frozen=True, slots=True)
class MemoryExplanation:
    """Why a memory is believed, how it changed, how strong it is. All null when nothing matched."""

    explains: str
    narrative: str
    memory: MemoryView | None
    evidence: tuple[EvidenceView, ...]
    verdict: VerdictView | None
    history: tuple[HistoryEntry, ...]
    strength: Strength | None
    matched: Match | None = ABSENT


@dataclass(frozen=True, slots=True)
class WhyNot:
    """The decisive check, and who replaced the memory, where that was the cause."""

    code: str
    detail: str
    by: UUID | None


@dataclass(frozen=True, slots=True)
class Cutoff:
    """What a memory had to reach to be returned."""

    k: int
    min_score: float
    last_score: float | None


@dataclass(frozen=True, slots=True)
class Check:
    """One check in the order of the contract."""

    check: str
    passed: bool


@dataclass(frozen=True, slots=True)
class PlaceExplanation:
    """Why a memory stands where it stands in a recall, or why not."""

    explains: str
    narrative: str
    recall_id: UUID | None
    memory_id: UUID
    returned: bool
    in_context: bool
    reason: WhyNot | None
    rank: int | None
    score: float | None
    would_rank: int | None
    cutoff: Cutoff
    scores: Scores | None
    checks: tuple[Check, ...]


@dataclass(frozen=True, slots=True)
class RankedHit:
    """A hit of a kept recall."""

    id: UUID
    rank: int
    score: float
    scores: Scores


@dataclass(frozen=True, slots=True)
class RecallExplanation:
    """A kept recall as a whole."""

    explains: str
    narrative: str
    recall_id: UUID
    query: str
    request: Mapping[str, Any]
    memories: tuple[RankedHit, ...]
    near: tuple[NearMiss, ...]
    excluded: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class WriteExplanation:
    """Each verdict of a write; candidate and quote are null where the text has gone."""

    explains: str
    narrative: str
    write_id: UUID
    at: datetime
    policy: PolicyView
    results: tuple[WriteResult, ...]


@dataclass(frozen=True, slots=True)
class MemoryPage:
    """A page of the inventory."""

    memories: tuple[DetailedMemory, ...]
    next_cursor: str | None


@dataclass(frozen=True, slots=True)
class Approval:
    """An approved memory: the new row, and the id of the one it replaces."""

    memory: MemoryView
    retired: UUID
