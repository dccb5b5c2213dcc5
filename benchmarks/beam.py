"""BEAM: long chats of a user with an assistant, with probing questions of ten types.

Published as one JSON object a chat (github.com/mohammadtavakoli78/BEAM); read here as JSON lines. One user per chat.
Evidence is given as message ids: an assistant's message stands for the user's message before it. The coarser unit
is the exchange: a user's message and the answers to it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from benchmarks.corpus import MAX_TEXT, Corpus, Pool, Question, Turn
from benchmarks.files import DataFault, find_file, member, read_json_lines

PATTERNS: Final = ("beam*.jsonl", "beam*.jsonl.gz")
_MARK: Final = re.compile(r"\s*->->\s*[\d\s,]+\s*$")
_ANCHOR: Final = "%B-%d-%Y"
# the two statements, earlier first, of the types that have two
_PAIRS: Final[Mapping[str, tuple[str, str]]] = {
    "knowledge_update": ("original_info", "updated_info"),
    "contradiction_resolution": ("first_statement", "second_statement"),
}


def load(folder: Path) -> Corpus:
    """Read the chats.

    Raises:
        DataFault: No such file, or another shape.
    """
    path = find_file(folder, PATTERNS)
    pools, dropped = [], 0
    for index, item in enumerate(read_json_lines(path)):
        pool, without = _pool(item, where=f"{path.name}[{index}]")
        pools.append(pool)
        dropped += without
    if not pools:
        raise DataFault(f"{path.name} holds no chat")
    notes = (f"{dropped} questions without evidence (abstention) left out",) if dropped else ()
    return Corpus("beam", "BEAM 100K", "message", "exchange", "conversation", tuple(pools), notes)


def clean(text: str) -> str:
    """Take away the generator's mark at the end of a message, such as "->-> 1,1"."""
    return _MARK.sub("", text)


def _pool(item: Any, *, where: str) -> tuple[Pool, int]:
    name = f"chat-{item.get('chat', where) if isinstance(item, dict) else where}"
    turns: list[Turn] = []
    asker: dict[str, str] = {}
    for turn in _turns(member(item, "batches", list, where=where), where=where):
        turns.append(turn)
        asker[turn.id] = turn.unit
    probing = member(item, "probing_questions", dict, where=where)
    questions, dropped = [], 0
    for kind, asked in probing.items():
        if not isinstance(asked, list):
            raise DataFault(f"{where}.probing_questions.{kind} must be a list of questions")
        for index, question in enumerate(asked):
            place = f"{where}.probing_questions.{kind}[{index}]"
            cited = question.get("source_chat_ids") if isinstance(question, dict) else None
            evidence = frozenset(asker[i] for i in _ids(cited) if i in asker)
            if not evidence:
                dropped += 1
                continue
            first, second = (
                frozenset(asker[i] for i in _ids(cited.get(part)) if i in asker) if isinstance(cited, dict) else None
                for part in _PAIRS.get(kind, ("", ""))
            )
            questions.append(
                Question(
                    id=f"{name}/{kind}/{index}",
                    text=str(member(question, "question", str, where=place)),
                    kind=kind.replace("_", " "),
                    group=name,
                    evidence=evidence,
                    first=first or frozenset(),
                    second=second or frozenset(),
                )
            )
    return Pool(name, tuple(turns), tuple(questions)), dropped


def _turns(batches: list[Any], *, where: str) -> Iterator[Turn]:
    unit: str | None = None
    for number, batch in enumerate(batches, start=1):
        place = f"{where}.batches[{number - 1}]"
        messages = [m for turn in member(batch, "turns", list, where=place) for m in turn]
        at = _anchor(batch, messages)
        for index, message in enumerate(messages):
            role = str(member(message, "role", str, where=f"{place}, message {index}"))
            turn_id = str(member(message, "id", int, where=f"{place}, message {index}"))
            text = clean(str(member(message, "content", str, where=f"{place}, message {index}")))[:MAX_TEXT]
            if role == "user" or unit is None:
                unit = turn_id
            yield Turn(turn_id, text, text, f"batch-{number}", unit, role=role, at=at)


def _anchor(batch: Any, messages: list[Any]) -> datetime | None:
    anchors = [batch.get("time_anchor"), *(m.get("time_anchor") for m in messages if isinstance(m, dict))]
    for anchor in anchors:
        if isinstance(anchor, str):
            try:
                return datetime.strptime(anchor, _ANCHOR).replace(tzinfo=UTC)
            except ValueError:
                raise DataFault(f'a time anchor must be like "March-15-2024", not {anchor!r}') from None
    return None


def _ids(cited: Any) -> Iterator[str]:
    """Give all message ids in a value: they come as numbers, as lists, as nested lists and by name."""
    if isinstance(cited, dict):
        cited = list(cited.values())
    if isinstance(cited, list):
        for entry in cited:
            yield from _ids(entry)
    elif isinstance(cited, int):
        yield str(cited)
