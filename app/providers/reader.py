"""The gate's reader: a small network of ours that reads an English sentence in full, in process, without a network."""

from __future__ import annotations

import threading
from functools import cache
from pathlib import Path
from typing import Final

from app.domain.gate_model import CODES, Reading
from app.providers.network import MODEL_FOLDER, Network

_DIGITS: Final = 3
"""Readings are rounded: the last digits of a float differ between processors, verdicts should not."""


class GateReader:
    """The loaded reader. Blocking; safe to call from several threads. It is loaded by `load()` or the first call."""

    def __init__(self, *, folder: Path = MODEL_FOLDER) -> None:
        self._folder = folder
        self._loading = threading.Lock()
        self._network: Network | None = None

    def load(self) -> Network:
        """Load and check the network once. Raises ModelDamaged."""
        with self._loading:
            if self._network is None:
                self._network = Network(self._folder, "gate.onnx")
            return self._network

    def read(self, text: str) -> Reading:
        """Read one sentence; the same text always has the same reading. Raises ProviderFault."""
        network = self._network or self.load()
        row = network.read(text)
        rounded = [round(value, _DIGITS) for value in row]
        return Reading(tuple(rounded[: len(CODES)]), *rounded[len(CODES) :])


@cache
def bundled_reader() -> GateReader:
    """Give the one reader of this process; nothing is loaded yet."""
    return GateReader()
