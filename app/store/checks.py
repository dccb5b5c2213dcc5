"""What the service asks the database about itself before it trusts it."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession

_ROLE = text(
    """
    select current_user as role,
           exists (select from pg_roles r where pg_has_role(current_user, r.oid, 'member')
                   and (r.rolsuper or r.rolbypassrls)) as bypasses,
           exists (select from pg_class c where c.oid = to_regclass('public.memories')
                   and pg_has_role(current_user, c.relowner, 'member')) as owns,
           coalesce((select bool_and(c.relrowsecurity and c.relforcerowsecurity) from pg_class c
                     where c.oid in (to_regclass('public.memories'), to_regclass('public.evidence'))), true) as walled
    """
)
_SERVER = text(
    """
    select current_setting('server_version_num')::int as version,
           current_setting('fsync') as fsync,
           current_setting('synchronous_commit') as synchronous_commit,
           (select extversion from pg_extension where extname = 'vector') as pgvector
    """
)


@dataclass(frozen=True, slots=True)
class DatabaseState:
    """What was found."""

    role: str
    bypasses: bool
    owns: bool
    walled: bool
    server_version: int
    fsync: bool
    synchronous_commit: bool
    pgvector: str | None
    revision: str | None


async def look_at(session: AsyncSession) -> DatabaseState:
    """Ask for the role, the server's durability, the extension and the revision of the schema."""
    role = (await session.execute(_ROLE)).one()
    server = (await session.execute(_SERVER)).one()
    return DatabaseState(
        role=role.role,
        bypasses=role.bypasses,
        owns=role.owns,
        walled=role.walled,
        server_version=server.version,
        fsync=server.fsync == "on",
        synchronous_commit=server.synchronous_commit != "off",
        pgvector=server.pgvector,
        revision=await revision_of(session),
    )


async def revision_of(session: AsyncSession) -> str | None:
    """Read which migration the schema stands at; None before the first."""
    if await session.scalar(text("select to_regclass('public.alembic_version')")) is None:
        return None
    if not await session.scalar(text("select has_table_privilege('public.alembic_version', 'select')")):
        return None
    found: str | None = await session.scalar(text("select version_num from public.alembic_version"))
    return found
