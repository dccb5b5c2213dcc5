"""A server that keeps its promises, for what refuses any other; and services with a scripted embedder."""

from __future__ import annotations

import tempfile
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from app.embedded import Addresses, EmbeddedPostgres
from tests.conftest import Service, running, settings_for
from tests.operations.doubles import ScriptedEmbedder
from tests.store.scratch import scratch_database


@dataclass(frozen=True)
class Durable:
    """A running server, and the folder that its log is in."""

    addresses: Addresses
    folder: Path

    @property
    def log(self) -> str:
        return next(self.folder.rglob("server.log")).read_text(encoding="utf-8")


@pytest.fixture(scope="session")
def durable() -> Iterator[Durable]:
    """Postgres 18 as `lethe serve` starts it: with fsync."""
    with tempfile.TemporaryDirectory(prefix="lethe durable ") as folder:
        Path(folder).chmod(0o711)
        home = Path(folder) / "data"
        with EmbeddedPostgres(home) as addresses:
            yield Durable(addresses, home)


@pytest.fixture
def durable_database(durable: Durable) -> Iterator[Addresses]:
    """A migrated database on it."""
    with scratch_database(durable.addresses, migrated=True) as addresses:
        yield addresses


@pytest.fixture
def own_database(postgres: Addresses) -> Iterator[Addresses]:
    """A migrated database for one test, on the quick server."""
    with scratch_database(postgres, migrated=True) as addresses:
        yield addresses


@dataclass(frozen=True)
class Scripted:
    """A service with its embedder in the test's hands."""

    service: Service
    embedder: ScriptedEmbedder


@pytest.fixture(scope="session")
def scripted_database(postgres: Addresses) -> Iterator[Addresses]:
    with scratch_database(postgres, migrated=True) as addresses:
        yield addresses


@pytest.fixture
async def scripted(scripted_database: Addresses) -> AsyncIterator[Scripted]:
    embedder = ScriptedEmbedder()
    async for service in running(settings_for(scripted_database), embedder):
        yield Scripted(service, embedder)
