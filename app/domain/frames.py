"""How a statement is read: its subject, its frame, and what that says."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from app.domain.attributes import PROGRESS, REGISTRY, derived
from app.domain.frame_news import NEWS
from app.domain.frame_table import FRAMES, Frame
from app.domain.memory import USER_SUBJECT
from app.domain.possessives import owned_by
from app.domain.reading import Reading
from app.domain.relations import has_kind, plain_places, related
from app.domain.subjects import About, about
from app.domain.text import straight, vocabulary
from app.domain.values import clean, fits

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
            r"|cut out) (?P<thing>(?!(?:my|the|your|our|this|early|late|today|after|because|when|last|in"
            r"|on|and|a|at|by|for|it|that)\b)[a-z0-9][\w' -]*)",
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
# how far one has come: what was told before is less, and not beside it. A window ("this year") is part of what it is
_PROGRESS: Final = re.compile(
    r"(?:(?:have|has)(?: (?:now|already|just|recently|so far))*|(?:now|already|recently)) (?P<done>completed"
    r"|finished|solved|read|watched|visited|written|published|recorded|climbed|collected|saved|logged|merged|closed"
    r"|reviewed|graded|planted|practi[cs]ed|answered|memori[sz]ed|learned|knitted|translated|drawn|painted|scored)"
    r" (?:(?:about|around|roughly|over|almost|nearly|a total of) )?(?P<v>\d[\d.,]*)"
    r" (?P<a>(?!(?:more|other|times|of)\b)[a-z][\w'-]*(?: (?!(?:more|other|times|of)\b)[a-z][\w'-]*){0,4}?)"
    r"(?:,? scoring\b.*|,? with (?:an? )?(?:\w+ ){0,2}(?:accuracy|score|success|rate|\d).*| so far| in total"
    r"| altogether| already| now| by now)?",
    re.IGNORECASE,
)
_CALL_ME: Final = re.compile(
    r"(?:please |just |you can |you may |everyone |everybody |people |friends |they |(?:i|we) want you to "
    r"|(?:i|we)(?:'d| would) (?:like|love|prefer) (?:you to|it if you(?: would)?|that you) )*(?:call"
    r"|calls|address) me (?P<value>[^\W\d_][\w'.-]*(?: (?-i:[A-Z])[\w'.-]*)*)(?: from now on"
    r"| instead| please| now)*",
    re.IGNORECASE,
)
_AT_WORK: Final = re.compile(r" (?:at|for|with|from|in|on|by) ", re.IGNORECASE)
_NO_CALL_NAME: Final = vocabulary(
    "back later tomorrow when if an a crazy maybe again at on "
    "tonight after before in old to today soon asap the whatever names out stupid sir by"
)


def read(statement: str, aliases: Mapping[str, str]) -> Reading:
    """Read a statement into subject, attribute and value.

    Args:
        statement: One statement, without opening words, leading time and final punctuation.
        aliases: See `subjects.about`.
    """
    text = plain_places(" ".join(straight(statement).split()))
    match = _CALL_ME.fullmatch(text)
    if match and match["value"].split()[0].casefold() not in _NO_CALL_NAME:
        return Reading(
            attribute=REGISTRY["preferred_name"],
            value=match["value"],
            content=f"User wants to be called {match['value']}",
        )
    found = owned_by(text, aliases)
    if found:
        return found
    subject = about(text, aliases)
    if subject is None:
        return related(text, aliases) or Reading()
    sentence = None if subject.subject == USER_SUBJECT else f"{subject.label} {subject.predicate}"
    base = Reading(
        subject.subject,
        subject.label,
        sentence=sentence,
        plural=subject.plural,
        casual=text.islower(),
        known_as=subject.known_as,
    )
    found = _predicate(base, subject)
    if subject.subject != USER_SUBJECT and (found.attribute is None or has_kind(text)):
        return related(text, aliases) or found
    return found


def read_bare(predicate: str) -> Reading:
    """Read a fact without its subject ("Prefers tea", "Lives in Oslo") as one about the user."""
    return read(f"User {predicate[:1].lower()}{predicate[1:]}", {})


def _predicate(base: Reading, subject: About) -> Reading:
    """Read how far somebody has come, endings, then denials, then plain statements."""
    come = _PROGRESS.fullmatch(subject.predicate.strip())
    if come is not None:
        name = f"{PROGRESS} {come['done']} {come['a']}".casefold()
        return replace(base, attribute=derived(name, single=True), value=clean(come["v"]))
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
    for frame in (*NEWS, *FRAMES):
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
    if not fits(frame.shape, value or old, casual=base.casual):
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
