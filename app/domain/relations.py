"""Statements about things and people by their grammar: "X was founded by Y", "the N that X verbs is Y".

No attribute is named here. The relation's own words, normalised, are the attribute; word lists say which
relations hold one value at a time by the sense of their words, and everything else can have several.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from app.domain.attributes import derived, is_plural, named
from app.domain.memory import USER_SUBJECT
from app.domain.reading import Reading
from app.domain.subjects import person_of, thing
from app.domain.text import vocabulary, words
from app.domain.values import clean

_NOW: Final = r"(?:(?:now|currently|still|also|originally|officially|first|today|actually) )*"
# "the sport of tennis": a kind, and which one
KINDS: Final = (
    r"(?:continent|country|nation|city|town|village|region|province|county|district|state|island"
    r"|sport|language|religion|faith|denomination|church|position|field|area|discipline|profession"
    r"|occupation|genre|style|rank|party|league|division|currency|company|university|school"
    r"|department|team|order|family|species|class|category|type|port|version|format)"
)
_KIND: Final = rf"(?:the (?P<kind>{KINDS}) of )?"
# what happens to a thing once, or holds of it in one way at a time; a word that is not here can hold in many ways
_ONCE: Final = (
    r"(?:born|founded|co-founded|established|created|invented|developed|designed|built|constructed"
    r"|written|composed|authored|directed|produced|published|released|recorded|performed|painted"
    r"|sculpted|discovered|introduced|launched|manufactured|made|formed|educated|buried|killed|raised"
    r"|located|based|situated|headquartered|hosted|deployed|stored|married|engaged|employed|owned|led"
    r"|headed|chaired|run|governed|ruled|managed|maintained|edited|coached|affiliated|associated|assigned"
    r"|registered|scheduled|priced|named|called|broadcast)"
)
_BY: Final = r"(?P<prep>by|in|at|on|with|from|to|for|after)"
_SUBJECT: Final = r"(?P<s>(?:(?:the|my|our) )?[\w\"'(&][\w\"'.,&:#+/!()–-]*(?: [\w\"'.,&:#+/!()–-]+){0,9}?)"
_PASSIVE: Final = re.compile(
    rf"{_SUBJECT} (?:is|are|was|were|has been|have been|got) {_NOW}(?P<rel>{_ONCE}) {_BY} {_KIND}(?P<v>.+)",
    re.IGNORECASE,
)
_DIED: Final = re.compile(rf"{_SUBJECT} (?P<rel>died|passed away) (?P<prep>in|at|on) {_KIND}(?P<v>.+)", re.IGNORECASE)
# "plays the position of V", "works in the field of V"
_OF_KIND: Final = re.compile(
    rf"{_SUBJECT} {_NOW}(?P<rel>(?:is |was )?[a-z]+(?:s|ed|ing)?)(?: (?P<prep>by|in|at|on|with|from|to|for))?"
    rf" the (?P<kind>{KINDS}) of (?P<v>.+)",
    re.IGNORECASE,
)
# of these a subject can speak, play or love several
_MANY_VERBS: Final = vocabulary(
    "speaks speak spoke plays play played practises practices likes like loves love enjoys enjoy knows know knew "
    "learns learn learned studies study studied teaches teach visited visits visit used uses use worked likes "
    "writes write covers cover supports support includes include contains contain offers offer follows follow"
)
# "created in the country of England" says no other thing than "created in England"
_PLACE_KINDS: Final = vocabulary("city town village country nation state region province county island district")
_ONE_KIND: Final = vocabulary("position rank")
# "is a citizen of V", "is the capital of V"
_IS_OF: Final = re.compile(
    rf"{_SUBJECT} (?:is|was|became) {_NOW}(?P<article>an?|the) (?P<noun>[a-z][\w -]{{1,40}}?) of {_KIND}(?P<v>.+)",
    re.IGNORECASE,
)
_ONE_NOUNS: Final = vocabulary("citizen native resident subsidiary division suburb inhabitant national subject")
# an office that one holds: said of the holder, it is a fact about what is headed
_OFFICES: Final = vocabulary(
    "ceo cto cfo coo president mayor chairperson chairman chairwoman chair head director leader king queen emperor "
    "chancellor governor principal dean manager captain owner founder author capital headquarters maintainer editor"
)
_RELATIVE: Final = re.compile(
    r"the (?P<noun>[\w -]{2,60}?) (?:that|which|who|whom|where|in which|at which|for which|from which) "
    r"(?P<clause>.{2,100}?) (?:is|are) (?:now |currently |still )?(?P<v>.+)",
    re.IGNORECASE,
)
_VERB_FIRST: Final = re.compile(r"(?P<verb>[a-z]+(?:ed|s|ew|ade|ote|uilt|an|ound)) (?P<s>.+)")
_SUBJECT_FIRST: Final = re.compile(
    r"(?P<s>.+?) (?P<verb>(?:is|was|are|were|has|have|had|will|does|did) \w+(?: \w+)?|grew up|went|lives?"
    r"|[a-z]+(?:s|ed|t)|work|use|play|study|like|love|speak|drive|want|own|eat|drink|read|watch)",
)
_NO_SUBJECT: Final = vocabulary(
    "i we you he she it they this that these those there here what who which where when how why everything something "
    "nothing anything everyone someone nobody one some many most all both each every and but so if because although as "
    "in on at for from with by of to not no maybe perhaps today tomorrow yesterday now then also just"
)
_APPOSED: Final = re.compile(rf"\bthe {KINDS} of \S", re.IGNORECASE)
_TOWN: Final = re.compile(r"\bthe (?:city|town|village) of (?=[^\W\d_a-z])")
_LONGEST: Final = 300
_OWNER: Final = re.compile(r"(?:my|our) ", re.IGNORECASE)
_TIME_VALUE: Final = re.compile(r"(?:the )?(?:\d{1,2}(?:st|nd|rd|th)?\s)?(?:\w+ )?(?:\d{4}|\d{1,2})s?\Z|\d")


def related(text: str, aliases: Mapping[str, str]) -> Reading | None:
    """Read a relation between a named thing or person and a value.

    Returns:
        None when the statement has none of the frames, or begins with a word that points elsewhere.
    """
    if len(text) > _LONGEST:
        return None
    match = _RELATIVE.fullmatch(text)
    if match and (found := _relative(match, aliases)):
        return found
    match = _IS_OF.fullmatch(text)
    if match and (found := _is_of(match, aliases)):
        return found
    match = _PASSIVE.fullmatch(text) or _DIED.fullmatch(text)
    if match:
        return _reading(match, aliases, single=True)
    match = _OF_KIND.fullmatch(text)
    if match and match["rel"].split()[-1].casefold() not in {"is", "was", "are", "were"}:
        many = match["rel"].casefold() in _MANY_VERBS and match["kind"].casefold() not in _ONE_KIND
        return _reading(match, aliases, single=not many)
    return None


def plain_places(text: str) -> str:
    """Write "the city of London" as "London"."""
    return _TOWN.sub("", text)


def has_kind(text: str) -> bool:
    """Tell whether a statement names a kind and which one: "the sport of tennis"."""
    return _APPOSED.search(text) is not None


def _is_of(match: re.Match[str], aliases: Mapping[str, str]) -> Reading | None:
    """Read "X is a citizen of Y" as X's, and "X is the mayor of Y" as Y's."""
    noun = match["noun"].casefold()
    last = noun.split()[-1]
    if match["article"].casefold() == "the" and last in _OFFICES:
        attribute, owner, value = named(noun) or derived(noun, single=True), match["v"].strip(" .!"), clean(match["s"])
        if value is None or not _is_subject(value) or len(owner.split()) > 6 or not owner[:1].isupper():
            return None
        return Reading(thing(owner), owner, attribute=attribute, value=value)
    if match["article"].casefold() == "the" or last not in _ONE_NOUNS:
        return None
    return _made(match["s"], f"{noun} of", match["v"], aliases, single=True)


def _reading(match: re.Match[str], aliases: Mapping[str, str], *, single: bool) -> Reading | None:
    groups = match.groupdict()
    kind = (groups.get("kind") or "").casefold()
    value = match["v"]
    if not kind and groups.get("prep") in {"in", "on", "at", "for"} and _TIME_VALUE.match(value):
        kind = "time"
    if kind in _PLACE_KINDS and match["rel"].casefold() not in {"located", "situated"}:
        kind = ""
    relation = " ".join(filter(None, (match["rel"], groups.get("prep"), kind)))
    return _made(match["s"], relation, value, aliases, single=single)


def _relative(match: re.Match[str], aliases: Mapping[str, str]) -> Reading | None:
    """Read "the N where X was educated is Y" and "the N that produced X is Y"."""
    clause = match["clause"]
    noun = match["noun"].removeprefix("the ")
    inner = _VERB_FIRST.fullmatch(clause) or _SUBJECT_FIRST.fullmatch(clause)
    if inner is None:
        return None
    relation = f"{noun} {inner['verb']}"
    single = not is_plural(noun)
    if inner["s"].casefold() in {"i", "we"}:
        value = clean(match["v"])
        return Reading(USER_SUBJECT, attribute=derived(relation, single=single), value=value) if value else None
    return _made(inner["s"], relation, match["v"], aliases, single=single)


def _made(subject: str, relation: str, value: str, aliases: Mapping[str, str], *, single: bool) -> Reading | None:
    cleaned = clean(value)
    if not cleaned or not _is_subject(subject):
        return None
    if _OWNER.match(subject):
        name = _OWNER.sub("", subject, count=1)
        return Reading(
            person_of(name, aliases) or thing(name),
            f"User's {name}",
            attribute=derived(relation, single=single),
            value=cleaned,
        )
    bare = re.sub(r"\Athe ", "", subject, flags=re.IGNORECASE)
    known = aliases.get(bare.casefold())
    return Reading(known or thing(bare), subject, attribute=derived(relation, single=single), value=cleaned)


def _is_subject(phrase: str) -> bool:
    """Tell whether words may name what a statement is about."""
    listed = words(phrase)
    return bool(listed) and listed[0] not in _NO_SUBJECT and len(listed) <= 10
