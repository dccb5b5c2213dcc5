"""What the service asks the database about itself before it trusts it."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession

import app.store.records  # noqa: F401 (the other half of the schema)
from app.store.tables import TENANT_TABLES, USER_KEY_TABLES, USER_TABLES, Base

_ROLE = text(
    """
    with ours as (
        select c.relname, c.relowner, c.relrowsecurity and c.relforcerowsecurity as walled
        from pg_class c join pg_namespace n on n.oid = c.relnamespace
        where n.nspname = 'public' and c.relname = any(:tables)
    )
    select current_user as role,
           exists (select from pg_roles r where pg_has_role(current_user, r.oid, 'member')
                   and (r.rolsuper or r.rolbypassrls)) as bypasses,
           exists (select from ours where pg_has_role(current_user, ours.relowner, 'member')) as owns,
           array(select relname::text from ours where relname = any(:walled) and not walled order by 1) as open_tables
    """
)
_SERVER = text(
    """
    select current_setting('server_version_num')::int as version,
           current_setting('fsync') as fsync,
           current_setting('synchronous_commit') as synchronous_commit,
           (select extversion from pg_extension where extname = 'vector') as pgvector,
           (select n.nspname::text from pg_extension e join pg_namespace n on n.oid = e.extnamespace
            where extname = 'vector' and to_regtype('halfvec') is null) as pgvector_out_of_sight,
           current_database()::text as database
    """
)


@dataclass(frozen=True, slots=True)
class DatabaseState:
    """What was found."""

    role: str
    bypasses: bool
    owns: bool
    open_tables: tuple[str, ...]
    server_version: int
    fsync: bool
    synchronous_commit: bool
    pgvector: str | None
    # the schema that it stands in, where this role does not see it
    pgvector_out_of_sight: str | None
    database: str
    revision: str | None


async def look_at(session: AsyncSession) -> DatabaseState:
    """Ask for the role, the server's durability, the extension and the revision of the schema."""
    walled = [*USER_TABLES, *USER_KEY_TABLES, *TENANT_TABLES]
    names = {"tables": sorted(Base.metadata.tables), "walled": walled}
    role = (await session.execute(_ROLE, names)).one()
    server = (await session.execute(_SERVER)).one()
    return DatabaseState(
        role=role.role,
        bypasses=role.bypasses,
        owns=role.owns,
        open_tables=tuple(role.open_tables),
        server_version=server.version,
        fsync=server.fsync == "on",
        synchronous_commit=server.synchronous_commit != "off",
        pgvector=server.pgvector,
        pgvector_out_of_sight=server.pgvector_out_of_sight,
        database=server.database,
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
