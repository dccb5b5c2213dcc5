"""Trains the gate's model: corpus in, app/domain/gate_weights.py out, the same bytes every time.

Run it from anywhere: `python training/train_gate.py`. Full batches, no random numbers, sums in a fixed order (no BLAS).
"""

from __future__ import annotations

import base64
import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

ROOT: Final = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from app.domain.gate_features import CUE_WEIGHT, WIDTH, features_of, place_of_cue  # noqa: E402  # the path is set first
from app.domain.gate_model import CODES, WORTHY  # noqa: E402

CORPUS: Final = ROOT / "training" / "gate"
WEIGHTS: Final = ROOT / "app" / "domain" / "gate_weights.py"
ENGLISH: Final = "en"
# strength of the ridge, steps and pace of the descent: chosen by leaving out one domain at a time
RIDGE: Final = 0.03
STEPS: Final = 200
PACE: Final = 8.0
MOMENTUM: Final = 0.9
_LIMIT: Final = 127
_OFFSET: Final = 128
_LINE: Final = 110

Floats = npt.NDArray[np.float64]
Places = npt.NDArray[np.int64]


class CorpusFault(Exception):
    """A line of the corpus is not as training/gate/README.md says."""


@dataclass(frozen=True, slots=True)
class Line:
    """A labelled statement."""

    text: str
    decision: str
    kind: str | None
    code: str
    importance: int
    domain: str
    language: str
    pair: str | None


def read_corpus(folder: Path = CORPUS) -> list[Line]:
    """Read all lines, in the order of the file names.

    Raises:
        CorpusFault: A line has another form.
    """
    files = sorted(folder.glob("*/*.jsonl")) + sorted(folder.glob("*.jsonl"))
    return [_line(row, path, n) for path in files for n, row in enumerate(path.read_text("utf-8").splitlines(), 1)]


def _line(row: str, path: Path, number: int) -> Line:
    language = path.parent.name if path.parent.name != CORPUS.name else path.stem
    try:
        value: dict[str, Any] = json.loads(row)
        line = Line(
            text=value["text"],
            decision=value["decision"],
            kind=value["kind"],
            code=value["code"],
            importance=value["importance"],
            domain=value["domain"],
            language=language,
            pair=value.get("pair"),
        )
    except (ValueError, KeyError) as fault:
        raise CorpusFault(f"{path.name}, line {number}: {fault!r}") from None
    if line.code not in CODES or line.decision not in {"keep", "hold", "drop"} or not 1 <= line.importance <= 10:
        raise CorpusFault(f"{path.name}, line {number}: unknown code or decision, or importance out of range")
    return line


@dataclass(frozen=True, slots=True)
class Matrix:
    """A sparse matrix of statements by features, with sums in the order of the entries."""

    rows: Places
    columns: Places
    values: Floats
    height: int

    def times(self, vector: Floats) -> Floats:
        """Give the product with a column."""
        return self._summed(self.rows, self.values * vector[self.columns], self.height)

    def transposed_times(self, vector: Floats) -> Floats:
        """Give the product of the transpose with a column."""
        return self._summed(self.columns, self.values * vector[self.rows], WIDTH)

    @staticmethod
    def _summed(places: Places, values: Floats, size: int) -> Floats:
        return np.bincount(places, weights=values, minlength=size).astype(np.float64)


def matrix_of(texts: Sequence[str]) -> Matrix:
    """Lay out the features of statements, weighted as the model weighs them."""
    rows: list[int] = []
    columns: list[int] = []
    values: list[float] = []
    for index, text in enumerate(texts):
        features = features_of(text)
        grams = sorted(features.wording | features.shape)
        cues = [place_of_cue(cue) for cue in features.cues]
        rows += [index] * (len(grams) + len(cues))
        columns += [*grams, *cues]
        values += [1 / np.sqrt(max(1, len(grams)))] * len(grams)
        values += [CUE_WEIGHT / np.sqrt(max(1, len(cues)))] * len(cues)
    return Matrix(np.array(rows, np.int64), np.array(columns, np.int64), np.array(values), len(texts))


