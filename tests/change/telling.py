"""Tells the cases of the *.jsonl files to the rules, without a gate and without a service."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path
from uuid import UUID

from app.domain.changes import marked
from app.domain.extract import extract
from app.domain.memory import Message, Role, Status
from benchmarks.changing import Case, load
from tests.change.weighing import weigh
from tests.domain.shelf import Shelf, incoming, uid

FOLDER = Path(__file__).resolve().parent
FIRST = datetime(2025, 4, 20, 12, tzinfo=UTC)
LATER = timedelta(days=12)


def cases(name: str) -> list[Case]:
    """The cases of one file."""
    return [case for case in load(FOLDER, "abcde") if case.id.startswith(name)]


def told(case: Case, *, weighed: bool = False) -> tuple[list[str], list[str]]:
    """Tell both statements; gives what is still current and should not be, and what should be current and is not.

    Args:
        case: Both statements.
        weighed: With the trained weights, as where vectors are at hand; without them the rules decide alone.
    """
    shelf, words = Shelf(), dict[UUID, list[str]]()
    for place, text in enumerate((case.first, case.second)):
        at = FIRST + place * LATER
        found = extract(Message(Role.USER, text, at), index=0, text=text)
        chances = weigh(shelf.rows, found) if weighed else [None] * len(found)
        for one, ends in zip(found, chances, strict=True):
            said = incoming(one.content, one.claim, kind=one.kind, change=marked(one), weighed=ends, occurred_at=at)
            done = shelf.put(said)
            row_id = done.into or uid(len(shelf.rows))
            words.setdefault(row_id, []).append(one.quote)
    rows = [row for row in shelf.rows.values() if row.status is Status.ACTIVE]
    return case.faults(["\n".join([row.content, *words.get(row.id, [])]) for row in rows])
