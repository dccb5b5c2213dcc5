"""Both majors of Postgres, one after the other."""

from __future__ import annotations

import pytest

from app.embedded import Addresses


@pytest.fixture(scope="module", params=["postgres", "postgres_16"])
def server(request: pytest.FixtureRequest) -> Addresses:
    addresses: Addresses = request.getfixturevalue(request.param)
    return addresses
