"""The embedded Postgres as its users see it: start, addresses, stop.

Any number of processes may use one data folder. Whoever comes first launches the server, the others attach to it, and
it ends with the last of them (see keeper.py). When it ends before its time, whichever process notices first launches
it again on the same port, so that addresses stay valid.
"""

from __future__ import annotations

import logging
import os
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from types import TracebackType

from app.embedded import cluster, place, port, roles
from app.embedded.binaries import Binaries, find, require_package
from app.embedded.errors import EmbeddedPostgresError, explained
from app.embedded.keeper import FileLock
from app.embedded.launch import launch
from app.embedded.locks import alone, is_running, locked
from app.embedded.place import Home
from app.embedded.roles import Addresses

_logger = logging.getLogger(__name__)
_WATCH_SECONDS = 0.25
_FOREIGN_SECONDS = 15.0


class EmbeddedPostgres:
    """A Postgres in a data folder of its own, shared with other processes and watched over.

    Args:
        data_dir: The folder; made when missing.
        major: Major version of Postgres, 16 or 18.
        options: Server settings that go before ours, such as {"fsync": "off"} for tests. They count for the process
            that launches the server.
        on_restart: Called from the watching thread after the server ended unexpectedly and was brought back, by this
            process or another. The addresses are the same unless somebody else took the port meanwhile.
        timeout: Seconds to wait for other processes and for the server.
    """

    def __init__(
        self,
        data_dir: Path,
        *,
        major: int = 18,
        options: Mapping[str, str] | None = None,
        on_restart: Callable[[Addresses], None] | None = None,
        timeout: float = 120.0,
    ) -> None:
        self.data_dir = Path(os.path.abspath(data_dir))
        self._major, self._options, self._on_restart, self._timeout = major, dict(options or {}), on_restart, timeout
        self._mutex = threading.Lock()
        self._stopping = threading.Event()
        self._watcher: threading.Thread | None = None
        self._home: Home | None = None
        self._use: FileLock | None = None
        self._addresses: Addresses | None = None
        self._server_pid: int | None = None

    def __enter__(self) -> Addresses:
        return self.start()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    def start(self) -> Addresses:
        """Launches the server or attaches to the one that runs, and makes sure of roles, database and extension.

        Raises:
            EmbeddedPostgresError: with what is wrong and what to do about it.
        """
        with self._mutex:
            if self._addresses is None:
                try:
                    self._addresses = self._enter(restart=False)
                except BaseException:
                    self._leave()
                    raise
                self._stopping.clear()
                self._watcher = threading.Thread(target=self._watch, name="lethe-postgres-watch", daemon=True)
                self._watcher.start()
            return self._addresses

    def stop(self) -> None:
        """Leaves the server; the last user waits until it is down. Safe to call twice."""
        self._stopping.set()
        with self._mutex:
            if self._watcher not in {None, threading.current_thread()}:
                self._watcher.join()
            self._watcher = self._addresses = None
            self._leave()

    def _enter(self, *, restart: bool) -> Addresses:
        require_package()
        with explained():
            self.data_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
        with explained(), alone(self.data_dir / place.START_LOCK, self._timeout):
            home = self._home = place.settle(self.data_dir)
            exists = cluster.check_major(home.cluster, self._major)
            if restart and not exists:
                raise EmbeddedPostgresError(f"The data in {home.cluster} is gone.", "bring it back, then start again.")
            cluster.clear_leftovers(home)
            binaries = find(self._major, home)
            credentials = roles.load_credentials(home.path, cluster_exists=exists)
            if self._use is None:
                self._use = locked(home.users_lock, FileLock.try_shared, self._timeout)
            if not exists:
                cluster.create(home, binaries, credentials.superuser, self._options)
            return credentials.addresses(self._serve(home, binaries, credentials, restart=restart))

    def _serve(self, home: Home, binaries: Binaries, credentials: roles.Credentials, *, restart: bool) -> int:
        """Launches or attaches until the server takes our password; returns the port."""
        begun = time.monotonic()
        while True:
            if not is_running(home):
                launch(home, binaries, self._options, timeout=self._timeout, keep_port=restart)
            found = cluster.postmaster(home.cluster)
            ours = found is not None and found.process is cluster.Process.OURS
            if found and found.ready and found.port and ours:
                with suppress(roles.NotReady):
                    roles.bootstrap(credentials, found.port)
                    port.store(home.path, found.port)
                    self._server_pid = found.pid
                    return found.port
            waited = time.monotonic() - begun
            if waited > self._timeout or (waited > _FOREIGN_SECONDS and not ours):
                raise EmbeddedPostgresError(
                    f"Another Postgres holds {home.path} and cannot be reached from here (a second container on the "
                    "same volume, or a server that does not get ready).",
                    f"stop it, or choose another folder with LETHE_DATA_DIR; its log is {home.log}.",
                )
            time.sleep(0.05)

    def _watch(self) -> None:
        failures = 0
        while not self._stopping.wait(_WATCH_SECONDS * min(2**failures, 20)):
            try:
                if not self._is_as_it_was():
                    _logger.warning("the embedded Postgres ended unexpectedly; bringing it back")
                    self._addresses = addresses = self._enter(restart=True)
                    if self._on_restart is not None:
                        self._on_restart(addresses)
                failures = 0
            except Exception as error:  # whatever it is, the next round tries again, a little later each time
                failures += 1
                _logger.error("the embedded Postgres cannot be brought back: %s", error)

    def _is_as_it_was(self) -> bool:
        if self._home is None or not is_running(self._home):
            return False
        found = cluster.postmaster(self._home.cluster)
        return found is not None and found.pid == self._server_pid  # another process may have been faster than us

    def _leave(self) -> None:
        """Gives up our use, and waits for the server's end when nobody else uses it."""
        use, home, self._use = self._use, self._home, None
        if use is None or home is None:
            return
        with suppress(OSError, EmbeddedPostgresError), alone(self.data_dir / place.START_LOCK, self._timeout):
            last = use.try_exclusive()
            use.close()
            use = None
            others = FileLock(home.users_lock)
            last = last or not others.try_shared()  # then the keeper has it already
            others.close()
            deadline = time.monotonic() + self._timeout
            while last and is_running(home) and time.monotonic() < deadline:
                time.sleep(0.02)
        if use is not None:
            use.close()
