"""Lists: an item says what its heading and it say together. "Allergies:\\n- nuts" tells of an allergy to nuts."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from app.domain.headings import heading_of
from app.domain.items import INLINE, STOP, leads_only, says_nothing, somebody_of, stays
from app.domain.memory import Modality
from app.domain.modality import modality_of
from app.domain.sentences import BULLET, Span
from app.domain.text import straight

_LONGEST_HEADING: Final = 80
_LOOKED_AT: Final = 20  # items that may use the words of a heading
_LONGEST_LINE_OF_A_FORM: Final = 200
_LONGEST_LINE: Final = 5  # words of an item without a bullet
_COLON: Final = re.compile(r"(?<![\s*_])[\s*_]*+[:：][\s*_]*+\Z")
# under these a form is the user's own
_SELF: Final = re.compile(
    r"\b(?:about me|my (?!\w+'s\b)[\w ]{0,30}(?:profile|details|data|bio|info(?:rmation)?))\Z", re.IGNORECASE
)
_TALK: Final = re.compile(
    r"(?:thank|thanks|thx|cheers|please|hi|hello|hey|bye|ok|okay|best regards|kind regards|regards|see you|let me know"
    r"|that's|have a|any (?:ideas?|tips)|sorry|lol|great|cool|can you|could you)\b(?! \()",
    re.IGNORECASE,
)
_BETWEEN: Final = re.compile(r"(?:(?<!\s)\s++)?[,;]\s*+(?:and\s++|or\s++)?|(?<!\s)\s++(?:and|&)\s++")


@dataclass(frozen=True, slots=True)
class Piece:
    """A sentence or a list item; `heading` are the words above it, without the colon.

    `governing` is how it is meant because of what stands around it: the lines of a form are material.
    `leads` marks a heading: "she" in its items is whom it names.
    """

    span: Span
    heading: str | None = None
    governing: Modality | None = None
    leads: bool = False


def itemised(text: str, spans: Sequence[Span]) -> list[Piece]:
    """Give each list item its heading; a heading that only opens its list says nothing of its own and is left out."""
    pieces: list[Piece] = []
    position = 0
    forms = _forms(text, spans)
    while position < len(spans):
        span = spans[position]
        if span.code:
            pieces.append(Piece(span))
            position += 1
            continue
        heading = _heading(span.of(text))
        items = [] if heading is None else list(_items(text, spans, position))
        if heading is None or not items:
            pieces += _inline(text, span, own=forms.get(position))
            position += 1
            continue
        looked_at = [item.of(text) for item, _ in items[:_LOOKED_AT]]
        whole = Span(span.start, span.start + len(_COLON.sub("", span.of(text))))
        if stays(heading, looked_at):
            pieces.append(Piece(whole, leads=True))
        elif not leads_only(heading) and says_nothing(heading, looked_at):
            pieces.append(Piece(whole, governing=Modality.QUOTED, leads=True))
        own = _is_own(heading)
        somebody = somebody_of(straight(heading)) is not None
        for place, (item, first) in enumerate(items, position + 1):
            if own and (inside := _inline(text, item, own=True)) and inside[0].heading:
                pieces += inside
            elif forms.get(place) is False and not somebody:
                pieces.append(Piece(item, governing=Modality.QUOTED))
            else:
                pieces.append(Piece(item, heading if first else None))
        position += 1 + len(items)
    return pieces


def _forms(text: str, spans: Sequence[Span]) -> dict[int, bool]:
    """Find the lines of forms, blocks with a line such as "Name: ..." in them, and whether a form is the user's own."""
    found: dict[int, bool] = {}
    block: list[int] = []
    own = inside = False
    for position, span in enumerate(spans):
        before = spans[position - 1] if position else None
        if before is None or "\n\n" in re.sub(r"[ \t\r]+", "", text[before.end : span.start]):
            block, inside = [], False
            own = before is not None and not before.code and _is_own(_heading(before.of(text)) or "")
        block.append(position)
        if span.code or span.end - span.start > _LONGEST_LINE_OF_A_FORM:
            continue
        if (heading := _heading(span.of(text))) is not None:
            own = own or _is_own(heading)
        line = INLINE.fullmatch(span.of(text))
        head = heading_of(line["head"]) if line else heading_of(heading) if heading else None
        if head is not None and head.is_bare_identity:
            found |= dict.fromkeys(block, own)
            block, inside = [], True
        elif inside:
            found[position] = own
    return found


def _is_own(heading: str) -> bool:
    return _SELF.search(straight(heading)) is not None and modality_of(heading) is not Modality.QUOTED


def _heading(text: str) -> str | None:
    if len(text) > _LONGEST_HEADING or not _COLON.search(text):
        return None
    return _COLON.sub("", text).lstrip("*_# \t") or None


def _items(text: str, spans: Sequence[Span], position: int) -> Iterator[tuple[Span, bool]]:
    """Give the spans of the list under a heading, and whether each is the first of its item."""
    bulleted: bool | None = None
    end = spans[position].end
    for span in spans[position + 1 :]:
        between = text[end : span.start]
        if span.code or ("\n" not in between and bulleted is None):
            return
        if "\n" not in between:
            yield span, False  # another sentence of the same item
            end = span.end
            continue
        line = text[text.rfind("\n", 0, span.start) + 1 : span.start]
        bullet = bool(line.strip()) and BULLET.fullmatch(line) is not None
        if bulleted is None:
            bulleted = bullet
        plain = span.of(text)
        if bullet != bulleted or (bullet and between.count("\n") > 2):
            return
        if not bullet and (
            between.count("\n") > 1
            or len(plain.split()) > _LONGEST_LINE
            or plain.endswith((".", "?", "!", ":"))
            or _TALK.match(straight(plain))
        ):
            return
        yield span, True
        end = span.end


def _inline(text: str, span: Span, *, own: bool | None) -> list[Piece]:
    """Cut "Allergies: nuts, eggs" into its items; only after headings whose items surely say one thing.

    `own` tells of a line of a form whether the form is the user's.
    """
    match = INLINE.fullmatch(text[span.start : span.end])
    if match is None:
        return [Piece(span)]
    if own is False:
        return [Piece(span, governing=Modality.QUOTED)]
    heading = match["head"].strip()
    topic = heading_of(straight(heading))
    if topic is None:
        return [Piece(span)]
    if own and topic.is_bare_identity:
        heading = f"my {heading}"
    if topic.topic.single:
        return [Piece(replace(span, start=span.start + match.start("items")), heading)]
    begin = span.start + match.start("items")
    end = span.start + len(STOP.sub("", span.of(text)))
    pieces: list[Piece] = []
    for cut in [*_BETWEEN.finditer(text, begin, end), None]:
        stop = end if cut is None else cut.start()
        if stop > begin:
            pieces.append(Piece(Span(begin, stop), heading))
        begin = end if cut is None else cut.end()
    return pieces if pieces else [Piece(span)]
