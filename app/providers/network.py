"""Networks in process, from files of the package, without a network: tokens in, rows of numbers out."""

from __future__ import annotations

import ctypes
import hashlib
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt

# the library's telemetry leaves a file behind as soon as it is imported, and has no business with us
os.environ.setdefault("ORT_DISABLE_TELEMETRY", "1")

import onnxruntime

from app.providers.ports import ProviderFault
from app.providers.wordpiece import WordPiece

MODEL_FOLDER: Final = Path(__file__).parent / "minilm"
_VOCABULARY: Final = "vocab.txt"


class ModelDamaged(ProviderFault):
    """A model file is missing or is not the bundled one. The message names the file and the remedy."""

    def __init__(self, folder: Path, file: str, problem: str) -> None:
        super().__init__("model")
        self.folder = folder.name
        self.file = file
        self.problem = problem

    def __str__(self) -> str:
        return (
            f"Model file {self.file} {self.problem}. Install the package again, or, in a checkout, run "
            f"`git checkout -- app/providers/{self.folder}`. scripts/build_{self.folder}.py rebuilds the files from "
            "trained weights."
        )


class Network:
    """A loaded network. Blocking; safe to call from several threads."""

    def __init__(self, folder: Path, file: str) -> None:
        """Load and check one network of `folder` with its vocabulary. Raises ProviderFault, ModelDamaged of it."""
        files = read_model_files(folder, (file, _VOCABULARY))
        self._tokenizer = WordPiece.from_lines(files[_VOCABULARY].decode("utf-8"))
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        options.inter_op_num_threads = 1
        options.log_severity_level = 3  # errors only
        try:
            self._session = onnxruntime.InferenceSession(
                files[file], sess_options=options, providers=["CPUExecutionProvider"]
            )
        except Exception as error:  # out of memory, say: the runtime's errors share no base
            raise ProviderFault("model") from error
        del files
        _give_back()

    def read(self, text: str) -> list[float]:
        """Return the row of one text. Raises ProviderFault."""
        return self.run(self.tokenize([text]))[0]

    def tokenize(self, texts: Sequence[str]) -> list[list[int]]:
        """Return the token ids of each text, at most MAX_TOKENS each."""
        return [self._tokenizer.encode(text) for text in texts]

    def run(self, tokens: Sequence[Sequence[int]]) -> list[list[float]]:
        """Return one row of numbers for each token list. Raises ProviderFault when one is not finite."""
        width = max(len(ids) for ids in tokens)
        input_ids = np.zeros((len(tokens), width), np.int64)
        attention_mask = np.zeros_like(input_ids)
        for row, ids in enumerate(tokens):
            input_ids[row, : len(ids)] = ids
            attention_mask[row, : len(ids)] = 1
        output: npt.NDArray[np.float32]
        try:
            (output,) = self._session.run(None, {"input_ids": input_ids, "attention_mask": attention_mask})
        except Exception as error:  # the runtime's errors (out of memory, say) share no base; none holds text
            raise ProviderFault("model") from error
        if not np.isfinite(output).all():
            raise ProviderFault("nan")
        rows: list[list[float]] = output.tolist()
        return rows


def _give_back() -> None:
    """Give freed memory back to the system: unpacking leaves as much behind as the network takes (glibc only)."""
    try:
        ctypes.CDLL("libc.so.6").malloc_trim(0)
    except (OSError, AttributeError):
        return


def read_model_files(folder: Path, names: Sequence[str]) -> dict[str, bytes]:
    """Read files that SHA256SUMS of `folder` names. Raises ModelDamaged when one is missing or altered."""
    sums: dict[str, str] = {}
    for line in _read(folder / "SHA256SUMS").decode("ascii", "replace").splitlines():
        expected, _, name = line.partition("  ")
        sums[name] = expected
    files = {}
    for name in names:
        if name not in sums:
            raise ModelDamaged(folder, "SHA256SUMS", f"does not name {name}")
        files[name] = _read(folder / name)
        if hashlib.sha256(files[name]).hexdigest() != sums[name]:
            raise ModelDamaged(folder, name, "is not the bundled one (its SHA-256 differs)")
    return files


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError:
        raise ModelDamaged(path.parent, path.name, "cannot be read") from None
