"""Lists: an item says what its heading and it say together. "Allergies:\\n- nuts" tells of an allergy to nuts."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from app.domain.headings import Heading, heading_of
from app.domain.memory import Modality
from app.domain.modality import modality_of, strip_opening
from app.domain.sentences import BULLET, Span
from app.domain.standing import is_standing
from app.domain.subjects import person_of
from app.domain.text import straight

_LONGEST_HEADING: Final = 80
_LOOKED_AT: Final = 20  # items that may use the words of a heading
_LONGEST_LINE_OF_A_FORM: Final = 200
_LONGEST_LINE: Final = 5  # words of an item without a bullet
_COLON: Final = re.compile(r"(?<![\s*_])[\s*_]*+[:：][\s*_]*+\Z")
# headings after which items speak for themselves
_OPEN: Final = re.compile(
    r"(?:(?:some |a few |more |the )?(?:facts?|info(?:rmation)?|details|background|context|notes?|things|preferences"
    r"|updates?)(?: (?:about|on|for) (?:me|us|my \w+|you))?|about (?:me|us)"
    r"|(?:please |always |and )*(?:remember|note|consider|keep in mind|keep|bear in mind|bear"
    r"|take into (?:account|consideration)|take|(?:don't|do not|never) forget|save|store|memori[sz]e)"
    r"(?: this| these| that| the following)?(?: (?:about me|in mind|into account))?"
    r"|(?:please )?(?:add(?: this| these| the following)? to|update|save(?: this| these)? (?:to|in))"
    r" (?:my|your) (?:profile|memory|notes?|records?)"
    r"|(?:here(?:'s| is| are) )?my (?:profile|details|situation|data|bio"
    r"|(?:personal|contact) (?:details|data|info(?:rmation)?))"
    r"|fyi|for your information|(?:important|reminder|my preferences|preferences)"
    r"|(?:some |a few )?things (?:to know|you should know|to remember|to keep in mind)(?: about me)?)",
    re.IGNORECASE,
)
# under these a form is the user's own
_SELF: Final = re.compile(
    r".*\b(?:about me|my (?!\w+'s\b)[\w ]*(?:profile|details|data|bio|info(?:rmation)?))\Z", re.IGNORECASE
)
# what is handed in with these is worked on, whoever says "I" in it
_WORKED_ON: Final = re.compile(
    r"\b(?:write|translate|draft|rewrite|reword|rephrase|proofread|paraphrase|summari[sz]e|shorten|edit|correct|improve"
    r"|polish|format|convert|analy[sz]e|classify|compose|say|tell|ask|reply|pretend|imagine|act|read|repeat)\b",
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
_FOLLOWING: Final = re.compile(
    r"(?<!\s)\s++(?:(?:the )?following|these|those|this|the below)(?: \w+)?\Z", re.IGNORECASE
)
_WHEN: Final = re.compile(
    r"(?:when|whenever|if|for|in|before|after|from now on|by default|going forward)\b", re.IGNORECASE
)
_FULL: Final = re.compile(
    r"(?:i|i'm|i've|i'd|i'll|we|we're|we've|my|our|he|she|they|it|the user)\b|[A-Z]\w+ (?:is|are|has|was|lives"
    r"|works)\b",
    re.IGNORECASE,
)
_CLAUSE: Final = re.compile(
    r"(?:(?:my|our) \w+(?: [A-Z]\w+)?|[A-Z]\w+) (?:is|are|has|have|was|were|can|can't|cannot|must|mustn't|doesn't|does"
    r"|lives|works|loves|likes|hates|needs|never|always)\b"
)
_MINE: Final = re.compile(r"(?:my|our)\b", re.IGNORECASE)
_FIRST: Final = re.compile(r"(?:i|i'm|i've|i'd|i'll|we|we're|we've|my|our)\b", re.IGNORECASE)
# "tools I no longer use", "countries that I have never visited": the clause takes the item
_RELATIVE: Final = re.compile(
    r"(?:the |some |all )?(?:[\w-]+ ){0,2}[\w-]+s (?:that |which )?(?P<clause>(?:i|we) [\w' ]+)", re.IGNORECASE
)
# "nuts (my daughter)", "my son: eggs"
_OF_WHOM: Final = re.compile(
    r"(?P<item>[^():]+?)\s*\((?:for |only )?my (?P<who>[\w-]+)\)|my (?P<whose>[\w-]+)(?::|\s[-–])\s*(?P<what>[^:]+)",
    re.IGNORECASE,
)
_SOMEBODY: Final = re.compile(
    r"(?:(?:some )?(?:facts |info |notes )?about )?(?:my|our) (?P<who>[\w-]+(?: [\w-]+)?)", re.IGNORECASE
)
_PREDICATE: Final = re.compile(
    r"(?:is|has|was|can|can't|cannot|doesn't|lives|works|likes|loves|hates|speaks|plays|owns|drives|studies|uses|needs"
    r"|wants|eats|drinks|takes|goes|prefers|dislikes|moved|never|always) \S"
)
_NONE: Final = re.compile(
    r"(?:(?:(?:i|we) (?:have|take|use|had) )?none(?: known| so far| at all)?|nothing|no|nil|n/?a|not any"
    r"|no known .+|-+)",
    re.IGNORECASE,
)
_NOT: Final = re.compile(r"(?:but )?(?:not|except(?: for)?|no) (?P<item>\S.*)", re.IGNORECASE)
_TALK: Final = re.compile(
    r"(?:thank|thanks|thx|cheers|please|hi|hello|hey|bye|ok|okay|best regards|kind regards|regards|see you|let me know"
    r"|that's|have a|any (?:ideas?|tips)|sorry|lol|great|cool|can you|could you)\b(?! \()",
    re.IGNORECASE,
)
_INLINE: Final = re.compile(r"(?P<head>[A-Za-z][A-Za-z' -]{2,40}?)\s*[:：]\s*(?P<items>\S.*)", re.DOTALL)
_BETWEEN: Final = re.compile(r"(?:(?<!\s)\s++)?[,;]\s*+(?:and\s++|or\s++)?|(?<!\s)\s++(?:and|&)\s++")
_STOP: Final = re.compile(r"(?<![\s.!])[\s.!]++\Z")


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


@dataclass(frozen=True, slots=True)
class Spelled:
    """What an item says in full; None where it speaks for itself. `governing` is what its heading makes of it."""

    text: str | None
    governing: Modality | None = None


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
        if _stays(heading, looked_at):
            pieces.append(Piece(whole, leads=True))
        elif not _leads_only(heading) and _says_nothing(heading, looked_at):
            pieces.append(Piece(whole, governing=Modality.QUOTED, leads=True))
        own = _is_own(heading)
        somebody = _somebody(straight(heading)) is not None
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
        line = _INLINE.fullmatch(span.of(text))
        head = heading_of(line["head"]) if line else heading_of(heading) if heading else None
        if head is not None and head.is_bare_identity:
            found |= dict.fromkeys(block, own)
            block, inside = [], True
        elif inside:
            found[position] = own
    return found


def _is_own(heading: str) -> bool:
    return _SELF.fullmatch(straight(heading)) is not None and modality_of(heading) is not Modality.QUOTED


def spelled(heading: str, item: str) -> Spelled:
    """Say in full what an item says under its heading."""
    head = straight(heading[strip_opening(heading) :]).strip()
    body = _STOP.sub("", straight(item))
    line = _INLINE.fullmatch(body)
    named = heading_of(line["head"]) if line is not None else None
    owner = _somebody(head)
    if line is not None and named is not None and (owner or named.topic.identity):
        # the line of a form: of whom the heading speaks, or nobody's
        said = named.say(line["items"], owner=owner) if owner else None
        return Spelled(said, None if said else Modality.QUOTED)
    if owner is not None and _PREDICATE.match(body):
        return Spelled(f"{owner} {body}")
    if _OPEN.fullmatch(head):
        return Spelled(None)
    topic = heading_of(head)
    if topic is not None and topic.is_bare_identity:
        return Spelled(None, Modality.QUOTED)
    if topic is not None and (said := _under(topic, head, body)) is not None:
        return said
    meant = Modality.QUOTED if _MATERIAL.fullmatch(head) else modality_of(head)
    if meant in {Modality.QUESTION, Modality.HYPOTHETICAL, Modality.QUOTED}:
        return Spelled(None, meant)
    if meant is Modality.COMMAND and not is_standing(f"{head} {body}") and not is_standing(head):
        # what is handed in with a request is material for it, but what somebody says of themselves
        if _FIRST.match(body) and not _WORKED_ON.search(head):
            return Spelled(None)
        return Spelled(None, Modality.QUOTED)
    if _FULL.match(body) or is_standing(body):
        return Spelled(f"{head}, {body}" if _WHEN.match(head) and is_standing(body) else None)
    short = _FOLLOWING.sub("", head)
    if _WHEN.match(head):
        return Spelled(f"{short}, {_lowered(body)}")
    if _UNFINISHED.search(short):
        relative = _RELATIVE.fullmatch(short)
        return Spelled(f"{relative['clause'] if relative else short} {_lowered(body)}")
    return Spelled(f"{head}: {body}")


def _somebody(head: str) -> str | None:
    """Find that a heading names somebody of the user's: "My brother Tom", "About my dog"."""
    match = _SOMEBODY.fullmatch(head)
    return f"my {match['who']}" if match is not None and person_of(match["who"].split()[0], {}) else None


