"""Words and sameness: what "the same words" means, and small helpers over tokens."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from typing import Final

HAN: Final = "\u3400-\u4dbf\u4e00-\u9fff"
"""Han characters, as ranges for a character class."""
# what may close a sentence without changing it, in the scripts we meet
_TRAILING: Final = " \t\n.,;:!?…。．！？、،؛؟।"
# letters and marks that draw nothing although Unicode calls them letters or symbols
_INVISIBLE: Final = frozenset("ᅟᅠㅤﾠ⠀")
_BLANK_CATEGORIES: Final = frozenset({"Zs", "Zl", "Zp", "Cc", "Cf", "Cn", "Mn", "Me"})
_WORD: Final = re.compile(r"[^\W_]+(?:['’][^\W\d_]+)?")
_APOSTROPHES: Final = str.maketrans({"’": "'", "ʼ": "'", "‘": "'", "`": "'"})


def normalise(text: str) -> str:
    """Reduce a text to what makes it "the same words".

    Case, width, spacing and final punctuation go; everything else stays, because digits, signs
    and inner punctuation carry meaning ("C++", "-5", "3.5").
    """
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())
    return " ".join(folded.translate(_APOSTROPHES).split()).rstrip(_TRAILING)


def without_accents(text: str) -> str:
    """Take the marks off the letters: "año" becomes "ano"."""
    return "".join(char for char in unicodedata.normalize("NFD", text) if not unicodedata.combining(char))


def content_key(subject: str, text: str) -> str:
    """Fingerprint a statement about a subject, for exact and normalised repeats."""
    joined = f"{subject}\x1f{normalise(text)}"
    return hashlib.sha256(joined.encode("utf-8", "surrogatepass")).hexdigest()[:32]


def is_blank(text: str) -> bool:
    """Tell whether a text draws nothing at all: white space, format and control characters only."""
    return all(c in _INVISIBLE or unicodedata.category(c) in _BLANK_CATEGORIES for c in text)


def straight(text: str) -> str:
    """Replace typographic apostrophes one for one, so that offsets stay."""
    return text.translate(_APOSTROPHES)


def words(text: str) -> list[str]:
    """Split into lower-case words; contractions stay whole."""
    return [match.group().translate(_APOSTROPHES).casefold() for match in _WORD.finditer(text)]


def slug(text: str, *, limit: int = 60) -> str:
    """Turn words into a name such as `badge_code`."""
    return "_".join(word.replace("'", "") for word in words(text))[:limit].strip("_")


def capitalised(text: str, *, like: str) -> str:
    """Write the rest of a sentence as one of its own, with a capital where the whole had one."""
    return text[:1].upper() + text[1:] if like[:1].isupper() else text


def vocabulary(listed: str) -> frozenset[str]:
    """Read a word list written as prose, so that long lists stay readable in the source."""
    return frozenset(listed.split())
