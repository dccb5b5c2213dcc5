"""Whose news each clause of a message is: the speaker's, somebody's with whom it opens, or nobody's.

"My colleague quit her job. Terrible." tells nothing of the speaker. A clause is the speaker's only when it says so: it
opens with "I" or "my", or leaves the speaker out ("Sold the Volvo"). A thing ("standup is at ten now") is what the
clause opens with. A fragment, or a clause that opens with "it", belongs to the clause before it. What cannot be told
is nobody's, and retires nothing.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from app.domain.memory import USER_SUBJECT
from app.domain.text import straight
from app.domain.whose import NOBODY, PEOPLE, acts_on_speaker, is_role, lead

SPEAKER: Final = ""
_THING: Final = "thing "
_FILLERS: Final = (
    r"^\W*(?:(?:so|well|and|but|anyway|ok|okay|oh|ah|yes|yeah|no|sorry|actually|finally|also|then|now|today|yesterday"
    r"|since \w+|as of \w+|from \w+ on|these days|turns out|it turns out|update|news|correction|in fact|by the way|last"
    r" \w+|this \w+|after .{2,40},|also|aber|und|seit \w+|ab \w+|jetzt|nun|inzwischen|übrigens|et|mais|bon|alors|depuis"
    r" \w+|maintenant|finalement|en fait|y|pero|ahora|al final|bueno|ya|desde \w+|pues),? )*"
)
_FIRST: Final = re.compile(
    _FILLERS
    + r"(?:i|we|my|our|mine|ours|ich|wir|mein\w*|unser\w*|mir|uns|mich|je|j|nous|on|mon|ma|mes|notre|nos|me|nos"
    r"|yo|mi|mis|nuestr[oa]s?|he|hemos|[a-zñ]+(?:é|í|amos|emos|imos))\b(?!'?s? ?(?:ex)\b)",
    re.IGNORECASE,
)
_HE_IS_ENGLISH: Final = re.compile(_FILLERS + r"he\b", re.IGNORECASE)
_FIRST_HAN: Final = re.compile(r"^\W*(?:.{0,6}[，,])?(?:现在|上周|上个月|昨天|今天|今年|最近)?(?:我|咱)")
# without a subject, a Chinese clause is the speaker's where it opens with what happened
_HAN_FIRST: Final = re.compile(
    r"^\W*(?:已经|早就|刚|终于|现在|从.{1,6})?(?:烟|酒|辞|搬|换|跳槽|分手|离婚|跟.{1,4}分手|离职|入职|毕业|从.{1,6}离职)"
)
_THEY: Final = re.compile(
    _FILLERS + r"(?:he|she|they|his|her|their|hers|theirs|er|ihr\w*|sein\w*|il|elle|ils|elles|son|sa|ses|leurs?"
    r"|él|ella|ellos|ellas|su|sus)(?:'|\b)|^\W*[他她]",
    re.IGNORECASE,
)
_TO_US: Final = re.compile(_FILLERS + r"they(?:'ve|'re| have)? \w+ (?:\w+ )?(?:me|us|my|our)\b", re.IGNORECASE)
_GOES_ON: Final = re.compile(
    _FILLERS + r"(?:it|that|this|there|those|these|es|das|dort|ce|c|ça|cela|eso|esto|allí)(?:'|\b)", re.IGNORECASE
)
# somebody else's thing: "Mia's violin teacher", "the dog of my sister", "for the neighbours"
_OTHERS: Final = re.compile(
    r"\b(?-i:[A-ZÀ-ÖØ-Þ])[\w-]+'s (?!(?:been|got|a|an|the|now|not|gone)\b)"
    rf"|\b(?:my|our|the|a|an) (?:[\w-]+ )?{PEOPLE}'s? (?=[a-z])"
    rf"|\b(?:of|for|to|with|from) (?:my|our|the|a|an|some) (?:[\w-]+ )?{PEOPLE}\b"
    rf"|\b(?:vom|von der|von|meines|meiner|de mon|de ma|du|de mi|del) (?:[\w-]+ )?{PEOPLE}\b|\bhis|\bher\b|\btheir\b",
    re.IGNORECASE,
)
_A_PERSON: Final = re.compile(
    rf"\b(?:my|our|the|a|an|mein\w*|unser\w*|mon|ma|mi) (?:[\w-]+ ){{0,2}}(?P<who>{PEOPLE})\b"
    r"|我(?:的)?(?:表|堂)?(?:哥|姐|弟|妹|妈|爸|朋友|同事|儿子|女儿|老公|老婆|邻居|室友)|同事|邻居",
    re.IGNORECASE,
)
# "my wife's brother", "my mother's neighbour"
_OF_THEIRS: Final = re.compile(
    rf"^\W*(?:\w+,? )?(?:my|our) (?:\w+ )?{PEOPLE}'s? (?:\w+ )?{PEOPLE}\b"
    rf"|^\W*(?-i:[A-ZÀ-ÖØ-Þ])\w+'s (?:\w+ )?{PEOPLE}\b",
    re.IGNORECASE,
)
_A_VERB_FIRST: Final = re.compile(
    _FILLERS + r"(?:just |finally |already |recently )*(?:sold|quit|left|moved|gave|dropped|cancelled|canceled|switched"
    r"|changed|swapped|got|bought|started|stopped|handed|packed|signed|traded|replaced|turned|went|made|took|settled"
    r"|am|been|broke|put|set|meant|make|scratch|strike|not|never|don't|please|call|use|write|no more|goodbye|bye)\b",
    re.IGNORECASE,
)
_OWN_WORD: Final = re.compile(
    r"\b(?:i|i'm|i've|i'd|i'll|we|we're|we've|we'll|me|us|my|our|mine|ours|myself"
    r"|ich|wir|mich|mir|uns|je|j|moi|nous|yo|nos|mi|mis|[a-zñ]+(?:amos|emos|imos))\b|我(?!妈|爸|哥|姐|弟|妹|朋|同|儿|女"
    r"|老|奶|爷|邻|室|表|堂)|咱",
    re.IGNORECASE,
)
_SHORT: Final = 3  # words of a fragment


def affairs(told: Sequence[tuple[str, str]]) -> dict[str, list[tuple[str, str]]]:
    """Sort the clauses of a message by whose news they are; what is nobody's is left out."""
    found: dict[str, list[tuple[str, str]]] = {}
    before: str | None = SPEAKER
    for place, (subject, words) in enumerate(told):
        owner = _owner(subject, straight(words), before)
        if owner == _THING:
            owner = f"{_THING}{place}"
        if owner == SPEAKER and of_others(words):
            # "the doctor changed my mother's dose. 40 mg now": a fragment after it is nobody's
            before = None
            continue
        before = owner
        if owner is not None:
            found.setdefault(owner, []).append((subject, words))
    return found


