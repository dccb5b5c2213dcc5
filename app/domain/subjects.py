"""Whom a statement is about: the speaker, a person, a client, a pet, or a thing."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from app.domain.memory import USER_SUBJECT
from app.domain.text import slug, straight, vocabulary
from app.domain.voice import PAST

_PEOPLE: Final = vocabulary(
    "brother sister mother father mom mum mam dad wife husband "
    "partner girlfriend boyfriend fiancé fiancée fiance fiancee son daughter child kid baby twin "
    "friend colleague coworker co-worker boss manager teammate "
    "roommate flatmate neighbour neighbor cousin uncle aunt nephew niece grandmother grandfather "
    "grandma grandpa granny stepmother stepfather stepson stepdaughter "
    "teacher doctor dentist therapist landlord tenant trainer coach mentor mentee intern student "
    "assistant lawyer accountant ex ex-wife ex-husband mother-in-law "
    "father-in-law brother-in-law sister-in-law buddy pal spouse "
    "parent cofounder co-founder director ceo cto"
)
_COMPANIES: Final = vocabulary("client customer vendor supplier contractor competitor investor sponsor agency")
_PETS: Final = vocabulary(
    "dog cat puppy kitten hamster rabbit parrot horse pony turtle "
    "tortoise goldfish fish snake lizard gecko ferret bird budgie canary pet guinea-pig"
)
_RELATIONS: Final = (("person", _PEOPLE), ("client", _COMPANIES), ("pet", _PETS))
# capitalised words that begin a sentence and are no name
_NO_NAME: Final = vocabulary(
    "the a an this that these those there here it its he she "
    "they we you i my our your his her their what which who when where why how if so and but or "
    "yes no not now then today tomorrow yesterday maybe perhaps "
    "please thanks thank let let's also just all some any every "
    "each most many no one nobody everyone "
    "everybody someone people in on at for from to with by of "
    "as is are was were do does did can could will would should may might must have has had "
    "monday tuesday wednesday thursday friday saturday sunday "
    "january february march april june july august september october november december "
    "good great nice sorry well ok okay hi hello hey never always "
    "home work school life rent dinner lunch breakfast coffee tea training practice parking class church "
    "dad mum mom time news traffic weather bedtime payday "
    "only even still both such being going having using nothing something everything"
)
_NAME: Final = r"(?-i:[A-ZÀ-ÖØ-Þ][\w-]*\.?(?: (?:[A-ZÀ-ÖØ-Þ][\w-]*\.?|(?:of|de|van|von|der|la|del|al)(?= [A-Z])))*)"
_VERB: Final = (
    r"(?:is|are|was|were|has|have|had|'s|does|doesn't|do|don't|did|didn't|can|can't|cannot|will"
    r"|won't|would|no longer|never|always|also|now|really|just|recently|still|"
    r"[a-z]+(?:s|ed|es)|" + "|".join(sorted(PAST)) + r")"
)
_POSSESSED: Final = re.compile(
    r"(?:my|our) (?P<adjective>(?:best|good|old|older|elder|eldest|younger|youngest|little|big"
    r"|close|dear|late|new|former|ex|twin|biggest|oldest|school|childhood|main|second"
    r"|first) ){0,2}"
    rf"(?P<noun>[\w-]+)(?P<name>,? {_NAME})?,? (?P<predicate>{_VERB}\b.*)",
    re.IGNORECASE | re.DOTALL,
)
_OWN: Final = re.compile(r"(?P<who>i|we)\b(?P<predicate>(?:'m|'ve|'d|'ll|'re)? .*)", re.IGNORECASE | re.DOTALL)
_THE_USER: Final = re.compile(r"(?:the )?user(?:'s name)?(?P<predicate>(?:'s)? .*)", re.IGNORECASE | re.DOTALL)
_NAMED: Final = re.compile(rf"(?P<name>{_NAME}) (?P<predicate>{_VERB}\b.*)", re.DOTALL)
# what is said of somebody rather than of something
_PERSONAL: Final = re.compile(
    r"\b(?:his|her|hers|he|she|him|himself|herself)\b|^(?:likes?|loves?|hates?|wants?|needs?"
    r"|works?|lives?|speaks?|thinks?|told|said|says|went|got|asked|knows?|prefers?|moved|joined|"
    r"married|bought|visited|called|texted|plays?|studies|studied|teaches|taught|enjoys?|owns"
    r"|drives|is (?:allergic|vegan|vegetarian|married|single|pregnant|(?:my|our) (?:best |good "
    r"|old |younger |older |little |big |new )?(?:brother|sister|wife|husband|partner|friend|boss"
    r"|colleague|son|daughter|mother|father|mum|mom|dad|cousin|uncle|aunt|neighbou?r|manager"
    r"|teacher|doctor|girlfriend|boyfriend))|has (?:two|three|an? (?:dog|cat|son|daughter|brother"
    r"|sister|kid|child)))\b",
    re.IGNORECASE,
)
# "my doctor says that I ..." tells of the speaker
_ABOUT_ME: Final = re.compile(
    r"(?:said|says|told|tells|thinks?|thought|recommended|recommends|advised|advises|suggested"
    r"|suggests|wants me|asked me|diagnosed me)\b.*\b(?:i|i'm|i've|me|my)\b",
    re.IGNORECASE | re.DOTALL,
)
_PRONOUN: Final = re.compile(
    r"(?P<pronoun>he|she|they)(?P<predicate>(?:'s|'re|'ve|'ll)? .*)", re.IGNORECASE | re.DOTALL
)
_HEADS: Final = (
    ("'m ", " am "),
    ("'ve ", " have "),
    ("'re ", " are "),
    ("'ll ", " will "),
    ("'d ", " would "),
    ("'s ", " is "),
)
_LONG: Final = (
    ("don't", "do not"),
    ("doesn't", "does not"),
    ("didn't", "did not"),
    ("isn't", "is not"),
    ("aren't", "are not"),
    ("wasn't", "was not"),
    ("can't", "cannot"),
    ("can not", "cannot"),
    ("won't", "will not"),
    ("haven't", "have not"),
    ("hasn't", "has not"),
    ("wouldn't", "would not"),
    ("couldn't", "could not"),
)


@dataclass(frozen=True, slots=True)
class About:
    """A statement cut into whom it is about and what it says.

    `label` stands for the subject in a sentence of the third person; `plural` is True for "we".
    `known_as` are words by which later sentences of the message may mean the same subject.
    """

    subject: str
    label: str
    predicate: str
    plural: bool = False
    known_as: tuple[str, ...] = ()


# what they did to the speaker, or with the speaker's own; "they live with my parents" tells of them
_DONE_TO_ME: Final = re.compile(
    r"\s*(?:(?:have|'ve|had|just|finally|also|all|even) )*(?!(?:live|work|are|were|love|like|hate|know|adore|want|need"
    r"|moved|visit|visited|met|have|own|speak|think|believe)\b)[\w']+(?: (?:out|down|up|back|off|away))?"
    r" (?:me|my|our|(?-i:us))\b",
    re.IGNORECASE,
)


def about(statement: str, aliases: Mapping[str, str]) -> About | None:
    """Find the subject of a statement.

    Args:
        statement: One statement, without opening words.
        aliases: Names and relations already known, in lower case, to their subjects; the last
            person spoken of stands under "he", "she" and "they" as `subject|label`.

    Returns:
        None when the first words name neither the speaker nor somebody.
    """
    text = straight(statement)
    if match := _OWN.fullmatch(text):
        return About(USER_SUBJECT, "User", expand(match["predicate"]), plural=match["who"].casefold() == "we")
    if match := _THE_USER.fullmatch(text):
        return About(USER_SUBJECT, "User", expand(match["predicate"]))
    match = _POSSESSED.fullmatch(text)
    if match and _ABOUT_ME.match(match["predicate"]):
        return None
    if match:
        found = _possessed(match, aliases)
        if found:
            return found
    if match := _PRONOUN.fullmatch(text):
        pronoun = match["pronoun"].casefold()
        if pronoun == "they" and pronoun not in aliases and _DONE_TO_ME.match(match["predicate"]):
            return None  # "they lost my transcript": whoever they are, it is told of the speaker
        subject, _, label = aliases.get(pronoun, "person:unknown|").partition("|")
        return About(subject, label or match["pronoun"], expand(match["predicate"]))
    match = _NAMED.fullmatch(text)
    if match and _may_name(match["name"].split()[0].casefold()):
        name, predicate = match["name"], expand(match["predicate"])
        prefix = "person" if _PERSONAL.search(predicate) else "thing"
        subject = aliases.get(name.casefold(), f"{prefix}:{slug(name)}")
        return About(subject, name, predicate, known_as=(name.casefold(),))
    return None


_ADVERB: Final = re.compile(
    r"(?:final|actual|recent|luck|unfortunate|sad|hope|current|eventual|apparent|original|usual|basical|official"
    r"|genera)l?ly"
)


def _may_name(first: str) -> bool:
    """Tell whether a word may begin a name: "Finally got ..." is nobody's."""
    return first not in _NO_NAME and _ADVERB.fullmatch(first) is None


