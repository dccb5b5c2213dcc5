"""A theme of a life of which one has one at a time; see `themes`."""

from __future__ import annotations

import re
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Theme:
    """A theme.

    Attributes:
        name: For the reader of a decision.
        state: How a row says what holds.
        turn: How a statement says that it is otherwise now; it needs no other mark of a change.
        attributes: Attributes of the registry that are of this theme.
        terms: Terms by which such rows are found in the store.
    """

    name: str
    state: re.Pattern[str]
    turn: re.Pattern[str]
    attributes: frozenset[str]


def theme(name: str, state: str, turn: str, attributes: str = "") -> Theme:
    """Make a theme of patterns; case does not matter."""
    return Theme(name, re.compile(state, re.IGNORECASE), re.compile(turn, re.IGNORECASE), frozenset(attributes.split()))
