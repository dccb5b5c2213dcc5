"""The documents are held against the program: what they show is what happens."""

from __future__ import annotations

import json
import re
import subprocess
import tomllib
from pathlib import Path

import pytest
from typer.main import get_command

from app.cli import app as cli
from app.settings import Settings
from scripts.readme_session import README, fresh_service, masked, run, steps

ROOT = README.parent


@pytest.fixture(scope="module")
def readme() -> str:
    return README.read_text(encoding="utf-8")


def test_the_readme_session_gives_the_readme_output(readme: str) -> None:
    shown = steps(readme)
    assert {step.command.split()[1] for step in shown} == {"/memories/write", "/recall", "/explain", "/forget"}
    with fresh_service() as (address, key):
        printed = run(readme, address=address, key=key)
    for step, value in zip(shown, printed, strict=True):
        assert masked(json.loads(step.shown)) == masked(value), step.command


def test_the_session_stands_on_the_first_screens_and_names_both_commands_with_their_equivalents(readme: str) -> None:
    head = readme[: readme.index("**Write.**")]
    for command in ("make run", "make test", "scripts/setup.py", ".venv/bin/lethe serve", ".venv/bin/python -m pytest"):
        assert command in head


def test_every_setting_is_documented_with_its_default(readme: str) -> None:
    table = dict(re.findall(r"^\| `(LETHE_\w+)` \| `([^`]*)` \|", readme, re.M))
    expected = {
        f"LETHE_{name.upper()}": "unset" if field.default is None else str(field.default)
        for name, field in Settings.model_fields.items()
    }
    assert table == expected


def test_the_example_environment_holds_every_setting_at_its_default() -> None:
    lines = (ROOT / ".env.example").read_text(encoding="utf-8").splitlines()
    found = dict(re.findall(r"^(?:# )?(LETHE_\w+)=(.*)$", "\n".join(lines), re.M))
    expected = {
        f"LETHE_{name.upper()}": "" if field.default is None else str(field.default)
        for name, field in Settings.model_fields.items()
    }
    assert found == expected


def test_every_command_the_readme_lists_exists_and_every_command_is_listed(readme: str) -> None:
    listed: set[str] = set()
    for group, rest in re.findall(r"^\| `lethe (\w+)((?: [\w/]+)?)` \|", readme, re.M):
        listed |= {f"{group} {name}" for name in rest.strip().split("/")} if rest else {group}
    root = get_command(cli)
    commands: set[str] = set()
    for name, command in root.commands.items():  # type: ignore[attr-defined]  # a group
        inner = getattr(command, "commands", None)
        commands |= {f"{name} {sub}" for sub in inner} if inner else {name}
    assert listed == commands


def test_every_link_between_documents_leads_somewhere() -> None:
    for document in [README, *ROOT.glob("docs/**/*.md"), ROOT / "CHANGELOG.md"]:
        for target in re.findall(r"\]\((?!https?://|#)([^)#]+)", document.read_text(encoding="utf-8")):
            assert (document.parent / target).exists(), f"{document.name}: {target}"


def test_the_lock_file_pins_every_dependency_with_hashes_and_names_no_index() -> None:
    lock = (ROOT / "requirements.lock").read_text(encoding="utf-8")
    assert "://" not in lock
    assert "index-url" not in lock
    pinned = re.split(r"\n(?=\S)", lock.strip())
    requirements = [block for block in pinned if not block.startswith("#")]
    assert all("==" in block.split("\n")[0] and "--hash=sha256:" in block for block in requirements)
    names = {re.split(r"[=\[]", block)[0].lower() for block in requirements}
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"]
    wanted = [*project["dependencies"], *extras["embedded"], *extras["dev"]]
    wanted.remove("lethe-memory[embedded]")
    assert {re.split(r"[\[>=<;! ]", item)[0].lower() for item in wanted} <= names


def test_no_tracked_file_names_a_registry_or_a_path_of_some_machine() -> None:
    tracked = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=False).stdout.split()
    if not tracked:
        pytest.skip("not a git checkout")
    forbidden = re.compile(r"--(extra-)?index-url|pypi\.org/simple|registry\.npmjs|files\.pythonhosted")
    for name in tracked:
        path = ROOT / name
        if path.suffix in {".onnx"} or path == Path(__file__):
            continue
        assert not forbidden.search(path.read_text(encoding="utf-8", errors="replace")), name
