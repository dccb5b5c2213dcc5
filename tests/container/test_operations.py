"""docs/operations.md is held against the program: settings, metrics, commands, SQL, and what it says of erasure."""

from __future__ import annotations

import re
import shlex
import subprocess
from collections.abc import Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from prometheus_client import CollectorRegistry
from pydantic import SecretStr
from typer.testing import CliRunner

from app.cli import app as cli
from app.metrics import Metrics
from app.settings import Settings
from app.store.migrate import migrate
from app.store.tables import Base
from scripts.check_container import ROOT, embedded_psql, read_compose
from tests.conftest import SharedEmbedder, running
from tests.container.conftest import COMPOSE, ComposeDatabase
from tests.container.test_roles import rows

PAGE = (ROOT / "docs/operations.md").read_text(encoding="utf-8")
OF_COMPOSE = set(re.findall(r"\$\{(\w+):-", COMPOSE.read_text(encoding="utf-8")))


def blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", PAGE, re.S)


def section(title: str) -> str:
    (found,) = re.findall(rf"^## {re.escape(title)}\n(.*?)(?=^## |\Z)", PAGE, re.S | re.M)
    return str(found)


def test_every_setting_has_its_purpose_and_none_is_invented() -> None:
    settings = {f"LETHE_{name.upper()}" for name in Settings.model_fields}
    assert set(re.findall(r"LETHE_[A-Z_]+[A-Z]", PAGE)) - OF_COMPOSE - settings == set()
    assert settings <= set(re.findall(r"LETHE_[A-Z_]+[A-Z]", section("Settings by purpose")))


def test_every_variable_of_compose_is_explained() -> None:
    assert set(re.findall(r"[A-Z_]+[A-Z]", section("In one minute: compose"))) >= OF_COMPOSE


def test_every_metric_is_listed_under_the_name_it_is_scraped_by() -> None:
    registry: CollectorRegistry = Metrics().registry
    exposed = {f"{family.name}_total" if family.type == "counter" else family.name for family in registry.collect()}
    assert set(re.findall(r"^\| `(lethe_\w+)` \|", section("Metrics and alerts"), re.M)) == exposed
    assert set(re.findall(r"`(lethe_[a-z_]+)`", section("Metrics and alerts"))) == exposed


def test_every_event_that_is_listed_is_logged_somewhere() -> None:
    source = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "app").rglob("*.py"))
    events = re.findall(r"^\| `(\w+)` \|", section("Logs"), re.M)
    assert events
    assert all(f'"{event}"' in source for event in events)


def commands() -> Iterator[list[str]]:
    """Every call of ours in a shell block, also through compose."""
    services = read_compose(COMPOSE.read_text(encoding="utf-8"), {})["services"]
    for line in "".join(blocks("sh")).splitlines():
        words = shlex.split(line)
        if words[:1] == ["lethe"]:
            yield words[1:]
        elif words[:3] == ["docker", "compose", "exec"]:
            assert words[3] in services, line
            if words[3] == "lethe":
                assert words[4] == "lethe"
                yield words[5:]


@pytest.mark.parametrize("command", list(commands()), ids=" ".join)
def test_every_command_and_option_exists(command: list[str]) -> None:
    done = CliRunner().invoke(cli, [*command, "--help"])
    assert done.exit_code == 0, done.output


def psql(url: str, sql: str) -> subprocess.CompletedProcess[str]:
    call = [str(embedded_psql()), "--no-psqlrc", "--quiet", "--set", "ON_ERROR_STOP=1", url]
    return subprocess.run(call, input=sql, capture_output=True, text=True, check=False)


def with_sql(word: str) -> str:
    """The one SQL block that holds a word."""
    (found,) = (block for block in blocks("sql") if word in block)
    return found


def everywhere(database: ComposeDatabase) -> str:
    """The superuser's address, outside of our database."""
    return database.superuser.replace("/lethe", "/postgres")


@pytest.mark.anyio
async def test_the_sql_for_a_postgres_of_your_own_needs_no_superuser_but_for_the_extension(
    database: ComposeDatabase,
) -> None:
    gone = "drop database if exists lethe with (force);\ndrop role if exists lethe_app, lethe_owner;"
    administrator = "create role administrator login createdb createrole password 'administrator';"
    assert psql(everywhere(database), f"{gone}\n{administrator}").returncode == 0
    try:
        own, extension = with_sql("create database lethe owner").split("create extension")
        address = database.url("administrator", "administrator").replace("/lethe", "/postgres")
        done = psql(address, own)
        assert (done.returncode, done.stderr) == (0, "")
        assert psql(database.superuser, f"create extension{extension}").returncode == 0
        await migrate(database.url("lethe_owner", "one"), app_role="lethe_app")
        assert await rows(database.url("lethe_app", "another"), "select count(*) from memories") == [(0,)]
    finally:
        assert psql(everywhere(database), f"{gone}\ndrop role administrator;").returncode == 0


