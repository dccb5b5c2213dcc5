from __future__ import annotations

import asyncio
from collections.abc import Iterator

import pytest

from app.providers.local import LocalEmbedder
from tests.providers.endpoint import Endpoint


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(scope="session")
def embedder() -> Iterator[LocalEmbedder]:
    """One embedder for all tests: it belongs to no event loop, and loading it costs half a second."""
    embedder = LocalEmbedder()
    yield embedder
    asyncio.run(embedder.close())


@pytest.fixture
def endpoint() -> Iterator[Endpoint]:
    with Endpoint() as endpoint:
        yield endpoint
