"""Small values that pass between routers and services."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Idempotency:
    """An Idempotency-Key with what it is compared on: the path and the canonical JSON of the body."""

    key: str
    path: str
    body: bytes


@dataclass(frozen=True, slots=True)
class Reply:
    """A wire body, and whether it is the stored answer of an earlier request."""

    body: Mapping[str, Any]
    replayed: bool = False


@dataclass(frozen=True, slots=True)
class Readiness:
    """What /readyz reports: each check by name, `ok` or a short word for what is wrong."""

    ready: bool
    checks: Mapping[str, str]
