"""`lethe bench`: measuring a service. The benchmarks themselves stand beside the package, in a checkout."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Any, NoReturn

import typer
from rich.console import Console

bench = typer.Typer(no_args_is_help=True, help="Measure a service against data. From a checkout only.")

out, err = Console(), Console(stderr=True)

DataDir = Annotated[
    Path, typer.Option("--data", envvar="LETHE_BENCH_DATA", help="Folder with the data sets, as published.")
]
Url = Annotated[str | None, typer.Option(help="The service under test; without: a fresh one, ended afterwards.")]
Key = Annotated[str | None, typer.Option(envvar="LETHE_KEY", help="A key of it; see docs/benchmarks.md for scopes.")]
JsonFile = Annotated[Path | None, typer.Option("--json", help="Write the results here, also when ended early.")]


@bench.command()
def quality(
    data: DataDir,
    url: Url = None,
    key: Key = None,
    only: Annotated[str, typer.Option(help="Data sets, with commas between.")] = "locomo,beam,prefeval",
    limit: Annotated[int | None, typer.Option(min=1, help="Questions per user, for a quick look.")] = None,
    gate: Annotated[bool, typer.Option(help="Measure with the gate on, too.")] = True,
    cache: Annotated[Path | None, typer.Option(help="Folder for computed vectors (~/.cache/lethe-bench).")] = None,
    json_file: JsonFile = None,
    markdown: Annotated[Path | None, typer.Option(help="Write the tables as Markdown here.")] = None,
) -> None:
    """Recall on LoCoMo, BEAM and PrefEval, beside simple methods on the same texts and vectors."""
    command = _command()
    options = command.Options(
        data=data,
        url=url,
        key=key,
        only=tuple(name.strip() for name in only.split(",") if name.strip()),
        limit=limit,
        gate=gate,
        cache=cache or command.DEFAULT_CACHE,
        json_file=json_file,
        markdown_file=markdown,
    )
    raise typer.Exit(command.run_quality(options, out=out, err=err))


@bench.command()
def resolve(
    data: DataDir,
    url: Url = None,
    key: Key = None,
    only: Annotated[str, typer.Option(help="Parts, with commas between.")] = "facts,changes,compatible,writers,beam",
    limit: Annotated[int | None, typer.Option(min=1, help="Users of compatible facts, for a quick look.")] = None,
    json_file: JsonFile = None,
    markdown: Annotated[Path | None, typer.Option(help="Write the table as Markdown here.")] = None,
) -> None:
    """Changed facts: is the newest the one that is recalled, and is nothing else retired?"""
    command = _command()
    from benchmarks.resolve import run_resolve

    options = command.Options(
        data=data,
        url=url,
        key=key,
        only=tuple(name.strip() for name in only.split(",") if name.strip()),
        limit=limit,
        json_file=json_file,
        markdown_file=markdown,
    )
    raise typer.Exit(run_resolve(options, out=out, err=err))


@bench.command()
def gate(
    data: DataDir,
    url: Url = None,
    key: Key = None,
    only: Annotated[str, typer.Option(help="Parts, with commas between.")] = "turns,kinds,corpus,same,recall",
    limit: Annotated[int | None, typer.Option(min=1, help="Questions per user of the recall part.")] = None,
    cache: Annotated[Path | None, typer.Option(help="Folder for computed vectors (~/.cache/lethe-bench).")] = None,
    json_file: JsonFile = None,
    markdown: Annotated[Path | None, typer.Option(help="Write the tables as Markdown here.")] = None,
) -> None:
    """What the gate keeps and refuses, against labels; verdicts in process, the recall part over HTTP."""
    command = _command()
    from benchmarks.gate import run_gate

    options = command.Options(
        data=data,
        url=url,
        key=key,
        only=tuple(name.strip() for name in only.split(",") if name.strip()),
        limit=limit,
        cache=cache or command.DEFAULT_CACHE,
        json_file=json_file,
        markdown_file=markdown,
    )
    raise typer.Exit(run_gate(options, out=out, err=err))


@bench.command()
def speed(
    stores: Annotated[str, typer.Option(help="Sizes of the store in memories.")] = "10000,100000,1000000",
    owners: Annotated[str, typer.Option(help="How many memories those have who ask.")] = "100,1000,10000,200000",
    clients: Annotated[str, typer.Option(help="Clients at once over HTTP.")] = "1,8,32",
    searches: Annotated[int, typer.Option(min=10, help="A figure rests on so many searches at most,")] = 200,
    seconds: Annotated[float, typer.Option(min=0.5, help="and on so many seconds.")] = 5.0,
    peers: Annotated[str, typer.Option(help="Other libraries: langgraph, mem0, or none.")] = "langgraph,mem0",
    peer_stores: Annotated[str, typer.Option(help="At which sizes of the store they are searched.")] = "10000,100000",
    database_url: Annotated[str | None, typer.Option(help="An empty database, as the app role; it is emptied.")] = None,
    migration_url: Annotated[str | None, typer.Option(help="The same, as its owner.")] = None,
    cache: Annotated[Path | None, typer.Option(help="Folder for the peers' packages (~/.cache/lethe-bench).")] = None,
    json_file: JsonFile = None,
    markdown: Annotated[Path | None, typer.Option(help="Write the tables as Markdown here.")] = None,
) -> None:
    """How long a recall takes, by size of store and owner, beside a raw floor and beside other libraries."""
    shared = _command()
    from benchmarks.speed import command
    from benchmarks.speed.timing import Limits

    options = command.Options(
        stores=_numbers(stores),
        owners=_numbers(owners),
        clients=_numbers(clients),
        limits=Limits(searches=searches, seconds=seconds),
        peers=() if peers == "none" else tuple(name.strip() for name in peers.split(",") if name.strip()),
        peer_stores=_numbers(peer_stores),
        database_url=database_url,
        migration_url=migration_url,
        cache=cache or shared.DEFAULT_CACHE,
        json_file=json_file,
        markdown_file=markdown,
    )
    raise typer.Exit(command.run_speed(options, out=out, err=err))


def _later(name: str, what: str) -> None:
    @bench.command(name, help=f"{what} (comes with later work).")
    def later(
        data: Annotated[Path | None, typer.Option("--data", envvar="LETHE_BENCH_DATA", help="Data folder.")] = None,
        url: Url = None,
        key: Key = None,
        json_file: JsonFile = None,
    ) -> None:
        _fail(f"`lethe bench {name}` comes with later work; `lethe bench quality` is there")


_later("forget", "Is what was forgotten gone from every answer and table")
_later("walls", "Does anything cross users or tenants")


def _numbers(listed: str) -> tuple[int, ...]:
    try:
        return tuple(int(number.replace("_", "")) for number in listed.split(",") if number.strip())
    except ValueError:
        _fail(f"{listed!r} is not a list of whole numbers with commas between")


def _command() -> Any:
    try:
        from benchmarks import command
    except ModuleNotFoundError as missing:
        if missing.name != "benchmarks":
            raise
        _fail("the benchmarks are not part of the installed package; run `lethe bench` from a checkout")
    return command


def _fail(reason: str) -> NoReturn:
    err.print(f"lethe: {reason}", style="bold red", highlight=False, markup=False, soft_wrap=True)
    sys.exit(2)
