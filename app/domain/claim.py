"""Candidates and claims: a statement taken from a message, and what it says about whom."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from app.domain.memory import Kind, Memory, Modality, Role, Status


@dataclass(frozen=True, slots=True)
class StoredAs:
    """The row that a statement of an earlier write made, as it was when it was read.

    `alone` tells that the row comes from that statement, and was not merely said again in it.
    """

    id: UUID
    status: Status
    content: str
    alone: bool = True

    def holds(self, memory: Memory | None) -> bool:
        """Tell whether the row still stands as it was read."""
        return memory is not None and memory.status is self.status


@dataclass(frozen=True, slots=True)
class Claim:
    """What a statement says.

    `attribute` and `value` are None when no claim could be parsed. `positive` is the polarity.
    `single_valued` says that one subject holds one value of this attribute at a time.
    `ends` marks an explicit ending ("I no longer live in Paris"): with `value` set and
    `ended_value` set it is a switch from one to the other; with only `ended_value` set nothing
    takes its place. `valid_from` and `valid_to` are event times stated in the text.
    """

    subject: str
    attribute: str | None = None
    value: str | None = None
    positive: bool = True
    modality: Modality = Modality.ASSERTED
    single_valued: bool = False
    ends: bool = False
    ended_value: str | None = None
    valid_from: datetime | None = None
    valid_to: datetime | None = None


@dataclass(frozen=True, slots=True)
class Candidate:
    """A statement that might become a memory.

    `content` stands by itself in the third person; `quote` is the exact span of the screened
    message, `start` its offset there in code points. `kind` is what the wording suggests. `spelled` is what the quote
    says in full, where it borrows words from elsewhere: an item of a list from its heading, a correction from what it
    puts right. `told` are subject and words of all statements of the message,
    because the mark of a change often stands in another clause than the new value. `stored` is the row of a statement
    that comes from an earlier write; `puts_right` are such rows that this one says to be wrong. With `takes_back`
    nothing is said instead of them, nor instead of what the claim itself says.
    """

    content: str
    quote: str
    start: int
    message_index: int
    role: Role
    occurred_at: datetime
    claim: Claim
    kind: Kind = Kind.SEMANTIC
    spelled: str | None = None
    told: tuple[tuple[str, str], ...] = ()
    stored: StoredAs | None = None
    puts_right: tuple[StoredAs, ...] = ()
    takes_back: bool = False

    @property
    def words(self) -> str:
        """What is weighed: the quote, or what it says in full."""
        return self.quote if self.spelled is None else self.spelled
