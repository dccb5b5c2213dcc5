"""The model behind `turnover`: a line over the words of the message, and trees over what joins it with a row.

The line tells how much a message sounds like news (its hashed words, pairs and triples; numbers as one). It is one
feature of the trees, and what the gate's reader makes of the message is another. The trees are boosted in the usual way
(Friedman 2001, "Greedy function approximation"): each answers with what it adds to the log-odds, and the chance is the
logistic function of the sum.
"""

from __future__ import annotations

import base64
import json
import math
import re
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

WIDTH: Final = 1 << 16
"""Places of the hashed phrases."""
STEP: Final = 0.03
"""Log-odds that one unit of a stored weight stands for, before the sum is divided by the root of its length."""
_LONGEST: Final = 3  # words of a phrase
_WORD: Final = re.compile(r"[\w']+|[^\w\s]")
_NUMBER: Final = re.compile(r"\d")


@dataclass(frozen=True, slots=True)
class Tree:
    """A tree in arrays: go left up to `value`; where `feature` is -1 it is a leaf, and says 1/1000 log-odds."""

    feature: tuple[int, ...]
    value: tuple[float, ...]
    left: tuple[int, ...]
    right: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Weights:
    """The trained model."""

    phrases: bytes
    bias: float
    base: float
    trees: tuple[Tree, ...]


def phrases_of(words: str) -> list[int]:
    """Give the places of the phrases of a message, each once, in order."""
    tokens = ["^", *_WORD.findall(_NUMBER.sub("0", words.casefold())), "$"]
    found = {
        zlib.crc32(" ".join(tokens[start : start + length]).encode()) % WIDTH
        for length in range(1, _LONGEST + 1)
        for start in range(len(tokens) - length + 1)
    }
    return sorted(found)


def signal(words: str) -> float:
    """Tell how much a message sounds like news, in log-odds; 0 is even."""
    weights = shipped()
    places = phrases_of(words)
    total = sum(weights.phrases[place] - 128 for place in places)
    return round(total * STEP / math.sqrt(max(1, len(places))) + weights.bias, 3)


def chance(features: Sequence[float]) -> float:
    """Give the chance, 0..1, that the trees see in a row's features."""
    weights = shipped()
    total = weights.base
    for tree in weights.trees:
        node = 0
        while tree.feature[node] >= 0:
            node = tree.left[node] if features[tree.feature[node]] <= tree.value[node] else tree.right[node]
        total += tree.value[node] / 1000
    return round(1 / (1 + math.exp(-max(-30.0, min(30.0, total)))), 6)


@cache
def shipped() -> Weights:
    """Unpack the weights that come with the package, once a process."""
    from app.domain.turnover_weights import BASE, BIAS, PHRASES, TREES

    def packed(text: str) -> bytes:
        return zlib.decompress(base64.b85decode("".join(text.split())))

    trees = tuple(Tree(*(tuple(column) for column in tree)) for tree in json.loads(packed(TREES)))
    return Weights(packed(PHRASES), BIAS, BASE, trees)
