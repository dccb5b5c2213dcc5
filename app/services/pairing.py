"""Asking the pair reader, before a write is placed; a fault is an answer: the weights decide on what was not read."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from threading import Event
from typing import Final

from app.domain.pairs import Beside
from app.metrics import Metrics
from app.providers.ports import PairReader, ProviderFault

MOST_READ: Final = 24
"""Pairs of one write that are read, in the order of its messages; on what comes after the weights decide alone."""
AT_ONCE: Final = 2
"""Writes whose pairs are read at the same time; the others wait without blocking anything."""
WITHIN_SECONDS: Final = 5.0
"""Time for all pairs of a write, its wait for a turn included: twenty-four usual ones take about one second."""


class Pairing:
    """The pair reader with its faults counted."""

    def __init__(self, reader: PairReader | None, metrics: Metrics, *, within_seconds: float = WITHIN_SECONDS) -> None:
        self._reader = reader
        self._metrics = metrics
        self._within_seconds = within_seconds
        self._turns = asyncio.Semaphore(AT_ONCE)
        self.is_out = False

    @property
    def is_on(self) -> bool:
        """Tell whether there is a pair reader."""
        return self._reader is not None

    async def read(self, pairs: Sequence[Beside]) -> tuple[dict[Beside, float], tuple[str, ...]]:
        """Read pairs, in a thread; no connection may be held by the caller.

        Returns:
            What was read, in log-odds, and what was out: after a fault, and when the time is over, the rest is left.
        """
        if self._reader is None or not pairs:
            return {}, ()
        reading = _Reading(self._reader, pairs[:MOST_READ], time.monotonic() + self._within_seconds)
        try:
            async with asyncio.timeout(self._within_seconds):
                await self._turns.acquire()
        except TimeoutError:
            return self._told(reading, "busy")
        try:
            await asyncio.to_thread(reading.run)
        finally:
            reading.stopped.set()  # a caller that is gone must not keep the thread
            self._turns.release()
        return self._told(reading, reading.fault)

    def _told(self, reading: _Reading, fault: str | None) -> tuple[dict[Beside, float], tuple[str, ...]]:
        if fault is None:
            self.is_out = False
            return reading.found, ()
        self.is_out = fault not in ("busy", "timeout")
        self._metrics.provider_error("pair_reader", fault)
        self._metrics.degraded(("pair_reader",))
        return reading.found, ("pair_reader",)


class _Reading:
    """The pairs of one write, read one after the other."""

    def __init__(self, reader: PairReader, pairs: Sequence[Beside], until: float) -> None:
        self._reader = reader
        self._pairs = pairs
        self._until = until
        self.stopped = Event()
        self.found: dict[Beside, float] = {}
        self.fault: str | None = None

    def run(self) -> None:
        for pair in self._pairs:
            if self.stopped.is_set():
                return
            if time.monotonic() > self._until:
                self.fault = "timeout"
                return
            try:
                self.found[pair] = self._reader.read(pair)
            except ProviderFault as fault:
                self.fault = fault.kind
                return
