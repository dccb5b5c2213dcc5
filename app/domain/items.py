"""What a list item says in full: its heading and it together."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from app.domain.headings import Heading, heading_of
from app.domain.memory import Modality
from app.domain.modality import modality_of, strip_opening
from app.domain.standing import is_standing
from app.domain.subjects import person_of
from app.domain.text import straight

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
    r"(?P<item>[^():]{1,80}?)\s{0,3}\((?:for |only )?my (?P<who>[\w-]+)\)"
    r"|my (?P<whose>[\w-]+)(?::|\s[-–])\s*(?P<what>[^:]{1,80})",
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
INLINE: Final = re.compile(r"(?P<head>[A-Za-z][A-Za-z' -]{2,40}?)\s*[:：]\s*(?P<items>\S.*)", re.DOTALL)
STOP: Final = re.compile(r"(?<![\s.!])[\s.!]++\Z")


@dataclass(frozen=True, slots=True)
class Spelled:
    """What an item says in full; None where it speaks for itself. `governing` is what its heading makes of it."""

    text: str | None
    governing: Modality | None = None


def spelled(heading: str, item: str) -> Spelled:
    """Say in full what an item says under its heading."""
    head = straight(heading[strip_opening(heading) :]).strip()
    body = STOP.sub("", straight(item))
    line = INLINE.fullmatch(body)
    named = heading_of(line["head"]) if line is not None else None
    owner = somebody_of(head)
    if line is not None and named is not None and (owner or named.topic.identity):
        # the line of a form: of whom the heading speaks, or nobody's
        full = named.say(line["items"], owner=owner) if owner else None
        return Spelled(full, None if full else Modality.QUOTED)
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


def stays(heading: str, items: Sequence[str]) -> bool:
    """Tell whether a heading is a statement of its own: it says something in full that no item needs."""
    head = straight(heading[strip_opening(heading) :]).strip()
    if leads_only(heading):
        return False
    if bool(_FULL.match(head)) and not (_MINE.match(head) or _WHEN.match(head)):
        return True
    return (is_standing(head) or _CLAUSE.match(head) is not None) and says_nothing(heading, items)


def leads_only(heading: str) -> bool:
    """Tell whether a heading says nothing without its items: it is open, a topic, or stops before its object."""
    head = straight(heading[strip_opening(heading) :]).strip()
    return (
        _OPEN.fullmatch(head) is not None
        or heading_of(head) is not None
        or _FOLLOWING.search(head) is not None
        or _UNFINISHED.search(head) is not None
    )


def says_nothing(heading: str, items: Sequence[str]) -> bool:
    """Tell whether no item uses the words of its heading."""
    return all((said := spelled(heading, item)).text is None and said.governing is None for item in items)


def somebody_of(head: str) -> str | None:
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


def _lowered(item: str) -> str:
    """Write an ordinary first word small, as in the middle of a sentence."""
    first = item.split(maxsplit=1)[0] if item.strip() else ""
    common = first[1:].islower() and first.casefold().endswith(("s", "ing", "ies")) and len(first) > 3
    return item[:1].lower() + item[1:] if common or first.casefold() in {"the", "a", "an", "my", "be", "use"} else item
