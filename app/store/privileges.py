"""What the app role may do: content, evidence, trust and the ledger are kept by privileges, not by triggers.

Applied after every migration, so that a new app role needs no migration of its own.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from sqlalchemy import Connection, text

_CHANGEABLE: Final[Mapping[str, str]] = {
    "deployment": "select, insert, update (embedding_model, embedding_dimension)",
    "tenants": "select, insert, update (settings, disabled_at)",
    "api_keys": "select, insert, update (expires_at, revoked_at)",
    "tenant_chains": "select, insert, update (seq, head)",
    "seals": "select, insert",
    "owners": "select, insert, delete, update (user_key, forget_epoch, chain_seq, chain_head)",
    "owner_keys": "select, insert",
    "token_budget": "select, insert, update (tokens)",
    # never content, subject, claim, trust, importance, evidence times or ids
    "memories": (
        "select, insert, delete, update (status, retired_by, stale, pinned, confidence, valid_to, known_from, "
        "known_to, updated_at, expires_at, metadata, embedding, embedding_model, embedding_dimension)"
    ),
    "memory_counters": "select, insert, delete, update (mentions, reinforcements, confirmed_at)",
    "evidence": "select, insert, delete",
    "links": "select, insert, delete",
    "ledger": "select, insert",
    "ledger_texts": "select, insert, delete",
    "recalls": "select, insert, delete",
    "previews": "select, insert, delete, update (receipt_id, memory_ids, fingerprint, plan)",
    "receipts": "select, insert",
    "idempotency": (
        "select, insert, delete, update (state, claim, body_hash, response, memory_ids, lease_until, expires_at)"
    ),
    "alembic_version": "select",
}


def grant_to_app_role(connection: Connection, role: str) -> None:
    """Give the app role exactly the privileges above on the tables that exist, and nothing else.

    Args:
        connection: Connected as the owner of the tables.
        role: The app role's name, lower-case letters, digits and `_`.

    Raises:
        ValueError: The role name is not of that form, or there is no such role.
    """
    if not re.fullmatch(r"[a-z_][a-z0-9_]{0,62}", role):
        raise ValueError("the app role's name must be lower-case letters, digits and _")
    known = connection.scalar(text("select 1 from pg_roles where rolname = :role"), {"role": role})
    if known is None:
        raise ValueError(
            f"there is no role {role!r}; create it first: create role {role} login nosuperuser nobypassrls password ..."
        )
    for table, privileges in _CHANGEABLE.items():
        if connection.scalar(text("select to_regclass(:table)"), {"table": f"public.{table}"}) is None:
            continue
        connection.execute(text(f'revoke all on table public.{table} from "{role}"'))
        connection.execute(text(f'grant {privileges} on table public.{table} to "{role}"'))
    connection.execute(text(f'grant usage on schema public to "{role}"'))
