"""What a whole message tells as news: that something is over, otherwise now, or was told wrongly.

"We've spaced the therapy sessions out, I'm down to once a month": the mark of the change stands in one clause, the new
value in another, and the old row ("my therapist sees me every week") shares hardly a word with either. A row gives way
only when the message marks a change and at least two things join them: a telling word, a clash of values of one form
(`slots`), two rivals (`rivals`), or a theme of which one has one at a time (`themes`). Likeness is no argument.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from app.domain.change_words import ENGLISH, GENERIC, Tongue, terms_of
from app.domain.change_words_more import TONGUES
from app.domain.described import described, named_in_both, one_name_only, owners, told_apart
from app.domain.kin import alike, shared
from app.domain.languages import is_english, look
from app.domain.memory import USER_SUBJECT, Memory
from app.domain.rivals import SEVERAL, rivals, terms_of_rivals
from app.domain.slots import Slots, clash, slots
from app.domain.terms import query_terms
from app.domain.text import straight
from app.domain.themes import states, terms_of_themes, turns
from app.domain.whose import is_own, is_role, lead, other_name

_LONGEST: Final = 320  # a longer message tells of more than one thing
_MOST: Final = 5  # clauses
_LONG_ROW: Final = 300

# what was is over, or otherwise now
_SWAP: Final = re.compile(
    r"\b(?:replac\w+|swapp\w+|switch\w*|changed|convert\w+|migrat\w+|moved|relocat\w+|transferr\w+|shifted"
    r"|reschedul\w+|postpon\w+|push(?:ed)? (?:back|to|out)|got pushed|brought .{2,30}forward|put back|bump\w+|rebook\w*"
    r"|upgrade to|upgraded|upgrading|downgraded|renam\w+|rebrand\w+|promoted|demoted|upped|raised .{2,30} (?:to"
    r"|from|by)|lowered|cut (?:to|back|down|out)"
    r"|halv\w+|extension|shortened|scaled (?:it )?(?:back|down|up)|raised it|new (?:figure|number|price|date"
    r"|time|quote|plan|policy|rule|rota|roster|address|name|password|code|schedule|timetable|dose)|put (?:me|us"
    r"|him|her) (?:up front|in|on|down)|voted in|made it official|grew to|grown to|down to|up to|went (?:up|down"
    r"|from|to|with"
    r"|over|back)|spaced|took over|taken over|passed on to|handed .{2,30}(?:over|to|back)|given .{2,40} to"
    r"|converted|rewrote|rewritten"
    r"|ported|traded|turned (?:into|down|up) |gave in|gave way|made the (?:switch|jump|move)"
    r"|broken the habit|grown on me|grew on me|won me over|came round|come round (?:to)|warmed (?:up )?to"
    r"|reconciled|fell in love|fallen"
    r" in love|instead of|rather than|in place of|fizzled|crossed|passed the|put .{2,40} down as|just use"
    r"|shuffled|reshuffled|reassigned|swung|over to|back (?:to|on) (?!school|nature)|the other way round"
    r"|slid to|slipped to|earlier than|later than|leads? it now|runs? it now|not .{1,20} but)\b",
    re.IGNORECASE,
)
_END: Final = re.compile(
    r"\b(?:sold|quit|left|gave up|given up|giving up|gave (?:my|the|our|it|him|her) .{0,20}(?:to|away)|stopped"
    r"|dropped|cancel\w+"
    r"|closed|ended|broke up|split|divorced|died|passed away|expired|lapsed|retired|no longer|not? .{2,60}"
    r" any ?more|n't .{2,80} any ?more|any longer|got rid of|ditched|let (?:me|him|her|it|them) go|laid off"
    r"|fired|resigned|healed|came off"
    r"|comes off|discharged|cleared|fell through|called off|withdr\w+|pulled out|outgr\w+|is over|are over|was"
    r" over|(?:is|are|'s) (?:gone|history)"
    r"|behind me|behind us|done with|finished with|through with|had enough|fed up|shut down|shut|scrapped|axed"
    r"|binned|abandoned|deleted"
    r"|uninstalled|unsubscribed|decommissioned|phased out|retired|ripped out|stolen|stole|banned|removed|packed"
    r" (?:it|up)"
    r"|threw (?:out|away)|donated|rehomed|put (?:him|her|it) (?:down|to sleep)|adopted out|burned down|flooded"
    r"|out of business"
    r"|went bust|bankrupt|dissolved|not .{2,30} at all|never again"
    r"|given .{2,40} up|shelved|pulled the plug|wound (?:up|down)|stepped (?:down|back)|dropped out|moved out"
    r"|cut out|fizzled out|fell by the wayside|went on to|wiped out|called it quits|went (?:bust|under)|tore up"
    r"|torn up|cut up|carted off|took out|taken out|has been taken|handed (?:over|in|my|the|back)"
    r"|(?:is|are|was|'s) off(?! to| the| on| work| sick)|fired|lasted until|last(?:ed)? .{1,20} until|too"
    r" (?:frail|old|ill|busy|expensive|pricey|noisy|small|big)"
    r"|died on me|gave out|gave up the ghost|kicked the|swore off|sworn off|weaned)\b",
    re.IGNORECASE,
)
_CORRECT: Final = re.compile(
    r"\b(?:actually|correction|i was wrong|my mistake|my bad|mistake|mistaken|misremember\w*|misspoke|misread"
    r"|mixed up|meant|typo"
    r"|turns? out|turned out|as it turns out|should have said|got (?:that|it) wrong|scratch that|strike that|not"
    r" quite right|wrong"
    r"|in fact|double-?checked|checked again|looked it up|just checked|corrected|to correct|confused|let me"
    r" rephrase|i misled|apolog\w+"
    r"|sorry, |oops|whoops|i said|i told you|told you|wasn't|weren't|isn't .{1,30}(?:,|it's)|not .{1,20},"
    r" (?:it's|but))\b|\boops\b",
    re.IGNORECASE,
)
_NOW: Final = re.compile(
    r"\b(?:now|these days|nowadays|as of|from now on|from here on|from today|from (?:next|this) \w+|going"
    r" forward|any ?more"
    r"|instead|again|at last|at the moment i'm|by now|since (?:last|january|february|march|april|may|june|july|august"
    r"|september|october|november|december|the|we|i|monday|easter|christmas)|starting (?:next|this|monday|in"
    r"|from)|from (?:january|february"
    r"|march|april|may|june|july|august|september|october|november|december|monday|tuesday|wednesday|thursday"
    r"|friday)|for good"
    r"|permanently|at (?:long )?last|ever since|since (?:my|our|that|then)|lately|has become|it's .{1,30} now"
    r"|the latest|until further notice|henceforth|onwards?)\b",
    re.IGNORECASE,
)
_GET: Final = re.compile(
    r"\b(?:bought|got|started|starting|begun|began|joined|took up|taken up|picked up|adopted|hired|signed"
    r" (?:with|up|on)|settl\w+|went with"
    r"|chose|chosen|decided (?:on|to)|opted|got (?:married|engaged|hitched)|is called|turned \d+|learned to"
    r"|discovered|found (?:a|an|my|out)"
    r"|set up|installed|subscribed|registered|enrolled|opened|booked|agreed|approved|confirmed|fixed|set to"
    r"|lives? with|runs? on|put me on)\b",
    re.IGNORECASE,
)
_WISH: Final = re.compile(
    r"\b(?:looking (?:for|to|at|into)|searching for|hunting for|want(?:s|ed)? (?:to|a|an|my|our)|plan(?:s|ning)?"
    r" (?:to|on)|hop(?:e|es|ing)"
    r"|tr(?:y|ies|ying) to|fantasi\w+|dream\w*|wish\w*|would like|need(?:s|ed)? (?:to|a|an)|interested in"
    r"|excited (?:about|to)|consider\w+"
    r"|apply\w*|applied|interview\w*|saving (?:up )?for|looks? forward|can't wait|goal|aspir\w+|encourag\w+"
    r"|advice|advis\w+|help\w*)\b",
    re.IGNORECASE,
)
# said before news, and no doubt of it
_SURPRISE: Final = re.compile(
    r"\b(?:who would(?:'ve| have) thought(?: it)?|(?:i )?never thought i'd (?:say|see|do|admit|live to see)(?:"
    r" that| this| it| the day)?"
    r"|believe it or not|can you believe it|you won't believe (?:it|this)|would you believe it|if you can believe it"
    r"|hätt(?:e)? ich nie gedacht|wer hätte das gedacht|qui l'eût cru|quién lo diría|quién lo iba a decir"
    r"|没想到)[?!]?,? ?(?:but |aber |mais |pero )?",
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
_BEFORE: Final = 5  # words
_AFTER: Final = 4
_TWO: Final = 2
# forms of which one statement can hold several that have nothing to do with each other
_LOOSE: Final = frozenset(
    {"taste", "number", "year", "month", "path", "day"}
    | {f"measure {unit}" for unit in ("year", "day", "week", "month", "time", "hour")}
)
_TASTE: Final = frozenset({"taste"})
# of these a new state alone says that the old one is over
_ONE_AT_A_TIME: Final = frozenset({"home", "work", "love", "boss", "name", "way to work", "diet", "study", "time zone"})
_HALF: Final = 0.5
_LONG: Final = 6  # telling words: more of them a row need not share
_SIXTH: Final = 0.16
_THIRD: Final = 0.3


# when it happened, not for how long it holds
_WHEN: Final = re.compile(
    r"\b(?:this (?:morning|afternoon|evening|week|month|weekend)|today|while|during)\b", re.IGNORECASE
)
_ADDS: Final = re.compile(
    r"\b(?:also|as well|in addition|additionally|besides|on top of|on the side|a (?:second|third|fourth)|one"
    r" more|not only|alongside|still|extra"
    r"|added|for fun|picking up|even more|not just|more precisely|to be exact|to be precise|by the way|in case"
    r" (?:that|it) matters)\b"
    r"|\btoo(?=\s*(?:[,.!;]|\Z))|\banother (?!company|city|town|job|team|place|firm|country|department|school)",
    re.IGNORECASE,
)
_DIED: Final = re.compile(
    r"\b(?:died|passed away|gestorben|verstorben|est morte?|décédée?|murió|falleció)\b|去世|过世", re.IGNORECASE
)
_PRONOUN: Final = re.compile(r"\W*(?:he|she)(?:'s|'d)? ", re.IGNORECASE)
_AGAIN: Final = re.compile(
    r"\b(?:again|back (?:to|on|at|in)|wieder|de nouveau|à nouveau|otra vez|de nuevo|vuelto a)\b|又|重新", re.IGNORECASE
)
# a row that tells itself of an end tells of the past, and stays true
_OVER_ROW: Final = re.compile(
    r"\b(?:lost|quit|left (?:my|his|her|their|the)|finished|ended|sold|gave up|given up|stopped|used to"
    r"|cancelled|no longer|broke up|divorced in"
    r"|retired from|was (?:fired|laid off)|resigned)\b",
    re.IGNORECASE,
)


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
    again: bool = False
    died: bool = False
    pronoun: bool = False
    spoken_of: frozenset[str] = frozenset()
    firm: frozenset[str] = frozenset()
    owned: frozenset[str] = frozenset()
    apart: frozenset[tuple[str, str]] = frozenset()
    said: str = ""
    adds: bool = False
    passing: bool = False
    stretch: bool = False

    @property
    def topic(self) -> frozenset[str]:
        """The terms by which rows are looked up: what is told, its other names, its themes and what takes its place."""
        themed = terms_of_themes(self.turned | (self.about & _ONE_AT_A_TIME))
        return self.terms | alike(self.terms) | themed | terms_of_rivals(frozenset(self.named))

    def weigh(self, memory: Memory) -> int:
        """Tell how much joins the news with a row: 0 for not enough to say that the row is over."""
        if len(memory.content) > _LONG_ROW or not self._may_touch(memory):
            return 0
        held = frozenset(query_terms(memory.content))
        common = shared(self.terms, held)
        if memory.subject != USER_SUBJECT and lead(memory.content) is None:
            # the one who is spoken of is no topic
            common -= _slug_terms(memory.subject)
        near = self.turned or self.about
        row_states = states(memory.content, memory.attribute) if near else frozenset()
        turned, about = self.turned & row_states, self.about & row_states
        if not (common or turned or self.named):
            return 0
        telling = sum(1 for term in common if term not in _COMMON)
        strong = self.over or self.otherwise
        clashing = clash(self.values, slots(memory.content), moved=strong or self.now or self.wrong)
        rivalling = self._rivals_of(memory.content, beside=bool(common))
        # how much of what the row tells stands in the message as well, and in a clause of it that marks the change
        size = min(_LONG, max(1, sum(1 for term in held if term not in GENERIC - _COMMON)))
        firm = shared(self.firm, common)
        covered, firmly = len(common) / size, sum(1 for term in firm if term not in _COMMON)
        # another's, or another one of its kind: neither a value nor a word in common says anything then
        others = not self.owned <= held | _slug_terms(memory.subject) or told_apart(self.apart, memory.content)
        only = next(iter(common)) if len(common) == 1 else None
        others = others or (only is not None and one_name_only(only, self.said, memory.content))
        if self.died and lead(memory.content) is not None and shared(self.spoken_of, held):
            return 4
        if turned and not self.stretch and (self.again or not _OVER_ROW.search(memory.content)):
            return 4 + 2 * telling + 2 * bool(clashing) + 2 * bool(rivalling)
        if others or (self.adds and not (self.over and telling)):
            return 0
        if clashing - _TASTE and strong and telling:
            return 4 + 2 * telling
        if self.passing:
            return 0
        if self.wrong and ((clashing and (common or about)) or (telling >= _TWO and covered >= _HALF)):
            return 4 + 2 * telling
        if rivalling and (strong or self.now):
            return 4 + 2 * telling
        known = strong or self.now or self.wrong or (self.begun and covered >= _HALF)
        if clashing - _TASTE and known and (telling or (common and about)):
            return 4 + 2 * telling
        if self.over and firmly and slots(memory.content).get("taste") == frozenset({"yes"}):
            return 4
        if clashing - _LOOSE and (telling or len(common) >= _TWO) and covered >= (_THIRD if telling else _HALF):
            return 4
        if clashing & _TASTE and common and (strong or self.again or (telling and (self.now or self.wrong))):
            return 4 + 2 * telling
        if strong and firmly and len(common) >= _TWO and covered >= _HALF:
            return 2 * max(_TWO, telling)
        if memory.subject != USER_SUBJECT and covered < _HALF:
            return 0
        if self.over and covered >= _SIXTH and any(named_in_both(term, self.said, memory.content) for term in firm):
            return 3
        if (strong and firmly and about and covered >= _THIRD) or ((strong or self.now) and about & _ONE_AT_A_TIME):
            return 4
        return 0

    def _rivals_of(self, content: str, *, beside: bool) -> frozenset[str]:
        """Give the rows of rivals of which the message names another one than the row does."""
        if not self.named:
            return frozenset()
        others = rivals(content)
        strong = self.over or self.otherwise or (self.now and beside)
        return frozenset(
            name
            for name, said in self.named.items()
            if name in others and said - others[name] and (strong or name not in SEVERAL)
        )

    def _may_touch(self, memory: Memory) -> bool:
        """Tell whether the row may be the affair of those of whom the message tells."""
        if other_name(self.said, memory.content):
            return False
        if memory.subject != USER_SUBJECT and _bare(memory.subject) in {_bare(subject) for subject in self.told_of}:
            return True
        who = lead(memory.content)
        if who is not None:
            theirs = frozenset(query_terms(who))
            told = self.terms | self.spoken_of if self.own else self.spoken_of
            named = any(
                named_in_both(term, self.said, memory.content)
                for term in self.terms & frozenset(query_terms(memory.content))
            )
            meant = self.pronoun and self.over and bool(self.firm & frozenset(query_terms(memory.content)) - _COMMON)
            return bool(shared(told, theirs)) or named or meant or (self.own and bool(self.turned) and is_role(who))
        if memory.subject == USER_SUBJECT or memory.subject.startswith("thing:"):
            return self.own
        return bool(shared(self.terms, _slug_terms(memory.subject)))


def _bare(subject: str) -> str:
    return subject.partition(":")[2]


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
    parts = [(subject, _SURPRISE.sub("", words)) for subject, words in parts]
    if tongue is None or tongue.doubt_everywhere.search(whole):
        return None
    real = [(subject, words) for subject, words in parts if not tongue.doubt.search(words) and not _WISH.search(words)]
    text = " ".join(words for _, words in real)
    if not text:
        return None
    turned = turns(text)
    marks = _marks_of(tongue)
    over, otherwise, wrong, now, begun = (any(p.search(text) for p in patterns) for patterns in marks)
    values = slots(text)
    if not (turned or over or otherwise or wrong or now or begun or values):
        return None
    firm = [near for _, words in real for patterns in marks[:2] for p in patterns for near in _around(p, words)]
    return News(
        terms=_telling(text, tongue),
        values=values,
        named=rivals(text),
        turned=turned,
        about=states(text, None),
        told_of=frozenset(subject for subject, _ in real),
        own=any(is_own(subject, words) for subject, words in real),
        spoken_of=frozenset(term for _, words in real if (who := lead(words)) for term in query_terms(who)),
        firm=frozenset(term for words in firm for term in _telling(words, tongue)),
        owned=owners(text),
        apart=frozenset(described(text)),
        said=text,
        over=over,
        otherwise=otherwise,
        wrong=wrong,
        now=now,
        begun=begun,
        died=_DIED.search(text) is not None,
        pronoun=_PRONOUN.match(text) is not None,
        again=_AGAIN.search(text) is not None,
        adds=bool((_ADDS if tongue is ENGLISH else tongue.adds).search(whole)),
        passing=bool(tongue.passing.search(_WHEN.sub("", text) if over else text)),
        stretch=bool(tongue.passing.search(_WHEN.sub("", text))),
    )


def _marks_of(tongue: Tongue) -> tuple[tuple[re.Pattern[str], ...], ...]:
    """Give the marks of a language: over, otherwise, wrong, now, begun."""
    if tongue is ENGLISH:
        return (_END,), (_SWAP,), (_CORRECT,), (_NOW,), (_GET,)
    return tongue.endings, (tongue.moved,), (tongue.moved,), (tongue.changed,), ()


def _around(mark: re.Pattern[str], words: str) -> list[str]:
    """Give the words around each mark: what is over or otherwise stands near it."""
    return [
        " ".join([*words[: m.start()].split()[-_BEFORE:], m.group(), *words[m.end() :].split()[:_AFTER]])
        for m in mark.finditer(words)
    ]


def _slug_terms(subject: str) -> frozenset[str]:
    return frozenset(query_terms(subject.partition(":")[2].replace("_", " ")))


def _telling(text: str, tongue: Tongue) -> frozenset[str]:
    skipped = (GENERIC - _COMMON) | tongue.generic
    return frozenset(term for term in query_terms(text) if term not in skipped and not term.isdigit() and len(term) > 1)
