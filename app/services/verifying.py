"""Verification: recompute every hash of a tenant's chains, and hold the ledgers against the last seal."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from app.domain.caller import Owner
from app.domain.ledger import verify_chain
from app.store.chains import TenantChain
from app.store.database import Database
from app.store.identity import TenantKeys
from app.store.ledger import Ledger
from app.store.receipts import Receipts

# stands in for an id that is not known; only rows under a hash are read with it
_NOBODY = "-"


@dataclass(frozen=True, slots=True)
class Verification:
    """What was checked, and what does not hold: each fault in one line, without content."""

    users: int
    decisions: int
    receipts: int
    seals: int
    faults: tuple[str, ...]


async def verify_tenant(database: Database, tenant_id: str) -> Verification:
    """Check every user's decision chain, the tenant's chain of receipts and seals, and one against the other.

    A row that was changed, removed or slipped in after the fact breaks a chain; a chain that was computed anew from
    the start no longer reaches the head that a seal recorded.
    """
    async with database.tenant(tenant_id) as session:
        user_keys = await TenantKeys(session, tenant_id).user_keys()
        chain = TenantChain(session, tenant_id)
        seals, (last_seq, last_head) = await chain.seals(), await chain.end()
    faults: list[str] = []
    links: list[Any] = list(seals)
    decisions = receipts = 0
    heads: dict[str, dict[int, str]] = {}
    for user_key in user_keys:
        owner = Owner(tenant_id, _NOBODY, user_key)
        async with database.owner(owner) as session:
            rows = await Ledger(session, owner).chain()
            filed = await Receipts(session, owner).links()
        decisions, receipts = decisions + len(rows), receipts + len(filed)
        links += filed
        broken = verify_chain(rows)
        if broken is not None:
            faults.append(f"user {user_key[:12]}: decision {broken + 1} of {len(rows)} does not fit its chain")
        heads[user_key] = {row["fields"]["seq"]: row["hash"] for row in rows}
    links.sort(key=lambda link: link["seq"])
    broken = verify_chain(links)
    if broken is not None:
        faults.append(f"tenant's chain: link {links[broken]['seq']} does not fit")
    if links and (links[-1]["seq"], links[-1]["hash"]) != (last_seq, last_head):
        faults.append("tenant's chain: its end is not the last receipt or seal")
    if [link["seq"] for link in links] != list(range(1, len(links) + 1)):
        faults.append("tenant's chain: a receipt or seal is missing")
    for seal in seals:
        for user_key, (seq, head) in seal["heads"].items():
            if heads.get(user_key, {}).get(seq) != head:
                faults.append(f"user {user_key[:12]}: the chain does not go through decision {seq} as sealed")
    return Verification(len(user_keys), decisions, receipts, len(seals), tuple(faults))
