"""What the service asks of the outside: an embedder, and an extractor where one is wanted; the judge comes later."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from app.domain.proposal import Proposal, Turn

Vector = Sequence[float]


class ProviderFault(Exception):
    """A provider failed: out of reach, too slow, or its answer was unusable (length, NaN, zero).

    `kind` is a short word for metrics, one of `app.metrics.FAULTS`.
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


@dataclass(frozen=True, slots=True)
class Proposed:
    """What a model proposes for some turns, unchecked, and the tokens that it took."""

    proposals: tuple[Proposal, ...]
    tokens: int


class Extractor(Protocol):
    """Proposes statements of a turn. What it says is checked and bounded by the rules; it decides nothing."""

    @property
    def prompt_version(self) -> str:
        """Name the prompt; it stands in the ledger beside what the model had a say in."""

    def most_tokens(self, turns: Sequence[Turn]) -> int:
        """Tell how many tokens one call on these turns can take at most, by estimate."""

    async def propose(self, turns: Sequence[Turn]) -> Proposed:
        """Ask about some turns of one user. Raises ProviderFault."""

    async def close(self) -> None:
        """Release connections."""
