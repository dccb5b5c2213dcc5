from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Any, Protocol

import pytest

from app.embedded import Addresses
from tests.conftest import Service, SharedEmbedder, running, settings_for
from tests.providers.endpoint import Endpoint


@pytest.fixture(scope="session")
def shared_judge() -> Iterator[Endpoint]:
    with Endpoint() as endpoint:
        yield endpoint


@pytest.fixture
def endpoint(request: pytest.FixtureRequest) -> Iterator[Endpoint]:
    """The endpoint of the shared service where a test uses that, else one of its own."""
    if "judged" in request.fixturenames:
        shared: Endpoint = request.getfixturevalue("shared_judge")
        shared.requests.clear()
        yield shared
    else:
        with Endpoint() as endpoint:
            yield endpoint


class Judges(Protocol):
    """Starts a service whose judge is the scripted endpoint."""

    def __call__(self, **changes: Any) -> AbstractAsyncContextManager[Service]: ...


def asking(url: str, **changes: Any) -> dict[str, Any]:
    return {"judge": "openai", "judge_base_url": url, "judge_model": "tiny", "judge_timeout_seconds": 5} | changes


@pytest.fixture
def judging(postgres: Addresses, embedder: SharedEmbedder, endpoint: Endpoint) -> Judges:
    @asynccontextmanager
    async def start(**changes: Any) -> AsyncIterator[Service]:
        async for service in running(settings_for(postgres, **asking(endpoint.url, **changes)), embedder):
            yield service

    return start


@pytest.fixture(scope="session")
async def judged(postgres: Addresses, embedder: SharedEmbedder, shared_judge: Endpoint) -> AsyncIterator[Service]:
    """Such a service for all tests that need no other settings and leave its breaker alone."""
    async for service in running(settings_for(postgres, **asking(shared_judge.url)), embedder):
        yield service
