"""Build the bundled pair reader from its trained weights.

    python scripts/build_mpnet.py --pairs pairs.safetensors --vocab vocab.txt --out app/providers/mpnet

`training/train_pairs.py` makes the file of weights, from the published all-mpnet-base-v2 and texts of ours. Matrices
are stored as in `build_minilm`: int8 with one float32 scale per output channel, all arithmetic float32. The same input
gives the same bytes. vocab.txt is that of the bundled embedder: the published model has the same words, but in another
order.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Final

from scripts.build_minilm import VOCAB_SHA256, Builder, WrongInput, read_safetensors, read_verified, write_files

PAIRS_SHA256: Final = "76c4aacce018b03aa4ac8886ded3640285db74aefd670cb8063a8b283dc74d1b"
LAYERS: Final = 9
EPSILON: Final = 1e-5
RELATIVE: Final = "encoder.relative"
"""Name of the tensor [HEADS, positions, positions]: what is added to a score for how far apart two tokens stand."""


class PairBuilder(Builder):
    """An encoder with relative positions, whose head reads the first token and the mean of all tokens."""

    def attention_bias(self, mask: str) -> str:
        """Add what the distance of two tokens counts to the mask: [batch, HEADS, tokens, tokens]."""
        graph = self.graph
        masked = super().attention_bias(mask)
        tokens = graph.op("Shape", "input_ids", start=1, end=2)
        zeros, axes = graph.const("int.0_0", [0, 0]), graph.const("int.1_2", [1, 2])
        ends = graph.op("Concat", tokens, tokens, axis=0)
        table = graph.const("relative", self.weights[RELATIVE])
        near = graph.op("Slice", table, zeros, ends, axes)
        return graph.op("Add", graph.op("Unsqueeze", near, graph.const("int.0", [0])), masked)

    def pool(self, hidden: str, mask: str) -> str:
        """Give the first token's vector and the mean over the tokens that are no padding, one behind the other."""
        graph = self.graph
        one, two = graph.const("int.1", [1]), graph.const("int.2", [2])
        kept = graph.op("Mul", hidden, graph.op("Unsqueeze", mask, two))
        total = graph.op("ReduceSum", kept, one, keepdims=0)
        mean = graph.op("Div", total, graph.op("ReduceSum", mask, one, keepdims=1))
        zero = graph.const("int.0", [0])
        first = graph.op("Squeeze", graph.op("Slice", hidden, zero, one, one), one)
        return graph.op("Concat", first, mean, axis=-1)


def build_pairs(weights: bytes) -> bytes:
    """Return the bytes of the pair reader's ONNX file for the bytes of its safetensors file."""
    builder = PairBuilder(read_safetensors(weights), name="pair-reader-1", layers=LAYERS, epsilon=EPSILON)
    data: bytes = builder.build().SerializeToString(deterministic=True)
    return data


def main(arguments: list[str] | None = None) -> int:
    """Write pairs.onnx, vocab.txt and SHA256SUMS to the output folder."""
    parser = argparse.ArgumentParser(description="Build the bundled pair reader.")
    parser.add_argument("--pairs", type=Path, required=True, help="as training/train_pairs.py made it")
    parser.add_argument("--vocab", type=Path, required=True, help="vocab.txt of the bundled embedder")
    parser.add_argument("--out", type=Path, required=True, help="folder to write to")
    options = parser.parse_args(arguments)
    try:
        files = {
            "pairs.onnx": build_pairs(read_verified(options.pairs, PAIRS_SHA256)),
            "vocab.txt": read_verified(options.vocab, VOCAB_SHA256),
        }
    except WrongInput as error:
        print(error, file=sys.stderr)
        return 1
    print(write_files(options.out, files), end="")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
