"""The filter language as a tree of typed conditions. Parsing and meaning; the store turns it into SQL."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum


class Op(StrEnum):
    """A comparison. `ne` is exactly not-eq, so it matches a missing metadata key."""

    EQ = "eq"
    NE = "ne"
    GT = "gt"
    GTE = "gte"
    LT = "lt"
    LTE = "lte"
    IN = "in"
    NIN = "nin"
    EXISTS = "exists"
    CONTAINS = "contains"


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
