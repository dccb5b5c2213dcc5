"""What the user says to have been wrong: the row gives way as a correction, and what it had retired comes back.

A correction ends a belief and not a time: no question about the past brings the wrong words back, see `whynot`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from typing import Final
from uuid import UUID

from app.domain.memory import Action, Code, Link, Outcome, Reason, Status
from app.domain.resolution import Incoming, Resolution, RowChange, cut, retired
from app.domain.timeline import Neighbour, value_key

PUT_RIGHT: Final = "put_right"
"""The rule of a statement that takes the place of a wrong one."""
TAKEN_BACK: Final = "taken_back"
"""The rule of a statement that only says that an earlier one was wrong."""
_STANDING: Final = frozenset({Status.ACTIVE, Status.HELD, Status.DISPUTED})

Resolver = Callable[[Incoming, Sequence[Neighbour]], Resolution]


def wrong_rows(incoming: Incoming, rows: Sequence[Neighbour]) -> list[Neighbour]:
    """Find the rows that a statement says to be wrong; what is trusted more stays out of its reach."""
    return [
        row
        for row in rows
        if row.memory.status in _STANDING
        and row.trust <= incoming.trust
        and (row.id in incoming.puts_right or (incoming.takes_back and _says_it(incoming, row)))
    ]


def put_right(
    incoming: Incoming, wrong: Sequence[Neighbour], rows: Sequence[Neighbour], resolver: Resolver
) -> Resolution | None:
    """Resolve a statement as if the wrong one had never been said.

    Returns:
        None when it did not come to stand: held, disputed or older, it retires nothing.
    """
    gone = {row.id for row in wrong}
    back = {row.id: _restored(row) for row in rows if _was_retired_by(row, wrong)}
    made = resolver(incoming, [back.get(row.id, row) for row in rows if row.id not in gone])
    if made.status is not Status.ACTIVE and made.into is None:
        return None
    # what it retires of these again stays retired as it is
    again = {change.memory_id for change in made.changes} & back.keys()
    changes = tuple(change for change in made.changes if change.memory_id not in again)
    links = tuple(link for link in made.links if link[2] not in again)
    supersedes = tuple(row_id for row_id in made.supersedes if row_id not in again)
    unlink = tuple((one.id, row_id, Link.SUPERSEDES) for row_id in back if row_id not in again for one in wrong)
    reasons = tuple(told for told in made.reasons if told.code not in (Code.COEXISTS, Code.CHANGED_VALUE))
    return replace(
        made,
        action=Action.SUPERSEDE if made.into is None else made.action,
        outcome=Outcome.SUPERSEDED if made.into is None else made.outcome,
        rule=PUT_RIGHT,
        reasons=(_reason("put right", wrong), *reasons),
        changes=(*_given_up(wrong, incoming), *changes, *_brought_back(back, again)),
        supersedes=(*gone, *supersedes),
        links=(*links, *((made.into, row_id, Link.SUPERSEDES) for row_id in gone if row_id != made.into)),
        unlink=(*made.unlink, *(link for link in unlink if _is_link(link, rows))),
    )


def take_back(incoming: Incoming, wrong: Sequence[Neighbour], rows: Sequence[Neighbour]) -> Resolution:
    """Let the wrong rows give way to nothing; the words that took them back become evidence of the first."""
    back = {row.id: _restored(row) for row in rows if _was_retired_by(row, wrong)}
    unlink = tuple((one.id, row_id, Link.SUPERSEDES) for row_id in back for one in wrong)
    return Resolution(
        action=Action.SUPERSEDE,
        outcome=Outcome.SUPERSEDED,
        status=None,
        kind=wrong[0].memory.kind,
        claim=incoming.claim,
        reasons=(_reason("taken back", wrong),),
        rule=TAKEN_BACK,
        into=wrong[0].id,
        changes=(*_given_up(wrong, incoming), *_brought_back(back, ())),
        supersedes=tuple(row.id for row in wrong),
        unlink=tuple(link for link in unlink if _is_link(link, rows)),
    )


def _says_it(incoming: Incoming, row: Neighbour) -> bool:
    """Tell whether a row says what the user quotes as wrong."""
    claim, memory = incoming.claim, row.memory
    if claim.subject != memory.subject or claim.positive != memory.positive:
        return False
    if claim.attribute is None or claim.value is None:
        return incoming.content_key == memory.content_key
    return claim.attribute == memory.attribute and value_key(claim.value) == value_key(memory.value)


def _given_up(wrong: Sequence[Neighbour], incoming: Incoming) -> tuple[RowChange, ...]:
    return tuple(replace(retired(row, incoming.start, incoming), retired_by="correction") for row in wrong)


def _was_retired_by(row: Neighbour, wrong: Sequence[Neighbour]) -> bool:
    """Tell whether a row gave way to a wrong one, when that was first said."""
    memory = row.memory
    return memory.status is Status.SUPERSEDED and any(
        memory.superseded_by == one.id and memory.retired_by == "resolver" and memory.known_to == one.memory.known_from
        for one in wrong
    )


def _restored(row: Neighbour) -> Neighbour:
    return replace(
        row, memory=replace(row.memory, status=Status.ACTIVE, known_to=None, valid_to=None, superseded_by=None)
    )


def _brought_back(back: Collection[UUID], again: Collection[UUID]) -> tuple[RowChange, ...]:
    return tuple(RowChange(row_id, restored=True) for row_id in back if row_id not in again)


def _is_link(link: tuple[object, object, Link], rows: Sequence[Neighbour]) -> bool:
    return any(row.id == link[1] and row.memory.superseded_by == link[0] for row in rows)


def _reason(told: str, wrong: Sequence[Neighbour]) -> Reason:
    return Reason(Code.CORRECTED, cut(f"{told}: {wrong[0].memory.content}"))
