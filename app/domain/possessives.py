"""Statements of the form "my A is Y", "my X's A is Y", "the A of X is Y" and "Y is my favourite A"."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from app.domain.attributes import Attribute, amount, derived, is_amount, named
from app.domain.reading import Reading
from app.domain.subjects import is_name, person_of, thing
from app.domain.text import slug, vocabulary, words
from app.domain.values import VALUE_SHAPES, clean, fits

_IS_NOW: Final = r"(?:is|are)(?: now| still| currently| actually| set to| called)*"
_POSSESSIVE: Final = re.compile(
    rf"(?:my|our) (?P<name>[\w' -]{{2,80}}?)(?:'s (?P<part>[\w -]{{2,60}}?))? {_IS_NOW} (?P<value>.+)",
    re.IGNORECASE | re.DOTALL,
)
_OF: Final = re.compile(
    rf"the (?P<part>[\w -]{{2,60}}?) (?:of|for|on) (?P<owner>my |our "
    rf"|the )?(?P<name>[\w'.&: -]{{2,80}}?) {_IS_NOW} (?P<value>.+)",
    re.IGNORECASE | re.DOTALL,
)
_GENITIVE: Final = re.compile(
    rf"(?P<name>[A-ZÀ-ÖØ-Þ][\w.& -]{{1,60}}?)'s (?P<part>[\w -]{{2,60}}?) {_IS_NOW} (?P<value>.+)", re.DOTALL
)
_IS_MINE: Final = re.compile(
    r"(?P<value>[\w][\w'.&+# -]{0,80}?) (?:is|are) (?:my|our) (?P<name>(?:all-time "
    r"|absolute )?(?:favou?rite|main|primary|default|preferred|go-to|current)\b[\w -]{0,60})",
    re.IGNORECASE,
)
# "the point of this is ..." says nothing of a thing
_NO_OWNER: Final = vocabulary(
    "this that it these those point rest problem thing idea "
    "reason purpose beginning end middle part half side kind sort "
    "way lot result issue trouble trick question answer difference"
)
# a state of a thing is no value of an attribute
_STATE: Final = re.compile(
    r"(?:so |very |too |really |quite |not |being |going |gone |in the |on the |at the )"
    r"|(?-i:broken|late|down|empty|full|here|there|ready|done|off|on|sick|tired|delayed|cancelled"
    r"|canceled|slow|dirty|wet|great|good|bad|fine|nice|"
    r"awesome|terrible|amazing|hard|easy|long|short|about|dead|different|similar|important|strict"
    r"|boring|fun|cool|new|old"
    r"|big|small|busy|nearly|almost|due|my|your|our|what|where|how|[a-z]+(?:ful|ous|able|ible|less))\b",
    re.IGNORECASE,
)
# "is climbing" is a value of a hobby and a state of everything else
_DOING: Final = re.compile(r"[a-z]+ing\b")
_ACTIVITY: Final = re.compile(
    r"favorite|preferred|hobb|sport|passion|activity|goal|exercise|pastime|talent|skill|dream"
)


def owned_by(text: str, aliases: Mapping[str, str]) -> Reading | None:
    """Read "my A is Y", "my X's A is Y", "the A of X is Y" and "X's A is Y"."""
    match = _OF.fullmatch(text)
    if match:
        mine = (match["owner"] or "").strip().casefold() in {"my", "our"}
        return _owned(match["name"], match["part"], match["value"], aliases, mine=mine)
    match = _POSSESSIVE.fullmatch(text)
    if match and match["part"]:
        return _owned(match["name"], match["part"], match["value"], aliases, mine=True)
    if match and person_of(match["name"], aliases) is None:
        attribute = named(match["name"]) or amount(match["name"], match["value"])
        value = clean(match["value"], article=True)
        return _held(attribute, value, casual=text.islower())
    match = _IS_MINE.fullmatch(text)
    if match and match["value"].casefold() not in {
        "it",
        "this",
        "that",
        "he",
        "she",
        "they",
        "these",
        "those",
        "which",
        "what",
    }:
        attribute = named(match["name"])
        return Reading(attribute=attribute, value=clean(match["value"])) if attribute else None
    match = _GENITIVE.fullmatch(text)
    return (
        _owned(match["name"], match["part"], match["value"], aliases, mine=False)
        if match and is_name(match["name"])
        else None
    )


def _held(attribute: Attribute | None, value: str | None, *, casual: bool) -> Reading | None:
    """Take "my A is Y" for a claim only when Y can be a value of A: "my job is stressful" names no job."""
    if attribute is None or not value or _is_state(attribute, value):
        return None
    if is_amount(attribute) and not any(sign.isdigit() for sign in value):
        return None  # "my budget is tight"
    if attribute.registered and not fits(VALUE_SHAPES.get(attribute.name, ""), value, casual=casual):
        return None
    return Reading(attribute=attribute, value=clean(value))


def _owned(owner: str, part: str, value: str, aliases: Mapping[str, str], *, mine: bool) -> Reading | None:
    cleaned = clean(value)
    attribute = named(part) or derived(part, single=True)
    if not cleaned or _is_state(attribute, cleaned) or {*words(owner), *words(part)} & _NO_OWNER:
        return None
    personal = attribute.registered and attribute.name not in {"goal", "project", "team"}
    subject = (person_of(owner, aliases) if mine else aliases.get(owner.casefold())) or (
        f"person:{slug(owner)}" if personal and not mine else thing(owner)
    )
    return Reading(subject, f"User's {owner}" if mine else owner, attribute=attribute, value=cleaned)


def _is_state(attribute: Attribute, value: str) -> bool:
    return bool(_STATE.match(value)) or bool(_DOING.match(value) and not _ACTIVITY.search(attribute.name))
