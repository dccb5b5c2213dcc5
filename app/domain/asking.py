"""What a question asks about time: a period that it names, and whether it asks for what is no longer so.

"Where did I live before?" is about a fact that was replaced, so replaced facts must be among the candidates. "What did
I do in May?" is about what happened or held then, so that comes first.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from app.domain.dates import find
from app.domain.memory import Kind, Memory

_READ: Final = 500  # code points of a query that are read for times; more is a text, no question

# words for what is over; each language's own, as whole words where the script has words
_PAST: Final = re.compile(
    r"\bbefore\s*[?.!]*\s*$|\b(?:before (?:that|this|then|now|(?:i|we) moved|the move|moving)"
    r"|used? to(?! it\b| this\b| that\b)|previous(?:ly)?|former(?:ly)?|earlier (?:address|job|employer|number|plan)"
    r"|originally|back then|in the past|once (?:lived|worked|had)|no longer|any ?more"
    r"|my (?:old|last|ex) (?:address|job|employer|boss|phone|number|flat|apartment|home|house|city|team|company|car)"
    r"|früher\w*|vorher|ehemalig\w*|damals|zuvor|bisherig\w*"
    r"|avant|auparavant|autrefois|ancien(?:ne)?s?|précédent\w*|jadis"
    r"|antes|anterior(?:es|mente)?|solía|antigu[oa]s?|previamente)\b"
    r"|以前|之前|从前|原来|曾经|过去",
    re.IGNORECASE,
)


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

    Args:
        query: The question.
        asked_at: What "last month" is counted from.
    """
    stamps = find(query[:_READ], asked_at)
    if not stamps:
        return None
    return Period(min(stamp.since for stamp in stamps), max(stamp.until for stamp in stamps))


def asks_for_the_past(query: str, asked_at: datetime) -> bool:
    """Tell whether a question is about what may have been replaced since: by its words, or by a time that is over."""
    if _PAST.search(query[:_READ]):
        return True
    period = period_of(query, asked_at)
    return period is not None and period.until <= asked_at
