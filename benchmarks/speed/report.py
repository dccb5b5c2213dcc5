"""The speed benchmark's results as tables, in a terminal and as Markdown."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from rich.console import Console
from rich.table import Table

from benchmarks.report import Sheet

_BEGIN: Final = "<!-- speed -->"
_END: Final = "<!-- /speed -->"
_FIGURES: Final = ("p5", "p50", "p95", "p99")
_WIDTH: Final = 150


def sheets(results: Mapping[str, Any]) -> Iterator[Sheet]:
    """Lay the results out as tables."""
    yield Sheet(
        f"Ratios ({_machine(results)})",
        ("what", "at p50", "target", "met", "at p5"),
        tuple(
            (
                row["name"],
                f"{row['value']:.2f}",
                _wanted(row),
                {None: "", True: "yes", False: "NO"}[row["met"]],
                "" if row["quiet"] is None else f"{row['quiet']:.2f}",
            )
            for row in results["targets"]
        ),
    )
    yield Sheet(
        "One client, in milliseconds",
        ("memories", "owner of", "what", *_FIGURES, "n", "all ten rows"),
        tuple(
            (
                f"{cell['store']:,}",
                f"{int(rows):,}",
                name,
                *_times(figures),
                str(figures["n"]),
                f"{figures['full']:.0%}",
            )
            for cell in results["stores"]
            for part in ("in_process", "over_http")
            for rows, ways in cell[part].items()
            for name, figures in ways.items()
        ),
    )
    yield Sheet(
        "Several clients over HTTP, one worker, owners of about a hundred",
        ("memories", "what", "clients", "a second", *_FIGURES),
        tuple(
            (f"{cell['store']:,}", name, str(row["clients"]), f"{row['per_second']:.0f}", *_times(row))
            for cell in [*results["stores"], *results["peers"]]
            for name, rows in cell["load"].items()
            for row in rows
        ),
    )
    if results["peers"]:
        yield from _peers(results["peers"])
    yield Sheet(
        "The stores on disk, tables and indexes",
        ("memories", "MB", "bytes a memory", "load average before measuring"),
        tuple(
            (
                f"{cell['store']:,}",
                f"{cell['bytes'] / 2**20:.0f}",
                f"{cell['bytes'] / cell['store']:.0f}",
                str(cell["load_average"]),
            )
            for cell in results["stores"]
        ),
    )


def _peers(cells: Any) -> Iterator[Sheet]:
    yield Sheet(
        "Peers beside Lethe, searched in turns, one client, in milliseconds",
        ("memories", "what", *_FIGURES, "n", "all ten rows"),
        tuple(
            (f"{cell['store']:,}", name, *_times(figures), str(figures["n"]), f"{figures['full']:.0%}")
            for cell in cells
            for ways in cell["in_turns"].values()
            for name, figures in ways.items()
        ),
    )
    yield Sheet(
        "Peers as shipped, after a thousand searches on one connection",
        ("memories", "what", *_FIGURES, "n", "rows of the first ten searches", "rows", "searches with all ten"),
        tuple(
            (
                f"{cell['store']:,}",
                name,
                *_times(row),
                str(row["n"]),
                f"{row['rows_first_ten']:.1%}",
                f"{row['rows']:.1%}",
                f"{row['full']:.1%}",
            )
            for cell in cells
            for name, row in cell["as_shipped"].items()
        ),
    )


def print_report(results: Mapping[str, Any], console: Console) -> None:
    """Print all tables and the time taken."""
    if not console.is_terminal:
        console = Console(file=console.file, width=_WIDTH)
    for sheet in sheets(results):
        table = Table(*sheet.columns, title=sheet.title, title_justify="left", title_style="bold")
        for row in sheet.rows:
            table.add_row(*row)
        console.print(table)
    console.print(f"{sum(results['phases'].values()):.0f} s in all", highlight=False)


def to_markdown(results: Mapping[str, Any]) -> str:
    """Write all tables as Markdown."""
    parts = []
    for sheet in sheets(results):
        words = [column in {"what", "met"} for column in sheet.columns]
        rule = ["---" if word else "---:" for word in words]
        lines = [f"| {' | '.join(cells)} |" for cells in (sheet.columns, rule, *sheet.rows)]
        parts.append("\n".join([f"**{sheet.title}**", "", *lines]))
    return "\n\n".join(parts) + "\n"


def put_into(document: str, results: Mapping[str, Any]) -> str:
    """Put the tables between the marks of a document; a document without marks becomes the tables."""
    if _BEGIN not in document or _END not in document:
        return to_markdown(results)
    before, _, rest = document.partition(_BEGIN)
    _, _, after = rest.partition(_END)
    return f"{before}{_BEGIN}\n\n{to_markdown(results)}\n{_END}{after}"


def _machine(results: Mapping[str, Any]) -> str:
    machine, server = results["machine"], results["server"]
    return (
        f"{machine['cores']} cores of {machine['cpu']}, {machine['memory_gb']} GB; Python {machine['python']}, "
        f"Postgres {server['server_version']}, pgvector {server['pgvector']}, "
        f"shared_buffers {server['shared_buffers']}; {results['at']}"
    )


def _times(figures: Mapping[str, Any]) -> list[str]:
    return [f"{figures[name]:.1f}" if figures[name] >= 100 else f"{figures[name]:.2f}" for name in _FIGURES]


def _wanted(row: Mapping[str, Any]) -> str:
    if row["least"] is not None:
        return f"at least {row['least']:g}"
    return "" if row["most"] is None else f"at most {row['most']:g}"
