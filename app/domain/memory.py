"""The vocabulary as types: what a memory is, and the words every layer shares."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any, Final
from uuid import UUID

USER_SUBJECT: Final = "user"
ASSISTANT_SUBJECT: Final = "assistant"


class Kind(StrEnum):
    """What a memory holds; the kind decides its storage rule, its decay and its place in recall."""

    EPISODIC = "episodic"
    SEMANTIC = "semantic"
    PROCEDURAL = "procedural"


class Status(StrEnum):
    """Where a stored row stands; default recall sees `active` only."""

    ACTIVE = "active"
    SUPERSEDED = "superseded"
    HELD = "held"
    QUARANTINED = "quarantined"
    DISPUTED = "disputed"
    EXPIRED = "expired"


class Outcome(StrEnum):
    """What a candidate did, as the caller reads it."""

    STORED = "stored"
    REINFORCED = "reinforced"
    SUPERSEDED = "superseded"
    DISPUTED = "disputed"
    HELD = "held"
    QUARANTINED = "quarantined"
    DROPPED = "dropped"


class Verdict(StrEnum):
    """The gate's decision on a candidate."""

    KEEP = "keep"
    HOLD = "hold"
    QUARANTINE = "quarantine"
    DROP = "drop"


class Action(StrEnum):
    """What the resolver does with a kept candidate."""

    INSERT = "insert"
    REINFORCE = "reinforce"
    SUPERSEDE = "supersede"
    COEXIST = "coexist"
    DISPUTE = "dispute"


class Role(StrEnum):
    """Who spoke a message."""

    USER = "user"
    ASSISTANT = "assistant"
    SYSTEM = "system"
    TOOL = "tool"


class SourceType(StrEnum):
    """The channel a text came through; it caps trust."""

    CONVERSATION = "conversation"
    DOCUMENT = "document"
    WEB = "web"
    TOOL = "tool"
    IMPORT = "import"


class Link(StrEnum):
    """A stored relation between two memories, read as `from <relation> to`."""

    SUPERSEDES = "supersedes"
    DERIVED_FROM = "derived_from"
    APPROVED_AS = "approved_as"
    CONFLICTS_WITH = "conflicts_with"


class Relation(StrEnum):
    """A rare link shown in a write's reply."""

    CONFLICTS_WITH = "conflicts_with"
    DISPLACES = "displaces"
    DUPLICATES = "duplicates"


class Modality(StrEnum):
    """How a statement was meant."""

    ASSERTED = "asserted"
    HEDGED = "hedged"
    HYPOTHETICAL = "hypothetical"
    QUESTION = "question"
    COMMAND = "command"
    QUOTED = "quoted"


class Code(StrEnum):
    """Stable reason codes. New ones may be added, none is ever renamed."""

    DURABLE_FACT = "durable_fact"
    PREFERENCE = "preference"
    INSTRUCTION = "instruction"
    EVENT = "event"
    HEDGED = "hedged"
    HYPOTHETICAL = "hypothetical"
    QUESTION = "question"
    SMALL_TALK = "small_talk"
    EPHEMERAL = "ephemeral"
    ASSISTANT_ECHO = "assistant_echo"
    ROLE_SYSTEM = "role_system"
    THIRD_PARTY = "third_party"
    LOW_IMPORTANCE = "low_importance"
    LOW_CONFIDENCE = "low_confidence"
    BLANK = "blank"
    TOO_LONG = "too_long"
    INVALID_TEXT = "invalid_text"
    NON_TEXT_PART = "non_text_part"
    SECRET_REDACTED = "secret_redacted"
    INJECTION = "injection"
    RECALLED_CONTEXT = "recalled_context"
    RELEARN_BLOCKED = "relearn_blocked"
    OUTSIDE_HINT = "outside_hint"
    TOO_MANY_CANDIDATES = "too_many_candidates"
    PROCEDURAL_UNTRUSTED = "procedural_untrusted"
    PROCEDURAL_CAP = "procedural_cap"
    FORCED = "forced"
    REPEAT = "repeat"
    PROMOTED = "promoted"
    CHANGED_VALUE = "changed_value"
    EXPLICIT_ENDING = "explicit_ending"
    COEXISTS = "coexists"
    OLDER_THAN_CURRENT = "older_than_current"
    LOWER_TRUST_CONFLICT = "lower_trust_conflict"
    BELOW_RECALL_TRUST = "below_recall_trust"
    STALE_SOURCE = "stale_source"
    CORRECTED = "corrected"
    APPROVED = "approved"
    UNGROUNDED = "ungrounded"


@dataclass(frozen=True, slots=True)
class Reason:
    """Why something was decided: a stable code for programs, a short detail for people."""

    code: Code
    detail: str


@dataclass(frozen=True, slots=True)
class Source:
    """Where a text came from; `id` is the caller's own name for it."""

    type: SourceType = SourceType.CONVERSATION
    id: str | None = None


@dataclass(frozen=True, slots=True)
class Message:
    """One turn as offered. `text` joins the text parts; `skipped_parts` says others were there."""

    role: Role
    text: str
    occurred_at: datetime
    name: str | None = None
    skipped_parts: bool = False


@dataclass(frozen=True, slots=True)
class Threshold:
    """The least importance (1..10) and confidence (0..1) a candidate needs to be kept."""

    importance: int = 5
    confidence: float = 0.6


def default_thresholds() -> dict[Kind, Threshold]:
    """Give every kind the default threshold."""
    return {kind: Threshold() for kind in Kind}


@dataclass(frozen=True, slots=True)
class TenantPolicy:
    """What a tenant may set; every field has a safe default."""

    thresholds: Mapping[Kind, Threshold] = field(default_factory=default_thresholds)
    min_trust: int = 2
    min_score: float = 0.0
    dropped_text_hours: float = 24.0
    kept_recall_hours: float = 24.0
    held_days: float = 30.0
    purge_grace_days: float = 30.0
    procedural_cap: int = 50


NEVER_BELIEVED: Final = frozenset({"approval", "set_aside"})
"""Ways to be superseded without ever having been current: held, quarantined and disputed rows that gave way."""


@dataclass(frozen=True, slots=True)
class Memory:
    """A kept record. Everything but status, validity ends, labels and counters is immutable.

    `confirmed_at` is the last *independent* confirmation as received (None until the first),
    `mentions` counts every statement of it, `reinforcements` the independent ones.
    """

    id: UUID
    kind: Kind
    content: str
    subject: str
    attribute: str | None
    value: str | None
    positive: bool
    single_valued: bool
    content_key: str
    importance: int
    confidence: float
    trust: int
    status: Status
    occurred_at: datetime
    valid_from: datetime | None
    valid_to: datetime | None
    known_from: datetime
    known_to: datetime | None
    created_at: datetime
    updated_at: datetime
    expires_at: datetime | None
    metadata: Mapping[str, Any]
    pinned: bool
    source: Source
    session_id: str | None
    session_ordinal: int
    agent_id: str | None
    stale: bool
    confirmed_at: datetime | None
    mentions: int
    reinforcements: int
    supersedes: tuple[UUID, ...] = ()
    superseded_by: UUID | None = None
    # who set a superseded row aside; see NEVER_BELIEVED
    retired_by: str | None = None
