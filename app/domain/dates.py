"""Dates said in words, resolved against the time of the message in its own offset.

"Yesterday" at 00:30 +02:00 is the day before in that offset, whatever UTC says.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final


@dataclass(frozen=True, slots=True)
class Stamp:
    """A stretch of text that names a time, and the period it names: `since` included, `until` not.

    `label` is the period in absolute digits; an hour that was said moves `since` within the day.
    """

    start: int
    end: int
    since: datetime
    until: datetime
    label: str


_WEEKDAYS: Final = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_MONTHS: Final = (
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
)
_NUMBERS: Final = {
    word: number
    for number, word in enumerate(
        ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
    )
} | {"a": 1, "an": 1, "a couple of": 2, "couple of": 2}
_DAY: Final = rf"(?P<weekday>{'|'.join(_WEEKDAYS)})"
_MONTH: Final = rf"(?P<month>{'|'.join(_MONTHS)}|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)\b\.?"
_COUNT: Final = rf"(?:\d{{1,3}}|{'|'.join(sorted(_NUMBERS, key=len, reverse=True))})"
_UNIT: Final = r"(?P<unit>day|week|month|year)s?"
_YEAR: Final = r"(?P<year>(?:19|20)\d\d)"
_ORDINAL: Final = r"(?P<day>3[01]|[12]\d|0?[1-9])(?:st|nd|rd|th)?"
_NTH: Final = r"(?P<day>3[01]|[12]\d|0?[1-9])(?:st|nd|rd|th)"
# not "today's notes", not "5.2021", not "may" the verb
_END: Final = r"(?!['’]s\b)(?![\w-])"


def rounded(boundary: datetime, said_at: datetime) -> datetime:
    """Give a past boundary of a period as midnight UTC of the speaker's date, never later than it was said.

    The precision of a stated time is kept in its roundness: "last month" from a speaker at +02:00 is a month, too.
    What lies ahead, or names an hour, keeps its instant.
    """
    if boundary > said_at or boundary != _midnight(boundary):
        return boundary
    return min(boundary.replace(tzinfo=UTC), said_at)


def _midnight(moment: datetime) -> datetime:
    return moment.replace(hour=0, minute=0, second=0, microsecond=0)


def _days(day: datetime, count: int = 1) -> tuple[datetime, datetime, str]:
    return day, day + timedelta(days=count), day.date().isoformat()


def _add_months(day: datetime, months: int) -> datetime:
    index = day.year * 12 + day.month - 1 + months
    return day.replace(year=index // 12, month=index % 12 + 1, day=1)


def _month(day: datetime) -> tuple[datetime, datetime, str]:
    first = day.replace(day=1)
    return first, _add_months(first, 1), f"{first.year:04d}-{first.month:02d}"


def _year(day: datetime) -> tuple[datetime, datetime, str]:
    first = day.replace(month=1, day=1)
    return first, first.replace(year=first.year + 1), f"{first.year:04d}"


def _week(day: datetime) -> tuple[datetime, datetime, str]:
    monday = day - timedelta(days=day.weekday())
    return monday, monday + timedelta(days=7), f"week of {monday.date().isoformat()}"


_Period = tuple[datetime, datetime, str]


def _iso(match: re.Match[str], now: datetime) -> _Period:
    return _days(now.replace(year=int(match["year"]), month=int(match["number"]), day=int(match["day"])))


def _iso_month(match: re.Match[str], now: datetime) -> _Period:
    return _month(now.replace(year=int(match["year"]), month=int(match["number"]), day=1))


def _named_day(match: re.Match[str], now: datetime) -> _Period:
    word = match["named"].casefold()
    offsets = {"day after tomorrow": 2, "day before yesterday": -2, "tomorrow": 1, "yesterday": -1, "last night": -1}
    return _days(now + timedelta(days=next((n for name, n in offsets.items() if name in word), 0)))


def _weekday(match: re.Match[str], now: datetime) -> _Period:
    index = _WEEKDAYS.index(match["weekday"].casefold())
    which = (match["which"] or "").casefold()
    monday = now - timedelta(days=now.weekday())
    if which == "next":  # of the week after this one
        return _days(monday + timedelta(days=7 + index))
    if which == "last":  # the most recent one before today
        return _days(now - timedelta(days=(now.weekday() - index - 1) % 7 + 1))
    if which == "this":
        return _days(monday + timedelta(days=index))
    return _days(now + timedelta(days=(index - now.weekday() - 1) % 7 + 1))


def _period(match: re.Match[str], now: datetime) -> _Period:
    step = {"next": 1, "last": -1, "past": -1, "previous": -1, "this": 0}[match["which"].casefold()]
    unit = match["unit"].casefold()
    if unit == "week":
        return _week(now + timedelta(days=7 * step))
    if unit == "weekend":
        saturday = now + timedelta(days=5 - now.weekday() + 7 * step)
        return saturday, saturday + timedelta(days=2), saturday.date().isoformat()
    return (
        _month(_add_months(now, step)) if unit == "month" else _year(now.replace(year=now.year + step, month=1, day=1))
    )


def _distance(match: re.Match[str], now: datetime) -> _Period:
    """Read "in three weeks" and "two days ago"."""
    counted = (match["ahead"] or match["back"]).casefold()
    count = int(counted) if counted.isdigit() else _NUMBERS[counted]
    step = count if match["ahead"] else -count
    unit = (match["unit"] or match["unit_back"]).casefold()
    if unit in {"day", "week"}:
        return _days(now + timedelta(days=step * (7 if unit == "week" else 1)))
    return (
        _month(_add_months(now, step)) if unit == "month" else _year(now.replace(year=now.year + step, month=1, day=1))
    )


def _month_number(name: str) -> int:
    return next(i for i, month in enumerate(_MONTHS, 1) if month.startswith(name.casefold().rstrip(".")[:3]))


def _calendar_day(match: re.Match[str], now: datetime) -> _Period:
    month = _month_number(match["month"])
    day = int(match["day"])
    if match["year"]:
        return _days(now.replace(year=int(match["year"]), month=month, day=day))
    # without a year: this year's, unless the tense says that it lies on the other side of today
    gone, past = (month, day) < (now.month, now.day), _PAST.search(match.string) is not None
    shift = 1 if gone and not past and _FUTURE.search(match.string) else -1 if past and not gone else 0
    return _days(now.replace(year=now.year + shift, month=month, day=day))


def _day_of_month(match: re.Match[str], now: datetime) -> _Period:
    day = int(match["day"])
    if _PAST.search(match.string) is not None:
        return _days((now if day <= now.day else _add_months(now, -1)).replace(day=day))
    return _days((now if day >= now.day else _add_months(now, 1)).replace(day=day))


def _calendar_month(match: re.Match[str], now: datetime) -> _Period:
    month = _month_number(match["month"])
    if match["year"]:
        return _month(now.replace(year=int(match["year"]), month=month, day=1))
    # without a year: the last one that has begun, or the coming one when the words or the tense look ahead
    how = match["how"].casefold()
    behind = how in {"since", "as of", "from", "last", "back in"} or _PAST.search(match.string) is not None
    ahead = how in {"until", "till", "by", "next"} or not behind
    year = now.year + (1 if ahead and month < now.month else 0) - (1 if not ahead and month > now.month else 0)
    return _month(now.replace(year=year, month=month, day=1))


def _calendar_year(match: re.Match[str], now: datetime) -> _Period:
    return _year(now.replace(year=int(match["year"]), month=1, day=1))


# "put", "read" and their like are the present as well
_PAST: Final = re.compile(
    r"\b(?:was|were|had|did|went|got|came|left|met|saw|bought|began|became|took|made|gave|ran"
    r"|broke|caught|chose|drove|fell|found|fought|forgot|grew|heard|held|kept|lost|married|paid|rode|sang|sold"
    r"|sent|spent|spoke"
    r"|taught|told|threw|won|wrote"
    r"|flew|moved|joined|started|[a-z]{2,}ed)\b"
)
_FUTURE: Final = re.compile(
    r"\b(?:will|going to|have|has|flying|leaving|moving|due|deadline|appointment|exam|flight|trip"
    r"|meeting|wedding|starts?|begins?|ends?)\b|'ll\b"
)
_HOW: Final = r"(?P<how>since|in|as of|from|until|till|by|during|last|next|this|back in|early|late|mid|end of)"
# pattern -> how to read it; the first pattern that matches at a place wins
_RULES: Final[tuple[tuple[re.Pattern[str], Callable[[re.Match[str], datetime], _Period]], ...]] = tuple(
    (re.compile(rf"(?<![\w-])(?:{pattern}){_END}", re.IGNORECASE), rule)
    for pattern, rule in (
        (rf"(?:on |since |as of |until )?{_YEAR}-(?P<number>0[1-9]|1[0-2])-(?P<day>0[1-9]|[12]\d|3[01])", _iso),
        (rf"(?:in |since |as of |until ){_YEAR}-(?P<number>0[1-9]|1[0-2])", _iso_month),  # in 2025-03
        (rf"(?:on )?(?:the )?{_ORDINAL} (?:of )?{_MONTH}(?:,? {_YEAR})?", _calendar_day),  # 5 May 2024
        (rf"(?:on )?{_MONTH} {_ORDINAL}(?:,? {_YEAR})?", _calendar_day),  # May 5th, 2024
        (rf"{_HOW} {_MONTH}(?: (?:of )?{_YEAR})?", _calendar_month),  # since May, in May 2024
        (r"(?P<named>(?:the )?day after tomorrow|(?:the )?day before yesterday|tomorrow|yesterday"
r"|today|tonight|last night|"
         r"this (?:morning|afternoon|evening))", _named_day),
        (rf"(?:on )?(?:(?:{'|'.join(_WEEKDAYS)}),? the|(?<=on )the) {_NTH}"
         r"(?= (?:at|in|for|with|from|instead|now)\b|[.,;!?]"
         r"|\s*\Z)", _day_of_month),  # Thursday the 8th, on the 21st
        # next Tuesday, on Friday; "on Tuesday evenings" is no day
        (rf"(?:(?P<which>next|last|this) |on |this coming ){_DAY}(?! (?:morning|evening|afternoon|night|lunchtime)s\b)",
         _weekday),
        (r"(?P<which>next|last|past|previous|this) (?P<unit>weekend|week|month|year)", _period),
        (rf"(?:in (?P<ahead>{_COUNT}) {_UNIT}|(?P<back>{_COUNT}) (?P<unit_back>day|week|month|year)s? ago)", _distance),
        (rf"(?:back )?(?:in|since|as of|from|until|by|during) {_YEAR}", _calendar_year),  # in 2021
    )
)  # fmt: skip
_CLOCK: Final = re.compile(
    r"\s*+(?:,\s*+)?(?:at|@)\s*+(?P<hour>[01]?\d|2[0-3])(?:[:.h](?P<minute>[0-5]\d))?(?:\s*+(?P<half>am"
    r"|pm|a\.m\.|p\.m\.))?(?![\w:])",
    re.IGNORECASE,
)


def find(text: str, said_at: datetime) -> list[Stamp]:
    """Find the dates of a text.

    Args:
        text: A statement.
        said_at: When it was said; its offset is the speaker's.

    Returns:
        Stamps in order, without overlaps. What names no real day (31 February) is left out.
    """
    now = _midnight(said_at)
    stamps: list[Stamp] = []
    taken = 0
    hits = sorted(
        ((m.start(), -m.end(), i, m) for i, (pattern, _) in enumerate(_RULES) for m in pattern.finditer(text)),
        key=lambda h: h[:3],
    )
    for start, _, index, match in hits:
        if start < taken:
            continue
        try:
            since, until, label = _RULES[index][1](match, now)
            end, since = _clock(text, match.end(), since, until)
        except (ValueError, OverflowError):
            continue
        stamps.append(Stamp(start, end, since, until, label))
        taken = end
    return stamps


def _clock(text: str, end: int, since: datetime, until: datetime) -> tuple[int, datetime]:
    """Take in an hour that follows a day."""
    match = _CLOCK.match(text, end)
    if match is None or until - since > timedelta(days=1):
        return end, since
    hour = int(match["hour"])
    half = (match["half"] or "").casefold()[:1]
    if half and hour <= 12:
        hour = hour % 12 + (12 if half == "p" else 0)
    return match.end(), since.replace(hour=hour, minute=int(match["minute"] or 0))
