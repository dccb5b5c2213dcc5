"""How a statement is read: its subject, its frame, and what that says."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

from app.domain.attributes import REGISTRY, Attribute, derived, named
from app.domain.frame_table import FRAMES, Frame
from app.domain.memory import USER_SUBJECT
from app.domain.subjects import About, about, is_name, person_of, thing
from app.domain.text import slug, straight, vocabulary
from app.domain.values import clean, fits


@dataclass(frozen=True, slots=True)
class Reading:
    """What a statement says.

    `content` is a canonical sentence, where the frame has one. `sentence` is the statement with
    its subject's label written out, for "he" and "she". `plural` means that "we" are the subject.
    """

    subject: str = USER_SUBJECT
    label: str = "User"
    attribute: Attribute | None = None
    value: str | None = None
    positive: bool = True
    ends: bool = False
    ended_value: str | None = None
    content: str | None = None
    sentence: str | None = None
    plural: bool = False
    known_as: tuple[str, ...] = ()


_ADVERB: Final = (
    r"(?:(?:now|currently|still|also|really|actually|just|recently|always|usually|mostly|often"
    r"|mainly|generally|already|absolutely|definitely|totally|"
    r"simply|only|officially|finally|personally|primarily|strongly|truly|both|then|so|even"
    r"|sometimes|regularly|particularly|especially|quite|not only)\s+)"
)
_LEADING_ADVERB: Final = re.compile(rf"{_ADVERB}{{1,3}}", re.IGNORECASE)
_INNER_ADVERB: Final = re.compile(rf"(?P<aux>am|is|are|was|have|has|had|do|does) {_ADVERB}{{1,3}}", re.IGNORECASE)
# "do not forget", "cannot wait" deny nothing
_NOT_NEGATED: Final = re.compile(
    r"(?:do|does|did) not (?:forget|hesitate|mind)|cannot (?:wait|help|get enough|live without|stop)|not only",
    re.IGNORECASE,
)
_NEGATED: Final = re.compile(
    r"(?:do|does) not (?:really |actually |particularly |much )?|never |(?P<be>am|is|are|was|have"
    r"|has) not (?:really |actually )?|cannot (?=use|speak|drive|play)",
    re.IGNORECASE,
)
# endings: what is left of the predicate is read as if it still held
_ENDINGS: Final = tuple(
    (re.compile(pattern, re.IGNORECASE | re.DOTALL), rewrite)
    for pattern, rewrite in (
        # no longer lives in Paris
        (r"(?P<aux>am |is |are |do |does )?no longer (?P<rest>.+)", "rest"),
        # does not like coffee any more
        (r"(?P<neg>(?:do|does|am|is|are|have|has|can) ?not) (?P<rest>.+?),? (?:any ?more|any longer)\b.*", "negated"),
        # used to live in Paris
        (
            r"used to (?P<rest>(?:live|work|use|like|love|drink|eat|play|speak|be|have|drive|own|smoke"
            r"|study|enjoy|prefer)\b.+)",
            "rest",
        ),
        # stopped drinking coffee
        (
            r"(?:have |has )?(?:stopped|quit|given up|gave up|ceased|gone off) (?P<gerund>\w+ing)\b(?P<rest>.*)",
            "gerund",
        ),
        # quit coffee
        (
            r"(?:have |has )?(?:stopped|quit|given up|gave up|gone off|went off"
            r"|cut out) (?P<thing>(?!(?:my|the|your|our|this|a|at|by|for|it|that)\b)[a-z0-9][\w' -]*)",
            "thing",
        ),
    )
)
_BASES: Final = {
    "using": "use",
    "living": "live",
    "liking": "like",
    "loving": "love",
    "smoking": "smoke",
    "driving": "drive",
    "having": "have",
    "taking": "take",
    "studying": "study",
    "running": "run",
    "getting": "get",
    "writing": "write",
    "riding": "ride",
    "vaping": "vape",
    "meditating": "meditate",
    "being": "am",
}
_IS_NOW: Final = r"(?:is|are|was|will be)(?: now| still| currently| actually| set to| called)*"
_POSSESSIVE: Final = re.compile(
    rf"(?:my|our) (?P<name>[\w' -]{{2,80}}?)(?:'s (?P<part>[\w -]{{2,60}}?))? {_IS_NOW} (?P<value>.+)",
    re.IGNORECASE | re.DOTALL,
)
_OF: Final = re.compile(
    rf"the (?P<part>[\w -]{{2,60}}?) (?:of|for|on) (?P<owner>my |our "
    rf"|the )?(?P<name>[\w'.&: -]{{2,80}}?) {_IS_NOW} (?P<value>.+)",
    re.IGNORECASE | re.DOTALL,
)
_GENITIVE: Final = re.compile(
    rf"(?P<name>[A-ZÀ-ÖØ-Þ][\w.& -]{{1,60}}?)'s (?P<part>[\w -]{{2,60}}?) {_IS_NOW} (?P<value>.+)", re.DOTALL
)
_CALL_ME: Final = re.compile(
    r"(?:please |just |you can |you may |everyone |everybody |people |friends |they )*(?:call"
    r"|calls|address) me (?P<value>[^\W\d_][\w'.-]*(?: (?-i:[A-Z])[\w'.-]*)*)(?: from now on"
    r"| instead| please| now)*",
    re.IGNORECASE,
)
_AT_WORK: Final = re.compile(r" (?:at|for|with|from|in|on|by) ", re.IGNORECASE)
_IS_MINE: Final = re.compile(
    r"(?P<value>[\w][\w'.&+# -]{0,80}?) (?:is|are) (?:my|our) (?P<name>(?:all-time "
    r"|absolute )?(?:favou?rite|main|primary|default|preferred|go-to|current)\b[\w -]{0,60})",
    re.IGNORECASE,
)
_NO_CALL_NAME: Final = vocabulary(
    "back later tomorrow when if an a crazy maybe again at on "
    "tonight after before in old to today soon asap the whatever names out stupid sir by"
)
# a state of a thing is no value of an attribute
_STATE: Final = re.compile(
    r"(?:so |very |too |really |quite |not |being |going |gone |in the |on the |at the )"
    r"|(?:broken|late|down|empty|full|here|there|ready|done|off|on|sick|tired|delayed|cancelled"
    r"|canceled|slow|dirty|wet|great|good|bad|fine|nice|"
    r"awesome|terrible|amazing|[a-z]+ing)\b",
    re.IGNORECASE,
)


def read(statement: str, aliases: Mapping[str, str]) -> Reading:
    """Read a statement into subject, attribute and value.

    Args:
        statement: One statement, without opening words, leading time and final punctuation.
        aliases: See `subjects.about`.
    """
    text = " ".join(straight(statement).split())
    match = _CALL_ME.fullmatch(text)
    if match and match["value"].split()[0].casefold() not in _NO_CALL_NAME:
        return Reading(
            attribute=REGISTRY["preferred_name"],
            value=match["value"],
            content=f"User wants to be called {match['value']}",
        )
    found = _owned_by(text, aliases)
    if found:
        return found
    subject = about(text, aliases)
    if subject is None:
        return Reading()
    sentence = None if subject.subject == USER_SUBJECT else f"{subject.label} {subject.predicate}"
    base = Reading(subject.subject, subject.label, sentence=sentence, plural=subject.plural, known_as=subject.known_as)
    return _predicate(base, subject)


def read_bare(predicate: str) -> Reading:
    """Read a fact without its subject ("Prefers tea", "Lives in Oslo") as one about the user."""
    return read(f"User {predicate[:1].lower()}{predicate[1:]}", {})


def _predicate(base: Reading, subject: About) -> Reading:
    """Read endings first, then denials, then plain statements."""
    text = (
        _LEADING_ADVERB.sub("", subject.predicate, count=1)
        if _LEADING_ADVERB.match(subject.predicate)
        else subject.predicate
    )
    for pattern, rewrite in _ENDINGS:
        match = pattern.fullmatch(text)
        if match is None:
            continue
        ended = _framed(base, _rewritten(match, rewrite))
        if ended.value is None:
            return base
        return replace(ended, value=None, ended_value=ended.value, ends=True, positive=True, content=None)
    negated = None if _NOT_NEGATED.match(text) else _NEGATED.match(text)
    if negated:
        text = f"{negated['be'] + ' ' if negated['be'] else ''}{text[negated.end() :]}"
    found = _framed(base, text)
    if negated and found.attribute:
        return replace(found, positive=not found.positive, content=None)
    return found


def _rewritten(match: re.Match[str], rewrite: str) -> str:
    """Turn an ending into the statement that it ends."""
    if rewrite == "gerund":
        gerund = match["gerund"].casefold()
        return f"{_BASES.get(gerund) or gerund.removesuffix('ing')}{match['rest']}"
    if rewrite == "negated":
        auxiliary = match["neg"].split("not")[0].strip()
        return match["rest"] if auxiliary in {"do", "does", "can"} else f"{auxiliary} {match['rest']}"
    if rewrite == "thing":
        return f"like {match['thing']}"
    auxiliary = (match.groupdict().get("aux") or "").strip()
    rest = match["rest"].removeprefix("be ")
    return f"am {rest}" if auxiliary in {"am", "is", "are"} or rest != match["rest"] else rest


def _framed(base: Reading, predicate: str) -> Reading:
    """Find the frame of a predicate; the first that fits wins."""
    text = predicate.strip()
    if _LEADING_ADVERB.match(text):
        text = _LEADING_ADVERB.sub("", text, count=1)
    text = _INNER_ADVERB.sub(lambda m: f"{m['aux']} ", text, count=1) if _INNER_ADVERB.match(text) else text
    for frame in FRAMES:
        match = frame.pattern.fullmatch(text)
        reading = _fill(base, frame, match) if match else None
        if reading:
            return reading
    return base


def _fill(base: Reading, frame: Frame, match: re.Match[str]) -> Reading | None:
    groups = match.groupdict()
    place = frame.shape == "place"
    value, old = clean(groups.get("v"), article=place), clean(groups.get("old"), article=place)
    if frame.attribute == "job_title" and value:
        value = _AT_WORK.split(value, maxsplit=1)[0]
    if not fits(frame.shape, value or old, match.string):
        return None
    if frame.shape == "over" and groups.get("o"):
        value = f"{value} over {clean(groups['o'])}"
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


def _owned_by(text: str, aliases: Mapping[str, str]) -> Reading | None:
    """Read "my A is Y", "my X's A is Y", "the A of X is Y" and "X's A is Y"."""
    match = _OF.fullmatch(text)
    if match:
        mine = (match["owner"] or "").strip().casefold() in {"my", "our"}
        return _owned(match["name"], match["part"], match["value"], aliases, mine=mine)
    match = _POSSESSIVE.fullmatch(text)
    if match and match["part"]:
        return _owned(match["name"], match["part"], match["value"], aliases, mine=True)
    if match and person_of(match["name"], aliases) is None:
        attribute = named(match["name"])
        value = clean(match["value"])
        return Reading(attribute=attribute, value=value) if attribute and value and not _STATE.match(value) else None
    match = _IS_MINE.fullmatch(text)
    if match and match["value"].casefold() not in {
        "it",
        "this",
        "that",
        "he",
        "she",
        "they",
        "these",
        "those",
        "which",
        "what",
    }:
        attribute = named(match["name"])
        return Reading(attribute=attribute, value=clean(match["value"])) if attribute else None
    match = _GENITIVE.fullmatch(text)
    return (
        _owned(match["name"], match["part"], match["value"], aliases, mine=False)
        if match and is_name(match["name"])
        else None
    )


def _owned(owner: str, part: str, value: str, aliases: Mapping[str, str], *, mine: bool) -> Reading | None:
    cleaned = clean(value)
    attribute = named(part) or derived(part, single=True)
    if not cleaned or _STATE.match(cleaned):
        return None
    personal = attribute.registered and attribute.name not in {"goal", "project", "team"}
    subject = (person_of(owner, aliases) if mine else aliases.get(owner.casefold())) or (
        f"person:{slug(owner)}" if personal and not mine else thing(owner)
    )
    return Reading(subject, f"User's {owner}" if mine else owner, attribute=attribute, value=cleaned)
