"""What a whole message tells as news: that something is over, otherwise now, or was told wrongly.

"We've spaced the therapy sessions out, I'm down to once a month": the mark of the change stands in one clause, the new
value in another, and the old row ("my therapist sees me every week") shares hardly a word with either. A row gives way
only when the message marks a change and at least two things join them: a telling word, a clash of values of one form
(`slots`), two rivals (`rivals`), or a theme of which one has one at a time (`themes`). Likeness is no argument.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from app.domain.change_words import ENGLISH, GENERIC, Tongue, terms_of
from app.domain.change_words_more import TONGUES
from app.domain.languages import is_english, look
from app.domain.memory import USER_SUBJECT, Memory
from app.domain.rivals import rivals
from app.domain.slots import Slots, clash, slots
from app.domain.terms import query_terms
from app.domain.text import straight
from app.domain.themes import states, turns

_LONGEST: Final = 320  # a longer message tells of more than one thing
_MOST: Final = 5  # clauses
_LONG_ROW: Final = 300

# what was is over, or otherwise now
_SWAP: Final = re.compile(
    r"\b(?:replac\w+|swapp\w+|switch\w*|changed|convert\w+|migrat\w+|moved|relocat\w+|transferr\w+|shifted"
    r"|reschedul\w+|postpon\w+|push(?:ed)? (?:back|to|out)|got pushed|brought .{2,30}forward|put back|bump\w+|rebook\w*"
    r"|upgrad\w+|downgrad\w+|renam\w+|rebrand\w+|promoted|demoted|upped|raised .{2,30} (?:to|from|by)|lowered|cut (?:to|back|down|out)"
    r"|halv\w+|extension|shortened|grew to|grown to|down to|up to|went (?:up|down|from|to|with"
    r"|over|back)|spaced|took over|taken over|passed on to|handed .{2,30}(?:over|to|back)|given .{2,40} to|converted|rewrote|rewritten"
    r"|ported|traded|turned (?:into|down|up) |gave in|gave way|made the (?:switch|jump|move)"
    r"|broken the habit|grown on me|grew on me|won me over|came round|come round (?:to)|warmed (?:up )?to|reconciled|fell in love|fallen"
    r" in love|instead of|rather than|in place of|over to|back (?:to|on) (?!school|nature)|the other way round"
    r"|slid to|slipped to|earlier than|later than|leads? it now|runs? it now|not .{1,20} but)\b",
    re.IGNORECASE,
)
_END: Final = re.compile(
    r"\b(?:sold|quit|left|gave up|given up|giving up|gave (?:my|the|our|it|him|her) .{0,20}(?:to|away)|stopped|dropped|cancel\w+"
    r"|closed|ended|broke up|split|divorced|died|passed away|expired|lapsed|retired|no longer|not? .{2,60}"
    r" any ?more|n't .{2,80} any ?more|any longer|got rid of|ditched|let (?:me|him|her|it|them) go|laid off|fired|resigned|healed|came off"
    r"|comes off|discharged|cleared|fell through|called off|withdr\w+|pulled out|outgr\w+|is over|are over|was over|(?:is|are|'s) (?:gone|history)"
    r"|behind me|behind us|done with|finished with|through with|had enough|fed up|shut down|shut|scrapped|axed|binned|abandoned|deleted"
    r"|uninstalled|unsubscribed|decommissioned|phased out|retired|ripped out|stolen|stole|banned|removed|packed (?:it|up)"
    r"|threw (?:out|away)|donated|rehomed|put (?:him|her|it) (?:down|to sleep)|adopted out|burned down|flooded|out of business"
    r"|went bust|bankrupt|dissolved|not .{2,30} at all|never again"
    r"|given .{2,40} up|shelved|pulled the plug|wound (?:up|down)|stepped (?:down|back)|dropped out|moved out|cut out"
    r"|died on me|gave out|gave up the ghost|kicked the|swore off|sworn off|weaned)\b",
    re.IGNORECASE,
)
_CORRECT: Final = re.compile(
    r"\b(?:actually|correction|i was wrong|my mistake|my bad|mistake|mistaken|misremember\w*|misspoke|misread|mixed up|meant|typo"
    r"|turns? out|turned out|as it turns out|should have said|got (?:that|it) wrong|scratch that|strike that|not quite right|wrong"
    r"|in fact|double-?checked|checked again|looked it up|just checked|corrected|to correct|confused|let me rephrase|i misled|apolog\w+"
    r"|sorry, |oops|whoops|i said|i told you|told you|wasn't|weren't|isn't .{1,30}(?:,|it's)|not .{1,20}, (?:it's|but))\b|\boops\b",
    re.IGNORECASE,
)
_NOW: Final = re.compile(
    r"\b(?:now|these days|nowadays|currently|as of|from now on|from here on|from today|from (?:next|this) \w+|going forward|any ?more"
    r"|instead|again|finally|at last|at the moment i'm|by now|already|since (?:last|january|february|march|april|may|june|july|august"
    r"|september|october|november|december|the|we|i|monday|easter|christmas)|starting (?:next|this|monday|in|from)|from (?:january|february"
    r"|march|april|may|june|july|august|september|october|november|december|monday|tuesday|wednesday|thursday|friday)|for good"
    r"|permanently|lately|has become|it's .{1,30} now|the latest|until further notice|henceforth|onwards?)\b",
    re.IGNORECASE,
)
_GET: Final = re.compile(
    r"\b(?:bought|got|started|starting|begun|began|joined|took up|taken up|picked up|adopted|hired|signed (?:with|up|on)|settl\w+|went with"
    r"|chose|chosen|decided (?:on|to)|opted|got (?:married|engaged|hitched)|is called|turned \d+|learned to|discovered|found (?:a|an|my|out)"
    r"|set up|installed|subscribed|registered|enrolled|opened|booked|agreed|approved|confirmed|fixed|set to|lives? with|runs? on|put me on)\b",
    re.IGNORECASE,
)
_WISH: Final = re.compile(
    r"\b(?:looking (?:for|to|at|into)|searching for|hunting for|want(?:s|ed)? (?:to|a|an|my|our)|plan(?:s|ning)? (?:to|on)|hop(?:e|es|ing)"
    r"|tr(?:y|ies|ying) to|fantasi\w+|dream\w*|wish\w*|would like|need(?:s|ed)? (?:to|a|an)|interested in|excited (?:about|to)|consider\w+"
    r"|apply\w*|applied|interview\w*|saving (?:up )?for|looks? forward|can't wait|goal|aspir\w+|encourag\w+|advice|advis\w+|help\w*)\b",
    re.IGNORECASE,
)
# whose affair a clause is: one that opens with somebody else and never comes to the speaker is no news of the speaker
_PEOPLE: Final = (
    r"(?:brothers?|sisters?|mother|father|mom|mum|dad|wife|husband|partner|girlfriend|boyfriend|sons?|daughters?|friends?"
    r"|colleagues?|co-?workers?|neighbou?rs?|cousins?|uncle|aunt|auntie|nephews?|niece|gran\w*|nan|nana|grandson|buddy|mates?"
    r"|roommates?|flatmates?|boss|manager|in-laws?|(?:mother|father|brother|sister)-in-law|parents|kids?|child|children|classmates?"
    r"|teammates?|pal|ex|twin|dentist|doctor|gp|therapist|teacher|trainer|coach|landlord|landlady|accountant|lawyer|hairdresser"
    r"|mechanic|plumber|client|customer|intern|assistant|supervisor|tenant|lodger|nanny|babysitter|tutor|baby|toddler|teenager"
    r"|bruder|schwester|mutter|vater|mann|frau|freundin?|kolleg\w+|nachbar\w*|sohn|tochter|onkel|tante|oma|opa|schwager|schwägerin"
    r"|cousine|nichte|neffe|frère|sœur|soeur|mère|père|mari|femme|copain|copine|ami|amie|collègue|voisine?|fils|fille|oncle"
    r"|hermano|hermana|madre|padre|marido|mujer|novio|novia|amigo|amiga|compañer[oa]|vecin[oa]|hijo|hija|tío|tía|primo|prima"
    r"|abuel[oa]|suegr[oa]|cuñad[oa]|sobrin[oa]|jef[ea])"
)
_LEAD: Final = re.compile(
    r"^\W*(?:(?:\w+ly|so|well|and|but|half|some of|most of|all|one of|both|anyway|ok|okay|yesterday|today|news|update|good news"
    r"|then|ach|also|bueno|pues|alors|au fait|por cierto|übrigens),? )*"
    rf"(?:my|our|the|a|an old|user's|mein\w*|unser\w*|mon|ma|mes|notre|nos|mis?|nuestr[oa]s?|de[nmr]|die|la|el|le|ein\w*|une?) "
    rf"(?:[\w-]+ ){{0,2}}?(?P<who>{_PEOPLE})(?:'s?)?\b(?! and (?:i|me)\b)",
    re.IGNORECASE,
)
_KINSHIP: Final = re.compile(
    r"我?(?:的)?(?P<who>表?[堂]?[哥姐弟妹]{1,2}|妈妈?|爸爸?|朋友|同事|儿子|女儿|老公|老婆|奶奶|爷爷|邻居|室友|老板|领导|同学|表\w)"
)
_SELF: Final = re.compile(
    rf"\b(?:i|i'm|i've|i'll|i'd|me|us|we|we're|we've|we'll|mine|ours|myself)\b|\b(?:my|our) (?!(?:[\w-]+ )?{_PEOPLE}\b)"
    r"|\b(?:ich|mich|mir|wir|uns|je|j'ai|me|m'|moi|nous|on|yo|nos|[a-z]+(?:amos|emos|imos|é|í))\b|我(?!妈|爸|哥|姐|弟|妹|朋|同|儿|女|老|奶|爷|邻|室|表|堂)",
    re.IGNORECASE,
)
_TOLD_ME: Final = re.compile(
    r"\b(?:told|tells|asked|asks|texted|wrote|showed|sent|called|rang|says to|said to|reminded|invited|thanked) (?:me|us)\b",
    re.IGNORECASE,
)
_COMMON: Final = terms_of(
    "time day week year people thing things home house work job office team name number night morning evening money "
    "friend friends family kid kids child children man woman guy dad mom mum brother sister husband wife son daughter "
    "food dinner lunch breakfast city town country place room door car phone school company business group week "
    "course class book movie film music game show trip weekend party story part plan plans line way world life idea "
    "love like good bad nice big small old new long short open close full free happy sad tired busy sure fine "
    "help try ask call talk speak write read watch play buy sell pay send bring meet visit learn teach study "
    "walk run drive ride fly swim eat drink cook sleep wake start stop use make take give get keep stay leave "
    "hour minute month today tomorrow yesterday regular normal usual actually really thank thanks great lot bit "
    "together alone everyone everything turn hand head side end top back front left right please write"
)
_KIN_FROM: Final = 5
_TWO: Final = 2
_HALF: Final = 0.5
_THIRD: Final = 0.3
_ALIKE: Final = (
    frozenset({"production", "prod"}),
    frozenset({"mum", "mom", "mother", "mam", "mama"}),
    frozenset({"dad", "father", "papa"}),
    frozenset({"bookkeep", "book", "account"}),
    frozenset({"deadlin", "due"}),
    frozenset({"fridg", "refrigerator"}),
    frozenset({"application", "app"}),
    frozenset({"photo", "pictur", "photograph"}),
    frozenset({"doctor", "gp", "physician"}),
    frozenset({"telephon", "phon"}),
    frozenset({"bicycl", "bik", "cycl"}),
    frozenset({"mail", "email"}),
    frozenset({"repo", "repository", "repositori"}),
    frozenset({"config", "configuration"}),
    frozenset({"env", "environment"}),
    frozenset({"gym", "workout"}),
    frozenset({"vacation", "holiday"}),
    frozenset({"database", "db"}),
    frozenset({"meet", "standup", "call", "sync"}),
)
_ALIKE_OF: Final = {term: number for number, row in enumerate(_ALIKE) for term in row}


@dataclass(frozen=True, slots=True)
class News:
    """What a message tells as new, as far as it can be set against a row.

    `terms` are its telling words; `told_of` the subjects of its clauses; `own` says that some clause is the speaker's.
    `firm` are the terms of the clauses in which a mark itself stands, `spoken_of` the relations that they open with.
    The marks: `over` and `otherwise` for what was, `wrong` for a correction, `now` for a state, `begun` for a start.
    """

    terms: frozenset[str]
    values: Slots
    named: dict[str, frozenset[str]]
    turned: frozenset[str]
    about: frozenset[str]
    told_of: frozenset[str]
    own: bool
    over: bool = False
    otherwise: bool = False
    wrong: bool = False
    now: bool = False
    begun: bool = False
    spoken_of: frozenset[str] = frozenset()
    firm: frozenset[str] = frozenset()
    adds: bool = False
    passing: bool = False

    @property
    def topic(self) -> frozenset[str]:
        """The terms by which rows are looked up."""
        return self.terms

    def weigh(self, memory: Memory) -> int:
        """Tell how much joins the news with a row: 0 for not enough to say that the row is over."""
        if self.passing or len(memory.content) > _LONG_ROW or not self._may_touch(memory):
            return 0
        held = frozenset(query_terms(memory.content))
        common = _shared(self.terms, held)
        if memory.subject in self.told_of:
            common -= _slug_terms(memory.subject)
        near = self.turned or self.about
        row_states = states(memory.content, memory.attribute) if near else frozenset()
        turned, about = self.turned & row_states, self.about & row_states
        if not (common or turned or self.named):
            return 0
        telling = sum(1 for term in common if term not in _COMMON)
        if self.adds and not (self.over and telling):
            return 0
        clashing = clash(self.values, slots(memory.content), moved=self.otherwise)
        rivalling = self._rivals_of(memory.content)
        strong = self.over or self.otherwise
        marked = strong or self.now or self.begun or self.wrong
        # how much of what the row tells stands in the message as well, and in a clause of it that marks the change
        size = max(1, sum(1 for term in held if term not in GENERIC - _COMMON))
        firm = _shared(self.firm, common)
        covered, firmly = len(common) / size, sum(1 for term in firm if term not in _COMMON)
        if turned and (telling or clashing or not _END.search(memory.content)):
            return 4 + 2 * telling + 2 * bool(clashing) + 2 * bool(rivalling)
        if self.wrong and ((clashing and (common or about)) or (telling >= _TWO and covered >= _HALF)):
            return 4 + 2 * telling
        if rivalling and (strong or self.now):
            return 4 + 2 * telling
        if clashing and marked and (telling or (common and about)):
            return 4 + 2 * telling
        if strong and firmly and len(common) >= _TWO and covered >= _HALF:
            return 2 * max(_TWO, telling)
        if strong and firmly and about and covered >= _THIRD:
            return 4
        return 0

    def _rivals_of(self, content: str) -> frozenset[str]:
        """Give the rows of rivals of which the message names another one than the row does."""
        if not self.named:
            return frozenset()
        others = rivals(content)
        return frozenset(name for name, said in self.named.items() if name in others and said - others[name])

    def _may_touch(self, memory: Memory) -> bool:
        """Tell whether the row may be the affair of those of whom the message tells."""
        who = lead(memory.content)
        if who is not None:
            return bool(_shared(self.terms | self.spoken_of, frozenset(query_terms(who))))
        if memory.subject == USER_SUBJECT:
            return self.own
        if memory.subject in self.told_of:
            return True
        return bool(_shared(self.terms, _slug_terms(memory.subject)))


_NOBODY: Final = frozenset({USER_SUBJECT, "person:unknown"})


def news_of(told: Sequence[tuple[str, str]]) -> News | None:
    """Read the news of a message.

    Args:
        told: Subject and words of each of its clauses that state something.

    Returns:
        None when no clause marks a change, or something makes it doubtful.
    """
    parts = [(subject, " ".join(straight(words).split())) for subject, words in told]
    whole = " ".join(words for _, words in parts)
    if not parts or len(parts) > _MOST or len(whole) > _LONGEST:
        return None
    tongue = ENGLISH if is_english(whole) else TONGUES.get(look(whole).code)
    if tongue is None or tongue.doubt_everywhere.search(whole):
        return None
    real = [(subject, words) for subject, words in parts if not tongue.doubt.search(words) and not _WISH.search(words)]
    text = " ".join(words for _, words in real)
    if not text:
        return None
    turned = turns(text)
    marks = _marks_of(tongue)
    over, otherwise, wrong, now, begun = (any(p.search(text) for p in patterns) for patterns in marks)
    if not (turned or over or otherwise or wrong or now or begun):
        return None
    firm = [words for _, words in real if any(p.search(words) for patterns in marks[:2] for p in patterns)]
    return News(
        terms=_telling(text, tongue),
        values=slots(text),
        named=rivals(text),
        turned=turned,
        about=states(text, None),
        told_of=frozenset(subject for subject, _ in real),
        own=any(_is_own(subject, words) for subject, words in real),
        spoken_of=frozenset(term for _, words in real if (who := lead(words)) for term in query_terms(who)),
        firm=frozenset(term for words in firm for term in _telling(words, tongue)),
        over=over,
        otherwise=otherwise,
        wrong=wrong,
        now=now,
        begun=begun,
        adds=bool(tongue.adds.search(whole)),
        passing=bool(tongue.passing.search(text)) and not over,
    )


def _marks_of(tongue: Tongue) -> tuple[tuple[re.Pattern[str], ...], ...]:
    """Give the marks of a language: over, otherwise, wrong, now, begun."""
    if tongue is ENGLISH:
        return (_END,), (_SWAP,), (_CORRECT,), (_NOW,), (_GET,)
    return tongue.endings, (tongue.moved,), (tongue.moved,), (tongue.changed,), ()


def _slug_terms(subject: str) -> frozenset[str]:
    return frozenset(query_terms(subject.partition(":")[2].replace("_", " ")))


def lead(text: str) -> str | None:
    """Give the relation with which a clause opens: "my brother's flat" is the brother's."""
    match = _LEAD.match(straight(text)) or _KINSHIP.match(text)
    return match["who"] if match else None


