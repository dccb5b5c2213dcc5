"""The server lives exactly as long as somebody uses it, and its addresses stay valid that long."""

from __future__ import annotations

import signal
import subprocess
import sys
import threading
from contextlib import ExitStack
from pathlib import Path

import psutil
import pytest

from tests.embedded.support import (
    answers,
    ask,
    embedded,
    eventually,
    home,
    is_gone,
    keeper,
    postmaster,
    press_ctrl_c,
    service,
)


def test_data_and_addresses_survive_a_restart(data_dir: Path) -> None:
    with embedded(data_dir) as first:
        ask(first.owner_url, "CREATE TABLE kept AS SELECT 7 AS n")
        running = postmaster(data_dir)
    assert is_gone(running)
    with embedded(data_dir) as second:
        assert second == first
        assert ask(second.owner_url, "SELECT n FROM kept") == 7


def test_a_killed_service_leaves_no_postgres_and_nothing_broken(data_dir: Path) -> None:
    with service(data_dir) as one:
        url = one.addresses()["owner_url"]
        ask(url, "CREATE TABLE kept AS SELECT 7 AS n")
        running = postmaster(data_dir)
        processes = [running, keeper(data_dir), *running.children()]
        one.kill()
    eventually(lambda: all(is_gone(process) for process in processes))
    with embedded(data_dir) as addresses:
        assert addresses.owner_url == url
        assert ask(url, "SELECT n FROM kept") == 7


def test_ctrl_c_reaches_the_service_only_which_can_still_finish_its_work(data_dir: Path) -> None:
    with service(data_dir) as one:
        one.addresses()
        running = postmaster(data_dir)
        press_ctrl_c(one.process)
        assert one.process.stdout is not None
        assert one.process.stdout.read() == "drained 42\n"
        assert one.process.wait(60) == 0
    assert is_gone(running)


@pytest.mark.parametrize("ending", ["stop", "kill"])
def test_a_second_process_attaches_and_survives_the_first_ones_end(data_dir: Path, ending: str) -> None:
    with service(data_dir) as first:
        first_addresses = first.addresses()
        running = postmaster(data_dir)
        with embedded(data_dir) as second:
            assert second.owner_url == first_addresses["owner_url"]
            if ending == "kill":
                first.kill()
            else:
                assert first.process.stdin is not None
                first.process.stdin.close()
                assert first.process.wait(60) == 0
            assert ask(second.owner_url, "SELECT 1") == 1
            assert postmaster(data_dir) == running
    assert is_gone(running)


def test_four_processes_may_start_at_the_same_moment(new_dir: Path) -> None:
    with ExitStack() as stack:
        services = [stack.enter_context(service(new_dir)) for _ in range(4)]
        found = [one.addresses() for one in services]
        assert all(addresses == found[0] for addresses in found)
        assert ask(found[0]["owner_url"], "SELECT 1") == 1
        running = postmaster(new_dir)
    assert is_gone(running)


def test_a_server_that_died_comes_back_at_the_same_address(data_dir: Path) -> None:
    restarted = threading.Event()
    with embedded(data_dir, on_restart=lambda _: restarted.set()) as addresses, service(data_dir) as other:
        assert other.addresses()["port"] == addresses.port
        ask(addresses.owner_url, "CREATE TABLE kept AS SELECT 7 AS n")
        postmaster(data_dir).kill()
        eventually(restarted.is_set)
        assert ask(addresses.owner_url, "SELECT n FROM kept") == 7
        other.kill()
        assert ask(addresses.owner_url, "SELECT n FROM kept") == 7


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere nothing tells Postgres of its keeper's end")
def test_a_killed_keeper_takes_its_server_along_and_both_come_back(data_dir: Path) -> None:
    restarted = threading.Event()
    with embedded(data_dir, on_restart=lambda _: restarted.set()) as addresses:
        running = postmaster(data_dir)
        keeper(data_dir).kill()
        eventually(restarted.is_set)
        assert is_gone(running)
        assert ask(addresses.owner_url, "SELECT 1") == 1


def test_a_start_that_was_killed_half_way_is_made_good_by_the_next(new_dir: Path) -> None:
    with service(new_dir) as one:
        eventually(lambda: list(new_dir.glob("unfinished-*/cluster/PG_VERSION")))
        one.kill()
    assert not (new_dir / "cluster").exists()
    with embedded(new_dir) as addresses:
        assert ask(addresses.owner_url, "SELECT 1") == 1
    with embedded(new_dir):  # by now the killed service's initdb has come to its end as well
        assert not list(new_dir.glob("unfinished-*"))


def test_a_stale_pid_file_harms_no_foreign_process_and_blocks_nothing(data_dir: Path) -> None:
    with embedded(data_dir):
        account = postmaster(data_dir).uids().real
        pid_file = home(data_dir) / "cluster" / "postmaster.pid"
        lines = pid_file.read_text().splitlines()
    # Same user as Postgres: this is the case that makes Postgres itself refuse to start.
    user = account if psutil.Process().uids().real == 0 else None
    with subprocess.Popen(["sleep", "300"], user=user) as innocent:
        try:
            pid_file.write_text("\n".join([str(innocent.pid), *lines[1:]]) + "\n")
            with embedded(data_dir) as addresses:
                assert ask(addresses.owner_url, "SELECT 1") == 1
            assert innocent.poll() is None
        finally:
            innocent.send_signal(signal.SIGTERM)


def test_a_stopped_server_answers_no_more_and_stopping_twice_is_harmless(data_dir: Path) -> None:
    server = embedded(data_dir)
    url = server.start().app_url
    assert answers(url)
    assert server.start().app_url == url
    server.stop()
    server.stop()
    assert not answers(url)
