"""What goes to a model, and what comes back, as plain values."""

from __future__ import annotations

from dataclasses import dataclass

from app.domain.memory import Kind


@dataclass(frozen=True, slots=True)
class Turn:
    """A user's message as the model gets it; `number` is the message's index in the write."""

    number: int
    text: str


@dataclass(frozen=True, slots=True)
class Proposal:
    """A statement as a model gave it, unchecked. None where it gave nothing usable."""

    quote: str
    content: str
    message: int | None = None
    speaker: str | None = None
    kind: Kind | None = None
    importance: int | None = None
    confidence: float | None = None
