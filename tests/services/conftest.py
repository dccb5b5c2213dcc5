"""The operator's view beside the callers'."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from app.embedded import Addresses
from tests.services.looking import Eye


@pytest.fixture(scope="session")
async def eye(anyio_backend: str, postgres: Addresses) -> AsyncIterator[Eye]:
    opened = await Eye.open(postgres.superuser_url)
    yield opened
    await opened.connection.close()
