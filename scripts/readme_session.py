"""Run the README's curl session against a fresh service; compare its output, or write it anew with --write.

Ids, times, keys, hashes and tokens are masked for the comparison; everything else must be what the README shows.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
README = ROOT / "README.md"
_STEP = re.compile(r"```sh\n(lethe /.*?)\n```\n```json\n(.*?)```", re.S)
_HELPER = re.compile(r"^lethe\(\) \{.*\}$", re.M)
_MASKS = (
    (re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}"), "<id>"),
    (re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z"), "<time>"),
    (re.compile(r"\d{4}-\d\d-\d\d"), "<day>"),
    (re.compile(r"sha256:[0-9a-f]{64}"), "<hash>"),
    (re.compile(r"pv_[\w-]+"), "<token>"),
    (re.compile(r'lethe-memory id="\w{6}"'), "<fence>"),
)


@dataclass(frozen=True)
class Step:
    """A command of the session and the JSON shown below it."""

    command: str
    shown: str


def steps(readme: str) -> list[Step]:
    """Take the session out of the README."""
    return [Step(*match.groups()) for match in _STEP.finditer(readme)]


def masked(value: Any) -> Any:
    """Hide what differs from run to run."""
    if isinstance(value, dict):
        return {masked(key): masked(item) for key, item in value.items()}
    if isinstance(value, list):
        return [masked(item) for item in value]
    if isinstance(value, str):
        for pattern, word in _MASKS:
            value = pattern.sub(word, value)
    return value


@contextmanager
def fresh_service() -> Iterator[tuple[str, str]]:
    """Start `lethe serve` on an empty folder; give its address and the demo key it shows."""
    program = Path(sys.executable).with_name("lethe")
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o711)
        kept = {name: value for name, value in os.environ.items() if not name.startswith("LETHE_")}
        environment = {**kept, "LETHE_DATA_DIR": str(Path(folder) / "data"), "LETHE_PORT": "0"}
        log = Path(folder) / "out"
        with (
            log.open("w") as out,
            subprocess.Popen([str(program), "serve"], cwd=folder, env=environment, stdout=out, stderr=out) as running,
        ):
            try:
                yield _announced(log, running)
            finally:
                running.terminate()
                running.wait(30)


def _announced(log: Path, running: subprocess.Popen[bytes]) -> tuple[str, str]:
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline and running.poll() is None:
        text = log.read_text()
        address, key = re.search(r"listens on (\S+)", text), re.search(r"lk_demo_\w+", text)
        if address and key and "startup complete" in text:
            return address.group(1), key.group()
        time.sleep(0.1)
    raise RuntimeError(f"the service did not start:\n{log.read_text()}")


def run(readme: str, *, address: str, key: str) -> list[Any]:
    """Run every step as a reader would, in bash, and give what was printed."""
    helper = _HELPER.search(readme)
    if helper is None:
        raise RuntimeError("the README lost its helper function")
    function = helper.group().replace("http://127.0.0.1:8000", address)
    printed = []
    for step in steps(readme):
        done = subprocess.run(
            ["bash", "-c", f"{function}\n{step.command}"],
            env={**os.environ, "LETHE_KEY": key},
            capture_output=True,
            text=True,
            check=True,
        )
        printed.append(json.loads(done.stdout))
    return printed


def spelled(value: Any, *, indent: int = 0, width: int = 150) -> str:
    """Write JSON for reading: on one line what fits."""
    flat = json.dumps(value, ensure_ascii=False)
    if len(flat) + indent <= width or not isinstance(value, (dict, list)):
        return flat
    pad = " " * (indent + 1)
    if isinstance(value, list):
        inner = f",\n{pad}".join(spelled(item, indent=indent + 1, width=width) for item in value)
        return f"[\n{pad}{inner}]"
    lines: list[str] = []
    for name, item in value.items():
        text = f"{json.dumps(name)}: {spelled(item, indent=indent + 1, width=width)}"
        # short members share a line
        if lines and "\n" not in text and "\n" not in lines[-1] and len(lines[-1]) + len(text) + indent < width - 4:
            lines[-1] += f", {text}"
        else:
            lines.append(text)
    inner = f",\n{pad}".join(lines)
    return f"{{{inner}}}"


def main() -> int:
    readme = README.read_text(encoding="utf-8")
    with fresh_service() as (address, key):
        printed = run(readme, address=address, key=key)
    if "--write" in sys.argv:
        for step, value in zip(steps(readme), printed, strict=True):
            old = f"```sh\n{step.command}\n```\n```json\n{step.shown}```"
            readme = readme.replace(old, f"```sh\n{step.command}\n```\n```json\n{spelled(value)}\n```")
        README.write_text(readme, encoding="utf-8")
        return 0
    wrong = [
        step.command
        for step, value in zip(steps(readme), printed, strict=True)
        if masked(json.loads(step.shown)) != masked(value)
    ]
    print("\n".join(wrong) or "The README shows what the service answers.")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
