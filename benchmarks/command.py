"""What every benchmark shares: the data folder, the service, progress, the table, the results file, the exit code."""

from __future__ import annotations

import asyncio
import json
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from rich.console import Console

from benchmarks import datasets
from benchmarks.client import ServiceFault, connect
from benchmarks.files import DataFault
from benchmarks.progress import Progress
from benchmarks.quality import Plan, measure
from benchmarks.report import print_report, put_into
from benchmarks.service import StartFault, Target, own_service

DEFAULT_CACHE: Final = Path("~/.cache/lethe-bench")
FAILED: Final = 1
MISUSED: Final = 2
INTERRUPTED: Final = 130
_FIGURE: Final = re.compile(r'\{\s+"value": [^{}]+\}')


@dataclass(frozen=True, slots=True)
class Options:
    """The options that all benchmarks take.

    Attributes:
        data: Folder with the data sets.
        url: Address of the service under test; None for one of the benchmark's own.
        key: Its key.
        only: Names of the data sets.
        limit: Questions per user; None for all.
        gate: Measure with the gate on, too.
        cache: Folder of the vectors.
        json_file: Where the results go.
        markdown_file: Where the tables go; between their marks, if the file has such.
    """

    data: Path
    url: str | None = None
    key: str | None = None
    only: tuple[str, ...] = datasets.NAMES
    limit: int | None = None
    gate: bool = True
    cache: Path = DEFAULT_CACHE
    json_file: Path | None = None
    markdown_file: Path | None = None


def run_quality(options: Options, *, out: Console, err: Console) -> int:
    """Run the quality benchmark; gives the exit code."""
    saved: dict[str, Any] = {}

    def save(results: dict[str, Any]) -> None:
        saved.update(results)
        if options.json_file is not None:
            write_whole(options.json_file, spelled(results))

    try:
        corpora = [corpus.limited(options.limit) for corpus in datasets.load(options.data, options.only)]
        with Progress(err) as progress, target(options, progress) as found:
            plan = Plan(corpora, options.cache.expanduser(), gate=options.gate, clean=not found.own, save=save)

            async def work() -> dict[str, Any]:
                async with connect(found.address, found.key) as client:
                    return await measure(client, plan, progress)

            results = asyncio.run(work())
    except DataFault as fault:
        return _told(err, str(fault), MISUSED)
    except (ServiceFault, StartFault) as fault:
        return _told(err, str(fault), FAILED)
    except KeyboardInterrupt:
        return _told(err, "ended early; what was measured so far is kept", INTERRUPTED)
    print_report(results, out)
    if options.markdown_file is not None:
        old = options.markdown_file.read_text(encoding="utf-8") if options.markdown_file.exists() else ""
        write_whole(options.markdown_file, put_into(old, results))
    return FAILED if results["faults"] else 0


@contextmanager
def target(options: Options, progress: Progress) -> Iterator[Target]:
    """Give the service under test: the one named, or a fresh one.

    Raises:
        DataFault: An address without a key.
        StartFault: The own service does not start.
    """
    if options.url is not None:
        if not options.key:
            raise DataFault(
                "--url needs --key (or LETHE_KEY), with the scopes memory:read, :write, :import and :forget"
            )
        yield Target(options.url.rstrip("/"), options.key)
        return
    with progress.phase("starting a service", 1) as advance:
        service = own_service()
        found = service.__enter__()
        advance(1)
    try:
        yield found
    finally:
        service.__exit__(None, None, None)


def spelled(results: dict[str, Any]) -> str:
    """Write results as JSON for reading, one figure a line."""
    text = json.dumps(results, indent=1, ensure_ascii=False)
    return _FIGURE.sub(lambda found: " ".join(found[0].split()), text) + "\n"


def write_whole(path: Path, text: str) -> None:
    """Write a file at once, so that an interruption leaves the old one or the new one."""
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f"{path.name}.{os.getpid()}.part")
    temporary.write_text(text, encoding="utf-8")
    temporary.replace(path)


def _told(err: Console, reason: str, code: int) -> int:
    err.print(f"lethe bench: {reason}", style="bold red", highlight=False, markup=False, soft_wrap=True)
    return code
