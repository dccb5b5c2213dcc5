"""`lethe demo` as a person runs it: on a service of its own, and on one that runs already."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from app.demo.calls import Calls, DemoFault
from app.demo.command import Reader, run_demo
from app.demo.layout import terminal

PROGRAM = str(Path(sys.executable).with_name("lethe"))


class Run:
    """`lethe demo` in a process of its own, with a temporary folder that shows what it leaves behind."""

    def __init__(self, folder: Path, *arguments: str) -> None:
        self.folder, self.out = folder, folder / "out"
        self.temporary = folder / "tmp"
        self.temporary.mkdir()
        kept = {name: value for name, value in os.environ.items() if not name.startswith("LETHE_")}
        # a reader's own database must not be touched, whatever the environment says
        environment = {**kept, "TMPDIR": str(self.temporary), "LETHE_DATABASE_URL": "postgresql://nobody@192.0.2.1/x"}
        with self.out.open("w") as out:
            self.process = subprocess.Popen(
                [PROGRAM, "demo", *arguments],
                cwd=folder,
                env=environment,
                stdout=out,
                stderr=out,
                stdin=subprocess.DEVNULL,
            )

    def shows(self, words: str) -> None:
        """Wait until words stand on the screen."""
        deadline = time.monotonic() + 60
        while words not in self.out.read_text(encoding="utf-8"):
            assert time.monotonic() < deadline
            assert self.process.poll() is None
            time.sleep(0.02)

    def left_behind(self) -> list[str]:
        """Name the processes and files that are still there."""
        running = []
        for process in psutil.process_iter(["cmdline"]):
            if any(str(self.temporary) in part for part in process.info["cmdline"] or ()):
                running.append(str(process))
        # onnxruntime leaves a file of its own, .ses
        return running + [path.name for path in self.temporary.iterdir() if path.name != ".ses"]


@pytest.fixture
def folders() -> Iterator[tuple[Path, Path]]:
    """Two folders that an unprivileged Postgres can reach also when the tests run as root, unlike pytest's own."""
    with tempfile.TemporaryDirectory() as parent:
        Path(parent).chmod(0o711)
        whole, broken = Path(parent) / "whole", Path(parent) / "broken"
        whole.mkdir()
        broken.mkdir()
        yield whole, broken


@pytest.fixture
def runs(folders: tuple[Path, Path]) -> Iterator[list[Run]]:
    started = [Run(folders[0], "--no-pause"), Run(folders[1])]
    yield started
    for run in started:
        run.process.kill()
        run.process.wait()


def test_it_ends_well_or_with_ctrl_c_and_leaves_neither_process_nor_file(runs: list[Run]) -> None:
    whole, broken = runs
    broken.shows("1. Listening")
    broken.process.send_signal(signal.SIGINT)
    assert broken.process.wait(60) == 130
    assert broken.left_behind() == []
    assert "Leaving, and clearing up." in broken.out.read_text(encoding="utf-8")
    assert whole.process.wait(60) == 0
    assert whole.left_behind() == []
    shown = whole.out.read_text(encoding="utf-8")
    assert "\x1b" not in shown
    assert "5. Forget" in shown
    assert "This demo's service and its database are deleted now." in shown
    assert max(map(len, shown.splitlines())) <= 80


def test_on_a_running_service_it_tells_the_story_in_plain_letters_and_erases_it_again(
    url: str, key: str, capsys: pytest.CaptureFixture[str]
) -> None:
    run_demo(url=url, key=key, user="plain-reader", pause=False, plain=True)
    shown = capsys.readouterr().out
    assert "\x1b" not in shown
    assert shown.isascii()
    assert "5. Forget: gone, with a receipt\n====" in shown.replace(" \n", "\n")
    assert "The demo's user was erased again, with" in shown
    with Calls(url, key=key, user="plain-reader") as calls:
        assert calls.export() == []


def test_it_does_not_touch_a_user_who_has_memories(url: str, key: str) -> None:
    with Calls(url, key=key, user="somebody") as calls:
        calls.write({"content": "I live in Lisbon."})
        with pytest.raises(DemoFault, match="somebody has memories already"):
            run_demo(url=url, key=key, user="somebody", pause=False, plain=True)
        assert len(calls.export()) == 1


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({"key": None}, "LETHE_KEY"),
        ({"key": "lk_nobody_x_y"}, "answered with 401"),
        ({"key": "ключ"}, "must not hold"),
        ({"url": "http://127.0.0.1:1"}, "cannot be reached"),
        ({"url": "nonsense"}, "cannot be reached"),
    ],
)
def test_what_is_wrong_is_said_in_one_line(url: str, key: str, changed: dict[str, str | None], told: str) -> None:
    given: dict[str, str | None] = {"url": url, "key": key, **changed}
    with pytest.raises(DemoFault, match=told) as fault:
        run_demo(url=given["url"], key=given["key"], user="nobody", pause=False, plain=True)
    assert "\n" not in str(fault.value)


def test_a_reader_turns_pages_until_he_has_had_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    typed = iter(["", "s"])
    asked: list[str] = []

    def answer(_prompt: str = "") -> str:
        asked.append("asked")
        return next(typed)

    monkeypatch.setattr("builtins.input", answer)
    reader = Reader(terminal(plain=True), waits=True)
    for _ in range(5):
        reader.turn_page()
    assert len(asked) == 2


def test_a_closed_keyboard_ends_the_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    def closed(_prompt: str = "") -> str:
        raise EOFError

    monkeypatch.setattr("builtins.input", closed)
    reader = Reader(terminal(plain=True), waits=True)
    reader.turn_page()
    assert not reader.waits
