"""all-MiniLM-L6-v2 in plain float32 NumPy, one text at a time: slow, and independent of the graph we build."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float32]


def embed(weights: Mapping[str, Floats], ids: Sequence[int]) -> Floats:
    """Return the unit vector of 384 floats for one list of token ids."""
    words = weights["embeddings.word_embeddings.weight"][list(ids)]
    positions = weights["embeddings.position_embeddings.weight"][: len(ids)]
    hidden = words + positions + weights["embeddings.token_type_embeddings.weight"][0]
    hidden = _norm(hidden, weights, "embeddings.LayerNorm")
    for layer in range(6):
        prefix = f"encoder.layer.{layer}."
        attended = _linear(_attend(hidden, weights, prefix), weights, prefix + "attention.output.dense")
        hidden = _norm(hidden + attended, weights, prefix + "attention.output.LayerNorm")
        inner = _linear(hidden, weights, prefix + "intermediate.dense")
        inner = (inner * (1 + _erf(inner / np.sqrt(np.float32(2)))) / 2).astype(np.float32)
        hidden = _norm(hidden + _linear(inner, weights, prefix + "output.dense"), weights, prefix + "output.LayerNorm")
    mean = hidden.mean(axis=0)
    unit: Floats = mean / np.linalg.norm(mean)
    return unit


def _attend(hidden: Floats, weights: Mapping[str, Floats], prefix: str) -> Floats:
    parts = (_linear(hidden, weights, f"{prefix}attention.self.{part}") for part in ("query", "key", "value"))
    query, key, value = (part.reshape(len(hidden), 12, 32).transpose(1, 0, 2) for part in parts)
    scores = query @ key.transpose(0, 2, 1) / np.sqrt(np.float32(32))
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    mixed: Floats = (powers / powers.sum(axis=-1, keepdims=True)) @ value
    return mixed.transpose(1, 0, 2).reshape(hidden.shape)


def _linear(hidden: Floats, weights: Mapping[str, Floats], name: str) -> Floats:
    product: Floats = hidden @ weights[name + ".weight"].T + weights[name + ".bias"]
    return product


def _norm(hidden: Floats, weights: Mapping[str, Floats], name: str) -> Floats:
    centred = hidden - hidden.mean(axis=-1, keepdims=True)
    deviation = np.sqrt((centred**2).mean(axis=-1, keepdims=True) + np.float32(1e-12))
    scaled: Floats = centred / deviation * weights[name + ".weight"] + weights[name + ".bias"]
    return scaled


def _erf(values: Floats) -> Floats:
    """The error function to within 1.5e-7 (Abramowitz and Stegun 7.1.26); NumPy has none."""
    t = 1 / (1 + 0.3275911 * np.abs(values))
    series = t * (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429))))
    return (np.sign(values) * (1 - series * np.exp(-(values**2)))).astype(np.float32)
