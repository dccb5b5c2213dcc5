"""How an answer is held against an example of the contract: names and types everywhere, values where settled."""

from __future__ import annotations

import re
from datetime import datetime
from typing import Any

# what an example settles beyond its type; ids, scores, hashes and times of receipt differ from run to run
_SETTLED = """
outcome candidate content subject attribute value kind importance confidence trust status code selector explains role
quote event decision decided_by policy version occurred_at valid_from valid_to message_index dry_run k min_score action
status_after because tier block_relearn type session_id agent_id pinned fades floor returned in_context matched derived
not_found truncated token_budget mentions reinforcements query title pointer
"""
SETTLED = frozenset(_SETTLED.split())
# objects whose keys are data
MAPS = frozenset({"excluded", "refs", "found", "metadata", "request", "legs"})
# lists of which an example shows a part, or whose length depends on the run
OPEN = frozenset({"checks", "near", "left_out"})

_UUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,6})?Z")


def differences(example: Any, got: Any, *, name: str = "", at: str = "$") -> list[str]:
    """List where an answer is unlike an example; empty when it is alike."""
    if isinstance(example, dict):
        return _objects(example, got, name=name, at=at)
    if isinstance(example, list):
        return _lists(example, got, name=name, at=at)
    if type(example) is not type(got):
        return [f"{at}: {_type(got)} instead of {_type(example)}"]
    if name in SETTLED and example != got:
        return [f"{at}: {got!r} instead of {example!r}"]
    if isinstance(example, str):
        return _strings(example, got, at=at)
    return []


def _objects(example: dict[str, Any], got: Any, *, name: str, at: str) -> list[str]:
    if not isinstance(got, dict):
        return [f"{at}: {_type(got)} instead of an object"]
    if name == "counts":
        return [] if example == got else [f"{at}: {got!r} instead of {example!r}"]
    if name in MAPS:
        kinds = {type(item) for item in example.values()}
        return [f"{at}.{key}: {_type(item)}" for key, item in got.items() if kinds and type(item) not in kinds]
    found = [f"{at}: no {key}" for key in example.keys() - got.keys()]
    found += [f"{at}: {key} is not in the contract" for key in got.keys() - example.keys()]
    for key in example.keys() & got.keys():
        found += differences(example[key], got[key], name=key, at=f"{at}.{key}")
    return found


def _lists(example: list[Any], got: Any, *, name: str, at: str) -> list[str]:
    if not isinstance(got, list):
        return [f"{at}: {_type(got)} instead of a list"]
    if name in OPEN:
        pairs = [(example[0], item) for item in got] if example else []
    elif len(example) != len(got):
        return [f"{at}: {len(got)} items instead of {len(example)}"]
    else:
        pairs = list(zip(example, got, strict=True))
    found = []
    for place, (wanted, item) in enumerate(pairs):
        found += differences(wanted, item, name="" if name in OPEN else name, at=f"{at}[{place}]")
    return found


def _strings(example: str, got: str, *, at: str) -> list[str]:
    if _UUID.fullmatch(example):
        return [] if _UUID.fullmatch(got) else [f"{at}: no id: {got!r}"]
    if _TIME.fullmatch(example):
        if not _TIME.fullmatch(got):
            return [f"{at}: no UTC time with Z: {got!r}"]
        datetime.fromisoformat(got)
        return []
    if example.startswith(("sha256:", "pv_")):
        prefix = example.partition(":" if ":" in example else "_")[0]
        return [] if got.startswith(prefix) else [f"{at}: {got!r}"]
    return [] if got else [f"{at}: an empty text"]


def _type(value: Any) -> str:
    return "null" if value is None else type(value).__name__
