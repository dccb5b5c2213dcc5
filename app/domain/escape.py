"""Making stored text harmless inside the context block: it stays one line of data."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

# joiners and variation selectors belong to emoji and to Persian or Indic words, never to ASCII
_JOINERS: Final = "\u200c\u200d"
_STRAY_JOINER: Final = re.compile(rf"(?<![^\x00-\x7f])[{_JOINERS}]+|[{_JOINERS}]+(?![^\x00-\x7f])|[{_JOINERS}]{{2,}}")
_SELECTORS: Final = "\ufe00-\ufe0f\U000e0100-\U000e01ef"
# one may follow a character; a run of them is a hidden message
_STRAY_SELECTOR: Final = re.compile(rf"(?<![^\x00-\x7f])[{_SELECTORS}]+|(?<=[{_SELECTORS}])[{_SELECTORS}]+")
_OPENING: Final = re.compile("[<＜﹤]|&(?:lt|#0*60|#x0*3c);?", re.IGNORECASE)
_GAP: Final = rf"[\s{_JOINERS}{_SELECTORS}]*"
_REF: Final = re.compile(rf"[\[［【〔]{_GAP}(m){_GAP}(\d+){_GAP}[\]］】〕]", re.IGNORECASE)
_TEMPLATE: Final = re.compile(r"[\[［](\s*/?\s*(?:INST|SYS|SYSTEM)\s*)[\]］]", re.IGNORECASE)
_ROLE: Final = re.compile(
    r"\b(system|assistant|user|human|developer|tool|function|ai|bot)(\s*)[:：﹕꞉](?!\S*//)", re.IGNORECASE
)


def one_line(text: str) -> str:
    """Turn stored text into one line that can neither close the fence nor look like a role or a ref.

    White space and control characters become single spaces, invisible and direction characters go,
    `<` becomes `‹` (so no tag opens), `[m1]` becomes `(m1)`, and the colon of "system:" a dash.
    """
    safe = _without_strays("".join(_visible(char) for char in text))
    safe = _TEMPLATE.sub(r"(\1)", _REF.sub(r"(\1\2)", _OPENING.sub("‹", safe)))
    return " ".join(_without_strays(_ROLE.sub(r"\1 -", safe)).split())


def _without_strays(text: str) -> str:
    return _STRAY_SELECTOR.sub("", _STRAY_JOINER.sub("", text))


def _visible(char: str) -> str:
    category = unicodedata.category(char)
    if category in ("Cc", "Zl", "Zp", "Zs"):
        return " "
    if category == "Cs":
        return "\N{REPLACEMENT CHARACTER}"
    return "" if category == "Cf" and char not in _JOINERS else char
