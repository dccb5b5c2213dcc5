"""mem0 behind the thinnest HTTP application: what a team would write around it, without keys or checks."""

from __future__ import annotations

import socket
import sys
from typing import Any

import uvicorn
from fastapi import FastAPI

from benchmarks.peers.mem0_memory import open_memory
from benchmarks.peers.talking import Told, read


def build(told: Told) -> FastAPI:
    """Build the application: a search in the thread pool, as mem0's blocking calls need it."""
    memory = open_memory(told)
    app = FastAPI()

    @app.get("/readyz")
    def ready() -> dict[str, str]:
        return {"status": "ok"}

    @app.post("/search")
    def search(asked: dict[str, Any]) -> Any:
        return memory.search(
            asked["query"], top_k=asked["k"], filters={"user_id": f"{asked['tenant']}:{asked['user']}"}, threshold=0.0
        )

    return app


if __name__ == "__main__":
    # with the protocol named, so that asyncio turns Nagle's algorithm off
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP) as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen(2048)
        print(f"listens on http://127.0.0.1:{taken.getsockname()[1]}", flush=True)
        uvicorn.Server(uvicorn.Config(build(read(sys.argv[1])), log_config=None, access_log=False)).run(sockets=[taken])
