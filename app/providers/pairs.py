"""The pair reader: a network of ours that reads an English message and a row together, in process.

The first nine layers of all-mpnet-base-v2, trained further on lives written for this project to tell whether the
message makes the row untrue (`training/train_pairs.py`).
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Final

from app.domain.pairs import Beside
from app.providers.network import MODEL_FOLDER, Network

PAIR_FOLDER: Final = MODEL_FOLDER.parent / "mpnet"
ROW_TOKENS: Final = 64
MESSAGE_TOKENS: Final = 109
"""Tokens of either that are read, with those before a row and behind a short text; the rest is not looked at."""
_DIGITS: Final = 2
"""Readings are rounded: the last digits of a float differ between processors."""


class BundledPairReader:
    """The loaded reader. Blocking; safe to call from several threads. It is loaded by `load()` or the first call."""

    def __init__(self, *, folder: Path = PAIR_FOLDER) -> None:
        self._folder = folder
        self._loading = threading.Lock()
        self._network: Network | None = None

    def load(self) -> Network:
        """Load and check the network once. Raises ModelDamaged."""
        with self._loading:
            if self._network is None:
                self._network = Network(self._folder, "pairs.onnx")
            return self._network

    def read(self, pair: Beside) -> float:
        """Give the log-odds that the message makes the row untrue; the same for the same pair. Raises ProviderFault."""
        network = self._network or self.load()
        row, words = network.tokenize([pair.row, pair.words])
        ((odds,),) = network.run([joined(row, words)])
        return round(odds, _DIGITS)


def joined(row: Sequence[int], words: Sequence[int]) -> list[int]:
    """Put the tokens of two texts into one list as the published model learned: start, row, end, end, message, end."""
    return [*row[:ROW_TOKENS], words[-1], *words[1 : MESSAGE_TOKENS + 1]]


@cache
def bundled_pair_reader() -> BundledPairReader:
    """Give the one pair reader of this process; nothing is loaded yet."""
    return BundledPairReader()
