"""Postgres' data folder: how it is made, what version it is of, and which process runs on it."""

from __future__ import annotations

import os
import secrets
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum, auto
from pathlib import Path

import psutil

from app.embedded.binaries import Binaries
from app.embedded.errors import EmbeddedPostgresError
from app.embedded.place import Home

# For a small machine, and with a log that never holds what somebody's memories say: neither statements and their
# parameters nor the values that error messages quote. The service receives those errors itself.
DEFAULTS = {
    "shared_buffers": "128MB",
    "max_connections": "100",
    "jit": "off",
    "timezone": "UTC",
    "log_timezone": "UTC",
    "log_line_prefix": "%m [%p] ",
    "log_checkpoints": "off",
    "log_statement": "none",
    "log_min_duration_statement": "-1",
    "log_min_messages": "log",
    "log_min_error_statement": "panic",
    "log_parameter_max_length": "0",
    "log_parameter_max_length_on_error": "0",
    "log_error_verbosity": "terse",
}


class Process(Enum):
    """What a process named by a pid file is."""

    OURS = auto()  # a Postgres of this folder
    UNRELATED = auto()  # something else, or gone
    UNKNOWN = auto()  # a Postgres of we cannot tell which folder


@dataclass(frozen=True, slots=True)
class Postmaster:
    """What postmaster.pid says."""

    pid: int
    port: int | None
    ready: bool
    process: Process


def check_major(cluster: Path, major: int) -> bool:
    """Whether there is a cluster. One of another major version, or a folder that is none, is an error."""
    version = cluster / "PG_VERSION"
    if version.is_file():
        found = version.read_text(encoding="ascii").strip()
        if found == str(major):
            return True
        raise EmbeddedPostgresError(
            f"The data in {cluster} is of Postgres {found}, and Postgres {major} was asked for.",
            f"set LETHE_POSTGRES_MAJOR={found} to go on with it, or begin an empty database in another folder with "
            f"LETHE_DATA_DIR; to take the data along, dump it with {found} and restore it into {major}.",
        )
    if cluster.exists() and any(cluster.iterdir()):
        raise EmbeddedPostgresError(
            f"{cluster} is not a Postgres data folder, and it is not empty.",
            "move it away, or choose another folder with LETHE_DATA_DIR.",
        )
    return False


def clear_leftovers(home: Home) -> None:
    """Removes what an interrupted `create` left. To be called under the start lock."""
    for leftover in home.path.glob("unfinished-*"):
        shutil.rmtree(leftover, ignore_errors=True)


def create(home: Home, binaries: Binaries, password: str, options: Mapping[str, str]) -> None:
    """Makes the cluster beside its place and moves it there when it is complete."""
    work = home.path / f"unfinished-{secrets.token_hex(4)}"
    work.mkdir(mode=0o700)
    password_file = work / "password"
    password_file.touch(mode=0o600)
    password_file.write_text(password, encoding="ascii")
    for path in (work, password_file):
        home.account.give(path)
    locale = ["--locale-provider=builtin", "--builtin-locale=C.UTF-8"] if binaries.major >= 17 else []
    result = home.account.run(
        [
            *(binaries["initdb"], "--pgdata", work / "cluster", "--username=postgres", f"--pwfile={password_file}"),
            *("--auth=scram-sha-256", "--encoding=UTF8", *locale, "--locale=C"),
            *("--data-checksums", "--no-instructions"),
            *(["--no-sync"] if options.get("fsync") == "off" else []),
        ]
    )
    if result.returncode != 0:
        shutil.rmtree(work, ignore_errors=True)
        raise EmbeddedPostgresError(
            f"The database could not be initialised in {home.path}; initdb says:\n{last_lines(result.stdout)}",
            "mend what the lines above name (a full disk, a missing permission, a user without a name), "
            "or choose another folder with LETHE_DATA_DIR.",
        )
    (work / "cluster").rename(home.cluster)
    shutil.rmtree(work, ignore_errors=True)


def postmaster(cluster: Path) -> Postmaster | None:
    """What the pid file says, with what its process really is; None when there is no readable one."""
    try:
        lines = (cluster / "postmaster.pid").read_text(encoding="utf-8", errors="replace").splitlines()
        pid = int(lines[0])
    except (FileNotFoundError, IndexError, ValueError):  # none, or just being written
        return None
    port = int(lines[3]) if len(lines) > 3 and lines[3].strip().isdigit() else None
    return Postmaster(pid, port, len(lines) > 7 and lines[7].strip() == "ready", _identify(pid, cluster))


def _identify(pid: int, cluster: Path) -> Process:
    """Postgres runs as the owner of its folder, works in it and, started by us, names it on its command line."""
    try:
        process = psutil.Process(pid)
        if process.status() == psutil.STATUS_ZOMBIE or "postgres" not in process.name():
            return Process.UNRELATED
        if os.name == "posix" and process.uids().effective != cluster.stat().st_uid:
            return Process.UNRELATED
        command = process.cmdline()
    except psutil.NoSuchProcess:
        return Process.UNRELATED
    except psutil.AccessDenied:
        return Process.UNKNOWN
    named = command[command.index("-D") + 1] if "-D" in command[:-1] else ""
    if os.path.isabs(named):
        return Process.OURS if os.path.realpath(named) == os.path.realpath(cluster) else Process.UNRELATED
    try:
        works_in = process.cwd()
    except psutil.Error:
        return Process.UNKNOWN
    return Process.OURS if os.path.realpath(works_in) == os.path.realpath(cluster) else Process.UNRELATED


def last_lines(text: str, count: int = 12) -> str:
    """The end of a program's output, indented for an error message."""
    return "\n".join(f"    {line}" for line in text.strip().splitlines()[-count:])