def fit(lines: Sequence[Line]) -> tuple[bytes, tuple[float, ...], tuple[float, ...]]:
    """Train on labelled statements.

    Returns:
        Weights row by row, each an integer raised by 128; the scale and the bias of each column.
    """
    matrix = matrix_of([line.text for line in lines])
    targets = np.zeros((len(CODES), len(lines)))
    for index, line in enumerate(lines):
        targets[[str(code) for code in CODES].index(line.code), index] = 1.0
    weights, biases = _descend(matrix, targets, softmax=True)
    kept = np.array([line.code in CODES[:WORTHY] for line in lines], np.float64)
    importance = np.array([[float(line.importance) for line in lines]])
    middle = float((importance[0] * kept).sum() / kept.sum())
    weight, offset = _descend(matrix, importance - middle, softmax=False, counts=kept)
    return _quantised(np.vstack([weights, weight]), np.append(biases, offset + middle))


def _descend(matrix: Matrix, targets: Floats, *, softmax: bool, counts: Floats | None = None) -> tuple[Floats, Floats]:
    """Minimise the mean loss with a ridge, by Nesterov's accelerated gradient."""
    count = len(targets)
    weights, speed = np.zeros((count, WIDTH)), np.zeros((count, WIDTH))
    biases, bias_speed = np.zeros(count), np.zeros(count)
    share = np.ones(matrix.height) if counts is None else counts
    size = float(share.sum())
    for _ in range(STEPS):
        ahead, bias_ahead = weights + MOMENTUM * speed, biases + MOMENTUM * bias_speed
        found = np.array([matrix.times(ahead[row]) + bias_ahead[row] for row in range(count)])
        if softmax:
            found = np.exp(found - found.max(axis=0))
            found /= found.sum(axis=0)
        wrong = (found - targets) * share / size
        pull = np.array([matrix.transposed_times(wrong[row]) for row in range(count)])
        pace = PACE if softmax else PACE / 8
        speed = MOMENTUM * speed - pace * (pull + RIDGE / size * ahead)
        bias_speed = MOMENTUM * bias_speed - pace * wrong.sum(axis=1)
        weights, biases = weights + speed, biases + bias_speed
    return weights, biases


def _quantised(weights: Floats, biases: Floats) -> tuple[bytes, tuple[float, ...], tuple[float, ...]]:
    scales = np.array([float(f"{np.abs(row).max() / _LIMIT:.6g}") for row in weights])
    # rounded twice: what differs in the last bits between machines does not come through
    whole = np.rint(np.round(weights / scales[:, None], 6)).astype(np.int64).clip(-_LIMIT, _LIMIT) + _OFFSET
    return (
        whole.T.astype(np.uint8).tobytes(),
        tuple(float(scale) for scale in scales),
        tuple(float(f"{bias:.6f}") for bias in biases),
    )


def write_module(path: Path, packed: bytes, scales: tuple[float, ...], biases: tuple[float, ...], lines: int) -> None:
    """Write the weights as a Python module."""
    heading = f"The weights of the gate's model, made by training/train_gate.py of {lines} statements. Do not edit."
    text = base64.b85encode(packed).decode()
    body = "\n".join(text[start : start + _LINE] for start in range(0, len(text), _LINE))
    path.write_text(
        f'"""{heading}"""\n\n'
        "# fmt: off\n"
        f"SCALES = (\n{_listed(scales)})\n"
        f"BIASES = (\n{_listed(biases)})\n"
        f'WEIGHTS = """\n{body}\n"""\n',
        encoding="utf-8",
    )


def _listed(numbers: tuple[float, ...]) -> str:
    return "".join(f"    {number!r},\n" for number in numbers)


def main() -> None:
    """Train and write."""
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else WEIGHTS
    lines = read_corpus()
    write_module(target, *fit(lines), len(lines))
    print(f"{len(lines)} statements -> {target.name}")


if __name__ == "__main__":
    main()
