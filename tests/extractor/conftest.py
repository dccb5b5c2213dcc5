from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Any, Protocol

import pytest

from app.embedded import Addresses
from app.providers.breaker import Breaker
from app.providers.extractor import OpenAIExtractor
from app.settings import Settings
from tests.conftest import Service, SharedEmbedder, running, settings_for
from tests.extractor.client import Clock
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


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
async def extractor(endpoint: Endpoint, clock: Clock, quick: list[float]) -> AsyncIterator[OpenAIExtractor]:
    extractor = OpenAIExtractor(
        model="tiny",
        base_url=endpoint.url,
        timeout_seconds=5,
        breaker=Breaker(threshold=2, rest_seconds=30, clock=clock),
        clock=clock,
    )
    yield extractor
    await extractor.close()


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Spares the tests the pause before a second attempt; tells how long it would have been."""
    pauses: list[float] = []
    real = asyncio.sleep

    async def sleep(seconds: float) -> None:
        pauses.append(seconds)
        await real(0)

    monkeypatch.setattr("app.providers.chat.asyncio.sleep", sleep)
    return pauses
