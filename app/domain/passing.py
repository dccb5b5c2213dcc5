"""What a question or a request tells in passing: its reason, what it says of somebody named in it, a new value.

"Since I'm vegan now, what can I cook?" asks, and tells that somebody is vegan. What is told so is meant as a plain
statement is; only the rest of the sentence asks. See `extract`, which reads each of these as a statement of its own.
Where it is not plain what is told, nothing is.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from app.domain.languages import is_english
from app.domain.modality import is_question_opening, is_request
from app.domain.passing_foreign import REASONS
from app.domain.sentences import has_clause
from app.domain.text import straight, vocabulary

_LONGEST: Final = 1_200
"""A longer sentence is not searched, code points."""


@dataclass(frozen=True, slots=True)
class Aside:
    """Something told in passing: where in the sentence it stands, and what it says on its own.

    `said` is None where it says that in the very words that stand there.
    """

    start: int
    end: int
    said: str | None = None


# a supposition, a part that is played, or a text that is wanted or spoken of: what these say of somebody need not be so
_MADE_UP: Final = re.compile(
    r"\A(?:what |and |but |so |ok |okay )*(?:if|imagine|suppose|supposing|pretend|assuming|assume|say|let's say|you are"
    r"|you're|play|act)\b|\b(?:as if|as though)\b",
    re.IGNORECASE,
)
_TEXTS: Final = vocabulary(
    "story stories poem novel song lyrics joke fiction fairytale limerick haiku screenplay translate translation"
    " rewrite proofread paraphrase rephrase sentence quote imagine pretend roleplay scene rap essay perspective fake"
    " scenario example tweet phrase text wording grammar comma commas spelling spell caption slogan script dialogue"
    " character below above mean means meaning pronounce rhyme role game games campaign minecraft sim sims pokémon"
    " backstory wizard paladin hypothetically"
)
_QUOTE: Final = re.compile(r"[\"“”„«»]")
_SOMEBODY: Final = (
    r"(?:i|we|my|our|he|she|it|they|i'm|we're|he's|she's|it's|they're|i've|we've|they've|i'd|there's|there are"
    r"|there is)"
)
# not what may be so, what is felt at the moment, nor what was asked or said just now
_NO_FACT: Final = re.compile(
    r"(?:i|we|you|he|she|they|my \w+|our \w+)(?: (?:also|just|already|always|often|once))* (?:can't|cannot|can"
    r"|could|would"
    r"|might|may|should|want|need|think|guess|hope|wonder|know|don't know|don't understand|don't get|see|was wondering"
    r"|am not sure|asked|asks?|said|says?|told|tells?|mentioned|claims?|puts?|speak|last|first|was \d|was an?\b"
    r"|were \d|wrote|spoke|talked)\b"
    r"|(?:i'm|we're|i am|we are) (?:trying|asking|wondering|curious|confused|stuck|here|not sure|unsure|guessing)\b"
    r"|it (?:is|was|seems|looks|sounds|says)\b|it's\b|we've (?:talked|covered|discussed|established)\b",
    re.IGNORECASE,
)
# what others think, and what is not quite meant
_DOUBTED: Final = re.compile(
    r"\b(?:basically|sort of|kind of|supposedly|allegedly|told|suspects?|thinks?|believes?|convinced|for a day"
    r"|let's be honest|practically|almost)\b",
    re.IGNORECASE,
)
_GROUNDS: Final = r"(?:since|because|now that|given that|considering that|considering|seeing that|seeing as)"
_LEADING: Final = re.compile(
    rf"(?:\A|[–—:-] |, (?:but|so|and) )(?:{_GROUNDS} (?={_SOMEBODY}\b)|as (?=(?:i'm|i am|we're|we are|i live in"
    r"|i have an?|i work (?:at|as|in|for|from|nights?)|we live in|we have an?)\b))",
    re.IGNORECASE,
)
_TRAILING: Final = re.compile(
    rf"(?:,? (?:now that|given that|considering that|seeing that|seeing as)|, (?P<why>since"
    rf"|because)) (?={_SOMEBODY}\b)",
    re.IGNORECASE,
)
# under these it is the reason itself that is asked about
_ASKED_IF: Final = re.compile(
    r"\A\W*(?:is|are|was|were|am|does|did|do you (?:think|believe)|could (?:it|i|he|she|they)|might|may it|would it|has"
    r"|have)\b",
    re.IGNORECASE,
)
_SINCE_WHEN: Final = re.compile(r"\b(?:how long|changed?|learn(?:ed|t)|happened|have|has|had|did)\b", re.IGNORECASE)
# "as a vegan, what should I eat": what the speaker is, not what something is for
_ROLE: Final = re.compile(
    r"(?:(?:speaking|being) )?as (?P<role>an? (?:[\w'-]+ ){0,5}?[\w'-]+), (?P<ask>\S.*)", re.IGNORECASE | re.DOTALL
)
_I_ASK: Final = re.compile(
    r"(?:(?:what|which|how|where|when|why)\b[^?,]{0,40}? )?(?:should|can|could|do|may|must|am|are) (?:i|we)\b"
    r"|(?:i|we) (?:need|want|can't|wonder)\b",
    re.IGNORECASE,
)
_NOT_YET: Final = vocabulary("future potential wannabe aspiring former would-be ex next thank")
_DESCRIBED: Final = re.compile(r" (?:of|for|to|in|on|at|with|from|who|that|towards|by|and) ", re.IGNORECASE)
_PEOPLE: Final = re.compile(
    r"\b(?:vegan|vegetarian|pescatarian|diabetic|coeliac|celiac|nurse|teacher|doctor|developer|engineer|designer"
    r"|student|parent|mother|father|mum|mom|dad|widow|widower|freelancer|pensioner|beginner|runner|cyclist|writer"
    r"|driver|cook|chef|baker|farmer|lawyer|manager|director|accountant|artist|musician|photographer|scientist"
    r"|researcher|professor|librarian|plumber|electrician|carpenter|mechanic|pilot|paramedic|midwife|dentist|pharmacist"
    r"|therapist|translator|journalist|editor|analyst|consultant|architect|founder|christian|muslim|jew|hindu|buddhist"
    r"|atheist|catholic|citizen|immigrant|tenant|landlord|homeowner|carer|caregiver|veteran|wheelchair user)\Z",
    re.IGNORECASE,
)
# words of a phrase: none that joins two
_WORD: Final = (
    r"(?!(?:of|for|in|on|at|from|with|into|to|about|by|and|or|but|so|when|if|that|which|who|is|are|was|were|has"
    r"|have|i|we"
    r"|you|he|she|they|it|my|our|the|his|her|their|this|these)\b)[\w'./&+#-]+"
)
_OWN: Final = rf"(?:my|our) {_WORD}(?: {_WORD}){{0,5}}"
# "the test coverage of my parser", "the number of commits merged into the main branch"
_WHOLE: Final = (
    rf"(?:the|my|our) {_WORD}(?: {_WORD}){{0,4}}(?: (?:of|for) (?:(?:the|my|our) )?{_WORD}(?: {_WORD}){{0,3}}"
    rf"(?: (?<=ed )(?:into|to|in|on|by) (?:(?:the|my|our) )?{_WORD}(?: {_WORD}){{0,2}})?)?"
)
_AT_END: Final = {
    name: re.compile(rf"\b{phrase}\Z", re.IGNORECASE) for name, phrase in (("own", _OWN), ("all", _WHOLE))
}
_RELATIVE: Final = re.compile(r", (?P<who>which|who)(?=['’ ])", re.IGNORECASE)
_SOON: Final = r"(?:(?:now|recently|just|already|since|currently|finally|also|actually|only|meanwhile|still|then) )*"
_WHO: Final = re.compile(
    r"(?:'s|'ve)? (?!(?:would|could|might|may|should|shall|will|can|do|does|did|i|we|you|they|he|she|knows?"
    r"|thinks?|said"
    r"|says|asked|wants?)\b)\S",
    re.IGNORECASE,
)
_WHICH: Final = re.compile(
    rf"(?:'s)? {_SOON}"
    r"(?:(?:is|was|are|were) (?!(?:an? (?:shame|pity|pain|problem|lot|bit|good|bad|big|great|huge|nice|weird|real|must"
    r"|mess|first|relief)|the (?:problem|reason|point|worst|best|thing)|why|what|how|where|when|great|good|bad|nice"
    r"|weird|fine|annoying|sad|odd|strange|frustrating|fun|cool|important|not (?:good|great|ideal|fun)|better|best|more"
    r"|most|\w+er|really|very|so|too|kind|sort|on fire)\b)|(?:has|have) |runs?\b|costs?\b|uses?\b|holds?\b"
    r"|expires?\b|starts?\b|ends?\b|opens?\b|closes?\b|weighs?\b|dates? from|belongs? to|comes? with|stands?\b"
    r"|listens?\b|used to)",
    re.IGNORECASE,
)
# how something has become: that is said of all of it, and not of its last noun
_BECAME: Final = re.compile(
    rf" (?:has|have) {_SOON}(?:been (?:extended|raised|lowered|reduced|increased|cut|moved|changed|pushed"
    rf"|postponed|set)"
    r"|improved|grown|reached|risen|dropped|fallen|increased|decreased|gone|come|climbed|shrunk|changed|moved|slipped"
    r"|jumped|doubled|tripled|expanded|hit|passed|exceeded)\b",
    re.IGNORECASE,
)
_MANY: Final = re.compile(r"\A {0,1}(?:are|were|have)\b", re.IGNORECASE)
_IS_MANY: Final = re.compile(r"(?:s|children|people|men|women|team|staff|family|data)\Z", re.IGNORECASE)
_HAVE: Final = re.compile(r"\A've\b", re.IGNORECASE)
_IS: Final = re.compile(
    r"\A's (?=(?:an?|the|my|our|not|in|on|at|from|called|named|scared|afraid|allergic|married|retired"
    r"|engaged|divorced|based|\d|vegan|vegetarian|pregnant|deaf|blind|diabetic|turning|getting|living|working)\b)",
    re.IGNORECASE,
)
# where what is said ends: at a comma that is in no number and before no year, or where another clause begins
_STOP: Final = re.compile(
    r",(?=\s(?!(?:19|20)\d\d\b))|\s[–—-]{1,2}\s|[;()]|[?!](?=\s|\Z)|\.(?=\s+[A-ZÀ-ÖØ-Þ]|\s*\Z)|\s(?:and|but|or|so)\s|\Z"
)
_WISHED: Final = re.compile(
    r"(?:(?:i'm|i am|we're|we are) (?:now |currently |just )?(?:trying|looking|hoping|planning|aiming|struggling|having"
    r" trouble|working on)|(?:i|we)(?:'d like| would like| want| need| hope| have to| plan|'ve been trying| was"
    r" trying))\b",
    re.IGNORECASE,
)
# what one works on is one's own
_WORKED_ON: Final = re.compile(
    r"\b(?:i|i'm|we|we're|me|us)\b.{0,40}\b(?:optimi[sz]|improv|reduc|increas|lower|rais|fix|speed|cut|boost"
    r"|monitor|track"
    r"|manag|maintain|updat|refactor|debug|scal|grow|stabili[sz]|measur)(?:e|ing|ting|ging|ding|ling)?(?: up"
    r"| down)? \Z",
    re.IGNORECASE,
)
_UNIT: Final = (
    r"(?:euros?|dollars?|pounds?|francs?|usd|eur|gbp|percent|people|hours?|minutes?|seconds?|days?|weeks?|months?"
    r"|years?"
    r"|users?|gb|tb|mb|ms|km|kg|kilos?|miles?|words?|pages?|points?|subscribers?|members?|calories|steps)"
)
_DAY: Final = (
    r"(?:january|february|march|april|may|june|july|august|september|october|november|december|jan|feb|mar|apr|jun|jul"
    r"|aug|sept?|oct|nov|dec)\.? \d{1,2}(?:st|nd|rd|th)?(?:, (?:19|20)\d\d)?"
)
_NEW: Final = re.compile(
    r"\b(?P<about>(?:the|my|our) (?:new|updated|revised|current|latest) (?:(?!of\b)[\w'-]+ ){0,3}?(?!of\b)[\w'-]+) of "
    rf"(?P<value>(?:(?:about|around|roughly|nearly|over|under) )?(?:{_DAY}|\d{{1,2}}(?:st|nd|rd|th)? (?=[A-Z])[A-Z]\w+"
    # a number is whole, or none
    rf"|(?>[$€£]? ?\d(?:[\d.,:]*\d)?(?:k|m|%)?)(?: (?:million|billion))?(?: {_UNIT})?"
    r"(?: (?:a|per) (?:month|week|year|day|hour|person|head|night|km|mile))?))"
    r"(?=[,;:?!)]|\.(?!\d)|\s*\Z|\s(?:and|but|so|for|in|on|at|to|with|into|from|by|as|because|since|while|when|is"
    r"|isn't|go"
    r"|goes|feel)\b)",
    re.IGNORECASE,
)
_NOT_TAKEN: Final = re.compile(
    r"(?:\A\W*(?:is|has|was|will|does|did|are|have)|\b(?:ignore|doubt|forget|accept|refuse|reject|whether|than"
    r"|not)) \Z",
    re.IGNORECASE,
)


def told_in_passing(sentence: str) -> list[Aside]:
    """Find what a question, a request or a wish tells in passing; whether the sentence is one is the caller's to know.

    Args:
        sentence: One sentence, without the words that open a talk.
    """
    plain = straight(sentence)
    if len(plain) > _LONGEST or _QUOTE.search(plain) or _MADE_UP.search(plain):
        return []
    if not is_english(plain):
        return list(_elsewhere(plain))
    if not _TEXTS.isdisjoint(re.findall(r"[^\W\d_]+", plain.casefold())):
        return []
    found = [aside for aside in _in_english(plain) if not _DOUBTED.search(plain, aside.start, aside.end)]
    return sorted(found, key=lambda aside: aside.start)


def is_wished(text: str) -> bool:
    """Tell whether a statement says what somebody wants or is at: what it says beside that is told in passing."""
    return _WISHED.match(straight(text)) is not None


def _in_english(plain: str) -> Iterator[Aside]:
    reason = _role(plain) or _leading(plain) or _trailing(plain)
    if reason is not None:
        yield reason
    for relative in _RELATIVE.finditer(plain):
        found = _relative(plain, relative)
        if found is not None and (reason is None or found.start >= reason.end or found.end <= reason.start):
            yield found
    for new in _NEW.finditer(plain):
        after = plain[new.end() : new.end() + 4].casefold()
        if not after.startswith(" or ") and not _NOT_TAKEN.search(plain, 0, new.start()):
            yield Aside(new.start(), new.end(), f"{new['about']} is {new['value']}")


def _role(plain: str) -> Aside | None:
    """Find what the speaker says to be, where it is the speaker that the question is about."""
    role = _ROLE.match(plain)
    if role is None or not _I_ASK.match(role["ask"]):
        return None
    # "a gift for a teacher" is no teacher
    head = _DESCRIBED.split(role["role"], maxsplit=1)[0]
    if not _PEOPLE.search(head) or not _NOT_YET.isdisjoint(head.casefold().split()):
        return None
    return Aside(role.start("role"), role.end("role"), f"I'm {role['role']}")


def _leading(plain: str) -> Aside | None:
    """Find the reason before a question: the first comma behind which it asks ends it."""
    opened = _LEADING.search(plain)
    if opened is None or _NO_FACT.match(plain, opened.end()):
        return None
    commas = [comma.start() for comma in re.finditer(", ", plain) if comma.start() > opened.end()]
    for comma in commas:
        if is_question_opening(plain[comma + 2 :]) or is_request(plain[comma + 2 :]):
            return Aside(opened.end(), comma)
    alone = len(commas) == 1 and plain.rstrip().endswith("?")
    return Aside(opened.end(), commas[0]) if alone else None


def _trailing(plain: str) -> Aside | None:
    """Find the reason behind a question or a request."""
    opened = _TRAILING.search(plain)
    if opened is None or _NO_FACT.match(plain, opened.end()):
        return None
    why = (opened["why"] or "").casefold()
    if why and (_ASKED_IF.match(plain) or (why == "since" and _SINCE_WHEN.search(plain, 0, opened.start()))):
        return None
    # what stands between is no whole question: "Could you, since I'm diabetic, suggest a cake?"
    stop = _STOP.search(plain, opened.end() + 1)
    end = stop.start() if stop is not None else len(plain)
    if not has_clause(plain[opened.end() : end]):
        return None
    return Aside(opened.end(), end)


def _relative(plain: str, relative: re.Match[str]) -> Aside | None:
    """Find what is said of somebody or something of the speaker's; None where it is not plain of what."""
    before, start = plain[: relative.start()], relative.end()
    stop = _STOP.search(plain, start + 1)
    end = stop.start() if stop is not None else len(plain)
    if plain[end : end + 1] == "(":
        return None
    became = relative["who"].casefold() == "which" and _BECAME.match(plain, start) is not None
    whose = _AT_END["all" if became else "own"].search(before)
    kind = _WHO if relative["who"].casefold() == "who" else _WHICH
    if whose is None or whose.start() == 0 or not (became or kind.match(plain, start)):
        return None
    about = whose.group()
    if about[:4].casefold() == "the " and re.search(r"\b(?:my|our)\b", about, re.IGNORECASE) is None:
        if _WORKED_ON.search(plain, 0, whose.start()):
            about = f"my {about[4:]}"
        elif _WISHED.match(plain) is None:
            return None
    told = plain[start:end].rstrip()
    if len(told.split()) < 2:
        return None
    if _MANY.match(told) and (_IS_MANY.search(about) is None or re.search(r"\band \Z", before[: whose.start()])):
        return None
    if kind is _WHO and re.search(r"'s |s' ", about):
        return None
    if told.startswith("'") and not (_HAVE.match(told) or _IS.match(told)):
        return None
    return Aside(whose.start(), start + len(told), about + _IS.sub(" is ", _HAVE.sub(" have", told)))


def _elsewhere(plain: str) -> Iterator[Aside]:
    for reason in REASONS:
        found = reason.match(plain)
        if found is None:
            continue
        parts = found.groupdict()
        if parts.get("verb") is None:
            yield Aside(found.start("said"), found.end("said"))
        else:
            # German puts the verb last in a reason, and second in a statement
            yield Aside(
                found.start("who"), found.end("verb"), f"{parts['who']} {parts['verb']} {parts['rest'].strip()}"
            )
        return
