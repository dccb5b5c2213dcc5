"""Tenants and their keys."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import func, select, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession

from app.domain.ledger import GENESIS
from app.store.scope import ours
from app.store.tables import Deployment, KeyRow, OwnerKeyRow, OwnerRow, TenantChainRow, TenantRow


@dataclass(frozen=True, slots=True)
class TenantRecord:
    """A tenant as stored; `settings` holds what differs from the default policy."""

    tenant_id: str
    settings: Mapping[str, Any]
    created_at: datetime
    disabled_at: datetime | None


@dataclass(frozen=True, slots=True)
class KeyRecord:
    """A key as stored: the secret only as a keyed hash."""

    key_id: str
    name: str
    secret_hash: bytes
    scopes: tuple[str, ...]
    bound_user: str | None
    rotated_from: str | None
    created_at: datetime
    expires_at: datetime | None
    revoked_at: datetime | None


class Registry:
    """The tables outside the tenants. Made per transaction."""

    def __init__(self, session: AsyncSession) -> None:
        self._session = session

    async def tenants(self) -> list[TenantRecord]:
        """List all tenants by id."""
        rows = await self._session.execute(select(TenantRow).order_by(TenantRow.tenant_id))
        return [_tenant(row) for row in rows.scalars()]

    async def tenant(self, tenant_id: str) -> TenantRecord | None:
        """Read one tenant."""
        row = await self._session.scalar(select(TenantRow).where(ours(tenant_id, TenantRow)))
        return None if row is None else _tenant(row)

    async def add_tenant(self, tenant_id: str, *, settings: Mapping[str, Any], now: datetime) -> bool:
        """Insert a tenant; False when the id is taken."""
        added = await self._session.scalar(
            insert(TenantRow)
            .values(tenant_id=tenant_id, settings=dict(settings), created_at=now, disabled_at=None)
            .on_conflict_do_nothing()
            .returning(TenantRow.tenant_id)
        )
        return added is not None

    async def set_settings(self, tenant_id: str, settings: Mapping[str, Any]) -> None:
        """Replace a tenant's settings."""
        await self._session.execute(update(TenantRow).where(ours(tenant_id, TenantRow)).values(settings=dict(settings)))

    async def disable(self, tenant_id: str, *, now: datetime) -> None:
        """Let no key of the tenant open anything any more."""
        await self._session.execute(
            update(TenantRow).where(ours(tenant_id, TenantRow), TenantRow.disabled_at.is_(None)).values(disabled_at=now)
        )

    async def embedding_model(self, model: str, dimension: int, *, now: datetime) -> tuple[str, int]:
        """Read which model the stored vectors come from; the first start settles it."""
        await self._session.execute(
            insert(Deployment)
            .values(id=1, embedding_model=model, embedding_dimension=dimension, created_at=now)
            .on_conflict_do_nothing()
        )
        row = (await self._session.execute(select(Deployment.embedding_model, Deployment.embedding_dimension))).one()
        return row.embedding_model, row.embedding_dimension

    async def set_embedding_model(self, model: str, dimension: int) -> None:
        """Settle another model; the vectors of the old one are back-filled afterwards."""
        await self._session.execute(
            update(Deployment).where(Deployment.id == 1).values(embedding_model=model, embedding_dimension=dimension)
        )


class TenantKeys:
    """One tenant's keys and users. Made per transaction."""

    def __init__(self, session: AsyncSession, tenant_id: str) -> None:
        self._session = session
        self._tenant_id = tenant_id

    async def key(self, key_id: str) -> tuple[KeyRecord, TenantRecord] | None:
        """Read a key with its tenant."""
        row = (
            await self._session.execute(
                select(KeyRow, TenantRow)
                .join(TenantRow, TenantRow.tenant_id == KeyRow.tenant_id)
                .where(ours(self._tenant_id, KeyRow), ours(self._tenant_id, TenantRow), KeyRow.key_id == key_id)
            )
        ).one_or_none()
        return None if row is None else (_key(row[0]), _tenant(row[1]))

    async def keys(self) -> list[KeyRecord]:
        """List the tenant's keys, oldest first."""
        rows = await self._session.execute(
            select(KeyRow).where(ours(self._tenant_id, KeyRow)).order_by(KeyRow.created_at, KeyRow.key_id)
        )
        return [_key(row) for row in rows.scalars()]

    async def add(self, key: KeyRecord) -> None:
        """Insert a key."""
        await self._session.execute(
            insert(KeyRow).values(
                tenant_id=self._tenant_id,
                key_id=key.key_id,
                name=key.name,
                secret_hash=key.secret_hash,
                scopes=list(key.scopes),
                bound_user=key.bound_user,
                rotated_from=key.rotated_from,
                created_at=key.created_at,
                expires_at=key.expires_at,
                revoked_at=None,
            )
        )

    async def expire(self, key_id: str, at: datetime) -> None:
        """Let a key end at a time, never later than it would have."""
        await self._session.execute(
            update(KeyRow)
            .where(ours(self._tenant_id, KeyRow), KeyRow.key_id == key_id)
            .values(expires_at=func.least(KeyRow.expires_at, at))
        )

    async def revoke(self, key_id: str, *, now: datetime) -> bool:
        """End a key now; False when there is no such key, or it has ended."""
        done = await self._session.scalar(
            update(KeyRow)
            .where(ours(self._tenant_id, KeyRow), KeyRow.key_id == key_id, KeyRow.revoked_at.is_(None))
            .values(revoked_at=now)
            .returning(KeyRow.key_id)
        )
        return done is not None

    async def begin_chain(self) -> None:
        """Begin the tenant's chain of receipts."""
        await self._session.execute(
            insert(TenantChainRow).values(tenant_id=self._tenant_id, seq=0, head=GENESIS).on_conflict_do_nothing()
        )

    async def users(self) -> list[tuple[str, str]]:
        """List the tenant's users with their keyed hashes."""
        rows = await self._session.execute(
            select(OwnerRow.user_id, OwnerRow.user_key)
            .where(ours(self._tenant_id, OwnerRow))
            .order_by(OwnerRow.user_id)
        )
        return [(row.user_id, row.user_key) for row in rows]

    async def user_keys(self) -> Sequence[str]:
        """List the keyed hashes of all users ever seen."""
        return (
            (
                await self._session.execute(
                    select(OwnerKeyRow.user_key)
                    .where(ours(self._tenant_id, OwnerKeyRow))
                    .order_by(OwnerKeyRow.user_key)
                )
            )
            .scalars()
            .all()
        )


def _tenant(row: TenantRow) -> TenantRecord:
    return TenantRecord(row.tenant_id, row.settings, row.created_at, row.disabled_at)


def _key(row: KeyRow) -> KeyRecord:
    return KeyRecord(
        key_id=row.key_id,
        name=row.name,
        secret_hash=row.secret_hash,
        scopes=tuple(row.scopes),
        bound_user=row.bound_user,
        rotated_from=row.rotated_from,
        created_at=row.created_at,
        expires_at=row.expires_at,
        revoked_at=row.revoked_at,
    )
