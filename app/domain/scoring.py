"""The gate's numbers: importance, confidence and kind, from the claim where one was read, else from the model."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final

from app.domain.attributes import lookup
from app.domain.claim import Candidate
from app.domain.events import SIGNIFICANT
from app.domain.gate_model import Opinion, Read, opinion
from app.domain.languages import ENGLISH_FUNCTION, is_english, look
from app.domain.memory import USER_SUBJECT, Code, Kind, Modality, Reason, Role
from app.domain.secrets import REDACTED
from app.domain.sentences import sentences
from app.domain.text import words
from app.domain.turnover_model import WEIGHED_TONGUES, signal

# languages in the corpus; a statement in another one is weighed by its length alone
TRAINED: Final = frozenset({"en", "de", "fr", "es", "zh"})
KEPT: Final = 0.45
KEPT_LENIENTLY: Final = 0.21
KEPT_UNREAD: Final = 0.3
KEPT_ELSEWHERE: Final = 0.5
KEPT_AS_NEWS: Final = 0.15
"""Worth from which a statement has the importance that the default thresholds ask for.

Leniently: a caller who names whom a write is about (`subject: person:ana`, `client:acme`) keeps a record of them, and
less of it is beside the point than of what a user tells an assistant; and what was said with a hedge is only held, with
a worth that its doubt has lowered already. Unread: English that the model of features alone has weighed. In other
languages that model knows less, and takes all alike but what sounds like news: that may end what is known.
"""
_LIKE_NEWS: Final = 0.5  # log-odds by the phrases of a statement
UNSURE: Final = 0.4
"""Confidence of what was said with a hedge."""
_UNSURE_IMPORTANCE: Final = 6
_LEAST_KEPT: Final = 5
_MAX_SENTENCES: Final = 10
# a claim is worth what its attribute is worth, unless the wording plainly says otherwise
_PLAINLY_WORTHLESS: Final = 0.2
_VITAL: Final = 9
# what is handed over as a fact was chosen by somebody: it needs to be worth less
_HANDED_OVER: Final = 0.1
_INSTRUCTS: Final = 0.4
# least worth of each importance that is not kept, highest first
_LOW: Final = ((0.25, 4), (0.12, 3), (0.04, 2), (0.0, 1))
_OF_THE_USER: Final = re.compile(r"^\s*(?:the )?user\b('s)?", re.IGNORECASE)
_SPEAKER: Final = frozenset({"i", "i've", "i'm", "we", "we've", "my", "our"})
# who has decided says so, also of what will not be
_DECIDED: Final = re.compile(
    r"\b(?:i|we)(?:'ve| have)? (?:(?:just|finally|now) )?(?:decided|gave up on|(?:made up|changed) (?:my|our) mind)",
    re.IGNORECASE,
)
_GENERAL: Final[Mapping[Code, str]] = {
    Code.DURABLE_FACT: "tells a fact that may last",
    Code.PREFERENCE: "tells a taste",
    Code.EVENT: "tells of an event",
    Code.INSTRUCTION: "says how the user wants things done",
}
_DROPPED: Final = frozenset({Code.SMALL_TALK, Code.EPHEMERAL})


@dataclass(frozen=True, slots=True)
class Score:
    """Importance 1..10, confidence 0..1, kind, why, and the features that they came from.

    `refusal` is the code to use when the importance is too low, `why` the words for what decided.
    """

    importance: int
    confidence: float
    reasons: tuple[Reason, ...]
    features: Mapping[str, float | str | bool] = field(default_factory=lambda: MappingProxyType({}))
    kind: Kind = Kind.SEMANTIC
    worth: float = 0.0
    refusal: Code = Code.LOW_IMPORTANCE
    why: str = ""


def score(
    candidate: Candidate,
    *,
    infer: bool,
    kind_hint: Kind | None = None,
    read: Read | None = None,
    of_somebody: bool = False,
) -> Score:
    """Weigh a candidate.

    Args:
        candidate: The statement with its claim.
        infer: Whether it was found in a turn; a text taken as it is may have several sentences.
        kind_hint: The caller's label, when the text is taken as it is.
        read: Reads English in full; what no verdict can hang on is not read.
        of_somebody: Whether the caller names somebody or something that the write is about.
    """
    claim = candidate.claim
    language = "en" if is_english(candidate.words) else look(candidate.words).code
    if language != "en" or not _may_matter(candidate, infer=infer):
        read = None
    found = _opinion(candidate.words, infer=infer, read=read) if language in TRAINED else None
    kind = _kind(candidate, found, kind_hint if not infer else None)
    lenient = of_somebody or claim.modality is Modality.HEDGED
    kept = KEPT_ELSEWHERE
    if language in WEIGHED_TONGUES and signal(candidate.words, language) >= _LIKE_NEWS:
        kept = KEPT_AS_NEWS
    if language == "en":
        kept = KEPT_LENIENTLY if lenient else KEPT if _was_read(found) else KEPT_UNREAD
    importance, confidence, reason = _weigh(candidate, kind, found, kept=kept, infer=infer)
    attribute = lookup(claim.attribute)
    if claim.modality is Modality.HEDGED:
        # the doubt is in the confidence; readers of hedged statements take it off the importance as well
        hedged = importance + 1 if _was_read(found) and importance >= _LEAST_KEPT else importance
        importance, confidence, reason = min(hedged, _UNSURE_IMPORTANCE), UNSURE, None
    if claim.subject not in {USER_SUBJECT, "assistant"}:
        unknown = claim.subject == "person:unknown"
        importance, confidence = min(importance, 7 if importance >= 9 else 6), min(confidence, 0.5 if unknown else 0.9)
        reason = None
    features: dict[str, float | str | bool] = {
        "language": language,
        "attribute": attribute.name if attribute else ("derived" if claim.attribute else "none"),
        "kind": str(kind),
        "importance": float(importance),
        "confidence": confidence,
    }
    if found is not None:
        features |= {
            "worth": found.worth,
            "doubt": found.doubt,
            "weight": found.weight,
            "why": "; ".join(found.why),
        }
        if found.ending is not None:
            features["ending"] = found.ending
    return Score(
        importance,
        confidence,
        (reason,) if reason else (),
        MappingProxyType(features),
        kind=kind,
        worth=found.worth if found else 0.5,
        refusal=_refusal(found),
        why=", ".join(found.why) if found else "a statement in its own language",
    )


def _was_read(found: Opinion | None) -> bool:
    """Tell whether the reader has read a statement in full."""
    return found is not None and found.ending is not None


def _may_matter(candidate: Candidate, *, infer: bool) -> bool:
    """Tell whether a verdict may hang on what the statement is worth: by its speaker and its modality."""
    if infer and candidate.role is not Role.USER:
        return False
    return candidate.claim.modality not in {Modality.QUESTION, Modality.HYPOTHETICAL, Modality.QUOTED}


def _opinion(text: str, *, infer: bool, read: Read | None) -> Opinion:
    """Ask the model; of several sentences the worthiest counts."""
    spans = sentences(text)[:_MAX_SENTENCES] if not infer else []
    parts = [span.of(text) for span in spans] if len(spans) > 1 else [text]
    return max((opinion(_first_person(part), read) for part in parts), key=lambda found: found.worth)


def _first_person(text: str) -> str:
    """Let a report about the user read as the user's own words, which is what the model knows."""
    return _OF_THE_USER.sub(lambda found: "my" if found[1] else "I", text)


