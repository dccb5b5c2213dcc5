"""Results for people: tables in a terminal, and the same as Markdown."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from rich.console import Console
from rich.table import Table

from benchmarks.figures import ALL, SERVICE

_COLUMNS: Final = ("hit@1", "hit@5", "hit@10", "recall@5", "recall@10", "recall@20", "mrr", "ndcg@10")
_HEAD: Final = "recall@10"
_OUTCOMES: Final = ("stored", "reinforced", "superseded", "held", "disputed", "quarantined", "dropped")
_WIDTH: Final = 150


@dataclass(frozen=True, slots=True)
class Sheet:
    """A table: a title, the names of its columns, and its rows."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


def sheets(results: Mapping[str, Any]) -> Iterator[Sheet]:
    """Lay the results out as tables."""
    for corpus in results["corpora"]:
        for level, rows in corpus["levels"].items():
            yield _overall(corpus, level, rows)
        first: list[Any] = next(iter(corpus["levels"].values()), [])
        if first and len(first[0]["kinds"]) > 1:
            yield _by_kind(corpus, first)
    yield from _scores(results)
    yield from _gate(results)
    yield _written(results)


def print_report(results: Mapping[str, Any], console: Console) -> None:
    """Print all tables, the faults and the time taken."""
    if not console.is_terminal:
        console = Console(file=console.file, width=_WIDTH)
    for sheet in sheets(results):
        table = Table(*sheet.columns, title=sheet.title, title_justify="left", title_style="bold")
        for place, column in enumerate(table.columns):
            column.justify = "right" if place else "left"
            column.min_width = max((len(row[place]) for row in sheet.rows), default=0)
        for row in sheet.rows:
            table.add_row(*row, style="bold" if row[0] == SERVICE else None)
        console.print(table)
    for fault in results["faults"]:
        console.print(f"FAULT  {fault}", style="bold red", highlight=False, markup=False)
    phases = results["phases"]
    total = sum(phases.values()) or 1.0
    for name, seconds in phases.items():
        console.print(f"{seconds:7.1f} s {seconds / total:4.0%}  {name}", highlight=False, markup=False)
    console.print(f"{total:7.1f} s in all", highlight=False)


def to_markdown(results: Mapping[str, Any]) -> str:
    """Write all tables as Markdown, as they stand in docs/benchmarks.md."""
    parts = []
    for sheet in sheets(results):
        lines = [
            f"**{sheet.title}**",
            "",
            _line(sheet.columns),
            _line(["---", *["---:"] * (len(sheet.columns) - 1)]),
            *(_line(row) for row in sheet.rows),
        ]
        parts.append("\n".join(lines))
    return "\n\n".join(parts) + "\n"


def put_into(document: str, results: Mapping[str, Any]) -> str:
    """Put the tables between the marks of a document; a document without marks becomes the tables.

    The marks are HTML comments, `<!-- quality -->` and `<!-- /quality -->` for the benchmark of that name.
    """
    name = results["benchmark"]
    begin, end = f"<!-- {name} -->", f"<!-- /{name} -->"
    if begin not in document or end not in document:
        return to_markdown(results)
    before, _, rest = document.partition(begin)
    _, _, after = rest.partition(end)
    return f"{before}{begin}\n\n{to_markdown(results)}\n{end}{after}"


def _overall(corpus: Mapping[str, Any], level: str, rows: Sequence[Mapping[str, Any]]) -> Sheet:
    n = rows[0]["kinds"][ALL][_HEAD]["n"] if rows and ALL in rows[0]["kinds"] else 0
    counts = f"{n} questions on {corpus['turns']} {corpus['turn']}s of {corpus['pools']} users"
    return Sheet(
        title=f"{corpus['title']}, by {level} ({counts})",
        columns=("system", *_COLUMNS, f"{_HEAD}, 95%", "Lethe ahead by"),
        rows=tuple(
            (
                row["system"],
                *(_short(row["kinds"][ALL][name]["value"]) for name in _COLUMNS),
                _range(row["kinds"][ALL][_HEAD]),
                _lead(row["behind"].get(ALL, {}).get(_HEAD)),
            )
            for row in rows
            if ALL in row["kinds"]
        ),
    )


