"""The command line: serve, migrate, tenants, keys, upkeep."""

from __future__ import annotations

import asyncio
import sys
from typing import Annotated, NoReturn

import typer
from pydantic import ValidationError

from app.bench_cli import bench
from app.cli_gate import gate
from app.cli_tenancy import keys, tenants
from app.domain.errors import LetheError
from app.embedded import EmbeddedPostgresError
from app.services.container import Lethe
from app.services.startup import StartupFault
from app.services.tenancy import TenancyFault
from app.serving import environment, migrate_as_owner, run_service
from app.settings import Settings
from app.store.migrate import MigrationFault
from app.terminal import err, out, with_lethe

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    help="Lethe: memory-as-a-service for LLM agents.",
)
app.add_typer(tenants, name="tenant")
app.add_typer(keys, name="key")
app.add_typer(gate, name="gate")
app.add_typer(bench, name="bench")


def main() -> None:
    """Run the command line; every known fault ends in one line that says how to mend it."""
    try:
        app()
    except (StartupFault, MigrationFault, EmbeddedPostgresError, TenancyFault) as fault:
        _fail(str(fault))
    except ValidationError as fault:
        wrong = "; ".join(f"LETHE_{'_'.join(map(str, e['loc'])).upper()}: {e['msg']}" for e in fault.errors())
        _fail(f"the settings are not valid: {wrong}")
    except LetheError as fault:
        _fail(fault.message)
    except KeyboardInterrupt:
        sys.exit(130)


def _fail(reason: str) -> NoReturn:
    err.print(f"lethe: {reason}", style="bold red", highlight=False, markup=False, soft_wrap=True)
    sys.exit(2)


@app.command()
def serve(
    host: Annotated[str | None, typer.Option(help="Address to listen on (LETHE_HOST).")] = None,
    port: Annotated[int | None, typer.Option(help="Port to listen on, 0 for any (LETHE_PORT).")] = None,
    workers: Annotated[int, typer.Option(min=1, help="Processes that answer requests.")] = 1,
) -> None:
    """Run the service; without LETHE_DATABASE_URL on an embedded Postgres, set up on the first start."""
    given = {name: value for name, value in (("host", host), ("port", port)) if value is not None}
    run_service(Settings().model_copy(update=given), workers=workers, announce=_announce)


def _announce(address: str, key: str | None) -> None:
    if key is not None:
        out.print(_WELCOME.format(key=key, address=address), highlight=False, markup=False, soft_wrap=True)
    out.print(
        f"Lethe listens on {address} (Swagger UI: {address}/docs). Ctrl-C ends it.",
        highlight=False,
        markup=False,
        soft_wrap=True,
    )


_WELCOME = """
A tenant `demo` was made, with this key. It is shown this once:

export LETHE_KEY={key}

Three lines to try, in another terminal:

curl -s {address}/memories/write -H "Authorization: Bearer $LETHE_KEY" -H "X-User-Id: ada" \
-H "Content-Type: application/json" -d '{{"content": "I use PostgreSQL for all my services."}}'
curl -s {address}/recall -H "Authorization: Bearer $LETHE_KEY" -H "X-User-Id: ada" \
-H "Content-Type: application/json" -d '{{"query": "Which database?"}}'
curl -s {address}/explain -H "Authorization: Bearer $LETHE_KEY" -H "X-User-Id: ada" \
-H "Content-Type: application/json" -d '{{"question": "Which database does the user use?"}}'
"""


@app.command()
def demo(
    url: Annotated[str | None, typer.Option(help="A running service; without, one is started for the demo.")] = None,
    key: Annotated[str | None, typer.Option(envvar="LETHE_KEY", help="Its API key.")] = None,
    user: Annotated[str | None, typer.Option(help="A user without memories; they are erased at the end.")] = None,
    pause: Annotated[bool | None, typer.Option(help="Stop between chapters; by default in a terminal.")] = None,
    plain: Annotated[bool, typer.Option("--plain", help="Letters only: no colour, no boxes.")] = False,
) -> None:
    """Tell what Lethe does in the story of a week: kept, refused, changed, explained, forgotten."""
    from app.demo.calls import DemoFault
    from app.demo.command import run_demo

    try:
        run_demo(url=url, key=key, user=user, pause=pause, plain=plain)
    except DemoFault as fault:
        _fail(str(fault))


@app.command()
def migrate(
    to: Annotated[str, typer.Option(help="Revision to go to; an older one, or base, goes down.")] = "head",
) -> None:
    """Bring the schema up to date, as the owner (LETHE_MIGRATION_URL), and renew the app role's privileges."""
    with environment(Settings()) as settings:
        asyncio.run(migrate_as_owner(settings, revision=to))
    out.print(f"The schema is at {to}.")


@app.command()
def health() -> None:
    """Ask the service at LETHE_HOST and LETHE_PORT whether it can serve; the exit code is 0 when it can, else 1."""
    from app.health import check_health

    ready, line = check_health(Settings())
    out.print(line, highlight=False, markup=False, soft_wrap=True)
    if not ready:
        raise typer.Exit(1)


@app.command()
def upkeep() -> None:
    """Do one round of upkeep now: expire, purge, fill in missing vectors. The service does the same on its own."""
    done = with_lethe(lambda lethe: lethe.maintenance.run_once(now=lethe.now()))
    out.print(
        f"{done.users} users: {done.expired} expired, {done.purged} purged, {done.texts} texts dropped, "
        f"{done.vectors} vectors filled in."
    )


@app.command()
def reembed() -> None:
    """Compute every vector anew with the configured model, after a change of model. Stop the service meanwhile."""

    async def work(lethe: Lethe) -> int:
        await lethe.maintenance.settle_model(lethe.embedder)
        return (await lethe.maintenance.run_once(now=lethe.now())).vectors

    with err.status("Computing vectors"):
        count = with_lethe(work, same_model=False)
    out.print(f"Computed {count} vectors. The service can start again.")
