"""The bundled model's vectors, kept on disk by the hash of model and text."""

from __future__ import annotations

import asyncio
import hashlib
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt

from app.providers.ports import Embedder

Vectors = npt.NDArray[np.float32]

_CHUNK: Final = 64
_FILE: Final = "vectors.sqlite"


class VectorCache:
    """Vectors by content hash, in one file. Texts are not kept."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        connection.execute("create table if not exists vectors (key blob primary key, vector blob not null)")

    def get(self, key: bytes) -> Vectors | None:
        """Give a vector, if it is there."""
        row = self._connection.execute("select vector from vectors where key = ?", (key,)).fetchone()
        return None if row is None else np.frombuffer(row[0], dtype=np.float32)

    def put(self, found: Sequence[tuple[bytes, Vectors]]) -> None:
        """Keep vectors; nothing of it is lost when the run is ended later."""
        with self._connection:
            self._connection.executemany(
                "insert or replace into vectors values (?, ?)", [(key, vector.tobytes()) for key, vector in found]
            )


@contextmanager
def open_cache(folder: Path) -> Iterator[VectorCache]:
    """Open the cache in a folder, made when missing."""
    folder.mkdir(parents=True, exist_ok=True)
    connection = sqlite3.connect(folder / _FILE)
    try:
        yield VectorCache(connection)
    finally:
        connection.close()


async def vectors_of(
    texts: Sequence[str], *, embedder: Embedder, cache: VectorCache, advance: Callable[[int], None]
) -> dict[str, Vectors]:
    """Give the vector of each text, computed where the cache has none.

    Args:
        texts: Repeats are computed once.
        embedder: The model.
        cache: Where vectors are kept.
        advance: Told how many texts were settled.
    """
    found: dict[str, Vectors] = {}
    missing: list[str] = []
    for text in dict.fromkeys(texts):
        kept = cache.get(_key(embedder.model_id, text))
        if kept is None:
            missing.append(text)
        else:
            found[text] = kept
    advance(len(found))
    # texts of like length share a chunk, so that little is padded
    missing.sort(key=len)
    chunks = [missing[start : start + _CHUNK] for start in range(0, len(missing), _CHUNK)]
    both = asyncio.Semaphore(2)

    async def compute(chunk: list[str]) -> None:
        async with both:
            vectors = [np.asarray(v, dtype=np.float32) for v in await embedder.embed_documents(chunk)]
        cache.put([(_key(embedder.model_id, text), v) for text, v in zip(chunk, vectors, strict=True)])
        found.update(zip(chunk, vectors, strict=True))
        advance(len(chunk))

    async with asyncio.TaskGroup() as group:
        for chunk in chunks:
            group.create_task(compute(chunk))
    return found


def _key(model_id: str, text: str) -> bytes:
    return hashlib.sha256(f"{model_id}\x1f{text}".encode("utf-8", "surrogatepass")).digest()