def is_thing(owner: str) -> bool:
    """Tell whether the owner of a clause is what it opens with: "standup is at ten now"."""
    return owner.startswith(_THING)


def speaks_of_self(words: str) -> bool:
    """Tell whether a clause itself says that it is about the speaker, and about nobody beside."""
    plain = straight(words)
    if _HAN_FIRST.match(plain):
        return "他" not in plain and "她" not in plain
    opens = _first(plain) or _A_VERB_FIRST.match(plain) is not None or _OWN_WORD.search(plain) is not None
    return opens and not of_others(plain)


_DID: Final = re.compile(
    _FILLERS
    + r"(?:i|we|i'm|we're|i've|we've|i'd|we'd|i'll|we'll|ich|wir|je|j|nous|on|yo)\b(?!'?s? (?:also|auch|aussi)\b)"
    r"|\b(?:i|we)(?:'ve|'re|'m| have| are| am)? (?:\w+ly |now |just |all )?(?:moved|switched|migrated|changed"
    r"|use|using|went"
    r"|swapped|ported|replaced|traded|on)\b|\b(?:my|our) (?:\w+ ){0,2}(?:is|are|runs?|moved|was|were|went|got)\b"
    r"|\b(?:hemos|pasamos|migramos|usamos|cambiamos|wir)\b|我们?",
    re.IGNORECASE,
)


_ACTS: Final = re.compile(
    _FILLERS + r"(?:i|we|i'm|we're|i've|we've|i'd|we'd|i'll|ich|wir|je|j|nous|on|yo|me|nos)\b"
    r"|\band i\b|^\W*they .{2,30}\bm[ey]\b"
    r"|^\W*(?:ahora |ya )?(?:me|nos|he|hemos|[a-zñ]+(?:é|í|amos|emos|imos))\b|^.{0,8}(?:我|咱)"
    r"|\b(?:jetzt|inzwischen|seitdem|nun|mittlerweile|habe?|bin|sind) (?:ich|wir)\b|\bmy (?:new|rent|salary"
    r"|number|boss)\b",
    re.IGNORECASE,
)


def acts(words: str) -> bool:
    """Tell whether the speaker is the one who did it, or to whom it was done: "our tenants moved out" is not."""
    plain = straight(words)
    if not speaks_of_self(plain):
        return False
    return (_ACTS.search(plain) or _A_VERB_FIRST.match(plain) or _HAN_FIRST.match(plain)) is not None


def did_it(words: str) -> bool:
    """Tell whether a clause says what the speaker uses or did, and not what somebody near to the speaker did."""
    plain = straight(words)
    return (_DID.search(plain) or _A_VERB_FIRST.match(plain)) is not None and not of_others(plain)


def of_others(words: str) -> bool:
    """Tell whether a clause speaks of somebody else, or of something of theirs."""
    plain = straight(words)
    if acts_on_speaker(plain):
        return False
    person = any(not is_role(match["who"] or "") for match in _A_PERSON.finditer(plain))
    return person or _OTHERS.search(plain) is not None


def _owner(subject: str, words: str, before: str | None) -> str | None:
    who = lead(words)
    if _OF_THEIRS.search(words):
        return None
    if who is not None and not acts_on_speaker(words):
        return who.casefold()
    if subject not in NOBODY and not subject.startswith("thing:"):
        return subject.partition(":")[2]
    if _TO_US.match(words):
        return SPEAKER
    if _THEY.match(words) and (not _is_spanish_have(words) or _HE_IS_ENGLISH.match(words) is not None):
        return before if before is not None and before != SPEAKER and not is_thing(before) else None
    if _first(words) or _A_VERB_FIRST.match(words) or acts_on_speaker(words):
        return SPEAKER
    if _GOES_ON.match(words) or len(words.split()) <= _SHORT:
        return before
    if not (subject == USER_SUBJECT or subject.startswith("thing:")):
        return None
    return SPEAKER if _OWN_WORD.search(words) or _HAN_FIRST.match(words) else _THING


def _first(words: str) -> bool:
    match = _FIRST.match(words)
    return (match is not None and _HE_IS_ENGLISH.match(words) is None) or _FIRST_HAN.match(words) is not None


def _is_spanish_have(words: str) -> bool:
    return re.match(r"\W*(?:he|hemos) \w+(?:ado|ido|to|cho)\b", words, re.IGNORECASE) is not None
