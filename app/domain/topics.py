"""What a statement does to the rows of its topic, where it says itself that something is over or has changed."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Final
from uuid import UUID

from app.domain.changes import tells_of_an_end
from app.domain.events import told_as_past
from app.domain.memory import Action, Code, Kind, Modality, Outcome, Reason, Status
from app.domain.nearness import MOST_ROWS
from app.domain.resolution import Incoming, Resolution, RowChange, cut, with_retired
from app.domain.timeline import Neighbour, period_end
from app.domain.trust import USER_TRUST
from app.domain.turnover import Weighed, tells_one_thing

_FEW: Final = 2
_LOOKS_AHEAD: Final = re.compile(
    r"\b(?:will|going to|plans? to|planning|due|booked|scheduled|are \w+ing|is \w+ing|am \w+ing)\b", re.I
)


def with_topic(made: Resolution, incoming: Incoming, rows: Sequence[Neighbour]) -> Resolution:
    """Let rows give way that the statement itself says to be over or changed, whatever their attribute."""
    change, claim, weighed = incoming.change, incoming.claim, incoming.weighed
    if (change is None and weighed is None) or made.status is not Status.ACTIVE:
        return made
    done = {other.memory_id for other in made.changes}
    # what is told a second time was not said after what has replaced it; one who goes back to what held before on the
    # same day, with times of the day alone, is taken to repeat it
    again = any(
        row.memory.content_key == incoming.content_key and row.memory.occurred_at == incoming.occurred_at
        for row in rows
    )
    open_rows = [
        row
        for row in rows
        if row.active
        and row.id not in done
        and row.trust <= incoming.trust
        and not (again and row.memory.occurred_at == incoming.occurred_at)
    ]
    told = change.change if change is not None else None
    early = [row for row in open_rows if _came_before(incoming, row, incoming.begin)]
    about = {
        row.id: told.shared(row.memory, subject=claim.subject, attribute=claim.attribute)
        for row in early
        if told is not None
    }
    old = [row for row in _most(early, about) if not tells_of_an_end(row.memory.content)]
    rule = "topic"
    if not old and not made.supersedes:
        # "X replaced Y in March", said in May, is news against what was said in April
        before = [row for row in open_rows if _said_before(incoming, row, incoming.occurred_at)]
        before = [row for row in before if _came_before(incoming, row, incoming.occurred_at)]
        old, rule = _most(before, {row.id: _weigh(incoming, row) for row in before}), "news"
        if not old and weighed is not None:
            old, rule = _likeliest(incoming, weighed, before), "weighed"
    if not old:
        return made
    ending = change is not None and change.ending and rule != "weighed"
    chance = weighed.chances.get(old[0].id) if weighed is not None and rule != "topic" else None
    told_of = "over" if ending else "likely not true any more" if rule == "weighed" else "was"
    told_of = told_of if chance is None else f"{told_of} (chance {chance:.2f})"
    reason = Reason(Code.EXPLICIT_ENDING if ending else Code.CHANGED_VALUE, cut(f"{told_of}: {old[0].memory.content}"))
    if rule != "weighed":
        rule = f"{rule}_ended" if ending else f"{rule}_changed"
    reasons = tuple(told for told in made.reasons if told.code is not Code.COEXISTS)
    changed = replace(made, action=Action.SUPERSEDE, outcome=Outcome.SUPERSEDED, rule=rule, reasons=(*reasons, reason))
    plans = tuple(RowChange(row.id, Status.EXPIRED, known_to=incoming.received_at) for row in old if row.event)
    changed = replace(changed, changes=(*plans, *changed.changes))
    return with_retired(changed, incoming, [row for row in old if not row.event])


def _weigh(incoming: Incoming, row: Neighbour) -> int:
    """Tell how much joins the news with a row by the rules; nothing when the weights find the row unlikely."""
    news = incoming.change.news if incoming.change is not None else None
    if news is None or (incoming.weighed is not None and _is_unlikely(incoming, incoming.weighed, row)):
        return 0
    return news.weigh(row.memory)


def _is_unlikely(incoming: Incoming, weighed: Weighed, row: Neighbour) -> bool:
    """Tell whether a row was weighed and found unlikely, or is not among the nearest where as many were weighed.

    Where fewer were, all were that can be: another row has no vector, and is left to the rules.
    """
    chance = weighed.chances.get(row.id)
    if chance is not None:
        return chance < weighed.backed
    could_be = row.memory.known_from < incoming.received_at and tells_one_thing(row.memory.content)
    return could_be and len(weighed.chances) >= MOST_ROWS


def _likeliest(incoming: Incoming, weighed: Weighed, rows: Sequence[Neighbour]) -> list[Neighbour]:
    """Give the row that a statement most likely ends, if one is likely enough.

    On a chance alone only the user's own words act, and neither an instruction nor a pinned row goes.
    """
    if incoming.trust < USER_TRUST or incoming.claim.modality is not Modality.ASSERTED:
        return []
    likely = [
        row
        for row in rows
        if row.id in weighed.nearest
        and weighed.chances[row.id] >= weighed.sure
        and row.memory.kind is not Kind.PROCEDURAL
        and not row.memory.pinned
    ]
    return sorted(likely, key=lambda row: (-weighed.chances[row.id], row.id))[:1]


def _most(rows: Sequence[Neighbour], about: Mapping[UUID, int]) -> list[Neighbour]:
    most = max(about.values(), default=0)
    old = [row for row in rows if most and about.get(row.id) == most]
    # what many rows speak of is a theme and no topic: which of them is over stays open, and nothing is retired
    return [] if len(old) > (_FEW if most == 1 else 2 * _FEW) else old


def _came_before(incoming: Incoming, row: Neighbour, at: datetime) -> bool:
    """Tell whether a row was said before; of events only what was still to come can be called off or put off."""
    if row.event:
        begins = row.memory.valid_from
        if begins is None:
            # no time was told and nothing that happened: a plan, or a state that was taken for an event
            ahead = _LOOKS_AHEAD.search(row.memory.content) is not None or not told_as_past(row.memory.content)
            return _said_before(incoming, row, at) and ahead
        # "this year" is still to come until the year is over
        return (
            _said_before(incoming, row, at)
            and at <= period_end(begins)
            and (begins > row.memory.occurred_at or _LOOKS_AHEAD.search(row.memory.content) is not None)
        )
    # what was said before of a day that is still to come can be put off as well
    planned = row.memory.valid_from is not None and row.memory.valid_from > row.memory.occurred_at
    return _said_before(incoming, row, at) if planned else row.through <= at


def _said_before(incoming: Incoming, row: Neighbour, at: datetime) -> bool:
    """Tell whether a row was said before a time; of the same time, as when only days are told, what was known first."""
    said = row.memory.occurred_at
    return said < at or (said == at == incoming.occurred_at and row.memory.known_from < incoming.received_at)
