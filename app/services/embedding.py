"""Asking the embedder, and carrying on without it when it is out."""

from __future__ import annotations

from collections.abc import Sequence

from app.domain.terms import query_terms, tsquery
from app.metrics import Metrics
from app.providers.ports import Embedder, ProviderFault, Vector
from app.store.search import Query


class Embedding:
    """The embedder with its faults counted; a fault is an answer, never an error of ours."""

    def __init__(self, embedder: Embedder, metrics: Metrics) -> None:
        self._embedder = embedder
        self._metrics = metrics

    @property
    def model_id(self) -> str:
        """Name the model that stored vectors must come from."""
        return self._embedder.model_id

    async def query(self, text: str) -> tuple[Query, tuple[str, ...]]:
        """Prepare a query for both legs; the second value names what was out."""
        words = tsquery(query_terms(text)) or None
        try:
            vector: Vector | None = await self._embedder.embed_query(text)
        except ProviderFault as fault:
            self._count(fault)
            return Query(None, self.model_id, words), ("embedder",)
        return Query(vector, self.model_id, words), ()

    async def documents(self, texts: Sequence[str]) -> tuple[list[Vector | None], tuple[str, ...]]:
        """Embed texts in order; None for all of them when the embedder is out."""
        if not texts:
            return [], ()
        try:
            return list(await self._embedder.embed_documents(texts)), ()
        except ProviderFault as fault:
            self._count(fault)
            return [None] * len(texts), ("embedder",)

    def _count(self, fault: ProviderFault) -> None:
        self._metrics.provider_error("embedder", fault.kind)
        self._metrics.degraded(("embedder",))
