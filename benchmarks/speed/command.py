"""`lethe bench speed`: loads stores of growing size, measures at each, and judges the figures against targets."""

from __future__ import annotations

import asyncio
import os
import platform
import secrets
import signal
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

import asyncpg
import psutil
from rich.console import Console

from app.embedded import EmbeddedPostgres, EmbeddedPostgresError
from app.providers.local import LocalEmbedder
from app.providers.ports import Embedder
from app.store.migrate import MigrationFault, migrate, role_of
from benchmarks.command import DEFAULT_CACHE, FAILED, INTERRUPTED, MISUSED, spelled, write_whole
from benchmarks.files import work_folder
from benchmarks.progress import Progress
from benchmarks.service import StartFault
from benchmarks.speed import peers
from benchmarks.speed.data import plan, questions
from benchmarks.speed.load import connected, load, size_of
from benchmarks.speed.measure import Bench, in_process, over_http, reference
from benchmarks.speed.report import print_report, put_into
from benchmarks.speed.targets import targets
from benchmarks.speed.timing import Limits
from benchmarks.speed.wire import WireFault

QUESTIONS: Final = 1000


@dataclass(frozen=True, slots=True)
class Options:
    """What the command was asked for.

    Attributes:
        stores: Sizes of the store in memories, each measured in turn.
        owners: How many memories those have who are asked.
        clients: How many clients search at once over HTTP.
        limits: When a figure is good enough.
        peers: Which other libraries are searched too.
        peer_stores: At which sizes of the store.
        database_url: An empty database, as the app role; None for an embedded Postgres of the run's own.
        migration_url: The same as its owner.
        cache: Folder of the peers' environment.
        json_file: Where the results go.
        markdown_file: Where the tables go.
        long: Searches on one connection that must all be complete.
        postgres: Server settings of the embedded Postgres; for tests.
    """

    stores: tuple[int, ...] = (10_000, 100_000, 1_000_000)
    owners: tuple[int, ...] = (100, 1_000, 10_000, 200_000)
    clients: tuple[int, ...] = (1, 8, 32)
    limits: Limits = field(default_factory=Limits)
    peers: tuple[str, ...] = peers.NAMES
    peer_stores: tuple[int, ...] = (10_000, 100_000)
    database_url: str | None = None
    migration_url: str | None = None
    cache: Path = DEFAULT_CACHE
    json_file: Path | None = None
    markdown_file: Path | None = None
    long: int = 1000
    postgres: dict[str, str] = field(default_factory=dict)


class Misused(Exception):
    """The options do not go together; the text says why."""


def run_speed(options: Options, *, out: Console, err: Console) -> int:
    """Run the speed benchmark; gives the exit code."""
    results: dict[str, Any] = {}

    def save() -> None:
        results["targets"] = targets(results)
        if options.json_file is not None:
            write_whole(options.json_file, spelled(results))

    try:
        _check(options)
        with (
            _terminated_as_interrupted(),
            Progress(err) as progress,
            work_folder() as folder,
            _database(options, folder, progress) as found,
        ):
            results.update(_head(options))
            _run(options, results, save, progress, folder, found)
            results |= {"complete": True, "phases": progress.seconds()}
            save()
    except Misused as fault:
        return _told(err, str(fault), MISUSED)
    except (StartFault, WireFault, EmbeddedPostgresError, MigrationFault, asyncpg.PostgresError, OSError) as fault:
        return _told(err, str(fault), FAILED)
    except KeyboardInterrupt:
        return _told(err, "ended early; what was measured so far is kept", INTERRUPTED)
    print_report(results, out)
    if options.markdown_file is not None:
        old = options.markdown_file.read_text(encoding="utf-8") if options.markdown_file.exists() else ""
        write_whole(options.markdown_file, put_into(old, results))
    for told in results["faults"]:
        err.print(f"FAULT  {told}", style="bold red", highlight=False, markup=False)
    return FAILED if results["faults"] else 0


@dataclass(frozen=True, slots=True)
class _Found:
    """A migrated, empty database."""

    app_url: str
    owner_url: str
    secret_key: str


def _run(options: Options, results: dict[str, Any], save: Any, progress: Progress, folder: Path, found: _Found) -> None:
    embedder = LocalEmbedder()
    bench = Bench(
        app_url=found.app_url,
        secret_key=found.secret_key,
        folder=folder,
        embedder=embedder,
        asked=questions(QUESTIONS, dimension=embedder.dimension),
        limits=options.limits,
        clients=options.clients,
        long=options.long,
        durable=not options.postgres,
    )
    python = peers.environment(options.cache.expanduser(), progress) if options.peers else None

    async def work() -> None:
        await embedder.warm()
        results["server"] = await _server(found.owner_url)
        for step in plan(options.stores, options.owners):
            cell = await _loaded(bench, step, found, progress)
            results["stores"].append(cell)
            save()
            await in_process(bench, step, progress, save, cell)
            await over_http(bench, step, progress, save, cell)
            if python is not None and step.total in options.peer_stores:
                beside: dict[str, Any] = {
                    "store": step.total,
                    "as_shipped": {},
                    "in_turns": {},
                    "load": {},
                    "bytes": {},
                }
                results["peers"].append(beside)
                await peers.beside(bench, step, options.peers, python, found.owner_url, progress, save, beside)
            results["faults"] = _faults(results)
            save()
        await embedder.close()

    asyncio.run(work())


