"""Every statement is born scoped: these are the only places where a tenant and a user become a WHERE clause."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, Final, cast

from sqlalchemy import ColumnElement, Text, and_, bindparam

from app.domain.caller import Owner


def named(name: str, kind: Any) -> Any:
    """Spell a parameter of a statement that is spelled once for all its values."""
    return bindparam(name, type_=kind, required=False)


ANY_OWNER: Final = cast(Owner, SimpleNamespace(tenant_id=named("tenant_id", Text()), user_id=named("user_id", Text())))
"""The owner whose ids are the parameters `tenant_id` and `user_id`."""


def mine(owner: Owner, table: Any) -> ColumnElement[bool]:
    """Restrict a table with a `user_id` to one user's rows."""
    return and_(table.tenant_id == owner.tenant_id, table.user_id == owner.user_id)


def mine_by_key(owner: Owner, table: Any) -> ColumnElement[bool]:
    """Restrict a table with a `user_key` to one user's rows."""
    return and_(table.tenant_id == owner.tenant_id, table.user_key == owner.user_key)


def ours(tenant_id: str, table: Any) -> ColumnElement[bool]:
    """Restrict a table to one tenant's rows."""
    clause: ColumnElement[bool] = table.tenant_id == tenant_id
    return clause
