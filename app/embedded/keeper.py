"""The keeper: a small program that runs Postgres for exactly as long as some service process uses it.

Every service process holds a shared lock on a file. The system releases it when the process ends, by whatever means,
kill -9 included. The keeper tries to lock that file for itself alone: once that works nobody is left, and it shuts
Postgres down. Keeper and Postgres live in a session of their own, so Ctrl-C in a terminal reaches the service only,
which can finish its requests first.

Postgres inherits a second lock, which therefore says, as long as any of its processes lives, that the folder is in use.

The file is run by its path and imports the standard library only, so that it starts in a few hundredths of a second.
"""

from __future__ import annotations

import ctypes
import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path

FOLDER_IN_USE = 75  # the keeper's exit code when another Postgres holds the folder
PAUSE_SECONDS = 0.1
_PR_SET_PDEATHSIG = 1


class FileLock:
    """A lock on a file, shared or exclusive, held until closed or until the process ends."""

    def __init__(self, path: Path) -> None:
        self.fd = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)

    def try_shared(self) -> bool:
        """Takes the lock together with others; False when somebody has it alone."""
        return _try_lock(self.fd, exclusive=False)

    def try_exclusive(self) -> bool:
        """Takes the lock alone; False when somebody else has it."""
        return _try_lock(self.fd, exclusive=True)

    def close(self) -> None:
        """Releases the lock."""
        os.close(self.fd)


if sys.platform == "win32":
    import msvcrt

    _RANGE = 1 << 20  # shared: any one byte of the range; exclusive: all of it

    def _try_lock(fd: int, *, exclusive: bool) -> bool:
        os.lseek(fd, 0 if exclusive else random.randrange(_RANGE), os.SEEK_SET)  # noqa: S311 -- no secret
        try:
            msvcrt.locking(fd, msvcrt.LK_NBLCK, _RANGE if exclusive else 1)
        except OSError:
            return False
        return True

else:
    import fcntl

    def _try_lock(fd: int, *, exclusive: bool) -> bool:
        try:
            fcntl.flock(fd, (fcntl.LOCK_EX if exclusive else fcntl.LOCK_SH) | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True


@dataclass(frozen=True, slots=True)
class Plan:
    """What the keeper is told on its command line; nothing secret."""

    postgres: list[str]
    stop: list[str]
    environment: dict[str, str]
    uid: int | None
    gid: int | None
    users_lock: str
    folder_lock: str

    def command(self) -> list[str]:
        """The command line that runs this plan."""
        return [sys.executable, "-I", "-S", __file__, json.dumps(asdict(self))]


def keep(plan: Plan) -> int:
    """Runs Postgres until it ends or until nobody uses it, and returns its exit code."""
    folder, users = FileLock(Path(plan.folder_lock)), FileLock(Path(plan.users_lock))
    deadline = time.monotonic() + 10
    while not folder.try_exclusive():
        if time.monotonic() > deadline:
            return FOLDER_IN_USE
        time.sleep(PAUSE_SECONDS)
    posix = os.name == "posix"
    postgres = subprocess.Popen(  # noqa: S603 -- the command comes from our own launcher
        plan.postgres,
        env=plan.environment,
        user=plan.uid,
        group=plan.gid,
        extra_groups=None if plan.uid is None else [],
        pass_fds=(folder.fd,) if posix else (),
        preexec_fn=_end_with_keeper() if posix else None,  # noqa: PLW1509 -- this program has one thread
    )
    while postgres.poll() is None:
        if users.try_exclusive():
            _stop(postgres, plan)
            break
        time.sleep(PAUSE_SECONDS)
    return postgres.wait()


def _stop(postgres: subprocess.Popen[bytes], plan: Plan) -> None:
    """Fast shutdown: sessions are cut, the data is written. Immediate shutdown when that hangs; nothing is lost."""
    if os.name != "posix":
        subprocess.run(plan.stop, check=False, env=plan.environment)  # noqa: S603 -- from our own launcher
        return
    postgres.send_signal(signal.SIGINT)
    try:
        postgres.wait(60)
    except subprocess.TimeoutExpired:
        postgres.send_signal(signal.SIGQUIT)


def _end_with_keeper() -> Callable[[], None] | None:
    """On Linux even a killed keeper takes Postgres along: the kernel then sends it the fast shutdown signal.

    The signal fires when the forking *thread* ends and is cleared by a change of user: this program has one thread
    only, and subprocess runs this hook after the change.
    """
    if sys.platform != "linux":
        return None
    libc, keeper = ctypes.CDLL(None), os.getpid()

    def hook() -> None:
        libc.prctl(_PR_SET_PDEATHSIG, int(signal.SIGINT), 0, 0, 0)
        if os.getppid() != keeper:
            os._exit(1)

    return hook


def main() -> None:
    """Entry point of the program."""
    for name in ("SIGINT", "SIGTERM", "SIGHUP"):  # the users' lock alone decides when to stop
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), lambda *_: None)
    sys.exit(min(abs(keep(Plan(**json.loads(sys.argv[1])))), 255))


if __name__ == "__main__":
    main()
