"""More frames: ways in which people tell the news about themselves, read before the plain table."""

from __future__ import annotations

import re
from typing import Final

from app.domain.frame_table import Frame


def _f(attribute: str, pattern: str, shape: str = "", *, positive: bool = True, content: str | None = None) -> Frame:
    return Frame(attribute, re.compile(pattern, re.IGNORECASE | re.DOTALL), shape, positive, content)


_NOW: Final = r"(?:(?:now|currently|recently|just|finally|already) )*"
_PRONOUNS: Final = (
    r"(?P<v>(?:she|he|they|it|xe|ze|any)/(?:her|him|them|its?|they|he|she|hers|his|theirs|zir|xem)(?:/\w+)?)"
)

NEWS: Final = (
    _f("pronouns", rf"(?:goes?|go) by {_PRONOUNS}\b.*"),
    _f("pronouns", rf"uses? {_PRONOUNS}(?: pronouns)?\b.*"),
    _f("manager", rf"{_NOW}(?:reports?|answers?|(?:am|is) reporting) to (?P<v>.+)", "capital"),
    _f(
        "time_zone",
        rf"(?:am|is) {_NOW}(?:in|on) (?:the )?(?P<v>[A-Z][\w /+-]{{1,30}}?) (?:time zone|time|timezone)\b.*",
    ),
    _f("hourly_rate", rf"{_NOW}charges? (?P<v>.+?) (?:an|per) hour\b.*"),
    _f("weight", rf"{_NOW}weighs? (?P<v>[\d.,]+ ?(?:kg|kilos?|kilograms?|pounds?|lbs?|stone)?)\b.*"),
    _f("marital_status", rf"(?:have|has|have got|has got) {_NOW}an? (?:new )?(?P<v>girlfriend|boyfriend|fiancée?)\b.*"),
    _f("marital_status", r"(?:am|is|have been|has been) (?P<v>seeing|dating) (?:someone|somebody|[A-Z]\w+)\b.*"),
    _f(
        "diet",
        rf"(?:am|is|are) {_NOW}(?:on|doing|following) (?:an? |the )?(?P<v>keto|paleo|atkins|low[- ]\w+"
        r"|high[- ]\w+)\b.*",
    ),
    _f("diet", r"(?:am|is|are|have been|has been) (?P<v>vegan|vegetarian|pescatarian) (?:since|now|again)\b.*"),
    _f(
        "diet",
        r"(?:eat|eats|am eating|is eating) (?P<v>(?:meat|fish)(?= (?:again|now)\b)"
        r"|everything|(?:pretty much )?anything)\b.*",
    ),
    _f("commute", r"(?:cycles?|walks?|drives?|commutes?) (?P<v>to work|by \w+)\b.*"),
    _f(
        "home_city",
        r"(?:am|is|are) settling (?:down )?(?:in|into a \w+ in) (?P<v>.+)",
        "place",
        content="{S} lives in {V}",
    ),
    _f(
        "home_city",
        r"(?:am|is|are) (?:at .{2,30} )?in (?P<v>[A-Z]\w+) for good\b.*",
        "place",
        content="{S} lives in {V}",
    ),
    _f("employer", rf"(?:am|is) {_NOW}with (?P<v>[A-Z][\w&.-]+(?: [A-Z][\w&.-]+)*)(?: now| these days)", "proper"),
)
