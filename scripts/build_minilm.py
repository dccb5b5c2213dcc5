"""Build the bundled networks from their trained weights: the embedder and the gate's reader.

    python scripts/build_minilm.py --embedder embedder.safetensors --reader reader.safetensors --vocab vocab.txt \
        --out app/providers/minilm

`training/train_embedder.py` and `training/train_reader.py` make the two files of weights, from the published
all-MiniLM-L6-v2 and texts of ours; vocab.txt is that of sentence-transformers/all-MiniLM-L6-v2, revision 1110a243.

Weights are stored as int8 with one float32 scale per output channel and turned back into float32 when the session
starts; all arithmetic is float32. Dynamic int8 arithmetic, the usual recipe, depends on the CPU and on the rest of the
batch (docs/decisions/0003). The same inputs give the same bytes.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import math
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt
from onnx import ModelProto, NodeProto, TensorProto, checker, helper, numpy_helper

EMBEDDER_SHA256: Final = "aefc8df7bbaf5f2021b33449dbfee88062b76924273f2d2eaec76f976f6d117e"
READER_SHA256: Final = "9c9b6218ba73e8cf316d0e0aec9a3f90df8089c75f78b9bfcf5b69f2d5776597"
VOCAB_SHA256: Final = "07eced375cec144d27c900241f3e339478dec958f92fddbc551f295c992038a3"

EMBEDDER_LAYERS: Final = 6
READER_LAYERS: Final = 3
HEADS: Final = 12
WIDTH: Final = 384
POSITIONS: Final = 256  # what the model was trained on; the published table has 512 rows
NORM_EPSILON: Final = 1e-12
MASKED: Final = 10_000.0  # taken off the attention score of a padding token: exp(-10000) is exactly 0
HEAD: Final = "head.weight"
HEAD_BIAS: Final = "head.bias"
OPSET: Final = 17
IR_VERSION: Final = 8

Floats = npt.NDArray[np.float32]


class WrongInput(Exception):
    """An input file is not the published one."""


def read_verified(path: Path, sha256: str) -> bytes:
    """Return the bytes of `path`. Raises WrongInput when their hash is another than `sha256`."""
    data = path.read_bytes()
    found = hashlib.sha256(data).hexdigest()
    if found != sha256:
        raise WrongInput(f"{path.name} has sha256 {found}, expected {sha256}.")
    return data


def read_safetensors(data: bytes) -> dict[str, Floats]:
    """Read the float32 tensors of a safetensors file: 8 bytes of header length, a JSON header, little-endian data."""
    length = int.from_bytes(data[:8], "little")
    header = json.loads(data[8 : 8 + length])
    tensors = {}
    for name, entry in header.items():
        if name != "__metadata__" and entry["dtype"] == "F32":
            start, end = (8 + length + offset for offset in entry["data_offsets"])
            tensors[name] = np.frombuffer(data[start:end], dtype="<f4").reshape(entry["shape"])
    return tensors


def quantize(matrix: Floats, axis: int) -> tuple[npt.NDArray[np.int8], Floats]:
    """Split a matrix into int8 values and float32 scales, symmetric, one scale per slice across `axis`."""
    scale = np.abs(matrix).max(axis=axis, keepdims=True) / np.float32(127)
    scale[scale == 0] = 1
    return np.clip(np.rint(matrix / scale), -127, 127).astype(np.int8), scale.astype(np.float32)


class Graph:
    """Collects nodes and constants; values are passed about by name."""

    def __init__(self) -> None:
        self.nodes: list[NodeProto] = []
        self.constants: dict[str, TensorProto] = {}

    def const(self, name: str, value: npt.NDArray[Any] | list[int] | float) -> str:
        """Add a constant once (a list becomes int64, a float float32) and return its name."""
        if name not in self.constants:
            array = np.array(value, np.int64) if isinstance(value, list) else np.asarray(value)
            array = array.astype(np.float32) if array.dtype == np.float64 else array
            # ascontiguousarray would turn a scalar into a row of one, hence copy
            self.constants[name] = numpy_helper.from_array(array.copy(order="C"), name)
        return name

    def op(self, kind: str, *inputs: str, name: str | None = None, **attributes: Any) -> str:
        """Add a node with one output and return the output's name."""
        output = name or f"{kind}_{len(self.nodes)}"
        self.nodes.append(helper.make_node(kind, list(inputs), [output], name=output, **attributes))
        return output


