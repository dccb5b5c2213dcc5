"""Frames: verb phrases that name an attribute, and how a statement is read into a claim."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

from app.domain.attributes import REGISTRY, Attribute, derived, named
from app.domain.frame_table import FRAMES, Frame, clean, fits
from app.domain.memory import USER_SUBJECT
from app.domain.subjects import About, about, person_of, thing
from app.domain.text import straight


@dataclass(frozen=True, slots=True)
class Reading:
    """What a statement says: the claim's parts, and a canonical content where the frame has one."""

    subject: str
    label: str = "User"
    attribute: Attribute | None = None
    value: str | None = None
    positive: bool = True
    ends: bool = False
    ended_value: str | None = None
    content: str | None = None
    plural: bool = False
    known_as: tuple[str, ...] = ()


_ADVERB: Final = (
    r"(?:(?:now|currently|still|also|really|actually|just|recently|always|usually|mostly|often|mainly|generally|already|absolutely|definitely|totally|"
    r"simply|only|officially|finally|personally|primarily|strongly|truly|both|then|so|even|sometimes|regularly|particularly|especially|quite|not only)\s+)"
)
_LEADING_ADVERB: Final = re.compile(rf"{_ADVERB}{{1,3}}", re.IGNORECASE)
_INNER_ADVERB: Final = re.compile(rf"^(?P<aux>am|is|are|was|have|has|had|do|does) {_ADVERB}{{1,3}}", re.IGNORECASE)
_NOT_NEGATED: Final = re.compile(
    r"(?:do|does|did) not (?:forget|hesitate|mind)|cannot (?:wait|help|get enough|live without|stop)|not only|would not mind",
    re.IGNORECASE,
)
_NEGATED: Final = re.compile(
    r"(?:do|does) not (?:really |actually |particularly |much )?|never |(?P<be>am|is|are|was|have|has|can) not (?:really |actually |a big )?|(?:can)not (?=use|speak|drive|play)",
    re.IGNORECASE,
)
_ANYMORE: Final = re.compile(r"\s*,?\s*(?:any ?more|any longer|these days|nowadays)\b.*$", re.IGNORECASE | re.DOTALL)
# endings: what is left of the predicate is read as if it still held
_ENDINGS: Final = tuple(
    (re.compile(pattern, re.IGNORECASE | re.DOTALL), rewrite)
    for pattern, rewrite in (
        (r"(?:am |is |are |do |does )?no longer (?P<rest>.+)", "rest"),
        (r"(?P<neg>(?:do|does|am|is|are|have|has|can) ?not) (?P<rest>.+?),? (?:any ?more|any longer)\b.*", "negated"),
        (
            r"used to (?P<rest>(?:live|work|use|like|love|drink|eat|play|speak|be|have|drive|own|smoke|study|enjoy|prefer)\b.+)",
            "rest",
        ),
        (
            r"(?:have |has )?(?:stopped|quit|given up|gave up|ceased|gone off) (?P<gerund>\w+ing)\b(?P<rest>.*)",
            "gerund",
        ),
        (
            r"(?:have |has )?(?:stopped|quit|given up|gave up|gone off|went off|cut out) (?P<thing>(?!my\b|the\b|your\b|at\b|by\b|for\b|it\b|that\b)[\w][\w' -]*)",
            "thing",
        ),
    )
)
_BASES: Final = {
    "using": "use", "living": "live", "liking": "like", "loving": "love", "smoking": "smoke", "driving": "drive", "having": "have", "taking": "take",
    "studying": "study", "running": "run", "swimming": "swim", "getting": "get", "writing": "write", "riding": "ride", "dancing": "dance", "being": "am",
}  # fmt: skip
_POSSESSIVE: Final = re.compile(
    r"(?:my|our) (?P<name>[\w' -]{2,80}?)(?:'s (?P<part>[\w -]{2,60}?))? (?P<verb>is|are|was|will be) (?:now |still |currently |actually |set to |called )*(?P<value>.+)",
    re.IGNORECASE | re.DOTALL,
)
_OF: Final = re.compile(
    r"the (?P<part>[\w -]{2,60}?) (?:of|for|on) (?P<owner>my |our |the )?(?P<name>[\w'.&: -]{2,80}?) (?:is|are|was|will be) (?:now |still |currently |actually |set to )*(?P<value>.+)",
    re.IGNORECASE | re.DOTALL,
)
_GENITIVE: Final = re.compile(
    r"(?P<name>[A-Z][\w.& -]{1,60}?)'s (?P<part>[\w -]{2,60}?) (?:is|are|was) (?:now |still |currently |actually )*(?P<value>.+)",
    re.DOTALL,
)
_CALL_ME: Final = re.compile(
    r"(?:please |just |you can |you may |everyone |everybody |people |friends |they )*(?:call|calls|address) me (?P<value>[^\W\d_][\w'.-]*(?: [A-Z][\w'.-]*)*)(?: from now on| instead| please| now)?",
    re.IGNORECASE,
)
_CALL_ME_NOT: Final = frozenset(
    "back later tomorrow when if an a crazy maybe again at on tonight after before in old to today soon asap the whatever names out".split(
        " "
    )
)
_STATE: Final = re.compile(
    r"(?:so |very |too |really |quite |not |being |going |gone |broken|late|down|empty|full|here|there|ready|done|off|on |sick|tired|delayed|cancelled|canceled|slow|dirty|wet|[a-z]+ing\b)",
    re.IGNORECASE,
)


