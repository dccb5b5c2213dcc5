"""Which of the known rows are nearest to a message: by the bundled model's cosines, and by words in common."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeVar

from app.domain.change_words import GENERIC
from app.domain.change_words_more import TONGUES
from app.domain.kin import shared
from app.domain.telling import Telling
from app.domain.terms import query_terms
from app.domain.text import HAN, without_accents, words
from app.domain.turnover_model import ENGLISH

MOST_ROWS: Final = 8
"""Rows nearest to the statements of a message that are weighed."""
_WORDS_COUNT: Final = 0.3  # what a word that only one row has counts beside the cosine, in another language
_BEGINNING: Final = 4  # letters
_SHORTEST: Final = 3
_CHINESE: Final = "zh"
_HAN: Final = re.compile(f"[{HAN}]")
_IDLE_HAN: Final = frozenset(
    "我你他她它们咱自己的地得了着过吧吗呢啊嘛哦是有在到从对给把被让和跟与也都就才又再还很太真挺最更不没别"
    "这那哪个些么什怎样一二两几多少上下里外前后中大小好去来说想要会能可以为因所但如果就时候天年月日号点现今"
    "明昨早晚刚已经每次家人事儿子"
)
K = TypeVar("K", bound=Hashable)


def looked_up(telling: Telling) -> int:
    """Tell how many rows to look up for each statement; in other languages than English cosines say less."""
    return MOST_ROWS if telling.tongue == ENGLISH else 2 * MOST_ROWS


@dataclass(frozen=True, slots=True)
class Overlap:
    """The words that a message and a row have in common.

    `weight` counts each by how few of the rows beside have it (one of four: a quarter), `before` is what that is more
    than the best of the others; the shares are those of the row's and of the message's words.
    """

    words: int = 0
    weight: float = 0.0
    before: float = 0.0
    of_row: float = 0.0
    of_message: float = 0.0


@dataclass(frozen=True, slots=True)
class Near:
    """How near a row is to a message: its cosine (bundled model), its place from 0, the cosine of the first other."""

    cosine: float
    rank: int
    best_other: float
    overlap: Overlap = Overlap()


def nearest(telling: Telling, cosines: Mapping[K, float], contents: Mapping[K, str]) -> list[tuple[K, Near]]:
    """Give the rows that are nearest to a message, and how near they are; of equal ones in the order of `cosines`.

    Args:
        telling: The message.
        cosines: The best cosine of each row with a statement of it.
        contents: The words of the rows.
    """
    found = sorted(cosines, key=lambda key: -cosines[key])[: looked_up(telling)]
    overlaps = dict(zip(found, _overlaps(telling, [contents[key] for key in found]), strict=True))
    if telling.tongue != ENGLISH:
        found.sort(key=lambda key: -(cosines[key] + _WORDS_COUNT * overlaps[key].weight))
    found = found[:MOST_ROWS]
    best, second = cosines[found[0]] if found else 0.0, cosines[found[1]] if len(found) > 1 else 0.0
    return [(key, Near(cosines[key], rank, best if rank else second, overlaps[key])) for rank, key in enumerate(found)]


def _overlaps(telling: Telling, contents: Sequence[str]) -> list[Overlap]:
    said = _words(telling.words, telling.tongue)
    held = [_words(content, telling.tongue) for content in contents]
    common = [_shared(said, one, telling.tongue) for one in held]
    rows_with = Counter(term for one in common for term in one)
    weights = [sum(1 / rows_with[term] for term in sorted(one)) for one in common]
    return [
        Overlap(
            len(one),
            weights[place],
            weights[place] - max((weight for other, weight in enumerate(weights) if other != place), default=0.0),
            len(one) / max(1, len(held[place])),
            len(one) / max(1, len(said)),
        )
        for place, one in enumerate(common)
    ]


def _words(text: str, tongue: str) -> frozenset[str]:
    """Give what a text tells, to be compared: its terms, in Chinese its characters as well.

    Elsewhere the beginnings of its words, as their endings are many ("fume", "fumer"; "studiert", "Studium").
    """
    idle = GENERIC | (TONGUES[tongue].generic if tongue in TONGUES else frozenset())
    found = frozenset(query_terms(text)) - idle
    if tongue == ENGLISH:
        return found
    if tongue == _CHINESE:
        return found | (frozenset(_HAN.findall(text)) - _IDLE_HAN)
    signs = {term for term in found if not term.isalpha()}
    telling = [word for word in words(text) if word.isalpha() and idle.isdisjoint(query_terms(word))]
    return frozenset(signs | {without_accents(word)[:_BEGINNING] for word in telling if len(word) >= _SHORTEST})


def _shared(said: frozenset[str], held: frozenset[str], tongue: str) -> frozenset[str]:
    return shared(said, held) if tongue == ENGLISH else said & held
