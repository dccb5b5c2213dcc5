"""The gate: one question, will this improve a future conversation?

Deterministic: the verdict depends on the text, the claim, the role and the trust, and on nothing
else: the reader, if there is one, is a function of the text, too. The first rule that speaks
decides; each verdict carries its reasons.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final

from app.domain.claim import Candidate
from app.domain.gate_model import Read
from app.domain.memory import USER_SUBJECT, Code, Kind, Modality, Reason, Role, Threshold, Verdict
from app.domain.noise import noise_of
from app.domain.scoring import Score, score
from app.domain.screen import Screened
from app.domain.trust import may_instruct

POLICY: Final = "gate-1"
Feature = float | str | bool

# what a non-asserted statement can be worth at most, when it is stored all the same
_CAPS: Final[Mapping[Modality, float]] = {
    Modality.HEDGED: 0.4,
    Modality.HYPOTHETICAL: 0.2,
    Modality.QUESTION: 0.2,
    Modality.QUOTED: 0.3,
}
# what others say about the user counts like a hedge, however plainly they put it
_SECOND_HAND: Final = 0.4
_REFUSED: Final[Mapping[Modality, tuple[Code, str]]] = {
    Modality.QUESTION: (Code.QUESTION, "asks, does not tell"),
    Modality.HYPOTHETICAL: (Code.HYPOTHETICAL, "a supposition, not a fact"),
    Modality.QUOTED: (Code.HYPOTHETICAL, "quoted or taken back, fiction or code: not the speaker's own statement"),
}
# a worth from which a statement is kept although it looks like a passing one
_OUTWEIGHS: Final = 0.6
_OUTWEIGHS_UNREAD: Final = 0.8
_FORCED_IMPORTANCE: Final[Mapping[Kind, int]] = {Kind.PROCEDURAL: 7, Kind.SEMANTIC: 5, Kind.EPISODIC: 5}


@dataclass(frozen=True, slots=True)
class GateVerdict:
    """The gate's decision. Numbers are None only when the screen stopped the text.

    `features` holds names and numbers for the ledger, never words of the text.
    """

    decision: Verdict
    kind: Kind | None
    importance: int | None
    confidence: float | None
    reasons: tuple[Reason, ...]
    features: Mapping[str, Feature] = field(default_factory=lambda: MappingProxyType({}))


def judge(
    candidate: Candidate,
    *,
    screened: Screened,
    trust: int | None,
    thresholds: Mapping[Kind, Threshold],
    infer: bool,
    forced: bool = False,
    kind_hint: Kind | None = None,
    attribute_hint: str | None = None,
    importance: int | None = None,
    asked_next: bool = False,
    asked: bool = False,
    read: Read | None = None,
    of_somebody: bool = False,
) -> GateVerdict:
    """Decide on one candidate.

    The order: screen, injection, role, modality, small talk and noise, hints, trust, thresholds.
    With `forced` the thresholds are waived and nothing else: the screen, injections and trust
    apply as always. Modality then caps the confidence instead of refusing, so that a question
    stored by force is kept as what it is: something of which little is known.

    Args:
        candidate: The statement with its claim.
        screened: What the screen said of its message.
        trust: By role and source; None makes no memory.
        thresholds: The least importance and confidence, per kind.
        infer: Whether the candidate was found in a turn; False for a text taken as it is.
        forced: Waive the thresholds.
        kind_hint: When inferring, only this kind passes; else the label of the memory.
        attribute_hint: When inferring, only this attribute passes.
        importance: Instead of the gate's own, only with `forced`.
        asked_next: Whether a question follows in the same message; what only leads up to it goes with it.
        asked: Whether there is a question anywhere in the message; an order beside it shapes that answer only.
        read: Reads English in full; without, the features of the text decide alone.
        of_somebody: Whether the caller names somebody or something that the write is about.
    """
    if screened.rejected is not None:
        return GateVerdict(Verdict.DROP, None, None, None, (screened.rejected,))
    # what may not instruct is not read: its surroundings, written by others, must not make a fact of an instruction
    trusted = trust is not None and may_instruct(Kind.PROCEDURAL, trust)
    read = read if trusted else None
    scored = score(candidate, infer=infer, kind_hint=kind_hint, read=read, of_somebody=of_somebody)
    kind = scored.kind
    features = _features(candidate, trust, infer=infer, forced=forced, of_somebody=of_somebody, scored=scored)

    def verdict(decision: Verdict, *reasons: Reason, kind: Kind | None = kind, scored: Score = scored) -> GateVerdict:
        return GateVerdict(decision, kind, scored.importance, scored.confidence, (*reasons, *screened.notes), features)

    def refuse(code: Code, detail: str) -> GateVerdict:
        return verdict(Verdict.DROP, Reason(code, detail), kind=None, scored=Score(1, 0.99, ()))

    if trust is None or candidate.role is Role.SYSTEM:
        return refuse(Code.ROLE_SYSTEM, "system text makes no memory")
    if screened.injection is not None:
        return verdict(Verdict.QUARANTINE, screened.injection)
    if infer and candidate.role is Role.ASSISTANT:
        return refuse(Code.ASSISTANT_ECHO, "assistant turns make no user facts")
    if infer and candidate.role is Role.TOOL:
        return refuse(Code.ROLE_SYSTEM, "tool output makes no user facts")
    modality = candidate.claim.modality
    if candidate.takes_back:
        return verdict(Verdict.KEEP, Reason(Code.CORRECTED, "takes back what was said before"))
    if not forced:
        noise = noise_of(candidate, asked_next=asked_next)
        standing = kind is Kind.PROCEDURAL and (candidate.kind is Kind.PROCEDURAL or not asked)
        least_worth = _OUTWEIGHS if "ending" in scored.features else _OUTWEIGHS_UNREAD
        outweighed = standing if modality is Modality.COMMAND else scored.worth >= least_worth
        if noise is not None and (noise.plain or not outweighed):
            return refuse(noise.reason.code, noise.reason.detail)
        if modality in _REFUSED:
            code, detail = _REFUSED[modality]
            return verdict(
                Verdict.DROP, Reason(code, detail), kind=None, scored=Score(min(scored.importance, 3), 0.9, ())
            )
    if infer:
        outside = _outside(candidate, kind, kind_hint, attribute_hint)
        if outside is not None:
            return verdict(Verdict.DROP, outside)
    if not may_instruct(kind, trust):
        return verdict(Verdict.HOLD, Reason(Code.PROCEDURAL_UNTRUSTED, "instructions need the user's own word"))
    if forced:
        chosen = importance if importance is not None else max(scored.importance, _FORCED_IMPORTANCE[kind])
        capped = min(scored.confidence, _CAPS.get(modality, 1.0), 1.0 if candidate.role is Role.USER else _SECOND_HAND)
        return verdict(
            Verdict.KEEP, Reason(Code.FORCED, "thresholds waived"), *_party(candidate), scored=Score(chosen, capped, ())
        )
    hedged = modality is Modality.HEDGED
    features = MappingProxyType({**features, "weighed": True})
    least = thresholds.get(kind, Threshold())
    decision = weigh(scored.importance, scored.confidence, least)
    if decision is Verdict.DROP:
        needed = f"importance {scored.importance} of {least.importance} needed: {scored.why}"
        return verdict(decision, Reason(scored.refusal, needed))
    if decision is Verdict.HOLD and hedged:
        return verdict(decision, Reason(Code.HEDGED, "kept aside until confirmed"))
    if decision is Verdict.HOLD:
        needed = f"confidence {scored.confidence:g} of {least.confidence:g} needed"
        return verdict(decision, Reason(Code.LOW_CONFIDENCE, needed))
    return verdict(decision, *scored.reasons, *_party(candidate))


def weigh(importance: int, confidence: float, least: Threshold) -> Verdict:
    """Compare a candidate's numbers with what its kind needs; nothing else decides once the rules have let it pass."""
    if importance < least.importance:
        return Verdict.DROP
    return Verdict.HOLD if confidence < least.confidence else Verdict.KEEP


def _outside(candidate: Candidate, kind: Kind, asked: Kind | None, attribute: str | None) -> Reason | None:
    if asked is not None and kind is not asked:
        return Reason(Code.OUTSIDE_HINT, f"is {kind}, only {asked} was asked for")
    if attribute is not None and candidate.claim.attribute != attribute:
        return Reason(Code.OUTSIDE_HINT, f"not about {attribute}")
    return None


def _party(candidate: Candidate) -> tuple[Reason, ...]:
    if candidate.claim.subject in {USER_SUBJECT, "assistant"}:
        return ()
    return (Reason(Code.THIRD_PARTY, "kept under its own subject"),)


def _features(
    candidate: Candidate, trust: int | None, *, infer: bool, forced: bool, of_somebody: bool, scored: Score
) -> Mapping[str, Feature]:
    claim = candidate.claim
    return MappingProxyType(
        {
            "role": str(candidate.role),
            "trust": -1.0 if trust is None else float(trust),
            "modality": str(claim.modality),
            "third_party": bool(_party(candidate)),
            "claim": claim.attribute is not None,
            "ends": claim.ends,
            "infer": infer,
            "forced": forced,
            "of_somebody": of_somebody,
            **dict(scored.features),
        }
    )
