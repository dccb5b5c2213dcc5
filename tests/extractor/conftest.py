from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Any, Protocol

import pytest

from app.embedded import Addresses
from tests.conftest import Service, SharedEmbedder, running, settings_for
from tests.providers.endpoint import Endpoint


@pytest.fixture
def endpoint() -> Iterator[Endpoint]:
    with Endpoint() as endpoint:
        yield endpoint


class Proposers(Protocol):
    """Starts a service whose extractor asks the scripted endpoint."""

    def __call__(self, **changes: Any) -> AbstractAsyncContextManager[Service]: ...


@pytest.fixture
def proposing(postgres: Addresses, embedder: SharedEmbedder, endpoint: Endpoint) -> Proposers:
    @asynccontextmanager
    async def start(**changes: Any) -> AsyncIterator[Service]:
        asked = {"extractor": "openai", "extractor_base_url": endpoint.url, "extractor_model": "tiny"} | changes
        async for service in running(settings_for(postgres, **asked), embedder):
            yield service

    return start


@pytest.fixture
async def assisted(proposing: Proposers) -> AsyncIterator[Service]:
    """Such a service with the default settings, and a short time limit."""
    async with proposing(extractor_timeout_seconds=5) as service:
        yield service
