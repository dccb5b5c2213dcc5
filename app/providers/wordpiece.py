"""Uncased BERT tokenizer: text to the token ids of the bundled model.

Gives the ids of the published tokenizer, with one intended difference: a literal "[SEP]" in a text is read as the word
"sep" between brackets and never becomes a control token. No word of a text is kept after the call.
"""

from __future__ import annotations

import re
import string
import unicodedata
from collections.abc import Mapping
from functools import lru_cache
from typing import Final

MAX_TOKENS: Final = 256
"""Length of a token list with its two control tokens; the model was trained on no more."""
MAX_WORD: Final = 100
"""Characters; a longer word is one unknown token."""
CONTINUATION: Final = "##"

_CHUNK: Final = re.compile(r"[^ \t\n\r]+")
_DROPPED: Final = frozenset({"Cc", "Cf", "Co", "Cs"})  # control, format, private use, surrogate
_CJK: Final = (
    (0x3400, 0x4DBF),
    (0x4E00, 0x9FFF),
    (0xF900, 0xFAFF),
    (0x20000, 0x2A6DF),
    (0x2A700, 0x2B73F),
    (0x2B740, 0x2B81F),
    (0x2B920, 0x2CEAF),
    (0x2F800, 0x2FA1F),
)


@lru_cache(maxsize=4096)
def fold(char: str) -> str:
    """Fold one character: lower case without accents; spaces around what is a word of its own; nothing for controls.

    Character by character on purpose: normalising a whole text sorts its combining marks in quadratic time, and
    lowering a whole text would make the last sigma of a word another letter than the vocabulary has.
    """
    if char in "\t\n\r":
        return " "
    if char == "\ufffd" or unicodedata.category(char) in _DROPPED:
        return ""
    if char.isspace():
        return " "
    bare = "".join(part for part in unicodedata.normalize("NFD", char) if unicodedata.category(part) != "Mn")
    lower = "".join(part.lower() for part in bare)
    return f" {lower} " if any(map(_stands_alone, (char, *lower))) else lower


def _stands_alone(char: str) -> bool:
    """Tell whether a character is a word of its own: punctuation, ASCII symbols and CJK ideographs."""
    if char in string.punctuation or unicodedata.category(char).startswith("P"):
        return True
    code = ord(char)
    return any(first <= code <= last for first, last in _CJK)


class WordPiece:
    """Splits texts into the vocabulary's pieces, the longest first. Holds no state but the vocabulary."""

    def __init__(self, vocabulary: Mapping[str, int]) -> None:
        self._vocabulary = vocabulary
        self._longest = max(len(piece) for piece in vocabulary)
        self._start, self._end, self._unknown = (vocabulary[token] for token in ("[CLS]", "[SEP]", "[UNK]"))

    @classmethod
    def from_lines(cls, text: str) -> WordPiece:
        """Read a vocabulary file: one piece a line, its id is the line number from 0."""
        return cls({piece: index for index, piece in enumerate(text.rstrip("\n").split("\n"))})

    def encode(self, text: str) -> list[int]:
        """Return the ids of a text: start, at most MAX_TOKENS - 2 pieces, end.

        Linear in the length of the text; the rest of a text is not looked at once the list is full.
        """
        room = MAX_TOKENS - 2
        ids: list[int] = []
        for chunk in _CHUNK.finditer(text):
            for word in "".join(map(fold, chunk.group())).split():
                ids += self._pieces(word)
                if len(ids) >= room:
                    return [self._start, *ids[:room], self._end]
        return [self._start, *ids, self._end]

    def _pieces(self, word: str) -> list[int]:
        """Return the ids of one word, or the unknown token alone when a part of it is not in the vocabulary."""
        if len(word) > MAX_WORD:
            return [self._unknown]
        ids: list[int] = []
        start = 0
        while start < len(word):
            prefix = CONTINUATION if start else ""
            for end in range(min(len(word), start + self._longest), start, -1):
                found = self._vocabulary.get(prefix + word[start:end])
                if found is not None:
                    ids.append(found)
                    start = end
                    break
            else:
                return [self._unknown]
        return ids
