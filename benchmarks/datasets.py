"""The data sets by name."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Final

from benchmarks import beam, locomo, prefeval
from benchmarks.corpus import Corpus
from benchmarks.files import DataFault

NAMES: Final = ("locomo", "beam", "prefeval")


def load(folder: Path, names: Iterable[str] = NAMES) -> list[Corpus]:
    """Read data sets from a folder.

    Raises:
        DataFault: A name is unknown, a file is missing or has another shape.
    """
    corpora: list[Corpus] = []
    if not folder.is_dir():
        raise DataFault(f"{folder} is not a folder")
    for name in names:
        if name == "locomo":
            corpora.append(locomo.load(folder))
        elif name == "beam":
            corpora.append(beam.load(folder))
        elif name == "prefeval":
            corpora += prefeval.load(folder)
        else:
            raise DataFault(f"unknown data set {name!r}; there are {', '.join(NAMES)}")
    return corpora
