"""What a statement does to the rows of its topic, where it says itself that something is over or has changed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from app.domain.changes import tells_of_an_end
from app.domain.memory import Action, Code, Outcome, Reason, Status
from app.domain.resolution import Incoming, Resolution, RowChange, cut, with_retired
from app.domain.timeline import Neighbour

_FEW: Final = 2


def with_topic(made: Resolution, incoming: Incoming, rows: Sequence[Neighbour]) -> Resolution:
    """Let rows give way that the statement itself says to be over or changed, whatever their attribute."""
    change, claim = incoming.change, incoming.claim
    if change is None or made.status is not Status.ACTIVE:
        return made
    done = {other.memory_id for other in made.changes}
    about = {
        row.id: change.shared(row.memory, subject=claim.subject, attribute=claim.attribute)
        for row in rows
        if row.active and row.id not in done and row.trust <= incoming.trust and _came_before(incoming, row)
    }
    most = max(about.values(), default=0)
    old = [row for row in rows if most and about.get(row.id) == most]
    # what many rows speak of is a theme and no topic: which of them is over stays open, and nothing is retired
    if len(old) > (_FEW if most == 1 else 2 * _FEW):
        return made
    old = [row for row in old if not tells_of_an_end(row.memory.content)]
    if not old:
        return made
    code = Code.EXPLICIT_ENDING if change.ending else Code.CHANGED_VALUE
    reason = Reason(code, cut(f"{'over' if change.ending else 'was'}: {old[0].memory.content}"))
    rule = "topic_ended" if change.ending else "topic_changed"
    reasons = tuple(told for told in made.reasons if told.code is not Code.COEXISTS)
    changed = replace(made, action=Action.SUPERSEDE, outcome=Outcome.SUPERSEDED, rule=rule, reasons=(*reasons, reason))
    plans = tuple(RowChange(row.id, Status.EXPIRED, known_to=incoming.received_at) for row in old if row.event)
    changed = replace(changed, changes=(*plans, *changed.changes))
    return with_retired(changed, incoming, [row for row in old if not row.event])


def _came_before(incoming: Incoming, row: Neighbour) -> bool:
    """Tell whether a row was said before; of events only what was still to come can be called off or put off."""
    if row.event:
        return row.memory.occurred_at < incoming.begin <= (row.memory.valid_from or row.memory.occurred_at)
    return row.through <= incoming.begin
