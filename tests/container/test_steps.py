"""The image's steps and its entry point, run here; `scripts/check_container.py` does it all in an empty environment."""

from __future__ import annotations

from pathlib import Path

import pytest

from scripts.check_container import check, moved


@pytest.mark.timeout(400)
def test_the_wheel_migrates_and_serves_as_compose_would_run_it() -> None:
    told: list[str] = []
    check(quick=True, say=told.append)
    assert [line.split(" s  ")[1].split()[0] for line in told] == [
        "built",
        "imported",
        "set",
        "migrated,",
        "healthy",
        "answered",
        "stopped",
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("python -m venv /opt/lethe && x", "python -m venv /s/opt/lethe && x"),
        ("/build/tools/bin/hatchling -d /build/dist", "/s/build/tools/bin/hatchling -d /s/build/dist"),
        ("PATH=/opt/lethe/bin:$PATH", "PATH=/s/opt/lethe/bin:$PATH"),
        ("/usr/build /opt/lethe2 my/build", "/usr/build /opt/lethe2 my/build"),  # other folders
    ],
)
def test_only_the_images_folders_are_moved(text: str, expected: str) -> None:
    assert moved(text, Path("/s")) == expected
