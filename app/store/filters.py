"""Filters as SQL: every key and value is bound, every comparison is typed."""

from __future__ import annotations

from typing import Any, assert_never

from sqlalchemy import ColumnElement, Text, and_, case, cast, false, func, literal, not_, or_, true
from sqlalchemy.dialects.postgresql import JSONB, NUMERIC

from app.domain.filters import AllOf, AnyOf, Condition, Filter, Not, Op
from app.store.tables import MemoryRow

_COLUMNS = {
    "kind": MemoryRow.kind,
    "subject": MemoryRow.subject,
    "attribute": MemoryRow.attribute,
    "importance": MemoryRow.importance,
    "confidence": MemoryRow.confidence,
    "trust": MemoryRow.trust,
    "pinned": MemoryRow.pinned,
    "source_type": MemoryRow.source_type,
    "source_id": MemoryRow.source_id,
    "session_id": MemoryRow.session_id,
    "agent_id": MemoryRow.agent_id,
    "occurred_at": MemoryRow.occurred_at,
    "valid_from": MemoryRow.valid_from,
    "valid_to": MemoryRow.valid_to,
    "created_at": MemoryRow.created_at,
}


def to_sql(rule: Filter | None) -> ColumnElement[bool]:
    """Turn a filter into a WHERE clause that is never NULL, so that its negation means what it says."""
    match rule:
        case None:
            return true()
        case AllOf(parts):
            return and_(true(), *(to_sql(part) for part in parts))
        case AnyOf(parts):
            return or_(false(), *(to_sql(part) for part in parts))
        case Not(part):
            return not_(to_sql(part))
        case Condition():
            return _metadata(rule) if rule.metadata else _system(rule)
        case _:
            assert_never(rule)


def _system(rule: Condition) -> ColumnElement[bool]:
    column: Any = _COLUMNS[rule.field]
    if rule.field in ("importance", "trust"):
        # a number that no small integer can hold is compared all the same
        column = cast(column, NUMERIC)
    if rule.field == "confidence":
        # stored as float4: compare what the reader sees
        column = func.round(cast(column, NUMERIC), 4)
    if rule.op in (Op.EQ, Op.NE) and rule.value is None:
        return column.is_(None) if rule.op is Op.EQ else column.is_not(None)  # type: ignore[no-any-return]
    return _compared(column, rule.op, rule.value)


def _metadata(rule: Condition) -> ColumnElement[bool]:
    held: Any = MemoryRow.labels.op("->")(literal(rule.field))
    if rule.op in (Op.EQ, Op.NE, Op.IN, Op.NIN):
        values = rule.value if isinstance(rule.value, tuple) else (rule.value,)
        same = or_(false(), *(held == _jsonb(value) for value in values))
        found = func.coalesce(same, false())
        return not_(found) if rule.op in (Op.NE, Op.NIN) else found
    value, text = rule.value, MemoryRow.labels.op("->>", return_type=Text())(literal(rule.field))
    if isinstance(value, str):
        # by code point, as Python compares, whatever the collation of the database
        return _compared(case((func.jsonb_typeof(held) == "string", text)).collate("C"), rule.op, value)
    number = case((func.jsonb_typeof(held) == "number", cast(text, NUMERIC)))
    return _compared(number, rule.op, value)


def _jsonb(value: Any) -> Any:
    return cast(literal(value, JSONB()), JSONB())


def _compared(column: Any, op: Op, value: Any) -> ColumnElement[bool]:
    if op in (Op.IN, Op.NIN):
        found = func.coalesce(or_(false(), *(column == item for item in value)), false())
        return not_(found) if op is Op.NIN else found
    clause = {
        Op.EQ: lambda: column == value,
        Op.NE: lambda: column == value,
        Op.GT: lambda: column > value,
        Op.GTE: lambda: column >= value,
        Op.LT: lambda: column < value,
        Op.LTE: lambda: column <= value,
    }[op]()
    found = func.coalesce(clause, false())
    return not_(found) if op is Op.NE else found