async def _loaded(bench: Bench, step: Any, found: _Found, progress: Progress) -> dict[str, Any]:
    embedder: Embedder = bench.embedder
    with progress.phase(f"{step.total:,} memories, loading", step.rows) as advance:
        await load(
            found.owner_url,
            step,
            sealing=bench.sealing,
            model=embedder.model_id,
            dimension=embedder.dimension,
            now=datetime.now(UTC),
            advance=advance,
        )
    async with connected(found.owner_url) as connection:
        size = await size_of(connection, "memories", "memory_counters")
    return {
        "store": step.total,
        "reference": reference(step),
        "people_asked": {str(rows): len(people) for rows, people in step.probes.items()},
        "bytes": size,
        "load_average": round(os.getloadavg()[0], 2),
        "in_process": {},
        "over_http": {},
        "load": {},
    }


def _faults(results: dict[str, Any]) -> list[str]:
    """Name what must never happen: fewer rows than there are."""
    found = []
    for cell in results["stores"]:
        if cell.get("complete", {}).get("share", 1.0) < 1.0:
            found.append(f"{cell['store']:,} memories: {cell['complete']['share']:.2%} of long searches were complete")
        for part in ("in_process", "over_http"):
            for rows, ways in cell[part].items():
                for name, figures in ways.items():
                    if figures["full"] < 1.0:
                        found.append(f"{cell['store']:,} memories, owner of {rows}: {name} gave too few rows")
    return found


def _check(options: Options) -> None:
    if not options.stores or min(options.stores) < 20 or not options.owners or min(options.owners) < 10:
        raise Misused("a store needs at least 20 memories, and an owner at least 10")
    if 2 * min(options.owners) > min(options.stores):
        raise Misused("the smallest owner must fit into half of the smallest store")
    if not options.clients or not 1 <= min(options.clients) <= max(options.clients) <= 200:
        raise Misused("--clients must be between 1 and 200")
    if unknown := set(options.peers) - set(peers.NAMES):
        raise Misused(f"no such peer: {', '.join(sorted(unknown))}; there are {', '.join(peers.NAMES)} and none")
    if (options.database_url is None) != (options.migration_url is None):
        raise Misused("--database-url (as the app role) and --migration-url (as the owner) go together")


@contextmanager
def _database(options: Options, folder: Path, progress: Progress) -> Iterator[_Found]:
    """Give a migrated, empty database: an embedded one that goes with the run, or the one that is named."""
    if options.database_url is not None and options.migration_url is not None:
        asyncio.run(migrate(options.migration_url, app_role=role_of(options.database_url)))
        if asyncio.run(_tenants(options.migration_url)):
            raise Misused("the database holds tenants; this benchmark wants an empty one, and empties it afterwards")
        try:
            yield _Found(options.database_url, options.migration_url, secrets.token_urlsafe(48))
        finally:
            asyncio.run(_emptied(options.migration_url))
        return
    with progress.phase("starting a Postgres", 1) as advance:
        postgres = EmbeddedPostgres(folder / "pg", options=options.postgres)
        addresses = postgres.start()
        advance(1)
    try:
        asyncio.run(migrate(addresses.owner_url, app_role=role_of(addresses.app_url)))
        yield _Found(addresses.app_url, addresses.owner_url, addresses.secret_key)
    finally:
        postgres.stop()


@contextmanager
def _terminated_as_interrupted() -> Iterator[None]:
    """Let SIGTERM end the run as Ctrl-C does, so that its processes and its folder go with it."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


async def _tenants(owner_url: str) -> int:
    async with connected(owner_url) as connection:
        found: int = await connection.fetchval("select count(*) from tenants")
        return found


async def _emptied(owner_url: str) -> None:
    async with connected(owner_url) as connection:
        await connection.execute("truncate tenants, deployment cascade")


async def _server(owner_url: str) -> dict[str, str]:
    async with connected(owner_url) as connection:
        names = ("server_version", "shared_buffers", "fsync")
        told = {name: await connection.fetchval(f"select current_setting('{name}')") for name in names}
        told["pgvector"] = await connection.fetchval("select extversion from pg_extension where extname = 'vector'")
        return told


def _head(options: Options) -> dict[str, Any]:
    return {
        "benchmark": "speed",
        "complete": False,
        "at": datetime.now(UTC).date().isoformat(),
        "machine": {
            "cpu": _cpu(),
            "cores": os.cpu_count(),
            "memory_gb": round(psutil.virtual_memory().total / 2**30),
            "python": platform.python_version(),
        },
        "limits": {"searches": options.limits.searches, "seconds": options.limits.seconds},
        "pins": list(peers.PINS) if options.peers else [],
        "stores": [],
        "peers": [],
        "targets": [],
        "faults": [],
        "phases": {},
    }


def _cpu() -> str:
    try:
        lines: Sequence[str] = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.processor() or platform.machine()
    return next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), platform.machine())


def _told(err: Console, reason: str, code: int) -> int:
    err.print(f"lethe bench: {reason}", style="bold red", highlight=False, markup=False, soft_wrap=True)
    return code
