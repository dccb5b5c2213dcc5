"""The gate's model: which reason code would a careful reader give, and how important is it?

A softmax over the reason codes and a line for the importance, over the features of the text. All sums are of integers
and the few floating-point steps are correctly rounded or rounded off, so that a verdict is the same on every machine.
"""

from __future__ import annotations

import base64
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Final

from app.domain.gate_features import CUE_WEIGHT, WIDTH, Features, features_of, phrase_of, place_of_cue
from app.domain.memory import Code, Kind

CODES: Final = (
    Code.DURABLE_FACT,
    Code.PREFERENCE,
    Code.THIRD_PARTY,
    Code.EVENT,
    Code.INSTRUCTION,
    Code.HEDGED,
    Code.SMALL_TALK,
    Code.QUESTION,
    Code.EPHEMERAL,
    Code.HYPOTHETICAL,
    Code.LOW_IMPORTANCE,
)
WORTHY: Final = 6
"""The first so many codes are of statements that are worth keeping."""
COLUMNS: Final = len(CODES) + 1
_LANE: Final = 4  # bytes of one column in a packed row
_OFFSET: Final = 128
_NAMED: Final = 3
READER_SHARE: Final = 0.75
"""What the reader's logits and importance count where it has read a sentence, against the features' own."""


@dataclass(frozen=True, slots=True)
class Reading:
    """What the reader makes of a sentence in full.

    Attributes:
        logits: One for each of CODES.
        weight: Its importance if it is worth keeping, 1..10.
        ending: The log-odds that it ends something that was known.
    """

    logits: tuple[float, ...]
    weight: float
    ending: float


Read = Callable[[str], Reading | None]
"""Reads a sentence, or leaves it to its features. The same sentence always has the same reading."""
MESSAGE_SHARE: Final = 0.5
"""What the reading of the whole message counts, against that of one of its statements."""
WHOLE_MESSAGE: Final = 600
"""Characters of a message that is read as a whole; a longer one says too many things."""


def within(message: str, read: Read | None) -> Read | None:
    """Read statements in the light of the message that they stand in: half of a reading is that of the message.

    What a statement alone does not show, its surroundings do: "Seven years now!" beside "We got married in Bergen".
    Whether it ends something it says by itself. A long message lends nothing.
    """
    if read is None or len(message) > WHOLE_MESSAGE:
        return read

    def statement(text: str) -> Reading | None:
        own = read(text)
        if own is None or (around := read(message)) is None:
            return own

        def both(one: float, other: float) -> float:
            return one + MESSAGE_SHARE * (other - one)

        logits = tuple(both(one, other) for one, other in zip(own.logits, around.logits, strict=True))
        return Reading(logits, both(own.weight, around.weight), own.ending)

    return statement


@dataclass(frozen=True, slots=True)
class Opinion:
    """What the model makes of a statement.

    Attributes:
        worth: Probability that it is worth keeping.
        doubt: Probability that it is not meant as true: hedged, supposed or asked.
        weight: Importance if it is worth keeping, 1..10, not yet rounded.
        codes: Probability of each reason code.
        ending: The log-odds that it ends something, as the reader says; None where it has not read.
        why: Words for what decided, most important first.
    """

    worth: float
    doubt: float
    weight: float
    codes: Mapping[Code, float]
    why: tuple[str, ...]
    ending: float | None = None

    @property
    def kind(self) -> Kind:
        """The kind that the codes speak for."""
        by_kind = {
            Kind.SEMANTIC: self.codes[Code.DURABLE_FACT] + self.codes[Code.PREFERENCE] + self.codes[Code.THIRD_PARTY],
            Kind.EPISODIC: self.codes[Code.EVENT],
            Kind.PROCEDURAL: self.codes[Code.INSTRUCTION],
        }
        return max(by_kind, key=lambda kind: by_kind[kind])

    @property
    def refusal(self) -> Code:
        """The likeliest code among those of what is not kept."""
        return max(CODES[WORTHY:], key=lambda code: self.codes[code])

    @property
    def acceptance(self) -> Code:
        """The likeliest code among those of what is kept."""
        return max(CODES[: WORTHY - 1], key=lambda code: self.codes[code])


@dataclass(frozen=True, slots=True)
class Weights:
    """A trained model: one integer a feature, with a lane for each column, so that a sum is one addition."""

    rows: tuple[int, ...]
    scales: tuple[float, ...]
    biases: tuple[float, ...]


