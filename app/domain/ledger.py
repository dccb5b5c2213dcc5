"""Hash chains: each row's hash covers its canonical JSON and the hash before it."""

from __future__ import annotations

import hashlib
import hmac
import json
from collections.abc import Iterable, Mapping
from typing import Any, Final

from app.domain.answers import wire

GENESIS: Final = "sha256:" + 64 * "0"


def canonical(row: Mapping[str, Any]) -> str:
    """Write a row as the one JSON text it has: sorted keys, no spaces, UTF-8 unescaped.

    Times, ids and enums are written as on the wire.

    Raises:
        ValueError: A number is not finite.
    """
    return json.dumps(wire(row), sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def chain_hash(prev: str, row: Mapping[str, Any]) -> str:
    """Hash a row onto a chain.

    Args:
        prev: The hash before, `GENESIS` for the first row.
        row: The fields that are covered.

    Returns:
        `sha256:` and 64 hex digits over the previous hash, a line feed and the canonical JSON.
    """
    covered = f"{prev}\n{canonical(row)}".encode("utf-8", "surrogatepass")
    return "sha256:" + hashlib.sha256(covered).hexdigest()


def verify_chain(rows: Iterable[Mapping[str, Any]], *, start: str = GENESIS) -> int | None:
    """Check a chain from its start.

    Args:
        rows: In order, each with `fields` (what is covered), `prev` and `hash`.
        start: The hash before the first row.

    Returns:
        None when it holds, else the index of the first row that does not.
    """
    head = start
    for index, row in enumerate(rows):
        expected = chain_hash(head, row["fields"])
        if row["prev"] != head or not hmac.compare_digest(str(row["hash"]), expected):
            return index
        head = expected
    return None