def _kind(candidate: Candidate, found: Opinion | None, label: Kind | None) -> Kind:
    """Choose the kind: the caller's label, what was read for certain, else what the model says."""
    if label is not None:
        return label
    claim = candidate.claim
    certain = candidate.kind is Kind.PROCEDURAL or claim.attribute is not None or claim.modality is Modality.HEDGED
    if found is None or certain or candidate.role is not Role.USER:
        return candidate.kind
    if found.codes[Code.INSTRUCTION] >= _INSTRUCTS and claim.subject == USER_SUBJECT:
        return Kind.PROCEDURAL
    if found.kind is Kind.PROCEDURAL or candidate.kind is Kind.EPISODIC:
        return candidate.kind
    return found.kind


def _refusal(found: Opinion | None) -> Code:
    if found is not None and found.refusal in _DROPPED and found.codes[found.refusal] >= 0.5:
        return found.refusal
    return Code.LOW_IMPORTANCE


def _weigh(
    candidate: Candidate, kind: Kind, found: Opinion | None, *, kept: float, infer: bool
) -> tuple[int, float, Reason | None]:
    claim = candidate.claim
    attribute = lookup(claim.attribute)
    if kind is Kind.PROCEDURAL and (candidate.kind is Kind.PROCEDURAL or found is None):
        return 7, 0.9, Reason(Code.INSTRUCTION, _because("says how the user wants things done", found))
    if claim.attribute is not None:
        importance = attribute.importance if attribute else 7
        if found is not None and not claim.ends and _is_no_claim(found, vital=importance >= _VITAL):
            return _importance(found, kept), 0.9, None
        if claim.ends and claim.value is None:
            return max(5, importance - 1), 0.95, Reason(Code.EXPLICIT_ENDING, f"{claim.attribute} came to an end")
        if claim.attribute in {"likes", "prefers"}:
            return importance, 0.95, Reason(Code.PREFERENCE, _because(f"tells a taste: {claim.attribute}", found))
        return importance, 0.95, Reason(Code.DURABLE_FACT, _because(f"tells a lasting fact: {claim.attribute}", found))
    if found is None:
        # another language: what has something in it is kept, and nothing is dropped for want of word lists
        tongue = look(candidate.words)
        worth = 6 if (tongue.first_person and tongue.content >= 2) or tongue.content >= 3 else 4
        return worth, 0.75, Reason(Code.DURABLE_FACT, "a statement in its own language")
    code = _code(kind, found)
    confidence = round(min(0.95, 1.0 - found.doubt), 2)
    if _DECIDED.search(candidate.words):
        confidence = max(confidence, 0.8)
    weighty = SIGNIFICANT.search(candidate.words) is not None and any(t in _SPEAKER for t in words(candidate.words))
    if candidate.kind is Kind.EPISODIC and (weighty or found.worth >= kept):
        # an event with its time, read by rule
        least = 6 if weighty or claim.valid_from else 5
        return max(least, _importance(found, kept)), 0.9, Reason(code, _because(_GENERAL[code], found))
    if _is_bare(candidate.words):
        return 2, confidence, None
    if not infer and found.worth >= _HANDED_OVER:
        return max(5, _importance(found, kept)), max(confidence, 0.8), Reason(code, _because(_GENERAL[code], found))
    return _importance(found, kept), confidence, Reason(code, _because(_GENERAL[code], found))


