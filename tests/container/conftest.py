"""A Postgres without our roles, and what docker/roles.sql makes of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from app.embedded import Addresses
from scripts.check_container import ROOT, Instruction, read_compose, read_dockerfile, set_up_database
from tests.conftest import throw_away_postgres

COMPOSE = ROOT / "docker-compose.yml"
DOCKERFILE = ROOT / "Dockerfile"


@pytest.fixture(scope="session")
def stages() -> list[list[Instruction]]:
    """What stands before the first FROM, the builder, the image."""
    return read_dockerfile(DOCKERFILE.read_text(encoding="utf-8"))


@pytest.fixture(scope="session")
def services() -> Any:
    """The services of the compose file as they are without any environment."""
    return read_compose(COMPOSE.read_text(encoding="utf-8"), {})["services"]


@pytest.fixture(scope="session")
def server() -> Iterator[Addresses]:
    with throw_away_postgres(major=18) as addresses:
        yield addresses


@dataclass(frozen=True)
class ComposeDatabase:
    """A database as the compose file's Postgres has it after its first start."""

    server: Addresses
    environment: dict[str, str]

    def url(self, role: str, password: str) -> str:
        return f"postgresql://{role}:{password}@127.0.0.1:{self.server.port}/lethe"

    @property
    def owner(self) -> str:
        return self.url("lethe_owner", self.environment["LETHE_OWNER_PASSWORD"])

    @property
    def app(self) -> str:
        return self.url("lethe_app", self.environment["LETHE_APP_PASSWORD"])

    @property
    def superuser(self) -> str:
        return self.server.superuser_url


@pytest.fixture
def database(server: Addresses, services: Any) -> ComposeDatabase:
    environment = services["database"]["environment"]
    set_up_database(server, environment)
    return ComposeDatabase(server, environment)


def program(name: str) -> Path:
    """A program of the environment that the tests run in."""
    import sys

    return Path(sys.executable).with_name(name)
