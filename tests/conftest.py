"""One Postgres for the whole run, migrated; each test gets a tenant of its own, so that nothing has to be cleaned."""

from __future__ import annotations

import asyncio
import itertools
import os
import tempfile
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import httpx
import pytest
from fastapi import FastAPI
from pydantic import SecretStr

from app.domain.caller import Scope
from app.embedded import Addresses, EmbeddedPostgres
from app.main import create_app
from app.metrics import Metrics
from app.providers.local import LocalEmbedder
from app.services.container import Lethe, open_lethe
from app.settings import Settings
from app.store.migrate import migrate

# settings of the machine must not reach the tests; these are no settings, they let tests in that need more than most
KEPT = ("LETHE_TRAINED_WEIGHTS", "LETHE_TEST_")
for name in [name for name in os.environ if name.startswith("LETHE_") and not name.startswith(KEPT)]:
    del os.environ[name]

THROW_AWAY = {"fsync": "off", "full_page_writes": "off"}
ALL_SCOPES = (Scope.READ, Scope.WRITE, Scope.FORGET, Scope.IMPORT, Scope.REVIEW)
_numbers = itertools.count(1)


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    return "asyncio"


@contextmanager
def throw_away_postgres(*, major: int) -> Iterator[Addresses]:
    """An empty database on a server that forgets its promises for speed, and goes with the test run."""
    with tempfile.TemporaryDirectory() as folder:
        # as root the server runs as another user, who must be able to get in
        Path(folder).chmod(0o711)
        with EmbeddedPostgres(Path(folder) / "pg", major=major, options=THROW_AWAY) as addresses:
            yield addresses


@pytest.fixture(scope="session")
def postgres() -> Iterator[Addresses]:
    """A migrated database on Postgres 18."""
    with throw_away_postgres(major=18) as addresses:
        asyncio.run(migrate(addresses.owner_url, app_role="lethe_app"))
        yield addresses


@pytest.fixture(scope="session")
def postgres_16() -> Iterator[Addresses]:
    """The same on Postgres 16."""
    with throw_away_postgres(major=16) as addresses:
        asyncio.run(migrate(addresses.owner_url, app_role="lethe_app"))
        yield addresses


def settings_for(addresses: Addresses, **changes: Any) -> Settings:
    """Settings of a service on the test database."""
    return Settings(
        _env_file=None,
        database_url=SecretStr(addresses.app_url),
        migration_url=SecretStr(addresses.owner_url),
        secret_key=SecretStr(addresses.secret_key),
        maintenance_seconds=0,
        key_cache_seconds=0,
        **changes,
    )


@pytest.fixture(scope="session")
def settings(postgres: Addresses) -> Settings:
    return settings_for(postgres)


class SharedEmbedder(LocalEmbedder):
    """The real model, loaded once for all services of the run."""

    async def close(self) -> None:
        """Stay open: the next service uses it too."""

    async def really_close(self) -> None:
        await super().close()


@pytest.fixture(scope="session")
async def embedder(anyio_backend: str) -> AsyncIterator[SharedEmbedder]:
    shared = SharedEmbedder()
    await shared.warm()
    yield shared
    await shared.really_close()


@dataclass
class Service:
    """A running service as its callers see it, with what only its operator sees."""

    app: FastAPI
    http: httpx.AsyncClient
    lethe: Lethe

    async def tenant(self, *scopes: Scope, bound_user: str | None = None) -> Tenant:
        """Make a tenant with one key."""
        tenant_id = f"t{next(_numbers)}"
        now = datetime.now(UTC)
        await self.lethe.tenancy.add_tenant(tenant_id, now=now)
        key = await self.lethe.tenancy.add_key(
            tenant_id, name="test", scopes=scopes or ALL_SCOPES, now=now, bound_user=bound_user
        )
        return Tenant(self, tenant_id, key)


@dataclass(frozen=True)
class Tenant:
    """A tenant's backend: calls as any of its users."""

    service: Service
    id: str
    key: str

    def user(self, user_id: str) -> User:
        return User(self, user_id)


@dataclass(frozen=True)
class User:
    """Calls as one user. The verbs give the body of a 200, `call` gives the whole response."""

    tenant: Tenant
    id: str

    async def call(
        self, method: str, path: str, *, json: Any = None, headers: dict[str, str] | None = None, **rest: Any
    ) -> httpx.Response:
        sent = {"Authorization": f"Bearer {self.tenant.key}", "X-User-Id": self.id} | (headers or {})
        return await self.tenant.service.http.request(method, path, json=json, headers=sent, **rest)

    async def ok(self, method: str, path: str, json: Any = None, headers: dict[str, str] | None = None) -> Any:
        response = await self.call(method, path, json=json, headers=headers)
        assert response.status_code == 200, response.text
        return response.json()

    async def write(self, text: str | None = None, **body: Any) -> Any:
        messages = {} if text is None else {"messages": [{"role": "user", "content": text}]}
        return await self.ok("POST", "/memories/write", {**messages, **body})

    async def force(self, text: str, **body: Any) -> Any:
        """Store a text as it is."""
        return await self.ok("POST", "/memories/write", {"content": text, "infer": False, "force": True, **body})

    async def recall(self, query: str, **body: Any) -> Any:
        return await self.ok("POST", "/recall", {"query": query, **body})

    async def contents(self, query: str, **body: Any) -> list[str]:
        """What a recall brings back, best first."""
        return [memory["content"] for memory in (await self.recall(query, **body))["memories"]]

    async def forget(self, **body: Any) -> Any:
        return await self.ok("POST", "/forget", body)

    async def explain(self, **body: Any) -> Any:
        return await self.ok("POST", "/explain", body)

    async def stored(self, **parameters: Any) -> list[Any]:
        """The inventory, newest first; active rows unless a status is asked for."""
        response = await self.call("GET", "/memories", params={"limit": 200, **parameters})
        assert response.status_code == 200, response.text
        memories: list[Any] = response.json()["memories"]
        return memories


async def running(settings: Settings, embedder: Any) -> AsyncIterator[Service]:
    """Run a service on a database; for tests that need settings or an embedder of their own."""

    def opener(given: Settings, *, metrics: Metrics) -> Any:
        return open_lethe(given, metrics=metrics, embedder=embedder, durable=False, wait_seconds=0)

    app = create_app(settings, open_lethe=opener)
    async with (
        app.router.lifespan_context(app),
        httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://lethe.test") as http,
    ):
        yield Service(app, http, app.state.lethe)


@pytest.fixture(scope="session")
async def service(settings: Settings, embedder: SharedEmbedder) -> AsyncIterator[Service]:
    async for started in running(settings, embedder):
        yield started


@pytest.fixture
async def tenant(service: Service) -> Tenant:
    return await service.tenant()


@pytest.fixture
async def user(tenant: Tenant) -> User:
    return tenant.user("ada")
