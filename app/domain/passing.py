"""What a question or a request tells in passing: its reason, what it says of somebody named in it, a new value.

"Since I'm vegan now, what can I cook?" asks, and tells that somebody is vegan. What is told so is meant as a plain
statement is; only the rest of the sentence asks. See `extract`, which reads each of these as a statement of its own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from app.domain.languages import is_english
from app.domain.modality import is_question_opening, is_request
from app.domain.sentences import has_clause
from app.domain.text import straight

_LONGEST: Final = 1_200
"""A longer sentence is not searched, code points."""


@dataclass(frozen=True, slots=True)
class Aside:
    """Something told in passing: where in the sentence it stands, and what it says on its own."""

    start: int
    end: int
    said: str


_SOMEBODY: Final = (
    r"(?:i|we|my|our|he|she|it|they|i'm|we're|he's|she's|it's|they're|i've|we've|they've|i'd|there's|there are|there is)"
)
# not what may be so, nor what was asked or said just now
_NO_FACT: Final = re.compile(
    r"(?:i|we|you) (?:can't|cannot|can|could|would|might|may|should|want|need|think|guess|hope|wonder|know|don't know"
    r"|don't understand|don't get|see|was wondering|am not sure|asked|said|told|mentioned)\b"
    r"|(?:i'm|we're|i am|we are) (?:trying|asking|wondering|curious|confused|stuck|here|not sure|unsure|guessing)\b"
    r"|it (?:is|was|seems|looks|sounds)\b|it's\b|we've (?:talked|covered|discussed|established)\b",
    re.IGNORECASE,
)
_GROUNDS: Final = r"(?:since|because|now that|given that|given|considering that|considering|seeing that|seeing as|seeing)"
_LEADING: Final = re.compile(rf"(?:{_GROUNDS}|as) (?={_SOMEBODY}\b)", re.IGNORECASE)
_TRAILING: Final = re.compile(
    rf"(?:, (?:{_GROUNDS}|as|cause|cuz)|(?<!is it) (?:now that|given that|considering that|seeing that)) "
    rf"(?P<said>(?={_SOMEBODY}\b).{{3,240}}?)(?P<stop>[?.!]*\Z)",
    re.IGNORECASE | re.DOTALL,
)
# "as a vegan, what should I eat": what somebody is, not what something is for
_ROLE: Final = re.compile(
    r"(?:(?:speaking|being) )?as (?P<role>an? (?!(?:test|joke|rule|result|reminder|note|side|follow|next|first|last"
    r"|second|final|starting|start|favou?r|bonus|summary|warm|quick|general|matter|way|gift|present|thank|treat|snack"
    r"|side|main|dessert|starter|backup|fallback|consequence|whole|group|team|pair|couple|table|list|bullet|json"
    r"|one|single|default|variable|string|function|file)\b)[\w'-]+(?: (?!(?:what|which|where|when|why|how|do|does"
    r"|can|could|should|would|is|are|i|we)\b)[\w'-]+){0,5}), (?P<ask>\S.*)",
    re.IGNORECASE | re.DOTALL,
)
# a supposition, or a text that is wanted: what these say of somebody need not be so
_MADE_UP: Final = re.compile(
    r"\A(?:what |and |but |so )?(?:if|imagine|suppose|supposing|pretend|assuming|assume|say|let's say)\b"
    r"|\b(?:story|stories|poem|novel|song|lyrics|joke|fiction|fairy ?tale|limerick|haiku|screenplay|translate|translation"
    r"|rewrite|proofread|paraphrase|rephrase|sentence|quote|imagine|pretend|role-?play)\b",
    re.IGNORECASE,
)
_OWN: Final = re.compile(r"\b(?:i|i'm|me|my|we|us|our)\b", re.IGNORECASE)
_WORD: Final = r"[\w'./&+#-]+"
_NOUN: Final = (
    rf"(?:my|our) {_WORD}(?: (?!(?:and|or|but|to|so|when|if|that|which|who|is|are|was|has|have)\b){_WORD}){{0,7}}"
)
_THE: Final = (
    rf"(?:the|my|our|this|these|their|his|her) {_WORD}"
    rf"(?: (?!(?:and|or|but|to|so|when|if|that|which|who|is|are|was|has|have|i|we|you|he|she|they|it)\b){_WORD}){{0,11}}"
)
_SOON: Final = r"(?:(?:now|recently|just|already|since|currently|finally|also|actually|only|both|meanwhile|still|then) )*"
_HAVE: Final = re.compile(r"\A've\b", re.IGNORECASE)
_HAS: Final = re.compile(r"\A's(?= (?:been|got|had|gone|become)\b)", re.IGNORECASE)
_IS: Final = re.compile(r"\A's\b", re.IGNORECASE)
# where what is said of it ends: at a comma that is in no number and before no year, or where another clause begins
_STOP: Final = re.compile(
    r",(?=\s(?!(?:19|20)\d\d\b))|\s[–—-]{1,2}\s|[;?!()]|\.(?=\s|\Z)|\s(?:and|but|so) (?=(?:i|i'm|i've|we|we're|can|could"
    r"|how|what|please|want|need)\b)|\Z",
    re.IGNORECASE,
)
_WHO: Final = re.compile(
    rf"(?P<about>{_NOUN}), who(?P<said>(?:'s|'ve)? "
    r"(?!(?:would|could|might|may|should|shall|will|can|do|does|did|i|we|you|they|he|she|knows?|thinks?|said|says|asked"
    r"|wants?)\b)\S.*)",
    re.IGNORECASE | re.DOTALL,
)
_WHICH: Final = re.compile(
    rf"(?P<about>{_NOUN}), which(?P<said>(?:'s)? {_SOON}"
    r"(?:(?:is|was|are|were) (?!(?:an? (?:shame|pity|pain|problem|lot|bit|good|bad|big|great|huge|nice|weird|real|must"
    r"|mess|first|relief)|the (?:problem|reason|point|worst|best|thing)|why|what|how|where|when|great|good|bad|nice"
    r"|weird|fine|annoying|sad|odd|strange|frustrating|fun|cool|important|not (?:good|great|ideal|fun)|better|best|more"
    r"|most|\w+er|really|very|so|too|kind|sort)\b)|(?:has|have) |runs?\b|costs?\b|uses?\b|holds?\b"
    r"|expires?\b|starts?\b|ends?\b|opens?\b|closes?\b|weighs?\b|dates? from|belongs? to|consists?\b|comes? with"
    r"|stands?\b|sits?\b|listens?\b|lives?\b|used to)\S?.*)",
    re.IGNORECASE | re.DOTALL,
)
# of a thing that is not said to be somebody's, only how it has become
_BECAME: Final = re.compile(
    rf"(?P<about>{_THE}), which(?P<said> (?:has|have) {_SOON}(?:been (?:extended|raised|lowered|reduced|increased|cut"
    r"|moved|changed|pushed|postponed|set)|improved|grown|reached|risen|dropped|fallen|increased|decreased|gone|come"
    r"|climbed|shrunk|changed|moved|slipped|jumped|doubled|tripled|expanded|hit|passed|exceeded)\b.*)",
    re.IGNORECASE | re.DOTALL,
)
_WISHED: Final = re.compile(
    r"(?:(?:i'm|i am|we're|we are) (?:now |currently |just )?(?:trying|looking|hoping|planning|aiming|struggling|having"
    r" trouble|working on)|(?:i|we)(?:'d like| would like| want| need| hope| have| plan|'ve been trying| was trying) )\b",
    re.IGNORECASE,
)
_NEW: Final = re.compile(
    r"\b(?P<about>(?:the|my|our) (?:new|updated|revised|current|latest) (?:(?!(?:and|or|but|to|so|when|if|that|which|who"
    r"|is|are|was|has|have|of)\b)[\w'-]+ ){0,3}(?:(?!of\b)[\w'-]+)) of (?P<value>(?:(?:about|around|roughly|nearly"
    r"|over|under) )?(?:(?:[$€£]|USD|EUR) ?)?(?=\d|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)\w* \d).{1,60})",
    re.IGNORECASE,
)
_ENDS_VALUE: Final = re.compile(
    r",(?=\s(?!(?:19|20)\d\d\b))|\s[–—-]{1,2}\s|[;?!()]|\.(?=\s|\Z)|\s(?:and|but|so|for|in|on|at|to|with|into|from|by"
    r"|as|because|since|while|when|if|is|are|was|has|which|that)\b|\Z",
    re.IGNORECASE,
)
_IN_OTHER: Final = (
    # French, Spanish, Chinese: what gives a reason is said as it would be by itself
    re.compile(
        r"(?:comme|puisque|puisqu'|vu que|étant donné que|maintenant que|maintenant qu'|sachant que) ?"
        r"(?P<said>(?:je|j'|nous|on|mon|ma|mes|notre|nos)(?=[ ']|(?<='))[^?]{3,200}?), (?P<ask>[^?]{3,300}\?)",
        re.IGNORECASE,
    ),
    re.compile(
        r"¿?(?:como|ya que|puesto que|dado que|ahora que|visto que) (?P<said>(?!(?:si|es|está|quieras|puedas|sea)\b)"
        r"[^?¿]{5,200}?), ¿?(?P<ask>[^?]{3,300}\?)",
        re.IGNORECASE,
    ),
    re.compile(r"(?:因为|因為|既然|由于|由於|鉴于)(?P<said>(?:我|咱)[^？?。]{2,80}?)[，,](?:所以|那么|那)?(?P<ask>[^？?。]{2,80}[？?])"),
)
# German puts the verb last in a reason, and second in a statement
_GERMAN: Final = re.compile(
    r"(?:da|weil|nachdem|jetzt,? wo|wo) (?P<who>ich|wir|mein\w{0,2} [\w-]+|unser\w{0,2} [\w-]+) (?P<rest>[^?,]{2,200}?) "
    r"(?P<verb>bin|habe|hab|ist|hat|sind|haben|war|waren|wurde|wohne|lebe|arbeite|esse|trinke|[\wäöüß]{2,14}[et]|[\wäöüß]{2,14}en),"
    r" (?P<ask>[^?]{3,300}\?)",
    re.IGNORECASE,
)


def told_in_passing(sentence: str) -> list[Aside]:
    """Find what a question, a request or a wish tells in passing; whether the sentence is one is the caller's to know.

    Args:
        sentence: One sentence, without the words that open a talk.
    """
    plain = straight(sentence)
    if len(plain) > _LONGEST or _MADE_UP.search(plain):
        return []
    found = list(_in_english(plain) if is_english(plain) else _elsewhere(plain))
    return sorted(found, key=lambda aside: aside.start)


def is_wished(text: str) -> bool:
    """Tell whether a statement says what somebody wants or is at: what it says beside that is told in passing."""
    return _WISHED.match(straight(text)) is not None


def _in_english(plain: str) -> Iterator[Aside]:
    lead = _lead(plain)
    if lead is not None:
        yield lead
    start = lead.end if lead is not None else 0
    trailing = None if lead is not None else _TRAILING.search(plain)
    if trailing is not None and not _NO_FACT.match(trailing["said"]) and has_clause(trailing["said"]):
        yield Aside(trailing.start("said"), trailing.end("said"), trailing["said"])
    for pattern in (_BECAME, _WHO, _WHICH):
        relative = pattern.search(plain, start)
        if relative is not None and relative.start() > 0:
            stop = _STOP.search(plain, relative.start("said") + 1)
            end = stop.start() if stop is not None else len(plain)
            told = _HAS.sub(" has", _HAVE.sub(" have", plain[relative.start("said") : end]))
            told = _IS.sub(" is", told)
            yield Aside(relative.start(), end, relative["about"] + told)
            break
    for new in _NEW.finditer(plain, start):
        stop = _ENDS_VALUE.search(plain, new.start("value") + 1)
        end = min(stop.start() if stop is not None else len(plain), new.end())
        yield Aside(new.start(), end, f"{new['about']} is {plain[new.start('value') : end]}")


def _lead(plain: str) -> Aside | None:
    """Find the reason or the role that opens a question: the first comma behind which it asks ends it."""
    role = _ROLE.match(plain)
    if role is not None and _asks(role["ask"]) and _OWN.search(role["ask"]):
        return Aside(role.start("role"), role.end("role"), f"I'm {role['role']}")
    opened = _LEADING.match(plain)
    if opened is None or _NO_FACT.match(plain, opened.end()):
        return None
    commas = [comma.start() for comma in re.finditer(", ", plain) if comma.start() > opened.end()]
    for comma in (*(at for at in commas if _opens_asking(plain[at + 2 :])), *commas[-1:]):
        return Aside(opened.end(), comma, plain[opened.end() : comma]) if _asks(plain[comma + 2 :]) else None
    return None


def _asks(text: str) -> bool:
    return _opens_asking(text) or text.rstrip().endswith("?")


def _opens_asking(text: str) -> bool:
    return is_question_opening(text) or is_request(text)


def _elsewhere(plain: str) -> Iterator[Aside]:
    for pattern in _IN_OTHER:
        found = pattern.match(plain)
        if found is not None:
            yield Aside(found.start("said"), found.end("said"), found["said"])
            return
    german = _GERMAN.match(plain)
    if german is not None:
        said = f"{german['who']} {german['verb']} {german['rest']}"
        yield Aside(german.start("who"), german.end("verb"), said)