def _by_kind(corpus: Mapping[str, Any], rows: Sequence[Mapping[str, Any]]) -> Sheet:
    # after the common figure come those that only some kind has
    chosen = [
        (kind, name)
        for kind, figures in rows[0]["kinds"].items()
        for name in (_HEAD, *(name for name in figures if name not in _COLUMNS))
        if kind != ALL
    ]
    columns = [f"{kind if name == _HEAD else name} ({rows[0]['kinds'][kind][name]['n']})" for kind, name in chosen]
    body = []
    for row in rows:
        figures = [row["kinds"][kind][name] for kind, name in chosen]
        body.append((row["system"], *(_short(figure["value"]) for figure in figures)))
        if row["system"] == SERVICE:
            body.append(("(95%)", *(_brief(figure) for figure in figures)))
    return Sheet(f"{corpus['title']}, {_HEAD} by kind of question (n)", ("system", *columns), tuple(body))


def _scores(results: Mapping[str, Any]) -> Iterator[Sheet]:
    told = [(corpus["title"], corpus["scores"]) for corpus in results["corpora"] if corpus.get("scores")]
    if not told:
        return
    names = tuple(title for title, _ in told)
    yield Sheet(
        "What a score means: how often the first hit is right (n)",
        ("score", *names),
        tuple(
            (
                f"{row['from']:g}..{row['to']:g}",
                *(_counted(scores["meaning"][place]["right"]) for _, scores in told),
            )
            for place, row in enumerate(told[0][1]["meaning"])
        ),
    )
    yield Sheet(
        "Evidence kept / unanswerable silenced",
        ("min_score", *names),
        tuple(
            (
                f"{row['min_score']:g}",
                *(
                    _short(scores["least"][place]["kept"]["value"])
                    + (f" / {_short(silent['value'])}" if (silent := scores["least"][place]["silent"]) else "")
                    for _, scores in told
                ),
            )
            for place, row in enumerate(told[0][1]["least"])
        ),
    )


def _counted(share: Mapping[str, Any]) -> str:
    return f"{share['value']:.2f} ({share['n']})" if share["n"] else ""


def _gate(results: Mapping[str, Any]) -> Iterator[Sheet]:
    rows = []
    for corpus in results["corpora"]:
        for name, share in corpus.get("gate", {}).get("shares", {}).items():
            rows.append(
                (
                    f"{corpus['title']}, {name}",
                    str(share["stored"]["n"]),
                    _short(share["stored"]["value"]),
                    _range(share["stored"]),
                    _short(share["held"]["value"]),
                )
            )
    if rows:
        yield Sheet("With the gate on: share that left something", ("of", "n", "stored", "95%", "held"), tuple(rows))


def _written(results: Mapping[str, Any]) -> Sheet:
    rows = []
    for corpus in results["corpora"]:
        for label, part in (("", corpus), (", gate on", corpus.get("gate"))):
            if part is not None:
                counts = (str(part["written"].get(outcome, 0)) for outcome in _OUTCOMES)
                gone = part["retired"]
                told = f"{gone['turns']} ({gone['evidence turns']})"
                rows.append((f"{corpus['title']}{label}", *counts, told))
    columns = ("of", *_OUTCOMES, "turns retired (evidence)")
    return Sheet("What the writes did, in statements", columns, tuple(rows))


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _short(value: float) -> str:
    return f"{value:.3f}"


def _range(figure: Mapping[str, Any]) -> str:
    return f"{figure['low']:.3f}..{figure['high']:.3f}"


def _brief(figure: Mapping[str, Any]) -> str:
    return f"{figure['low']:.2f}..{figure['high']:.2f}"


def _lead(figure: Mapping[str, Any] | None) -> str:
    return "" if figure is None else f"{figure['value']:+.3f} ({figure['low']:+.3f}..{figure['high']:+.3f})"
