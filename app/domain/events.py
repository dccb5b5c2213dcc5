"""Events: what happened or will happen at a time, told apart from what holds."""

from __future__ import annotations

import re
from datetime import datetime
from typing import Final

from app.domain.dates import Stamp

# what changes a life or a project, also without a date
SIGNIFICANT: Final = re.compile(
    r"\b(?:launched|released|shipped|deployed|published|founded|graduated|married|got engaged"
    r"|proposed|divorced|separated|gave birth|was born|died|passed away|"
    r"diagnosed|hospitali[sz]ed|broke (?:my|his|her|their) \w+|surgery|operated|hired|fired"
    r"|laid off|promoted|retired|resigned|quit my|won|"
    r"passed (?:my|the|his|her)|failed (?:my|the)|adopted|bought (?:a|my|our|the) (?:house|flat"
    r"|apartment|car|home)|sold (?:my|our|the)|signed|moved (?:to|in|out|house|away|back|from)|lost my|accepted|"
    r"submitted|defended|finished (?:my|the|a)|completed|started (?:a|my|at)|joined|enrolled"
    r"|closed (?:the|our|a)|raised|merged|migrated|broke up)\b",
    re.IGNORECASE,
)
_APPOINTMENT: Final = re.compile(
    r"\b(?:appointment|meeting|flight|interview|exam|test|deadline|trip|wedding|conference|party"
    r"|concert|surgery|presentation|demo|call|vacation|holiday|birthday party|reservation|"
    r"check-?up|class|lesson|match|race|marathon|visit|move|launch|release|event|ceremony|hearing"
    r"|training|workshop|webinar|date|dinner|lunch)\b",
    re.IGNORECASE,
)
_PAST: Final = re.compile(
    r"^(?:(?:i|we|he|she|they|my [\w' -]{2,40}?|our [\w' -]{2,40}?|[A-Z]\w+)(?:'ve| have"
    r"| has)? )(?:\w+ly |just |also |finally |recently )?(?:\w+ed|went|got|bought|saw|met|had"
    r"|made|took|came|left|ran|flew|drove|won|lost|found|gave|sold|began|broke|"
    r"wrote|read|built|taught|heard|spoke|ate|drank|slept|swam|sang|fell|held|kept|paid|sent"
    r"|spent|told|visited|was|were|did|became|chose)\b",
    re.IGNORECASE,
)
_FUTURE: Final = re.compile(
    r"\b(?:(?:am|is|are|'m|'s|'re) (?:going to|\w+ing)|will|'ll|(?:am|is|are|'m|'s) (?:due"
    r"|scheduled|flying|leaving|travelling|moving|meeting|starting))\b",
    re.IGNORECASE,
)


_WEEKDAY: Final = r"(?:monday|tuesday|wednesday|thursday|friday|saturday|sunday)"
# what comes again and again is a habit or a rule, and no event, whatever day or month it names
_RECURRING: Final = re.compile(
    rf"\b(?:every|each|any given) (?:\w+ )?(?:day|week|weekend|weekday|month|year|morning|evening|night"
    rf"|afternoon|quarter"
    rf"|spring|summer|autumn|fall|winter|christmas|easter|{_WEEKDAY}|january|february|march|april|may|june|july|august"
    rf"|september|october|november|december|time|other|second|third|fortnight|term|season)s?\b"
    rf"|\b{_WEEKDAY}s\b|\b{_WEEKDAY} (?:morning|evening|afternoon|night|lunchtime)s\b"
    r"|\b(?:weekly|daily|monthly|yearly|annually|quarterly|fortnightly|biweekly|nightly|regularly|year after year)\b"
    r"|\b(?:once|twice|\w+ times) (?:a|per|every) (?:day|week|month|year)\b",
    re.IGNORECASE,
)
_ONCE: Final = re.compile(
    r"\b(?:yesterday|tomorrow|today|tonight|last|next|ago|this (?!year|month))\b|\b\d{4}\b", re.IGNORECASE
)


def recurs(statement: str) -> bool:
    """Tell whether a statement tells of what comes again and again: "every Monday", "on Tuesday evenings"."""
    return _RECURRING.search(statement) is not None and _ONCE.search(statement) is None


def event_of(statement: str, stamps: list[Stamp], said_at: datetime) -> str | None:
    """Tell whether a statement tells of an event.

    Returns:
        `plan` for what is to come, `past` for what happened, None for what simply holds.
    """
    if recurs(statement):
        return None
    if any(stamp.since > said_at for stamp in stamps):
        return "plan"
    if stamps and stamps[0].until > said_at and (_APPOINTMENT.search(statement) or _FUTURE.search(statement)):
        return "plan"
    if stamps and (_PAST.match(statement) or _APPOINTMENT.search(statement)):
        return "past"
    return "past" if SIGNIFICANT.search(statement) and _PAST.match(statement) else None


def told_as_past(content: str) -> bool:
    """Tell whether a statement tells what happened: it stays true, whatever comes."""
    return _PAST.match(content) is not None or SIGNIFICANT.search(content) is not None
