"""What a statement ends: the head of the phrase, and not what describes or owns it.

"I lost my phone charger" is about a charger, "I cancelled my dentist appointment" about an appointment, "I'm no longer
angry with Anna" about anger. Only in what is a form of having or doing (a membership, a lesson) the word before counts.
"""

from __future__ import annotations

import re
from typing import Final

from app.domain.terms import query_terms
from app.domain.text import straight, vocabulary
from app.domain.whose import PEOPLE

_ENDS_PHRASE: Final = re.compile(
    r"[,.;:!?()]|\b(?:of|for|on|at|from|with|to|in|into|by|about|over|off|out|behind|near|under|between|around|through"
    r"|because|since|after|before|when|while|until|and|or|but|so|last|this|next|yesterday|today|that|which|who|is|are"
    r"|was|were|has|have|had|got|it|them|him|too|really|completely|entirely|altogether|early|late|again|anymore|any)\b",
    re.IGNORECASE,
)
_BEFORE: Final = re.compile(
    r"^(?:(?:the|my|our|all|that|this|those|these|his|her|their|a|an|any|some|being|doing|using|finally|just"
    r"|going|taking"
    r"|having|eating|drinking|playing|reading|wearing|learning|driving|riding|keeping|keep|eat|drink|take|play|wear"
    r"|use|have|own|go|work|live|do|drive|ride|read|learn|see|need|want|like|love|run|on|in|at|with|for|to) )+",
    re.IGNORECASE,
)
_FORM_OF: Final = frozenset(
    query_terms(
        "membership subscription contract lessons lesson classes class course habit practice job account plan plans"
        " trial licence license policy routine diet phase streak"
    )
)
# the old one, a part of it, another's: not the one that is known of
_OLD: Final = re.compile(r"\b(?:old|ex|former|previous|spare|other|second|another|first|broken|last)\b", re.IGNORECASE)
# for this once, or at this time of the day only
_NARROW: Final = re.compile(
    r"\b(?:on (?:\w+ )?(?:mon|tues|wednes|thurs|fri|satur|sun)days|(?:on|at) (?:the )?weekends?|at (?:night"
    r"|lunch\w*|midnight|work"
    r"|noon|home|the|a|my|our|\d)|in the (?:morning|evening|afternoon|night|shower|car|pool|kitchen)|for (?:the|a|an)"
    r" (?:\w+ )?(?:day|night|week|weekend|winter|summer|month|season|holidays?|guests|moment)|for (?:today|now"
    r"|tonight|lunch"
    r"|dinner)|today|tonight|early|by accident|by mistake|on the (?:way|train|bus|plane|tram|table|couch|sofa|road)"
    r"|for (?-i:[A-ZÀ-ÖØ-Þ])\w+|behind|off at|in front|this (?:morning|week|afternoon|evening|weekend)"
    r"|with (?:my|our|the|(?-i:[A-Z]))"
    r"|in (?:my|a|the) dream|before (?:bed|noon|dinner|lunch)|when|while|during|because of the (?:storm|rain"
    r"|snow|weather"
    r"|strike|heat))\b",
    re.IGNORECASE,
)
# what is said of these stays true whatever one stops, sells or throws out
_GUARDED: Final = re.compile(
    r"\b(?:allerg\w*|intoleran\w*|coeliac|celiac|diabet\w*|asthma\w*|epilep\w*|blood type|birthday|born|grew up"
    r"|hates?|dislikes?"
    r"|can't|cannot|never|doesn't|don't|does not|do not|avoids?|hospital|wheelchair|pregnant|surgery|hasst?|zuckerkrank"
    r"|geboren|née?|nacid[oa]|nací|alérgic\w*|groupe sanguin|blutgruppe|unverträglich\w*|odio|déteste"
    r"|(?:vertrage|verträgst|verträgt|vertragen) (?:kein\w*|nicht)|no tolero|ne supporte pas|intolérant\w*|celíac\w*)\b"
    r"|过敏|讨厌"
    r"|出生|血型|糖尿|[喝吃]不了|不能[吃喝]",
    re.IGNORECASE,
)
_LASTING: Final = re.compile(
    r"\b(?:allerg\w*|intoleran\w*|coeliac|celiac|diabet\w*|asthma\w*|epilep\w*|blood type|birthday|born|grew up)\b",
    re.IGNORECASE,
)
# what is guarded by its denial, and the words that take the denial back
_CANNOT_TAKE: Final = re.compile(
    r"\bvertr[aä]g\w+ (?:kein|nicht)|\bno tolero|\bne supporte pas|[喝吃]不了|不能[吃喝]", re.IGNORECASE
)
_TAKES: Final = re.compile(
    r"\b(?:vertrage|verträgst|verträgt|vertragen)\b|\btoler\w+|\bsupport\w+|(?<!不)能[吃喝]|[喝吃]得了", re.IGNORECASE
)
_TASTE_WORDS: Final = re.compile(r"hates?|dislikes?|hasst?|odio|déteste|讨厌", re.IGNORECASE)
_STEM: Final = 6
_NAMED: Final = re.compile(
    rf"\b(?:user's |my |our |his |her |their |mein\w* |unser\w* |mon |ma |mes |mi |mis )?(?P<who>{PEOPLE})"
    r"(?P<name>(?:,? (?:dr|mr|mrs|ms)\.?)?(?:,? (?-i:[A-ZÀ-ÖØ-Þ])[\w-]+){0,2})",
    re.IGNORECASE,
)
_FIRMS: Final = frozenset(
    vocabulary("client clients customer customers supplier vendor competitor competitors contractor")
)
_HAN_NAMED: Final = re.compile(
    r"我?的?(?:哥哥?|姐姐?|弟弟?|妹妹?|妈妈?|爸爸?|朋友|同事|儿子|女儿|老公|老婆|邻居|室友|领导|老板)[\u4e00-\u9fff]{0,3}"
)
_TITLED: Final = re.compile(r"\b(?:Dr|Mr|Mrs|Ms|Frau|Herr|Mme|Sra?)\.? [A-ZÀ-ÖØ-Þ][\w-]+")


