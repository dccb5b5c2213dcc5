"""PrefEval, explicit form: preferences, each with a question that it should shape, in few words of its own.

Published as one JSON list a topic (github.com/amazon-science/PrefEval, CC BY-NC 4.0); read here as JSON lines with
`topic`, `preference` and `question`. Asked twice: of one user with all preferences, and of one user per topic.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

from benchmarks.corpus import MAX_TEXT, Corpus, Pool, Question, Turn
from benchmarks.files import DataFault, find_file, member, read_json_lines

PATTERNS: Final = ("*explicit*.jsonl", "*explicit*.jsonl.gz", "prefeval*.jsonl", "prefeval*.jsonl.gz")


def load(folder: Path) -> tuple[Corpus, Corpus]:
    """Read the pairs; gives the pool of all preferences, and the pools of one topic.

    Raises:
        DataFault: No such file, or another shape.
    """
    path = find_file(folder, PATTERNS)
    topics: dict[str, list[tuple[Turn, Question]]] = {}
    for index, item in enumerate(read_json_lines(path)):
        topic, turn, question = _pair(item, index, where=f"{path.name}[{index}]")
        topics.setdefault(topic, []).append((turn, question))
    if not topics:
        raise DataFault(f"{path.name} holds no pair")
    everything = [pair for pairs in topics.values() for pair in pairs]
    one = _pool("all", everything)
    each = tuple(_pool(topic, pairs) for topic, pairs in topics.items())
    return (
        Corpus("prefeval", "PrefEval, all preferences", "preference", None, "topic", (one,)),
        Corpus("prefeval-topic", "PrefEval, one topic", "preference", None, "topic", each),
    )


def _pool(name: str, pairs: list[tuple[Turn, Question]]) -> Pool:
    return Pool(name, tuple(turn for turn, _ in pairs), tuple(question for _, question in pairs))


def _pair(item: Any, index: int, *, where: str) -> tuple[str, Turn, Question]:
    topic = str(member(item, "topic", str, where=where))
    preference = str(member(item, "preference", str, where=where))[:MAX_TEXT]
    question = str(member(item, "question", str, where=where))
    turn_id = f"p{index}"
    # each told in a conversation of its own: one for all of a topic would give the topic away
    turn = Turn(turn_id, preference, preference, turn_id, turn_id)
    return topic, turn, Question(turn_id, question, "preference", topic, frozenset({turn_id}))
