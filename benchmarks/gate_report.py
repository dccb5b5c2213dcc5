"""The gate's results as tables, in a terminal and as Markdown."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from rich.console import Console
from rich.table import Table

from benchmarks.report import Sheet

_BEGIN: Final = "<!-- gate -->"
_END: Final = "<!-- /gate -->"


def sheets(results: Mapping[str, Any]) -> Iterator[Sheet]:
    """Lay the results out as tables."""
    if "turns" in results:
        yield from _turns(results["turns"])
    if "kinds" in results:
        yield _kinds(results["kinds"])
    if "corpus" in results:
        yield from _corpus(results["corpus"])
    if "recall" in results:
        yield _recall(results["recall"])
    if "same" in results:
        same = results["same"]
        yield Sheet(
            f"Determinism and cost ({same['verdicts']} verdicts, in each of two processes)",
            ("byte-identical", "sha256", "CPU ms a message", "without the reader"),
            (
                (
                    "yes" if same["same"] else "NO",
                    same["hashes"][0][:16],
                    f"{same['cpu_ms_a_message']:.2f}",
                    f"{same['cpu_ms_without_the_reader']:.2f}",
                ),
            ),
        )


def _turns(part: Mapping[str, Any]) -> Iterator[Sheet]:
    rankings = part["rankings"]
    names = ("AUC of observed", "AUC of needed", "needed kept at half", "observed kept at half")
    yield Sheet(
        f"LoCoMo, {part['turns']} turns ranked ({part['needed']} needed by questions, {part['observed']} observed)",
        ("ranked by", *names),
        tuple((name, *(_told(row[figure]) for figure in names)) for name, row in rankings.items()),
    )
    shares = list(next(iter(rankings.values()))["curve"])
    yield Sheet(
        "LoCoMo, share of the needed turns kept when this share of all is stored",
        ("ranked by", *shares),
        tuple((name, *(f"{row['curve'][share]['value']:.3f}" for share in shares)) for name, row in rankings.items()),
    )
    default = part["default"]
    yield Sheet(
        "LoCoMo, at the default thresholds", tuple(default), (tuple(_told(value) for value in default.values()),)
    )


def _kinds(part: Mapping[str, Any]) -> Sheet:
    rows = [
        (name, row["wanted"], str(row["stored"]["n"]), _told(row["stored"]), _told(row["held"]))
        for name, row in part["sources"].items()
    ]
    chat = part["BEAM user messages"]
    rows.append(("BEAM user messages", "", str(chat["stored"]["n"]), _told(chat["stored"]), _told(chat["held"])))
    return Sheet(
        f"What is stored at the default thresholds (F1 over the first five rows {_told(part['f1'])})",
        ("source", "wanted", "n", "stored", "held"),
        tuple(rows),
    )


def _corpus(part: Mapping[str, Any]) -> Iterator[Sheet]:
    names = ("keep or drop, F1", "kind", "hedged not kept")
    yield Sheet(
        f"Own corpus, {part['statements']} statements, a domain left out at a time "
        f"(contrast pairs right: {_told(part['contrast pairs right'])})",
        ("language", "n", *names),
        tuple(
            (language, str(row[names[0]]["n"]), *(_told(row[name]) for name in names))
            for language, row in part["languages"].items()
        ),
    )
    yield Sheet(
        "Reliability of the confidence of what was kept or held",
        ("confidence", "n", "mean", "were meant"),
        tuple(
            (f"{row['from']:g}..{row['to']:g}", str(row["meant"]["n"]), f"{row['confidence']:.3f}", _told(row["meant"]))
            for row in part["reliability"]
        ),
    )


def _recall(part: Mapping[str, Any]) -> Sheet:
    recall = part["recall@10"]
    shares = part["shares"]
    return Sheet(
        "LoCoMo end to end, recall@10 by turn",
        ("gate off", "gate on", "of it", "turns stored", "needed turns stored"),
        (
            (
                _told(recall["gate off"]),
                _told(recall["gate on"]),
                f"{recall['of it']:.3f}",
                _told(shares["turns"]["stored"]),
                _told(shares["evidence turns"]["stored"]),
            ),
        ),
    )


def print_report(results: Mapping[str, Any], console: Console) -> None:
    """Print all tables."""
    for sheet in sheets(results):
        table = Table(*sheet.columns, title=sheet.title, title_justify="left", title_style="bold")
        for row in sheet.rows:
            table.add_row(*row)
        console.print(table)


def to_markdown(results: Mapping[str, Any]) -> str:
    """Write all tables as Markdown."""
    parts = []
    for sheet in sheets(results):
        rule = ["---", *["---:"] * (len(sheet.columns) - 1)]
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


def _told(figure: Mapping[str, Any]) -> str:
    return f"{figure['value']:.3f} ({figure['low']:.3f}..{figure['high']:.3f})"
