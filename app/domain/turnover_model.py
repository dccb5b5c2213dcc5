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

from app.domain.text import HAN

ENGLISH: Final = "en"
WEIGHED_TONGUES: Final = frozenset({"de", "fr", "es", "zh"})
"""Languages beside English that there are weights for."""
WIDTH: Final = 1 << 16
"""Places of the hashed phrases."""
STEP: Final = 0.03
"""Log-odds that one unit of a stored weight stands for, before the sum is divided by the root of its length."""
_LONGEST: Final = 3  # words of a phrase
_INFLECTED: Final = frozenset({"de", "fr", "es"})
_RUN: Final = 5  # letters, blanks and signs of a run
# a Han character is a word of its own
_WORD: Final = re.compile(rf"[{HAN}]|(?:[^\W{HAN}]|')+|[^\w\s]")
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


def checksum(names: Sequence[str]) -> int:
    """Tell columns by their names and order: weights of others must not be used."""
    return zlib.crc32("\n".join(names).encode())


def phrases_of(words: str, tongue: str = ENGLISH) -> list[int]:
    """Give the places of the phrases of a message, each once, in order.

    In languages whose words change their endings or are put together, runs of letters are phrases as well.
    """
    tokens = ["^", *_WORD.findall(_NUMBER.sub("0", words.casefold())), "$"]
    found = {
        zlib.crc32(" ".join(tokens[start : start + length]).encode()) % WIDTH
        for length in range(1, _LONGEST + 1)
        for start in range(len(tokens) - length + 1)
    }
    if tongue in _INFLECTED:
        line = " ".join(tokens)
        found |= {
            zlib.crc32(f"#{line[start : start + _RUN]}".encode()) % WIDTH for start in range(len(line) - _RUN + 1)
        }
    return sorted(found)


def signal(words: str, tongue: str = ENGLISH) -> float:
    """Tell how much a message sounds like news, in log-odds; 0 is even."""
    weights = shipped(tongue)
    places = phrases_of(words, tongue)
    total = sum(weights.phrases[place] - 128 for place in places)
    return round(total * STEP / math.sqrt(max(1, len(places))) + weights.bias, 3)


def chance(features: Sequence[float], tongue: str = ENGLISH) -> float:
    """Give the chance, 0..1, that the trees see in a row's features."""
    weights = shipped(tongue)
    total = weights.base
    for tree in weights.trees:
        node = 0
        while tree.feature[node] >= 0:
            node = tree.left[node] if features[tree.feature[node]] <= tree.value[node] else tree.right[node]
        total += tree.value[node] / 1000
    return round(1 / (1 + math.exp(-max(-30.0, min(30.0, total)))), 6)


@cache
def shipped(tongue: str = ENGLISH) -> Weights:
    """Unpack the weights of a language that come with the package, once a process."""
    if tongue == ENGLISH:
        from app.domain.turnover_weights import BASE, BIAS, PHRASES, TREES

        return Weights(_packed(PHRASES), BIAS, BASE, _trees(TREES))
    from app.domain import turnover_weights_more as more

    phrases, bias = more.LINES[tongue]
    return Weights(_packed(phrases), bias, more.BASE, _trees(more.TREES))


@cache
def _trees(columns: str) -> tuple[Tree, ...]:
    """Unpack trees; languages that share them hold them once."""
    return tuple(Tree(*(tuple(column) for column in tree)) for tree in json.loads(_packed(columns)))


def _packed(text: str) -> bytes:
    return zlib.decompress(base64.b85decode("".join(text.split())))
