from __future__ import annotations

from collections.abc import AsyncIterator

import httpx
import pytest
from fastapi import FastAPI

from app.main import create_app
from app.settings import Settings
from tests.api.double import KEY, ScriptedLethe, opener


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
def settings() -> Settings:
    return Settings(_env_file=None, log_level="DEBUG")


@pytest.fixture
def lethe(settings: Settings) -> ScriptedLethe:
    return ScriptedLethe(settings)


@pytest.fixture
def app(settings: Settings, lethe: ScriptedLethe) -> FastAPI:
    return create_app(settings, open_lethe=opener(lethe))


@pytest.fixture
async def client(app: FastAPI) -> AsyncIterator[httpx.AsyncClient]:
    """A caller with every scope, as user `anna`."""
    async with (
        app.router.lifespan_context(app),
        httpx.AsyncClient(
            transport=httpx.ASGITransport(app),
            base_url="http://lethe.test",
            headers={"Authorization": f"Bearer {KEY}", "X-User-Id": "anna"},
        ) as client,
    ):
        yield client
