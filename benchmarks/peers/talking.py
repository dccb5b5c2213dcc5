"""How the benchmark talks to an adapter: one JSON command a line on its input, one JSON answer a line on its output."""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class Told:
    """What the benchmark tells an adapter in a file.

    Attributes:
        dsn: The database, as the role that owns the peers' schema.
        folder: Where the library may keep files.
        dimension: Length of the vectors.
        k: Rows to ask for.
        hnsw: Whether the library's own vector index is wanted.
        users: Who is asked: tenant and user, in turn.
        texts: The queries.
        vectors: Their vectors.
    """

    dsn: str
    folder: str
    dimension: int
    k: int
    hnsw: bool
    users: list[list[str]]
    texts: list[str]
    vectors: dict[str, list[float]]

    def user(self, number: int) -> list[str]:
        """Give the tenant and the user of a search."""
        return self.users[number % len(self.users)]

    def text(self, number: int) -> str:
        """Give the text of a search."""
        return self.texts[number % len(self.texts)]


def read(file: str) -> Told:
    """Read what the benchmark tells."""
    return Told(**json.loads(Path(file).read_text(encoding="utf-8")))


async def answer(setup: Callable[[], Awaitable[None]], search: Callable[[int], Awaitable[int]]) -> None:
    """Carry commands out until the input ends: make the tables, or search and give milliseconds and row counts."""
    # what the library prints must not come between the answers
    out = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    for line in sys.stdin:
        command: dict[str, Any] = json.loads(line)
        taken: list[float] = []
        rows: list[int] = []
        if command["do"] == "setup":
            await setup()
        else:
            for number in range(command["from"], command["to"]):
                begun = time.perf_counter()
                found = await search(number)
                taken.append(time.perf_counter() - begun)
                rows.append(found)
        out.write(json.dumps({"seconds": taken, "rows": rows}) + "\n")
        out.flush()
