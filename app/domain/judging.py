"""Pairs that structure leaves open, for a judge who may say one of two things; and what his word is worth.

A pair is open when both statements are about the same subject and have something in common, and nothing in them says
that one took the place of the other. Without a judge, or when anything goes wrong, both stay.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final
from uuid import UUID

from app.domain.memory import Action, Code, Kind, Memory, Modality, Outcome, Reason, Status
from app.domain.resolution import Incoming, Resolution, cut, with_retired
from app.domain.terms import query_terms
from app.domain.timeline import Neighbour
from app.domain.trust import USER_TRUST

MOST_ROWS: Final = 3
"""Rows that one statement is set against."""
JUDGED: Final = "judged"
"""The rule that a judge's word makes."""
_LONGEST: Final = 600


@dataclass(frozen=True, slots=True)
class Pair:
    """What a judge is shown: two statements and when each was said."""

    number: int
    earlier: str
    earlier_at: datetime
    later: str
    later_at: datetime


@dataclass(frozen=True, slots=True)
class AsRead:
    """A row as it was when the judge was asked; his word counts only while it is still so."""

    id: UUID
    content_key: str
    updated_at: datetime

    def holds(self, memory: Memory | None) -> bool:
        """Tell whether the row is still what was judged."""
        return (
            memory is not None
            and memory.status is Status.ACTIVE
            and memory.content_key == self.content_key
            and memory.updated_at == self.updated_at
        )


def open_rows(made: Resolution, incoming: Incoming, rows: Sequence[Neighbour]) -> list[Neighbour]:
    """Pick the rows with which a statement makes an open pair, those that share most first."""
    claim = incoming.claim
    asserted = claim.modality is Modality.ASSERTED and incoming.kind is Kind.SEMANTIC and not claim.ends
    # a prompt holds the user's own words alone: a text from elsewhere has no say in what becomes of them
    if incoming.trust < USER_TRUST or len(incoming.content) > _LONGEST:
        return []
    if not asserted or made.status is not Status.ACTIVE or made.into is not None or made.supersedes:
        return []
    said = frozenset(query_terms(incoming.content))
    found: list[tuple[int, Neighbour]] = []
    for row in rows:
        memory = row.memory
        if memory.subject != claim.subject or not _may_give_way(incoming, row) or len(memory.content) > _LONGEST:
            continue
        common = len(said & frozenset(query_terms(memory.content)))
        same = claim.attribute is not None and claim.attribute == memory.attribute
        if common or same:
            found.append((common + same, row))
    found.sort(key=lambda pair: (-pair[0], -pair[1].begin.timestamp(), pair[1].id))
    return [row for _, row in found[:MOST_ROWS]]


def with_judged(made: Resolution, incoming: Incoming, rows: Sequence[Neighbour]) -> Resolution:
    """Let rows give way that a judge says to be superseded; only where the rules leave it open."""
    if not incoming.judged:
        return made
    old = [row for row in open_rows(made, incoming, rows) if row.id in incoming.judged]
    if not old:
        return made
    reason = Reason(Code.CHANGED_VALUE, cut(f"judged to replace: {old[0].memory.content}"))
    reasons = tuple(told for told in made.reasons if told.code is not Code.COEXISTS)
    changed = replace(
        made, action=Action.SUPERSEDE, outcome=Outcome.SUPERSEDED, rule=JUDGED, reasons=(*reasons, reason)
    )
    return with_retired(changed, incoming, old)


def _may_give_way(incoming: Incoming, row: Neighbour) -> bool:
    return (
        row.active
        and row.memory.kind is Kind.SEMANTIC
        and not row.memory.pinned
        and row.trust == incoming.trust
        and row.through <= incoming.begin
        and row.memory.occurred_at < incoming.occurred_at
    )
