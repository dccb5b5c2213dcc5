"""What a recall asks of the database: the shape of its statement, and the values of its parameters."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final
from uuid import UUID

from app.domain.asking import period_of
from app.domain.caller import Owner
from app.domain.commands import ALL_KINDS, RecallCommand, clock_of
from app.domain.memory import Kind, Status
from app.domain.ranker import RankWeights
from app.store.tables import COVERED_DIMENSIONS

FULL: Final = 32
"""How many rows are read in full at least; all rows were scored before.

The statement orders by all that the ranker orders by but the decay weight, which is between .9 and 1: a row beyond
these would have to overtake all of them within that margin.
"""
MASKED: Final = 62  # words of a query that have a bit of their own
LARGE_FROM: Final = 5_000
"""From how many rows of an owner on two legs choose which rows are scored at all.

The vector leg reads the covering index alone, and in 10,000 rows takes a seventh of the time that reading all of them
takes; the word leg reads the rows. Below, one pass over all rows is as fast and leaves nothing out.
"""
LEG: Final = 128  # rows that each leg chooses at least
REACHED: Final = 4  # how many times that the vector leg looks at


@dataclass(frozen=True, slots=True)
class Query:
    """A query as the database needs it; a leg that is out is None.

    Attributes:
        vector: The query's vector.
        model: The model it came from.
        tsquery: The words joined with OR.
        words: The words one by one.
    """

    vector: Sequence[float] | None
    model: str
    tsquery: str | None
    words: Sequence[str] = ()

    def values(self) -> dict[str, Any]:
        """Give the values of the parameters of both legs."""
        return {
            "model": self.model,
            "asked": None if self.vector is None else list(self.vector),
            "asked_words": self.tsquery,
        }


@dataclass(frozen=True, slots=True)
class Shape:
    """What the statement of a recall depends on, its values and filters aside: equal shapes share their SQL."""

    vector: bool
    lexical: bool
    words: int
    kinds: frozenset[Kind]
    include: frozenset[Status]
    subject: bool
    as_of: bool
    heads: bool
    also: bool
    past: bool
    period: bool
    weights: RankWeights
    large: bool = False


def shape_of(
    command: RecallCommand, query: Query, *, weights: RankWeights, also: UUID | None, large: bool = False
) -> Shape:
    """Tell the shape of a recall; what narrows or widens its rows is always read in one pass over all of them."""
    plain = not (command.include or command.past or command.as_of or command.subject) and command.kinds == ALL_KINDS
    covered = query.vector is not None and len(query.vector) <= COVERED_DIMENSIONS
    return Shape(
        vector=query.vector is not None,
        lexical=bool(query.tsquery),
        words=min(len(query.words), MASKED),
        kinds=command.kinds,
        include=command.include,
        subject=command.subject is not None,
        as_of=command.as_of is not None,
        heads=command.token_budget > 0 and Kind.PROCEDURAL in command.kinds,
        also=also is not None,
        past=command.past,
        period=period_of(command.query, clock_of(command)) is not None,
        weights=weights,
        large=large and plain and also is None and covered,
    )


def values_of(
    owner: Owner, command: RecallCommand, query: Query, *, min_trust: int, also: UUID | None
) -> dict[str, Any]:
    """Give the values of all named parameters; a statement takes those that its shape has."""
    values: dict[str, Any] = {
        "tenant_id": owner.tenant_id,
        "user_id": owner.user_id,
        "min_trust": min_trust,
        "now": command.received_at,
        "subject": command.subject,
        **query.values(),
        "last": max(FULL, 2 * command.k),
        "leg": max(LEG, 2 * command.k),
        "reach": REACHED * max(LEG, 2 * command.k),
        "clock": clock_of(command),
        "dimension": None if query.vector is None else len(query.vector),
        "also": also,
    }
    period = period_of(command.query, clock_of(command))
    if period is not None:
        values |= {"since": period.since, "until": period.until}
    if command.as_of is not None:
        values |= {"valid_at": command.as_of.valid_at, "known_at": command.as_of.known_at}
    # quoted lexemes of ours, folded as the stored ones were
    return values | {f"word_{place}": f"'{word}'" for place, word in enumerate(query.words[:MASKED])}
