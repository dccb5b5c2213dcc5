"""From a message to candidates: statements with their claims and their exact words."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Final

from app.domain import dates
from app.domain.attributes import lookup
from app.domain.claim import Candidate, Claim
from app.domain.events import event_of
from app.domain.foreign import read_foreign
from app.domain.frames import read, read_bare
from app.domain.languages import has_emoji, is_english
from app.domain.memory import USER_SUBJECT, Kind, Message, Modality, Role
from app.domain.modality import is_question_opening, is_standing, modality_of, strip_opening
from app.domain.reading import Reading
from app.domain.secrets import REDACTED
from app.domain.sentences import Span, clauses, sentences
from app.domain.text import straight
from app.domain.voice import third_person

_NOBODY: Final[Mapping[str, str]] = MappingProxyType({})
_FINAL: Final = re.compile(r"[\s.!…]+\Z")
_BARE_FACT: Final = re.compile(r"(?:[A-Za-z][a-z]+s|Is|Has|Does|Never|Always|Allergic|No longer)\b \S")
_JOKE: Final = re.compile(r"(?:just )?(?:kidding|joking|jk|i'm (?:just )?(?:kidding|joking))\b", re.IGNORECASE)
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
_MEANT: Final = frozenset({Modality.ASSERTED, Modality.COMMAND})
_FEW: Final = 6  # statements of a text that is taken as it is
_NO_CLAIM: Final = frozenset({Modality.QUESTION, Modality.HYPOTHETICAL, Modality.QUOTED})


def extract(
    message: Message,
    *,
    index: int,
    text: str,
    subject: str | None = None,
    session_names: Mapping[str, str] = _NOBODY,
) -> list[Candidate]:
    """Take the statements out of a message.

    Args:
        message: The turn; only a user's is cut into statements, any other is one candidate.
        index: Its place in the write.
        text: The screened text.
        subject: Given by the caller: every candidate is about it.
        session_names: Names and relations already known (lower case) to their subjects.

    Returns:
        At least one candidate for a text that is not blank; quotes are exact spans of `text`.
    """
    if message.role is not Role.USER:
        return [_whole(message, index, text, subject)]
    aliases = dict(session_names)
    found: list[Candidate] = []
    for sentence in sentences(text):
        if sentence.code:
            plain = _candidate(message, index, text, sentence, Claim(subject or USER_SUBJECT, modality=Modality.QUOTED))
            found.append(plain)
            continue
        if found and _JOKE.match(straight(sentence.of(text))):
            taken_back = replace(
                found[-1].claim, modality=Modality.QUOTED, attribute=None, value=None, ended_value=None, ends=False
            )
            found[-1] = replace(found[-1], content=found[-1].quote, claim=taken_back)
        for part, modality in _parts(text, sentence):
            found.append(_clause(message, index, text, part, subject, aliases, modality))
    told = _told(found)
    return [replace(one, told=told) for one in found] or [_whole(message, index, text, subject)]


def _told(found: Sequence[Candidate]) -> tuple[tuple[str, str], ...]:
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
    parts = [part for sentence in sentences(text) for part in _parts(text, sentence)]
    claim, found = Claim(subject or USER_SUBJECT), Kind.SEMANTIC
    read_parts = [_clause(message, index, text, part, subject, {}, modality) for part, modality in parts[:_FEW]]
    told = _told(read_parts) if len(parts) <= _FEW else ()
    if len(parts) == 1 and not parts[0][0].code:
        single = read_parts[0]
        claim, found = single.claim, single.kind
    if attribute is not None and attribute != claim.attribute:
        known = lookup(attribute)
        bare = _FINAL.sub("", text.strip())
        value = claim.value or (bare if known and len(parts) == 1 and len(bare) <= 200 else None)
        claim = replace(claim, attribute=attribute, value=value, single_valued=bool(known and known.single and value))
    return Candidate(text, text, 0, index, message.role, message.occurred_at, claim, kind or found, told)


def _candidate(
    message: Message,
    index: int,
    text: str,
    span: Span,
    claim: Claim,
    content: str | None = None,
    kind: Kind = Kind.SEMANTIC,
) -> Candidate:
    quote = span.of(text)
    return Candidate(content or quote, quote, span.start, index, message.role, message.occurred_at, claim, kind)


def _whole(message: Message, index: int, text: str, subject: str | None) -> Candidate:
    """Make one candidate of a whole turn."""
    start = len(text) - len(text.lstrip())
    return _candidate(message, index, text, Span(start, start + len(text.strip())), Claim(subject or USER_SUBJECT))


def _parts(text: str, sentence: Span) -> list[tuple[Span, Modality | None]]:
    """Split a sentence, and say which modality of the whole binds its parts.

    A question or a supposition governs the whole sentence, unless the question plainly begins
    with the last part ("I'm allergic to nuts, what can I eat?"). A hedge governs what borrows its
    subject.
    """
    if sentence.code:
        return [(sentence, None)]
    quote = sentence.of(text)
    whole = modality_of(quote[strip_opening(quote) :])
    parts = [sentence] if whole is Modality.QUOTED else clauses(text, sentence)
    if len(parts) == 1:
        return [(sentence, whole)]
    if whole is Modality.HYPOTHETICAL or (whole is Modality.QUESTION and not is_question_opening(parts[-1].of(text))):
        return [(part, whole) for part in parts]
    return [(part, whole if whole is Modality.HEDGED and (part.elided or part is parts[0]) else None) for part in parts]


def _clause(
    message: Message,
    index: int,
    text: str,
    span: Span,
    subject: str | None,
    aliases: dict[str, str],
    governing: Modality | None,
) -> Candidate:
    """Read one clause into a candidate."""
    quote = span.of(text)
    body = quote[strip_opening(quote) :]
    if span.elided:
        body = f"{'i' if text.islower() else 'I'} {body}"
    own = modality_of(body)
    modality = governing if governing is not None and own is Modality.ASSERTED else own
    statement = _FINAL.sub("", " ".join(body.split()))
    about = subject or USER_SUBJECT
    if not is_english(statement):
        spoken = read_foreign(statement) if modality is Modality.ASSERTED else None
        if spoken is None:
            return _candidate(message, index, text, span, Claim(about, modality=modality))
        claim, kind = _claim(message, statement, spoken, [], about, modality)
        return _candidate(message, index, text, span, claim, kind=kind)
    stamps = dates.find(statement, message.occurred_at)
    reading = _read(statement, stamps, aliases)
    if reading.attribute is None and not statement.isascii() and modality is Modality.ASSERTED:
        reading = read_foreign(statement) or reading
    if reading.attribute is not None and reading.attribute.name == "preferred_name" and modality is Modality.COMMAND:
        modality = Modality.ASSERTED
    if modality is Modality.COMMAND:
        standing = is_standing(body)
        content = statement if standing else quote
        return _candidate(
            message,
            index,
            text,
            span,
            Claim(about, modality=modality),
            content,
            Kind.PROCEDURAL if standing else Kind.SEMANTIC,
        )
    _remember(reading, aliases)
    about = subject or reading.subject
    if modality in _NO_CLAIM:
        return _candidate(message, index, text, span, Claim(about, modality=modality))
    claim, kind = _claim(message, statement, reading, stamps, about, modality)
    content = _content(statement, quote, reading, claim, kind, stamps, given=subject)
    return _candidate(message, index, text, span, claim, content, kind)


def _read(statement: str, stamps: list[dates.Stamp], aliases: Mapping[str, str]) -> Reading:
    """Read a statement; a time that stands first is set aside, a missing subject is the user."""
    text = statement
    if stamps and stamps[0].start == 0:
        text = statement[stamps[0].end :].lstrip(" ,:")
    reading = read(text, aliases)
    if reading.attribute is None and reading.subject == USER_SUBJECT and _BARE_FACT.match(text):
        bare = read_bare(text)
        reading = bare if bare.attribute is not None else reading
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


def _remember(reading: Reading, aliases: dict[str, str]) -> None:
    """Let later sentences of the message mean the same somebody."""
    if not reading.known_as or not reading.subject.startswith(("person:", "pet:", "client:")):
        return
    for name in reading.known_as:
        aliases.setdefault(name, reading.subject)
    for pronoun in ("he", "she", "they"):
        aliases[pronoun] = f"{reading.subject}|{reading.label}"


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
