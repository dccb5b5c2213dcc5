"""Tenants and keys as the command line manages them, and a tenant's policy as the services read it."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Collection, Mapping
from dataclasses import asdict, replace
from datetime import datetime
from typing import Any

from sqlalchemy.exc import DBAPIError

from app.domain.caller import Owner, Scope
from app.domain.memory import Kind, TenantPolicy, Threshold
from app.services.sealing import Sealing, make_key
from app.store.database import STILL_REFERENCED, Database, sqlstate
from app.store.identity import KeyRecord, Registry, TenantKeys, TenantRecord
from app.store.offboarding import erase_tenant_rows, erase_user, erase_user_key

DEFAULT_SCOPES = (Scope.READ, Scope.WRITE, Scope.FORGET)
TENANT_ID = re.compile(r"[a-z0-9-]{1,40}")
# a second apart: longer than a service remembers a key
_OFFBOARD_ATTEMPTS = 10


class TenancyFault(Exception):
    """A command on tenants or keys that cannot be carried out; the text says how to mend it."""


def policy_of(settings: Mapping[str, Any]) -> TenantPolicy:
    """Read a tenant's policy: its settings over the defaults."""
    plain = {name: value for name, value in settings.items() if name != "thresholds"}
    policy = replace(TenantPolicy(), **plain)
    thresholds = dict(policy.thresholds)
    for kind, values in settings.get("thresholds", {}).items():
        thresholds[Kind(kind)] = replace(thresholds[Kind(kind)], **values)
    return replace(policy, thresholds=thresholds)


def settings_of(policy: TenantPolicy) -> dict[str, Any]:
    """Give what of a policy differs from the defaults."""
    default = TenantPolicy()
    plain = {
        name: value
        for name, value in asdict(policy).items()
        if name != "thresholds" and value != getattr(default, name)
    }
    thresholds = {
        kind.value: asdict(threshold) for kind, threshold in policy.thresholds.items() if threshold != Threshold()
    }
    return plain | ({"thresholds": thresholds} if thresholds else {})


