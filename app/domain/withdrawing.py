"""Taking back without saying anything instead: "Scratch that.", "I take that back.", "That's wrong."."""

from __future__ import annotations

import re
from typing import Final

from app.domain.text import straight

_LONGEST: Final = 120
_BEFORE: Final = (
    r"(?:(?:oh|ah|uh|um|er|hm+|well|ok|okay|oops|whoops|wait|no|nope|sorry|actually|hang on|hold on|my (?:bad|mistake)"
    r"|please|just|and|but)\b[\s,.!:;…—–-]{1,4}){0,4}"
)
_AFTER: Final = r"(?:[\s,.!:;…—–-]{1,4}(?:please|sorry|my (?:bad|mistake)|actually|thanks|for now)\b){0,2}[\s.!…]{0,4}"
_MY_WORDS: Final = (
    r"(?:what i(?:'ve| have)? (?:just )?(?:said|wrote|told you)(?: about that| just now| before| earlier)?"
    r"|my (?:last|previous) (?:message|statement|remark|sentence|one)|(?:the|my) last (?:bit|part|thing)(?: i said)?)"
)
# these mean the speaker's own words, whoever spoke in between
_OWN: Final = re.compile(
    rf"{_BEFORE}(?:(?:let's |you can )?(?:scratch|strike) (?:that|it|this)(?: last (?:bit|part|one|sentence))?"
    rf"|i take (?:(?:that|it|this)(?: all)? back|back {_MY_WORDS})"
    rf"|(?:please )?(?:forget|ignore|disregard|scratch|strike|cancel) {_MY_WORDS}"
    rf"|{_MY_WORDS} (?:was|is|wasn't|isn't) (?:wrong|not (?:true|right|correct)|true|right|correct|a mistake|nonsense)"
    r"|i (?:was wrong(?: about (?:that|this|it))?|misspoke|got (?:that|it) wrong|was mistaken"
    r"|made (?:a mistake|that up)))"
    rf"{_AFTER}",
    re.IGNORECASE,
)
# these mean what was said last, by whoever said it
_LAST: Final = re.compile(
    rf"{_BEFORE}(?:(?:that's|that was|that is|it's|this is) (?:all )?(?:wrong|incorrect|a mistake|an error"
    r"|not (?:true|right|correct|accurate))|(?:that|it) (?:isn't|wasn't) (?:true|right|correct)"
    rf"|(?:forget|ignore|disregard|delete) (?:that|this))(?: at all)?{_AFTER}",
    re.IGNORECASE,
)
_NEGATED: Final = re.compile(
    r"\b(?:wasn't|isn't) (?:wrong|a mistake|nonsense)|\b(?:was|is) (?:true|right|correct)\b", re.I
)


def withdraws(text: str, *, heard: str) -> bool:
    """Tell whether a sentence takes back what its speaker said last, and says nothing else.

    Args:
        text: The sentence.
        heard: What an assistant said since; "that's wrong" then may mean the assistant's words, and takes nothing back.
    """
    plain = straight(text).strip()
    if len(plain) > _LONGEST:
        return False
    if _OWN.fullmatch(plain):
        return _NEGATED.search(plain) is None
    return not heard and _LAST.fullmatch(plain) is not None
