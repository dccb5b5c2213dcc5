"""Service processes and questions to the database, for the tests of the embedded Postgres."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import asyncpg
import psutil

from app.embedded import EmbeddedPostgres

# Tests may lose their data when the machine loses its power, but not when a process is killed.
FAST = {"fsync": "off", "full_page_writes": "off"}

SERVICE = f"""
import json, select, sys
from pathlib import Path
from app.embedded import EmbeddedPostgres
server = EmbeddedPostgres(Path(sys.argv[1]), options={FAST!r})
try:
    addresses = server.start()
    print(json.dumps({{"owner_url": addresses.owner_url, "port": addresses.port}}), flush=True)
    # in short waits: a signal that comes just before a read for good would be heard when that ends
    while not select.select([sys.stdin], [], [], 0.1)[0]:
        pass
except KeyboardInterrupt:
    from tests.embedded.support import ask
    print("drained", ask(addresses.owner_url, "SELECT 41 + 1"), flush=True)
server.stop()
"""


def embedded(data_dir: Path, **arguments: Any) -> EmbeddedPostgres:
    """A server that starts fast."""
    return EmbeddedPostgres(data_dir, options=FAST, **arguments)


def ask(url: str, sql: str) -> Any:
    """The first value of a query's answer."""

    async def answer() -> Any:
        connection = await asyncpg.connect(url, timeout=10)
        try:
            return await connection.fetchval(sql)
        finally:
            await connection.close()

    return asyncio.run(answer())


def eventually(condition: Callable[[], Any], seconds: float = 30) -> Any:
    """Waits for a condition and returns what made it true."""
    deadline = time.monotonic() + seconds
    while not (found := condition()):
        assert time.monotonic() < deadline, "it did not happen in time"
        time.sleep(0.02)
    return found


def answers(url: str) -> bool:
    """Whether the server takes connections."""
    try:
        return bool(ask(url, "SELECT true"))
    except (OSError, asyncpg.PostgresError):
        return False


def postmaster(data_dir: Path) -> psutil.Process:
    """The running server's main process."""
    return psutil.Process(int((home(data_dir) / "cluster" / "postmaster.pid").read_text().split()[0]))


def keeper(data_dir: Path) -> psutil.Process:
    """The process that keeps the running server."""
    parent = postmaster(data_dir).parent()
    assert parent is not None
    return parent


def home(data_dir: Path) -> Path:
    """Where the data really is."""
    link = data_dir / "elsewhere"
    return link.resolve() if link.is_symlink() else data_dir


def is_gone(process: psutil.Process) -> bool:
    """Whether a process has ended."""
    try:
        return not process.is_running() or process.status() == psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return True


@dataclass
class Service:
    """Another process that uses the same data folder."""

    process: subprocess.Popen[str]

    def addresses(self) -> dict[str, Any]:
        """Waits for the start and returns what the process printed."""
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        assert line, "the process ended without a word"
        found: dict[str, Any] = json.loads(line)
        return found

    def kill(self) -> None:
        """As the system does when memory is short."""
        self.process.kill()
        self.process.wait(30)


@contextmanager
def service(data_dir: Path) -> Iterator[Service]:
    """Starts the process; it ends when the block does."""
    with subprocess.Popen(
        [sys.executable, "-c", SERVICE, str(data_dir)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as process:
        try:
            yield Service(process)
        finally:
            if process.poll() is None:
                assert process.stdin is not None
                process.stdin.close()
                process.wait(60)


def press_ctrl_c(process: subprocess.Popen[str]) -> None:
    """A terminal signals the whole foreground group."""
    os.killpg(process.pid, signal.SIGINT)
