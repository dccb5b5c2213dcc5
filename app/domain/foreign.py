"""The commonest claims in German, French, Spanish and Chinese: a small table per language, and nothing clever.

What the table does not hold is kept in its own words without a claim, as before.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from app.domain.attributes import REGISTRY
from app.domain.languages import look
from app.domain.memory import USER_SUBJECT
from app.domain.reading import Reading
from app.domain.text import straight


@dataclass(frozen=True, slots=True)
class Phrase:
    """A way to say an attribute; the group `v` is the value, `old` what it was."""

    attribute: str
    pattern: re.Pattern[str]
    positive: bool = True


def _p(attribute: str, pattern: str, *, positive: bool = True) -> Phrase:
    return Phrase(attribute, re.compile(pattern, re.IGNORECASE), positive)


_PLACE: Final = r"(?P<v>(?-i:[A-ZÀ-ÖØ-Þ])[\w'-]+(?: (?:(?-i:[A-ZÀ-ÖØ-Þ])[\w'-]+|de la|de|del|am|an der)\b){0,3})"
_ANY: Final = r"(?P<v>[^,;.!?()，。；！？]{2,60}?)"
_END: Final = (
    r"(?=$|[,;.!?()，。；！？]| (?:und|weil|seit|aber|et|mais|depuis|parce|y|pero|desde|porque"
    r"|para|pour|für|mit|con|avec)\b)"
)

_GERMAN: Final = (
    _p("home_city", r"\b(?:ich|wir) (?:wohnen?|lebe[n]?)(?: \w+){0,2} in " + _PLACE),
    _p("home_city", r"\b(?:wohne|lebe|wohnen|leben) (?:ich|wir)(?: \w+){0,2} in " + _PLACE),
    _p("home_city", r"\b(?:bin|sind)(?: \w+){0,3} nach " + _PLACE + r" (?:um)?gezogen"),
    _p("employer", r"\bich arbeite(?: jetzt| seit \w+)? (?:bei|für) (?:der |dem |den )?" + _PLACE),
    _p("job_title", r"\b(?:ich arbeite|arbeite ich)(?: jetzt| seit \w+)? als (?P<v>[\w-]+)"),
    _p(
        "job_title",
        r"\b(?:ich bin jetzt|jetzt bin ich|seit \w+ bin ich|ich bin von beruf) "
        r"(?P<v>(?-i:[A-ZÄÖÜ])\w+(?:in|er|ist|eur))\b",
    ),
    _p("name", r"\bich heiße(?: jetzt)? (?!mit)" + _PLACE),
    _p("surname", r"\bich heiße mit nachnamen (?P<v>\w+)|\bmein nachname ist(?: jetzt)? (?P<w>\w+)"),
    _p("manager", r"\bmein(?:e)? chef(?:in)? (?:ist|heißt)(?: jetzt)? (?:der |die )?" + _ANY + _END),
    _p("phone", r"\bmeine (?:handy|telefon|mobil)?nummer (?:ist|lautet)(?: jetzt)? (?P<v>[\d /+-]{5,})"),
    _p("allergic_to", r"\bich bin (?:\w+ )?allergisch (?:gegen|auf) " + _ANY + _END),
    _p("allergic_to", r"\bich bin gegen (?P<v>\w+) allergisch"),
    _p("likes", r"\bich (?:hasse|verabscheue|mag kein\w*) " + _ANY + _END, positive=False),
    _p("likes", r"\bich kann (?P<v>\w+) nicht (?:ausstehen|leiden)", positive=False),
    _p("likes", r"\bich (?:mag|liebe)(?: jetzt| inzwischen| wieder)? (?!kein)" + _ANY + _END),
    _p("uses", r"\b(?:ich|wir) (?:be)?nutzen?(?: jetzt| inzwischen)? (?P<v>(?-i:[A-ZÄÖÜ])[\w.+#-]*)"),
    _p("uses", r"\b(?:ich|wir) verwenden?(?: jetzt| inzwischen)? (?P<v>(?-i:[A-ZÄÖÜ])[\w.+#-]*)"),
    _p(
        "diet",
        r"\bich (?:bin|lebe|ernähre mich)(?: jetzt| seit \w+)? (?P<v>vegan|vegetarisch"
        r"|vegetarier(?:in)?|veganer(?:in)?)\b",
    ),
)
_FRENCH: Final = (
    _p(
        "home_city",
        r"\b(?:j'habite|je vis|nous habitons|on habite|on vit)(?: maintenant| désormais)? (?:à|au|en) " + _PLACE,
    ),
    _p("home_city", r"\b(?:j'ai|on a|nous avons) (?:dé|em)ménagé(?: \w+)? (?:à|au|en) " + _PLACE),
    _p("employer", r"\bje (?:travaille|bosse)(?: maintenant| désormais)? (?:chez|pour) " + _PLACE),
    _p("job_title", r"\b(?:je (?:travaille|bosse)|maintenant je bosse)(?: maintenant| désormais)? comme (?P<v>[\w-]+)"),
    _p(
        "job_title",
        r"\bje suis(?: maintenant| désormais)? (?P<v>[\wéèê-]+(?:euse|eur|ière|ier|iste|ienne|ien|trice))"
        r" (?:dans|chez|à|au)\b",
    ),
    _p("name", r"\bje m'appelle " + _PLACE),
    _p("name", r"\bje signe " + _PLACE),
    _p("allergic_to", r"\bje suis allergique (?:à la |à l'|aux |au |à )" + _ANY + _END),
    _p("likes", r"\bje (?:déteste|hais|n'aime pas) (?:le |la |les |l')?" + _ANY + _END, positive=False),
    _p("likes", r"\bj'(?:aime|adore) (?:le |la |les |l')?" + _ANY + _END),
    _p("uses", r"\b(?:j'utilise|on utilise|nous utilisons) (?P<v>(?-i:[A-Z])[\w.+#-]*)"),
    _p("diet", r"\bje suis (?:devenue? )?(?P<v>végane?|végétarien(?:ne)?)\b"),
)
_SPANISH: Final = (
    _p("home_city", r"\b(?:vivo|vivimos|resido)(?: ahora| actualmente)? en " + _PLACE),
    _p("home_city", r"\b(?:me mudé|nos mudamos|me he mudado|nos hemos mudado) a " + _PLACE),
    _p("employer", r"\btrabajo(?: ahora)? (?:en|para) " + _PLACE),
    _p("job_title", r"\btrabajo(?: ahora)? (?:de|como) (?P<v>[\wáéíóúñ-]+)"),
    _p("job_title", r"\bahora soy (?P<v>[\wáéíóúñ-]+(?:ista|or|ora|ero|era|nte))\b"),
    _p("name", r"\bme llamo " + _PLACE),
    _p("manager", r"\bmi jef[ea] (?:es|se llama) (?:un tal |una tal )?" + _ANY + _END),
    _p("allergic_to", r"\bsoy alérgic[oa] (?:a los |a las |a la |al |a )" + _ANY + _END),
    _p("likes", r"\b(?:odio|detesto|no soporto|no me gustan?) (?:el |la |los |las )?" + _ANY + _END, positive=False),
    _p("likes", r"(?<!no )\bme (?:gustan?|encantan?) (?:el |la |los |las )?" + _ANY + _END),
    _p("uses", r"\b(?:uso|usamos|utilizo|utilizamos)(?: ahora)? (?P<v>(?-i:[A-Z])[\w.+#-]*)"),
    _p("diet", r"\bsoy (?P<v>vegan[oa]|vegetarian[oa])\b"),
)
_HAN: Final = r"(?P<v>[^，。！？,.!? ]{1,12}?)"
_CHINESE: Final = (
    _p("home_city", r"^(?:我|我们)(?:现在|目前|一直)?住在" + _HAN + r"(?=$|[，。,.!！]|的)"),
    _p("home_city", r"搬(?:到|去)(?:了)?" + _HAN + r"(?:了)?(?=$|[，。,.!！])"),
    _p("employer", r"^我(?:现在|目前)?在" + _HAN + r"(?:工作|上班)(?:了)?(?=$|[，。,.!！])"),
    _p("name", r"^我(?:的名字)?叫" + _HAN + r"(?=$|[，。,.!！])"),
    _p("phone", r"(?:手机号|电话)(?:是|换成|改成)?(?:了)?(?P<v>\d{7,})"),
    _p("phone", r"换号了.{0,6}?(?P<v>\d{7,})"),
    _p("likes", r"^我(?:最|很)?(?:讨厌|不喜欢)(?:吃|喝)?" + _HAN + r"(?=$|[，。,.!！])", positive=False),
    _p("likes", r"^我(?:最|很|特别)?喜欢(?:吃|喝)?" + _HAN + r"(?=$|[，。,.!！])"),
    _p("allergic_to", r"对" + _HAN + r"过敏"),
    _p("uses", r"^(?:我|我们)(?:现在)?(?:用|使用)" + r"(?P<v>[A-Za-z][\w.+#-]*)"),
)
_TABLES: Final = {"de": _GERMAN, "fr": _FRENCH, "es": _SPANISH, "zh": _CHINESE}
_LONGEST: Final = 300
# a wish, a doubt, somebody else or a time that is over: no claim is read
_UNREAL: Final = re.compile(
    r"\b(?:wenn|falls|würde\w*|hätte\w*|wäre\w*|möchte|vielleicht|früher|damals|als kind|nicht mehr|si"
    r"|peut-être|voudrais"
    r"|aimerais|avant|autrefois|plus|quand j'étais|quizás?|tal vez|quisiera|gustaría|antes|cuando|ya no)\b"
    r"|如果|要是|也许|可能|以前|小时候|想|不是|别|[表堂]?[哥姐弟妹]|妈|爸|朋友|同事|儿子|女儿|老公|老婆|奶奶|爷爷|邻居",
    re.IGNORECASE,
)


def read_foreign(statement: str) -> Reading | None:
    """Read a claim about the speaker from a statement that is not English.

    Returns:
        None when the table of its language does not hold the phrase.
    """
    text = " ".join(straight(statement).split())
    if len(text) > _LONGEST or text.endswith(("?", "？", "吗", "呢")) or _UNREAL.search(text):
        return None
    # a short statement may be taken for another language; a phrase of one is none of the others
    first = _TABLES.get(look(text).code, ())
    for phrase in (*first, *(other for table in _TABLES.values() if table is not first for other in table)):
        match = phrase.pattern.search(text)
        if match is None:
            continue
        value = (match["v"] or match.groupdict().get("w") or "").strip(" '\"")
        if value:
            return Reading(USER_SUBJECT, attribute=REGISTRY[phrase.attribute], value=value, positive=phrase.positive)
    return None
