"""The commands on the gate."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated

import typer
from rich.table import Table

from app.domain.memory import Kind
from app.domain.regate import Wish
from app.services.regating import Replayed
from app.services.tenancy import TenancyFault
from app.terminal import out, with_lethe

gate = typer.Typer(no_args_is_help=True, help="What the gate decided, and what it would decide.")


@gate.callback()
def group() -> None:
    """Keep the subcommand's name although there is one only."""


@gate.command()
def replay(
    tenant: Annotated[str, typer.Argument(help="The tenant whose ledger is read.")],
    importance: Annotated[int | None, typer.Option(min=1, max=10, help="Least importance to try.")] = None,
    confidence: Annotated[float | None, typer.Option(min=0, max=1, help="Least confidence to try.")] = None,
    kind: Annotated[Kind | None, typer.Option(help="For this kind only; without: for all.")] = None,
    since: Annotated[datetime | None, typer.Option(help="Decisions from this day on (UTC).")] = None,
) -> None:
    """Tell which past decisions would be others under other thresholds. Nothing is changed; no text is read."""
    if importance is None and confidence is None:
        raise TenancyFault("name --importance or --confidence to try; see `lethe gate replay --help`")
    wish = Wish(importance, confidence, kind)
    begin = since.replace(tzinfo=UTC) if since is not None else None
    _show(with_lethe(lambda lethe: lethe.regating.replay(tenant, wish, since=begin)))


def _show(found: Replayed) -> None:
    changed = sum(found.changes.values())
    out.print(
        f"{changed} of {found.decisions} decisions would change; {found.by_rule} were made by a rule, "
        "which no threshold changes.",
        highlight=False,
        soft_wrap=True,
    )
    if not changed:
        return
    table = Table("reason then", "kind", "from", "to", "decisions", "of")
    for column in table.columns[4:]:
        column.justify = "right"
    for (reason, kind, before, after), count in sorted(found.changes.items(), key=lambda item: (-item[1], item[0])):
        table.add_row(reason, kind, before, after, str(count), str(found.by_reason[reason]))
    out.print(table)
