"""docker-compose.yml, without an engine: its schema, its addresses, its order, its walls."""

from __future__ import annotations

import re
import subprocess
from typing import Any
from urllib.parse import urlsplit

import pytest

from app.embedded.cluster import DEFAULTS
from app.services.container import SHORTEST_SECRET
from app.settings import Settings
from app.store.migrate import REQUIRED_PGVECTOR
from scripts.check_container import ROOT, read_compose
from tests.container.conftest import COMPOSE, program

OURS = ("lethe", "migrate")
TEXT = COMPOSE.read_text(encoding="utf-8")


def test_the_file_follows_the_compose_specification() -> None:
    check = [str(program("check-jsonschema")), "--builtin-schema", "vendor.compose-spec", str(COMPOSE)]
    done = subprocess.run(check, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_it_works_without_any_environment() -> None:
    variables = re.findall(r"\$\{[^}]+\}", TEXT)
    assert variables
    assert all(re.fullmatch(r"\$\{[A-Z_]+:-[^}]+\}", variable) for variable in variables)
    assert "env_file" not in TEXT


def test_every_default_that_is_a_secret_says_that_it_is_for_development() -> None:
    defaults = dict(re.findall(r"\$\{(\w*(?:PASSWORD|SECRET)\w*):-([^}]+)\}", TEXT))
    assert set(defaults) == {"POSTGRES_PASSWORD", "LETHE_OWNER_PASSWORD", "LETHE_APP_PASSWORD", "LETHE_SECRET_KEY"}
    assert all(value.startswith("development") for value in defaults.values())
    assert len(defaults["LETHE_SECRET_KEY"]) >= SHORTEST_SECRET


@pytest.mark.parametrize(
    "environment",
    [{}, {"LETHE_OWNER_PASSWORD": "o-1", "LETHE_APP_PASSWORD": "a-1", "LETHE_SECRET_KEY": "s" * 40}],
    ids=["defaults", "own values"],
)
def test_addresses_name_services_and_carry_the_passwords_that_the_roles_get(environment: dict[str, str]) -> None:
    services = read_compose(TEXT, environment)["services"]
    given = services["database"]["environment"]
    passwords = {"lethe_owner": given["LETHE_OWNER_PASSWORD"], "lethe_app": given["LETHE_APP_PASSWORD"]}
    roles = []
    for name in OURS:
        for variable, value in services[name]["environment"].items():
            if variable.endswith("_URL") and value:
                url = urlsplit(value)
                assert url.hostname in services
                assert (url.password, url.port, url.path) == (passwords[str(url.username)], 5432, "/lethe")
                roles.append((name, variable, url.username))
    assert set(roles) == {
        ("lethe", "LETHE_DATABASE_URL", "lethe_app"),
        ("migrate", "LETHE_DATABASE_URL", "lethe_app"),
        ("migrate", "LETHE_MIGRATION_URL", "lethe_owner"),
    }
    secrets = {services[name]["environment"]["LETHE_SECRET_KEY"] for name in OURS}
    assert len(secrets) == 1


def test_every_setting_it_gives_exists(services: Any) -> None:
    for name in OURS:
        for variable in services[name]["environment"]:
            assert variable.removeprefix("LETHE_").lower() in Settings.model_fields


def test_the_service_starts_on_a_healthy_migrated_database_and_the_migration_runs_once(services: Any) -> None:
    assert services["lethe"]["depends_on"] == {
        "database": {"condition": "service_healthy"},
        "migrate": {"condition": "service_completed_successfully"},
    }
    assert services["migrate"]["depends_on"] == {"database": {"condition": "service_healthy"}}
    assert services["migrate"]["restart"] == "no"
    assert services["migrate"]["command"] == ["migrate"]
    # over TCP, which the server opens only after the roles exist
    assert "--host=127.0.0.1" in services["database"]["healthcheck"]["test"]


def test_only_the_service_is_published_and_only_to_this_machine(services: Any) -> None:
    assert {name for name, service in services.items() if "ports" in service} == {"lethe"}
    assert services["lethe"]["ports"] == ["127.0.0.1:8000:8000"]


@pytest.mark.parametrize("name", OURS)
def test_our_containers_write_nowhere_and_may_nothing(services: Any, name: str) -> None:
    service = services[name]
    assert service["build"] == "."
    assert "image" not in service
    assert service["read_only"] is True
    assert service["tmpfs"] == ["/tmp"]
    assert service["cap_drop"] == ["ALL"]
    assert service["security_opt"] == ["no-new-privileges:true"]
    assert service["init"] is True
    assert "volumes" not in service
    assert "privileged" not in service


def test_the_database_image_names_both_versions_and_its_data_lies_in_a_volume_that_it_accepts(services: Any) -> None:
    database = services["database"]
    version = re.fullmatch(r"pgvector/pgvector:(\d+)\.(\d+)\.(\d+)-pg(\d+)-[a-z]+", database["image"])
    assert version
    assert tuple(map(int, version.groups()[:3])) >= REQUIRED_PGVECTOR
    # mounted a level deeper, the image of 18 and later refuses to start
    assert int(version[4]) >= 18
    assert database["volumes"] == [
        "database:/var/lib/postgresql",
        "./docker/roles.sql:/docker-entrypoint-initdb.d/roles.sql:ro",
    ]
    assert (ROOT / "docker/roles.sql").is_file()


def test_the_servers_log_keeps_as_silent_as_the_embedded_ones(services: Any) -> None:
    command = services["database"]["command"]
    assert command[0] == "postgres"
    given = dict(option.split("=") for option in command[2::2])
    assert set(command[1::2]) == {"-c"}
    silent = {"log_statement", "log_min_error_statement", "log_parameter_max_length", "log_error_verbosity"}
    assert given == {name: DEFAULTS[name] for name in {*silent, "log_parameter_max_length_on_error"}}