def unpack(packed: bytes, scales: tuple[float, ...], biases: tuple[float, ...]) -> Weights:
    """Make a model of its bytes: row by row, each value raised by 128.

    Raises:
        ValueError: The bytes are of other features than the present ones.
    """
    if len(packed) != WIDTH * COLUMNS:
        raise ValueError("the weights are of other features: run python training/train_gate.py")
    lanes = bytearray(len(packed) * _LANE)
    lanes[::_LANE] = packed
    size = COLUMNS * _LANE
    rows = tuple(int.from_bytes(lanes[start : start + size], "little") for start in range(0, len(lanes), size))
    return Weights(rows, scales, biases)


@cache
def shipped() -> Weights:
    """Unpack the weights that come with the package, once a process."""
    from app.domain.gate_weights import BIASES, SCALES, WEIGHTS

    return unpack(base64.b85decode("".join(WEIGHTS.split())), SCALES, BIASES)


def opinion(text: str, read: Read | None = None) -> Opinion:
    """Ask the model about a statement.

    Args:
        text: The statement.
        read: Reads it in full as well; without, its features decide alone.
    """
    features = features_of(text)
    weights = shipped()
    rows = weights.rows
    grams = features.wording | features.shape
    cues = [place_of_cue(cue) for cue in features.cues]
    by_gram = _unpacked(sum(rows[place] for place in grams), len(grams))
    by_cue = _unpacked(sum(rows[place] for place in cues), len(cues))
    gram_share = 1.0 / math.sqrt(max(1, len(grams)))
    cue_share = CUE_WEIGHT / math.sqrt(max(1, len(cues)))
    sums = [
        (by_gram[column] * gram_share + by_cue[column] * cue_share) * weights.scales[column] + weights.biases[column]
        for column in range(COLUMNS)
    ]
    reading = None if read is None else read(text)
    if reading is not None:
        sums = [
            own + READER_SHARE * (other - own)
            for own, other in zip(sums, (*reading.logits, reading.weight), strict=True)
        ]
    logits = sums[: len(CODES)]
    top = max(logits)
    powers = [math.exp(logit - top) for logit in logits]
    total = sum(powers)
    codes = {code: round(power / total, 6) for code, power in zip(CODES, powers, strict=True)}
    worth = round(sum(codes[code] for code in CODES[:WORTHY]), 6)
    for_it = max(range(WORTHY), key=lambda column: logits[column])
    against = max(range(WORTHY, len(CODES)), key=lambda column: logits[column])
    if worth < 0.5:
        for_it, against = against, for_it
    return Opinion(
        worth=worth,
        doubt=round(codes[Code.HEDGED] + codes[Code.HYPOTHETICAL] + codes[Code.QUESTION], 6),
        weight=round(sums[len(CODES)], 3),
        codes=codes,
        why=_why(features, weights, for_it, against, gram_share, cue_share),
        ending=None if reading is None else reading.ending,
    )


def _why(
    features: Features, weights: Weights, for_it: int, against: int, gram_share: float, cue_share: float
) -> tuple[str, ...]:
    """Name the cues, or the wording as a whole, that spoke most for the code that won over the best other one."""
    rows, scales = weights.rows, weights.scales

    def lead(total: int, count: int) -> float:
        sums = _unpacked(total, count)
        return sums[for_it] * scales[for_it] - sums[against] * scales[against]

    said: dict[str, float] = {}
    for cue in features.cues:
        phrase = phrase_of(cue)
        if phrase is not None:
            said[phrase] = said.get(phrase, 0.0) + cue_share * lead(rows[place_of_cue(cue)], 1)
    spoke = sorted(
        (phrase for phrase in said if said[phrase] > 0), key=lambda phrase: (-round(said[phrase], 9), phrase)
    )
    wording = gram_share * lead(sum(rows[place] for place in features.wording), len(features.wording))
    if len(spoke) < _NAMED - 1 or wording > sum(said[phrase] for phrase in spoke):
        spoke = [*spoke[: _NAMED - 1], "its wording"]
    return tuple(spoke[:_NAMED])


def _unpacked(total: int, count: int) -> list[int]:
    """Take the lanes of a sum apart; `count` rows were added, each value raised by an offset."""
    raw = total.to_bytes(COLUMNS * _LANE, "little")
    return [
        int.from_bytes(raw[start : start + _LANE], "little") - count * _OFFSET for start in range(0, len(raw), _LANE)
    ]
