"""mem0 in process."""

from __future__ import annotations

import asyncio
import sys

from benchmarks.peers.mem0_memory import count_found, open_memory
from benchmarks.peers.talking import Told, answer, read


async def main(told: Told) -> None:
    """Serve the benchmark's commands."""
    memory = open_memory(told)

    async def setup() -> None:
        memory.vector_store.create_col()

    async def search(number: int) -> int:
        tenant, user = told.user(number)
        return count_found(memory, told.text(number), tenant, user, told.k)

    await answer(setup, search)


if __name__ == "__main__":
    asyncio.run(main(read(sys.argv[1])))
