"""The resolver benchmark: is a changed fact replaced, everywhere and at once, and is nothing else?"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final
from uuid import uuid4

from rich.console import Console

from benchmarks import beam, changing, compatible, factconsolidation
from benchmarks.asking import Answered, ask, write_pool
from benchmarks.client import Client, ServiceFault, connect
from benchmarks.command import FAILED, INTERRUPTED, MISUSED, Options, target, write_whole
from benchmarks.files import DataFault
from benchmarks.metrics import both_sides, later_first
from benchmarks.progress import Progress
from benchmarks.service import StartFault
from benchmarks.shares import Share

PARTS: Final = ("facts", "changes", "compatible", "writers", "beam")
CASES: Final = Path(__file__).resolve().parent.parent / "tests" / "change"
_SHOWN: Final = 40


@dataclass(frozen=True, slots=True)
class Run:
    """A run against one service."""

    client: Client
    many: Client
    options: Options
    progress: Progress
    prefix: str


def run_resolve(options: Options, *, out: Console, err: Console) -> int:
    """Run the resolver benchmark; gives the exit code."""
    results: dict[str, Any] = {"benchmark": "resolve", "complete": False}
    try:
        unknown = [name for name in options.only if name not in PARTS]
        if unknown:
            raise DataFault(f"unknown part {unknown[0]!r}; there are {', '.join(PARTS)}")
        with Progress(err) as progress, target(options, progress) as found:

            async def work() -> None:
                async with (
                    connect(found.address, found.key) as client,
                    connect(found.address, found.key, in_flight=changing.WRITERS) as many,
                ):
                    run = Run(client, many, options, progress, f"resolve-{uuid4().hex[:8]}")
                    for name in options.only:
                        results[name] = await _MEASURES[name](run)
                        _save(results, options, progress)
                    results["complete"] = True

            asyncio.run(work())
            _save(results, options, progress)
    except DataFault as fault:
        return _told(err, str(fault), MISUSED)
    except (ServiceFault, StartFault) as fault:
        return _told(err, str(fault), FAILED)
    except ExceptionGroup as faults:
        return _told(err, str(faults.exceptions[0]), FAILED)
    except KeyboardInterrupt:
        return _told(err, "ended early; what was measured so far is kept", INTERRUPTED)
    text = to_markdown(results)
    out.print(text, highlight=False, markup=False, soft_wrap=True)
    if options.markdown_file is not None:
        write_whole(options.markdown_file, text)
    return 0


async def _facts(run: Run) -> dict[str, Any]:
    facts, questions = factconsolidation.load(run.options.data)
    with (
        run.progress.phase("FactConsolidation: writing", len(facts)) as writing,
        run.progress.phase("FactConsolidation: asking", len(questions)) as asking,
    ):
        return await factconsolidation.measure(
            run.client, f"{run.prefix}-facts", facts, questions, writing=writing, asking=asking
        )


async def _changes(run: Run) -> dict[str, Any]:
    cases = changing.load(CASES)
    found: dict[str, Any] = {}
    for name, gate in (("as offered", True), ("verbatim", False)):
        with run.progress.phase(f"changes, {name}", len(cases)) as advance:
            prefix = f"{run.prefix}-{'gate' if gate else 'plain'}"
            found[name] = await changing.measure(run.client, prefix, cases, gate=gate, advance=advance)
    return found


async def _compatible(run: Run) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, read in (("MSC personas", compatible.personas), ("LoCoMo observations", compatible.observations)):
        users = read(run.options.data)[: run.options.limit]
        with run.progress.phase(name, sum(len(texts) for texts in users)) as advance:
            prefix = f"{run.prefix}-{name.split()[0].lower()}"
            found[name] = await compatible.measure(run.client, prefix, users, advance=advance)
    return found


async def _writers(run: Run) -> dict[str, Any]:
    with run.progress.phase("32 writers, 10 rounds", changing.WRITERS * changing.ROUNDS) as advance:
        return await changing.concurrency(run.many, f"{run.prefix}-writers", advance=advance)


async def _beam(run: Run) -> dict[str, Any]:
    corpus = beam.load(run.options.data)
    kinds: dict[str, Callable[..., float]] = {"knowledge update": later_first, "contradiction resolution": both_sides}
    found: dict[str, Any] = {}
    for name, gate in (("as offered", True), ("verbatim", False)):
        counted: dict[str, list[float]] = {kind: [] for kind in kinds}
        with run.progress.phase(f"BEAM, {name}", corpus.turns) as advance:
            for pool in corpus.pools:
                answered = Answered(f"{run.prefix}-beam-{name.replace(' ', '-')}-{pool.id}")
                await write_pool(run.client, pool, answered, gate=gate, advance=advance)
                for question in pool.questions:
                    if question.kind in kinds:
                        await ask(run.client, answered, question.id, question.text)
                        ranking = answered.rankings[question.id]
                        counted[question.kind].append(kinds[question.kind](ranking, question.first, question.second))
        found[name] = {kind: Share(int(sum(values)), len(values)).to_json() for kind, values in counted.items()}
    return found


_MEASURES: Final[Mapping[str, Callable[[Run], Any]]] = {
    "facts": _facts,
    "changes": _changes,
    "compatible": _compatible,
    "writers": _writers,
    "beam": _beam,
}


def to_markdown(results: Mapping[str, Any]) -> str:
    """Write the results as one table and lists of what went wrong, as they stand in docs/benchmarks.md."""
    rows: list[tuple[str, str]] = []
    lists: list[str] = []
    if facts := results.get("facts"):
        for name, figures in facts["supersession"].items():
            rows.append((f"FactConsolidation 6k, {name}: precision", _share(figures["precision"])))
            rows.append((f"FactConsolidation 6k, {name}: recall", _share(figures["recall"])))
        for name, figure in facts["questions"].items():
            if name != "failed":
                rows.append((f"FactConsolidation 6k: {name}", _share(figure)))
        lists += [f"question: {fault['question']} -> {fault['first']}" for fault in facts["questions"]["failed"]]
    for mode, figures in results.get("changes", {}).items():
        for language, kinds in figures["languages"].items():
            rows += [(f"changes {mode}, {language}, {kind}", _share(figure)) for kind, figure in kinds.items()]
    for name, figures in results.get("compatible", {}).items():
        told = f"{figures['per 1,000 writes']} ({figures['false']} of {figures['writes']})"
        rows.append((f"{name}: false supersessions per 1,000 writes", told))
        lists += [f"{name}: {pair['old']} <- {pair['new']}" for pair in figures["pairs"][:_SHOWN]]
    if writers := results.get("writers"):
        rows.append(("32 writers x 10 rounds", ", ".join(f"{count} {name}" for name, count in writers.items())))
    for mode, figures in results.get("beam", {}).items():
        rows += [(f"BEAM {mode}, {kind}", _share(figure)) for kind, figure in figures.items()]
    table = ["| what | figure |", "| --- | --- |", *(f"| {name} | {figure} |" for name, figure in rows)]
    return "\n".join([*table, "", *(f"- {line}" for line in lists)]) + "\n"


def _share(figure: Mapping[str, Any]) -> str:
    return f"{figure['value']:.3f} ({figure['hits']} of {figure['n']}; {figure['low']:.3f}..{figure['high']:.3f})"


def _save(results: dict[str, Any], options: Options, progress: Progress) -> None:
    results["phases"] = progress.seconds()
    if options.json_file is not None:
        write_whole(options.json_file, json.dumps(results, indent=1, ensure_ascii=False) + "\n")


def _told(err: Console, reason: str, code: int) -> int:
    err.print(f"lethe bench: {reason}", style="bold red", highlight=False, markup=False, soft_wrap=True)
    return code
