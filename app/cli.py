"""The command line: serve, migrate, tenants, keys, upkeep."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta
from typing import Annotated, NoReturn, TypeVar

import typer
from pydantic import ValidationError
from rich.console import Console
from rich.table import Table

from app.bench_cli import bench
from app.domain.caller import Scope
from app.domain.errors import LetheError
from app.embedded import EmbeddedPostgresError
from app.services.container import Lethe, open_as_owner, open_lethe
from app.services.startup import StartupFault
from app.services.tenancy import DEFAULT_SCOPES, TenancyFault
from app.serving import environment, migrate_as_owner, run_service
from app.settings import Settings
from app.store.migrate import MigrationFault

Result = TypeVar("Result")

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    help="Lethe: memory-as-a-service for LLM agents.",
)
tenants = typer.Typer(no_args_is_help=True, help="Agent backends and teams.")
keys = typer.Typer(no_args_is_help=True, help="API keys of a tenant. A key is shown once, when it is made.")
app.add_typer(tenants, name="tenant")
app.add_typer(keys, name="key")
app.add_typer(bench, name="bench")

out, err = Console(), Console(stderr=True)
TenantId = Annotated[str, typer.Argument(help="The tenant's id: 1 to 40 of a-z, 0-9 and -.")]


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
    done = _with_lethe(lambda lethe: lethe.maintenance.run_once(now=lethe.now()))
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
        count = _with_lethe(work, same_model=False)
    out.print(f"Computed {count} vectors. The service can start again.")


@tenants.command("create")
def create_tenant(tenant: TenantId) -> None:
    """Make a tenant."""
    _with_lethe(lambda lethe: lethe.tenancy.add_tenant(tenant, now=lethe.now()))
    out.print(f"Made the tenant {tenant}. Next: lethe key create {tenant}")


@tenants.command("list")
def list_tenants() -> None:
    """List all tenants."""
    found = _with_lethe(lambda lethe: lethe.tenancy.tenants())
    table = Table("tenant", "made", "state")
    for tenant in found:
        table.add_row(tenant.tenant_id, _day(tenant.created_at), "disabled" if tenant.disabled_at else "active")
    out.print(table)


@tenants.command("offboard")
def offboard_tenant(
    tenant: TenantId,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
) -> None:
    """Erase a tenant: all its users' memories, its ledger, receipts and keys. It cannot be undone."""
    if not yes:
        typer.confirm(f"Erase everything of the tenant {tenant}?", abort=True)

    async def work(lethe: Lethe) -> int:
        as_owner = open_as_owner(lethe.settings)
        try:
            return await lethe.tenancy.offboard(tenant, as_owner=as_owner, now=lethe.now())
        finally:
            await as_owner.close()

    out.print(f"Erased the tenant {tenant} with {_with_lethe(work)} memories.")


@keys.command("create")
def create_key(
    tenant: TenantId,
    name: Annotated[str, typer.Option(help="What the key is for.")] = "unnamed",
    scope: Annotated[list[Scope] | None, typer.Option(help="What it may do; again for more.")] = None,
    user: Annotated[str | None, typer.Option(help="Bind it to this one user.")] = None,
    days: Annotated[int | None, typer.Option(min=1, help="How long it works; without: until revoked.")] = None,
) -> None:
    """Make a key and show it, this once."""
    token = _with_lethe(
        lambda lethe: lethe.tenancy.add_key(
            tenant,
            name=name,
            scopes=scope or DEFAULT_SCOPES,
            now=lethe.now(),
            bound_user=user,
            expires_at=lethe.now() + timedelta(days=days) if days else None,
        )
    )
    _show_key(token)


@keys.command("list")
def list_keys(tenant: TenantId) -> None:
    """List a tenant's keys, without their secrets."""
    found = _with_lethe(lambda lethe: lethe.tenancy.keys(tenant))
    now = datetime.now(UTC)
    table = Table("key id", "name", "scopes", "user", "made", "state")
    for key in found:
        ended = key.revoked_at is not None or (key.expires_at is not None and key.expires_at <= now)
        until = f"until {_day(key.expires_at)}" if key.expires_at else "active"
        state = "revoked" if key.revoked_at else "expired" if ended else until
        table.add_row(key.key_id, key.name, ", ".join(key.scopes), key.bound_user or "any", _day(key.created_at), state)
    out.print(table)


@keys.command("rotate")
def rotate_key(
    tenant: TenantId,
    key_id: Annotated[str, typer.Argument(help="The key's id, see `lethe key list`.")],
    overlap_hours: Annotated[float, typer.Option(min=0, help="How long the old key goes on working.")] = 24.0,
) -> None:
    """Make a key like another one, which ends after an overlap."""
    token = _with_lethe(
        lambda lethe: lethe.tenancy.rotate_key(
            tenant, key_id, old_ends_at=lethe.now() + timedelta(hours=overlap_hours), now=lethe.now()
        )
    )
    _show_key(token)
    out.print(f"The old key {key_id} works for {overlap_hours:g} more hours.")


@keys.command("revoke")
def revoke_key(
    tenant: TenantId,
    key_id: Annotated[str, typer.Argument(help="The key's id, see `lethe key list`.")],
) -> None:
    """End a key now."""
    _with_lethe(lambda lethe: lethe.tenancy.revoke_key(tenant, key_id, now=lethe.now()))
    out.print(f"Revoked {key_id}. Running services forget it within {Settings().key_cache_seconds:g} seconds.")


def _show_key(token: str) -> None:
    out.print("The key, shown this once:")
    print(token)


def _day(at: datetime) -> str:
    return f"{at:%Y-%m-%d %H:%M}"


def _with_lethe(work: Callable[[Lethe], Awaitable[Result]], *, same_model: bool = True) -> Result:
    from app.metrics import Metrics

    async def run(settings: Settings) -> Result:
        quiet = settings.model_copy(update={"maintenance_seconds": 0.0})
        async with open_lethe(quiet, metrics=Metrics(), same_model=same_model) as lethe:
            return await work(lethe)

    embedded = Settings().database_url is None
    with environment(Settings()) as settings:
        if embedded:
            asyncio.run(migrate_as_owner(settings))
        return asyncio.run(run(settings))
