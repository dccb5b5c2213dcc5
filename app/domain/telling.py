"""What a message tells, as far as it may make a stored statement untrue; see `turnover`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from app.domain.changes import Marked
from app.domain.claim import Claim
from app.domain.languages import language_of
from app.domain.memory import Modality
from app.domain.turnover_model import ENGLISH, WEIGHED_TONGUES, signal
from app.domain.whose import lead

LEAST_ENDING: Final = -4.5
"""A message that the reader takes less for an end than this ends nothing by likeness: its rows are not looked for."""
LEAST_SIGNAL: Final = -2.0
"""So does a message in another language that sounds less like news than this: log-odds by its phrases."""
_LONGEST: Final = 600  # characters


@dataclass(frozen=True, slots=True)
class Said:
    """A statement of a message, with what it marks as changed.

    `ending` is what the gate's reader says: the log-odds that it ends something. None where it was not read.
    """

    claim: Claim
    marked: Marked | None
    ending: float | None = None


@dataclass(frozen=True, slots=True)
class Telling:
    """All that a message states."""

    words: str
    said: tuple[Said, ...]
    signal: float
    ending: float
    lead: str | None
    tongue: str = ENGLISH

    @classmethod
    def of(cls, said: Sequence[Said], told: Sequence[tuple[str, str]], tongue: str = ENGLISH) -> Telling | None:
        """Read a message from its statements and the words of its clauses; None when it cannot tell of an end.

        What the reader has not read is English that states nothing; in another language a statement is needed.
        """
        endings = [one.ending for one in said if one.ending is not None]
        if tongue == ENGLISH and not endings:
            return None
        if tongue != ENGLISH and all(one.claim.modality is not Modality.ASSERTED for one in said):
            return None
        words = _words_of(told)
        return cls(words, tuple(said), signal(words, tongue), max(endings, default=0.0), lead(words), tongue)

    @classmethod
    def of_news(cls, said: Sequence[Said], told: Sequence[tuple[str, str]]) -> Telling | None:
        """Read a message; None when it is long, in a language without weights, not read, or too little of an end."""
        words = _words_of(told)
        if len(words) > _LONGEST:
            return None
        tongue = language_of(words)
        if tongue == ENGLISH:
            telling = cls.of(said, told)
            return telling if telling is not None and telling.ending >= LEAST_ENDING else None
        telling = cls.of(said, told, tongue) if tongue in WEIGHED_TONGUES else None
        return telling if telling is not None and telling.signal >= LEAST_SIGNAL else None


def _words_of(told: Sequence[tuple[str, str]]) -> str:
    return " ".join(clause for _, clause in told)
