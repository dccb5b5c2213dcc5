"""Whose affair a clause is: the speaker's, or somebody's with whom it opens."""

from __future__ import annotations

import re
from typing import Final

from app.domain.memory import USER_SUBJECT
from app.domain.text import straight

NOBODY: Final = frozenset({USER_SUBJECT, "person:unknown"})
# whose affair a clause is: one that opens with somebody else and never comes to the speaker is no news of the speaker
PEOPLE: Final = (
    r"(?:(?:beau|belle|demi)-|ex-|step)?(?:(?:mother|father|brother|sister|son|daughter)s?-in-law|tenants"
    r"|brothers?|sisters?|mother|father|mom|mum|dad|wife|husband|partner|girlfriend|boyfriend|sons?|daughters?"
    r"|friends?"
    r"|colleagues?|co-?workers?|neighbou?rs?|cousins?|uncle|aunt|auntie|nephews?|niece|gran\w*|nan|nana|grandson"
    r"|buddy|mates?"
    r"|roommates?|flatmates?|boss|manager|in-laws?|(?:mother|father|brother|sister)-in-law|parents|kids?|child"
    r"|children|classmates?"
    r"|teammates?|pal|ex|twin|dentist|doctor|gp|therapist|teacher|trainer|coach|landlord|landlady|accountant"
    r"|lawyer|hairdresser"
    r"|mechanic|plumber|client|customer|intern|assistant|supervisor|tenant|lodger|nanny|babysitter|tutor|baby"
    r"|toddler|teenager"
    r"|bruder|schwester|mutter|vater|mann|frau|freundin?|kolleg\w+|nachbar\w*|sohn|tochter|onkel|tante|oma|opa"
    r"|schwager|schwägerin"
    r"|cousine|nichte|neffe|frère|sœur|soeur|mère|père|mari|femme|copain|copine|ami|amie|collègue|voisine?|fils"
    r"|fille|oncle"
    r"|competitors?|rivals?|supplier|vendor|contractor|guy|man|woman|girl|boy|lad|fellow|someone|somebody|person"
    r"|coloc|mitbewohner\w*|compi|hermano|hermana|madre|padre|marido|mujer|novio|novia|amigo|amiga|compañer[oa]"
    r"|vecin[oa]|hijo|hija|tío|tía|primo|prima"
    r"|viej[oa]|abuel[oa]|suegr[oa]|cuñad[oa]|sobrin[oa]|jef[ea])"
)
_LEAD: Final = re.compile(
    r"^\W*(?:(?:\w+ly|so|well|and|but|half|some of|most of|all|one of|both|anyway|ok|okay|yesterday|today|news"
    r"|update|good news"
    r"|then|ach|also|bueno|pues|alors|au fait|por cierto|übrigens),? )*"
    rf"(?:(?-i:[A-ZÀ-ÖØ-Þ])[\w-]+'s|my|our|the|a|an old|user's|mein\w*|unser\w*|mon|ma|mes|notre|nos|mis?"
    rf"|nuestr[oa]s?|de[nmr]|die|la|el|le|ein\w*|une?) "
    rf"(?:[\w-]+ ){{0,2}}?(?P<who>{PEOPLE}s?)(?:'s?)?\b(?! and (?:i|me)\b)",
    re.IGNORECASE,
)
_CALLED: Final = re.compile(
    r"^\W*(?P<who>mum|mom|dad|gran(?:ny|dma|dpa|dad)?|grandpa|nan|mama|papa|oma|opa|maman|abuela|abuelo)\b",
    re.IGNORECASE,
)
_KINSHIP: Final = re.compile(
    r"我?(?:的)?(?P<who>表?[堂]?[哥姐弟妹]{1,2}|妈妈?|爸爸?|朋友|同事|儿子|女儿|老公|老婆|奶奶|爷爷|邻居|室友|老板|领导|同学|父母|爸妈|叔叔?|阿姨|舅舅?|姑姑?|老师"
    r"|房东|婆婆|公公|岳[父母]|表\w)"
)
_SELF: Final = re.compile(
    rf"\b(?:i|i'm|i've|i'll|i'd|me|us|we|we're|we've|we'll|mine|ours|myself)\b|\b(?:my|our) (?!(?:[\w-]+ )?{PEOPLE}\b)"
    r"|\b(?:ich|mich|mir|wir|uns|je|j'ai|moi|nous|yo|[a-z]+(?:amos|emos|imos))\b|我(?!妈|爸|哥|姐|弟|妹|朋|同|儿|女|老|奶|爷|邻"
    r"|室|表|堂)",
    re.IGNORECASE,
)
_TOLD_ME: Final = re.compile(
    r"\b(?:told|tells|asked|asks|texted|wrote|showed|sent|called|rang|says to|said to|reminded|invited|thanked"
    r"|with|beside|next to|near|like) (?:me|us)\b",
    re.IGNORECASE,
)


def lead(text: str) -> str | None:
    """Give the relation with which a clause opens: "my brother's flat" is the brother's."""
    match = _LEAD.match(straight(text)) or _CALLED.match(straight(text)) or _KINSHIP.match(text)
    return match["who"] if match else None


_ROLE: Final = re.compile(
    r"(?:boss|manager|supervisor|landlord|landlady|dentist|doctor|gp|therapist|teacher|trainer|coach|accountant"
    r"|lawyer|hairdresser|mechanic"
    r"|plumber|client|customer|assistant|nanny|babysitter|tutor|flatmate|roommate|lodger|chef|jef[ea])s?",
    re.IGNORECASE,
)
_NAMED: Final = re.compile(
    r"^\W*(?:\w+ )?(?:my|our|user's) (?:\w+ )?(?P<who>[a-z-]+),? (?P<name>(?-i:[A-ZÀ-ÖØ-Þ])[\w-]+)", re.IGNORECASE
)


def is_role(who: str) -> bool:
    """Tell whether one has one such person at a time, so that another can take the place."""
    return _ROLE.fullmatch(who) is not None


def other_name(one: str, other: str) -> bool:
    """Tell whether both open with one relation and another name: "my daughter Freya", "my daughter Ingrid"."""
    a, b = _NAMED.match(straight(one)), _NAMED.match(straight(other))
    return bool(
        a and b and a["who"].casefold() == b["who"].casefold() and a["name"] != b["name"] and not is_role(a["who"])
    )


# what these do, they do to the speaker: "my GP upped the dose"
_ACTING: Final = re.compile(
    r"^\W*(?:\w+ly |so |well |and |but )*(?:my|our|the) (?:\w+ )?(?:gp|doctor|dentist|therapist|physio|surgeon"
    r"|vet|landlord|landlady|boss"
    r"|manager|supervisor|teacher|trainer|coach|accountant|lawyer|client|customer|agent|school|bank)\b(?!'s? \w+"
    r" (?:is|was|has))(?!')",
    re.IGNORECASE,
)


def acts_on_speaker(words: str) -> bool:
    """Tell whether a clause tells what somebody did to the speaker: "my GP upped the dose"."""
    return _ACTING.match(straight(words)) is not None


def is_own(subject: str, words: str) -> bool:
    """Tell whether a clause is the speaker's affair."""
    if acts_on_speaker(words):
        return True
    if lead(words) is None and subject in NOBODY:
        return True
    return _SELF.search(_TOLD_ME.sub("", words)) is not None
