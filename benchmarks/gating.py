"""Asking the gate itself, in process: verdicts of turns, and of the own corpus with a domain left out."""

from __future__ import annotations

import hashlib
import importlib
import math
import os
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

from app.domain import gate_model
from app.domain.commands import WriteCommand
from app.domain.gate import GateVerdict
from app.domain.gate_model import Read, Reading
from app.domain.intake import consider
from app.domain.memory import Message, Role, Verdict, default_thresholds
from app.providers.reader import bundled_reader

ROOT: Final = Path(__file__).resolve().parents[1]
LEFT_OUT: Final = ROOT / "training" / "left_out.txt"
"""A line each: fold, key of the text, then the reading in hundredths."""
SAID_AT: Final = datetime(2025, 6, 3, 9, 12, tzinfo=UTC)
KEEP, HOLD, DROP = "keep", "hold", "drop"


@dataclass(frozen=True, slots=True)
class Judged:
    """What the gate made of one message: of its best statement, and of the message as a whole."""

    decision: str
    kind: str | None
    importance: int
    worth: float
    confidence: float
    chance: float
    """That at least one statement is worth keeping. What a rule refuses has next to none."""

    @property
    def rank(self) -> float:
        """The importance of the best statement, then its worth."""
        return self.importance + min(0.999, self.worth)


def verdicts(
    text: str, *, name: str | None = None, at: datetime | None = None, read: Read | None = None
) -> list[GateVerdict]:
    """Judge a user's message as a write would, with the default thresholds and the given reader."""
    said = at or SAID_AT
    command = WriteCommand(messages=(Message(Role.USER, text, said, name=name),), received_at=said)
    return [offer.verdict for offer in consider(command, thresholds=default_thresholds(), read=read)]


def judged(text: str, *, name: str | None = None, at: datetime | None = None, read: Read | None = None) -> Judged:
    """Judge a user's message and sum it up; by the bundled reader, if none is given."""
    found = verdicts(text, name=name, at=at, read=read or bundled_reader().read)
    decisions = {verdict.decision for verdict in found}
    decision = KEEP if Verdict.KEEP in decisions else HOLD if Verdict.HOLD in decisions else DROP
    best = max(found, key=lambda verdict: (str(verdict.decision) == decision, verdict.importance or 0, _worth(verdict)))
    top = max(found, key=lambda verdict: ((verdict.importance or 0), _worth(verdict)))
    return Judged(
        decision=decision,
        kind=None if best.kind is None else str(best.kind),
        importance=top.importance or 0,
        worth=_worth(top),
        confidence=best.confidence or 0.0,
        chance=_chance(found),
    )


def _chance(found: Sequence[GateVerdict]) -> float:
    """Take the statements of a message together: the worth that their verdicts carry, as independent chances."""
    weighed = math.prod(1.0 - _worth(one) for one in found if one.features.get("weighed"))
    refused = math.prod(1.0 - _worth(one) for one in found if not one.features.get("weighed"))
    return (1.0 - weighed) + weighed * (1.0 - refused) / 1000


def _worth(verdict: GateVerdict) -> float:
    return float(verdict.features.get("worth", 0.5)) if verdict.features else 0.0


@lru_cache(maxsize=1)
def trainer() -> Any:
    """Load training/train_gate.py; it is a script beside the package."""
    folder = str(ROOT / "training")
    if folder not in sys.path:
        sys.path.insert(0, folder)
    return importlib.import_module("train_gate")


class LeftOut:
    """What readers that have not seen a fold made of its sentences."""

    def __init__(self, fold: str) -> None:
        """Take the readings of one fold: a domain of the gate's corpus, or a fifth of the lives."""
        self._known: dict[str, Reading] = {}
        places = len(gate_model.CODES)
        for line in LEFT_OUT.read_text("utf-8").splitlines():
            of, key, *hundredths = line.split("\t")
            if of == fold:
                values = [int(value) / 100 for value in hundredths]
                self._known[key] = Reading(tuple(values[:places]), *values[places:])

    def read(self, text: str) -> Reading | None:
        """Give the reading; None for a text that was not asked about."""
        return self._known.get(key_of(text))


def key_of(text: str) -> str:
    """Give the key of a text among the readings."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def left_out(domains: Sequence[str]) -> Iterator[tuple[int, Judged]]:
    """Judge each statement of the own corpus by a model that has not seen its domain; gives (place, verdict)."""
    with ProcessPoolExecutor(max(1, min(len(domains), os.cpu_count() or 1))) as workers:
        for found in workers.map(_fold, domains):
            yield from found


def _fold(domain: str) -> list[tuple[int, Judged]]:
    training = trainer()
    lines = training.read_corpus()
    weights = gate_model.unpack(*training.fit([line for line in lines if line.domain != domain]))
    shipped = gate_model.shipped
    gate_model.shipped = lambda: weights  # type: ignore[assignment]  # this process asks nothing else meanwhile
    try:
        read = LeftOut(domain).read
        return [(place, judged(line.text, read=read)) for place, line in enumerate(lines) if line.domain == domain]
    finally:
        gate_model.shipped = shipped