def _is_own(subject: str, words: str) -> bool:
    """Tell whether a clause is the speaker's affair."""
    if lead(words) is None and subject in _NOBODY:
        return True
    return _SELF.search(_TOLD_ME.sub("", words)) is not None


def _telling(text: str, tongue: Tongue) -> frozenset[str]:
    skipped = (GENERIC - _COMMON) | tongue.generic
    return frozenset(term for term in query_terms(text) if term not in skipped and not term.isdigit() and len(term) > 1)


def _shared(new: Iterable[str], old: Iterable[str]) -> frozenset[str]:
    """Give the terms of the new that the old holds too, also as a word of the same family: therapy and therapist."""
    held = frozenset(old)
    families = {number for term in held if (number := _ALIKE_OF.get(term)) is not None}
    found = set()
    for term in new:
        if term in held or _ALIKE_OF.get(term) in families:
            found.add(term)
        elif len(term) >= _KIN_FROM and term.isalpha() and any(_kin(term, other) for other in held):
            found.add(term)
    return frozenset(found)


def _kin(one: str, other: str) -> bool:
    if len(other) < _KIN_FROM or not other.isalpha() or one[0] == "x" or one[:_KIN_FROM] != other[:_KIN_FROM]:
        return False
    both = 0
    for a, b in zip(one, other, strict=False):
        if a != b:
            break
        both += 1
    return both >= 0.7 * max(len(one), len(other)) or both >= 7 or (both >= _KIN_FROM and both >= min(len(one), len(other)) - 1)
