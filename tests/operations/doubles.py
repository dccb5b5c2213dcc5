"""An embedder of our own port that tests can take out, slow down, or let answer nonsense."""

from __future__ import annotations

import asyncio
import hashlib
import math
import re
from collections.abc import Callable, Sequence

from app.providers.ports import ProviderFault, Vector


class ScriptedEmbedder:
    """Hashes words into a vector: the same words give the same vector, shared words a similar one."""

    max_tokens = 256

    def __init__(self, model_id: str = "scripted", dimension: int = 64) -> None:
        self.model_id = model_id
        self.dimension = dimension
        # raised instead of an answer
        self.fault: str | None = None
        # texts for which the call as a whole is refused
        self.poison: str | None = None
        # turns a good answer into another one
        self.spoil: Callable[[list[float]], list[float]] = lambda vector: vector
        # while it is not set, calls wait
        self.open = asyncio.Event()
        self.open.set()
        self.asked = asyncio.Event()
        self.calls = 0

    async def reached(self, calls: int) -> None:
        """Wait until so many calls have come."""
        while self.calls < calls:
            self.asked.clear()
            await self.asked.wait()

    async def warm(self) -> None:
        """Nothing to load."""

    async def close(self) -> None:
        """Nothing to release."""

    async def embed_query(self, text: str) -> Vector:
        return (await self.embed_documents([text]))[0]

    async def embed_documents(self, texts: Sequence[str]) -> list[Vector]:
        self.calls += 1
        self.asked.set()
        await self.open.wait()
        if self.fault is not None:
            raise ProviderFault(self.fault)
        if self.poison is not None and any(self.poison in text for text in texts):
            raise ProviderFault("nan")
        return [self.spoil(self._vector(text)) for text in texts]

    def _vector(self, text: str) -> list[float]:
        vector = [0.0] * self.dimension
        for word in re.findall(r"\w+", text.lower()):
            vector[int.from_bytes(hashlib.sha256(word.encode()).digest()[:4]) % self.dimension] += 1.0
        length = math.hypot(*vector) or 1.0
        if not any(vector):
            vector[0] = 1.0
        return [value / length for value in vector]
