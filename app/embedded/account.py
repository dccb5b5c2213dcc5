"""The operating system account that Postgres runs under: ours, or an unprivileged one when we are root."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from app.embedded.errors import OWN_DATABASE, EmbeddedPostgresError

_CANDIDATES = ("lethe", "postgres", "nobody")
_KEPT_VARIABLES = ("PATH", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "TMPDIR", "TEMP", "TMP", "SYSTEMROOT")


@dataclass(frozen=True, slots=True)
class Account:
    """Where uid is None, the account of this process."""

    name: str
    uid: int | None = None
    gid: int | None = None

    def run(self, command: Sequence[str | Path], *, timeout: float = 300) -> subprocess.CompletedProcess[str]:
        """Runs a command as this account, with an environment that holds none of our secrets."""
        try:
            return subprocess.run(  # noqa: S603 -- callers pass the bundled programs only
                [str(part) for part in command],
                user=self.uid,
                group=self.gid,
                extra_groups=None if self.uid is None else [],
                env=environment(),
                cwd=os.path.abspath(os.sep),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                errors="replace",
                timeout=timeout,
                check=False,
            )
        except PermissionError as error:
            if error.errno != errno.EPERM:
                raise
            raise EmbeddedPostgresError(
                f"Postgres refuses to run as root, and this root may not become user {self.name} (a container without "
                "the capabilities SETUID and SETGID).",
                "start Lethe as an ordinary user, or grant those capabilities.",
            ) from error
        except subprocess.SubprocessError as error:
            raise EmbeddedPostgresError(
                f"{Path(command[0]).name} could not be run as user {self.name}: {error}", f"{OWN_DATABASE}."
            ) from error

    def can_enter(self, folder: Path) -> bool:
        """Whether this account can reach what lies in the folder."""
        return self.uid is None or self.run(["/bin/sh", "-c", 'cd -- "$1"', "sh", folder]).returncode == 0

    def give(self, path: Path) -> None:
        """Hands a file or folder that we just made to this account."""
        if self.uid is not None and self.gid is not None:
            os.chown(path, self.uid, self.gid)


def is_root() -> bool:
    """Whether this process may, and for Postgres must, act as somebody else."""
    return sys.platform != "win32" and os.geteuid() == 0


def account_for(cluster: Path) -> Account:
    """The owner of an existing cluster; otherwise this process's user, or as root the first unprivileged one."""
    if sys.platform == "win32":
        return Account("the current user")
    import pwd

    owner = cluster.stat().st_uid if cluster.exists() else None
    if not is_root():
        if owner not in {None, os.geteuid()}:
            raise EmbeddedPostgresError(
                f"The Postgres data in {cluster} belongs to another user (uid {owner}), "
                f"and this process runs as uid {os.geteuid()}.",
                "start Lethe as root or as that user, or choose another folder with LETHE_DATA_DIR.",
            )
        return Account("the current user")
    if owner == 0:
        raise EmbeddedPostgresError(
            f"The Postgres data in {cluster} belongs to root, and Postgres refuses to run as root.",
            f"give it to an ordinary user, for instance `chown -R nobody '{cluster}'`.",
        )
    for candidate in _CANDIDATES if owner is None else (owner,):
        try:
            entry = pwd.getpwuid(candidate) if isinstance(candidate, int) else pwd.getpwnam(candidate)
        except KeyError:
            continue
        return Account(entry.pw_name, entry.pw_uid, entry.pw_gid)
    raise EmbeddedPostgresError(
        "Postgres refuses to run as root, and no unprivileged user was found to run it as"
        + (f" (the data belongs to uid {owner}, which has no name here)." if owner else "."),
        "start Lethe as an ordinary user, or add a system user named lethe.",
    )


def environment() -> dict[str, str]:
    """The environment of every bundled program: fixed language and time zone, no PG* variables, no secrets."""
    kept = {name: os.environ[name] for name in _KEPT_VARIABLES if name in os.environ}
    return kept | {"LC_ALL": "C", "TZ": "UTC"}
