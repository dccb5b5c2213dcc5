"""What two statements have to do with each other: the same, against each other, earlier or later."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final
from uuid import UUID

from app.domain.aliases import canonical
from app.domain.claim import Claim
from app.domain.memory import Kind, Memory, Status
from app.domain.text import normalise, words

_FILLER_WORDS: Final = "again now too also still already lately nowadays really very much most a lot these days anyway"
_FILLERS: Final = frozenset(_FILLER_WORDS.split())
# "I quit my job" ends whatever job there is
_ANY: Final = frozenset({None, "job", "work", "position", "role", "place", "it", "that", "there"})
_ARTICLE: Final = re.compile(r"^(?:a|an|the|my)\s+(?=\S)")
_NUMBER: Final = re.compile(r"[-+]?\d[\d.,:/-]*\s*[^\W\d_]*")
_NAME: Final = re.compile(r"(?<=[\s(\"'/-])[^\W\d_a-z][\w'+#-]*")


def value_key(value: str | None) -> str | None:
    """Reduce a value to what must agree: case, spacing, final punctuation, the article and the choice of alias go."""
    return None if value is None else canonical(_ARTICLE.sub("", normalise(value)))


def same_details(content: str, held: str, value: str) -> bool:
    """Tell whether a sentence adds nothing to a stored one about the same value.

    The numbers (with their units) and the names of both agree, and what stands behind the value
    ("uses Postgres *for analytics*") stands in the stored one too: a merge must not lose it.
    """
    if _details(content) != _details(held):
        return False
    _, _, tail = normalise(content).partition(normalise(value))
    return set(words(tail)) - _FILLERS <= set(words(held))


def _details(content: str) -> tuple[frozenset[str], frozenset[str]]:
    numbers = frozenset(normalise(found) for found in _NUMBER.findall(content))
    names = frozenset(canonical(normalise(found.removesuffix("'s"))) for found in _NAME.findall(content))
    return numbers, names


def order_time(valid_from: datetime | None, occurred_at: datetime) -> datetime:
    """Give the time at which a statement is known to hold, by which statements are ordered.

    That is when it was said, or, for one that names an earlier start, the end of the named period:
    "I moved last month" names only the first of that month, and must come after what was said to
    hold in the middle of it.
    """
    if valid_from is None:
        return occurred_at
    if valid_from > occurred_at:
        return valid_from
    return min(period_end(valid_from.astimezone(UTC)), occurred_at)


def period_end(start: datetime) -> datetime:
    """Give the end of the period that a stated time names."""
    # the precision of a stated time is kept in its roundness: year, month, day or instant
    if (start.hour, start.minute, start.second, start.microsecond) != (0, 0, 0, 0) or start.year >= 9998:
        return start
    if (start.month, start.day) == (1, 1):
        return start.replace(year=start.year + 1)
    if start.day == 1:
        return start.replace(year=start.year + start.month // 12, month=start.month % 12 + 1)
    return start + timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Neighbour:
    """A stored row near an incoming statement.

    Attributes:
        memory: The row.
        last_evidence_at: When the newest evidence of it arrived, as received.
        last_session_id: The session of that evidence.
        last_said_at: The newest event time of what was said for it by a source trusted no less; None when unknown.
    """

    memory: Memory
    last_evidence_at: datetime
    last_session_id: str | None
    last_said_at: datetime | None = None

    @property
    def id(self) -> UUID:
        """The row's id."""
        return self.memory.id

    @property
    def trust(self) -> int:
        """The row's trust."""
        return self.memory.trust

    @property
    def active(self) -> bool:
        """Whether the row is current."""
        return self.memory.status is Status.ACTIVE

    @property
    def event(self) -> bool:
        """Whether the row is an event: it is never retired, and says nothing about the present."""
        return self.memory.kind is Kind.EPISODIC

    @property
    def start(self) -> datetime:
        """When it became true."""
        return self.memory.valid_from or self.memory.occurred_at

    @property
    def begin(self) -> datetime:
        """When it is first known to hold."""
        return order_time(self.memory.valid_from, self.memory.occurred_at)

    @property
    def through(self) -> datetime:
        """When it was last said to hold; a row with a stated start holds from that, however often it is told."""
        stated = self.memory.valid_from not in (None, self.memory.occurred_at)
        return self.begin if stated else max(self.begin, self.last_said_at or self.begin)

    def covers(self, at: datetime) -> bool:
        """Tell whether the row was in force at a time."""
        ended = self.memory.valid_to
        return self.begin <= at and (ended is None or at < ended)


def about_same(claim: Claim, memory: Memory) -> bool:
    """Tell whether a claim and a row speak about the same attribute of the same subject."""
    return claim.attribute is not None and claim.attribute == memory.attribute


def same_statement(claim: Claim, content: str, content_key: str, memory: Memory) -> bool:
    """Tell whether a row says what comes in: the same words, or the same claim with the same details.

    Similarity is no argument: "two kids" and "three kids" are .99 alike.
    """
    if claim.positive != memory.positive:
        return False
    if content_key == memory.content_key:
        return True
    if not about_same(claim, memory) or claim.value is None or value_key(claim.value) != value_key(memory.value):
        return False
    # one row only may hold a single-valued attribute, however it was worded
    return (claim.single_valued and memory.single_valued) or same_details(content, memory.content, claim.value)


def contradicts(claim: Claim, memory: Memory) -> bool:
    """Tell whether both cannot hold at once: another value of a single-valued attribute, or the reverse of the same."""
    if not about_same(claim, memory) or claim.value is None:
        return False
    same_value = value_key(claim.value) == value_key(memory.value)
    if claim.positive != memory.positive:
        return same_value
    return (
        claim.positive and not same_value and memory.value is not None and claim.single_valued and memory.single_valued
    )


def ends_it(claim: Claim, memory: Memory) -> bool:
    """Tell whether an ending is about what a row says."""
    if not about_same(claim, memory) or not memory.positive or memory.value is None:
        return False
    ended = value_key(claim.ended_value)
    return ended == value_key(memory.value) or (memory.single_valued and ended in _ANY)
