"""What cannot work says so, says why, and says what to do."""

from __future__ import annotations

import json
import os
import signal
import subprocess
from pathlib import Path

import pytest

from app.embedded import EmbeddedPostgres, EmbeddedPostgresError, binaries, cluster, port
from app.embedded.place import settle
from tests.embedded.support import ask, embedded, eventually, home


def test_data_of_another_major_version_names_both_and_stays_as_it_is(new_dir: Path) -> None:
    with embedded(new_dir, major=16):
        pass
    with pytest.raises(EmbeddedPostgresError, match=r"(?s)Postgres 16.*Postgres 18.*LETHE_POSTGRES_MAJOR=16"):
        embedded(new_dir, major=18).start()
    with embedded(new_dir, major=16) as addresses:
        assert ask(addresses.app_url, "SELECT 1") == 1


def test_a_platform_without_a_wheel_is_shown_the_other_way(new_dir: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(binaries, "PACKAGE", "a_package_that_is_not_installed")
    with pytest.raises(EmbeddedPostgresError, match=r"(?s)this platform.*docker compose.*LETHE_DATABASE_URL"):
        embedded(new_dir).start()


def test_a_version_that_is_not_bundled_names_those_that_are(new_dir: Path) -> None:
    with pytest.raises(EmbeddedPostgresError, match=r"(?s)no embedded Postgres 17.*16 and 18"):
        embedded(new_dir, major=17).start()


def test_a_folder_that_holds_something_else_is_left_alone(new_dir: Path) -> None:
    (new_dir / "cluster").mkdir(parents=True)
    (new_dir / "cluster" / "thesis.txt").write_text("years of work")
    if os.geteuid() == 0:
        os.chown(new_dir / "cluster", 65534, 65534)
    with pytest.raises(EmbeddedPostgresError, match="not a Postgres data folder"):
        embedded(new_dir).start()
    assert (new_dir / "cluster" / "thesis.txt").read_text() == "years of work"


def test_data_without_its_secrets_is_not_opened(data_dir: Path) -> None:
    (home(data_dir) / "secrets.json").unlink()
    with pytest.raises(EmbeddedPostgresError, match=r"secrets\.json"):
        embedded(data_dir).start()


def test_a_file_in_the_place_of_the_folder_is_named(new_dir: Path) -> None:
    new_dir.write_text("not a folder")
    with pytest.raises(EmbeddedPostgresError, match=r"cannot be used.*\.lethe"):
        embedded(new_dir).start()


def test_secrets_of_other_data_are_told_apart_and_leave_no_server_behind(data_dir: Path) -> None:
    path = home(data_dir) / "secrets.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | {"superuser": "another"}))
    server = embedded(data_dir)
    with pytest.raises(EmbeddedPostgresError, match="does not accept the password"):
        server.start()
    assert not (home(data_dir) / "cluster" / "postmaster.pid").exists()


def test_a_setting_that_postgres_refuses_shows_what_postgres_says(data_dir: Path) -> None:
    with pytest.raises(EmbeddedPostgresError, match=r"(?s)did not start.*shared_buffers"):
        EmbeddedPostgres(data_dir, options={"shared_buffers": "plenty"}).start()


def test_a_server_that_somebody_started_by_hand_is_neither_used_nor_stopped(data_dir: Path) -> None:
    place = settle(data_dir)
    programs = binaries.find(18, place)
    by_hand = [str(programs["postgres"]), "-D", str(place.cluster), "-c", f"port={port.choose()}"]
    with subprocess.Popen(
        [*by_hand, "-c", "unix_socket_directories=", "-c", "logging_collector=off"],
        user=place.account.uid,
        stderr=subprocess.DEVNULL,
    ) as postgres:
        try:
            eventually(lambda: (found := cluster.postmaster(place.cluster)) and found.ready)
            with pytest.raises(EmbeddedPostgresError, match=rf"(?s)did not start runs.*process {postgres.pid}.*pg_ctl"):
                embedded(data_dir).start()
            assert postgres.poll() is None
        finally:
            postgres.send_signal(signal.SIGINT)
