"""Taking back: a statement that a later one of the same speaker calls a joke or a mistake."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from app.domain.attributes import lookup
from app.domain.claim import Candidate, Claim
from app.domain.corrections import corrects_clause, is_sure, joke_of, same_but_a_word
from app.domain.memory import Modality
from app.domain.modality import strip_opening
from app.domain.told import Told

_MEANT: Final = frozenset({Modality.ASSERTED, Modality.HEDGED, Modality.COMMAND})


def revoked(candidate: Candidate) -> Candidate:
    """Mark a statement as taken back by its speaker: nothing of it holds."""
    claim = replace(candidate.claim, modality=Modality.QUOTED, attribute=None, value=None, ended_value=None, ends=False)
    return replace(candidate, content=candidate.quote, claim=claim)


def closing(found: Candidate, wrong: Claim) -> Candidate:
    """Let a correction end what an earlier write may have been told in the wrong words as well."""
    if wrong.value is None or found.claim.value in {None, wrong.value} or wrong.ends:
        return found
    return replace(found, claim=replace(found.claim, ends=True, ended_value=wrong.value))


def settled(quote: str, new: list[Candidate], told: Told) -> list[Candidate]:
    """Take back what a joke or a correction in a full clause speaks against."""
    first, before = new[0], told.sentence
    instead = joke_of(quote)
    if instead is not None:
        true = next((one.claim for one in new if one.claim.attribute is not None), None)
        for one in before:
            if one.claim.modality not in _MEANT:
                continue
            if not instead or (true and (true.subject, true.attribute) == (one.claim.subject, one.claim.attribute)):
                told.revoke(one)
        return new
    claim, known = first.claim, lookup(first.claim.attribute)
    if not told.recent or claim.modality is not Modality.ASSERTED:
        return new
    if not corrects_clause(quote, single=claim.single_valued or bool(known and known.single)):
        return new
    wrong = next((one for one in reversed(told.recent) if _is_put_right(one, first) and not told.is_revoked(one)), None)
    if wrong is None:
        return new
    told.revoke(wrong)
    return [closing(first, wrong.claim), *new[1:]] if is_sure(quote) and not claim.ends else new


def _is_put_right(wrong: Candidate, right: Candidate) -> bool:
    """Tell whether two statements tell the same kind of thing of the same somebody."""
    if wrong.claim.modality is not Modality.ASSERTED or wrong.claim.subject != right.claim.subject:
        return False
    if wrong.claim.attribute is None or right.claim.attribute is None:
        return wrong.claim.attribute == right.claim.attribute and same_but_a_word(
            wrong.words, right.words[strip_opening(right.words) :]
        )
    return wrong.claim.attribute == right.claim.attribute