class Builder:
    """Writes a BERT encoder, its mean pooling and the normalisation, with a linear head if it has one, as one graph."""

    def __init__(self, weights: Mapping[str, Floats], *, name: str, layers: int, epsilon: float = NORM_EPSILON) -> None:
        self.weights = weights
        self.name = name
        self.layers = layers
        self.epsilon = epsilon
        self.width = weights["embeddings.word_embeddings.weight"].shape[1]
        self.graph = Graph()

    def build(self) -> ModelProto:
        """Return the checked model: input_ids and attention_mask, int64 [batch, tokens] -> float32 [batch, width].

        Without a head the output is the unit vector, `embedding`; with one, what it makes of that, `readings`.
        """
        mask = self.graph.op("Cast", "attention_mask", to=TensorProto.FLOAT)
        bias = self.attention_bias(mask)
        hidden = self.embed_tokens()
        for layer in range(self.layers):
            prefix = f"encoder.layer.{layer}."
            hidden = self.add_and_norm(hidden, self.attend(hidden, bias, prefix), prefix + "attention.output.LayerNorm")
            hidden = self.add_and_norm(hidden, self.feed_forward(hidden, prefix), prefix + "output.LayerNorm")
        output, width = self.pool(hidden, mask), self.width
        if HEAD in self.weights:
            matrix = self.graph.const("head", self.weights[HEAD].T)
            product = self.graph.op("MatMul", output, matrix)
            output = self.graph.op(
                "Add", product, self.graph.const("head.bias", self.weights[HEAD_BIAS]), name="readings"
            )
            width = len(self.weights[HEAD_BIAS])
        inputs = [
            helper.make_tensor_value_info(name, TensorProto.INT64, ["batch", "tokens"])
            for name in ("input_ids", "attention_mask")
        ]
        outputs = [helper.make_tensor_value_info(output, TensorProto.FLOAT, ["batch", width])]
        constants = list(self.graph.constants.values())
        graph = helper.make_graph(self.graph.nodes, self.name, inputs, outputs, constants)
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", OPSET)], producer_name="build_minilm")
        model.ir_version = IR_VERSION
        checker.check_model(model, full_check=True)
        return model

    def embed_tokens(self) -> str:
        """Sum word, position and segment rows, and normalise.

        The word table stays int8 in memory: rows are gathered first and scaled after. Positions are a Slice, not a
        Gather over a Range. The segment is always 0, so its row is added to the position table here.
        """
        graph = self.graph
        values, scales = quantize(self.weights["embeddings.word_embeddings.weight"], axis=1)
        rows = graph.op("Cast", graph.op("Gather", graph.const("word.q", values), "input_ids"), to=TensorProto.FLOAT)
        words = graph.op("Mul", rows, graph.op("Gather", graph.const("word.scale", scales), "input_ids"))
        segment = self.weights["embeddings.token_type_embeddings.weight"][0]
        table = (self.weights["embeddings.position_embeddings.weight"] + segment)[:POSITIONS]
        tokens = graph.op("Shape", "input_ids", start=1, end=2)
        zero = graph.const("int.0", [0])
        positions = graph.op("Slice", graph.const("positions", table), zero, tokens, zero)
        return self.norm(graph.op("Add", words, positions), "embeddings.LayerNorm")

    def attention_bias(self, mask: str) -> str:
        """Turn the mask [batch, tokens] into 0 for tokens and -MASKED for padding, [batch, 1, 1, tokens]."""
        graph = self.graph
        wide = graph.op("Unsqueeze", mask, graph.const("int.1_2", [1, 2]))
        return graph.op("Mul", graph.op("Sub", wide, graph.const("one", 1.0)), graph.const("masked", MASKED))

    def attend(self, hidden: str, bias: str, prefix: str) -> str:
        """Multi-head self-attention with its output projection, without the residual."""
        graph = self.graph
        split = graph.const("split", [0, 0, HEADS, self.width // HEADS])

        def heads(part: str, order: list[int]) -> str:
            projected = self.linear(hidden, f"{prefix}attention.self.{part}")
            return graph.op("Transpose", graph.op("Reshape", projected, split), perm=order)

        query, key, value = heads("query", [0, 2, 1, 3]), heads("key", [0, 2, 3, 1]), heads("value", [0, 2, 1, 3])
        scale = graph.const("attention.scale", 1 / math.sqrt(self.width // HEADS))
        scores = graph.op("Add", graph.op("Mul", graph.op("MatMul", query, key), scale), bias)
        mixed = graph.op("MatMul", graph.op("Softmax", scores, axis=-1), value)
        joined = graph.op(
            "Reshape", graph.op("Transpose", mixed, perm=[0, 2, 1, 3]), graph.const("join", [0, 0, self.width])
        )
        return self.linear(joined, prefix + "attention.output.dense")

    def feed_forward(self, hidden: str, prefix: str) -> str:
        """Two projections with an exact (erf) GELU between, without the residual."""
        graph = self.graph
        inner = self.linear(hidden, prefix + "intermediate.dense")
        error = graph.op("Erf", graph.op("Div", inner, graph.const("sqrt2", math.sqrt(2))))
        gate = graph.op("Add", error, graph.const("one", 1.0))
        gelu = graph.op("Mul", graph.op("Mul", inner, graph.const("half", 0.5)), gate)
        return self.linear(gelu, prefix + "output.dense")

    def pool(self, hidden: str, mask: str) -> str:
        """Mean over the tokens that are no padding, then unit length."""
        graph = self.graph
        one = graph.const("int.1", [1])
        kept = graph.op("Mul", hidden, graph.op("Unsqueeze", mask, graph.const("int.2", [2])))
        total = graph.op("ReduceSum", kept, one, keepdims=0)
        mean = graph.op("Div", total, graph.op("ReduceSum", mask, one, keepdims=1))
        return graph.op("Div", mean, graph.op("ReduceL2", mean, axes=[1], keepdims=1), name="embedding")

    def linear(self, hidden: str, name: str) -> str:
        """Multiply with an int8 matrix turned back into float32 (folded when the session starts), and add the bias."""
        graph = self.graph
        values, scales = quantize(self.weights[name + ".weight"].T, axis=0)
        floats = graph.op("Cast", graph.const(name + ".q", values), to=TensorProto.FLOAT)
        matrix = graph.op("Mul", floats, graph.const(name + ".scale", scales))
        return graph.op(
            "Add", graph.op("MatMul", hidden, matrix), graph.const(name + ".bias", self.weights[name + ".bias"])
        )

    def norm(self, hidden: str, name: str) -> str:
        """Layer normalisation over the last axis."""
        weight = self.graph.const(name + ".weight", self.weights[name + ".weight"])
        bias = self.graph.const(name + ".bias", self.weights[name + ".bias"])
        return self.graph.op("LayerNormalization", hidden, weight, bias, axis=-1, epsilon=self.epsilon)

    def add_and_norm(self, hidden: str, change: str, name: str) -> str:
        """Residual connection followed by layer normalisation."""
        return self.norm(self.graph.op("Add", change, hidden), name)


def build_embedder(weights: bytes) -> bytes:
    """Return the bytes of the embedder's ONNX file for the bytes of its safetensors file."""
    return _built(Builder(read_safetensors(weights), name="lethe-minilm-1", layers=EMBEDDER_LAYERS))


def build_reader(weights: bytes) -> bytes:
    """Return the bytes of the reader's ONNX file for the bytes of its safetensors file."""
    return _built(Builder(read_safetensors(weights), name="gate-reader-1", layers=READER_LAYERS))


def _built(builder: Builder) -> bytes:
    data: bytes = builder.build().SerializeToString(deterministic=True)
    return data


def write_files(folder: Path, files: Mapping[str, bytes]) -> str:
    """Write the files of a model folder and their SHA256SUMS; gives the sums."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, data in files.items():
        (folder / name).write_bytes(data)
    sums = "".join(f"{hashlib.sha256(data).hexdigest()}  {name}\n" for name, data in files.items())
    (folder / "SHA256SUMS").write_text(sums, encoding="ascii", newline="\n")
    return sums


def main(arguments: list[str] | None = None) -> int:
    """Write model.onnx, gate.onnx, vocab.txt and SHA256SUMS to the output folder."""
    parser = argparse.ArgumentParser(description="Build the bundled networks.")
    parser.add_argument("--embedder", type=Path, required=True, help="as training/train_embedder.py made it")
    parser.add_argument("--reader", type=Path, required=True, help="as training/train_reader.py made it")
    parser.add_argument("--vocab", type=Path, required=True, help="vocab.txt as published")
    parser.add_argument("--out", type=Path, required=True, help="folder to write to")
    options = parser.parse_args(arguments)
    try:
        embedder = read_verified(options.embedder, EMBEDDER_SHA256)
        reader = read_verified(options.reader, READER_SHA256)
        vocab = read_verified(options.vocab, VOCAB_SHA256)
    except WrongInput as error:
        print(error, file=sys.stderr)
        return 1
    files = {"model.onnx": build_embedder(embedder), "gate.onnx": build_reader(reader), "vocab.txt": vocab}
    print(write_files(options.out, files), end="")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
