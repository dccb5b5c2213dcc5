"""What a recall may see, as conditions on the rows of one owner."""

from __future__ import annotations

from collections.abc import Collection

from sqlalchemy import ColumnElement, and_, func, or_

from app.domain.commands import AsOf, RecallCommand
from app.domain.memory import NEVER_BELIEVED, Kind, Status
from app.store.filters import to_sql
from app.store.tables import MemoryRow


def visible(command: RecallCommand, *, min_trust: int) -> list[ColumnElement[bool]]:
    """Spell what a recall may see: status, validity, knowledge, trust, kind, subject and filters."""
    clauses: list[ColumnElement[bool]] = [MemoryRow.trust >= min_trust, to_sql(command.filters)]
    if command.kinds != frozenset(Kind):
        clauses.append(MemoryRow.kind.in_(sorted(command.kinds)))
    if command.subject is not None:
        clauses.append(MemoryRow.subject == command.subject)
    if command.as_of is not None or Status.SUPERSEDED in command.include:
        # what waited for a review and gave way was never believed: no request brings it back
        clauses.append(or_(MemoryRow.retired_by.is_(None), MemoryRow.retired_by.not_in(sorted(NEVER_BELIEVED))))
    if command.as_of is not None:
        return [*clauses, *_believed(command.as_of, command.include)]
    now = command.received_at
    clauses.append(MemoryRow.status.in_(sorted({Status.ACTIVE, *command.include})))
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


def _believed(as_of: AsOf, include: Collection[Status]) -> list[ColumnElement[bool]]:
    statuses = {Status.ACTIVE, Status.SUPERSEDED, Status.EXPIRED, *include}
    # an end that became known only later did not exist for who asked then
    end_unknown = and_(MemoryRow.known_to.is_not(None), MemoryRow.known_to > as_of.known_at)
    return [
        MemoryRow.status.in_(sorted(statuses)),
        MemoryRow.known_from <= as_of.known_at,
        func.coalesce(MemoryRow.valid_from, MemoryRow.occurred_at) <= as_of.valid_at,
        or_(
            MemoryRow.kind == Kind.EPISODIC,
            MemoryRow.valid_to.is_(None),
            MemoryRow.valid_to > as_of.valid_at,
            end_unknown,
        ),
        or_(MemoryRow.status != Status.EXPIRED, MemoryRow.known_to.is_(None), end_unknown),
        # a correction ends a belief, not a time: it says that the old words never held
        or_(MemoryRow.retired_by.is_(None), MemoryRow.retired_by != "correction", end_unknown),
    ]
