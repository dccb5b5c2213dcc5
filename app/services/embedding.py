"""Asking the embedder, and carrying on without it when it is out."""

from __future__ import annotations

import math
from collections.abc import Sequence

from app.domain.terms import query_terms, tsquery
from app.metrics import Metrics
from app.providers.ports import Embedder, ProviderFault, Vector
from app.store.shapes import Query

# what a single text can cause; anything else means that the embedder does not answer
_ABOUT_THE_TEXT = frozenset({"shape", "nan", "zero", "status"})


class Embedding:
    """The embedder with its faults counted; a fault is an answer, never an error of ours."""

    def __init__(self, embedder: Embedder, metrics: Metrics) -> None:
        self._embedder = embedder
        self._metrics = metrics
        self.is_out = False

    @property
    def model_id(self) -> str:
        """Name the model that stored vectors must come from."""
        return self._embedder.model_id

    async def query(self, text: str) -> tuple[Query, tuple[str, ...]]:
        """Prepare a query for both legs; the second value names what was out."""
        asked = tuple(query_terms(text))
        words = tsquery(asked) or None
        try:
            vector: Vector | None = self._checked(await self._embedder.embed_query(text))
        except ProviderFault as fault:
            self._count(fault)
            return Query(None, self.model_id, words, asked), ("embedder",)
        self.is_out = False
        return Query(vector, self.model_id, words, asked), ()

    async def documents(self, texts: Sequence[str]) -> tuple[list[Vector | None], tuple[str, ...]]:
        """Embed texts in order; None for all of them when the embedder is out."""
        if not texts:
            return [], ()
        try:
            found = await self._embedder.embed_documents(texts)
            if len(found) != len(texts):
                raise ProviderFault("shape")
            vectors: list[Vector | None] = [self._checked(vector) for vector in found]
        except ProviderFault as fault:
            self._count(fault)
            return [None] * len(texts), ("embedder",)
        self.is_out = False
        return vectors, ()

    async def one_by_one(self, texts: Sequence[str]) -> list[Vector | None]:
        """Embed texts so that one which the embedder refuses takes no vector from the others.

        Ends early, with None for the rest, when the embedder does not answer at all.
        """
        vectors: list[Vector | None] = []
        for text in texts:
            found, _ = await self.documents([text])
            vectors += found
            if self.is_out:
                break
        return vectors + [None] * (len(texts) - len(vectors))

    def _checked(self, vector: Vector) -> Vector:
        """Let nothing through that cannot be compared, whichever embedder it comes from. Raises ProviderFault."""
        if len(vector) != self._embedder.dimension:
            raise ProviderFault("shape")
        if not all(map(math.isfinite, vector)):
            raise ProviderFault("nan")
        if not any(vector):
            raise ProviderFault("zero")
        return vector

    def _count(self, fault: ProviderFault) -> None:
        # an unusable vector, or a refused text, is an answer too
        self.is_out = fault.kind not in _ABOUT_THE_TEXT
        self._metrics.provider_error("embedder", fault.kind)
        self._metrics.degraded(("embedder",))
