"""The bundled model against the published weights. They are not in the repository: name them to run these tests."""

from __future__ import annotations

import itertools
import json
import os
from pathlib import Path

import numpy as np
import pytest

from app.providers.local import MiniLM
from app.providers.network import MODEL_FOLDER
from scripts.build_minilm import (
    EMBEDDER_SHA256,
    READER_SHA256,
    build_embedder,
    build_reader,
    main,
    quantize,
    read_safetensors,
    read_verified,
)
from tests.providers import reference

VARIABLE = "LETHE_TRAINED_WEIGHTS"
needs_weights = pytest.mark.skipif(
    VARIABLE not in os.environ, reason=f"{VARIABLE} names no folder with embedder.safetensors and reader.safetensors"
)


@pytest.fixture(scope="module")
def weights() -> bytes:
    return read_verified(Path(os.environ[VARIABLE]) / "embedder.safetensors", EMBEDDER_SHA256)


@pytest.fixture(scope="module")
def reader_weights() -> bytes:
    return read_verified(Path(os.environ[VARIABLE]) / "reader.safetensors", READER_SHA256)


@needs_weights
def test_the_bundled_files_are_what_the_script_builds(weights: bytes, reader_weights: bytes) -> None:
    assert build_embedder(weights) == (MODEL_FOLDER / "model.onnx").read_bytes()
    assert build_reader(reader_weights) == (MODEL_FOLDER / "gate.onnx").read_bytes()


@needs_weights
def test_vectors_are_close_to_the_trained_model_in_float32(weights: bytes) -> None:
    subjects = ["I", "My brother", "The team", "Dr. Müller", "We"]
    verbs = ["moved to", "no longer like", "always deploy from", "have been thinking about"]
    objects = ["Berlin.", "PostgreSQL 17 with pgvector", "green tea, but never after 6 pm!", "C++", "the 3 dogs we met"]
    tails = ["", " Please remember that, because it matters for every plan we make together this year."]
    texts = [
        "".join(parts) for parts in itertools.product([f"{s} {v} " for s in subjects for v in verbs], objects, tails)
    ]
    tensors = read_safetensors(weights)
    model = MiniLM(MODEL_FOLDER)
    tokens = model.tokenize(texts)
    expected = np.array([reference.embed(tensors, ids) for ids in tokens])
    cosines = (np.array(model.run(tokens)) * expected).sum(axis=1)
    assert len(cosines) == 200
    assert cosines.min() >= 0.998


def test_other_weights_are_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    other = tmp_path / "model.safetensors"
    other.write_bytes(b"other weights")
    arguments = ["--embedder", str(other), "--reader", str(other), "--vocab", str(MODEL_FOLDER / "vocab.txt")]
    assert main([*arguments, "--out", str(tmp_path / "out")]) == 1
    assert f"expected {EMBEDDER_SHA256}" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


def test_a_safetensors_file_is_read_by_name() -> None:
    values = np.arange(6, dtype="<f4")
    header = {
        "__metadata__": {"format": "pt"},
        "ids": {"dtype": "I64", "shape": [1], "data_offsets": [24, 32]},
        "a": {"dtype": "F32", "shape": [2, 3], "data_offsets": [0, 24]},
    }
    packed = json.dumps(header).encode()
    tensors = read_safetensors(len(packed).to_bytes(8, "little") + packed + values.tobytes() + bytes(8))
    assert list(tensors) == ["a"]
    assert np.array_equal(tensors["a"], values.reshape(2, 3))


def test_quantisation_errs_by_half_a_step_at_most_and_keeps_zero() -> None:
    matrix = np.random.default_rng(1).normal(size=(7, 5)).astype(np.float32)
    matrix[:, 2] = 0
    values, scales = quantize(matrix, axis=0)
    assert values.dtype == np.int8
    assert scales.shape == (1, 5)
    assert np.all(np.abs(values * scales - matrix) <= scales * 0.5001)
    assert not values[:, 2].any()