def head_of(phrase: str) -> frozenset[str]:
    """Give the terms of the head of a phrase; none where the phrase means an old, a narrow or a passing one."""
    if is_narrow(phrase):
        return frozenset()
    rest = straight(phrase).strip()
    for _ in range(3):
        opened = _BEFORE.match(rest)
        rest = rest[opened.end() :] if opened else rest
        cut = _ENDS_PHRASE.search(rest)
        head = rest[: cut.start()].strip() if cut else rest
        if head or cut is None:
            break
        rest = rest[cut.end() :].strip()
    if _OLD.search(head):
        return frozenset()
    # whose it is does not say what it is
    words = re.split(r"\b[\w-]+(?:'s|s') ", head)[-1].split()
    if not words:
        return frozenset()
    found = query_terms(words[-1])
    if len(words) > 1 and _FORM_OF & frozenset(found):
        found = [*found, *query_terms(words[-2])]
    # "Visual Studio", "the Night Shift": a name is one
    for word in reversed(words[:-1]):
        if not (words[-1][:1].isupper() and word[:1].isupper()):
            break
        found += query_terms(word)
    return frozenset(found)


def is_narrow(phrase: str) -> bool:
    """Tell whether a phrase speaks of this once, or of some time of the day only."""
    return _NARROW.search(phrase) is not None


def is_guarded(content: str, said: str) -> bool:
    """Tell whether a row holds what no thing's end can end: an allergy, a birthday, what somebody never does.

    Words that speak of the same can: "it turns out I'm not allergic to penicillin".
    """
    held = {match.group().casefold()[:_STEM] for match in _GUARDED.finditer(straight(content))}
    if _CANNOT_TAKE.search(content) and _TAKES.search(said):
        return False
    return bool(held) and held.isdisjoint(
        match.group().casefold()[:_STEM] for match in _GUARDED.finditer(straight(said))
    )


def is_lasting(content: str) -> bool:
    """Tell whether an English row holds what hardly ever ends: an allergy, a lasting illness, where one was born."""
    return _LASTING.search(straight(content)) is not None


def is_only_a_taste(content: str) -> bool:
    """Tell whether all that guards a row is that somebody dislikes something: that another taste can end."""
    return all(_TASTE_WORDS.fullmatch(match.group()) for match in _GUARDED.finditer(straight(content)))


def people_in(content: str) -> frozenset[str]:
    """Give the terms that name somebody in a row: relations and the names beside them; who is meant is no topic."""
    named = [match.group() for match in _NAMED.finditer(straight(content)) if match["who"].casefold() not in _FIRMS]
    named += [match.group() for match in _TITLED.finditer(straight(content))]
    found = frozenset(term for words in named for term in query_terms(words))
    # a name of Han characters is cut in pairs
    han = [match.group() for match in _HAN_NAMED.finditer(content)]
    return found | frozenset(term for words in han for term in query_terms(words))


_OF: Final = re.compile(
    r" (?:de la|de|del|du|des|d'|von|vom|am|des|gegen|mit|für|avec|con|contre|para|pour)\b.*| (?:d'|aux? ).*"
)


def owned_part(phrase: str) -> str:
    """Give what is named before whose or what part of it is: "el portaequipajes del Focus", "福克斯的行李架"."""
    before = _OF.sub("", f" {phrase}").strip()
    return before.rpartition("的")[2] if "的" in before else before


_AFTER: Final = re.compile(
    r"\A\s*(?:\Z|[^\w\s'’-]|(?:is|are|was|were|has|have|in|at|on|from|with|by|and|or|of|for|to|called|named"
    r"|that|which|who"
    r"|near|every|each|a|an|the|as|since|because|twice|once|three|four|instead|after|before|when|while|behind"
    r"|under|runs?"
    r"|lives?|opens?|closes?|starts?|costs?|takes?|meets?|sleeps?|sees|logs?|uses?|goes|stays?|works?|holds?"
    r"|keeps?|ends?|we|i"
    r"|they|he|she|it|there|together|now|\d[\w:.]*|can|will|won't|does|do|wants?|(?-i:[A-ZÀ-ÖØ-Þ])\w+|\w+ly"
    r"|\w+ed|\w+days?)\b)",
    re.IGNORECASE,
)


def is_head_in(term: str, content: str) -> bool:
    """Tell whether a row speaks of the thing itself and not of what it only describes: "car insurance" is no car."""
    plain = straight(content)
    return any(
        term in query_terms(match.group())
        and ((match.start() > 0 and match.group()[:1].isupper()) or _AFTER.match(plain[match.end() :]) is not None)
        for match in re.finditer(r"[\w./@#+&-]+", plain)
    )
