"""LangGraph's AsyncPostgresStore, as its documentation sets it up, with its vectors given."""

from __future__ import annotations

import asyncio
import sys

from langgraph.store.postgres import AsyncPostgresStore

from benchmarks.peers.talking import Told, answer, read


async def main(told: Told) -> None:
    """Serve the benchmark's commands on one connection."""

    async def embed(texts: list[str]) -> list[list[float]]:
        return [told.vectors[text] for text in texts]

    index = {"dims": told.dimension, "embed": embed, "fields": ["text"]}
    async with AsyncPostgresStore.from_conn_string(told.dsn, index=index) as store:

        async def search(number: int) -> int:
            tenant, user = told.user(number)
            return len(await store.asearch((tenant, user), query=told.text(number), limit=told.k))

        await answer(store.setup, search)


if __name__ == "__main__":
    asyncio.run(main(read(sys.argv[1])))
