"""Taking back: a statement that a later one of the same speaker calls a joke or a mistake."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from app.domain.attributes import lookup
from app.domain.claim import Candidate, Claim
from app.domain.corrections import corrects_clause, is_sure, joke_of, same_but_a_word
from app.domain.memory import Modality
from app.domain.modality import strip_opening
from app.domain.text import normalise
from app.domain.timeline import value_key
from app.domain.told import Told
from app.domain.withdrawing import withdraws

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
    if withdraws(quote, heard=told.heard):
        return [_taking_back(first, told)]
    quote = told.with_marks(quote)
    instead = joke_of(quote)
    if instead == "" and any(one.stored for one in before):
        return [_taking_back(first, told)]
    if instead is not None:
        true = next((one.claim for one in new if one.claim.attribute is not None), None)
        for one in before:
            if one.claim.modality not in _MEANT:
                continue
            if not instead or (true and (true.subject, true.attribute) == (one.claim.subject, one.claim.attribute)):
                told.revoke(one)
                new = [putting_right(new[0], one), *new[1:]]
        return new
    claim, known = first.claim, lookup(first.claim.attribute)
    if not told.recent or claim.modality is not Modality.ASSERTED or (told.answering and not is_sure(quote)):
        return new
    if not corrects_clause(quote, single=claim.single_valued or bool(known and known.single)):
        return new
    wrong = next(
        (one for one in reversed(told.recent) if _is_put_right(one, first) and told.may_be_put_right(one)), None
    )
    if wrong is None:
        return new
    told.revoke(wrong)
    sure = is_sure(quote)
    right = closing(first, wrong.claim) if sure and not claim.ends else first
    return [putting_right(right, wrong, sure=sure), *new[1:]]


def putting_right(right: Candidate, wrong: Candidate, *, sure: bool = True) -> Candidate:
    """Let a statement take the place of the row that a wrong one of an earlier write made.

    A row that had been said before as well is left to the resolver, unless the words leave no doubt.
    """
    if wrong.stored is None or not (sure or wrong.stored.alone):
        return right
    return replace(right, puts_right=(*right.puts_right, wrong.stored))


def disowning(wrong: Candidate, told: Told) -> Candidate:
    """Take back what a speaker quotes from before as wrong, whenever it was said.

    Args:
        wrong: What is quoted, read as a statement.
        told: What the speaker told so far; what says the same there is taken back as well.
    """
    same = [one for one in told.recent if _says_the_same(one, wrong) and not told.is_revoked(one)]
    for one in same:
        told.revoke(one)
    rows = tuple(one.stored for one in same if one.stored is not None)
    claim = replace(wrong.claim, modality=Modality.QUOTED)
    return replace(wrong, claim=claim, puts_right=rows, takes_back=True)


def _says_the_same(one: Candidate, wrong: Candidate) -> bool:
    left, right = one.claim, wrong.claim
    if left.subject != right.subject or left.positive != right.positive:
        return False
    if left.attribute is None or right.attribute is None:
        return left.attribute == right.attribute and normalise(one.content) == normalise(wrong.content)
    return left.attribute == right.attribute and value_key(left.value) == value_key(right.value)


def without_twice(found: list[Candidate]) -> list[Candidate]:
    """Let what is put right be taken back only once: "Wait, that's wrong. It's 9:50."."""
    right = {row for one in found if not one.takes_back for row in one.puts_right}
    kept: list[Candidate] = []
    for one in found:
        if one.takes_back and right.intersection(one.puts_right):
            left = tuple(row for row in one.puts_right if row not in right)
            kept.append(replace(one, puts_right=left, takes_back=bool(left)))
        else:
            kept.append(one)
    return kept


def _taking_back(candidate: Candidate, told: Told) -> Candidate:
    """Take back the last sentence. Of this write nothing of it is stored; what an earlier one stored is retired."""
    taken = [one for one in told.sentence if one.claim.modality in _MEANT and not told.is_revoked(one)]
    told.withdraw(taken)
    rows = tuple(one.stored for one in taken if one.stored is not None)
    return replace(revoked(candidate), puts_right=rows, takes_back=bool(rows))


def _is_put_right(wrong: Candidate, right: Candidate) -> bool:
    """Tell whether two statements tell the same kind of thing of the same somebody."""
    if wrong.claim.modality is not Modality.ASSERTED or wrong.claim.subject != right.claim.subject:
        return False
    if wrong.claim.attribute is None or right.claim.attribute is None:
        return wrong.claim.attribute == right.claim.attribute and same_but_a_word(
            wrong.words, right.words[strip_opening(right.words) :]
        )
    return wrong.claim.attribute == right.claim.attribute
