"""Quoting oneself to put it right: "I said I live in Oslo, but that's wrong", "When I said Oslo, I meant Bergen"."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from app.domain.text import straight

_LEAD: Final = (
    r"(?:(?:and|but|so|well|ok|okay|sorry|oops|hm+|oh|actually|wait|earlier|before|previously|just now|yesterday"
    r"|last time|(?:a )?(?:moment|minute) ago)\b[\s,.]{1,3}){0,4}"
    r"(?:(?:i|we) (?:know|realise|realize|realised|realized|think|see|believe)(?: now)?(?: that)? )?"
)
_VERB: Final = r"(?:said|told you|wrote|mentioned|claimed|stated|typed)"
_WHEN: Final = r"(?: (?:earlier|before|previously|yesterday|last time|just now|a (?:moment|minute) ago|to you))*"
_SAY: Final = (
    r"(?:i|we)(?:'ve| have| had)?(?: (?:just|already|once|earlier|previously|mistakenly|wrongly|first))* "
    rf"{_VERB}{_WHEN}(?: that\b|,|:)?\s+"
)
_SAID: Final = (
    r"[\"“‘]?(?P<said>(?:i|i'm|i've|i'd|my|we|we're|we've|our|he|he's|she|she's|they|they're)\b.{2,160}?)[\"”’]?"
    rf"{_WHEN}"
)
_WRONG: Final = (
    r"(?:(?:that|this|it|which)(?:'s| is| was)(?: actually| in fact| all| just| simply| plain| clearly| of course)?"
    r" (?:wrong|incorrect|false|untrue|nonsense|not (?:true|right|correct|accurate|the case)"
    r"|a (?:mistake|lie|typo|joke|slip))"
    r"|(?:that|this|it) (?:isn't|wasn't|is not|was not)(?: actually| really| quite)?"
    r" (?:true|right|correct|accurate|the case)"
    r"|(?:i|we) (?:was|were|am) (?:wrong|mistaken|lying|joking|kidding|confused)"
    r"|(?:i|we) (?:lied|misspoke|mixed (?:that|it) up|got (?:that|it) wrong|made (?:that|it) up|didn't mean (?:that|it)"
    r"|take (?:that|it) back)|(?:scratch|strike|ignore|forget) that)"
)
_MEANT: Final = (
    r"(?:(?:i|we)(?: actually| really)? (?:meant(?: to say)?|should have said|wanted to say)"
    r"|(?P<it>(?:it|that)(?:'s| is| was| should be| should have been)(?: actually| really| in fact)?)|make that)\s+"
)
_TURN: Final = (
    r"(?:\s{0,2}[,;.—–-]{1,2}\s{0,2}|\s)(?:(?:but|and|though|although|however|yet|only|well|sorry)\b,?\s{1,2}){0,2}"
)
_TAIL: Final = r"[\s.!…]{0,4}"
_PATTERNS: Final = tuple(
    re.compile(pattern, re.IGNORECASE | re.DOTALL)
    for pattern in (
        # "I said X, but that's wrong(, it's Y)"
        rf"{_LEAD}{_SAY}{_SAID}{_TURN}(?:actually |in fact |now )?{_WRONG}(?: now)?"
        rf"(?:{_TAIL}|[\s,;.:—–-]{{1,4}}(?P<right>\S.*))",
        # "I said X, but I meant Y"
        rf"{_LEAD}{_SAY}{_SAID}{_TURN}{_MEANT}(?P<right>\S.*)",
        # "When I said X, I meant Y"
        rf"{_LEAD}when (?:i|we) {_VERB}(?: that)? {_SAID},?\s(?:i|we)(?: actually| really)? meant(?: to say)?(?: that)?"
        r" (?P<right>\S.*)",
        # "I was wrong when I said X", "Forget that I said X", "It's not true that X"
        rf"{_LEAD}(?:(?:i|we) (?:was wrong|were wrong|lied|misspoke|was mistaken|was lying|was joking|was kidding"
        rf"|made a mistake|made it up) (?:when|as) {_SAY}"
        rf"|(?:please )?(?:forget|ignore|disregard|scratch|strike) (?:that|what) {_SAY}"
        r"|it(?:'s| is| was|'s simply| isn't|'s just) (?:not true|not right|untrue|wrong|true|a lie|a mistake|nonsense)"
        rf"(?: to say)? that (?:{_SAY})?){_SAID}{_TAIL}",
    )
)
_QUOTES: Final = re.compile(rf"\b(?:{_VERB}|true|wrong|untrue|lie|mistake|nonsense)\b", re.IGNORECASE)
_AFFIRMED: Final = re.compile(
    r"\bit(?:'s| is| was|'s simply|'s just) true that\b|\bit isn't (?:not|untrue|wrong|a lie)\b", re.IGNORECASE
)
_LONGEST: Final = 300


@dataclass(frozen=True, slots=True)
class Disowned:
    """A statement that its speaker quotes as wrong: what was said, and where what is right begins, if it is said.

    Where it is not `sure` ("I said I like tea, but it's ..."), only what is right shows that something was wrong.
    """

    said: str
    right: int | None
    sure: bool


def disowned(text: str) -> Disowned | None:
    """Read a sentence in which somebody puts right what they said.

    Args:
        text: One sentence.

    Returns:
        None for any other sentence, such as "I said I live in Oslo", which says it again.
    """
    plain = straight(text)
    if len(plain) > _LONGEST or _QUOTES.search(plain) is None or _AFFIRMED.search(plain):
        return None
    for pattern in _PATTERNS:
        match = pattern.fullmatch(plain)
        if match is not None:
            right = match.start("right") if match.groupdict().get("right") else None
            sure = not match.groupdict().get("it")
            return Disowned(text[match.start("said") : match.end("said")].strip(), right, sure)
    return None
