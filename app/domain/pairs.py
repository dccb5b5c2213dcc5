"""What a network that reads a message and a row together makes of the two, and how that counts with the weights.

The weights of `turnover` know what structure and nearness tell; that "the twins started at the village school" ends
teaching them at home takes knowledge of the world. The pair reader has some. It is asked about the rows that the
weights think possible, and its log-odds are added to theirs; see docs/decisions/0020.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Final, NamedTuple
from uuid import UUID

ASKED: Final = 0.02
"""The chance by the weights from which a row is read beside the message; below it nearly nothing is over."""
MOST_ASKED: Final = 3
"""Rows that are read beside one message, the likeliest; one message seldom ends more."""
_FLOOR: Final = 1e-4


class Beside(NamedTuple):
    """A message and the content of a row, as the reader is asked about them."""

    words: str
    row: str


def worth_reading(chances: Mapping[UUID, float]) -> list[UUID]:
    """Tell which rows to read beside a message, by their chances; the likeliest first."""
    possible = sorted((row for row in chances if chances[row] >= ASKED), key=lambda row: (-chances[row], row))
    return possible[:MOST_ASKED]


def read_together(chance: float, odds: float | None) -> float:
    """Give the chance that a row is over by the weights and the reader; by the weights alone where nothing was read.

    The log-odds of the two are added, as of two witnesses: what one is nearly sure of the other may still turn.
    """
    if odds is None or chance < ASKED:
        return chance
    bounded = min(max(chance, _FLOOR), 1 - _FLOOR)
    return 1 / (1 + math.exp(-odds - math.log(bounded / (1 - bounded))))
