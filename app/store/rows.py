"""From rows to domain values: which columns a memory is read from, and how."""

from __future__ import annotations

from typing import Any

from sqlalchemy import ARRAY, Row, Select, Uuid, and_, cast, func, null, select
from sqlalchemy.orm import aliased

from app.domain.caller import Owner
from app.domain.memory import Kind, Memory, Source, SourceType, Status
from app.store.scope import mine
from app.store.tables import CounterRow, LinkRow, MemoryRow

_PLAIN: tuple[Any, ...] = (
    MemoryRow.id,
    MemoryRow.kind,
    MemoryRow.content,
    MemoryRow.subject,
    MemoryRow.attribute,
    MemoryRow.value,
    MemoryRow.positive,
    MemoryRow.single_valued,
    MemoryRow.content_key,
    MemoryRow.importance,
    MemoryRow.confidence,
    MemoryRow.trust,
    MemoryRow.status,
    MemoryRow.occurred_at,
    MemoryRow.valid_from,
    MemoryRow.valid_to,
    MemoryRow.known_from,
    MemoryRow.known_to,
    MemoryRow.created_at,
    MemoryRow.updated_at,
    MemoryRow.expires_at,
    MemoryRow.labels.label("labels"),
    MemoryRow.pinned,
    MemoryRow.source_type,
    MemoryRow.source_id,
    MemoryRow.session_id,
    MemoryRow.session_ordinal,
    MemoryRow.agent_id,
    MemoryRow.stale,
    MemoryRow.retired_by,
    CounterRow.mentions,
    CounterRow.reinforcements,
    CounterRow.confirmed_at,
)


def select_memories(owner: Owner, *extra: Any, links: bool = True) -> Select[Any]:
    """Begin a statement over one user's memories with their counters.

    Args:
        owner: Whose.
        *extra: More columns; give them labels and read them from the row.
        links: Whether `supersedes` and `superseded_by` are read too (two look-ups a row).
    """
    if links:
        older, newer = aliased(LinkRow), aliased(LinkRow)
        supersedes = (
            select(func.array_agg(older.to_id))
            .where(mine(owner, older), older.from_id == MemoryRow.id, older.relation == "supersedes")
            .scalar_subquery()
        )
        superseded_by = (
            select(newer.from_id)
            .where(mine(owner, newer), newer.to_id == MemoryRow.id, newer.relation == "supersedes")
            .limit(1)
            .scalar_subquery()
        )
    else:
        supersedes = cast(null(), ARRAY(Uuid())).self_group()  # type: ignore[assignment]  # a typed NULL stands in
        superseded_by = cast(null(), Uuid()).self_group()  # type: ignore[assignment]
    return (
        select(*_PLAIN, supersedes.label("supersedes"), superseded_by.label("superseded_by"), *extra)
        .join(
            CounterRow,
            and_(CounterRow.tenant_id == MemoryRow.tenant_id, CounterRow.memory_id == MemoryRow.id),
        )
        .where(mine(owner, MemoryRow), mine(owner, CounterRow))
    )


def to_memory(row: Row[Any]) -> Memory:
    """Read a memory from a row of `select_memories`."""
    return Memory(
        id=row.id,
        kind=Kind(row.kind),
        content=row.content,
        subject=row.subject,
        attribute=row.attribute,
        value=row.value,
        positive=row.positive,
        single_valued=row.single_valued,
        content_key=row.content_key,
        importance=row.importance,
        # stored as float4: .95 comes back as .949999988
        confidence=round(row.confidence, 4),
        trust=row.trust,
        status=Status(row.status),
        occurred_at=row.occurred_at,
        valid_from=row.valid_from,
        valid_to=row.valid_to,
        known_from=row.known_from,
        known_to=row.known_to,
        created_at=row.created_at,
        updated_at=row.updated_at,
        expires_at=row.expires_at,
        metadata=row.labels,
        pinned=row.pinned,
        source=Source(type=SourceType(row.source_type), id=row.source_id),
        session_id=row.session_id,
        session_ordinal=row.session_ordinal,
        agent_id=row.agent_id,
        stale=row.stale,
        confirmed_at=row.confirmed_at,
        mentions=row.mentions,
        reinforcements=row.reinforcements,
        supersedes=tuple(sorted(row.supersedes or ())),
        superseded_by=row.superseded_by,
        retired_by=row.retired_by,
    )
