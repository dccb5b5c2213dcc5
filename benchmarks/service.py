"""A service of the benchmark's own: `lethe serve` on an empty folder and a free port, ended afterwards."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import httpx

from benchmarks.files import work_folder

_START_SECONDS: Final = 120.0
_END_SECONDS: Final = 30.0
_SERVE: Final = "from app.cli import main; main()"


class StartFault(Exception):
    """The service did not start. The text ends with what it printed."""


@dataclass(frozen=True, slots=True)
class Target:
    """Where a service listens, and a key with the scopes read, write and import."""

    address: str
    key: str = field(repr=False)
    own: bool = False


@contextmanager
def own_service() -> Iterator[Target]:
    """Run a fresh service with an embedded Postgres for the time of the block; settings of this machine do not count.

    Raises:
        StartFault: It does not start.
    """
    with work_folder() as folder:
        kept = {name: value for name, value in os.environ.items() if not name.startswith("LETHE_")}
        environment = {**kept, "LETHE_DATA_DIR": str(folder / "data"), "LETHE_LOG_LEVEL": "WARNING"}
        log = folder / "out"
        command = [sys.executable, "-c", _SERVE, "serve", "--port", "0"]
        with (
            log.open("w") as out,
            subprocess.Popen(command, cwd=folder, env=environment, stdout=out, stderr=out) as running,  # noqa: S603  # our own program
        ):
            try:
                yield _announced(log, running)
            finally:
                running.terminate()
                try:
                    running.wait(_END_SECONDS)
                except subprocess.TimeoutExpired:
                    running.kill()


def _announced(log: Path, running: subprocess.Popen[bytes]) -> Target:
    deadline = time.monotonic() + _START_SECONDS
    while time.monotonic() < deadline and running.poll() is None:
        text = log.read_text()
        address, key = re.search(r"listens on (\S+)", text), re.search(r"lk_demo_\w+", text)
        if address and key and _is_ready(address.group(1)):
            return Target(address.group(1), key.group(), own=True)
        time.sleep(0.1)
    raise StartFault(f"the service did not start:\n{log.read_text()[-2000:]}")


def _is_ready(address: str) -> bool:
    try:
        return httpx.get(f"{address}/readyz", timeout=5.0).status_code == 200
    except httpx.TransportError:
        return False
