"""Of two verdicts on the same words the stricter one wins."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from app.domain.gate import GateVerdict
from app.domain.memory import Code, Kind, Reason, Threshold, Verdict

OPEN: Final = frozenset({Verdict.KEEP, Verdict.HOLD})
"""What another verdict can still make stricter."""
# what was done to the text is told with every verdict
_NOTES: Final = frozenset({Code.SECRET_REDACTED, Code.RECALLED_CONTEXT, Code.NON_TEXT_PART})


def lowered(
    verdict: GateVerdict,
    importance: int | None,
    confidence: float | None,
    *,
    thresholds: Mapping[Kind, Threshold],
    by: str,
) -> GateVerdict:
    """Take the lower numbers, and what the thresholds say to them; a verdict never becomes milder.

    Args:
        verdict: Of the rules.
        importance: Another one, None for none.
        confidence: Another one, None for none.
        thresholds: The tenant's thresholds per kind.
        by: Whose numbers the others are, for the reason.
    """
    worth = min(value for value in (verdict.importance, importance, 10) if value is not None)
    sure = min(value for value in (verdict.confidence, confidence, 1.0) if value is not None)
    lower = replace(verdict, importance=worth, confidence=sure)
    least = thresholds.get(verdict.kind or Kind.SEMANTIC, Threshold())
    notes = tuple(note for note in verdict.reasons if note.code in _NOTES)
    if verdict.decision in OPEN and worth < least.importance:
        reason = Reason(Code.LOW_IMPORTANCE, f"{by} importance {worth}, {least.importance} is needed")
        return replace(lower, decision=Verdict.DROP, reasons=(reason, *notes))
    if verdict.decision is Verdict.KEEP and sure < least.confidence:
        reason = Reason(Code.LOW_CONFIDENCE, f"{by} confidence {sure:g}, {least.confidence:g} is needed")
        return replace(lower, decision=Verdict.HOLD, reasons=(reason, *notes))
    return lower