def _under(topic: Heading, head: str, body: str) -> Spelled | None:
    """Say an item of a topic; None for one that speaks for itself."""
    if _NONE.fullmatch(body):
        return Spelled(None, Modality.QUOTED) if topic.topic.single else Spelled(_without(topic, head))
    whom = _OF_WHOM.fullmatch(body)
    who = (whom["who"] or whom["whose"]) if whom else None
    if whom is not None and who is not None and person_of(who, {}):
        return Spelled(topic.say(_lowered(whom["item"] or whom["what"]), owner=f"my {who}"))
    if _FULL.match(body) and not (_MINE.match(body) and len(body.split()) == 2):
        return None
    if (negated := _NOT.fullmatch(body)) is not None:
        said = topic.say(_lowered(negated["item"]), negative=True)
        return Spelled(said) if said is not None else Spelled(None, Modality.QUOTED)
    return Spelled(topic.say(_lowered(body) if topic.topic.common else body))


def _without(topic: Heading, head: str) -> str:
    """Say that there is none of a kind: "I have no allergies"."""
    kind = "allergies" if topic.plain.startswith("allerg") else _plain_head(head)
    return f"{topic.owner} has no {kind}" if topic.owner else f"I have no {kind}"


def _plain_head(head: str) -> str:
    return re.sub(r"\A(?:my|our|the|known|current|all) (?:[\w-]+'s )?", "", head.casefold())


