"""Facts that can all be true: what a resolver retires among them, it retires wrongly.

Personas of Multi-Session Chat (non-commercial licence): each list of sentences is one user. Observations of LoCoMo
(CC BY-NC 4.0): each speaker of each conversation is one user. Everything is stored as it stands.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final

from benchmarks.client import Client
from benchmarks.files import DataFault, find_file, read_json

PERSONAS: Final = ("personas*.json", "personas*.json.gz")
OBSERVED: Final = ("locomo*.json", "locomo*.json.gz")
_BEGIN: Final = datetime(2024, 1, 1, tzinfo=UTC)
_BATCH: Final = 100


def personas(folder: Path) -> list[list[str]]:
    """Read the personas, one list a speaker. Raises DataFault."""
    path = find_file(folder, PERSONAS)
    value = read_json(path)
    if not isinstance(value, list):
        raise DataFault(f"{path.name} must be a list of pairs of personas")
    return [lines for pair in value for lines in pair.values() if isinstance(lines, list) and lines]


def observations(folder: Path) -> list[list[str]]:
    """Read the observations, one list a speaker and conversation. Raises DataFault."""
    users: list[list[str]] = []
    for conversation in read_json(find_file(folder, OBSERVED)):
        said: dict[str, list[str]] = {}
        for session in conversation["observation"].values():
            for speaker, facts in session.items():
                said.setdefault(speaker, []).extend(fact[0] if isinstance(fact, list) else fact for fact in facts)
        users += said.values()
    return users


async def measure(
    client: Client, prefix: str, users: list[list[str]], *, advance: Callable[[int], None]
) -> dict[str, Any]:
    """Write each list as one user; gives the false supersessions with both texts. Raises ServiceFault."""
    pairs: list[dict[str, str]] = []

    async def one(user: str, texts: list[str]) -> None:
        text_of: dict[str, str] = {}
        for start in range(0, len(texts), _BATCH):
            batch = texts[start : start + _BATCH]
            messages = [
                {"role": "user", "content": text, "occurred_at": (_BEGIN + timedelta(hours=start + place)).isoformat()}
                for place, text in enumerate(batch)
            ]
            answer = await client.write(user, {"messages": messages, "infer": False, "force": True})
            for result in answer["results"]:
                said = batch[result["evidence"]["message_index"]]
                pairs.extend({"old": text_of[old], "new": said} for old in result["supersedes"] if old in text_of)
                if result["memory_id"] is not None:
                    text_of[result["memory_id"]] = said
            advance(len(batch))

    async with asyncio.TaskGroup() as group:
        for number, texts in enumerate(users):
            group.create_task(one(f"{prefix}-{number}", texts))
    writes = sum(len(texts) for texts in users)
    return {
        "users": len(users),
        "writes": writes,
        "false": len(pairs),
        "per 1,000 writes": round(1000 * len(pairs) / writes, 2) if writes else 0.0,
        "pairs": pairs,
    }
