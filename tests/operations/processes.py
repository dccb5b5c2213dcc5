"""`lethe` as real processes."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx

_PROGRAM = "from app.cli import main; main()"


def environment(folder: Path, **settings: str) -> dict[str, str]:
    """Nothing but what a process needs, and the settings given."""
    kept = {name: os.environ[name] for name in ("PATH", "HOME", "PYTHONPATH", "LANG", "TMPDIR") if name in os.environ}
    # wide, so that no table of the command line is folded
    return kept | {"LETHE_DATA_DIR": str(folder), "COLUMNS": "200"} | settings


class Process:
    """A running `lethe`, with everything that it says."""

    def __init__(self, *arguments: str, folder: Path, **settings: str) -> None:
        self._said = tempfile.TemporaryFile("w+", encoding="utf-8")  # noqa: SIM115 (closed by `close`)
        self.process = subprocess.Popen(
            [sys.executable, "-c", _PROGRAM, *arguments],
            stdin=subprocess.DEVNULL,
            stdout=self._said,
            stderr=subprocess.STDOUT,
            text=True,
            env=environment(folder, **settings),
            # away from the checkout: a .env there is somebody else's
            cwd=tempfile.gettempdir(),
            start_new_session=True,
        )

    @property
    def said(self) -> str:
        self._said.flush()
        return Path(f"/proc/self/fd/{self._said.fileno()}").read_text(encoding="utf-8")

    @property
    def address(self) -> str:
        """Where it listens, as soon as it says so."""
        while not (found := re.search(r"Lethe listens on (http://\S+)", self.said)):
            assert self.process.poll() is None, self.said
            time.sleep(0.02)
        return found.group(1)

    def ready(self, seconds: float = 60) -> str:
        """Its address, when it is ready."""
        address, deadline = self.address, time.monotonic() + seconds
        while True:
            try:
                if httpx.get(f"{address}/readyz", timeout=5).status_code == 200:
                    return address
            except httpx.TransportError:
                pass
            assert self.process.poll() is None, self.said
            assert time.monotonic() < deadline, self.said
            time.sleep(0.05)

    def end(self, by: signal.Signals = signal.SIGTERM) -> None:
        if self.process.poll() is None:
            self.process.send_signal(by)

    def wait(self, seconds: float = 30) -> int:
        return self.process.wait(seconds)

    def close(self) -> None:
        self.end()
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait(20)
        self._said.close()


@contextmanager
def lethe(*arguments: str, folder: Path, **settings: str) -> Iterator[Process]:
    """Run `lethe` until the block ends."""
    process = Process(*arguments, folder=folder, **settings)
    try:
        yield process
    finally:
        process.close()


def command(*arguments: str, folder: Path, **settings: str) -> str:
    """Run a command to its end, and give what it said; it must succeed."""
    with lethe(*arguments, folder=folder, **settings) as process:
        assert process.wait(60) == 0, process.said
        return process.said


def refused(*arguments: str, folder: Path, **settings: str) -> str:
    """Run a command that must refuse, in one line and with code 2."""
    with lethe(*arguments, folder=folder, **settings) as process:
        assert process.wait(60) == 2, process.said
        lines = process.said.strip().splitlines()
        assert len(lines) == 1, process.said
        assert lines[0].startswith("lethe: "), process.said
        return lines[0]
