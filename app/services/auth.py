"""From a key to a principal, from a principal and a header to an owner."""

from __future__ import annotations

import hmac
import time
from collections import OrderedDict
from dataclasses import dataclass
from datetime import datetime

from app.domain.caller import Owner, Principal, Scope
from app.domain.errors import Unauthenticated, UserMismatch, UserRequired
from app.domain.memory import TenantPolicy
from app.services.sealing import KeyParts, Sealing, read_key
from app.services.tenancy import policy_of
from app.store.database import Database
from app.store.identity import TenantKeys

_REMEMBERED = 10_000


@dataclass(frozen=True, slots=True)
class _Verified:
    principal: Principal
    policy: TenantPolicy
    expires_at: datetime | None
    until: float


class Auth:
    """Verifies keys. A verified one is remembered for a few seconds, by its keyed hash."""

    def __init__(self, database: Database, sealing: Sealing, *, cache_seconds: float) -> None:
        self._database = database
        self._sealing = sealing
        self._cache_seconds = cache_seconds
        self._verified: OrderedDict[bytes, _Verified] = OrderedDict()
        self._policies: dict[str, TenantPolicy] = {}

    async def authenticate(self, token: str, *, now: datetime) -> Principal:
        """Verify a key.

        Raises:
            Unauthenticated: Not a key, unknown, ended, or of a disabled tenant; the answer does not tell which.
        """
        parts = read_key(token)
        if parts is None:
            raise Unauthenticated
        secret_hash = self._sealing.key_hash(parts.tenant_id, parts.key_id, parts.secret)
        found = self._verified.get(secret_hash)
        if found is None or found.until <= time.monotonic() or (found.expires_at and found.expires_at <= now):
            found = await self._look_up(parts, secret_hash, now=now)
            self._remember(secret_hash, found)
        return found.principal

    def owner(self, principal: Principal, user_id: str | None) -> Owner:
        """Name the owner that a request is about.

        Raises:
            UserRequired: Neither the header nor the key names a user. UserMismatch: they name different ones.
        """
        if principal.bound_user is not None:
            if user_id is not None and user_id != principal.bound_user:
                raise UserMismatch
            user_id = principal.bound_user
        if user_id is None:
            raise UserRequired
        return self._sealing.owner(principal.tenant_id, user_id)

    def policy(self, tenant_id: str) -> TenantPolicy:
        """Give the policy of a tenant whose key was verified a moment ago."""
        return self._policies.get(tenant_id, TenantPolicy())

    async def _look_up(self, parts: KeyParts, secret_hash: bytes, *, now: datetime) -> _Verified:
        async with self._database.tenant(parts.tenant_id) as session:
            found = await TenantKeys(session, parts.tenant_id).key(parts.key_id)
        if found is None:
            raise Unauthenticated
        key, tenant = found
        ended = key.revoked_at is not None or (key.expires_at is not None and key.expires_at <= now)
        if not hmac.compare_digest(key.secret_hash, secret_hash) or ended or tenant.disabled_at is not None:
            raise Unauthenticated
        principal = Principal(
            tenant_id=parts.tenant_id,
            key_id=parts.key_id,
            scopes=frozenset(Scope(scope) for scope in key.scopes),
            bound_user=key.bound_user,
        )
        policy = policy_of(tenant.settings)
        self._policies[parts.tenant_id] = policy
        return _Verified(principal, policy, key.expires_at, time.monotonic() + self._cache_seconds)

    def _remember(self, secret_hash: bytes, verified: _Verified) -> None:
        if self._cache_seconds <= 0:
            return
        self._verified[secret_hash] = verified
        self._verified.move_to_end(secret_hash)
        while len(self._verified) > _REMEMBERED:
            self._verified.popitem(last=False)
