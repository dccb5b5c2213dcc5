"""The recall statement run by the driver alone, for recalls without filters and traces."""

from __future__ import annotations

from uuid import UUID

from app.domain.caller import Owner
from app.domain.commands import RecallCommand
from app.domain.ranker import RankWeights
from app.store.candidates import Candidates, Query, prepared, read, shape_of, values_of
from app.store.database import Reader


async def candidates(
    reader: Reader,
    owner: Owner,
    command: RecallCommand,
    query: Query,
    *,
    min_trust: int,
    weights: RankWeights,
    also: UUID | None = None,
) -> Candidates:
    """Read what a recall without filters ranks; the same rows as `Search.candidates`, in a fraction of the time.

    Raises:
        ValueError: The recall has filters, whose values no shared statement can hold.
    """
    if command.filters is not None:
        raise ValueError("a recall with filters is no shared statement")
    statement = prepared(shape_of(command, query, weights=weights, also=also))
    values = values_of(owner, command, query, min_trust=min_trust, also=also)
    rows = await reader.fetch(statement.sql, statement.arguments(values))
    return read([statement.row(row) for row in rows], also)
