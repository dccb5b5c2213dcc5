"""The resolver: what a kept statement does to the store. Structure decides, similarity never does.

Statements are ordered by event time (`timeline.order_time`), equal times by arrival. Lower trust
never supersedes, merges away or outranks higher: it is disputed. A row's trust is never raised: a
more trusted repeat becomes a row of its own that takes the place of the less trusted one. Events
are append-only. `Resolution.rule` names the rule that fired.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Final

from app.domain.answers import RelatedMemory
from app.domain.attributes import PROGRESS
from app.domain.claim import Claim
from app.domain.judging import with_judged
from app.domain.memory import Action, Code, Kind, Link, Outcome, Reason, Relation, Status
from app.domain.resolution import (
    WAITING,
    Incoming,
    LinkTriple,
    Resolution,
    RowChange,
    confirms,
    cut,
    first,
    insert,
    promote,
    reinforce,
    retired,
    strongest,
    with_retired,
)
from app.domain.righting import put_right, take_back, wrong_rows
from app.domain.settling import with_settled
from app.domain.timeline import Neighbour, about_same, contradicts, ends_it, order_time, same_statement, value_key
from app.domain.topics import with_topic

__all__ = ["Incoming", "Neighbour", "Resolution", "RowChange", "resolve"]

_LIVE: Final = frozenset({Status.ACTIVE, Status.HELD, Status.DISPUTED, Status.SUPERSEDED})


def resolve(incoming: Incoming, neighbours: Sequence[Neighbour]) -> Resolution:
    """Decide what a statement does, given the rows near it.

    Args:
        incoming: The statement.
        neighbours: This owner's rows of the same subject that share the attribute or the very words.

    Returns:
        The decision with its reasons; nothing is changed here.
    """
    wrong = wrong_rows(incoming, neighbours)
    if wrong and incoming.takes_back:
        return take_back(incoming, wrong, neighbours)
    # a correction speaks of the wrong row, and ends no other by likeness
    righted = put_right(replace(incoming, weighed=None), wrong, neighbours, _resolve) if wrong else None
    return righted if righted is not None else _resolve(incoming, neighbours)


def _resolve(incoming: Incoming, neighbours: Sequence[Neighbour]) -> Resolution:
    live = [row for row in neighbours if row.memory.status in _LIVE]
    rows = [row for row in live if row.memory.subject == incoming.claim.subject and _is_near(incoming, row)]
    return with_settled(
        with_judged(with_topic(_decide(incoming, rows), incoming, live), incoming, live), incoming, live
    )


def _decide(incoming: Incoming, rows: Sequence[Neighbour]) -> Resolution:
    claim = incoming.claim
    if incoming.held:
        return _hold(incoming, rows)
    if claim.ends and claim.value is None:
        return _close(incoming, rows)
    if incoming.kind is Kind.EPISODIC:
        return _event(incoming, rows)
    if claim.single_valued and claim.valid_to is not None and claim.valid_to <= incoming.occurred_at:
        # "I lived in Munich until May": an ending told by its time
        return _close(replace(incoming, claim=replace(claim, ends=True, ended_value=claim.value, value=None)), rows)
    if claim.single_valued and incoming.start > incoming.received_at:
        # "from August on": the present stays as it is until then
        return _event(replace(incoming, kind=Kind.EPISODIC), rows, rule="not_yet")
    return _state(incoming, rows)


def _hold(incoming: Incoming, rows: Sequence[Neighbour]) -> Resolution:
    """A statement too uncertain to act on: kept aside, unless a row says it already."""
    if incoming.kind is Kind.EPISODIC:
        same = [row for row in _same_words(incoming, rows) if row.start == incoming.start]
    else:
        same = _same(incoming, [row for row in rows if not row.event])
    same = [row for row in same if row.memory.status is not Status.SUPERSEDED]
    if same:
        return reinforce(incoming, strongest(same), independent=False, rule="held_repeat")
    return insert(incoming, Action.INSERT, Outcome.HELD, Status.HELD, rule="hold")


def _event(incoming: Incoming, rows: Sequence[Neighbour], *, rule: str = "event") -> Resolution:
    """An event: appended; the same one only when the words and the event time are the same."""
    same = [row for row in _same_words(incoming, rows) if row.start == incoming.start]
    same = [row for row in same if row.trust >= incoming.trust and row.memory.status is not Status.SUPERSEDED]
    if same:
        best = strongest(same)
        if best.memory.status is Status.HELD and best.trust == incoming.trust:
            return promote(incoming, best, retire=(), rule="event_confirmed")
        return reinforce(incoming, best, independent=confirms(incoming, best), rule="same_event")
    return insert(incoming, Action.INSERT, Outcome.STORED, Status.ACTIVE, rule=rule)


def _close(incoming: Incoming, rows: Sequence[Neighbour]) -> Resolution:
    """An ending without a new value: retires what it ends, and is itself kept as an event."""
    claim, at = incoming.claim, incoming.claim.valid_to or incoming.start
    ending = replace(
        incoming,
        kind=Kind.EPISODIC,
        claim=replace(
            claim, value=claim.ended_value, positive=False, single_valued=False, valid_from=at, valid_to=None
        ),
    )
    over = order_time(at, incoming.occurred_at) if claim.valid_to is None else at
    about = [row for row in rows if not row.event and ends_it(claim, row.memory)]
    current = [row for row in about if row.active and row.through <= over]
    stronger = [row for row in current if row.trust > incoming.trust]
    if stronger:
        return _dispute(ending, rows, stronger)
    told = [row for row in _same_words(incoming, rows) if row.active and not current]
    told = [row for row in told if all(other.begin <= row.begin for other in about)]
    if told:
        # nothing began since: it cannot be another ending
        return reinforce(ending, strongest(told), independent=confirms(incoming, strongest(told)), rule="ending_repeat")
    waiting = [row for row in about if row.memory.status in WAITING and row.trust <= incoming.trust]
    past = [row for row in about if row.memory.status is Status.SUPERSEDED and row.trust <= incoming.trust]
    changes = [retired(row, at, incoming) for row in (*current, *waiting)] if current else []
    # it ended before something else took its place
    changes += [RowChange(row.id, valid_to=max(row.start, at)) for row in past if row.covers(over) and row.start <= at]
    # a less trusted word that it began again cannot stay current beside it
    weaker = [row for row in about if row.active and row.begin > over and row.trust < incoming.trust]
    changes += [RowChange(row.id, status=Status.DISPUTED) for row in weaker]
    if not current:
        made = insert(ending, Action.INSERT, Outcome.STORED, Status.ACTIVE, rule="ending_of_nothing_known")
        return replace(made, changes=tuple(changes))
    made = insert(ending, Action.SUPERSEDE, Outcome.SUPERSEDED, Status.ACTIVE, rule="close")
    gone = tuple(row.id for row in (*current, *waiting))
    reason = Reason(Code.EXPLICIT_ENDING, cut(f"no longer {current[0].memory.value}"))
    links = tuple((None, memory_id, Link.SUPERSEDES) for memory_id in gone)
    return replace(made, reasons=(reason,), changes=tuple(changes), supersedes=gone, links=links)


def _state(incoming: Incoming, rows: Sequence[Neighbour]) -> Resolution:
    """A fact or an instruction."""
    claim, now = incoming.claim, incoming.begin
    if any(_falls(claim, row, now) for row in rows if row.active and about_same(claim, row.memory)):
        # two things, and both hold
        plain = replace(claim, attribute=None, value=None, single_valued=False)
        return _state(replace(incoming, claim=plain), rows)
    same = _same(incoming, [row for row in rows if not row.event])
    against = [row for row in rows if not row.event and contradicts(claim, row.memory)]
    endings = [row for row in rows if row.event and row.active and claim.positive and about_same(claim, row.memory)]
    endings = [row for row in endings if value_key(row.memory.value) == value_key(claim.value)]
    left = [row for row in rows if row.active and not row.event and claim.ends and ends_it(claim, row.memory)]
    left = [row for row in left if row not in same and row.through <= now]
    in_force = [row for row in against if row.active or (row.memory.status is Status.SUPERSEDED and row.covers(now))]
    stronger = [row for row in (*in_force, *left, *endings) if row.trust > incoming.trust]
    current = [row for row in same if row.active]
    if stronger and not current:
        return _dispute(incoming, rows, stronger)
    if current:
        held = strongest(current)
        between = [row for row in against if row.trust >= incoming.trust and row.memory.status not in WAITING]
        if not any(now < row.begin <= held.begin for row in between):
            return _repeat(incoming, held, same, left)
    later = [row for row in (*against, *endings) if row.memory.status not in WAITING]
    later = [row for row in later if row.trust >= incoming.trust and (row.through if row.active else row.begin) > now]
    if later:
        return _late(incoming, same, against, later)
    old = [row for row in against if row.active and row.through <= now]
    old += [row for row in left if row not in old]
    return _take_place(incoming, rows, same, old, against)


def _falls(claim: Claim, row: Neighbour, now: datetime) -> bool:
    """Tell whether a number that only rises would have fallen with time: then two things are told of."""
    if claim.attribute is None or not claim.attribute.startswith(f"{PROGRESS}_"):
        return False
    said, held = _number(claim.value), _number(row.memory.value)
    return said < held if row.begin <= now else said > held


def _number(value: str | None) -> float:
    found = re.search(r"\d+(?:\.\d+)?", (value or "").replace(",", ""))
    return float(found.group()) if found else 0.0


def _repeat(incoming: Incoming, held: Neighbour, same: Sequence[Neighbour], left: Sequence[Neighbour]) -> Resolution:
    """A current row says it already. What the statement leaves behind ("switched from A") is retired all the same."""
    if incoming.trust > held.trust:
        old = [row for row in same if row.active and row.trust < incoming.trust]
        made = insert(incoming, Action.SUPERSEDE, Outcome.SUPERSEDED, Status.ACTIVE, rule="more_trusted_repeat")
        reason = Reason(Code.REPEAT, "said before by a less trusted source")
        return with_retired(replace(made, reasons=(reason,)), incoming, (*old, *left))
    done = reinforce(incoming, held, independent=confirms(incoming, held), rule="repeat")
    return with_retired(done, incoming, [row for row in left if row.trust <= incoming.trust])


def _take_place(
    incoming: Incoming,
    rows: Sequence[Neighbour],
    same: Sequence[Neighbour],
    old: Sequence[Neighbour],
    against: Sequence[Neighbour],
) -> Resolution:
    """Nothing speaks against it any more: it is current, and what it replaces is retired."""
    # what was said later but is trusted less cannot stay current beside it
    weaker = [row for row in against if row.active and row not in old]
    waiting = [row for row in same if row.memory.status in WAITING and row.trust <= incoming.trust]
    held = [row for row in waiting if row.memory.status is Status.HELD and row.trust == incoming.trust]
    held = [row for row in held if row.memory.kind is incoming.kind]
    claim = incoming.claim
    if held:
        chosen = strongest(held)
        retire = [*old, *(row for row in waiting if row is not chosen)]
        made = promote(incoming, chosen, retire=retire, rule="promote")
    elif old or waiting:
        made = insert(incoming, Action.SUPERSEDE, Outcome.SUPERSEDED, Status.ACTIVE, rule=_rule(claim, old))
        made = with_retired(replace(made, reasons=_why_changed(claim, old)), incoming, (*old, *waiting))
    else:
        others = [row for row in rows if row.active and not row.event and about_same(claim, row.memory)]
        beside = bool(others) and claim.value is not None and not claim.single_valued
        action = Action.COEXIST if beside else Action.INSERT
        made = insert(incoming, action, Outcome.STORED, Status.ACTIVE, rule=action.value)
        if beside:
            made = replace(made, reasons=(Reason(Code.COEXISTS, cut(f"{claim.attribute} can have several values")),))
    if not weaker:
        return made
    reason = Reason(Code.LOWER_TRUST_CONFLICT, "a later but less trusted statement is disputed now")
    return replace(
        made,
        reasons=(*made.reasons, reason),
        changes=(*made.changes, *(RowChange(row.id, status=Status.DISPUTED) for row in weaker)),
        links=(*made.links, *((row.id, made.into, Link.CONFLICTS_WITH) for row in weaker)),
        related=tuple(RelatedMemory(row.id, Relation.CONFLICTS_WITH) for row in weaker),
    )


def _late(
    incoming: Incoming, same: Sequence[Neighbour], against: Sequence[Neighbour], later: Sequence[Neighbour]
) -> Resolution:
    """An older statement that came late: it takes its place in the history, and the present stays."""
    now, at = incoming.begin, incoming.start
    # a row that was said again since holds through: what it holds against lies inside it
    around = [row for row in later if row.begin <= now]
    follower = first(around or later)
    told = Reason(Code.OLDER_THAN_CURRENT, cut(f"known since {max(row.through for row in later):%Y-%m-%d} otherwise"))
    twins = [row for row in same if row.memory.status is Status.SUPERSEDED and row.begin <= follower.begin]
    twins = [row for row in twins if row.covers(now) or row.begin > now]
    if twins:
        done = reinforce(incoming, first(twins), independent=False, rule="late_repeat")
        return replace(done, reasons=(*done.reasons, told))
    until = follower.through if around else follower.start
    ended = max(at, min(until, incoming.claim.valid_to or until))
    # what it would have replaced in its day is not current any more either
    old = [row for row in against if row.active and row.through <= now and row.trust <= incoming.trust]
    outcome = Outcome.SUPERSEDED if old else Outcome.STORED
    made = insert(incoming, Action.SUPERSEDE, outcome, Status.SUPERSEDED, rule="late")
    made = with_retired(replace(made, reasons=(told,), valid_to=ended, superseded_by=follower.id), incoming, old)
    links: list[LinkTriple] = [(follower.id, None, Link.SUPERSEDES), *made.links]
    before = [row for row in against if row.memory.status is Status.SUPERSEDED and row.covers(now)]
    if around or not before:
        return replace(made, links=tuple(links))
    earlier = max(before, key=lambda row: (row.begin, row.memory.created_at, row.id))
    unlink: list[LinkTriple] = []
    if earlier.memory.superseded_by == follower.id:
        links.append((None, earlier.id, Link.SUPERSEDES))
        unlink.append((follower.id, earlier.id, Link.SUPERSEDES))
    change = RowChange(earlier.id, valid_to=max(earlier.start, at))
    return replace(made, links=tuple(links), unlink=tuple(unlink), changes=(*made.changes, change))


def _dispute(incoming: Incoming, rows: Sequence[Neighbour], stronger: Sequence[Neighbour]) -> Resolution:
    """Less trusted than what it contradicts: kept aside, the other untouched."""
    known = _same_words(incoming, rows) if incoming.kind is Kind.EPISODIC else _same(incoming, rows)
    known = [row for row in known if row.memory.status is Status.DISPUTED and row.trust >= incoming.trust]
    if known:
        return reinforce(incoming, strongest(known), independent=False, rule="dispute_repeat")
    made = insert(incoming, Action.DISPUTE, Outcome.DISPUTED, Status.DISPUTED, rule="dispute")
    detail = f"trust {incoming.trust} against {max(row.trust for row in stronger)}"
    return replace(
        made,
        reasons=(Reason(Code.LOWER_TRUST_CONFLICT, detail),),
        links=tuple((None, row.id, Link.CONFLICTS_WITH) for row in stronger),
        related=tuple(RelatedMemory(row.id, Relation.CONFLICTS_WITH) for row in stronger),
    )


def _is_near(incoming: Incoming, row: Neighbour) -> bool:
    return about_same(incoming.claim, row.memory) or row.memory.content_key == incoming.content_key


def _rule(claim: Claim, old: Sequence[Neighbour]) -> str:
    if not old:
        return "stated_after_waiting"
    if any(ends_it(claim, row.memory) for row in old) and claim.ends:
        return "switch"
    return "changed_value" if any(row.memory.positive == claim.positive for row in old) else "reversed"


def _why_changed(claim: Claim, old: Sequence[Neighbour]) -> tuple[Reason, ...]:
    if not old:
        return (Reason(Code.REPEAT, "was set aside before, and is stated now"),)
    if claim.ends and claim.ended_value is not None and any(ends_it(claim, row.memory) for row in old):
        return (Reason(Code.EXPLICIT_ENDING, cut(f"switched from {claim.ended_value}")),)
    before = old[0].memory
    if before.positive != claim.positive:
        return (Reason(Code.CHANGED_VALUE, cut(f"was: {before.content}")),)
    return (Reason(Code.CHANGED_VALUE, cut(f"{claim.attribute} was {before.value}")),)


def _same(incoming: Incoming, rows: Iterable[Neighbour]) -> list[Neighbour]:
    return [r for r in rows if same_statement(incoming.claim, incoming.content, incoming.content_key, r.memory)]


def _same_words(incoming: Incoming, rows: Iterable[Neighbour]) -> list[Neighbour]:
    return [row for row in rows if row.event and row.memory.content_key == incoming.content_key]
