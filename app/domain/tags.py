"""What is added behind a statement: a hedge ("I like tea, I think."), or words of the talk ("..., by the way.").

A tag says nothing of its own. A hedge makes the statement before it uncertain; the others change nothing in it.
"""

from __future__ import annotations

import re
from typing import Final

from app.domain.text import straight

_JOIN: Final = r"(?:\s{0,2}[,;…—–-]{1,3}\s{0,2}|\s)"
_END: Final = r"[\s.!…,]{0,6}\Z"
_BELIEF: Final = (
    r"(?:(?:i|we) (?:think|guess|suppose|believe|reckon|assume|imagine|suspect|presume)(?: so| at least)?"
    r"|at least i think(?: so)?)"
)
_DOUBT: Final = (
    r"(?:(?:but |though |and )?(?:i'm |i am )?(?:not (?:really |quite |entirely |totally |100% |so |too "
    r")?(?:sure|certain)"
    r"|unsure)(?: (?:though|about (?:that|it)|anymore|yet))?"
    r"|(?:if|as far as|from what) i (?:remember|recall|know|can tell|understand)(?: it)?(?: (?:right"
    r"|rightly|correctly))?"
    r"|iirc|afaik|afaict|who knows|don't quote me(?: on (?:that|it))?|(?:i'd say )?(?:maybe|perhaps|possibly|probably)"
    r"|presumably|apparently|hopefully|i hope|or so i (?:think|believe|was told|hear))"
)
_VAGUE: Final = r"or (?:something|sth)(?: (?:like|similar to) (?:that|it)| similar| along those lines)?"
_ENGLISH: Final = re.compile(
    rf"(?<=\w){_JOIN}(?:{_BELIEF}|{_VAGUE}){_END}|(?<=\w)\s{{0,2}}[,;…—–-]{{1,3}}\s{{0,2}}{_DOUBT}{_END}",
    re.IGNORECASE,
)
_AMID: Final = re.compile(rf"(?<=\w)(?:,|\s[–—-])\s{{0,2}}{_BELIEF}(?:,|\s[–—-])\s", re.IGNORECASE)
_GERMAN: Final = re.compile(
    r"(?<=\w),?\s{1,2}(?:(?:glaube?|denke?|vermute|schätze|meine) ich(?: (?:mal|zumindest|jedenfalls))?"
    r"|nehme ich(?: mal)? an|wenn ich mich (?:recht|richtig) erinnere|soweit ich wei(?:ß|ss)|oder so(?: ähnlich)?"
    r"|(?:aber )?(?:da )?bin (?:ich )?(?:mir )?(?:da )?(?:nicht (?:ganz |so )?sicher|unsicher)|vielleicht"
    r"|wahrscheinlich"
    rf"|vermutlich|hoffentlich){_END}",
    re.IGNORECASE,
)
_FRENCH: Final = re.compile(
    r"(?<=\w),?\s{1,2}(?:je (?:crois|pense|suppose|imagine)(?: bien)?|il me semble"
    r"|si je me (?:souviens|rappelle)(?: bien)?|(?:mais )?je (?:ne |n')?(?:en )?suis pas (?:certaine?|sûre?)|peut-être"
    rf"|sans doute|probablement|ou quelque chose comme ça){_END}",
    re.IGNORECASE,
)
_SPANISH: Final = re.compile(
    r"(?<=\w),?\s{1,2}(?:creo(?: yo)?|supongo|pienso|me parece|imagino|si (?:no recuerdo mal|mal no recuerdo)"
    rf"|(?:pero |aunque )?no estoy (?:muy |del todo )?segur[oa]|quizás?|tal vez|probablemente|o algo así){_END}",
    re.IGNORECASE,
)
_CHINESE: Final = re.compile(
    r"\A我(?!们?(?:走|去)吧)(?!.{0,40}(?:请|以后|帮)).{1,80}?(?:"
    r"[,，、 ]?(?:我(?:觉得|覺得|猜|估计|估計|想)|好像|大概|应该|應該|可能)(?:是)?"
    r"(?:吧)?|吧|[,，、 ]?不(?:太|大)?(?:确定|確定))[。.!！…~ ]{0,3}\Z"
)
_NEUTRAL: Final = re.compile(
    r"(?<=\w)(?:\s{0,2}[,;…—–-]{1,3}\s{0,2}(?:you know|by the way|btw|actually|to be (?:honest|fair|clear|precise)|tbh"
    r"|honestly|as you (?:may |might |already )?know|just so you know|fyi|obviously|of course|anyways?|i mean"
    r"|(?:like|as) i (?:said|told you|mentioned)(?: before| earlier| already)?|so yeah|that is|(?:please "
    r")?(?:keep|bear) (?:that|this|it) in mind|(?:please )?(?:remember|note|don't forget)"
    r" (?:that|this|it)|just (?:saying|so you know)|for your information|(?:if|in case) (?:that|it) "
    r"(?:helps|matters)|in fact|i "
    r"must say|really)"
    rf"|\s(?:though|tho|btw|tbh|fyi)){_END}",
    re.IGNORECASE,
)
_ALONE: Final = re.compile(
    rf"(?:{_BELIEF}|{_VAGUE}|{_DOUBT}|you know|i mean|i hope)(?:[\s.!…]{{0,4}}\Z|\s?,\s)", re.IGNORECASE
)
_TAIL: Final = 80  # code points at the end in which a tag stands
_WITHIN: Final = re.compile(r"[,–—-]\s{0,2}(?:i|we)\s", re.IGNORECASE)
_FOREIGN: Final = (_GERMAN, _FRENCH, _SPANISH, _CHINESE)


def has_hedge_behind(text: str) -> bool:
    """Tell whether a statement ends with a hedge, or has one between its commas."""
    plain = straight(text)
    return _ENGLISH.search(plain[-_TAIL:]) is not None or (
        _WITHIN.search(plain) is not None and _AMID.search(plain) is not None
    )


def has_foreign_hedge_behind(text: str) -> bool:
    """Tell whether a statement in another language ends with a hedge."""
    plain = straight(text).strip()
    return any(pattern.search(plain) for pattern in _FOREIGN)


def is_tag(text: str) -> bool:
    """Tell whether a clause is no statement, but belongs to the one before it."""
    return _ALONE.match(straight(text).strip()) is not None


def without_tag(text: str) -> str:
    """Cut the words of the talk behind a statement; a hedge stays, as it belongs to what is said."""
    cut = max(0, len(text) - _TAIL)
    match = _NEUTRAL.search(straight(text[cut:]))
    return text[: cut + match.start()] if match is not None and cut + match.start() > 0 else text
