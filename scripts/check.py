"""Everything that must pass before a change is done. Runs all steps, then says which failed."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BIN = str(Path(sys.executable).parent)
STATIC = {
    "format": [f"{BIN}/ruff", "format", "--check", "."],
    "lint": [f"{BIN}/ruff", "check", "."],
    "types": [f"{BIN}/mypy"],
    "import contracts": [f"{BIN}/lint-imports"],
}
TESTS = {"tests": [sys.executable, "-m", "pytest"]}


def main(arguments: list[str]) -> int:
    steps = STATIC if "--static" in arguments else STATIC | TESTS
    results: dict[str, tuple[bool, float]] = {}
    for name, command in steps.items():
        print(f"== {name}", flush=True)
        begun = time.monotonic()
        passed = subprocess.run(command, cwd=ROOT, check=False).returncode == 0
        results[name] = passed, time.monotonic() - begun
    print("==")
    for name, (passed, seconds) in results.items():
        print(f"{'passed' if passed else 'FAILED'}  {name}  ({seconds:.1f} s)")
    return 0 if all(passed for passed, _ in results.values()) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
