"""A data folder per test."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.embedded.support import home


@pytest.fixture
def data_dir() -> Iterator[Path]:
    """A folder that an unprivileged Postgres can reach also when the tests run as root, unlike pytest's own."""
    parent = Path(tempfile.mkdtemp(prefix="lethe test "))
    parent.chmod(0o711)
    folder = parent / ".lethe"
    yield folder
    if home(folder) != folder:
        shutil.rmtree(home(folder))
    shutil.rmtree(parent)
