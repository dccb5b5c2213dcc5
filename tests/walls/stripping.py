"""Taking one wall down: the store's own filters, or row-level security."""

from __future__ import annotations

import sys
from typing import Any

import pytest
from sqlalchemy import ColumnElement, inspect, true

from app.domain.caller import Owner
from app.store import candidates, reading, scope
from app.store.tables import TENANT_TABLES, USER_KEY_TABLES, USER_TABLES
from tests.store.scratch import run_now

# These stand outside row-level security by decision 4, so their filters stay: `tenants` holds no user data, and the
# sweep lists `owners`. What a user owns is behind the wall.
OUTSIDE = {"tenants", "owners"}
WALLED = (*USER_TABLES, *USER_KEY_TABLES, *TENANT_TABLES)


def strip_filters(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Let every statement of the store see whatever the database shows; tells which modules were stripped."""
    stripped = []
    for name in ("mine", "mine_by_key", "ours"):
        real = getattr(scope, name)

        def open_to_all(owner: Owner | str, table: Any, real: Any = real) -> ColumnElement[bool]:
            if inspect(table).mapper.local_table.name in OUTSIDE:
                filtered: ColumnElement[bool] = real(owner, table)
                return filtered
            return true()

        for module_name, module in list(sys.modules.items()):
            if module_name.startswith("app.") and getattr(module, name, None) is real:
                monkeypatch.setattr(module, name, open_to_all)
                stripped.append(f"{module_name}.{name}")
    # statements are spelled once and kept: these must be spelled anew, and not kept
    spell: Any = candidates.prepared
    for module in (candidates, reading):
        monkeypatch.setattr(module, "prepared", spell.__wrapped__)
    return stripped


async def take_down_row_level_security(owner_url: str) -> None:
    """Switch it off on every table, as the owner of the tables."""
    await run_now(owner_url, *(f"alter table {table} disable row level security" for table in WALLED))
