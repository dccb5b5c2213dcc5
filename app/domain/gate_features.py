"""What the gate's model sees of a statement: word and character n-grams, sentence shapes and named cues.

Features come from the text alone, so that the weights depend on nothing but the corpus and this file. After a change
here `python training/train_gate.py` must be run again.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from app.domain.gate_cues import CLASS_OF, COMBINED, FUNCTION, RUNNING_WORDS, SPEAKERS, classes_of
from app.domain.text import straight

GRAMS: Final = 1 << 14
CUES: Final = 1 << 11
WIDTH: Final = GRAMS + CUES
# cues count half: they are few, and each of them speaks loudly
CUE_WEIGHT: Final = 0.5
MAX_TOKENS: Final = 60
_UNSPACED: Final = "\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff"
_TOKEN: Final = re.compile(
    rf"{'|'.join(RUNNING_WORDS)}|[{_UNSPACED}]|[^\W\d_{_UNSPACED}]+(?:'[^\W\d_{_UNSPACED}]+)?|\d+(?:[.,:/]\d+)*|[?!.,:;…\"]|[^\w\s]"
)
_PUNCTUATION: Final = frozenset('?!.,:;…"')
_LENGTHS: Final = (2, 3, 4, 5, 6, 8, 10, 13, 17, 22)
_CONTENTS: Final = (1, 2, 3, 4, 5, 7, 9, 12)


@dataclass(frozen=True, slots=True)
class Features:
    """The features of one statement.

    Attributes:
        wording: Places of its word and character n-grams.
        shape: Places of its sentence shape.
        cues: Names of its cues; their places are `place_of_cue`.
    """

    wording: frozenset[int]
    shape: frozenset[int]
    cues: tuple[str, ...]


def features_of(text: str) -> Features:
    """Read a statement; only its first sixty tokens count."""
    raw = _TOKEN.findall(straight(text).strip())[:MAX_TOKENS]
    tokens = ["0" if token[0].isdigit() else token.casefold() for token in raw]
    shapes = list(_shapes(tokens, raw))
    return Features(
        wording=frozenset(_hashed(name, GRAMS) for name in _wording(tokens)),
        shape=frozenset(_hashed(name, GRAMS) for name in _shape(shapes)),
        cues=tuple(sorted(set(_cues(tokens, shapes)))),
    )


def place_of_cue(name: str) -> int:
    """Give the place of a cue among the weights."""
    return GRAMS + _hashed(name, CUES)


def _hashed(name: str, size: int) -> int:
    return zlib.crc32(name.encode("utf-8", "surrogatepass")) & (size - 1)


def _wording(tokens: list[str]) -> Iterator[str]:
    for token in tokens:
        yield f"w:{token}"
        if len(token) >= 4:
            padded = f"<{token}>"
            for start in range(len(padded) - 3):
                yield f"c:{padded[start : start + 4]}"
    bounded = ["^", *tokens, "$"]
    for first, second in pairwise(bounded):
        yield f"b:{first} {second}"
    for place in range(len(bounded) - 2):
        # without spaces a word is two or three characters
        if ord(bounded[place + 1][0]) >= 0x3040:
            yield f"b3:{' '.join(bounded[place : place + 3])}"


def _shapes(tokens: list[str], raw: list[str]) -> Iterator[str]:
    """Name the class of each token: a word list, a function word as it is, or what its ending says."""
    opens = True
    for token, written in zip(tokens, raw, strict=True):
        yield _shape_of(token, written, opens=opens)
        opens = token in {".", "!", "?"}


def _shape_of(token: str, written: str, *, opens: bool) -> str:
    known = CLASS_OF.get(token)
    if known is not None:
        return known
    if token in FUNCTION or token in _PUNCTUATION:
        return token
    if token == "0":
        return "#"
    if not token[0].isalpha():
        return "%"
    if written[0].isupper() and not opens:
        return "Name"
    for ending in ("ing", "ed", "ly"):
        if token.endswith(ending):
            return f"~{ending}"
    return "~s" if token.endswith("s") and len(token) > 3 else "x"


def _shape(shapes: list[str]) -> Iterator[str]:
    bounded = ["^", *shapes, "$"]
    for place in range(len(bounded) - 1):
        yield f"s:{' '.join(bounded[place : place + 2])}"
        yield f"t:{' '.join(bounded[place : place + 3])}"
    yield f"o:{' '.join(bounded[:5])}"


def _cues(tokens: list[str], shapes: list[str]) -> Iterator[str]:
    words = [token for token in tokens if token[0].isalnum()]
    classes = {name for token in words for name in classes_of(token)}
    yield from classes
    speaker = next((name for name in SPEAKERS if name in classes), "nobody")
    yield f"by {speaker}"
    for name in COMBINED:
        if name in classes:
            yield f"{speaker}+{name}"
    if "past" in classes or "~ed" in shapes:
        yield "happened"
        yield f"{speaker}+happened"
        if "time" in classes:
            yield "happened+time"
    content = sum(token not in CLASS_OF and token not in FUNCTION for token in words)
    yield f"length {_bucket(len(words), _LENGTHS)}"
    yield f"content {_bucket(content, _CONTENTS)}"
    last = tokens[-1] if tokens else ""
    yield f"ends {last if last in _PUNCTUATION else 'word' if last[:1].isalnum() else 'sign'}"
    yield f"opens {shapes[0] if shapes else 'nothing'}"
    names = shapes.count("Name")
    if names:
        yield "name" if names == 1 else "names"
    if "0" in tokens:
        yield "number"
    if "?" in tokens:
        yield "question mark"


def _bucket(count: int, edges: tuple[int, ...]) -> int:
    return sum(count >= edge for edge in edges)


# what a cue is called in a reason; a cue that is not here is part of the sentence's form
_PHRASES: Final[Mapping[str, str]] = {
    "by i": "first person",
    "by my": "tells of what is theirs",
    "by we": "first person",
    "by you": "speaks to the reader",
    "by they": "tells of somebody else",
    "by it": "points at something said before",
    "by nobody": "names no speaker",
    "kin": "names someone close",
    "time": "names a time",
    "now": "is about the moment",
    "habit": "a word of habit",
    "past": "tells what happened",
    "happened": "tells what happened",
    "future": "tells what is to come",
    "hedge": "a word of doubt",
    "if": "a word of supposing",
    "wish": "tells a plan or wish",
    "taste": "tells a taste",
    "lasting": "a lasting verb",
    "praise": "thanks, praise or assent",
    "feeling": "a passing state",
    "not": "says no",
    "asking": "a question word",
    "request": "asks for something",
    "manner": "is about how to answer",
    "health": "is about health or diet",
    "task": "is about the task at hand",
    "told": "words of somebody else",
    "fiction": "is about a story",
    "name": "names somebody or something",
    "names": "names somebody or something",
    "number": "names a number",
    "question mark": "has a question mark",
    "ends ?": "has a question mark",
}


def phrase_of(cue: str) -> str | None:
    """Say in words what a cue is, or None when it is part of the sentence's form."""
    return _PHRASES.get(cue) or _PHRASES.get(cue.rpartition("+")[2])