class Tenancy:
    """What `lethe tenant` and `lethe key` do."""

    def __init__(self, database: Database, sealing: Sealing) -> None:
        self._database = database
        self._sealing = sealing

    async def tenants(self) -> list[TenantRecord]:
        """List all tenants."""
        async with self._database.registry() as session:
            return await Registry(session).tenants()

    async def add_tenant(self, tenant_id: str, *, now: datetime) -> None:
        """Make a tenant.

        Raises:
            TenancyFault: The id is not a slug, or is taken.
        """
        if not TENANT_ID.fullmatch(tenant_id):
            raise TenancyFault("a tenant id is 1 to 40 of a-z, 0-9 and -")
        async with self._database.registry() as session:
            added = await Registry(session).add_tenant(tenant_id, settings={}, now=now)
        if not added:
            raise TenancyFault(f"there is a tenant {tenant_id!r} already")
        async with self._database.tenant(tenant_id) as session:
            await TenantKeys(session, tenant_id).begin_chain()

    async def set_policy(self, tenant_id: str, policy: TenantPolicy) -> None:
        """Change a tenant's policy; it holds from the next request, at the latest after the key cache's time."""
        await self._require(tenant_id)
        async with self._database.registry() as session:
            await Registry(session).set_settings(tenant_id, settings_of(policy))

    async def policy(self, tenant_id: str) -> TenantPolicy:
        """Read a tenant's policy."""
        return policy_of((await self._require(tenant_id)).settings)

    async def keys(self, tenant_id: str) -> list[KeyRecord]:
        """List a tenant's keys, ended ones included."""
        await self._require(tenant_id)
        async with self._database.tenant(tenant_id) as session:
            return await TenantKeys(session, tenant_id).keys()

    async def add_key(
        self,
        tenant_id: str,
        *,
        name: str,
        scopes: Collection[Scope],
        now: datetime,
        bound_user: str | None = None,
        expires_at: datetime | None = None,
        rotated_from: str | None = None,
    ) -> str:
        """Make a key and give it, this once: only its keyed hash is stored."""
        await self._require(tenant_id)
        if bound_user is not None and not re.fullmatch(r"[A-Za-z0-9._:@|+=/-]{1,128}", bound_user):
            raise TenancyFault("a user id is 1 to 128 of A-Z a-z 0-9 . _ : @ | + = / -")
        token, parts = make_key(tenant_id)
        record = KeyRecord(
            key_id=parts.key_id,
            name=name,
            secret_hash=self._sealing.key_hash(tenant_id, parts.key_id, parts.secret),
            scopes=tuple(sorted(scopes)),
            bound_user=bound_user,
            rotated_from=rotated_from,
            created_at=now,
            expires_at=expires_at,
            revoked_at=None,
        )
        async with self._database.tenant(tenant_id) as session:
            await TenantKeys(session, tenant_id).add(record)
        return token

    async def rotate_key(self, tenant_id: str, key_id: str, *, old_ends_at: datetime, now: datetime) -> str:
        """Make a key like another one, which goes on working until `old_ends_at`.

        A key that was made to end gives one that lives as long as it was meant to, never one without an end.
        """
        old = await self._living_key(tenant_id, key_id, now=now)
        token = await self.add_key(
            tenant_id,
            name=old.name,
            scopes=[Scope(scope) for scope in old.scopes],
            now=now,
            bound_user=old.bound_user,
            expires_at=None if old.expires_at is None else now + (old.expires_at - old.created_at),
            rotated_from=key_id,
        )
        async with self._database.tenant(tenant_id) as session:
            await TenantKeys(session, tenant_id).expire(key_id, old_ends_at)
        return token

    async def revoke_key(self, tenant_id: str, key_id: str, *, now: datetime) -> None:
        """End a key now."""
        await self._living_key(tenant_id, key_id, now=now)
        async with self._database.tenant(tenant_id) as session:
            await TenantKeys(session, tenant_id).revoke(key_id, now=now)

    async def offboard(self, tenant_id: str, *, as_owner: Database, now: datetime) -> int:
        """Erase a tenant with all its users, its ledger and its keys; tell how many memories went.

        Its keys end first. Then it goes user by user, so that it can be repeated after an interruption: the tenant
        itself goes last.

        Args:
            tenant_id: Whom.
            as_owner: The same database as the owner of the tables.
            now: When its keys end.

        Raises:
            TenancyFault: No such tenant, or requests that were let in before are still adding rows.
        """
        await self._require(tenant_id)
        async with self._database.registry() as session:
            await Registry(session).disable(tenant_id, now=now)
        count = 0
        for _ in range(_OFFBOARD_ATTEMPTS):
            count += await self._erase_users(tenant_id, as_owner)
            try:
                async with as_owner.tenant(tenant_id) as session:
                    await erase_tenant_rows(session, tenant_id)
            except DBAPIError as fault:
                # a service that remembered a key for a few seconds has added a row behind our back
                if sqlstate(fault) != STILL_REFERENCED:
                    raise
                await asyncio.sleep(1.0)
            else:
                return count
        raise TenancyFault(
            f"requests of the tenant {tenant_id!r} are still in work. Its keys have ended: run the command again"
        )

    async def _erase_users(self, tenant_id: str, as_owner: Database) -> int:
        async with self._database.tenant(tenant_id) as session:
            keys = TenantKeys(session, tenant_id)
            users, user_keys = await keys.users(), await keys.user_keys()
        count = 0
        for user_id, user_key in users:
            owner = Owner(tenant_id, user_id, user_key)
            async with as_owner.owner(owner) as session:
                count += await erase_user(session, owner)
        for user_key in user_keys:
            # the id behind an old hash is unknown, and not needed for these tables
            nobody = Owner(tenant_id, "-", user_key)
            async with as_owner.owner(nobody) as session:
                await erase_user_key(session, nobody)
        return count

    async def _living_key(self, tenant_id: str, key_id: str, *, now: datetime) -> KeyRecord:
        for key in await self.keys(tenant_id):
            if key.key_id == key_id:
                if key.revoked_at is not None or (key.expires_at is not None and key.expires_at <= now):
                    raise TenancyFault(f"the key {key_id} has ended already")
                return key
        raise TenancyFault(f"the tenant {tenant_id!r} has no key {key_id}; see `lethe key list {tenant_id}`")

    async def _require(self, tenant_id: str) -> TenantRecord:
        if TENANT_ID.fullmatch(tenant_id):
            async with self._database.registry() as session:
                found = await Registry(session).tenant(tenant_id)
            if found is not None:
                return found
        raise TenancyFault("there is no such tenant; see `lethe tenant list`")