def _possessed(match: re.Match[str], aliases: Mapping[str, str]) -> About | None:
    """Read "my brother", "my friend Alex", "our client Northwind"; a name wins over the relation."""
    noun = match["noun"].casefold()
    name = (match["name"] or "").strip(", ")
    if name and not name[0].isupper():
        return None
    prefix = _prefix(noun)
    if prefix is None:
        return None
    adjective = (match["adjective"] or "").strip()
    distinct = adjective if prefix == "person" and adjective not in {"good", "close", "dear", "old", "former"} else ""
    relation = f"{distinct} {noun}".strip()
    known = aliases.get(name.casefold() if name else relation)
    subject = known or f"{prefix}:{slug(name or relation)}"
    label = f"User's {adjective + ' ' if adjective else ''}{match['noun']}{' ' + name if name else ''}"
    return About(
        subject,
        label,
        expand(match["predicate"]),
        known_as=tuple(filter(None, (name.casefold(), relation.casefold()))),
    )


def thing(name: str) -> str:
    """Name a thing as a subject: "my server" is `thing:server`."""
    return f"thing:{slug(name) or 'unnamed'}"


def person_of(noun_phrase: str, aliases: Mapping[str, str]) -> str | None:
    """Tell whether "my <words>" means a person, a client or a pet, and which."""
    noun = noun_phrase.casefold().split()[-1] if noun_phrase.split() else ""
    prefix = _prefix(noun)
    return aliases.get(noun_phrase.casefold()) or f"{prefix}:{slug(noun_phrase)}" if prefix else None


