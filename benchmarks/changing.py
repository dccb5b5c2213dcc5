"""Natural changes and their look-alikes, and many writers who contradict one another.

A case is two statements. For an update what the first one said must not be current any more and the second one must;
for a look-alike both must stay.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final

from benchmarks.client import Client
from benchmarks.shares import Share

_BEGIN: Final = datetime(2025, 4, 20, 12, tzinfo=UTC)
_LATER: Final = timedelta(days=12)
WRITERS: Final = 32
ROUNDS: Final = 10
_EVERY: Final = ["active", "superseded", "held", "disputed", "expired"]


@dataclass(frozen=True, slots=True)
class Case:
    """Two statements and what must be gone and current after the second one."""

    id: str
    language: str
    kind: str
    first: str
    second: str
    gone: tuple[str, ...]
    current: tuple[str, ...]

    def faults(self, texts: list[str]) -> tuple[list[str], list[str]]:
        """Give what is still there and what is missing, given the texts of all current rows."""
        joined = "\n".join(texts).casefold()
        still = [words for words in self.gone if words.casefold() in joined]
        return still, [words for words in self.current if words.casefold() not in joined]


def load(folder: Path, sets: str = "ab") -> list[Case]:
    """Read the *.jsonl files of a folder that belong to these sets, by the letters that their names begin with."""
    return [
        Case(
            row["id"],
            row["lang"],
            row["kind"],
            row["first"],
            row["second"],
            tuple(row["gone"]),
            tuple(row["current"]),
        )
        for path in sorted(folder.glob(f"[{sets}]_*.jsonl"))
        for row in map(json.loads, filter(str.strip, path.read_text(encoding="utf-8").splitlines()))
    ]


async def measure(
    client: Client, prefix: str, cases: list[Case], *, gate: bool, advance: Callable[[int], None]
) -> dict[str, Any]:
    """Tell each case to a user of its own; gives the share right per language and kind. Raises ServiceFault."""
    failed: list[dict[str, Any]] = []

    async def one(case: Case) -> None:
        user = f"{prefix}-{case.id}"
        texts: dict[str, str] = {}
        for place, said in enumerate((case.first, case.second)):
            at = (_BEGIN + place * _LATER).isoformat()
            body: dict[str, Any] = {"content": said, "occurred_at": at, "session_id": f"s{place}"}
            answer = await client.write(user, body if gate else body | {"infer": False, "force": True})
            for result in answer["results"]:
                if result["memory_id"] is not None:
                    told = f"{result['candidate']}\n{result['evidence']['quote']}"
                    texts[result["memory_id"]] = f"{texts.get(result['memory_id'], '')}\n{told}"
        rows = (await client.get("/memories", user, {"limit": 100}))["memories"]
        still, missing = case.faults([f"{row['content']}\n{texts.get(row['id'], '')}" for row in rows])
        if still or missing:
            failed.append({"id": case.id, "kind": case.kind, "still": still, "missing": missing})
        advance(1)

    async with asyncio.TaskGroup() as group:
        for case in cases:
            group.create_task(one(case))
    wrong = {fault["id"] for fault in failed}
    shares: dict[str, Any] = {}
    for language in sorted({case.language for case in cases}):
        for kind in ("all", "update", "lookalike"):
            chosen = [case for case in cases if case.language == language and kind in ("all", case.kind)]
            right = sum(case.id not in wrong for case in chosen)
            shares.setdefault(language, {})[kind] = Share(right, len(chosen)).to_json()
    return {"languages": shares, "failed": sorted(failed, key=lambda fault: str(fault["id"]))}


async def concurrency(client: Client, user: str, *, advance: Callable[[int], None]) -> dict[str, Any]:
    """Let 32 writers say ten times each where the user lives, all at once; look at the chain. Raises ServiceFault."""
    for number in range(ROUNDS):

        async def say(writer: int, number: int = number) -> None:
            await client.write(user, {"content": f"I moved to City{_letters(number)}{_letters(writer)}."})
            advance(1)

        async with asyncio.TaskGroup() as group:
            for writer in range(WRITERS):
                group.create_task(say(writer))
    rows: list[Any] = []
    cursor: str | None = None
    while True:
        parameters = {"limit": 100, "status": _EVERY} | ({} if cursor is None else {"cursor": cursor})
        page = await client.get("/memories", user, parameters)
        rows += [row for row in page["memories"] if row["attribute"] == "home_city"]
        cursor = page["next_cursor"]
        if cursor is None:
            break
    active = [row for row in rows if row["status"] == "active"]
    following = {row["id"]: row["superseded_by"] for row in rows}
    newer = [then for then in following.values() if then is not None]
    orphans = 0
    for start in following:
        at, steps = start, 0
        while following.get(at) is not None and steps <= len(rows):
            at, steps = following[at], steps + 1
        orphans += not active or at != active[0]["id"]
    return {
        "writes": WRITERS * ROUNDS,
        "rows": len(rows),
        "active": len(active),
        "forks": len(newer) - len(set(newer)),
        "orphans": orphans,
    }


def _letters(number: int) -> str:
    return chr(ord("a") + number // 26) + chr(ord("a") + number % 26)
