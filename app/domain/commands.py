"""What a caller asks for, as plain values: the input of the services."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from uuid import UUID

from app.domain.filters import Filter, parse_filters
from app.domain.memory import USER_SUBJECT, Kind, Message, Source, Status

ALL_KINDS = frozenset(Kind)


@dataclass(frozen=True, slots=True)
class WriteCommand:
    """A write: messages with their labels and modes. `received_at` is the service's clock."""

    messages: tuple[Message, ...]
    received_at: datetime
    session_id: str | None = None
    agent_id: str | None = None
    source: Source = field(default_factory=Source)
    metadata: Mapping[str, Any] = field(default_factory=dict)
    subject: str | None = None
    kind: Kind | None = None
    attribute: str | None = None
    expires_at: datetime | None = None
    # None where an id was malformed: it is treated like an unknown one
    derived_from: tuple[UUID | None, ...] = ()
    infer: bool = True
    force: bool = False
    dry_run: bool = False
    importance: int | None = None

    @property
    def of_somebody(self) -> bool:
        """Tell whether the caller names somebody or something else than the user that the write is about."""
        return self.subject not in (None, USER_SUBJECT)


@dataclass(frozen=True, slots=True)
class AsOf:
    """The two clocks of a question about the past, both resolved."""

    valid_at: datetime
    known_at: datetime
    # which of the two the rank clock follows
    known_given: bool


@dataclass(frozen=True, slots=True)
class RecallCommand:
    """A recall. `include` holds extra statuses, `untrusted` lowers the trust floor on purpose."""

    query: str
    received_at: datetime
    k: int = 5
    kinds: frozenset[Kind] = ALL_KINDS
    subject: str | None = None
    min_score: float | None = None
    min_trust: int | None = None
    include: frozenset[Status] = frozenset()
    untrusted: bool = False
    token_budget: int = 1024
    filters: Filter | None = None
    as_of: AsOf | None = None
    trace: bool = False
    # replaced facts are seen although they were not asked for: the question is about the past
    past: bool = False
    # the request as it came, for /explain
    request: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ForgetCommand:
    """An erasure by exactly one selector; `selector` names which field is meant.

    `memory_ids` holds None where an id was malformed: it counts as not found.
    """

    selector: str
    received_at: datetime
    memory_ids: tuple[UUID | None, ...] = ()
    query: str | None = None
    subject: str | None = None
    source_id: str | None = None
    session_id: str | None = None
    filters: Filter | None = None
    before: datetime | None = None
    preview_token: str | None = None
    dry_run: bool = False
    history: bool = True
    k: int = 20
    min_score: float = 0.5


@dataclass(frozen=True, slots=True)
class ExplainCommand:
    """A question about a memory, a kept recall, a recall run again, a write, or in words."""

    received_at: datetime
    # malformed ids arrive as None and are answered like unknown ones
    by: str
    memory_id: UUID | None = None
    recall_id: UUID | None = None
    with_memory: bool = False
    recall: RecallCommand | None = None
    write_id: UUID | None = None
    question: str | None = None


@dataclass(frozen=True, slots=True)
class ListCommand:
    """A page of the user's own inventory, newest first."""

    received_at: datetime
    kinds: frozenset[Kind] = ALL_KINDS
    statuses: frozenset[Status] = frozenset({Status.ACTIVE})
    filters: Filter | None = None
    created_after: datetime | None = None
    created_before: datetime | None = None
    limit: int = 50
    cursor: str | None = None
    # fingerprint of the parameters the cursor is bound to
    parameters: str = ""


@dataclass(frozen=True, slots=True)
class PatchCommand:
    """A correction by the user. `changed` names the fields that were sent."""

    received_at: datetime
    changed: frozenset[str]
    content: str | None = None
    metadata: Mapping[str, Any] | None = None
    pinned: bool | None = None
    expires_at: datetime | None = None


def clock_of(command: RecallCommand) -> datetime:
    """Tell by which clock a recall is ranked: the past's, when it asks about the past."""
    if command.as_of is None:
        return command.received_at
    return command.as_of.known_at if command.as_of.known_given else command.as_of.valid_at


def recall_to_json(command: RecallCommand) -> dict[str, Any]:
    """Write a recall down so that it can be run again with its own clock; filters as they came."""
    as_of = command.as_of
    return {
        "query": command.query,
        "at": command.received_at.isoformat(),
        "k": command.k,
        "kinds": sorted(command.kinds),
        "subject": command.subject,
        "min_score": command.min_score,
        "min_trust": command.min_trust,
        "include": sorted(command.include),
        "untrusted": command.untrusted,
        "past": command.past,
        "filters": command.request.get("filters"),
        "as_of": None if as_of is None else [as_of.valid_at.isoformat(), as_of.known_at.isoformat(), as_of.known_given],
    }


def recall_from_json(kept: Mapping[str, Any]) -> RecallCommand:
    """Read a recall that `recall_to_json` wrote."""
    as_of = kept["as_of"]
    return RecallCommand(
        query=kept["query"],
        received_at=datetime.fromisoformat(kept["at"]),
        k=kept["k"],
        kinds=frozenset(Kind(kind) for kind in kept["kinds"]),
        subject=kept["subject"],
        min_score=kept["min_score"],
        min_trust=kept["min_trust"],
        include=frozenset(Status(status) for status in kept["include"]),
        untrusted=kept["untrusted"],
        past=kept.get("past", False),
        token_budget=0,
        filters=None if kept["filters"] is None else parse_filters(kept["filters"]),
        as_of=None
        if as_of is None
        else AsOf(datetime.fromisoformat(as_of[0]), datetime.fromisoformat(as_of[1]), as_of[2]),
    )
