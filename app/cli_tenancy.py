"""The commands on tenants and keys."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Annotated

import typer
from rich.table import Table

from app.domain.caller import Scope
from app.domain.memory import Kind, TenantPolicy, Threshold
from app.services.container import Lethe, open_as_owner
from app.services.tenancy import DEFAULT_SCOPES, TenancyFault
from app.services.verifying import Verification, verify_tenant
from app.settings import Settings
from app.terminal import out, with_lethe

tenants = typer.Typer(no_args_is_help=True, help="Agent backends and teams.")
keys = typer.Typer(no_args_is_help=True, help="API keys of a tenant. A key is shown once, when it is made.")
TenantId = Annotated[str, typer.Argument(help="The tenant's id: 1 to 40 of a-z, 0-9 and -.")]


@tenants.command("create")
def create_tenant(tenant: TenantId) -> None:
    """Make a tenant."""
    with_lethe(lambda lethe: lethe.tenancy.add_tenant(tenant, now=lethe.now()))
    out.print(f"Made the tenant {tenant}. Next: lethe key create {tenant}")


@tenants.command("list")
def list_tenants() -> None:
    """List all tenants."""
    found = with_lethe(lambda lethe: lethe.tenancy.tenants())
    table = Table("tenant", "made", "state")
    for tenant in found:
        table.add_row(tenant.tenant_id, _day(tenant.created_at), "disabled" if tenant.disabled_at else "active")
    out.print(table)


@tenants.command("show")
def show_tenant(tenant: TenantId) -> None:
    """Show a tenant's policy."""
    policy = with_lethe(lambda lethe: lethe.tenancy.policy(tenant))
    table = Table("setting", "value")
    for kind, threshold in policy.thresholds.items():
        table.add_row(
            f"{kind} memories need", f"importance {threshold.importance}, confidence {threshold.confidence:g}"
        )
    table.add_row("recall: least trust", str(policy.min_trust))
    table.add_row("recall: least score", f"{policy.min_score:g}")
    table.add_row("recalls with a trace are kept", f"{policy.kept_recall_hours:g} h")
    table.add_row("text of refused candidates is kept", f"{policy.dropped_text_hours:g} h")
    table.add_row("held memories wait", f"{policy.held_days:g} days")
    table.add_row("expired memories are purged after", f"{policy.purge_grace_days:g} days")
    table.add_row("instructions a user can have", str(policy.procedural_cap))
    out.print(table)


@tenants.command("set")
def set_tenant(
    tenant: TenantId,
    importance: Annotated[int | None, typer.Option(min=1, max=10, help="Least importance to be kept.")] = None,
    confidence: Annotated[float | None, typer.Option(min=0, max=1, help="Least confidence to be kept.")] = None,
    kind: Annotated[Kind | None, typer.Option(help="For this kind only; without: for all.")] = None,
    min_trust: Annotated[int | None, typer.Option(min=0, max=4, help="Least trust that recall returns.")] = None,
    min_score: Annotated[float | None, typer.Option(min=0, max=1, help="Least score, if a recall names none.")] = None,
    dropped_text_hours: Annotated[float | None, typer.Option(min=0, help="How long refused text is kept.")] = None,
    kept_recall_hours: Annotated[float | None, typer.Option(min=0, help="How long a traced recall is kept.")] = None,
    held_days: Annotated[float | None, typer.Option(min=0.01, help="How long a held memory waits.")] = None,
    purge_grace_days: Annotated[float | None, typer.Option(min=0, help="How long an expired one stays.")] = None,
    procedural_cap: Annotated[int | None, typer.Option(min=1, help="How many instructions a user can have.")] = None,
) -> None:
    """Change a tenant's policy; running services take it over within the key cache's time."""
    given = {
        "min_trust": min_trust,
        "min_score": min_score,
        "dropped_text_hours": dropped_text_hours,
        "kept_recall_hours": kept_recall_hours,
        "held_days": held_days,
        "purge_grace_days": purge_grace_days,
        "procedural_cap": procedural_cap,
    }
    plain = {name: value for name, value in given.items() if value is not None}
    if not plain and importance is None and confidence is None:
        raise TenancyFault("nothing to change; see `lethe tenant set --help`")

    async def work(lethe: Lethe) -> TenantPolicy:
        policy = await lethe.tenancy.policy(tenant)
        thresholds = dict(policy.thresholds)
        for each in [kind] if kind is not None else list(Kind):
            old = thresholds[each]
            thresholds[each] = Threshold(
                old.importance if importance is None else importance,
                old.confidence if confidence is None else confidence,
            )
        changed = replace(policy, thresholds=thresholds, **plain)  # type: ignore[arg-type]  # checked by the options
        await lethe.tenancy.set_policy(tenant, changed)
        return changed

    with_lethe(work)
    out.print(f"Changed the policy of {tenant}; see lethe tenant show {tenant}")


@tenants.command("verify")
def verify(tenant: TenantId) -> None:
    """Recompute the hashes of a tenant's ledger, receipts and seals; exit 1 when anything was tampered with."""

    async def work(lethe: Lethe) -> Verification:
        await lethe.tenancy.policy(tenant)
        return await verify_tenant(lethe.database, tenant)

    found = with_lethe(work)
    out.print(
        f"{found.users} users, {found.decisions} decisions, {found.receipts} receipts, {found.seals} seals: "
        + ("everything holds." if not found.faults else f"{len(found.faults)} faults.")
    )
    for fault in found.faults:
        out.print(f"  {fault}")
    if found.faults:
        raise typer.Exit(1)


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

    out.print(f"Erased the tenant {tenant} with {with_lethe(work)} memories.")


@keys.command("create")
def create_key(
    tenant: TenantId,
    name: Annotated[str, typer.Option(help="What the key is for.")] = "unnamed",
    scope: Annotated[list[Scope] | None, typer.Option(help="What it may do; again for more.")] = None,
    user: Annotated[str | None, typer.Option(help="Bind it to this one user.")] = None,
    days: Annotated[int | None, typer.Option(min=1, help="How long it works; without: until revoked.")] = None,
) -> None:
    """Make a key and show it, this once."""
    token = with_lethe(
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
    found = with_lethe(lambda lethe: lethe.tenancy.keys(tenant))
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
    token = with_lethe(
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
    with_lethe(lambda lethe: lethe.tenancy.revoke_key(tenant, key_id, now=lethe.now()))
    out.print(f"Revoked {key_id}. Running services forget it within {Settings().key_cache_seconds:g} seconds.")


def _show_key(token: str) -> None:
    out.print("The key, shown this once:")
    print(token)


def _day(at: datetime) -> str:
    return f"{at:%Y-%m-%d %H:%M}"