def _heading(text: str) -> str | None:
    if len(text) > _LONGEST_HEADING or not _COLON.search(text):
        return None
    return _COLON.sub("", text).lstrip("*_# \t") or None


def _stays(heading: str, items: Sequence[str]) -> bool:
    """Tell whether a heading is a statement of its own: it says something in full that no item needs."""
    head = straight(heading[strip_opening(heading) :]).strip()
    if _leads_only(heading):
        return False
    if bool(_FULL.match(head)) and not (_MINE.match(head) or _WHEN.match(head)):
        return True
    return (is_standing(head) or _CLAUSE.match(head) is not None) and _says_nothing(heading, items)


def _leads_only(heading: str) -> bool:
    """Tell whether a heading says nothing without its items: it is open, a topic, or stops before its object."""
    head = straight(heading[strip_opening(heading) :]).strip()
    return (
        _OPEN.fullmatch(head) is not None
        or heading_of(head) is not None
        or _FOLLOWING.search(head) is not None
        or _UNFINISHED.search(head) is not None
    )


def _says_nothing(heading: str, items: Sequence[str]) -> bool:
    """Tell whether no item uses the words of its heading."""
    return all((said := spelled(heading, item)).text is None and said.governing is None for item in items)


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
    match = _INLINE.fullmatch(text[span.start : span.end])
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
    first = item.split(maxsplit=1)[0] if item.strip() else ""
    common = first[1:].islower() and first.casefold().endswith(("s", "ing", "ies")) and len(first) > 3
    return item[:1].lower() + item[1:] if common or first.casefold() in {"the", "a", "an", "my", "be", "use"} else item
