"""What the service asks of the outside: an embedder, and an extractor and a judge where they are wanted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from app.domain.gate_model import Reading
from app.domain.judging import Pair
from app.domain.pairs import Beside
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


class Reader(Protocol):
    """Reads a sentence for the gate, in process. Blocking; safe to call from several threads."""

    def load(self) -> object:
        """Get ready. Raises ProviderFault when that cannot work."""

    def read(self, text: str) -> Reading:
        """Read one sentence; the same text always has the same reading. Raises ProviderFault."""


class PairReader(Protocol):
    """Reads a message and a row together, in process. Blocking; safe to call from several threads."""

    def load(self) -> object:
        """Get ready. Raises ProviderFault when that cannot work."""

    def read(self, pair: Beside) -> float:
        """Give the log-odds that the message makes the row untrue. Raises ProviderFault."""


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


@dataclass(frozen=True, slots=True)
class Judgement:
    """What a judge says of some pairs, by number: whether the later replaces the earlier; and the tokens it took."""

    replaces: Mapping[int, bool]
    tokens: int


class Judge(Protocol):
    """Says of two statements about one subject whether the later one replaces the earlier one, and nothing else."""

    @property
    def prompt_version(self) -> str:
        """Name the prompt; it stands in the ledger beside what the judge had a say in."""

    def most_tokens(self, pairs: Sequence[Pair]) -> int:
        """Tell how many tokens one call on these pairs can take at most, by estimate."""

    async def judge(self, pairs: Sequence[Pair]) -> Judgement:
        """Ask about some pairs of one user. Raises ProviderFault."""

    async def close(self) -> None:
        """Release connections."""
