"""From a message to candidates: statements with their claims and their exact words."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import datetime
from types import MappingProxyType
from typing import Final

from app.domain import dates
from app.domain.attributes import Attribute, lookup
from app.domain.claim import Candidate, Claim
from app.domain.events import event_of
from app.domain.frames import Reading, read, read_bare
from app.domain.languages import has_emoji, is_english
from app.domain.memory import USER_SUBJECT, Kind, Message, Modality, Role
from app.domain.modality import is_standing, modality_of, strip_opening
from app.domain.sentences import Span, clauses, sentences
from app.domain.voice import third_person

_NOBODY: Final[Mapping[str, str]] = MappingProxyType({})
_FINAL: Final = re.compile(r"[\s.!…]+\Z")
_LEAD: Final = re.compile(r"^(?:in|on|since|as of)?\s*$", re.IGNORECASE)
_BARE_FACT: Final = re.compile(r"(?:[A-Z][a-z]+s|Is|Has|Does|Never|Always|Allergic|Works|No longer)\b\s+\S")
_SINCE: Final = re.compile(r"\b(?:since|as of|from)\b", re.IGNORECASE)
_UNTIL: Final = re.compile(r"\b(?:until|till|through|by the end of)\b", re.IGNORECASE)
_TEMPORARY: Final = re.compile(
    r"\b(?:this|next|last) (?:week|weekend|month)\b|\b(?:today|tonight|tomorrow|yesterday)\b|\bfor (?:a|the|two|three|\d+) (?:few )?(?:days?|weeks?)\b",
    re.IGNORECASE,
)
_JOKE: Final = re.compile(r"^(?:just )?(?:kidding|joking|jk|i'm (?:just )?(?:kidding|joking))\b", re.IGNORECASE)
_PERIOD_VERBS: Final = frozenset({Modality.ASSERTED})


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
        quote = sentence.of(text)
        if sentence.code:
            found.append(_plain(message, index, text, sentence, subject, Modality.QUOTED))
            continue
        if found and _JOKE.match(quote):
            found[-1] = _taken_back(found[-1])
        whole = modality_of(quote[strip_opening(quote) :])
        parts = (
            clauses(text, sentence) if whole is not Modality.QUOTED and whole is not Modality.COMMAND else [sentence]
        )
        for part in parts:
            found.append(
                _clause(message, index, text, part, subject, aliases, whole if len(parts) == 1 or part.elided else None)
            )
    return found or [_whole(message, index, text, subject)]


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
    """
    spans = sentences(text)
    parts = [part for sentence in spans for part in clauses(text, sentence)]
    if len(parts) == 1 and not parts[0].code:
        single = _clause(message, index, text, parts[0], subject, {}, None)
        claim, found = single.claim, single.kind
    else:
        claim, found = Claim(subject or USER_SUBJECT), Kind.SEMANTIC
    if attribute is not None and attribute != claim.attribute:
        known = lookup(attribute)
        short = text.strip().rstrip(".") if len(text.strip()) <= 200 and len(parts) == 1 else None
        claim = Claim(
            claim.subject,
            attribute,
            claim.value if claim.value is not None else (short if known else None),
            positive=claim.positive,
            modality=claim.modality,
            single_valued=bool(known and known.single and (claim.value or short)),
            valid_from=claim.valid_from,
            valid_to=claim.valid_to,
        )
    return Candidate(text, text, 0, index, message.role, message.occurred_at, claim, kind or found)


def _whole(message: Message, index: int, text: str, subject: str | None) -> Candidate:
    """Make one candidate of a whole turn."""
    quote = text.strip()
    start = len(text) - len(text.lstrip())
    return Candidate(quote, quote, start, index, message.role, message.occurred_at, Claim(subject or USER_SUBJECT))


def _plain(message: Message, index: int, text: str, span: Span, subject: str | None, modality: Modality) -> Candidate:
    quote = span.of(text)
    return Candidate(
        quote,
        quote,
        span.start,
        index,
        message.role,
        message.occurred_at,
        Claim(subject or USER_SUBJECT, modality=modality),
    )


def _taken_back(candidate: Candidate) -> Candidate:
    """Mark a statement as a joke after "just kidding"."""
    claim = candidate.claim
    marked = Claim(claim.subject, modality=Modality.QUOTED)
    return Candidate(
        candidate.quote,
        candidate.quote,
        candidate.start,
        candidate.message_index,
        candidate.role,
        candidate.occurred_at,
        marked,
    )


