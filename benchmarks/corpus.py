"""What a benchmark is made of: pools of turns, and questions whose evidence is known."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Final

MAX_TEXT: Final = 32_000
"""Code points of one message that the service takes; longer turns are cut here, for every system alike."""


@dataclass(frozen=True, slots=True)
class Turn:
    """One message of a conversation.

    Attributes:
        id: Unique in its pool.
        text: As it is stored verbatim, with the speaker's name where there is one.
        said: The words alone, as an agent would send them.
        session: Label of the conversation it belongs to.
        unit: The coarser unit it counts for: the session, or the exchange of question and answer.
        role: `user` or `assistant`.
        speaker: Name of who spoke, if there is one.
        at: When; None if the data does not say.
    """

    id: str
    text: str
    said: str
    session: str
    unit: str
    role: str = "user"
    speaker: str | None = None
    at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Question:
    """A question and the turns that answer it.

    Attributes:
        id: Unique in its corpus.
        text: The words asked.
        kind: Category of the data set.
        group: What is resampled as one when there are enough: a conversation or a topic.
        evidence: Ids of turns.
        first: Evidence of the earlier of two statements, for questions about a change or a contradiction.
        second: Evidence of the later one.
        apart: It does not count in the figure over all questions.
    """

    id: str
    text: str
    kind: str
    group: str
    evidence: frozenset[str]
    first: frozenset[str] = frozenset()
    second: frozenset[str] = frozenset()
    apart: bool = False


@dataclass(frozen=True, slots=True)
class Pool:
    """The turns of one user, and what is asked of them."""

    id: str
    turns: tuple[Turn, ...]
    questions: tuple[Question, ...]


@dataclass(frozen=True, slots=True)
class Corpus:
    """A data set as the benchmark uses it.

    Attributes:
        name: Short name.
        title: For tables.
        turn: What a turn is called.
        unit: What the coarser unit is called; None if there is none.
        group: What a group of questions is called.
        pools: One per user.
        notes: What was left out while reading, with counts.
    """

    name: str
    title: str
    turn: str
    unit: str | None
    group: str
    pools: tuple[Pool, ...]
    notes: tuple[str, ...] = field(default=())

    @property
    def turns(self) -> int:
        """Count the turns of all pools."""
        return sum(len(pool.turns) for pool in self.pools)

    @property
    def questions(self) -> int:
        """Count the questions of all pools."""
        return sum(len(pool.questions) for pool in self.pools)

    def limited(self, questions: int | None) -> Corpus:
        """Keep the first questions of each pool only, for a quick look."""
        if questions is None:
            return self
        return replace(self, pools=tuple(replace(pool, questions=pool.questions[:questions]) for pool in self.pools))
