"""mem0's Memory on pgvector with its vectors given. No model is asked: `infer=False`, and a search needs none."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from benchmarks.peers.talking import Told

COLLECTION = "mem0"


class Given:
    """Stands for mem0's embedder: looks texts up."""

    def __init__(self, vectors: dict[str, list[float]]) -> None:
        self._vectors = vectors

    def embed(self, text: str, memory_action: str | None = None) -> list[float]:
        """Look a text up."""
        return self._vectors[text]


def open_memory(told: Told) -> Any:
    """Open mem0; nothing is sent anywhere: its telemetry is off and its model client is never called."""
    os.environ["MEM0_TELEMETRY"] = "False"
    os.environ["MEM0_DIR"] = str(Path(told.folder) / "mem0")
    os.environ.setdefault("OPENAI_API_KEY", "unused")
    from mem0 import Memory

    memory = Memory.from_config(
        {
            "vector_store": {
                "provider": "pgvector",
                "config": {
                    "connection_string": told.dsn,
                    "collection_name": COLLECTION,
                    "embedding_model_dims": told.dimension,
                    "hnsw": told.hnsw,
                },
            },
            "history_db_path": str(Path(told.folder) / "history.db"),
        }
    )
    memory.embedding_model = Given(told.vectors)
    return memory


def count_found(memory: Any, text: str, tenant: str, user: str, k: int) -> int:
    """Search as a caller of mem0 does, with no least score, and count the rows."""
    return len(memory.search(text, top_k=k, filters={"user_id": f"{tenant}:{user}"}, threshold=0.0)["results"])
