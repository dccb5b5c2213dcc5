"""Waiting for the file locks of keeper.py, and asking them whether the server runs."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from app.embedded.errors import EmbeddedPostgresError
from app.embedded.keeper import FileLock
from app.embedded.place import Home


def is_running(home: Home) -> bool:
    """Whether some Postgres process that a keeper started holds the folder."""
    lock = FileLock(home.folder_lock)
    try:
        return not lock.try_shared()
    finally:
        lock.close()


def locked(path: Path, take: Callable[[FileLock], bool], timeout: float) -> FileLock:
    """Waits for a lock; to be closed by the caller."""
    lock, deadline = FileLock(path), time.monotonic() + timeout
    while not take(lock):
        if time.monotonic() > deadline:
            lock.close()
            raise EmbeddedPostgresError(
                f"Another process has held {path} for {timeout:.0f} s.", "wait for it, or end it, then start again."
            )
        time.sleep(0.02)
    return lock


@contextmanager
def alone(path: Path, timeout: float) -> Iterator[None]:
    """One process at a time."""
    lock = locked(path, FileLock.try_exclusive, timeout)
    try:
        yield
    finally:
        lock.close()
