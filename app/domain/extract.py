"""From a message to candidates: statements with their claims and their exact words."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import islice
from typing import Final

from app.domain import dates
from app.domain.attributes import lookup
from app.domain.claim import Candidate, Claim
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
from app.domain.events import event_of
from app.domain.foreign import read_foreign
from app.domain.frames import read, read_bare
from app.domain.introducing import introduce
from app.domain.items import Spelled, spelled
from app.domain.languages import has_emoji, is_english
from app.domain.lists import itemised
from app.domain.memory import USER_SUBJECT, Kind, Message, Modality, Role
from app.domain.modality import is_said_again, modality_of, strip_opening
from app.domain.openers import exclaims, talk_end
from app.domain.parts import parts_of_sentence
from app.domain.reading import Reading
from app.domain.retracting import closing, disowning, putting_right, revoked, settled, without_twice
from app.domain.secrets import REDACTED
from app.domain.sentences import Span, sentences
from app.domain.standing import is_standing
from app.domain.tags import without_tag
from app.domain.text import capitalised
from app.domain.told import Told
from app.domain.voice import third_person

_FINAL: Final = re.compile(r"(?<![\s.!…])[\s.!…]++\Z")
_BARE_FACT: Final = re.compile(r"(?:[A-Za-z][a-z]+s|Is|Has|Does|Never|Always|Allergic|No longer)\b \S")
_UNTIL: Final = re.compile(r"(?:until|till|through|by the end of)\b", re.IGNORECASE)
# a stay is no move: what holds for a named short time only
_STAY: Final = re.compile(r"\b(?:am|'m|is|are|'re|staying|stay|living|live) (?:\w+ )?(?:in|at|on)\b", re.IGNORECASE)
_SHORT: Final = re.compile(
    r"(?:this|next|last) (?:week|weekend|month)|today|tonight|tomorrow|yesterday|this \w+|on \w+day", re.IGNORECASE
)
_FOR_A_WHILE: Final = re.compile(
    r"\bfor (?:the|a|two|three|four|\d+|this) (?:few )?(?:days?|nights?|weeks?|months?|summer"
    r"|winter|spring|autumn|fall|semester|term|season|holidays?|weekend)\b",
    re.IGNORECASE,
)
_STATED: Final = re.compile(r"(?:since|as of|from|until|till|by)\b", re.IGNORECASE)
# "I quit two years ago" names no thing that came to an end
_A_TIME: Final = re.compile(
    r"(?:(?:about|around|almost|over|nearly|some|like) )?(?:an?|\d+|one|two|three|four|five|six|seven"
    r"|eight|nine|ten|a few"
    r"|a couple of|several|many|last|this|next) (?:\w+ )?(?:days?|weeks?|months?|years?|decades?|night|spring|summer"
    r"|autumn|fall|winter|january|february|march|april|may|june|july|august|september|october|november|december)"
    r"(?: ago)?|yesterday|today|recently|cold turkey|for good|completely|(?:in|since) \d{4}",
    re.IGNORECASE,
)
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
    last = found[MAX_STATEMENTS - 1]
    end = last.start + len(last.quote)
    rest = text[end:].strip()
    if not rest:
        return found
    start = text.index(rest, end)
    claim = Claim(subject or USER_SUBJECT, modality=Modality.QUOTED)
    return [*found[:MAX_STATEMENTS], _candidate(message, index, text, Span(start, start + len(rest)), claim)]


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
    """Give whom and what the statements of a message tell, as far as it is meant."""
    return tuple((one.claim.subject, one.quote) for one in found if one.claim.modality in _MEANT)


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
        bare = _FINAL.sub("", text.strip())
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
    statement = without_tag(_FINAL.sub("", " ".join(body.split())))
    about = subject or USER_SUBJECT

    def candidate(claim: Claim, content: str | None = None, kind: Kind = Kind.SEMANTIC) -> Candidate:
        return _candidate(message, index, text, span, claim, content or spelled_out, kind, spelled_out)

    if not is_english(statement):
        spoken = read_foreign(statement) if modality is Modality.ASSERTED else None
        if spoken is None:
            return candidate(Claim(about, modality=modality))
        claim, kind = _claim(message, statement, spoken, [], about, modality)
        spelled_out = spelled_out or plain
        return candidate(claim, kind=kind)
    reworded = next((pattern.sub(said, statement) for pattern, said in _REWORDED if pattern.fullmatch(statement)), None)
    if reworded is not None and spelled_out is None:
        statement = capitalised(reworded, like=statement)
        quote = spelled_out = statement
    stamps = dates.find(statement, message.occurred_at)
    reading = _read(statement, stamps, told.names)
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
    claim, kind = _claim(message, statement, reading, stamps, about, modality)
    return candidate(claim, _content(statement, quote, reading, claim, kind, stamps, given=subject), kind)


def _read(statement: str, stamps: list[dates.Stamp], aliases: Mapping[str, str]) -> Reading:
    """Read a statement; a time that stands first is set aside, a missing subject is the user."""
    text = statement
    if stamps and stamps[0].start == 0:
        text = statement[stamps[0].end :].lstrip(" ,:")
    reading = read(text, aliases)
    if reading.attribute is None and reading.subject == USER_SUBJECT and _BARE_FACT.match(text):
        bare = read_bare(text)
        reading = bare if bare.attribute is not None else reading
    if reading.ends and _A_TIME.fullmatch((reading.ended_value or reading.value or "").strip()):
        # what came to an end is not named: it ends nothing that is known, least of all the only value of something
        known = reading.attribute if reading.attribute is not None and not reading.attribute.single else None
        reading = replace(reading, attribute=known, value=None, content=None, ends=known is not None, ended_value=None)
    if reading.value is not None and REDACTED in reading.value:
        reading = replace(reading, attribute=None, value=None, content=None)
    return reading


def _claim(
    message: Message, statement: str, reading: Reading, stamps: list[dates.Stamp], about: str, modality: Modality
) -> tuple[Claim, Kind]:
    """Decide between a fact that holds, an event, and a stay, and say when."""
    said = message.occurred_at
    attribute = reading.attribute
    # a date inside the value is what is told ("my deadline is next Friday"), not when it began to hold
    outside = [
        stamp for stamp in stamps if not reading.value or statement[stamp.start : stamp.end] not in reading.value
    ]
    since = dates.rounded(outside[0].since, said) if outside else None
    if modality is Modality.HEDGED:
        return Claim(about, modality=modality, valid_from=None), Kind.SEMANTIC
    short = next((stamp for stamp in outside if _SHORT.fullmatch(statement[stamp.start : stamp.end])), None)
    home = attribute is None or attribute.name == "home_city"
    passing = short is not None or _FOR_A_WHILE.search(statement) is not None
    if home and passing and reading.content is None and not reading.ends and _STAY.search(statement):
        begin, end = (dates.rounded(short.since, said), short.until) if short else (since, None)
        return Claim(about, modality=modality, valid_from=begin, valid_to=end), Kind.EPISODIC
    told = statement[stamps[0].end :].lstrip(" ,:") if stamps and stamps[0].start == 0 else statement
    events = [stamp for stamp in outside if stamp.since > said or not _STATED.match(statement, stamp.start)]
    event = event_of(told, events, said)
    if attribute is None or (event == "plan" and (attribute.single or reading.content)):
        kind = Kind.EPISODIC if event else Kind.SEMANTIC
        return Claim(about, modality=modality, valid_from=since), kind
    ending = next((stamp for stamp in outside if _UNTIL.match(statement, stamp.start)), None)
    claim = Claim(
        about,
        attribute.name,
        reading.value,
        positive=reading.positive,
        modality=modality,
        single_valued=attribute.single and reading.positive,
        ends=reading.ends,
        ended_value=reading.ended_value,
        valid_from=None if ending is not None or (since is not None and since > said) else since,
        valid_to=dates.rounded(ending.until, said) if ending is not None else None,
    )
    closed = claim.ends and claim.value is None
    return claim, Kind.EPISODIC if closed else attribute.kind


def _content(
    statement: str,
    quote: str,
    reading: Reading,
    claim: Claim,
    kind: Kind,
    stamps: list[dates.Stamp],
    *,
    given: str | None,
) -> str:
    """Write the self-standing sentence, or keep the words where that is not safe."""
    content = quote
    if given in (None, USER_SUBJECT) and not reading.plural and not has_emoji(statement):
        if reading.content and claim.attribute:
            return reading.content
        named = statement if reading.sentence is None else reading.sentence
        converted = third_person(statement)
        if converted is None and reading.sentence is not None and reading.label not in {"he", "she", "they"}:
            converted = named
        content = converted or quote
    spoken = statement[stamps[0].start : stamps[0].end] if stamps else ""
    hedged = claim.modality is Modality.HEDGED
    relative = claim.valid_from is None and not hedged and not any(c.isdigit() for c in spoken)
    if stamps and (kind is Kind.EPISODIC or relative) and stamps[0].label not in content:
        content = f"{_FINAL.sub('', content)} ({stamps[0].label})"
    return content
