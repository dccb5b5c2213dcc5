from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Any, Protocol

import pytest

from app.embedded import Addresses
from app.settings import Settings
from tests.conftest import Service, SharedEmbedder, running, settings_for
from tests.providers.endpoint import Endpoint


@pytest.fixture(scope="session")
def shared_endpoint() -> Iterator[Endpoint]:
    with Endpoint() as endpoint:
        yield endpoint


@pytest.fixture
def endpoint(request: pytest.FixtureRequest) -> Iterator[Endpoint]:
    """The endpoint of the shared service where a test uses that, else one of its own."""
    if "assisted" in request.fixturenames:
        shared: Endpoint = request.getfixturevalue("shared_endpoint")
        shared.requests.clear()
        yield shared
    else:
        with Endpoint() as endpoint:
            yield endpoint


class Proposers(Protocol):
    """Starts a service whose extractor asks the scripted endpoint."""

    def __call__(self, **changes: Any) -> AbstractAsyncContextManager[Service]: ...


def asking(postgres: Addresses, url: str, **changes: Any) -> Settings:
    asked = {"extractor": "openai", "extractor_base_url": url, "extractor_model": "tiny"} | changes
    return settings_for(postgres, **asked)


@pytest.fixture
def proposing(postgres: Addresses, embedder: SharedEmbedder, endpoint: Endpoint) -> Proposers:
    @asynccontextmanager
    async def start(**changes: Any) -> AsyncIterator[Service]:
        async for service in running(asking(postgres, endpoint.url, **changes), embedder):
            yield service

    return start


@pytest.fixture(scope="session")
async def assisted(postgres: Addresses, embedder: SharedEmbedder, shared_endpoint: Endpoint) -> AsyncIterator[Service]:
    """Such a service for all tests that need no other settings and leave its breaker alone."""
    settings = asking(postgres, shared_endpoint.url, extractor_timeout_seconds=5)
    async for service in running(settings, embedder):
        yield service
