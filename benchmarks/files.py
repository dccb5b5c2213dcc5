"""Finding and reading the published files, plain or gzipped; and a folder to work in."""

from __future__ import annotations

import gzip
import json
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any


class DataFault(Exception):
    """A data file is missing or has another shape than the published one. The text says which and what was expected."""


@contextmanager
def work_folder() -> Iterator[Path]:
    """Make a folder for the time of the block."""
    with tempfile.TemporaryDirectory(prefix="lethe-bench-") as name:
        folder = Path(name)
        # as root the embedded Postgres runs as another user, who must be able to get in
        folder.chmod(0o711)
        yield folder


def find_file(folder: Path, patterns: Sequence[str]) -> Path:
    """Give the first file that matches one of the patterns, looked for in the folder and in its subfolders.

    Raises:
        DataFault: There is none.
    """
    for pattern in patterns:
        found = sorted(path for path in folder.rglob(pattern) if path.is_file())
        if found:
            return found[0]
    raise DataFault(f"no file like {' or '.join(patterns)} under {folder}")


def read_json(path: Path) -> Any:
    """Read a JSON document.

    Raises:
        DataFault: It cannot be read.
    """
    try:
        return json.loads(_text(path))
    except ValueError as fault:
        raise DataFault(f"{path.name} is not JSON: {fault}") from None


def read_json_lines(path: Path) -> list[Any]:
    """Read one JSON value a line; blank lines are skipped.

    Raises:
        DataFault: It cannot be read.
    """
    values = []
    for number, line in enumerate(_text(path).splitlines(), start=1):
        if line.strip():
            try:
                values.append(json.loads(line))
            except ValueError as fault:
                raise DataFault(f"{path.name}, line {number} is not JSON: {fault}") from None
    return values


def member(value: Any, name: str, kind: type, *, where: str) -> Any:
    """Take a member of an object, of a given type.

    Raises:
        DataFault: It is not there, or of another type.
    """
    if not isinstance(value, dict) or not isinstance(value.get(name), kind):
        raise DataFault(f"{where} must be an object with {name!r} ({kind.__name__}), as published")
    return value[name]


def _text(path: Path) -> str:
    try:
        data = path.read_bytes()
        if path.suffix == ".gz":
            data = gzip.decompress(data)
        return data.decode("utf-8")
    except (OSError, EOFError, UnicodeDecodeError) as fault:
        raise DataFault(f"{path.name} cannot be read: {fault}") from None
