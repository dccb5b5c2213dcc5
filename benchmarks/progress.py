"""Progress bars, and how long each phase took."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn
from rich.progress import Progress as Bars


class Progress:
    """One bar per phase on the given console; a console without a terminal gets one line per phase."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._seconds: dict[str, float] = {}
        self._bars = Bars(
            TextColumn("{task.description:<44}"),
            BarColumn(bar_width=30),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            console=console,
            disable=not console.is_terminal,
        )

    def __enter__(self) -> Progress:
        self._bars.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._bars.stop()

    @contextmanager
    def phase(self, name: str, total: int) -> Iterator[Callable[[int], None]]:
        """Show a phase; gives a function that moves its bar on."""
        task = self._bars.add_task(name, total=total)
        begun = time.monotonic()
        try:
            yield lambda steps: self._bars.advance(task, steps)
        finally:
            took = time.monotonic() - begun
            self._seconds[name] = self._seconds.get(name, 0.0) + took
            self._bars.stop_task(task)
            if not self._console.is_terminal:
                self.note(f"{name}: {took:.1f} s")

    def note(self, text: str) -> None:
        """Print a line above the bars."""
        self._console.print(text, highlight=False, markup=False, soft_wrap=True)

    def seconds(self) -> dict[str, float]:
        """Give the seconds of each phase so far."""
        return {name: round(seconds, 1) for name, seconds in self._seconds.items()}