def _clause(
    message: Message,
    index: int,
    text: str,
    span: Span,
    subject: str | None,
    aliases: dict[str, str],
    sentence_modality: Modality | None,
) -> Candidate:
    """Read one clause into a candidate."""
    quote = span.of(text)
    said = message.occurred_at
    body = quote[strip_opening(quote) :]
    statement = _FINAL.sub("", f"I {body}" if span.elided else body)
    own = modality_of(body)
    modality = sentence_modality if sentence_modality is not None and own is Modality.ASSERTED else own
    if not is_english(statement):
        claim = Claim(subject or USER_SUBJECT, modality=modality)
        return Candidate(quote, quote, span.start, index, message.role, said, claim)
    stamps = dates.find(statement, said)
    reading = _read(statement, stamps, aliases)
    if reading.attribute is not None and reading.attribute.name == "preferred_name" and modality is Modality.COMMAND:
        modality = Modality.ASSERTED
    if modality is Modality.COMMAND:
        kind = Kind.PROCEDURAL if is_standing(body) else Kind.SEMANTIC
        return Candidate(
            _FINAL.sub("", body) if kind is Kind.PROCEDURAL else quote,
            quote,
            span.start,
            index,
            message.role,
            said,
            Claim(subject or USER_SUBJECT, modality=modality),
            kind,
        )
    _remember(reading, aliases)
    if modality in {Modality.QUESTION, Modality.HYPOTHETICAL, Modality.QUOTED}:
        return Candidate(
            quote, quote, span.start, index, message.role, said, Claim(subject or USER_SUBJECT, modality=modality)
        )
    about = subject or reading.subject
    event = event_of(statement, stamps, said)
    kind = reading.attribute.kind if reading.attribute else Kind.SEMANTIC
    if modality is Modality.HEDGED:
        claim = Claim(about, modality=modality)
    elif event and (reading.attribute is None or not reading.content or event == "plan"):
        kind = Kind.EPISODIC
        claim = Claim(about, modality=modality, valid_from=_since(stamps))
    else:
        claim = _claim(reading, about, modality, statement, stamps)
        if claim.ends and claim.value is None:
            kind = Kind.EPISODIC
    content = _content(statement, quote, reading, claim, kind, stamps, subject)
    return Candidate(content, quote, span.start, index, message.role, said, claim, kind)


def _read(statement: str, stamps: list[dates.Stamp], aliases: Mapping[str, str]) -> Reading:
    """Read a statement; a time that stands first is set aside, a missing subject is the user."""
    text = statement
    if stamps and _LEAD.match(statement[: stamps[0].start]):
        rest = statement[stamps[0].end :].lstrip(" ,:")
        if rest[:2].casefold() in {"i ", "i'", "i’", "my", "we", "ou", "he", "sh"}:
            text = rest
    reading = read(text, aliases)
    if reading.attribute is None and reading.subject == USER_SUBJECT and _BARE_FACT.match(text):
        bare = read_bare(text)
        reading = bare if bare.attribute is not None else reading
    return reading


def _claim(reading: Reading, about: str, modality: Modality, statement: str, stamps: list[dates.Stamp]) -> Claim:
    attribute = reading.attribute
    temporary = (
        attribute is not None
        and attribute.name == "home_city"
        and reading.content is None
        and _TEMPORARY.search(statement)
    )
    if attribute is None or temporary:
        return Claim(
            about,
            modality=modality,
            valid_from=_since(stamps),
            valid_to=stamps[0].until if temporary and stamps else None,
        )
    until = next(
        (stamp.since for stamp in stamps if _UNTIL.search(statement[max(0, stamp.start - 6) : stamp.start + 6])), None
    )
    return Claim(
        about,
        attribute.name,
        reading.value,
        positive=reading.positive,
        modality=modality,
        single_valued=attribute.single and reading.positive,
        ends=reading.ends,
        ended_value=reading.ended_value,
        valid_from=_since(stamps) if until is None else None,
        valid_to=until,
    )


def _since(stamps: list[dates.Stamp]) -> datetime | None:
    return stamps[0].since if stamps else None


def _remember(reading: Reading, aliases: dict[str, str]) -> None:
    """Let later sentences of the message mean the same somebody."""
    if reading.subject == USER_SUBJECT or not reading.known_as:
        return
    for name in reading.known_as:
        aliases.setdefault(name, reading.subject)
    for pronoun in ("he", "she", "they"):
        aliases[pronoun] = f"{reading.subject}|{reading.label}"


def _content(
    statement: str, quote: str, reading: Reading, claim: Claim, kind: Kind, stamps: list[dates.Stamp], given: str | None
) -> str:
    """Write the self-standing sentence, or keep the words where that is not safe."""
    about_user = given in (None, USER_SUBJECT)
    if reading.content and kind is Kind.SEMANTIC and claim.attribute and about_user:
        return reading.content
    converted: str | None = None
    if about_user and not reading.plural and not has_emoji(statement):
        converted = third_person(statement)
        if (
            converted is None
            and reading.label not in {"User", "he", "she", "they"}
            and statement[:4].casefold().startswith(("he", "she", "they"))
        ):
            converted = (
                f"{reading.label}{statement[statement.find(' ') if ' ' in statement else 0 :]}"
                if "'" not in statement.split()[0]
                else None
            )
        if converted is None and statement[:1].isupper() and claim.attribute and reading.label != "User":
            converted = statement
    content = converted or quote
    if kind is Kind.EPISODIC and stamps and stamps[0].label not in content:
        content = f"{_FINAL.sub('', content)} ({stamps[0].label})"
    return content


__all__ = ["Attribute", "extract", "verbatim"]
