"""Why not: the ordered checks that a memory passes, or fails, on its way into a recall's answer."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final
from uuid import UUID

from app.domain.answers import Check
from app.domain.commands import AsOf, RecallCommand
from app.domain.filter_match import matches
from app.domain.memory import NEVER_BELIEVED, Kind, Memory, Status


@dataclass(frozen=True, slots=True)
class View:
    """What a recall looked for, and how the memory fared in it.

    Attributes:
        command: The recall; its `received_at` is when it was asked.
        min_trust: The trust floor as settled.
        min_score: The least score as settled.
        in_candidates: Whether the memory was among the ranked rows.
        score: Its score, None when it was not ranked.
        rank: Its place from 1 among the ranked rows, those last that only repeat another; None when it was not ranked.
        repeats: The better ranked memory that says the same, if there is one.
    """

    command: RecallCommand
    min_trust: int
    min_score: float
    in_candidates: bool
    score: float | None
    rank: int | None
    repeats: UUID | None = None


def believed(memory: Memory, as_of: AsOf) -> bool:
    """Tell whether a memory was held true at a time, as known at a time: the two clocks of `as_of`."""
    return _valid(memory, as_of) and memory.known_from <= as_of.known_at


def _end_unknown(memory: Memory, known_at: datetime) -> bool:
    # an end that became known only later did not exist for who asked then
    return memory.known_to is not None and memory.known_to > known_at


def _valid(memory: Memory, as_of: AsOf) -> bool:
    started = (memory.valid_from or memory.occurred_at) <= as_of.valid_at
    open_end = memory.kind is Kind.EPISODIC or memory.valid_to is None or memory.valid_to > as_of.valid_at
    return started and (open_end or _end_unknown(memory, as_of.known_at))


def _status_passes(memory: Memory, view: View, status: Status) -> bool:
    return memory.status is not status or status in view.command.include


def _not_superseded(memory: Memory, view: View) -> bool:
    if memory.status is Status.SUPERSEDED and memory.retired_by in NEVER_BELIEVED:
        return False
    as_of = view.command.as_of
    if as_of is not None and memory.retired_by == "correction":
        # a correction ends a belief, not a time: it says that the old words never held
        return _end_unknown(memory, as_of.known_at)
    if view.command.as_of is not None or _end_unknown(memory, view.command.received_at):
        return True
    if view.command.past and memory.status is Status.SUPERSEDED:
        # what was put right never held
        return memory.retired_by != "correction"
    return _status_passes(memory, view, Status.SUPERSEDED)


def _not_expired(memory: Memory, view: View) -> bool:
    as_of, now = view.command.as_of, view.command.received_at
    if as_of is not None:
        return memory.status is not Status.EXPIRED or memory.known_to is None or _end_unknown(memory, as_of.known_at)
    return memory.status is not Status.EXPIRED and (memory.expires_at is None or memory.expires_at > now)


def _valid_then(memory: Memory, view: View) -> bool:
    as_of = view.command.as_of
    if as_of is not None:
        return _valid(memory, as_of)
    # a past event stays true; a fact whose stated time is over does not
    over = memory.valid_to is not None and memory.valid_to <= view.command.received_at
    return memory.kind is Kind.EPISODIC or memory.status is not Status.ACTIVE or not over


def _within_k(view: View) -> bool:
    return view.rank is None or view.rank <= view.command.k


# in the order of the contract: the first that fails decides
_CHECKS: Final[Mapping[str, Callable[[Memory, View], bool]]] = {
    "stored_later": lambda memory, view: memory.created_at <= view.command.received_at,
    "superseded": _not_superseded,
    "held": lambda memory, view: _status_passes(memory, view, Status.HELD),
    # never recalled, only listed and explained
    "quarantined": lambda memory, view: memory.status is not Status.QUARANTINED,
    "disputed": lambda memory, view: _status_passes(memory, view, Status.DISPUTED),
    "expired": _not_expired,
    "not_valid_then": _valid_then,
    "not_known_then": lambda memory, view: (
        view.command.as_of is None or memory.known_from <= view.command.as_of.known_at
    ),
    "below_min_trust": lambda memory, view: memory.trust >= view.min_trust,
    "kind_excluded": lambda memory, view: memory.kind in view.command.kinds,
    "subject_excluded": lambda memory, view: view.command.subject in (None, memory.subject),
    "filter_excluded": lambda memory, view: matches(view.command.filters, memory),
    "not_a_candidate": lambda memory, view: view.in_candidates,
    "below_min_score": lambda memory, view: view.score is None or view.score >= view.min_score,
    "near_duplicate": lambda memory, view: view.repeats is None or _within_k(view),
    "below_k": lambda memory, view: _within_k(view),
}
_DETAILS: Final[Mapping[str, str]] = {
    "stored_later": "it was stored after this recall",
    "superseded": 'pass include: ["superseded"] or as_of to see it',
    "held": 'pass include: ["held"] to see it; a later statement confirms it',
    "quarantined": "it waits for a review and is never recalled",
    "disputed": 'pass include: ["disputed"] to see it; a more trusted memory says otherwise',
    "expired": "it ran out, or faded to the floor",
    "not_valid_then": "it did not hold at valid_at",
    "not_known_then": "it was learned after known_at",
    "below_min_trust": 'lower min_trust together with include: ["untrusted"] to see it',
    "kind_excluded": "its kind is not among kinds",
    "subject_excluded": "it is about another subject",
    "filter_excluded": "it does not pass filters",
    "not_a_candidate": "too many memories are nearer to the query",
    "below_min_score": "its score is below min_score",
    "near_duplicate": "near-duplicate of {by}, ranked below all that say something new; raise k to see it too",
    "below_k": "k better ones came first",
    "over_token_budget": "returned, but the context block had no room for it",
    "procedural_cap": "returned, but instructions take at most half of the context block",
}


def checks(memory: Memory, view: View) -> tuple[Check, ...]:
    """Run every check on a memory, in the order of the contract."""
    return tuple(Check(code, passes(memory, view)) for code, passes in _CHECKS.items())


def decisive(done: Sequence[Check]) -> str | None:
    """Give the code of the first check that failed, None when all passed."""
    return next((check.check for check in done if not check.passed), None)


def why_not(memory: Memory, view: View) -> str | None:
    """Give the code that kept a memory out of a recall, None when nothing did."""
    return next((code for code, passes in _CHECKS.items() if not passes(memory, view)), None)


def detail_of(code: str, *, by: UUID | None = None) -> str:
    """Say what a code means and how to see the memory all the same; `by` is the memory that took its place."""
    return _DETAILS.get(code, "").replace("{by}", "another" if by is None else str(by))
