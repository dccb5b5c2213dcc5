"""A data folder per test."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.embedded.support import embedded, home


@contextmanager
def _folder() -> Iterator[Path]:
    """A folder that an unprivileged Postgres can reach also when the tests run as root, unlike pytest's own."""
    parent = Path(tempfile.mkdtemp(prefix="lethe test "))
    parent.chmod(0o711)
    folder = parent / ".lethe"
    try:
        yield folder
    finally:
        if home(folder) != folder:
            shutil.rmtree(home(folder))
        shutil.rmtree(parent)


@pytest.fixture
def new_dir() -> Iterator[Path]:
    """The path of a data folder that does not exist yet."""
    with _folder() as folder:
        yield folder


@pytest.fixture(scope="module")
def prepared() -> Iterator[Path]:
    """A data folder that was used once; for copying."""
    with _folder() as folder:
        with embedded(folder):
            pass
        (folder / "port").unlink()
        yield folder


@pytest.fixture
def data_dir(prepared: Path) -> Iterator[Path]:
    """A data folder that was used before: a start on it is quicker than the first one."""
    with _folder() as folder:
        subprocess.run(["cp", "-a", str(prepared), str(folder)], check=True)
        yield folder
