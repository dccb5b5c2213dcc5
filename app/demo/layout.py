"""The building blocks of the demo's screen: paragraphs, headings, bars, and how wide things may be."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import IO, Final, Literal

from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

WIDEST: Final = 120
_BAR: Final = 20  # cells


@dataclass(frozen=True, slots=True)
class Look:
    """How things are drawn.

    Attributes:
        plain: Letters and punctuation only: no boxes, no blocks.
    """

    plain: bool = False

    def rule(self, text: str, style: str) -> RenderableType:
        """Draw a title with a line."""
        if self.plain:
            return Group(Text(text, style), Text("=" * len(text)))
        return Rule(Text(text, style), align="left", style="dim")

    def bar(self, part: float) -> str:
        """Draw a part of one as a bar."""
        full, empty = ("#", ".") if self.plain else ("█", "░")
        cells = round(max(0.0, min(1.0, part)) * _BAR)
        return full * cells + empty * (_BAR - cells)


def terminal(*, plain: bool, width: int | None = None, file: IO[str] | None = None) -> Console:
    """Open the terminal, or a file like one. What the service says is printed as it is, brackets included."""
    colours: Literal["auto"] | None = None if plain else "auto"
    return Console(color_system=colours, markup=False, highlight=False, emoji=False, width=width, file=file)


def render(console: Console, *parts: RenderableType) -> None:
    """Print parts, none wider than `WIDEST`."""
    for part in parts:
        console.print(part, width=min(console.width, WIDEST))


def iso(at: datetime) -> str:
    """Write a date."""
    return f"{at:%Y-%m-%d}"


def day(at: datetime) -> str:
    """Write a date with its weekday."""
    return f"{at:%a %Y-%m-%d}"


def date(at: str) -> str:
    """Write the date of a time on the wire."""
    return day(datetime.fromisoformat(at))


def hung(text: Text, *, indent: int) -> RenderableType:
    """Set text whose first line stands out by the indent."""
    grid = Table.grid()
    grid.add_column(width=indent, no_wrap=True)
    grid.add_column()
    grid.add_row(text[:indent], text[indent:])
    return grid


def hanging(text: str, *, indent: int, style: str = "dim") -> RenderableType:
    """Set text below something, indented."""
    return Padding(Text(text, style), (0, 0, 0, indent))


def heading(text: str, *, call: str = "") -> RenderableType:
    """Set a heading, with the call behind what follows."""
    named = Text(text, "bold")
    if call:
        named.append(f"{'  ' if text else ''}[{call}]", "dim not bold")
    return named


def paragraph(text: str, style: str = "") -> RenderableType:
    """Set a paragraph."""
    return Padding(Text(text, style), (0, 0, 1, 0))


def indented(part: RenderableType) -> RenderableType:
    """Indent a part."""
    return Padding(part, (0, 0, 1, 2))


def two_columns() -> Table:
    """Make room for something on the left and more on the right."""
    table = Table.grid(expand=True, padding=(0, 2, 1, 0))
    table.add_column(ratio=2)
    table.add_column(ratio=3)
    return table