def read(statement: str, aliases: Mapping[str, str]) -> Reading:
    """Read a statement into subject, attribute and value.

    Args:
        statement: One statement, without opening words, leading time and final punctuation.
        aliases: See `subjects.about`.
    """
    text = straight(statement)
    match = _CALL_ME.fullmatch(text)
    if match and match["value"].split()[0].casefold() not in _CALL_ME_NOT:
        return Reading(
            USER_SUBJECT,
            attribute=REGISTRY["preferred_name"],
            value=match["value"],
            content=f"User wants to be called {match['value']}",
        )
    found = _possessive(text, aliases)
    if found:
        return found
    subject = about(text, aliases)
    if subject is None:
        return Reading(USER_SUBJECT)
    base = Reading(subject.subject, subject.label, plural=subject.plural, known_as=subject.known_as)
    return _predicate(base, subject)


def read_bare(predicate: str) -> Reading:
    """Read a fact without its subject ("Prefers tea", "Lives in Oslo") as one about the user."""
    return read(f"User {predicate[:1].lower()}{predicate[1:]}", {})


def _predicate(base: Reading, subject: About) -> Reading:
    text = subject.predicate
    for pattern, rewrite in _ENDINGS:
        match = pattern.fullmatch(text)
        if match:
            ended = _framed(base, _rewritten(match, rewrite))
            if ended.attribute is None and rewrite == "thing":
                ended = replace(base, attribute=REGISTRY["likes"], value=clean(match["thing"]))
            return (
                replace(ended, value=None, ended_value=ended.value, ends=True, positive=True, content=None)
                if ended.value
                else replace(base)
            )
    positive = True
    if not _NOT_NEGATED.match(text):
        match = _NEGATED.match(text)
        if match:
            positive = False
            text = f"{match['be'] + ' ' if match['be'] else ''}{text[match.end() :]}"
    found = _framed(base, text)
    return (
        replace(found, positive=found.positive is positive, content=found.content if positive else None)
        if found.attribute
        else found
    )


def _rewritten(match: re.Match[str], rewrite: str) -> str:
    """Turn an ending into the statement that it ends."""
    if rewrite == "gerund":
        gerund = match["gerund"].casefold()
        base = _BASES.get(gerund) or gerund.removesuffix("ing")
        return f"{base}{match['rest']}"
    if rewrite == "negated":
        auxiliary = match["neg"].split("not")[0].strip()
        return match["rest"] if auxiliary in {"do", "does", "can"} else f"{auxiliary} {match['rest']}"
    if rewrite == "thing":
        return f"like {match['thing']}"
    return match["rest"]


def _framed(base: Reading, predicate: str) -> Reading:
    """Find the frame of a predicate; the first that fits wins."""
    text = (
        _LEADING_ADVERB.sub("", predicate.strip(), count=1)
        if _LEADING_ADVERB.match(predicate.strip())
        else predicate.strip()
    )
    text = _INNER_ADVERB.sub(lambda m: f"{m['aux']} ", text)
    for frame in FRAMES:
        match = frame.pattern.fullmatch(text)
        if match:
            reading = _fill(base, frame, match)
            if reading:
                return reading
    return base


def _fill(base: Reading, frame: Frame, match: re.Match[str]) -> Reading | None:
    groups = match.groupdict()
    value, old = clean(groups.get("v")), clean(groups.get("old"))
    if frame.shape == "over" and value and groups.get("o"):
        value = f"{value} over {clean(groups['o'])}"
    if not fits(frame, value or old, match.string):
        return None
    attribute = derived(groups["a"], single=True) if groups.get("a") else REGISTRY[frame.attribute]
    if value is None:
        return replace(base, attribute=attribute, ends=True, ended_value=old) if old else None
    content = frame.content.format(S=base.label, V=value) if frame.content else None
    return replace(
        base,
        attribute=attribute,
        value=value,
        positive=frame.positive,
        ends=old is not None,
        ended_value=old,
        content=content,
    )


def _possessive(text: str, aliases: Mapping[str, str]) -> Reading | None:
    """Read "my A is Y", "my X's A is Y", "the A of X is Y" and "X's A is Y"."""
    match = _OF.fullmatch(text)
    if match:
        return _owned(
            match["name"],
            match["part"],
            match["value"],
            aliases,
            mine=bool(match["owner"]) and match["owner"].strip().casefold() != "the",
        )
    match = _POSSESSIVE.fullmatch(text)
    if match and match["part"]:
        return _owned(match["name"], match["part"], match["value"], aliases, mine=True)
    if match and person_of(match["name"], aliases) is None:
        attribute = named(match["name"])
        value = clean(match["value"])
        if attribute and value and not _STATE.match(value):
            return Reading(USER_SUBJECT, attribute=attribute, value=value)
    match = _GENITIVE.fullmatch(text)
    return _owned(match["name"], match["part"], match["value"], aliases, mine=False) if match else None


def _owned(owner: str, part: str, value: str, aliases: Mapping[str, str], *, mine: bool) -> Reading | None:
    cleaned = clean(value)
    attribute = named(part) or derived(part, single=True)
    if not cleaned or _STATE.match(cleaned):
        return None
    subject = (person_of(owner, aliases) if mine else aliases.get(owner.casefold())) or thing(owner)
    return Reading(subject, f"User's {owner}" if mine else owner, attribute=attribute, value=cleaned)
