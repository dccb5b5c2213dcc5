"""The parts of a sentence that say something each, and how the whole binds them."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final

from app.domain.memory import Modality
from app.domain.modality import is_question_opening, is_request, modality_of, strip_opening
from app.domain.sentences import Span, clauses
from app.domain.standing import is_standing
from app.domain.tags import is_tag
from app.domain.text import straight

# what somebody tells after a request
_TOLD_AFTER: Final = re.compile(
    r"(?:,|;|\s[–—-])\s++(?:(?:because|since|as|for|but|and|so) )?"
    r"(?=(?:i|we|she|he) (?!(?:would|could|might|may|should|can|will|want|need|think|guess|mean|hope|was|were)\b)"
    r"|(?:i'm|i've|we're|we've|he's|she's) |(?:my|our) [\w ]{1,40} (?:is|are|has|have|lives|works|can't|cannot)\b)",
    re.IGNORECASE,
)


def parts_of_sentence(text: str, sentence: Span) -> list[tuple[Span, Modality | None]]:
    """Split a sentence, and say which modality of the whole binds its parts.

    A supposition governs the whole sentence, and so does a question, but for the parts before the one with which it
    plainly begins ("I'm allergic to nuts, what can I eat?"). A hedge governs what borrows its subject.
    """
    if sentence.code:
        return [(sentence, None)]
    quote = sentence.of(text)
    whole = modality_of(quote[strip_opening(quote) :])
    parts = [sentence] if whole is Modality.QUOTED else _clauses(text, sentence)
    if whole is Modality.COMMAND and not is_standing(quote):
        parts = _after_request(text, parts)
    parts = _with_tags(text, parts)
    if len(parts) == 1:
        return [(sentence, whole)]
    if whole is Modality.HYPOTHETICAL:
        return [(part, whole) for part in parts]
    if whole is Modality.QUESTION:
        asking = next((place for place, part in enumerate(parts) if place and is_question_opening(part.of(text))), 0)
        return [(part, None if place < asking else whole) for place, part in enumerate(parts)]
    return [(part, whole if whole is Modality.HEDGED and (part.elided or part is parts[0]) else None) for part in parts]


def _with_tags(text: str, parts: list[Span]) -> list[Span]:
    """Leave a tag with the clause before it: "I like tea, I think" tells nothing of thinking."""
    joined: list[Span] = []
    for part in parts:
        if joined and is_tag(part.of(text)):
            joined[-1] = replace(joined[-1], end=part.end)
        else:
            joined.append(part)
    return joined


def _after_request(text: str, parts: list[Span]) -> list[Span]:
    """Cut a request from what is told after it: "Call my wife Anna, she is allergic to nuts"."""
    first, *others = parts
    quote = straight(first.of(text))
    for cut in _TOLD_AFTER.finditer(quote):
        if is_request(quote[: cut.start()]):
            rest = Span(first.start + cut.end(), first.end)
            return [replace(first, end=first.start + cut.start()), *clauses(text, rest), *others]
    return parts


def _clauses(text: str, sentence: Span) -> list[Span]:
    """Split what comes after the opening words; these stay with the first clause."""
    first, *others = clauses(text, replace(sentence, start=sentence.start + strip_opening(sentence.of(text))))
    return [replace(first, start=sentence.start), *others]
