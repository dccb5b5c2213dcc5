"""What a question asks about time: a period that it names, and whether it asks for what is no longer so.

"Where did I live before?" is about a fact that was replaced, so replaced facts must be among the candidates. "What did
I do in May?" is about what happened or held then, so that comes first.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

from app.domain.dates import Stamp, find
from app.domain.languages import is_english
from app.domain.memory import Kind, Memory

_READ: Final = 500  # code points of a query that are read for times; more is a text, no question

# words for what is over; each language's own, as whole words where the script has words
_PAST: Final = re.compile(
    r"\bbefore\s*[?.!]*\s*$|\b(?:before (?:that|this|then|now|(?:i|we) moved|the move|moving)"
    r"|used to|did (?:i|we|he|she|they|\w+) use to|previous(?:ly)?|former(?:ly)?"
    r"|earlier (?:address|job|employer|number|plan)|originally|back then|in the past|once (?:lived|worked|had)"
    r"|my (?:old|last|ex) (?:address|job|employer|boss|phone|number|flat|apartment|home|house|city|team|company|car)"
    r"|früher\w*|ehemalig\w*|damals|bisherig\w*|vorher(?=\s*[?.!]*\s*$)"
    r"|auparavant|autrefois|ancien(?:ne)?s?|précédent\w*|jadis|avant(?=\s*[?.!]*\s*$)"
    r"|anterior(?:es|mente)?|solía|(?-i:antigu[oa]s?)|previamente|antes(?=\s*[?.!]*\s*$))\b"
    r"|以前|从前|曾经",
    re.IGNORECASE,
)
# a question that says "now" asks for what holds, whatever else it names; "be used to" is a habit of today
_NOW: Final = re.compile(
    r"\b(?:still|current(?:ly)?|now|nowadays|today|these days|at the moment|noch|aktuell\w*|jetzt|heute|encore"
    r"|maintenant|actuel(?:le)?(?:ment)?s?|aún|todavía|ahora|actual(?:mente)?"
    r"|(?:am|is|are|get) (?:\w+ )?used to)\b|现在|目前",
    re.IGNORECASE,
)
_TENSE: Final = re.compile(r"\b(?:did|was|were|had|when i (?:was|lived|worked))\b", re.IGNORECASE)
_FROM: Final = re.compile(r"\b(?:since|after|from|as of|seit|ab|depuis|desde)\b", re.IGNORECASE)
_UNTIL: Final = re.compile(r"\b(?:until|till|by|up to|through|bis|jusqu'en|jusqu'à|hasta)\b", re.IGNORECASE)
_BEFORE: Final = re.compile(r"\b(?:before|prior to|vor|avant|antes de)\s+", re.IGNORECASE)
_TO_YEAR: Final = re.compile(r"\s*+(?:to|until|till|through|bis|à|a|-|–)\s*((?:19|20)\d\d)\b", re.IGNORECASE)
_BEGINNING: Final = datetime(1, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Period:
    """A stretch of time, `since` included, `until` not."""

    since: datetime
    until: datetime

    def holds(self, memory: Memory) -> bool:
        """Tell whether a memory is of this time: an event that began in it, a fact that held during some of it."""
        start = memory.valid_from or memory.occurred_at
        if memory.kind is Kind.EPISODIC:
            return self.since <= start < self.until
        return start < self.until and (memory.valid_to is None or memory.valid_to > self.since)


def period_of(query: str, asked_at: datetime) -> Period | None:
    """Give the time that a question names, from the first to the last of several; None if it names none.

    "Since 2023" goes on until now, "before May" has no beginning, "2019 to 2022" has both.

    Args:
        query: The question.
        asked_at: What "last month" is counted from.
    """
    text = query[:_READ]
    before = _BEFORE.search(text)
    if before:
        ahead = find(f"in {text[before.end() :]}", asked_at)
        if ahead and ahead[0].start <= len("in "):
            return Period(_BEGINNING, ahead[0].since)
    named = [_reach(text, stamp, asked_at) for stamp in find(text, asked_at)]
    if not named:
        return None
    return Period(min(period.since for period in named), max(period.until for period in named))


def _reach(text: str, stamp: Stamp, asked_at: datetime) -> Period:
    # the word right before the time, or the first of its own
    words = " ".join([*text[: stamp.start].split()[-2:], *text[stamp.start : stamp.end].split()[:-1]])
    if _UNTIL.search(words):
        return Period(_BEGINNING, stamp.until)
    to_year = _TO_YEAR.match(text, stamp.end)
    if to_year:
        return Period(stamp.since, max(stamp.until, datetime(int(to_year[1]) + 1, 1, 1, tzinfo=UTC)))
    if _FROM.search(words):
        return Period(stamp.since, max(stamp.until, asked_at))
    return Period(stamp.since, stamp.until)


def asks_for_the_past(query: str, asked_at: datetime) -> bool:
    """Tell whether a question is about what may have been replaced since: by its words, or by a time that is over.

    A question that says "now" or "still" is not. An English one that names a time must be in a past tense too.
    """
    text = query[:_READ]
    if _NOW.search(text):
        return False
    if _PAST.search(text):
        return True
    period = period_of(text, asked_at)
    return period is not None and period.until <= asked_at and (not is_english(text) or bool(_TENSE.search(text)))
