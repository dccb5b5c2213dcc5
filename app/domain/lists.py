"""Lists: an item says what its heading and it say together. "Allergies:\\n- nuts" tells of an allergy to nuts."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from app.domain.memory import Modality
from app.domain.modality import modality_of, strip_opening
from app.domain.sentences import BULLET, Span
from app.domain.standing import is_standing
from app.domain.text import normalise, straight

_LONGEST_HEADING: Final = 80
_LONGEST_LINE: Final = 5  # words of an item without a bullet
_COLON: Final = re.compile(r"(?<![\s*_])[\s*_]*+[:：][\s*_]*+\Z")
# what the items of a heading say; "my", "our", "food" and the like before it change nothing
_SAYS: Final = tuple(
    (re.compile(heads, re.IGNORECASE), said)
    for heads, said in (
        (r"(?:allerg(?:y|ies|ens)|allergic to)", "I'm allergic to {}"),
        (r"intolerances?", "I'm intolerant to {}"),
        (r"(?:spoken )?languages?(?: (?:that )?i speak)?", "I speak {}"),
        (r"(?:hobb(?:y|ies)|pastimes?)", "my hobby is {}"),
        (r"(?:likes|(?:things|food|foods|stuff) (?:that )?i (?:like|love|enjoy)|favou?rites)", "I like {}"),
        (
            r"(?:dislikes|(?:things|food|foods|stuff) (?:that )?i (?:don't like|do not like|dislike|hate))",
            "I dislike {}",
        ),
        (r"(?:medications?|meds|medicines?|prescriptions?)", "I take {}"),
        (r"(?:tech stack|stack|tools?|tooling)(?: (?:that )?i use)?", "I use {}"),
        (r"(?:name|full name)", "my name is {}"),
        (r"(?:home|city|location|based in|home ?town|where i live)", "I live in {}"),
        (r"(?:job|occupation|profession|role|job title)", "I work as {}"),
        (r"(?:employer|company|workplace)", "I work at {}"),
        (r"(?:diet|birthday|time ?zone|pronouns|age|dog's name|cat's name)", "my {h} is {}"),
    )
)
_MINOR: Final = re.compile(
    r"(?:(?:my|our|the|food|known|current|dietary|main|other|medical|personal|daily|regular|all)\s+)+", re.IGNORECASE
)
# headings after which items speak for themselves
_OPEN: Final = re.compile(
    r"(?:(?:some |a few |more |the )?(?:facts?|info(?:rmation)?|details|background|context|notes?|things"
    r"|preferences|updates?)"
    r"(?: (?:about|on|for) (?:me|us|my \w+|you))?|about (?:me|us)|(?:please )?(?:remember|note"
    r"|keep in mind)(?: this| these"
    r"| that| the following)?|fyi|for your information|(?:important|reminder|my preferences|preferences)|"
    r"(?:some |a few )?things (?:to know|you should know|to remember|to keep in mind)(?: about me)?)",
    re.IGNORECASE,
)
# headings of what is handed in to be worked on
_MATERIAL: Final = re.compile(
    r"(?:the |my |sample |example )?(?:ingredients?|steps?|instructions?|method|directions|requirements?|inputs?"
    r"|outputs?"
    r"|examples?|errors?|options?|questions?|answers?|exercises?|tasks?|agenda|pros|cons|logs?|data|dataset"
    r"|columns?|text)",
    re.IGNORECASE,
)
# a heading that ends so wants its item to go on
_UNFINISHED: Final = re.compile(
    r"\b(?:to|with|in|for|at|of|on|from|by|as|about|like|love|hate|dislike|enjoy|prefer|use|speak|play|own|eat"
    r"|drink|take"
    r"|avoid|want|need|have|are|is|am|include|includes|please|always|never|should|called|named|visited|collect|grow)\Z",
    re.IGNORECASE,
)
_FOLLOWING: Final = re.compile(r"(?<!\s)\s++(?:(?:the )?following|these|those|this|the below)(?: \w+)?\Z", re.IGNORECASE)
_WHEN: Final = re.compile(
    r"(?:when|whenever|if|for|in|before|after|from now on|by default|going forward)\b", re.IGNORECASE
)
_FULL: Final = re.compile(
    r"(?:i|i'm|i've|i'd|i'll|we|we're|we've|my|our|he|she|they|it|the user)\b|[A-Z]\w+ (?:is|are|has|was|lives"
    r"|works)\b",
    re.IGNORECASE,
)
_MINE: Final = re.compile(r"(?:my|our)\b", re.IGNORECASE)
_INLINE: Final = re.compile(r"(?P<head>[A-Za-z][A-Za-z' -]{2,40}?)\s*[:：]\s*(?P<items>\S.*)", re.DOTALL)
_BETWEEN: Final = re.compile(r"(?<!\s)\s*+[,;]\s*+(?:and\s++|or\s++)?|(?<!\s)\s++(?:and|&)\s++")
_STOP: Final = re.compile(r"(?<![\s.!])[\s.!]++\Z")


@dataclass(frozen=True, slots=True)
class Piece:
    """A sentence or a list item; `heading` are the words above it, without the colon."""

    span: Span
    heading: str | None = None


@dataclass(frozen=True, slots=True)
class Spelled:
    """What an item says in full; None where it speaks for itself. `governing` is what its heading makes of it."""

    text: str | None
    governing: Modality | None = None


def itemised(text: str, spans: Sequence[Span]) -> list[Piece]:
    """Give each list item its heading; a heading that only opens its list says nothing of its own and is left out."""
    pieces: list[Piece] = []
    position = 0
    while position < len(spans):
        span = spans[position]
        heading = None if span.code else _heading(span.of(text))
        items = [] if heading is None else list(_items(text, spans, position))
        if heading is None or not items:
            pieces += _inline(text, span) if not span.code else [Piece(span)]
            position += 1
            continue
        if _is_whole(heading):
            end = span.start + len(_COLON.sub("", span.of(text)))
            pieces.append(Piece(Span(span.start, end)))
        pieces += [Piece(item, heading if first else None) for item, first in items]
        position += 1 + len(items)
    return pieces


def spelled(heading: str, item: str) -> Spelled:
    """Say in full what an item says under its heading."""
    head = straight(heading[strip_opening(heading) :]).strip()
    body = _STOP.sub("", straight(item))
    if _OPEN.fullmatch(head):
        return Spelled(None)
    topic = _topic(head)
    if topic is not None and not _FULL.match(body):
        return Spelled(topic.format(_lowered(body), h=_MINOR.sub("", head).casefold()))
    meant = Modality.QUOTED if _MATERIAL.fullmatch(head) else modality_of(head)
    if meant in {Modality.QUESTION, Modality.HYPOTHETICAL, Modality.QUOTED}:
        return Spelled(None, meant)
    if meant is Modality.COMMAND and not is_standing(f"{head} {body}"):
        # what is handed in with a request is material for it
        return Spelled(None, Modality.QUOTED)
    if _FULL.match(body) or is_standing(body):
        return Spelled(f"{head}, {body}" if _WHEN.match(head) and is_standing(body) else None)
    short = _FOLLOWING.sub("", head)
    if _WHEN.match(head):
        return Spelled(f"{short}, {_lowered(body)}")
    if _UNFINISHED.search(short):
        return Spelled(f"{short} {_lowered(body)}")
    return Spelled(f"{head}: {body}")


def _heading(text: str) -> str | None:
    if len(text) > _LONGEST_HEADING or not _COLON.search(text):
        return None
    return _COLON.sub("", text).lstrip("*_# \t") or None


def _is_whole(heading: str) -> bool:
    """Tell whether a heading says something of its own: "I have two dogs", and not "My hobbies"."""
    head = straight(heading[strip_opening(heading) :]).strip()
    if _OPEN.fullmatch(head) or _topic(head) is not None or _FOLLOWING.search(head) or _UNFINISHED.search(head):
        return False
    return bool(_FULL.match(head)) and not _MINE.match(head) and not _WHEN.match(head)


def _topic(head: str) -> str | None:
    plain = normalise(_MINOR.sub("", head))
    return next((said for pattern, said in _SAYS if pattern.fullmatch(plain)), None)


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
            between.count("\n") > 1 or len(plain.split()) > _LONGEST_LINE or plain.endswith((".", "?", "!", ":"))
        ):
            return
        yield span, True
        end = span.end


def _inline(text: str, span: Span) -> list[Piece]:
    """Cut "Allergies: nuts, eggs" into its items; only after headings whose items surely say one thing."""
    match = _INLINE.fullmatch(text[span.start : span.end])
    if match is None or _topic(straight(match["head"]).strip()) is None:
        return [Piece(span)]
    heading = match["head"].strip()
    begin = span.start + match.start("items")
    end = span.start + len(_STOP.sub("", span.of(text)))
    pieces: list[Piece] = []
    for cut in [*_BETWEEN.finditer(text, begin, end), None]:
        stop = end if cut is None else cut.start()
        if stop > begin:
            pieces.append(Piece(Span(begin, stop), heading))
        begin = end if cut is None else cut.end()
    return pieces if pieces else [Piece(span)]


def _lowered(item: str) -> str:
    """Write an ordinary first word small, as in the middle of a sentence."""
    first = item.split(maxsplit=1)[0] if item.split() else ""
    common = first[1:].islower() and first.casefold().endswith(("s", "ing", "ies")) and len(first) > 3
    return item[:1].lower() + item[1:] if common or first.casefold() in {"the", "a", "an", "my", "be", "use"} else item
