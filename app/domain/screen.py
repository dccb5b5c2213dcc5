"""The screen: what may not reach the rules at all, and what is cut or blacked out before it does."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from app.domain.injection import injection_family
from app.domain.memory import Code, Message, Reason
from app.domain.secrets import redact
from app.domain.text import is_blank

MAX_MESSAGE: Final = 32_000  # code points
_SHOWN: Final = 1_000  # of a text that is too long, this much is kept for the reply

# NUL cannot be stored, a lone surrogate is no text
_INVALID: Final = re.compile("[\x00\ud800-\udfff]")
# the fence of our own context block: any case, spacing, escaping, with or without the nonce
_FENCE: Final = re.compile(
    r"(?:<|&lt;|＜)[ \t]{0,4}(?P<close>/?)[ \t]{0,4}lethe-memory\b(?P<rest>[^<>\n]{0,64}?)(?:>|&gt;|＞|(?=\n)|$)",
    re.IGNORECASE,
)
_NONCE: Final = re.compile(r"id[^0-9a-z]{1,12}([0-9a-z]{6})\b", re.IGNORECASE)
# what may stand before a fence on its line: indentation, quote marks, bullets
_PREFIX: Final = re.compile(r"[ \t>*|`-]*\Z")


@dataclass(frozen=True, slots=True)
class Screened:
    """A message after the screen.

    `text` is safe to store and embed. `rejected` stops it before the gate, `notes` go with every
    candidate, `injection` makes the gate set its candidates aside.
    """

    text: str
    rejected: Reason | None = None
    notes: tuple[Reason, ...] = ()
    injection: Reason | None = None


def screen(message: Message) -> Screened:
    """Look at one message before any rule reads it.

    Args:
        message: The turn as offered.

    Returns:
        The text to go on with, and what was found.
    """
    notes = [Reason(Code.NON_TEXT_PART, "only text parts are read")] if message.skipped_parts else []
    text = message.text
    if _INVALID.search(text):
        safe, _ = redact(_INVALID.sub("\N{REPLACEMENT CHARACTER}", text[: 2 * _SHOWN]))
        return Screened(safe[:_SHOWN], Reason(Code.INVALID_TEXT, "holds NUL or a lone surrogate"), tuple(notes))
    if len(text) > MAX_MESSAGE:
        safe, _ = redact(text[: 2 * _SHOWN])
        return Screened(safe[:_SHOWN], Reason(Code.TOO_LONG, f"longer than {MAX_MESSAGE} characters"), tuple(notes))
    if is_blank(text):
        return Screened("", Reason(Code.BLANK, "holds nothing to read"), tuple(notes))
    text, cut = cut_recalled(text)
    if cut:
        reason = Reason(Code.RECALLED_CONTEXT, "a context block of ours was cut out")
        if is_blank(text):
            return Screened("", Reason(Code.RECALLED_CONTEXT, "holds only a context block of ours"), tuple(notes))
        notes.append(reason)
    text, secret = redact(text)
    if secret:
        notes.append(Reason(Code.SECRET_REDACTED, "a secret was replaced by [redacted]"))
    family = injection_family(text)
    injection = Reason(Code.INJECTION, f"reads like an attempt to steer the assistant: {family}") if family else None
    return Screened(text, None, tuple(notes), injection)


def cut_recalled(text: str) -> tuple[str, bool]:
    """Cut out our own context blocks, so that what was recalled is never learnt again.

    A block ends at the closing fence with its own nonce, because a memory inside may hold a
    forged one; without such a fence at the last closing fence, and without any at the end.
    """
    tags = list(_FENCE.finditer(text))
    if not tags:
        return text, False
    kept: list[str] = []
    position = 0
    index = 0
    while index < len(tags):
        tag = tags[index]
        kept.append(_PREFIX.sub("", text[position : tag.start()], count=1))
        index, position = (index + 1, tag.end()) if tag["close"] else _block_end(text, tags, index)
    kept.append(text[position:])
    return "\n".join(part.strip() for part in kept if not is_blank(part)), True


def _block_end(text: str, tags: list[re.Match[str]], opening: int) -> tuple[int, int]:
    """Find where a block ends: the index of the next tag after it, and the position in the text."""
    nonce = _nonce(tags[opening])
    closing = [i for i in range(opening + 1, len(tags)) if tags[i]["close"]]
    same = next((i for i in closing if nonce is not None and _nonce(tags[i]) == nonce), None)
    if same is None and nonce is None:
        same = next((i for i in closing if _nonce(tags[i]) is None), None)
    found = same if same is not None else (closing[-1] if closing else None)
    return (len(tags), len(text)) if found is None else (found + 1, tags[found].end())


def _nonce(tag: re.Match[str]) -> str | None:
    match = _NONCE.search(tag["rest"])
    return match.group(1).casefold() if match else None
