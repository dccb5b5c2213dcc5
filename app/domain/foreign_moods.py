"""Questions without a mark and suppositions in other languages than English: patterns as data, a row a language."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from app.domain.memory import Modality

_MARK: Final = re.compile(r"[?？؟;][\s\"'”»）)]*$|(?:吗|呢|か|ですか|ますか|까|까요|나요)[。．.]?$")


def _row(*patterns: str) -> re.Pattern[str]:
    return re.compile("|".join(patterns), re.IGNORECASE)


_NO_DOUBT: Final = r"(?!.*(?:要看|在想|犹豫|考虑|也许|或许|大概|别|以后|先问|另说|谁说|谁急|直接说))"
_ASKED: Final[Mapping[str, re.Pattern[str]]] = {
    "zh": _row(
        # "要不要…，我还在犹豫" is a doubt, "先问我有没有…" a wish
        rf"^{_NO_DOUBT}.*(?:是不是|有没有|能不能|可不可以|要不要|会不会|该不该|好不好|行不行|对不对)(?!都|也|，)",
        # "什么都不吃" asks nothing
        rf"^{_NO_DOUBT}.*(?:什么|啥|怎么|怎麼|什麼|哪里|哪儿|哪个|谁|多少|多久|几点|几号|几个)[^，。！都也]{{0,6}}[啊呀呢好嘛]?。?$",
        r"(?:什么|啥)区别",
        r"好还是.{1,12}好",
    ),
    "de": _row(
        r"^(?:was|wer|wo|wann|warum|wieso|weshalb|wie|welche[rsmn]?|wohin|woher|wieviel)\b.{3,80}$(?<![.!])",
        r"^(?:kannst|könntest|weißt|hast|gibt|soll|kann|darf) (?:du|es|ich|man|ihr|wir)\b",
    ),
    "fr": _row(
        r"^(?:est-ce que|qu'est-ce|c'est quoi|quels?|quelles?|comment|pourquoi|combien|où|qui)\b.{3,80}$(?<![.!])",
        r"^quand\b[^,]{3,80}$(?<![.!])",
        r"^(?:peux-tu|pouvez-vous|tu peux|vous pouvez|sais-tu|savez-vous|vaut mieux .+ ou)\b",
    ),
    "es": _row(
        r"^¿",
        r"^(?:qué|cuál(?:es)?|cuánt[oa]s?|cuanto|cómo|dónde|cuándo|quién(?:es)?|por qué)\b.{3,80}$(?<![.!])",
        r"^(?:puedes|podrías|sabes|me puedes)\b",
    ),
}
# a wish for a certain case ("如果我发收据，只回复类别") is none of these
_SUPPOSED: Final[Mapping[str, re.Pattern[str]]] = {
    "zh": _row(
        r"(?:如果|要是|假如|假设|倘若|万一)(?!.{0,30}(?:请|提醒|告诉|别|不要|回复|回答|记得|叫我|先问)).{0,40}"
        r"(?:就|肯定|一定|多好|会|先|也|可就|得)",
        r"下辈子|能重来|(?:中了|买中)(?:彩票|大奖|五百万|头奖)|想象一下|假装",
    ),
    "de": _row(
        r"\b(?:wenn|falls)\b.{0,80}\b(?:würden?|würde|wäre[nt]?|hätte[nt]?|könnte[nt]?|käme[nt]?|ginge[nt]?"
        r"|müsste[nt]?)\b",
        r"^(?:angenommen|mal angenommen|stell dir vor|nehmen wir an|gesetzt den fall|tu so, als|tun wir so)\b",
        r"^(?:hätte|wäre|könnte) (?:ich|wir|er|sie|man)\b",
    ),
    "fr": _row(
        r"(?<!comme )(?<!demande )\bsi (?:j'|je |on |nous |tu |vous |il |elle |ils |elles |mon |ma "
        r"|l')\w*(?:étais|avais|pouvais|\w+ait|\w+ais"
        r"|\w+ions|\w+iez|\w+aient)\b",
        r"^(?:imagine|imaginons|imaginez|supposons|admettons|mettons|faisons comme si|et si on)\b",
    ),
    "es": _row(
        r"(?<!como )\bsi (?:yo |me |no |nos |te |le )*\w+(?:ara|era|iera|ase|iese)(?:mos|n|s)?\b",
        r"^(?:imagina|imagínate|imaginemos|supongamos|supón|pongamos|ponte|digamos|haz como si|ojalá)\b",
    ),
}


def mood_of(text: str, language: str) -> Modality | None:
    """Say whether a statement of another language is asked or supposed; None for anything else."""
    asked, supposed = _ASKED.get(language), _SUPPOSED.get(language)
    if _MARK.search(text) or (asked is not None and asked.search(text)):
        return Modality.QUESTION
    if supposed is not None and supposed.search(text):
        return Modality.HYPOTHETICAL
    return None
