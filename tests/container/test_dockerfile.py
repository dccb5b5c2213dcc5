"""The Dockerfile, without an engine: linted, and held to what the service needs and promises."""

from __future__ import annotations

import re
import subprocess
from typing import Any

import pytest

from app.settings import Settings
from scripts.check_container import ROOT, Instruction, copied, environment_of
from tests.container.conftest import DOCKERFILE, program

Stages = list[list[Instruction]]


def only(stage: list[Instruction], word: str) -> Instruction:
    (found,) = (one for one in stage if one.word == word)
    return found


def test_hadolint_has_nothing_to_say() -> None:
    done = subprocess.run([program("hadolint"), DOCKERFILE], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "")


def test_the_base_is_a_named_python_that_the_project_supports(stages: Stages) -> None:
    name, default = only(stages[0], "ARG").rest.split("=")
    version = re.fullmatch(r"python:3\.(\d+)-slim-[a-z]+", default)
    assert version
    assert int(version[1]) >= 11
    assert [only(stage, "FROM").rest.split()[0] for stage in stages[1:]] == [f"${{{name}}}"] * 2


def test_the_image_takes_nothing_from_the_checkout_but_what_the_builder_made(stages: Stages) -> None:
    _, builder, image = stages
    assert only(builder, "FROM").rest.endswith(" AS builder")
    copies = [one.rest for one in image if one.word == "COPY"]
    assert copies == ["--from=builder /opt/lethe /opt/lethe"]


def test_packages_are_installed_by_hash_and_the_package_itself_without_an_index(stages: Stages) -> None:
    installs = [part for one in stages[1] if one.word == "RUN" for part in re.findall(r"install [^&]+", one.rest)]
    assert len(installs) == 3
    assert all("--require-hashes -r requirements-" in part or "--no-deps --no-index" in part for part in installs)


def test_what_is_copied_passes_dockerignore_and_nothing_else_does(stages: Stages) -> None:
    lines = (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines()
    patterns = [line for line in lines if line and not line.startswith("#")]
    assert patterns[0] == "*"
    let_through = [line[1:] for line in patterns if line.startswith("!")]
    assert sorted(let_through) == sorted(copied(stages[1]))
    assert all((ROOT / name).exists() for name in let_through)
    assert {"**/__pycache__", "**/*.pyc"} == {line for line in patterns[1:] if not line.startswith("!")}


def test_an_ordinary_user_runs_the_service(stages: Stages) -> None:
    image = stages[2]
    words = [one.word for one in image]
    uid, gid = only(image, "USER").rest.split(":")
    assert uid.isdigit()
    assert gid.isdigit()
    assert int(uid) >= 1000
    assert words.index("USER") > max(place for place, word in enumerate(words) if word in {"RUN", "COPY"})
    created = only(image, "RUN").rest
    assert f"--uid {uid}" in created
    assert "--no-create-home" in created


def test_commands_are_lists_so_that_no_shell_stands_between_a_signal_and_the_service(stages: Stages) -> None:
    image = stages[2]
    assert only(image, "ENTRYPOINT").json() == ["lethe"]
    assert only(image, "CMD").json() == ["serve"]
    assert only(image, "STOPSIGNAL").rest == "SIGTERM"


def test_the_health_check_asks_the_service(stages: Stages) -> None:
    check = only(stages[2], "HEALTHCHECK")
    assert {flag.split("=")[0] for flag in check.flags} == {"--interval", "--timeout", "--start-period", "--retries"}
    assert check.body == 'CMD ["python", "-m", "app.health"]'


def test_its_settings_exist_and_listen_where_it_is_exposed(stages: Stages, monkeypatch: pytest.MonkeyPatch) -> None:
    environment = environment_of(stages[2])
    ours = {name: value for name, value in environment.items() if name.startswith("LETHE_")}
    assert {name.removeprefix("LETHE_").lower() for name in ours} <= set(Settings.model_fields)
    for name, value in ours.items():
        monkeypatch.setenv(name, value)
    settings: Any = Settings(_env_file=None)
    assert (settings.host, settings.log_format) == ("0.0.0.0", "json")
    assert str(settings.port) == only(stages[2], "EXPOSE").rest
    assert environment["ORT_DISABLE_TELEMETRY"] == "1"
