"""How likely is it that a message makes a stored statement untrue? What joins the two, weighed by a trained model.

The rules (`changes`, `news`) act where structure alone says enough. Most people say a change in other words, where no one
sign is enough and several together are: a mark of change, a value that differs, a rival, whose affair it is, words in
common, and how near the row is to the statement among all that is known. Likeness says which row may be meant; it never
decides alone. The weights come from lives written for this project, see `training/turnover`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from app.domain.affairs import SPEAKER, is_thing
from app.domain.changes import Marked
from app.domain.claim import Claim
from app.domain.memory import USER_SUBJECT, Memory, Modality
from app.domain.news import News
from app.domain.turnover_model import chance, signal
from app.domain.whose import lead

MOST_ROWS: Final = 8
"""Rows nearest to a statement that are weighed."""
_FEW_TERMS: Final = 4
_MOST_ITEMS: Final = 4
_DIGIT: Final = re.compile(r"\d")
_TASTE: Final = "taste"

NAMES: Final = (
    "common",
    "telling",
    "covered",
    "firmly",
    "clash",
    "taste",
    "rival",
    "turned",
    "about",
    "settled",
    "over",
    "otherwise",
    "wrong",
    "now",
    "begun",
    "again",
    "died",
    "pronoun",
    "adds",
    "passing",
    "stretch",
    "others",
    "may touch",
    "the speaker's",
    "a thing's",
    "few terms",
    "by the rules",
    "marked",
    "an end",
    "a firm mark",
    "topic",
    "same attribute",
    "same subject",
    "asked",
    "row of the user",
    "row of somebody",
    "number in the row",
    "number said",
    "statements",
    "cosine",
    "rank",
    "before the next",
    "behind the first",
    "signal",
)
"""What is weighed, in the order of the model's columns."""


@dataclass(frozen=True, slots=True)
class Said:
    """A statement of a message, with what it marks as changed."""

    claim: Claim
    marked: Marked | None


@dataclass(frozen=True, slots=True)
class Near:
    """How near a row is to a message: its cosine (bundled model), its place from 0, and the best of the other rows."""

    cosine: float
    rank: int
    best_other: float


@dataclass(frozen=True, slots=True)
class Message:
    """All that a message states."""

    words: str
    said: tuple[Said, ...]
    signal: float

    @classmethod
    def of(cls, said: Sequence[Said], told: Sequence[tuple[str, str]]) -> Message:
        """Read a message from its statements and the words of its clauses."""
        words = " ".join(clause for _, clause in told)
        return cls(words, tuple(said), signal(words))


def features(message: Message, memory: Memory, near: Near) -> tuple[float, ...]:
    """Give what joins a message with a row, in the order of NAMES."""
    found = dict.fromkeys(NAMES, 0.0)
    news = next((one.marked.news for one in message.said if one.marked is not None and one.marked.news is not None), None)
    for part in news.parts if news is not None else ():
        _raise(found, _of_news(part, memory))
    for one in message.said:
        _raise(found, _of_statement(one, memory))
    found["row of the user"] = memory.subject == USER_SUBJECT
    found["row of somebody"] = lead(memory.content) is not None
    found["number in the row"] = _DIGIT.search(memory.content) is not None
    found["number said"] = _DIGIT.search(message.words) is not None
    found["statements"] = min(_MOST_ITEMS, len(message.said))
    found["cosine"], found["rank"] = near.cosine, near.rank
    apart = near.cosine - near.best_other
    found["before the next" if near.rank == 0 else "behind the first"] = apart
    found["signal"] = message.signal
    return tuple(round(float(found[name]), 3) for name in NAMES)


def chance_of_end(message: Message, memory: Memory, near: Near) -> float:
    """Give the chance, 0..1, that the message makes the row untrue."""
    return chance(features(message, memory, near))


def _raise(found: dict[str, float], more: dict[str, float]) -> None:
    for name, value in more.items():
        found[name] = max(found[name], float(value))


def _of_news(news: News, memory: Memory) -> dict[str, float]:
    joined = news.joined(memory)
    return {
        "common": len(joined.common),
        "telling": joined.telling,
        "covered": joined.covered,
        "firmly": joined.firmly,
        "clash": len(joined.clashing - {_TASTE}),
        "taste": len(joined.clashing & {_TASTE}),
        "rival": len(joined.rivalling),
        "turned": len(joined.turned),
        "about": len(joined.about),
        "settled": joined.settled,
        "over": news.over,
        "otherwise": news.otherwise,
        "wrong": news.wrong,
        "now": news.now,
        "begun": news.begun,
        "again": news.again,
        "died": news.died,
        "pronoun": news.pronoun,
        "adds": news.adds,
        "passing": news.passing,
        "stretch": news.stretch,
        "others": joined.others,
        "may touch": joined.may_touch,
        "the speaker's": news.owner == SPEAKER,
        "a thing's": is_thing(news.owner),
        "few terms": len(news.terms) < _FEW_TERMS,
        "by the rules": news.weighed(memory, joined) > 0,
    }


def _of_statement(one: Said, memory: Memory) -> dict[str, float]:
    claim, change = one.claim, one.marked.change if one.marked is not None else None
    same = claim.subject == memory.subject
    found: dict[str, float] = {
        "same attribute": same and claim.attribute is not None and claim.attribute == memory.attribute,
        "same subject": same,
        "asked": claim.modality is Modality.QUESTION,
    }
    if change is not None:
        topic = change.shared(memory, subject=claim.subject, attribute=claim.attribute)
        found |= {"marked": 1, "an end": change.ending, "a firm mark": change.firm, "topic": topic}
    return found
