"""Launching the server: its port, its settings, its keeper, and the wait until it is ready."""

from __future__ import annotations

import os
import subprocess
import threading
import time
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from app.embedded import cluster, port
from app.embedded.account import environment
from app.embedded.binaries import Binaries
from app.embedded.errors import EmbeddedPostgresError
from app.embedded.keeper import FOLDER_IN_USE, Plan
from app.embedded.place import Home

_LOG_LIMIT = 4 * 1024 * 1024


def launch(home: Home, binaries: Binaries, options: Mapping[str, str], *, timeout: float, keep_port: bool) -> None:
    """Starts a server and waits until it is ready. Returns as well when another process was faster.

    To be called under the start lock, while we hold the users' lock and no server runs.
    """
    stale = _harmless_pid_file(home, binaries)
    if home.log.exists() and home.log.stat().st_size > _LOG_LIMIT:
        home.log.replace(home.log.with_suffix(".log.1"))
    for _ in range(3):  # somebody may take the port between our look and Postgres' own
        chosen = _choose_port(home, keep=keep_port)
        log_start = home.log.stat().st_size if home.log.exists() else 0
        keeper = _start_keeper(home, binaries, {**options, "port": str(chosen)}, stale)
        if _becomes_ready(home, keeper, timeout):
            return
        said = _text_after(home.log, log_start)
        if "could not bind" not in said:
            break
    raise EmbeddedPostgresError(
        f"Postgres did not start on {home.cluster}; its log {home.log} ends with:\n{cluster.last_lines(said)}",
        "mend what the lines above name, or choose another folder with LETHE_DATA_DIR.",
    )


def _choose_port(home: Home, *, keep: bool) -> int:
    wanted = port.stored(home.path)
    if wanted is not None and port.is_free(wanted):
        return wanted
    if wanted is not None and keep:
        raise EmbeddedPostgresError(
            f"The port {wanted} of the embedded Postgres was taken by another program.",
            "end that program, or start Lethe anew: it then chooses another port.",
        )
    return port.choose()


def _start_keeper(
    home: Home, binaries: Binaries, options: Mapping[str, str], stale: cluster.Postmaster | None
) -> subprocess.Popen[bytes]:
    settings = {**cluster.DEFAULTS, **options, "listen_addresses": "127.0.0.1", "unix_socket_directories": ""}
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


def _becomes_ready(home: Home, keeper: subprocess.Popen[bytes], timeout: float) -> bool:
    deadline = time.monotonic() + timeout
    while time.monotonic() < deadline:
        found = cluster.postmaster(home.cluster)
        if found and found.ready and found.process is cluster.Process.OURS:
            return True
        if keeper.poll() is not None:
            return keeper.returncode == FOLDER_IN_USE
        time.sleep(0.01)
    return False


def _harmless_pid_file(home: Home, binaries: Binaries) -> cluster.Postmaster | None:
    """The pid file of a server that ended badly, when there is one; that of a server somebody runs is an error."""
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
    return stale


def _text_after(path: Path, start: int) -> str:
    with suppress(OSError), path.open("rb") as file:
        file.seek(start)
        return file.read().decode("utf-8", errors="replace")
    return ""
