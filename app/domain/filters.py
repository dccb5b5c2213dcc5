"""The filter language as a tree of typed conditions: the grammar's words and the parser.

`filter_match.matches` says what a tree means; the store says the same in SQL.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from typing import Final

from app.domain.errors import FieldError, InvalidRequest
from app.domain.memory import Kind, SourceType

MAX_DEPTH: Final = 4
MAX_CLAUSES: Final = 32
MAX_IN: Final = 100
MAX_STRING: Final = 1_000  # code points of a value or a metadata key
_MAX_ERRORS: Final = 20
_MAX_NUMBER: Final = 2**63 - 1


class Op(StrEnum):
    """A comparison. `ne` and `nin` are exactly not-eq and not-in, so they match what is missing."""

    EQ = "eq"
    NE = "ne"
    GT = "gt"
    GTE = "gte"
    LT = "lt"
    LTE = "lte"
    IN = "in"
    NIN = "nin"


Scalar = str | int | float | bool | None | datetime


@dataclass(frozen=True, slots=True)
class Condition:
    """One comparison on a system field, or on `metadata.<key>` when `metadata` is true."""

    field: str
    metadata: bool
    op: Op
    value: Scalar | tuple[Scalar, ...]


@dataclass(frozen=True, slots=True)
class AllOf:
    """Every part holds; no part means no restriction."""

    parts: tuple[Filter, ...]


@dataclass(frozen=True, slots=True)
class AnyOf:
    """At least one part holds; no part holds never."""

    parts: tuple[Filter, ...]


@dataclass(frozen=True, slots=True)
class Not:
    """The part does not hold."""

    part: Filter


Filter = Condition | AllOf | AnyOf | Not

EVERYTHING: Final = AllOf(())
NOTHING: Final = AnyOf(())


class _Type(StrEnum):
    STRING = "a string"
    NUMBER = "a number"
    INTEGER = "an integer"
    BOOLEAN = "true or false"
    TIME = "a time with an offset, for example 2025-06-03T09:12:00Z"
    KIND = "one of episodic, semantic, procedural"
    SOURCE = "one of conversation, document, web, tool, import"
    JSON = "a string, a number, true, false or null"


_EQUALITY: Final = frozenset({Op.EQ, Op.NE, Op.IN, Op.NIN})
_ORDER: Final = frozenset({Op.GT, Op.GTE, Op.LT, Op.LTE})
_OPS: Final[Mapping[_Type, frozenset[Op]]] = (
    dict.fromkeys(_Type, _EQUALITY)
    | dict.fromkeys((_Type.NUMBER, _Type.INTEGER, _Type.TIME, _Type.JSON), _EQUALITY | _ORDER)
    | {_Type.BOOLEAN: frozenset({Op.EQ, Op.NE})}
)
_PYTHON: Final[Mapping[_Type, tuple[type, ...]]] = {
    _Type.NUMBER: (int, float),
    _Type.INTEGER: (int,),
    _Type.BOOLEAN: (bool,),
    _Type.JSON: (str, int, float, bool),
} | dict.fromkeys((_Type.STRING, _Type.TIME, _Type.KIND, _Type.SOURCE), (str,))
_WORDS: Final[Mapping[_Type, tuple[str, ...]]] = {_Type.KIND: tuple(Kind), _Type.SOURCE: tuple(SourceType)}
# the closed list of system fields: type, and whether null is a value of it
_FIELDS: Final[Mapping[str, tuple[_Type, bool]]] = {
    "kind": (_Type.KIND, False),
    "subject": (_Type.STRING, False),
    "attribute": (_Type.STRING, True),
    "importance": (_Type.INTEGER, False),
    "confidence": (_Type.NUMBER, False),
    "trust": (_Type.INTEGER, False),
    "pinned": (_Type.BOOLEAN, False),
    "source_type": (_Type.SOURCE, False),
    "source_id": (_Type.STRING, True),
    "session_id": (_Type.STRING, True),
    "agent_id": (_Type.STRING, True),
    "occurred_at": (_Type.TIME, False),
    "valid_from": (_Type.TIME, True),
    "valid_to": (_Type.TIME, True),
    "created_at": (_Type.TIME, False),
}
_ALIASES: Final[Mapping[str, str]] = {"AND": "and", "OR": "or", "NOT": "not", "run_id": "session_id"}
_HINTS: Final = {"memory_type": "It is called kind here.", "metadata": "Write metadata.<key>."}
_KNOWN: Final = "Fields are " + ", ".join(_FIELDS) + ", metadata.<key>, and, or, not."
_METADATA: Final = "metadata."
_INVALID: Final = re.compile("[\x00\ud800-\udfff]")
_TIME: Final = re.compile(r"\d{4}-\d{2}-\d{2}[Tt ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?P<zone>[Zz]|[+-]\d{2}:?\d{2})?")


def parse_filters(value: object, *, pointer: str = "/filters", allow_empty: bool = True) -> Filter | None:
    """Read a filter as sent.

    Args:
        value: Decoded JSON.
        pointer: Where it stands in the request. Pointers below it name fields and indexes only: a
            metadata key is the caller's text.
        allow_empty: Whether a filter without any restriction is fine; where it selects what is
            erased it is not.

    Returns:
        The tree, or None when nothing is restricted.

    Raises:
        InvalidRequest: With every fault found (the first twenty).
    """
    parser = _Parser()
    tree = EVERYTHING if value is None else parser.group(value, pointer, depth=1)
    if not parser.errors and tree == EVERYTHING and not allow_empty:
        parser.fail(pointer, "blank", "An empty filter would select everything. Name at least one condition.")
    if parser.errors:
        raise InvalidRequest(*parser.errors[:_MAX_ERRORS])
    return None if tree == EVERYTHING else tree


class _Parser:
    """One parse: collects faults and counts clauses."""

    def __init__(self) -> None:
        self.errors: list[FieldError] = []
        self._clauses = 0

    def fail(self, pointer: str, code: str, detail: str) -> Filter:
        self.errors.append(FieldError(pointer, code, detail))
        return NOTHING

    def group(self, value: object, pointer: str, *, depth: int) -> Filter:
        if not isinstance(value, Mapping):
            return self.fail(pointer, "wrong_type", "A filter is an object of fields.")
        if depth > MAX_DEPTH:
            return self.fail(pointer, "out_of_range", f"Filters nest at most {MAX_DEPTH} deep.")
        parts: list[Filter] = []
        seen: set[str] = set()
        for key, held in value.items():
            name = _ALIASES.get(key, key) if isinstance(key, str) else ""
            if name in seen:
                parts.append(self.fail(pointer, "alias_conflict", "A field and its alias were both sent. Send one."))
            seen.add(name)
            parts.append(self._member(name, held, pointer, depth=depth))
        return _all(parts)

    def _member(self, name: str, held: object, pointer: str, *, depth: int) -> Filter:
        if name in ("and", "or"):
            if not isinstance(held, list):
                return self.fail(f"{pointer}/{name}", "wrong_type", f"{name} takes a list of filters.")
            if len(held) > MAX_CLAUSES:
                return self.fail(f"{pointer}/{name}", "too_many", f"At most {MAX_CLAUSES} clauses in all.")
            parts = [self.group(part, f"{pointer}/{name}/{i}", depth=depth + 1) for i, part in enumerate(held)]
            return _all(parts) if name == "and" else _any(parts)
        if name == "not":
            return _not(self.group(held, f"{pointer}/not", depth=depth + 1))
        if name.startswith(_METADATA) and len(name) > len(_METADATA):
            key = name.removeprefix(_METADATA)
            if len(key) > MAX_STRING or _INVALID.search(key):
                return self.fail(
                    pointer, "invalid_text", "A metadata key is too long, or holds NUL or a lone surrogate."
                )
            # the key is the caller's text: faults are reported at its parent
            return self._conditions(key, held, pointer, pointer, _Type.JSON, nullable=True)
        if name in _FIELDS:
            kind, nullable = _FIELDS[name]
            return self._conditions(name, held, f"{pointer}/{name}", None, kind, nullable=nullable)
        if name == "user_id":
            return self.fail(pointer, "user_in_body", "The user comes from the header X-User-Id.")
        return self.fail(pointer, "unknown_field", _HINTS.get(name, _KNOWN))

    def _conditions(
        self, field: str, held: object, pointer: str, shown: str | None, kind: _Type, *, nullable: bool
    ) -> Filter:
        pairs: Iterable[tuple[object, object]] = held.items() if isinstance(held, Mapping) else ((Op.EQ, held),)
        parts: list[Filter] = []
        for name, value in pairs:
            if name not in _OPS[kind] or not isinstance(name, str):
                allowed = ", ".join(op for op in Op if op in _OPS[kind])
                parts.append(self.fail(pointer, "unknown_operator", f"Operators here are {allowed}."))
                continue
            at = shown or (f"{pointer}/{name}" if isinstance(held, Mapping) else pointer)
            parts.append(self._condition(field, Op(name), value, at, kind, nullable=nullable))
        if not parts:
            return self.fail(pointer, "blank", "Name an operator, for example gte.")
        return _all(parts)

    def _condition(self, field: str, op: Op, value: object, pointer: str, kind: _Type, *, nullable: bool) -> Filter:
        self._clauses += 1
        if self._clauses > MAX_CLAUSES:
            return self.fail(pointer, "too_many", f"At most {MAX_CLAUSES} clauses in all.")
        before = len(self.errors)
        read: Scalar | tuple[Scalar, ...] = None
        if op in (Op.IN, Op.NIN):
            if not isinstance(value, list):
                self.fail(pointer, "wrong_type", f"{op.value} takes a list.")
            elif len(value) > MAX_IN:
                self.fail(pointer, "too_many", f"A list holds at most {MAX_IN} values.")
            elif not value:
                return NOTHING if op is Op.IN else EVERYTHING
            else:
                read = tuple(self._scalar(item, pointer, kind) for item in value)
        elif value is None and not (nullable and op in (Op.EQ, Op.NE)):
            self.fail(pointer, "wrong_type", "null cannot be compared here.")
        elif op in _ORDER and isinstance(value, bool):
            self.fail(pointer, "wrong_type", f"{op.value} compares numbers or strings.")
        elif value is not None:
            read = self._scalar(value, pointer, kind)
        return NOTHING if len(self.errors) > before else Condition(field, kind is _Type.JSON, op, read)

    def _scalar(self, value: object, pointer: str, kind: _Type) -> Scalar:
        if type(value) not in _PYTHON[kind]:
            self.fail(pointer, "wrong_type", f"Send {kind.value}.")
        elif isinstance(value, str):
            return self._string(value, pointer, kind)
        elif isinstance(value, (int, float)):
            if math.isfinite(value) and abs(value) <= _MAX_NUMBER:
                return value
            self.fail(pointer, "out_of_range", "The number is too large.")
        return None

    def _string(self, value: str, pointer: str, kind: _Type) -> Scalar:
        if len(value) > MAX_STRING:
            self.fail(pointer, "out_of_range", f"A value has at most {MAX_STRING} characters.")
        elif _INVALID.search(value):
            self.fail(pointer, "invalid_text", "A value holds NUL or a lone surrogate.")
        elif kind is _Type.TIME:
            return self._time(value, pointer)
        elif kind is _Type.KIND and value == "working":
            self.fail(pointer, "kind_not_stored", "working is never stored; use include: [held].")
        elif value not in _WORDS.get(kind, (value,)):
            self.fail(pointer, "out_of_range", f"Send {kind.value}.")
        else:
            return value
        return None

    def _time(self, value: str, pointer: str) -> Scalar:
        found = _TIME.fullmatch(value)
        if found is None:
            self.fail(pointer, "wrong_type", f"Send {_Type.TIME.value}.")
        elif found["zone"] is None:
            self.fail(pointer, "naive_time", "Add an offset, for example 2025-06-03T09:12:00Z.")
        else:
            try:
                return datetime.fromisoformat(value.upper()).astimezone(UTC)
            except (ValueError, OverflowError):
                self.fail(pointer, "out_of_range", "There is no such time.")
        return None


def _all(parts: list[Filter]) -> Filter:
    kept = tuple(part for part in parts if part != EVERYTHING)
    return NOTHING if NOTHING in kept else kept[0] if len(kept) == 1 else AllOf(kept)


def _any(parts: list[Filter]) -> Filter:
    kept = tuple(part for part in parts if part != NOTHING)
    return EVERYTHING if EVERYTHING in kept else kept[0] if len(kept) == 1 else AnyOf(kept)


def _not(part: Filter) -> Filter:
    return NOTHING if part == EVERYTHING else EVERYTHING if part == NOTHING else Not(part)
