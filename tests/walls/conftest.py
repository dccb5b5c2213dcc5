"""A database whose second wall can be taken down without harm to the others."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from app.embedded import Addresses
from tests.store.scratch import scratch_database


@pytest.fixture
def own_database(postgres: Addresses) -> Iterator[Addresses]:
    """A migrated database that only this test uses."""
    with scratch_database(postgres, migrated=True) as addresses:
        yield addresses
