"""The embedded Postgres as its users see it: start, addresses, stop.

Any number of processes may use one data folder. Whoever comes first launches the server, the others attach to it, and
it ends with the last of them (see keeper.py). When it ends before its time, whichever process notices first launches
it again on the same port, so that addresses stay valid.
"""

from __future__ import annotations

import logging
import os
import subprocess
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from types import TracebackType

from app.embedded import cluster, place, port, roles
from app.embedded.account import environment
from app.embedded.binaries import Binaries, find
from app.embedded.errors import EmbeddedPostgresError, explained
from app.embedded.keeper import FOLDER_IN_USE, FileLock, Plan
from app.embedded.place import Home
from app.embedded.roles import Addresses

_logger = logging.getLogger(__name__)
_LOG_LIMIT = 4 * 1024 * 1024
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
        with explained(), _alone(place.start_lock(self.data_dir), self._timeout):
            home = self._home = place.settle(self.data_dir)
            exists = cluster.check_major(home.cluster, self._major)
            if restart and not exists:
                raise EmbeddedPostgresError(f"The data in {home.cluster} is gone.", "bring it back, then start again.")
            cluster.clear_leftovers(home)
            binaries = find(self._major, home)
            credentials = roles.load_credentials(home.path, cluster_exists=exists)
            if self._use is None:
                self._use = _locked(home.users_lock, FileLock.try_shared, self._timeout)
            if not exists:
                cluster.create(home, binaries, credentials.superuser, self._options)
            return credentials.addresses(self._serve(home, binaries, credentials, restart=restart))

    def _serve(self, home: Home, binaries: Binaries, credentials: roles.Credentials, *, restart: bool) -> int:
        """Launches or attaches until the server takes our password; returns the port."""
        begun = time.monotonic()
        while True:
            if not _is_running(home):
                self._launch(home, binaries, restart=restart)
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

    def _launch(self, home: Home, binaries: Binaries, *, restart: bool) -> None:
        """Starts a server and waits until it is ready. Returns as well when another process was faster."""
        stale = cluster.postmaster(home.cluster)
        if stale is not None and stale.process is cluster.Process.OURS:
            raise EmbeddedPostgresError(
                f"A Postgres that Lethe did not start runs on {home.cluster} (process {stale.pid}).",
                f"stop it: {binaries['pg_ctl']} -D '{home.cluster}' stop",
            )
        if stale is not None and stale.process is cluster.Process.UNKNOWN:
            raise EmbeddedPostgresError(
                f"{home.cluster}/postmaster.pid names process {stale.pid}, a Postgres whose data folder is not shown.",
                "if it serves another folder, remove that file; otherwise stop that server.",
            )
        if home.log.exists() and home.log.stat().st_size > _LOG_LIMIT:
            home.log.replace(home.log.with_suffix(".log.1"))
        for _ in range(3):  # somebody may take the port between our look and Postgres' own
            chosen = self._choose_port(home, restart=restart)
            log_start = home.log.stat().st_size if home.log.exists() else 0
            keeper = self._start_keeper(home, binaries, chosen, stale)
            if self._becomes_ready(home, keeper):
                return
            said = _text_after(home.log, log_start)
            if "could not bind" not in said:
                break
        raise EmbeddedPostgresError(
            f"Postgres did not start on {home.cluster}; its log {home.log} ends with:\n{cluster.last_lines(said)}",
            "mend what the lines above name, or choose another folder with LETHE_DATA_DIR.",
        )

    def _choose_port(self, home: Home, *, restart: bool) -> int:
        wanted = port.stored(home.path)
        if wanted is not None and port.is_free(wanted):
            return wanted
        if wanted is not None and restart:
            raise EmbeddedPostgresError(
                f"The port {wanted} of the embedded Postgres was taken by another program.",
                "end that program, or start Lethe anew: it then chooses another port.",
            )
        return port.choose()

    def _start_keeper(
        self, home: Home, binaries: Binaries, chosen: int, stale: cluster.Postmaster | None
    ) -> subprocess.Popen[bytes]:
        settings = cluster.DEFAULTS | self._options
        settings |= {"port": str(chosen), "listen_addresses": "127.0.0.1", "unix_socket_directories": ""}
        variables = environment()
        if stale is not None:  # not a Postgres of this folder, as we made sure: Postgres is not to wait for it
            variables["PG_GRANDPARENT_PID"] = str(stale.pid)
        plan = Plan(
            postgres=[
                *(str(binaries["postgres"]), "-D", str(home.cluster)),
                *(part for name, value in settings.items() for part in ("-c", f"{name}={value}")),
            ],
            stop=[str(binaries["pg_ctl"]), "-D", str(home.cluster), "-m", "fast", "stop"],
            environment=variables,
            uid=home.account.uid,
            gid=home.account.gid,
            users_lock=str(home.users_lock),
            folder_lock=str(home.folder_lock),
        )
        log = os.open(home.log, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        try:
            keeper = subprocess.Popen(  # noqa: S603 -- our own program
                plan.command(),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                cwd=home.path,
                start_new_session=True,
            )
        finally:
            os.close(log)
        threading.Thread(target=keeper.wait, name="lethe-keeper-wait", daemon=True).start()  # leaves no zombie
        return keeper

    def _becomes_ready(self, home: Home, keeper: subprocess.Popen[bytes]) -> bool:
        deadline = time.monotonic() + self._timeout
        while time.monotonic() < deadline:
            found = cluster.postmaster(home.cluster)
            if found and found.ready and found.process is cluster.Process.OURS:
                return True
            if keeper.poll() is not None:
                return keeper.returncode == FOLDER_IN_USE
            time.sleep(0.01)
        return False

    def _watch(self) -> None:
        failures = 0
        while not self._stopping.wait(_WATCH_SECONDS * min(2**failures, 20)):
            try:
                if self._is_as_it_was():
                    continue
                _logger.warning("the embedded Postgres ended unexpectedly; bringing it back")
                self._addresses = addresses = self._enter(restart=True)
            except Exception as error:  # whatever it is, the next round tries again
                failures += 1
                _logger.error("the embedded Postgres cannot be brought back: %s", error)
                continue
            failures = 0
            if self._on_restart is not None:
                self._on_restart(addresses)

    def _is_as_it_was(self) -> bool:
        if self._home is None or not _is_running(self._home):
            return False
        found = cluster.postmaster(self._home.cluster)
        return found is not None and found.pid == self._server_pid  # another process may have been faster than us

    def _leave(self) -> None:
        """Gives up our use, and waits for the server's end when nobody else uses it."""
        use, home, self._use = self._use, self._home, None
        if use is None or home is None:
            return
        with suppress(OSError, EmbeddedPostgresError), _alone(place.start_lock(self.data_dir), self._timeout):
            last = use.try_exclusive()
            use.close()
            use = None
            others = FileLock(home.users_lock)
            last = last or not others.try_shared()  # then the keeper has it already
            others.close()
            deadline = time.monotonic() + self._timeout
            while last and _is_running(home) and time.monotonic() < deadline:
                time.sleep(0.02)
        if use is not None:
            use.close()


def _is_running(home: Home) -> bool:
    """Whether some Postgres process that a keeper started holds the folder."""
    lock = FileLock(home.folder_lock)
    try:
        return not lock.try_shared()
    finally:
        lock.close()


def _locked(path: Path, take: Callable[[FileLock], bool], timeout: float) -> FileLock:
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
def _alone(path: Path, timeout: float) -> Iterator[None]:
    lock = _locked(path, FileLock.try_exclusive, timeout)
    try:
        yield
    finally:
        lock.close()


def _text_after(path: Path, start: int) -> str:
    with suppress(OSError), path.open("rb") as file:
        file.seek(start)
        return file.read().decode("utf-8", errors="replace")
    return ""
