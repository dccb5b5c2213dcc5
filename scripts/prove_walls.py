"""Print a prover's verdict on the row-level security of every table, in all three modes.

Migrates an empty database on an embedded Postgres and asks `pgrls verify`; ends with 1 when anything is not proven.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

from app.embedded import EmbeddedPostgres
from app.store.migrate import migrate_now

MODES = ("anon", "cross-tenant", "write")


def verdicts(owner_url: str, mode: str) -> subprocess.CompletedProcess[str]:
    """Ask for one mode's verdicts; unproven counts as failed."""
    program = Path(sys.executable).with_name("pgrls")
    options = ["verify", "--database-url", owner_url, "--schemas", "public", "--mode", mode, "--strict"]
    return subprocess.run([str(program), *options], capture_output=True, text=True, check=False)


def main() -> int:
    failed = 0
    with (
        tempfile.TemporaryDirectory() as folder,
        EmbeddedPostgres(Path(folder) / "walls", options={"fsync": "off"}) as addresses,
    ):
        migrate_now(addresses.owner_url, app_role="lethe_app")
        for mode in MODES:
            done = verdicts(addresses.owner_url, mode)
            print(f"{mode}:\n{done.stdout}{done.stderr}")
            failed += done.returncode != 0
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
