"""What a clause claims, from when to when, and the words that stand for it by themselves."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from app.domain import dates
from app.domain.claim import Claim
from app.domain.events import event_of
from app.domain.frames import read, read_bare
from app.domain.languages import has_emoji
from app.domain.memory import USER_SUBJECT, Kind, Message, Modality
from app.domain.reading import Reading
from app.domain.secrets import REDACTED
from app.domain.voice import third_person

FINAL: Final = re.compile(r"(?<![\s.!…])[\s.!…]++\Z")
"""The marks with which a statement ends."""
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


def read_statement(statement: str, stamps: list[dates.Stamp], aliases: Mapping[str, str]) -> Reading:
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


def claim_of(
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


def content_of(
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
        content = f"{FINAL.sub('', content)} ({stamps[0].label})"
    return content
