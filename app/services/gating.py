"""Asking the gate: its rules and its reader, off the event loop."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from typing import Final, TypeVar

from app.domain.commands import WriteCommand
from app.domain.earlier import Said
from app.domain.gate_model import Read, Reading
from app.domain.intake import Offer, consider
from app.domain.memory import Kind, Threshold
from app.metrics import Metrics
from app.providers.ports import ProviderFault, Reader

MOST_READ: Final = 200
"""Different sentences of one write that are read in full; what comes after is weighed by its features alone."""
AT_ONCE: Final = 2
"""Writes that are read at the same time; the others wait without blocking anything."""

T = TypeVar("T")


class Gating:
    """The gate with its reader. Without a reader, and for what it cannot read, the features decide alone."""

    def __init__(self, reader: Reader | None, metrics: Metrics) -> None:
        self._reader = reader
        self._metrics = metrics
        self._turns = asyncio.Semaphore(AT_ONCE)
        self.is_out = False

    @property
    def is_on(self) -> bool:
        """Tell whether there is a reader."""
        return self._reader is not None

    async def consider(
        self,
        command: WriteCommand,
        reading: Readings,
        *,
        thresholds: Mapping[Kind, Threshold],
        parent_trusts: Sequence[int] = (),
        earlier: Sequence[Said] = (),
    ) -> list[Offer]:
        """Judge everything that a write offers; see `intake.consider`."""
        return await self.off_the_loop(
            lambda: consider(
                command, thresholds=thresholds, parent_trusts=parent_trusts, earlier=earlier, read=reading.read
            )
        )

    def readings(self) -> Readings:
        """Begin the readings of one write."""
        return Readings(self._reader)

    async def off_the_loop(self, work: Callable[[], T]) -> T:
        """Do what may read, in a thread."""
        async with self._turns:
            return await asyncio.to_thread(work)

    def settle(self, readings: Readings) -> tuple[str, ...]:
        """Count how the readings of a write went; gives what was out."""
        if readings.fault is None:
            self.is_out = self.is_out and not readings.known
            return ()
        self.is_out = True
        self._metrics.provider_error("reader", readings.fault)
        self._metrics.degraded(("reader",))
        return ("reader",)


class Readings:
    """What was read for one write: every sentence once, a bounded number of them, none after a fault."""

    def __init__(self, reader: Reader | None) -> None:
        self._reader = reader
        self.known: dict[str, Reading] = {}
        self.fault: str | None = None

    @property
    def read(self) -> Read | None:
        """What the gate asks; None where there is no reader."""
        return None if self._reader is None else self._read

    def _read(self, text: str) -> Reading | None:
        found = self.known.get(text)
        if found is not None or self._reader is None or self.fault is not None or len(self.known) >= MOST_READ:
            return found
        try:
            found = self._reader.read(text)
        except ProviderFault as fault:
            self.fault = fault.kind
            return None
        self.known[text] = found
        return found
