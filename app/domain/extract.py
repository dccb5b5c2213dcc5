"""From a message to candidates: statements with their claims and their exact words."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import islice
from typing import Final

from app.domain import dates
from app.domain.attributes import lookup
from app.domain.claim import Candidate, Claim
from app.domain.clauses import FINAL, claim_of, content_of, read_statement
from app.domain.corrections import (
    corrected,
    cuts,
    is_marked_clause,
    is_only_marks,
    is_sure,
    may_mean_another,
    may_open_a_mark,
    names_both,
    tells_kind,
)
from app.domain.disowning import disowned
from app.domain.earlier import Said, last_sentence
from app.domain.foreign import read_foreign
from app.domain.introducing import introduce
from app.domain.items import Spelled, spelled
from app.domain.languages import is_english
from app.domain.lists import itemised
from app.domain.memory import USER_SUBJECT, Kind, Message, Modality, Role
from app.domain.modality import is_said_again, modality_of, strip_opening
from app.domain.openers import exclaims, talk_end
from app.domain.parts import parts_of_sentence
from app.domain.passing import is_wished, told_in_passing
from app.domain.retracting import closing, disowning, putting_right, revoked, settled, without_twice
from app.domain.sentences import Span, sentences
from app.domain.standing import is_standing
from app.domain.tags import without_tag
from app.domain.text import capitalised
from app.domain.told import Told

# ways of saying something with its weight at the end, or its news at the beginning
_REWORDED: Final = (
    (
        re.compile(
            r"(?:what|all|the (?:one )?thing(?: that)?) (?P<who>i|we) (?P<how>(?:really|truly|always|actually) )?"
            r"(?P<verb>want|need|love|hate|like|prefer|enjoy|dislike)(?: most| the most| more than anything)? is"
            r" (?P<what>(?!that\b|when\b|if\b|how\b|for\b)\w.*)",
            re.IGNORECASE,
        ),
        r"\g<who> \g<how>\g<verb> \g<what>",
    ),
    (
        re.compile(
            r"(?P<mine>my|our) (?P<what>[\w -]{2,40}?) (?:(?:has|have|just|recently) )*(?:changed|is new|is "
            r"different(?: now)?)"
            r"(?: to|[,;:.—–-]{1,2} (?:it's|it is|now it's|the new one is)(?: now)?) (?P<new>\S.{0,80}?)(?: now)?",
            re.IGNORECASE,
        ),
        r"\g<mine> \g<what> is \g<new>",
    ),
)
_MEANT: Final = frozenset({Modality.ASSERTED, Modality.COMMAND})
# statements of one message that are read; a page of prose has some forty, and the longest message about five hundred
MAX_STATEMENTS: Final = 800
_CUTS: Final = 3  # places in a sentence that are tried
_FEW: Final = 6  # statements of a text that is taken as it is
_ASKING: Final = frozenset({Modality.QUESTION, Modality.COMMAND, Modality.HEDGED})
_NO_CLAIM: Final = frozenset({Modality.QUESTION, Modality.HYPOTHETICAL, Modality.QUOTED})


def extract(
    message: Message, *, index: int, text: str, subject: str | None = None, told: Told | None = None
) -> list[Candidate]:
    """Take the statements out of a message.

    Args:
        message: The turn; only a user's is cut into statements, any other is one candidate.
        index: Its place in the write.
        text: The screened text.
        subject: Given by the caller: every candidate is about it.
        told: What the speaker told before in the same write; it is carried on.

    Returns:
        At least one candidate for a text that is not blank; quotes are exact spans of `text`. A candidate after
        the first `MAX_STATEMENTS` is the rest of the message, unread.
    """
    if message.role is not Role.USER:
        return [_whole(message, index, text, subject)]
    so_far = told if told is not None else Told()
    so_far.open_message()
    so_far.open_turn(index)
    found: list[Candidate] = []
    for piece in itemised(text, sentences(text)):
        if len(found) >= MAX_STATEMENTS:
            break
        span = piece.span
        if span.code:
            plain = _candidate(message, index, text, span, Claim(subject or USER_SUBJECT, modality=Modality.QUOTED))
            found.append(plain)
            continue
        if piece.leads:
            introduce(span.of(text), so_far)
        said = Spelled(None, piece.governing) if piece.governing is not None else None
        if piece.heading is not None:
            said = spelled(piece.heading, span.of(text))
        again = _put_right(message, index, text, span, subject, so_far) if said is None else None
        if again is not None:
            new = again
        elif said is not None and (said.text is not None or said.governing is not None):
            new = [_clause(message, index, text, span, subject, so_far, said.governing, said.text)]
        else:
            new = [
                _clause(message, index, text, part, subject, so_far, meant)
                for part, meant in parts_of_sentence(text, span)
            ]
        if said is None and again is None:
            new = settled(span.of(text), new, so_far)
            new += _in_passing(message, index, text, span, subject, so_far, new)
        found += new
        if said is None and is_only_marks(span.of(text)):
            so_far.interjected(span.of(text))
        else:
            so_far.said(new)
    found = _with_rest(message, index, text, found, subject)
    meant = [revoked(one) if so_far.is_revoked(one) else one for one in without_twice(found)]
    together = told_of(meant)
    return [replace(one, told=together) for one in meant] or [_whole(message, index, text, subject)]


def _with_rest(message: Message, index: int, text: str, found: list[Candidate], subject: str | None) -> list[Candidate]:
    """Put what is over the number of statements into one last candidate, which is not read."""
    if len(found) < MAX_STATEMENTS:
        return found
    # what is told in passing stands inside another one
    end = max(map(_end, found[:MAX_STATEMENTS]))
    rest = text[end:].strip()
    if not rest:
        return found
    start = text.index(rest, end)
    claim = Claim(subject or USER_SUBJECT, modality=Modality.QUOTED)
    return [*found[:MAX_STATEMENTS], _candidate(message, index, text, Span(start, start + len(rest)), claim)]


def _in_passing(
    message: Message, index: int, text: str, span: Span, subject: str | None, told: Told, around: Sequence[Candidate]
) -> list[Candidate]:
    """Read what a sentence that asks, wants or commands something tells in passing: "Since I'm vegan, what ...?"."""
    if not any(_asks(one) for one in around):
        return []
    start = span.start + strip_opening(span.of(text))
    found: list[Candidate] = []
    for aside in told_in_passing(text[start : span.end]):
        place = Span(start + aside.start, start + aside.end)
        if not any(_asks(one) and one.start <= place.start < one.start + len(one.quote) for one in around):
            continue
        if aside.said is None:
            found += [
                _clause(message, index, text, part, subject, told, m) for part, m in parts_of_sentence(text, place)
            ]
        else:
            found.append(_clause(message, index, text, place, subject, told, None, capitalised(aside.said, like="I")))
    return [one for one in found if one.claim.modality is Modality.ASSERTED]


def _asks(candidate: Candidate) -> bool:
    modality = candidate.claim.modality
    return modality in _ASKING or (modality is Modality.ASSERTED and is_wished(candidate.quote))


def _put_right(
    message: Message, index: int, text: str, span: Span, subject: str | None, told: Told
) -> list[Candidate] | None:
    """Read a sentence that puts something right: what it quotes, what it says itself, or what came before it."""
    found = _disowned(message, index, text, span, subject, told) or _self_corrected(
        message, index, text, span, subject, told
    )
    if found is not None:
        return found
    again = _corrected(message, index, text, span, subject, told)
    return None if again is None else [again]


def _disowned(
    message: Message, index: int, text: str, span: Span, subject: str | None, told: Told
) -> list[Candidate] | None:
    """Read "I said I live in Oslo, but that's wrong": what is quoted is taken back, what is right is told."""
    quote = span.of(text)
    wrong = disowned(quote)
    if wrong is None:
        return None
    said = capitalised(wrong.said, like="I")
    end = span.end if wrong.right is None else span.start + len(quote[: wrong.right].rstrip(" ,;:.—–-"))
    before = _clause(message, index, text, replace(span, end=end), subject, told, None, said)
    if before.claim.modality not in (Modality.ASSERTED, Modality.HEDGED):
        return None
    right: list[Candidate] = []
    if wrong.right is not None:
        rest = replace(span, start=span.start + wrong.right)
        claim = before.claim
        mark = "I meant" if wrong.sure else "Sorry,"
        meant = corrected(f"{mark} {rest.of(text)}", before=said, attribute=claim.attribute, value=claim.value)
        if not meant and not wrong.sure:
            return None
        if meant:
            right = [_clause(message, index, text, rest, subject, told, None, meant[0])]
        else:
            right = [_clause(message, index, text, part, subject, told, m) for part, m in parts_of_sentence(text, rest)]
    return [disowning(before, told), *right]


def _self_corrected(
    message: Message, index: int, text: str, span: Span, subject: str | None, told: Told
) -> list[Candidate] | None:
    """Read a sentence that puts itself right: "My flight is at 9:40, sorry, 9:50"."""
    for left, right in islice(cuts(span.of(text)), _CUTS):
        first, rest = replace(span, end=span.start + left), replace(span, start=span.start + right)
        if may_open_a_mark(first.of(text)):
            continue
        before = [_clause(message, index, text, part, subject, told, m) for part, m in parts_of_sentence(text, first)]
        trial = Told(names=dict(told.names), recent=list(before), sentence=tuple(before))
        again = _corrected(message, index, text, rest, subject, trial)
        new = [again] if again is not None else []
        if again is None:
            new = [_clause(message, index, text, part, subject, trial, m) for part, m in parts_of_sentence(text, rest)]
            new = settled(rest.of(text), new, trial)
        if trial.revoked:
            told.revoked |= trial.revoked
            return [*before, *new]
    return None


def _corrected(
    message: Message, index: int, text: str, span: Span, subject: str | None, told: Told
) -> Candidate | None:
    """Read a sentence as a correction of a statement before it, which is then taken back.

    It is the last one; an earlier one only where what is put right shows its kind and the last has none of that kind.
    """
    quote = told.with_marks(span.of(text))
    if told.answering and not is_sure(quote) and not names_both(quote):
        return None
    for before in reversed(told.recent if tells_kind(quote) else told.recent[-1:]):
        claim = before.claim
        if claim.modality is not Modality.ASSERTED or not told.may_be_put_right(before):
            continue
        spoken = before.words
        if may_mean_another(quote, before=spoken, heard=told.heard):
            continue
        for said in corrected(quote, before=spoken, attribute=claim.attribute, value=claim.value):
            found = _clause(message, index, text, span, subject, told, None, said)
            same = found.claim.attribute == claim.attribute and found.claim.subject == claim.subject
            if not same or found.claim.modality is not Modality.ASSERTED or found.claim.ends:
                continue
            told.revoke(before)
            sure = is_sure(quote) or names_both(quote)
            return putting_right(closing(found, claim) if is_sure(quote) else found, before, sure=sure)
    return None


def recalled(said: Sequence[Said]) -> Told:
    """Let a speaker go on from what they said in earlier writes.

    Args:
        said: The statements of the same talk, oldest first, as `earlier.meant_by` gives them.
    """
    told = Told()
    own = [one for one in said if one.role is Role.USER]
    last = last_sentence(own)
    for place, one in enumerate(said):
        if one.role is Role.ASSISTANT:
            told.hear(one.words or "")
            continue
        again = _read_again(one, place - len(said))
        if not is_only_marks(again.words):
            told.said([again])
    if own and last > 1:
        told.sentence = tuple(told.recent[-last:])
    return told


def _read_again(one: Said, index: int) -> Candidate:
    """Read a statement of an earlier write anew; what it was not read to say then, it does not say now."""
    words = one.words or ""
    message = Message(Role.USER, words, one.at)
    read_so = _clause(message, index, words, Span(0, len(words)), None, Told(), None)
    claim = replace(read_so.claim, subject=one.subject or read_so.claim.subject)
    if one.modality is not Modality.ASSERTED:
        claim = Claim(claim.subject, modality=one.modality)
    return replace(read_so, claim=claim, stored=one.stored)


def told_of(found: Sequence[Candidate]) -> tuple[tuple[str, str], ...]:
    """Give whom and what the statements of a message tell, as far as it is meant.

    Where something is told in passing, that counts, and not the request around it.
    """
    meant = [one for one in found if one.claim.modality in _MEANT]
    around: set[int] = set()
    open_ones: list[int] = []
    for place in sorted(range(len(meant)), key=lambda place: (meant[place].start, -len(meant[place].quote))):
        one = meant[place]
        while open_ones and _end(meant[open_ones[-1]]) < _end(one):
            open_ones.pop()
        if open_ones and len(meant[open_ones[-1]].quote) > len(one.quote):
            around.add(open_ones[-1])
        open_ones.append(place)
    return tuple((one.claim.subject, one.quote) for place, one in enumerate(meant) if place not in around)


def _end(candidate: Candidate) -> int:
    return candidate.start + len(candidate.quote)


def verbatim(
    message: Message,
    *,
    index: int,
    text: str,
    subject: str | None = None,
    kind: Kind | None = None,
    attribute: str | None = None,
) -> Candidate:
    """Take the whole text as one candidate, exactly as it is.

    The claim is parsed when the text is one statement. Of several sentences the modality is
    asserted: only a text that is nothing but one question or one hedge is marked as such.

    Args:
        message: The turn, of any role.
        index: Its place in the write.
        text: The screened text.
        subject: Given by the caller.
        kind: A label of the caller's, else what the wording suggests.
        attribute: A label of the caller's; its value is parsed, or is the text when that is short.
    """
    parts = [part for sentence in sentences(text) for part in parts_of_sentence(text, sentence)]
    claim, found = Claim(subject or USER_SUBJECT), Kind.SEMANTIC
    read_parts = [_clause(message, index, text, part, subject, Told(), modality) for part, modality in parts[:_FEW]]
    told = told_of(read_parts) if len(parts) <= _FEW else ()
    if len(parts) == 1 and not parts[0][0].code:
        single = read_parts[0]
        claim, found = single.claim, single.kind
    if attribute is not None and attribute != claim.attribute:
        known = lookup(attribute)
        bare = FINAL.sub("", text.strip())
        value = claim.value or (bare if known and len(parts) == 1 and len(bare) <= 200 else None)
        claim = replace(claim, attribute=attribute, value=value, single_valued=bool(known and known.single and value))
    return Candidate(text, text, 0, index, message.role, message.occurred_at, claim, kind or found, told=told)


def _candidate(
    message: Message,
    index: int,
    text: str,
    span: Span,
    claim: Claim,
    content: str | None = None,
    kind: Kind = Kind.SEMANTIC,
    spelled_out: str | None = None,
) -> Candidate:
    quote, said = span.of(text), message.occurred_at
    return Candidate(content or quote, quote, span.start, index, message.role, said, claim, kind, spelled_out)


def _whole(message: Message, index: int, text: str, subject: str | None) -> Candidate:
    """Make one candidate of a whole turn."""
    start = len(text) - len(text.lstrip())
    return _candidate(message, index, text, Span(start, start + len(text.strip())), Claim(subject or USER_SUBJECT))


def _clause(
    message: Message,
    index: int,
    text: str,
    span: Span,
    subject: str | None,
    told: Told,
    governing: Modality | None,
    spelled_out: str | None = None,
) -> Candidate:
    """Read one clause into a candidate; `spelled_out` is what it says in full where it borrows words."""
    quote = spelled_out if spelled_out is not None else span.of(text)
    body = quote[strip_opening(quote) :]
    if span.elided:
        body = spelled_out = f"{'i' if text.islower() else 'I'} {body}"
    elif spelled_out is None and (is_said_again(quote) or is_marked_clause(quote)):
        quote = spelled_out = body
    # "So I'm vegan" is weighed, and kept, as what it says; "Oh, I'm jealous" only where that is a claim
    opened = talk_end(quote) if spelled_out is None else 0
    plain = capitalised(quote[opened:], like=quote) if opened else None
    if plain is not None and not exclaims(quote[:opened]):
        quote = spelled_out = plain
    own = modality_of(body)
    modality = governing if governing is not None and own is Modality.ASSERTED else own
    statement = without_tag(FINAL.sub("", " ".join(body.split())))
    about = subject or USER_SUBJECT

    def candidate(claim: Claim, content: str | None = None, kind: Kind = Kind.SEMANTIC) -> Candidate:
        return _candidate(message, index, text, span, claim, content or spelled_out, kind, spelled_out)

    if not is_english(statement):
        spoken = read_foreign(statement) if modality is Modality.ASSERTED else None
        if spoken is None:
            return candidate(Claim(about, modality=modality))
        claim, kind = claim_of(message, statement, spoken, [], about, modality)
        spelled_out = spelled_out or plain
        return candidate(claim, kind=kind)
    reworded = next((pattern.sub(said, statement) for pattern, said in _REWORDED if pattern.fullmatch(statement)), None)
    if reworded is not None and spelled_out is None:
        statement = capitalised(reworded, like=statement)
        quote = spelled_out = statement
    stamps = dates.find(statement, message.occurred_at)
    reading = read_statement(statement, stamps, told.names)
    if reading.attribute is None and not statement.isascii() and modality is Modality.ASSERTED:
        reading = read_foreign(statement) or reading
    if reading.attribute is not None and reading.attribute.name == "preferred_name" and modality is Modality.COMMAND:
        modality = Modality.ASSERTED
    if modality is Modality.COMMAND:
        standing = is_standing(body)
        kind = Kind.PROCEDURAL if standing else Kind.SEMANTIC
        introduce(statement, told)
        return candidate(Claim(about, modality=modality), statement if standing else quote, kind)
    if reading.attribute is not None and plain is not None:
        quote = spelled_out = plain
    told.remember(reading, statement)
    about = subject or reading.subject
    if modality in _NO_CLAIM:
        return candidate(Claim(about, modality=modality))
    claim, kind = claim_of(message, statement, reading, stamps, about, modality)
    return candidate(claim, content_of(statement, quote, reading, claim, kind, stamps, given=subject), kind)
