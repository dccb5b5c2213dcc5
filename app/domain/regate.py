"""Replaying the gate: which past decisions would be others under other thresholds? From numbers alone, without text."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from app.domain.gate import weigh
from app.domain.memory import Kind, Threshold, Verdict

# before decisions were marked, these codes told that the thresholds had the last word
_WEIGHED: Final = frozenset(
    {"low_importance", "low_confidence", "hedged", "durable_fact", "preference", "event", "instruction"}
    | {"explicit_ending", "third_party"}
)


@dataclass(frozen=True, slots=True)
class Wish:
    """Other thresholds; None leaves what stood at the time. `kind` restricts them to one kind."""

    importance: int | None = None
    confidence: float | None = None
    kind: Kind | None = None

    def over(self, least: Threshold, kind: Kind) -> Threshold:
        """Put the wished thresholds over those that stood."""
        if self.kind not in (None, kind):
            return least
        return replace(
            least,
            importance=least.importance if self.importance is None else self.importance,
            confidence=least.confidence if self.confidence is None else self.confidence,
        )


@dataclass(frozen=True, slots=True)
class Again:
    """A past decision and the one that would be made now; `by_rule` if no threshold had a say in it."""

    before: Verdict
    after: Verdict
    reason: str
    kind: str
    by_rule: bool


def again(body: Mapping[str, Any], wish: Wish) -> Again:
    """Decide anew on a statement.

    What a rule decided (a role, a question, an injection, a limit) no threshold changes. Whatever the thresholds of
    its day do not give again counts as decided by rule, too.

    Args:
        body: A write's entry in the ledger: codes, features and numbers.
        wish: The thresholds to try.
    """
    before = Verdict(body["decision"])
    reasons = body.get("verdict_reasons") or ["none"]
    features = body.get("features") or {}
    kind = Kind(features.get("kind") or body.get("kind") or Kind.SEMANTIC)
    importance, confidence = body.get("importance"), body.get("confidence")
    weighed = bool(features.get("weighed", reasons[0] in _WEIGHED)) and not body.get("forced")
    if weighed and importance is not None and confidence is not None:
        stood = _stood(body, kind)
        if weigh(importance, confidence, stood) is before:
            after = weigh(importance, confidence, wish.over(stood, kind))
            return Again(before, after, str(reasons[0]), str(kind), by_rule=False)
    return Again(before, before, str(reasons[0]), str(kind), by_rule=True)


def _stood(body: Mapping[str, Any], kind: Kind) -> Threshold:
    values = (body.get("thresholds") or {}).get(str(kind), {})
    return replace(Threshold(), **values)
