"""Reading what a language model answered: whatever form it comes in, and nothing in it is believed.

Models wrap JSON in fences and prose, give a bare list, two objects, or stop half-way. What can be read is read, item by
item; a number that is none is left out. Unknown keys, ids and actions among them, are not looked at.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator
from typing import Any, Final

from app.domain.memory import Kind
from app.domain.proposal import Proposal

MAX_ANSWER: Final = 64_000
"""Code points of an answer that are looked at; ten statements need a tenth of it."""
_MAX_STARTS: Final = 200
# what servers and models call the list
_LISTS: Final = ("candidates", "facts", "memories", "statements", "items", "results")
_TEXTS: Final = ("content", "quote", "candidate", "fact", "memory", "text", "statement")
_OPENING: Final = re.compile(r"[{\[]")
_LIST_BEGIN: Final = re.compile(r'"(?:' + "|".join(_LISTS) + r')"\s{0,20}:\s{0,20}\[')
_DECODER: Final = json.JSONDecoder()
_NUMBER: Final = re.compile(r"\s{0,4}[+-]?\d{1,6}(?:\.\d{1,20})?\s{0,4}")


def read_answer(text: str, *, limit: int) -> list[Proposal] | None:
    """Read the statements out of a model's answer.

    Args:
        text: What the model wrote.
        limit: At most so many statements are taken; the rest is ignored.

    Returns:
        The statements, none of them checked against what was said; an empty list when the model says that there is
        none; None when the answer cannot be read as either.
    """
    found: list[Any] | None = None
    for value in json_values(text[:MAX_ANSWER]):
        items = _items(value)
        if items is not None:
            found = [*(found or []), *items]
    if found is None:
        found = _unfinished(text[:MAX_ANSWER])
    if found is None:
        return None
    return [_proposal(item) for item in found if isinstance(item, dict | str)][:limit]


def json_values(text: str) -> Iterator[Any]:
    """Give every JSON value at the top level of a text, prose and fences between them skipped."""
    try:
        yield json.loads(text)
    except (ValueError, RecursionError):
        pass
    else:
        return
    position = 0
    for _ in range(_MAX_STARTS):
        opening = _OPENING.search(text, position)
        if opening is None:
            return
        try:
            value, position = _DECODER.raw_decode(text, opening.start())
        except (ValueError, RecursionError):
            position = opening.end()
        else:
            yield value


def _items(value: Any) -> list[Any] | None:
    """Find the list of statements in a JSON value; None when it holds none."""
    if isinstance(value, list):
        # a list of numbers in the prose around the answer is no answer
        return value if all(isinstance(item, dict | str) for item in value) else None
    if not isinstance(value, dict):
        return None
    for name in _LISTS:
        inner = value.get(name)
        if isinstance(inner, list):
            return inner
    return [value] if isinstance(value.get("quote"), str) or isinstance(value.get("content"), str) else None


def _unfinished(text: str) -> list[Any] | None:
    """Read the complete items of a list that breaks off."""
    begin = _LIST_BEGIN.search(text)
    position = begin.end() if begin else text.find("[") + 1
    if not position:
        return None
    items: list[Any] = []
    while len(items) < _MAX_STARTS:
        while position < len(text) and text[position] in " \t\r\n,":
            position += 1
        try:
            item, position = _DECODER.raw_decode(text, position)
        except (ValueError, RecursionError):
            break
        items.append(item)
    return items or None


def _proposal(item: dict[str, Any] | str) -> Proposal:
    if isinstance(item, str):
        return Proposal(quote=item, content=item)
    quote = item.get("quote")
    content = next((item[name] for name in _TEXTS if isinstance(item.get(name), str) and item[name].strip()), "")
    message = item.get("message")
    speaker = item.get("speaker")
    return Proposal(
        # words that stand in the message are their own evidence
        quote=quote if isinstance(quote, str) and quote.strip() else content,
        content=content,
        message=message if type(message) is int else None,
        speaker=speaker.strip().casefold() if isinstance(speaker, str) else None,
        kind=_kind(item.get("kind")),
        importance=_importance(item.get("importance")),
        confidence=_confidence(item.get("confidence")),
    )


def _kind(value: Any) -> Kind | None:
    try:
        return Kind(value) if isinstance(value, str) else None
    except ValueError:
        return None


def _number(value: Any) -> float | None:
    """Read a number, also one that was written as text; nothing is guessed and nothing clamped."""
    if isinstance(value, str) and _NUMBER.fullmatch(value):
        value = float(value)
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    try:
        number = float(value)
    except OverflowError:
        return None
    return number if math.isfinite(number) else None


def _importance(value: Any) -> int | None:
    number = _number(value)
    # of two readings the stricter
    return int(number) if number is not None and 1 <= number <= 10 else None


def _confidence(value: Any) -> float | None:
    number = _number(value)
    return number if number is not None and 0 <= number <= 1 else None
