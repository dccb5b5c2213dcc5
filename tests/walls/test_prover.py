"""A prover that knows nothing of our tests agrees: no other tenant's or user's row can be seen or written."""

from __future__ import annotations

import pytest

from app.embedded import Addresses
from app.store.tables import TENANT_TABLES, USER_KEY_TABLES, USER_TABLES
from scripts.prove_walls import MODES, verdicts
from tests.store.scratch import run, scratch_database

WALLED = (*USER_TABLES, *USER_KEY_TABLES, *TENANT_TABLES)


@pytest.mark.parametrize("mode", MODES)
def test_every_walled_table_is_proven(postgres: Addresses, mode: str) -> None:
    done = verdicts(postgres.owner_url, mode)
    assert done.returncode == 0, done.stdout + done.stderr
    lines = done.stdout.splitlines()
    for table in WALLED:
        said = [line for line in lines if f"public.{table} " in f"{line} " or f"public.{table}:" in line]
        assert said, f"nothing is said of {table} in:\n{done.stdout}"
        assert all("PROVEN" in line and "UNPROVEN" not in line for line in said), said


def test_the_prover_sees_a_hole(postgres: Addresses) -> None:
    with scratch_database(postgres, migrated=True) as addresses:
        run(addresses.owner_url, "create policy hole on evidence for select using (true)")
        assert verdicts(addresses.owner_url, "cross-tenant").returncode != 0