def _is_no_claim(found: Opinion, *, vital: bool) -> bool:
    """Tell whether the wording makes nothing of a claim; where health is at stake only a joke does."""
    joking = max(found.codes, key=lambda code: found.codes[code]) is Code.HYPOTHETICAL
    return found.worth < _PLAINLY_WORTHLESS and (joking or not vital)


def _code(kind: Kind, found: Opinion) -> Code:
    if kind is Kind.SEMANTIC:
        return Code.PREFERENCE if found.acceptance is Code.PREFERENCE else Code.DURABLE_FACT
    return Code.EVENT if kind is Kind.EPISODIC else Code.INSTRUCTION


def _is_bare(text: str) -> bool:
    """Tell whether nothing is said: numbers alone, or a redacted secret with its name."""
    tokens = [token for token in words(text) if any(char.isalpha() for char in token)]
    if REDACTED not in text:
        return not tokens
    secret = set(words(REDACTED))
    return sum(token not in ENGLISH_FUNCTION and token not in secret for token in tokens) < 2


def _because(told: str, found: Opinion | None) -> str:
    return f"{told}: {', '.join(found.why)}" if found is not None and found.why else told


def _importance(found: Opinion, kept: float) -> int:
    """Turn worth and weight into an importance."""
    if found.worth >= kept:
        return min(10, max(5, round(found.weight)))
    return next(importance for least, importance in _LOW if found.worth >= least)
