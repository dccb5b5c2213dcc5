"""LoCoMo: long conversations of two friends, with questions and the turns that answer them.

Published as one JSON list of conversations (github.com/snap-research/locomo, CC BY-NC 4.0). One user per
conversation; a turn is "speaker: text [shared image: caption]", at the time of its session.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from benchmarks.corpus import MAX_TEXT, Corpus, Pool, Question, Turn
from benchmarks.files import DataFault, find_file, member, read_json

PATTERNS: Final = ("locomo*.json", "locomo*.json.gz")
CATEGORIES: Final[Mapping[int, str]] = {
    1: "multi-hop",
    2: "temporal",
    3: "open-domain",
    4: "single-hop",
    5: "adversarial",
}
_ADVERSARIAL: Final = 5
_SESSION: Final = re.compile(r"session_(\d+)")
_TURN_ID: Final = re.compile(r"D\d+:\d+")
_TIME: Final = "%I:%M %p on %d %B, %Y"


def load(folder: Path) -> Corpus:
    """Read the conversations.

    Raises:
        DataFault: No such file, or another shape.
    """
    path = find_file(folder, PATTERNS)
    value = read_json(path)
    if not isinstance(value, list) or not value:
        raise DataFault(f"{path.name} must be a list of conversations, as published")
    unknown = 0
    pools = []
    for index, item in enumerate(value):
        pool, dropped = _pool(item, where=f"{path.name}[{index}]")
        pools.append(pool)
        unknown += dropped
    notes = (f"{unknown} questions without known evidence left out",) if unknown else ()
    return Corpus("locomo", "LoCoMo", "turn", "session", "conversation", tuple(pools), notes)


def session_time(text: str) -> datetime:
    """Read a session's time, such as "1:56 pm on 8 May, 2023", as UTC.

    Raises:
        DataFault: It is written otherwise.
    """
    try:
        return datetime.strptime(text.strip(), _TIME).replace(tzinfo=UTC)
    except ValueError:
        raise DataFault(f'a session time must be like "1:56 pm on 8 May, 2023", not {text!r}') from None


def _pool(item: Any, *, where: str) -> tuple[Pool, int]:
    conversation = member(item, "conversation", dict, where=where)
    asked = member(item, "qa", list, where=where)
    name = str(item.get("sample_id") or where)
    turns = tuple(_turns(conversation, where=where))
    known = {turn.id for turn in turns}
    questions, dropped = [], 0
    for index, question in enumerate(asked):
        place = f"{where}.qa[{index}]"
        category = member(question, "category", int, where=place)
        if category not in CATEGORIES:
            raise DataFault(f"{place}: unknown category {category}")
        # evidence is written by hand: "D8:6; D9:17", and ids that do not exist
        cited = " ".join(str(entry) for entry in question.get("evidence") or [])
        evidence = frozenset(_TURN_ID.findall(cited)) & known
        if not evidence:
            dropped += 1
            continue
        questions.append(
            Question(
                id=f"{name}/{index}",
                text=str(member(question, "question", str, where=place)),
                kind=CATEGORIES[category],
                group=name,
                evidence=evidence,
                apart=category == _ADVERSARIAL,
            )
        )
    return Pool(name, turns, tuple(questions)), dropped


def _turns(conversation: Mapping[str, Any], *, where: str) -> Iterator[Turn]:
    sessions = [(int(match[1]), key) for key in conversation if (match := _SESSION.fullmatch(key))]
    if not sessions:
        raise DataFault(f"{where}.conversation must hold session_1, session_2 and so on, as published")
    for number, key in sorted(sessions):
        said = conversation[key]
        if not isinstance(said, list):
            raise DataFault(f"{where}.conversation.{key} must be a list of turns")
        at = session_time(str(member(conversation, f"{key}_date_time", str, where=f"{where}.conversation")))
        for index, turn in enumerate(said):
            place = f"{where}.conversation.{key}[{index}]"
            speaker = str(member(turn, "speaker", str, where=place))
            words = str(member(turn, "text", str, where=place))
            if turn.get("blip_caption"):
                words = f"{words} [shared image: {turn['blip_caption']}]".strip()
            yield Turn(
                id=str(member(turn, "dia_id", str, where=place)),
                text=f"{speaker}: {words}"[:MAX_TEXT],
                said=words[:MAX_TEXT],
                session=f"session-{number}",
                unit=f"session-{number}",
                speaker=speaker,
                at=at,
            )