def _prefix(noun: str) -> str | None:
    """Sort a relation: a person, a client or a pet."""
    return next((prefix for prefix, nouns in _RELATIONS if noun in nouns), None)


def expand(predicate: str) -> str:
    """Write the contractions of a predicate out, so that frames read one form."""
    text = predicate
    for short, long in _HEADS:
        if text.startswith(short):
            text = long + text[len(short) :]
            break
    for short, long in _LONG:
        text = re.sub(rf"\b{short}\b", long, text, flags=re.IGNORECASE)
    return text.strip()


def is_name(words_of_it: str) -> bool:
    """Tell whether capitalised words may be a name: "Today's notes" are nobody's."""
    return bool(words_of_it) and words_of_it.split(maxsplit=1)[0].casefold() not in _NO_NAME


_FIRST_PERSON: Final = re.compile(r"\b(?:i|i'm|i've|i'd|i'll|me|my|mine|myself|the user|user's)\b", re.IGNORECASE)


def asks_about_the_user(question: str) -> bool:
    """Tell whether a question is about the user, and names nobody of the user's people."""
    plain = straight(question)
    people = _PEOPLE | _COMPANIES | _PETS
    others = {word.removesuffix("'s") for word in plain.lower().replace("?", " ").split()} & people
    return _FIRST_PERSON.search(plain) is not None and not others
