"""The bundled embedder: all-MiniLM-L6-v2 in process, from package files, without a network."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Final, TypeVar

from app.providers.network import MODEL_FOLDER, Network
from app.providers.ports import ProviderFault, Vector
from app.providers.wordpiece import MAX_TOKENS

MODEL_ID: Final = "lethe-minilm-1"
DIMENSION: Final = 384
WORKERS: Final = 2
"""Threads; two sessions of one thread each do more texts a second than one session with two threads."""
BATCH_TEXTS: Final = 8
"""More in a batch is no faster (measured up to 32), and a query would wait longer behind a bulk write."""
BATCH_TOKENS: Final = 1024
"""Tokens of a batch with its padding; bounds its memory and its time."""

T = TypeVar("T")


class MiniLM(Network):
    """The loaded model: rows are unit vectors of DIMENSION floats."""

    def __init__(self, folder: Path) -> None:
        """Load and check the files of `folder`. Raises ModelDamaged."""
        super().__init__(folder, "model.onnx")


class LocalEmbedder:
    """The `Embedder` port over the bundled model.

    Vectors are lists of 384 floats of unit length. A text of which no token is left (empty, controls only) has the
    vector of an empty text: finite, of unit length, and the same for all such texts. Texts are never logged or kept.

    Construction is cheap. The model is loaded in a worker thread by `warm()`, or else by the first call.
    """

    def __init__(self, *, folder: Path = MODEL_FOLDER, workers: int = WORKERS) -> None:
        self._folder = folder
        self._workers = ThreadPoolExecutor(workers, thread_name_prefix="embedder")
        self._loading = threading.Lock()
        self._model: MiniLM | None = None

    @property
    def model_id(self) -> str:
        """Name of the model, with its quantisation."""
        return MODEL_ID

    @property
    def dimension(self) -> int:
        """Length of every vector."""
        return DIMENSION

    @property
    def max_tokens(self) -> int:
        """Tokens of a text that the model sees, two control tokens included; the rest is not read."""
        return MAX_TOKENS

    async def warm(self) -> None:
        """Load and check the model now. Raises ModelDamaged."""
        await self._loaded()

    async def embed_query(self, text: str) -> Vector:
        """Embed one query, in one trip to a worker. Raises ProviderFault."""
        model = await self._loaded()
        return await self._in_worker(model.read, text)

    async def embed_documents(self, texts: Sequence[str]) -> list[Vector]:
        """Embed many texts, in order. Raises ProviderFault.

        Texts of like length share a batch, so that little is padded. The batches of one call run one after another:
        a bulk write holds one worker at most, and the other is free for queries.
        """
        if not texts:
            return []
        model = await self._loaded()
        tokens = await self._in_worker(model.tokenize, texts)
        vectors: list[Vector] = [()] * len(texts)
        for batch in plan_batches([len(ids) for ids in tokens]):
            chosen = [tokens[index] for index in batch]
            for index, vector in zip(batch, await self._in_worker(model.run, chosen), strict=True):
                vectors[index] = vector
        return vectors

    async def close(self) -> None:
        """Let running batches finish and end the threads. Later calls raise ProviderFault."""
        await asyncio.to_thread(self._workers.shutdown)

    async def _loaded(self) -> MiniLM:
        """Return the model, loading it in a worker when this is the first call."""
        return await self._in_worker(self._load) if self._model is None else self._model

    def _load(self) -> MiniLM:
        """Load the model once, whatever the number of threads."""
        with self._loading:
            if self._model is None:
                self._model = MiniLM(self._folder)
            return self._model

    async def _in_worker(self, work: Callable[..., T], *arguments: object) -> T:
        """Run blocking work off the event loop. A cancelled call drops work that has not begun."""
        try:
            future = self._workers.submit(work, *arguments)
        except RuntimeError:  # the pool is shut down
            raise ProviderFault("closed") from None
        return await asyncio.wrap_future(future)


def plan_batches(lengths: Sequence[int]) -> Iterator[list[int]]:
    """Group indices of texts, shortest first, into batches of at most BATCH_TEXTS texts and BATCH_TOKENS tokens."""
    batch: list[int] = []
    for index in sorted(range(len(lengths)), key=lengths.__getitem__):
        if batch and (len(batch) == BATCH_TEXTS or (len(batch) + 1) * lengths[index] > BATCH_TOKENS):
            yield batch
            batch = []
        batch.append(index)
    if batch:
        yield batch
