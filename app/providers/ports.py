"""What the service asks of the outside: an embedder now; extractor and judge come with later work."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

Vector = Sequence[float]


class ProviderFault(Exception):
    """A provider failed: out of reach, too slow, or its answer was unusable (length, NaN, zero).

    `kind` is a short word for metrics: timeout, refused, status, shape, nan, zero.
    """

    def __init__(self, kind: str) -> None:
        super().__init__(kind)
        self.kind = kind


class Embedder(Protocol):
    """Turns texts into unit-length vectors of `dimension` floats. Queries and documents stay apart."""

    @property
    def model_id(self) -> str:
        """Name what is stored in each row beside its vector; another id means vectors that cannot be compared."""

    @property
    def dimension(self) -> int:
        """Tell the length of every vector."""

    @property
    def max_tokens(self) -> int:
        """Tell how many tokens of a text the model sees."""

    async def warm(self) -> None:
        """Get ready: load what has to be loaded. Calling it is optional."""

    async def embed_query(self, text: str) -> Vector:
        """Embed one query. Raises ProviderFault."""

    async def embed_documents(self, texts: Sequence[str]) -> list[Vector]:
        """Embed many texts, in order. Raises ProviderFault; then no vector of the batch is given."""

    async def close(self) -> None:
        """Release threads and connections."""
