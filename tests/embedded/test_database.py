"""What the first start makes: roles, database, extension, secrets; and where it makes it."""

from __future__ import annotations

import os
import socket
import stat
from pathlib import Path

import asyncpg
import pytest

from app.embedded import EmbeddedPostgres
from tests.embedded.support import ask, embedded, home, keeper, postmaster


@pytest.mark.parametrize("major", [16, 18])
def test_each_major_version_has_pgvector_checksums_and_roles_that_bypass_nothing(new_dir: Path, major: int) -> None:
    with embedded(new_dir, major=major) as addresses:
        assert int(ask(addresses.app_url, "SHOW server_version_num")) // 10000 == major
        version = ask(addresses.app_url, "SELECT extversion FROM pg_extension WHERE extname = 'vector'")
        assert tuple(int(part) for part in version.split(".")) >= (0, 8, 2)
        assert ask(addresses.app_url, "SELECT ('[1,2]'::halfvec <=> '[1,2]')") == pytest.approx(0)
        assert ask(addresses.app_url, "SHOW data_checksums") == "on"
        assert ask(addresses.app_url, "SHOW server_encoding") == "UTF8"
        assert ask(addresses.app_url, "SHOW timezone") == "UTC"
        for url, role in ((addresses.app_url, "lethe_app"), (addresses.owner_url, "lethe_owner")):
            powers = "rolsuper OR rolbypassrls OR rolcreatedb OR rolcreaterole OR rolreplication"
            assert ask(url, "SELECT current_user") == role
            assert ask(url, f"SELECT {powers} FROM pg_roles WHERE rolname = current_user") is False
        assert ask(addresses.superuser_url, "SELECT current_database()") == "lethe"
        ask(addresses.owner_url, "CREATE TABLE t (n int)")
        with pytest.raises(asyncpg.InsufficientPrivilegeError):
            ask(addresses.app_url, "CREATE TABLE mine (n int)")
        with pytest.raises(asyncpg.InsufficientPrivilegeError):
            ask(addresses.app_url, "SELECT * FROM t")


def test_data_is_durable_unless_a_test_says_otherwise(new_dir: Path) -> None:
    with EmbeddedPostgres(new_dir) as addresses:
        assert ask(addresses.app_url, "SHOW fsync") == "on"
        assert ask(addresses.app_url, "SHOW synchronous_commit") == "on"


def test_secrets_are_for_their_owner_only_and_never_printed(new_dir: Path) -> None:
    with embedded(new_dir) as addresses:
        assert len(addresses.secret_key) >= 32
        password = addresses.app_url.split(":")[2].split("@")[0]
        for secret in (addresses.secret_key, password):
            assert secret not in repr(addresses)
            assert secret not in " ".join(keeper(new_dir).cmdline())
        files = [path for path in home(new_dir).iterdir() if path.is_file()]
        assert {"secrets.json", "server.log"} <= {path.name for path in files}
        assert {stat.S_IMODE(path.stat().st_mode) for path in files} == {0o600}
        with pytest.raises(asyncpg.InvalidPasswordError):
            ask(addresses.app_url.replace(password, "guessed"), "SELECT 1")


def test_the_log_holds_neither_statements_nor_values(data_dir: Path) -> None:
    with embedded(data_dir) as addresses:
        ask(addresses.owner_url, "CREATE TABLE t (word text PRIMARY KEY CHECK (word <> 'forbidden-word'))")
        ask(addresses.owner_url, "INSERT INTO t VALUES ('private-word')")
        for statement in (
            "INSERT INTO t VALUES ('private-word')",
            "INSERT INTO t VALUES ('forbidden-word')",
            "SELECT 'private-word'::uuid",
        ):
            with pytest.raises(asyncpg.PostgresError):
                ask(addresses.owner_url, statement)
        log = (home(data_dir) / "server.log").read_text()
    assert "ready to accept connections" in log
    assert "-word" not in log


def test_a_very_long_path_is_no_obstacle(new_dir: Path) -> None:
    with embedded(new_dir / ("far " * 20) / ("farther " * 10)) as addresses:
        assert ask(addresses.app_url, "SELECT 1") == 1


def test_a_port_that_somebody_else_took_is_replaced(data_dir: Path) -> None:
    with embedded(data_dir) as before:
        pass
    with socket.create_server(("127.0.0.1", before.port)), embedded(data_dir) as after:
        assert after.port != before.port
        assert ask(after.app_url, "SELECT 1") == 1


@pytest.mark.skipif(os.geteuid() != 0, reason="only root runs Postgres as somebody else")
def test_root_may_keep_its_data_in_a_folder_that_is_closed_to_others(new_dir: Path) -> None:
    new_dir.parent.chmod(0o700)
    with embedded(new_dir) as first:
        assert home(new_dir) != new_dir
        assert postmaster(new_dir).uids().real != 0
    with embedded(new_dir) as second:
        assert second == first
        assert ask(second.app_url, "SELECT 1") == 1
    assert stat.S_IMODE(new_dir.parent.stat().st_mode) == 0o700
