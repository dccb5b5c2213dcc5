"""A resolution as a value, and the ways to make one: a new row, a repeat, a promotion, rows that give way."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any, Final
from uuid import UUID

from app.domain.answers import RelatedMemory
from app.domain.changes import Marked
from app.domain.claim import Claim
from app.domain.memory import Action, Code, Kind, Link, Outcome, Reason, Role, Status
from app.domain.timeline import Neighbour, order_time
from app.domain.turnover import Weighed

_INDEPENDENT_AFTER: Final = timedelta(hours=1)
WAITING: Final = frozenset({Status.HELD, Status.DISPUTED})

LinkTriple = tuple[UUID | None, UUID | None, Link]


@dataclass(frozen=True, slots=True)
class Incoming:
    """A candidate that the gate kept or held, as the resolver sees it."""

    kind: Kind
    content: str
    content_key: str
    claim: Claim
    trust: int
    confidence: float
    occurred_at: datetime
    received_at: datetime
    role: Role
    session_id: str | None
    expires_at: datetime | None
    metadata: Mapping[str, Any]
    held: bool = False
    change: Marked | None = None
    # which rows the message may end; None when it was not weighed
    weighed: Weighed | None = None
    # rows that a judge says to be superseded, still as he was shown them
    judged: frozenset[UUID] = frozenset()
    # rows that the user says to be wrong, and whether nothing is said instead
    puts_right: frozenset[UUID] = frozenset()
    takes_back: bool = False

    @property
    def start(self) -> datetime:
        """When it became true."""
        return self.claim.valid_from or self.occurred_at

    @property
    def begin(self) -> datetime:
        """When it is first known to hold."""
        return order_time(self.claim.valid_from, self.occurred_at)


@dataclass(frozen=True, slots=True)
class RowChange:
    """What happens to an existing row.

    A promoted row also loses the time-to-live of a held one; a restored one is current again, as if it had never given
    way. `retired_by` tells who set a superseded row aside, where that is not the resolver.
    """

    memory_id: UUID
    status: Status | None = None
    valid_to: datetime | None = None
    known_from: datetime | None = None
    known_to: datetime | None = None
    confidence: float | None = None
    promoted: bool = False
    expires_at: datetime | None = None
    retired_by: str | None = None
    restored: bool = False

    def values(self) -> dict[str, Any]:
        """Give the columns to change."""
        if self.restored:
            return {"status": Status.ACTIVE, "valid_to": None, "known_to": None, "retired_by": None}
        names = ("status", "valid_to", "known_from", "known_to", "confidence")
        changed = {name: getattr(self, name) for name in names if getattr(self, name) is not None}
        return changed | {"expires_at": self.expires_at} if self.promoted else changed


@dataclass(frozen=True, slots=True)
class Resolution:
    """What an incoming statement does.

    Attributes:
        action: As a dry run shows it.
        outcome: As the reply shows it.
        status: Of the new row; None when there is none.
        kind: Of the new row: an ending without a new value is an event.
        claim: What the new row says, as stored: an ending holds the ended value, negated.
        reasons: For the reply.
        rule: The rule that fired.
        into: The row that is reinforced or promoted instead of a new one.
        independent: Whether that reinforcement confirms.
        promoted: Whether a held row became active.
        changes: Existing rows that change.
        supersedes: The rows it retires, as the reply shows them.
        links: New links; None stands for the new (or promoted) row.
        unlink: Links that go, because the new row comes between two linked ones.
        valid_from: Of the new row.
        valid_to: Of the new row.
        superseded_by: The row that a late older statement gives way to.
        related: Rare links for the reply.
    """

    action: Action
    outcome: Outcome
    status: Status | None
    kind: Kind
    claim: Claim
    reasons: tuple[Reason, ...]
    rule: str
    into: UUID | None = None
    independent: bool = False
    promoted: bool = False
    changes: tuple[RowChange, ...] = ()
    supersedes: tuple[UUID, ...] = ()
    links: tuple[LinkTriple, ...] = ()
    unlink: tuple[LinkTriple, ...] = ()
    valid_from: datetime | None = None
    valid_to: datetime | None = None
    superseded_by: UUID | None = None
    related: tuple[RelatedMemory, ...] = ()


def insert(incoming: Incoming, action: Action, outcome: Outcome, status: Status, *, rule: str) -> Resolution:
    """Make a new row."""
    claim = incoming.claim
    says = claim.attribute is not None and incoming.kind is not Kind.EPISODIC
    return Resolution(
        action=action,
        outcome=outcome,
        status=status,
        kind=incoming.kind,
        claim=claim,
        reasons=(),
        rule=rule,
        valid_from=incoming.start if says else claim.valid_from,
        valid_to=claim.valid_to,
    )


def reinforce(incoming: Incoming, row: Neighbour, *, independent: bool, rule: str) -> Resolution:
    """Count a repeat of a row; nothing new is stored."""
    said = Reason(Code.REPEAT, f"said before on {row.memory.occurred_at:%Y-%m-%d}")
    return Resolution(
        action=Action.REINFORCE,
        outcome=Outcome.REINFORCED,
        status=None,
        kind=row.memory.kind,
        claim=incoming.claim,
        reasons=(said,),
        rule=rule,
        into=row.id,
        independent=independent,
    )


def promote(incoming: Incoming, row: Neighbour, *, retire: Iterable[Neighbour], rule: str) -> Resolution:
    """Let a held row become current, in the place of what it replaces."""
    done = reinforce(incoming, row, independent=confirms(incoming, row), rule=rule)
    change = RowChange(
        row.id,
        status=Status.ACTIVE,
        known_from=incoming.received_at,
        confidence=max(row.memory.confidence, incoming.confidence),
        promoted=True,
        expires_at=incoming.expires_at,
    )
    reasons = (*done.reasons, Reason(Code.PROMOTED, "was held until confirmed"))
    return with_retired(replace(done, promoted=True, changes=(change,), reasons=reasons), incoming, retire)


def with_retired(made: Resolution, incoming: Incoming, rows: Iterable[Neighbour]) -> Resolution:
    """Let rows give way to the new (or reinforced) one."""
    rows = tuple({row.id: row for row in rows}.values())
    if not rows:
        return made
    return replace(
        made,
        # old rows give way first, so that no unique index sees two
        changes=(*(retired(row, incoming.start, incoming) for row in rows), *made.changes),
        supersedes=(*made.supersedes, *(row.id for row in rows)),
        links=(*made.links, *((made.into, row.id, Link.SUPERSEDES) for row in rows)),
    )


def retired(row: Neighbour, at: datetime, incoming: Incoming) -> RowChange:
    """Say how a row gives way at a time."""
    if row.memory.status in WAITING:
        # it was never believed, so no time may show it as such
        return RowChange(row.id, status=Status.SUPERSEDED, valid_to=row.start)
    ended = min(at, row.memory.valid_to or at)
    return RowChange(row.id, Status.SUPERSEDED, valid_to=max(row.start, ended), known_to=incoming.received_at)


def strongest(rows: Sequence[Neighbour]) -> Neighbour:
    """Pick the row to count for: the current one, then the most trusted, then the first."""
    order = (Status.ACTIVE, Status.HELD, Status.DISPUTED, Status.SUPERSEDED)
    return min(rows, key=lambda row: (order.index(row.memory.status), -row.trust, row.memory.created_at, row.id))


def first(rows: Sequence[Neighbour]) -> Neighbour:
    """Pick the earliest in event time."""
    return min(rows, key=lambda row: (row.begin, row.memory.created_at, row.id))


def confirms(incoming: Incoming, row: Neighbour) -> bool:
    """Tell whether a repeat confirms: the user again, in another session or an hour later, and no replay."""
    if incoming.role is not Role.USER or incoming.trust < row.trust:
        return False
    if incoming.occurred_at in (row.memory.occurred_at, row.last_said_at):
        return False
    sessions = (incoming.session_id, row.last_session_id)
    other_session = None not in sessions and sessions[0] != sessions[1]
    return other_session or incoming.received_at - row.last_evidence_at >= _INDEPENDENT_AFTER


def cut(detail: str) -> str:
    """Keep a detail short."""
    return detail if len(detail) <= 160 else detail[:159] + "…"
