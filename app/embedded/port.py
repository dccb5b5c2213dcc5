"""The TCP port on the loopback address: chosen once, kept, and replaced only when somebody else has taken it."""

from __future__ import annotations

import os
import random
import socket
from pathlib import Path

from app.embedded.errors import EmbeddedPostgresError
from app.embedded.roles import write_private

_RANGE = range(15000, 32000)  # below what systems hand out to outgoing connections, so it is still free next time


def stored(home: Path) -> int | None:
    """The port of earlier starts."""
    try:
        return int((home / "port").read_text(encoding="ascii"))
    except (FileNotFoundError, ValueError):
        return None


def store(home: Path, port: int) -> None:
    """Keeps the port for later starts and other processes."""
    if stored(home) != port:
        write_private(home / "port", f"{port}\n")


def is_free(port: int) -> bool:
    """Whether a server could listen on the port now."""
    with socket.socket() as probe:
        if os.name == "posix":  # as Postgres does: connections that are just ending do not count
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return False
    return True


def choose() -> int:
    """A free port."""
    for port in random.sample(_RANGE, 100):
        if is_free(port):
            return port
    raise EmbeddedPostgresError(
        f"No free port was found for Postgres on 127.0.0.1 between {_RANGE.start} and {_RANGE.stop}.",
        "check that this machine lets programs listen on 127.0.0.1.",
    )
