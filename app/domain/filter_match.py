"""What a filter means, over one memory: the same as the store's SQL, for "why not" answers."""

from __future__ import annotations

from datetime import datetime
from decimal import Decimal
from typing import Any, Final, assert_never

from app.domain.filters import AllOf, AnyOf, Condition, Filter, Not, Op
from app.domain.memory import Memory

_MISSING: Final = object()


def matches(rule: Filter | None, memory: Memory) -> bool:
    """Tell whether a memory passes a filter.

    A missing metadata key, or one of another JSON type, matches nothing but `ne` and `nin`. A null
    system field is less than, greater than and equal to nothing but null.
    """
    match rule:
        case None:
            return True
        case AllOf(parts):
            return all(matches(part, memory) for part in parts)
        case AnyOf(parts):
            return any(matches(part, memory) for part in parts)
        case Not(part):
            return not matches(part, memory)
        case Condition():
            return _holds(rule, memory)
        case _:
            assert_never(rule)


def _holds(rule: Condition, memory: Memory) -> bool:
    held: Any = _exact(memory.metadata.get(rule.field, _MISSING) if rule.metadata else _system(rule.field, memory))
    values = tuple(_exact(value) for value in (rule.value if isinstance(rule.value, tuple) else (rule.value,)))
    match rule.op:
        case Op.EQ | Op.IN:
            return any(_same(held, value) for value in values)
        case Op.NE | Op.NIN:
            return not any(_same(held, value) for value in values)
        case Op.GT:
            return _ordered(held, values[0]) and held > values[0]
        case Op.GTE:
            return _ordered(held, values[0]) and held >= values[0]
        case Op.LT:
            return _ordered(held, values[0]) and held < values[0]
        case Op.LTE:
            return _ordered(held, values[0]) and held <= values[0]
        case _:
            assert_never(rule.op)


def _system(field: str, memory: Memory) -> Any:
    if field == "source_type":
        return memory.source.type
    if field == "source_id":
        return memory.source.id
    return getattr(memory, field)


def _exact(value: Any) -> Any:
    # a float stands for the decimal it is written as: 1.2e18 in JSON comes back from the database as a whole number
    return Decimal(repr(value)) if isinstance(value, float) else value


def _type(value: object) -> str | None:
    # JSON types: true is no number although Python says so
    if value is None or isinstance(value, bool):
        return type(value).__name__
    if isinstance(value, (int, Decimal)):
        return "number"
    return "string" if isinstance(value, str) else "time" if isinstance(value, datetime) else None


def _same(held: object, value: object) -> bool:
    return _type(held) is not None and _type(held) == _type(value) and held == value


def _ordered(held: Any, value: Any) -> bool:
    return _type(held) == _type(value) and _type(held) in ("number", "string", "time")
