from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import httpx
import pytest
from fastapi import FastAPI

from app.main import create_app
from app.metrics import Metrics
from app.settings import Settings
from tests.api.double import KEY, ScriptedLethe


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(scope="session")
def settings() -> Settings:
    return Settings(_env_file=None, log_level="DEBUG")


@pytest.fixture
def lethe(settings: Settings) -> ScriptedLethe:
    return ScriptedLethe(settings)


@pytest.fixture(scope="session")
def shared(settings: Settings) -> tuple[FastAPI, list[ScriptedLethe]]:
    """One application for all tests, as building it is slow; its service is the last of the list."""
    services: list[ScriptedLethe] = []

    @asynccontextmanager
    async def open_last(_settings: Settings, *, metrics: Metrics) -> AsyncIterator[ScriptedLethe]:
        services[-1].metrics = metrics
        yield services[-1]

    return create_app(settings, open_lethe=open_last), services


@pytest.fixture
def app(shared: tuple[FastAPI, list[ScriptedLethe]], lethe: ScriptedLethe) -> FastAPI:
    app, services = shared
    services[:] = [lethe]
    return app


@pytest.fixture
async def client(app: FastAPI) -> AsyncIterator[httpx.AsyncClient]:
    """A caller with every scope, as user `anna`."""
    async with client_of(app) as client:
        yield client


@asynccontextmanager
async def client_of(app: FastAPI) -> AsyncIterator[httpx.AsyncClient]:
    """Open an application, and call it."""
    async with (
        app.router.lifespan_context(app),
        httpx.AsyncClient(
            transport=httpx.ASGITransport(app),
            base_url="http://lethe.test",
            headers={"Authorization": f"Bearer {KEY}", "X-User-Id": "anna"},
        ) as client,
    ):
        yield client
