"""A service for the length of a demo: a fresh Postgres in a temporary folder, gone afterwards."""

from __future__ import annotations

import asyncio
import shutil
import signal
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Final

import uvicorn
from fastapi import FastAPI

from app.demo.calls import DemoFault
from app.main import create_app
from app.serving import demo_key, environment, listen, migrate_as_owner
from app.settings import Settings

HOST: Final = "127.0.0.1"
_START_SECONDS: Final = 60.0
_ENDINGS: Final = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]


@contextmanager
def own_service() -> Iterator[tuple[str, str]]:
    """Run a service of our own, in this process, on a database that nobody else sees.

    Yields:
        Its address and a key with every scope.

    Raises:
        EmbeddedPostgresError: Postgres cannot be started; the text says how to mend it.
        DemoFault: The service did not start.
    """
    with _orderly_end(), tempfile.TemporaryDirectory(prefix="lethe-demo-", ignore_cleanup_errors=True) as folder:
        # as root, Postgres runs as another user, who must be able to get in
        Path(folder).chmod(0o711)
        data_dir = Path(folder) / "data"
        with _emptied(data_dir), environment(_settings(data_dir)) as settings:
            asyncio.run(migrate_as_owner(settings))
            key = asyncio.run(demo_key(settings))
            if key is None:
                raise DemoFault("the temporary database is not empty; start the demo again")
            with served(create_app(settings)) as url:
                try:
                    yield url, key
                finally:
                    # an impatient second Ctrl-C must not leave the folder behind
                    _ignore_ctrl_c()


@contextmanager
def served(app: FastAPI) -> Iterator[str]:
    """Serve an application from a thread; give its address.

    Raises:
        DemoFault: It did not start.
    """
    taken = listen(HOST, 0)
    server = uvicorn.Server(uvicorn.Config(app, log_config=None, access_log=False, lifespan="on"))
    # a daemon: whatever happens, the process can end
    thread = threading.Thread(target=server.run, kwargs={"sockets": [taken]}, name="lethe-demo", daemon=True)
    thread.start()
    try:
        deadline = time.monotonic() + _START_SECONDS
        while not server.started:
            if not thread.is_alive() or time.monotonic() > deadline:
                raise DemoFault("the demo's service did not start; its reason stands above")
            time.sleep(0.02)
        yield f"http://{HOST}:{taken.getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join(_START_SECONDS)
        taken.close()


@contextmanager
def _emptied(data_dir: Path) -> Iterator[None]:
    """Delete at the end what Postgres had to keep outside the folder because its user cannot enter it."""
    try:
        yield
    finally:
        elsewhere = data_dir / "elsewhere"
        if elsewhere.is_symlink():
            shutil.rmtree(elsewhere.resolve(), ignore_errors=True)


def _settings(data_dir: Path) -> Settings:
    # every value that could lead to a database or model of the reader's own is set
    return Settings(
        _env_file=None,
        database_url=None,
        migration_url=None,
        secret_key=None,
        data_dir=data_dir,
        embedder="local",
        maintenance_seconds=0,
        log_level="ERROR",
        log_format="console",
    )


@contextmanager
def _orderly_end() -> Iterator[None]:
    """Let a request to end the process go the way of Ctrl-C, and nothing disturb the clearing up."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def end(_number: int, _frame: FrameType | None) -> None:
        raise KeyboardInterrupt

    before = {number: signal.signal(number, end) for number in _ENDINGS}
    before[signal.SIGINT] = signal.getsignal(signal.SIGINT)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _ignore_ctrl_c() -> None:
    if threading.current_thread() is threading.main_thread():
        for number in (signal.SIGINT, *_ENDINGS):
            signal.signal(number, signal.SIG_IGN)