def test_the_settings_for_a_pooler_are_the_ones_that_the_service_sets(database: ComposeDatabase) -> None:
    source = (ROOT / "app/store/database.py").read_text(encoding="utf-8")
    (given,) = re.findall(r'"server_settings": \{(.*?)\n {16}\}', source, re.S)
    names = set(re.findall(r'^\s*"(\w+)":', given, re.M))
    # PgBouncer follows these by itself
    followed = {"application_name", "timezone"}
    (ignored,) = re.findall(r"ignore_startup_parameters = (.+)", PAGE)
    assert set(ignored.split(",")) == names - followed
    done = psql(database.superuser, with_sql("plan_cache_mode = "))
    assert (done.returncode, done.stderr) == (0, "")
    assert psql(database.superuser, "alter role lethe_app reset all").returncode == 0


@pytest.mark.anyio
async def test_a_dump_by_the_backup_role_is_whole_and_one_by_the_owner_is_refused(
    database: ComposeDatabase, tmp_path: Path
) -> None:
    await migrate(database.owner, app_role="lethe_app")
    tenant = "begin; insert into tenants values ('acme', '{}', now()); set local app.tenant_id = 'acme'; "
    key = "insert into api_keys values ('acme', 'k', 'n', 'h', '{}', null, null, now(), null, null); commit"
    assert psql(database.owner, tenant + key).returncode == 0
    programs, dump = embedded_psql().parent, tmp_path / "lethe.dump"

    def call(name: str, *options: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run([str(programs / name), *options], capture_output=True, text=True, check=False)

    def take(url: str) -> subprocess.CompletedProcess[str]:
        return call("pg_dump", "--format=custom", f"--file={dump}", url)

    refused = take(database.owner)
    assert refused.returncode != 0
    assert "row-level security" in refused.stderr
    assert psql(database.superuser, with_sql("create role lethe_backup")).returncode == 0
    try:
        done = take(database.url("lethe_backup", "a%20third"))
        assert done.returncode == 0, done.stderr
        new = "drop database if exists restored; create database restored owner lethe_owner;"
        extension = "\n\\connect restored\ncreate extension vector;"
        assert psql(everywhere(database), new + extension).returncode == 0
        shown = next(line for line in "".join(blocks("sh")).splitlines() if line.startswith("pg_restore"))
        _, *options, _ = (word for word in shlex.split(shown) if not word.startswith("--dbname"))
        target = f"{database.owner.removesuffix('/lethe')}/restored"
        done = call("pg_restore", *options, f"--dbname={target}", str(dump))
        assert done.returncode == 0, done.stderr
        await migrate(target, app_role="lethe_app")
        look = "begin; set local app.tenant_id = 'acme'; select key_id from api_keys"
        seen = psql(f"{database.app.removesuffix('/lethe')}/restored", look)
        assert " k" in seen.stdout, seen.stderr
    finally:
        psql(everywhere(database), "drop database if exists restored with (force)")
        psql(database.superuser, "drop owned by lethe_backup; drop role lethe_backup")


def holders(folder: Path, word: str) -> list[str]:
    """Every file below a folder that holds a word."""
    return [str(path) for path in folder.rglob("*") if path.is_file() and word.encode() in path.read_bytes()]


@asynccontextmanager
async def serving(database: ComposeDatabase, embedder: SharedEmbedder) -> Any:
    settings = Settings(
        _env_file=None,
        database_url=SecretStr(database.app),
        migration_url=SecretStr(database.owner),
        secret_key=SecretStr("s" * 40),
        maintenance_seconds=0,
    )
    async for service in running(settings, embedder):
        yield service


@pytest.mark.anyio
async def test_what_is_forgotten_is_in_the_files_until_the_rewrite_and_in_the_log_after_it(
    database: ComposeDatabase, embedder: SharedEmbedder
) -> None:
    await migrate(database.owner, app_role="lethe_app")
    ((place,),) = await rows(database.superuser, "select current_setting('data_directory')")
    files, log = Path(place) / "base", Path(place) / "pg_wal"
    async with serving(database, embedder) as service:
        tenant = await service.tenant()
        for name, place_of in (("ada", "Zanzibarium"), ("bob", "station")):
            user = tenant.user(name)
            for number in range(8):
                await user.force(f"My locker at the {place_of} is number {number}.")
            told = {"content": f"I moved to the {place_of} of Berlin."}
            await user.ok("POST", "/memories/write", told, headers={"Idempotency-Key": name})
            await user.recall("Which locker?", trace=True)
            await user.forget(query="Which locker?", dry_run=True)
        # the planner's statistics take samples of what is there
        assert psql(database.superuser, "analyze; checkpoint").returncode == 0
        await tenant.user("ada").forget(everything=True)
    for table in Base.metadata.tables:
        found = await rows(database.superuser, f"select count(*) from {table} t where t::text ilike '%zanzibarium%'")
        assert found == [(0,)], table
    assert psql(database.superuser, "vacuum; checkpoint").returncode == 0
    assert psql(database.superuser, "reindex database lethe").returncode == 0
    assert holders(files, "Zanzibarium")
    *rewrite, checkpoint = with_sql("vacuum (full, analyze)").strip().splitlines()
    done = psql(database.owner, "\n".join(rewrite))
    assert (done.returncode, done.stderr) == (0, "")
    assert psql(database.superuser, checkpoint).returncode == 0
    assert holders(files, "Zanzibarium") == []
    assert holders(log, "Zanzibarium")
