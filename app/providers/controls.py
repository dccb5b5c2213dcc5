"""Pairs of which the answer is known, shown among the others: who gets them wrong is not believed on the rest.

A small model that cannot judge answers all the same, most often with the words of the prompt's example, and what it
says would take true statements out of recall. No form of answer tells that from a verdict; these pairs do.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from app.domain.judging import Pair

REPLACED: Final = (
    ("User rents a room in Lagos", "User has left Lagos for good and rents a house in Accra"),
    ("User plays the organ at church", "User does not play the organ any more"),
    ("User's boat is for sale", "User's boat was sold last week"),
    ("User is a student", "User has finished their studies and is no longer a student"),
)
"""Earlier and later, where the later one replaces the earlier one beyond doubt."""
STAYING: Final = (
    ("User's uncle has a red tractor", "User's aunt has a blue bicycle"),
    ("User's tent is green", "User's sleeping bag is grey"),
    ("User collects stamps", "User collects coins as well"),
    ("User likes figs", "User likes the sea"),
    ("User has a garden", "User's garden has a pond"),
)
"""Earlier and later, where both stay beyond doubt; most are alike, since whoever errs there does harm."""
COUNT: Final = 3
"""Known pairs on a sheet: one replaced, two staying. Guessing passes one time in eight."""
LONGEST: Final = max(len(earlier) + len(later) for earlier, later in (*REPLACED, *STAYING))

_RANDOM: Final = secrets.SystemRandom()


@dataclass(frozen=True, slots=True)
class Sheet:
    """Pairs as a judge is shown them, numbered from 1.

    Attributes:
        pairs: All of them.
        asked: Number on the sheet to the number of the pair that is asked about.
        known: Number on the sheet to whether the later one replaces the earlier one.
    """

    pairs: tuple[Pair, ...]
    asked: Mapping[int, int]
    known: Mapping[int, bool]

    def mark(self, said: Mapping[int, bool]) -> dict[int, bool] | None:
        """Give what was said of the pairs asked about, by their own numbers; None when a known one is not right."""
        if any(said.get(number) is not answer for number, answer in self.known.items()):
            return None
        return {own: said[number] for number, own in self.asked.items() if number in said}


def sheet(pairs: Sequence[Pair]) -> Sheet:
    """Mix known pairs, at places that nobody can guess, among those asked about, whose order stays."""
    earlier_at, later_at = pairs[0].earlier_at, pairs[0].later_at
    drawn = [(_RANDOM.choice(REPLACED), True), *((texts, False) for texts in _RANDOM.sample(STAYING, COUNT - 1))]
    _RANDOM.shuffle(drawn)
    places = set(_RANDOM.sample(range(1, len(pairs) + COUNT + 1), COUNT))
    rest = iter(pairs)
    shown: list[Pair] = []
    asked: dict[int, int] = {}
    known: dict[int, bool] = {}
    for number in range(1, len(pairs) + COUNT + 1):
        if number in places:
            (earlier, later), known[number] = drawn.pop()
            shown.append(Pair(number, earlier, earlier_at, later, later_at))
        else:
            pair = next(rest)
            asked[number] = pair.number
            shown.append(replace(pair, number=number))
    return Sheet(tuple(shown), asked, known)
