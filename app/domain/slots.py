"""Values by their form: days, times, dates, sums, measures, versions, addresses. Two of one form cannot both hold.

A form is no topic: that the choir sings on Tuesdays and the bins go on Mondays says nothing of either. It counts only
beside a word or a theme that both statements share.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from app.domain.text import straight

_DAYS: Final = (
    ("mon", "mondays?|montags?|lundis?|lunes|周一|星期一|礼拜一"),
    ("tue", "tuesdays?|dienstags?|mardis?|martes|周二|星期二|礼拜二"),
    ("wed", "wednesdays?|mittwochs?|mercredis?|miércoles|周三|星期三|礼拜三"),
    ("thu", "thursdays?|donnerstags?|jeudis?|jueves|周四|星期四|礼拜四"),
    ("fri", "fridays?|freitags?|vendredis?|viernes|周五|星期五|礼拜五"),
    ("sat", "saturdays?|samstags?|samedis?|sábados?|周六|星期六|礼拜六"),
    ("sun", "sundays?|sonntags?|dimanches?|domingos?|周日|星期天|星期日|礼拜天"),
)
_MONTHS: Final = (
    ("1", "january|januar|janvier|enero"),
    ("2", "february|februar|février|febrero"),
    ("3", "march|märz|mars|marzo"),
    ("4", "april|avril|abril"),
    ("5", "may|mai|mayo"),
    ("6", "june|juni|juin|junio"),
    ("7", "july|juli|juillet|julio"),
    ("8", "august|août|agosto"),
    ("9", "september|septembre|septiembre"),
    ("10", "october|oktober|octobre|octubre"),
    ("11", "november|novembre|noviembre"),
    ("12", "december|dezember|décembre|diciembre"),
)
_NUMBERS: Final = (
    ("1", "one|ein(?:e[mnrs]?)?|une?|un[oa]|一"),
    ("2", "two|zwei|deux|dos|两|二"),
    ("3", "three|drei|trois|tres|三"),
    ("4", "four|vier|quatre|cuatro|四"),
    ("5", "five|fünf|cinq|cinco|五"),
    ("6", "six|sechs|seis|六"),
    ("7", "seven|sieben|sept|siete|七"),
    ("8", "eight|acht|huit|ocho|八"),
    ("9", "nine|neun|neuf|nueve|九"),
    ("10", "ten|zehn|dix|diez|十"),
    ("11", "eleven|elf|onze|once|十一"),
    ("12", "twelve|zwölf|douze|doce|十二"),
)
_ORDINALS: Final = [
    "first",
    "second",
    "third",
    "fourth",
    "fifth",
    "sixth",
    "seventh",
    "eighth",
    "ninth",
    "tenth",
    "eleventh",
    "twelfth",
    "thirteenth",
    "fourteenth",
]


def _alternatives(rows: tuple[tuple[str, str], ...]) -> str:
    return "|".join(words for _, words in rows)


def _named(rows: tuple[tuple[str, str], ...]) -> tuple[tuple[str, re.Pattern[str]], ...]:
    return tuple((name, re.compile(rf"(?:{words})", re.IGNORECASE)) for name, words in rows)


_WORD_NUMBER: Final = r"(?:\d+(?:[.,]\d+)?|" + _alternatives(_NUMBERS) + ")"
_MONTH: Final = rf"(?:{_alternatives(_MONTHS)}|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)\b"
_DAY_NAME: Final = rf"(?:{_alternatives(_DAYS)})"

# the form, and how it is written; the group `v` is what is compared, `u` the unit that must agree
_FORMS: Final = tuple(
    (name, re.compile(pattern, re.IGNORECASE))
    for name, pattern in (
        ("mail", r"(?P<v>[\w.+-]+@[\w-]+(?:\.[\w-]+)+)"),
        ("path", r"(?<![\w@])(?P<v>(?:https?://|~/|/|[\w-]+/)[\w./~-]*[\w/]|[\w-]+(?:\.[\w-]+)+\.[a-z]{2,8}(?!\w))"),
        (
            "time",
            r"\b(?P<v>\d{1,2}[:h]\d{2}|\d{1,2}\.\d{2}(?= ?(?:am|pm|uhr|h\b)))(?: ?(?:am|pm|uhr|h))?\b"
            r"|\b(?P<w>\d{1,2}) ?(?:am|pm|uhr|o'clock|h)\b",
        ),
        (
            "time",
            rf"\b(?:at|around|before|after|by|till|um|gegen|ab|à|a las) (?P<v>{_WORD_NUMBER})\b(?! ?(?:\w+"
            rf" )?street)(?!\.\d)",
        ),
        ("time", r"(?P<v>[\d一二三四五六七八九十两]{1,3})点"),
        ("date", rf"\b(?P<v>\d{{1,2}})(?:st|nd|rd|th|\.)?(?: of| de)? {_MONTH}\b"),
        ("date", rf"\b{_MONTH} (?:the )?(?P<v>\d{{1,2}})(?:st|nd|rd|th)?\b(?!:)"),
        ("date", r"\bthe (?P<v>\d{1,2})(?:st|nd|rd|th)\b|(?P<w>\d{1,2})[号日]"),
        ("date", r"\bam (?P<v>\d{1,2})\.(?= |$)|\b(?:le|el) (?P<w>\d{1,2})\b"),
        ("year", r"(?<![\d.,-])(?P<v>(?:19|20)\d\d)(?![\d.,-]\d|年?\d)"),
        ("sum", r"(?P<v>\d[\d.,]*) ?(?P<u>€|\$|£|euros?|dollars?|bucks|pounds?|quid|francs?|grand|k\b|yuan|块|元)"),
        ("sum", r"(?P<u>[€$£])(?P<v>\d[\d.,]*)"),
        (
            "measure",
            rf"\b(?P<v>{_WORD_NUMBER})[ -]?(?P<u>kilos?|kg|pounds|lbs|stone|mg|milligrams?|ml|km|kilomet\w+|miles|cm"
            r"|met(?:er|re)s|percent|per cent|%|hours?|hrs|minutes?|mins?|days?|weeks?|months?|years?|people|members"
            r"|employees|developers|engineers|cups?|pages|words|characters|columns|gb|mb|tb|calories|steps|reps|sets"
            r"|degrees|times|kids|children|stunden|minuten|tage?n?|wochen|monaten?|jahren?|heures?|jours|semaines|mois"
            r"|ans|horas|minutos|días|semanas|meses|años|prozent|kinder|enfants|hijos)\b",
        ),
        ("measure", r"(?P<v>[\d一二三四五六七八九十两百千]+)(?P<u>个|岁|斤|公斤|小时|分钟|天|人|块|元|次)"),
        ("often", r"\b(?:every|each|jede[nrsm]?|tous les|toutes les|chaque|cada|todos los|todas las) (?P<v>\w+)\b"),
        ("often", r"\b(?P<v>(?:once|twice|\w+ times) (?:a|per|every) \w+)\b|(?P<w>每[天周月年])"),
        ("often", r"\b(?P<v>daily|weekly|monthly|quarterly|yearly|annually|biweekly|fortnightly|nightly|hourly)\b"),
        ("version", r"(?<![\d.])v?(?P<v>\d{1,3}\.\d{1,3}(?:\.\d{1,3})?)(?![\d.%]|\s?(?:%|€|\$|am|pm|kg|km|k\b))"),
        (
            "code",
            r"(?<![\w@.-])(?P<v>(?=[\w-]*\d)(?=[\w-]*[A-Z])[A-Z\d][A-Z\d-]{3,})(?!\w)|\b(?P<w>[a-z]{4,}\d[a-z\d]*)\b",
        ),
        ("number", r"(?<![\w.:,/-])(?P<v>\d{2,})(?![\w.:,/%]?\d|\w|[€$£%])"),
        ("floor", r"\b(?P<v>ground|top|\d{1,2}(?:st|nd|rd|th)|" + "|".join(_ORDINALS) + r") (?P<u>floor|grade|year)\b"),
        ("floor", r"\b(?P<u>year|grade|class|gate|row|seat|bay|track|platform|unit|level) (?P<v>\d{1,3}[a-z]?)\b"),
    )
)
_UNITS: Final = {
    "€": "euro",
    "$": "dollar",
    "£": "pound",
    "bucks": "dollar",
    "quid": "pound",
    "kilo": "kg",
    "lb": "pound",
    "%": "percent",
    "per cent": "percent",
    "hr": "hour",
    "min": "minute",
    "k": "grand",
    "元": "块",
}
_DAY_FORMS: Final = _named(_DAYS)
_MONTH_FORMS: Final = _named(_MONTHS)
_NUMBER_FORMS: Final = _named(_NUMBERS)
_ALL_DAYS: Final = re.compile(rf"(?<!\w){_DAY_NAME}(?!\w)|(?:周|星期|礼拜)[一二三四五六日天]", re.IGNORECASE)
_ALL_MONTHS: Final = re.compile(rf"(?<!\w){_MONTH}(?!\w)", re.IGNORECASE)
_LIKED: Final = re.compile(
    r"\b(?:love[sd]?|like[sd]?|adore|enjoy(?:s|ed)?|fond of|crazy about|favou?rite|keen on|into|fan of|prefer|addicted"
    r"|mag|liebe|gern|leibgericht|lieblings\w+|lecker|raffole|réconcilié\w*|me chiflan?|me vuelven? loc[oa]|me"
    r" apasionan?"
    r"|by the bowl|can't get enough|j'adore|j'aime|me gustan?|me encantan?)\b|喜欢|爱上|最爱|真香|迷上",
    re.IGNORECASE,
)
_DISLIKED: Final = re.compile(
    r"\b(?:hate[sd]?|detest|dislike[sd]?|loathe|can't (?:stand|bear|stomach)|cannot (?:stand|bear)|despise"
    r"|(?:don't|do not|doesn't|never) (?:really )?(?:like|love|enjoy|care for)|not a fan|sick of|allergic|avoid"
    r"|hasse|mag kein\w*|nicht (?:ausstehen|leiden|ab|mögen)|verabscheue|no soporto|supporte pas|horreur|déteste"
    r"|n'aime pas|odio|detesto|no me gustan?)\b|讨厌|不喜欢|受不了|不吃",
    re.IGNORECASE,
)

Slots = dict[str, frozenset[str]]


@lru_cache(maxsize=4096)
def slots(text: str) -> Slots:
    """Read the values of each form; a unit makes a form of its own, so that kilos are not set against miles."""
    plain = straight(text)
    found: dict[str, set[str]] = {}
    rest = plain
    for name, pattern in _FORMS:
        for match in list(pattern.finditer(rest)):
            groups = match.groupdict()
            value = groups.get("v") or groups.get("w")
            if not value:
                continue
            unit = (groups.get("u") or "").casefold()
            unit = _UNITS.get(unit.rstrip("s"), unit.rstrip("s")) or _UNITS.get(unit, unit)
            found.setdefault(f"{name} {unit}".strip(), set()).add(_plain_value(name, value))
            rest = f"{rest[: match.start()]}{' ' * (match.end() - match.start())}{rest[match.end() :]}"
    for name, every, forms in (("day", _ALL_DAYS, _DAY_FORMS), ("month", _ALL_MONTHS, _MONTH_FORMS)):
        for match in every.finditer(plain):
            if name == "month" and match.group() in {"may", "march", "mars"}:
                continue
            which = next((day for day, form in forms if form.fullmatch(match.group())), match.group()[-1:])
            found.setdefault(name, set()).add(which)
    if _DISLIKED.search(plain):
        found["taste"] = {"no"}
    elif _LIKED.search(plain):
        found["taste"] = {"yes"}
    return {name: frozenset(values) for name, values in found.items()}


def clash(new: Slots, old: Slots, *, moved: bool = False) -> frozenset[str]:
    """Give the forms of which both hold values, none in common; or a new one beside the old, when something moved."""
    both = new.keys() & old.keys()
    return frozenset(name for name in both if not new[name] & old[name] or (moved and new[name] - old[name]))


def _plain_value(form: str, value: str) -> str:
    bare = value.casefold().rstrip(".,")
    if form in {"time", "measure", "date"}:
        bare = next((number for number, words in _NUMBER_FORMS if words.fullmatch(bare)), bare)
        bare = bare.replace(".", ":").replace("h", ":") if form == "time" else bare
        return bare.removesuffix(":00").lstrip("0")
    return bare.replace(",", "") if form in {"sum", "number"} else bare
