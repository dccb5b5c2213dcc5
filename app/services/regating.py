"""Replaying a tenant's past gate decisions under other thresholds, from its ledger."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final

from app.domain.caller import Owner
from app.domain.regate import Again, Wish, again
from app.services.sealing import Sealing
from app.services.tenancy import TenancyFault
from app.store.database import Database
from app.store.identity import Registry, TenantKeys
from app.store.ledger import Ledger

_BATCH: Final = 1_000
# users who were forgotten are known by their hash only
_NOBODY: Final = "-"


@dataclass(slots=True)
class Replayed:
    """What a replay found. `changes` counts by (reason, kind, before, after)."""

    decisions: int = 0
    by_rule: int = 0
    users: int = 0
    changes: Counter[tuple[str, str, str, str]] = field(default_factory=Counter)
    by_reason: Counter[str] = field(default_factory=Counter)

    def count(self, found: Again) -> None:
        """Add one decision."""
        self.decisions += 1
        self.by_rule += found.by_rule
        self.by_reason[found.reason] += 1
        if found.before is not found.after:
            self.changes[(found.reason, found.kind, str(found.before), str(found.after))] += 1


class Regating:
    """What `lethe gate replay` does. Reads the ledger only; nothing is changed."""

    def __init__(self, database: Database, sealing: Sealing) -> None:
        self._database = database
        self._sealing = sealing

    async def replay(self, tenant_id: str, wish: Wish, *, since: datetime | None = None) -> Replayed:
        """Decide anew on everything that the tenant's users ever wrote.

        Raises:
            TenancyFault: There is no such tenant.
        """
        async with self._database.registry() as session:
            if all(tenant.tenant_id != tenant_id for tenant in await Registry(session).tenants()):
                raise TenancyFault(f"there is no tenant {tenant_id!r}; see `lethe tenant list`")
        async with self._database.tenant(tenant_id) as session:
            keys = await TenantKeys(session, tenant_id).user_keys()
        found = Replayed()
        for user_key in keys:
            found.users += 1
            owner = Owner(tenant_id, _NOBODY, user_key)
            after = 0
            while True:
                async with self._database.owner(owner) as session:
                    rows = await Ledger(session, owner).written(after=after, since=since, limit=_BATCH)
                for seq, body in rows:
                    after = seq
                    found.count(again(body, wish))
                if len(rows) < _BATCH:
                    break
        return found
