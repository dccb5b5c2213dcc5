"""What a recall may see, as conditions on the rows of one owner; the values are named parameters."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from sqlalchemy import ColumnElement, DateTime, SmallInteger, Text, and_, func, or_

from app.domain.memory import NEVER_BELIEVED, Kind, Status
from app.store.scope import named
from app.store.tables import MemoryRow


def visible(
    *, kinds: Collection[Kind], include: Collection[Status], subject: bool, as_of: bool, past: bool = False
) -> list[ColumnElement[bool]]:
    """Spell what a recall may see: status, validity, knowledge, trust, kind and subject.

    Args:
        kinds: The kinds that are asked for.
        include: Statuses beside the active ones.
        subject: Whether only one subject is asked for; the parameter `subject`.
        as_of: Whether it is asked as of a time; the parameters `valid_at` and `known_at`, else `now`.
        past: Whether replaced facts are seen although nobody included them; not those that were put right.
    """
    clauses: list[ColumnElement[bool]] = [MemoryRow.trust >= named("min_trust", SmallInteger())]
    if frozenset(kinds) != frozenset(Kind):
        clauses.append(MemoryRow.kind.in_(sorted(kinds)))
    if subject:
        clauses.append(MemoryRow.subject == named("subject", Text()))
    if as_of or past or Status.SUPERSEDED in include:
        # what waited for a review and gave way was never believed: no request brings it back
        clauses.append(or_(MemoryRow.retired_by.is_(None), MemoryRow.retired_by.not_in(sorted(NEVER_BELIEVED))))
    if as_of:
        return [*clauses, *_believed(include)]
    now = _time("now")
    asked: ColumnElement[bool] = MemoryRow.status.in_(sorted({Status.ACTIVE, *include}))
    if past:
        held_once = or_(MemoryRow.retired_by.is_(None), MemoryRow.retired_by != "correction")
        asked = or_(asked, and_(MemoryRow.status == Status.SUPERSEDED, held_once))
    clauses.append(asked)
    clauses.append(or_(MemoryRow.expires_at.is_(None), MemoryRow.expires_at > now))
    # a past event stays true; a fact whose stated time is over does not. Superseded rows were asked for as such
    clauses.append(
        or_(
            MemoryRow.kind == Kind.EPISODIC,
            MemoryRow.status != Status.ACTIVE,
            MemoryRow.valid_to.is_(None),
            MemoryRow.valid_to > now,
        )
    )
    return clauses


def _believed(include: Collection[Status]) -> list[ColumnElement[bool]]:
    statuses = {Status.ACTIVE, Status.SUPERSEDED, Status.EXPIRED, *include}
    valid_at, known_at = _time("valid_at"), _time("known_at")
    # an end that became known only later did not exist for who asked then
    end_unknown = and_(MemoryRow.known_to.is_not(None), MemoryRow.known_to > known_at)
    return [
        MemoryRow.status.in_(sorted(statuses)),
        MemoryRow.known_from <= known_at,
        func.coalesce(MemoryRow.valid_from, MemoryRow.occurred_at) <= valid_at,
        or_(
            MemoryRow.kind == Kind.EPISODIC,
            MemoryRow.valid_to.is_(None),
            MemoryRow.valid_to > valid_at,
            end_unknown,
        ),
        or_(MemoryRow.status != Status.EXPIRED, MemoryRow.known_to.is_(None), end_unknown),
        # a correction ends a belief, not a time: it says that the old words never held
        or_(MemoryRow.retired_by.is_(None), MemoryRow.retired_by != "correction", end_unknown),
    ]


def _time(name: str) -> Any:
    return named(name, DateTime(timezone=True))
