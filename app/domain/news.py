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

from app.domain.affairs import SPEAKER, acts, affairs, did_it, is_thing, of_others, speaks_of_self
from app.domain.change_words import ENGLISH, GENERIC, Tongue
from app.domain.change_words_more import TONGUES
from app.domain.described import described, one_name_only, owners, told_apart
from app.domain.heads import people_in
from app.domain.kin import alike, shared
from app.domain.languages import is_english, look
from app.domain.memory import USER_SUBJECT, Memory
from app.domain.news_words import (
    ADDS,
    AGAIN,
    COMMON,
    CORRECT,
    DIED,
    END,
    GET,
    NOW,
    OVER_ROW,
    PRONOUN,
    SURPRISE,
    SWAP,
    WHEN,
    WISH,
)
from app.domain.rivals import SEVERAL, rivals, terms_of_rivals
from app.domain.slots import Slots, clash, slots
from app.domain.terms import query_terms
from app.domain.text import straight
from app.domain.themes import states, terms_of_themes, turns
from app.domain.whose import PEOPLE, is_role, lead, other_name

_LONGEST: Final = 320  # a longer message tells of more than one thing
_OPENING: Final = 4  # words with which a clause says what it is about
_MOST: Final = 5  # clauses
_LONG_ROW: Final = 300

_BEFORE: Final = 5  # words
_AFTER: Final = 4
_TWO: Final = 2
_TASTE: Final = frozenset({"taste"})
# of these a new state alone says that the old one is over
_ONE_AT_A_TIME: Final = frozenset({"home", "work", "love", "boss", "name", "way to work", "diet", "study", "time zone"})
# of these a state that the speaker says to hold now is enough
_SETTLED: Final = frozenset({"home", "love", "boss", "name", "diet", "time zone"})
_NOW_MINE: Final = re.compile(
    r"^\W*(?:so |and |but |well,? )*(?:i|we|i'm|we're|my \w+|our \w+)\b.{2,60}\b(?:now|for good now|these days"
    r"|from now on)\W*$"
    r"|^\W*(?:i|we) now\b|^\W*(?:jetzt|inzwischen) \w+ (?:ich|wir)\b|^\W*(?:ich|wir) \w+ (?:jetzt|inzwischen|nun)\b"
    r"|^\W*(?:je|on|nous) .{2,40}(?:maintenant|désormais)\b|^\W*ahora (?:vivo|trabajo|soy|me llamo)\b|^\W*我.{0,2}现在",
    re.IGNORECASE,
)
_HALF: Final = 0.5
_LONG: Final = 6  # telling words: more of them a row need not share


@dataclass(frozen=True, slots=True)
class Joined:
    """What joins the news of a message with a row.

    `held` are the row's terms, `common` those in both, `telling` how many of them tell something, `covered` their share
    of the row, `firmly` how many stand beside a mark of change. `clashing` are the forms of which the values differ,
    `rivalling` the kinds of things of which each names another, `turned`, `about` and `settled` the themes in common.
    `others` says that it is another one of its kind, `may_touch` that the row is the affair of the one who tells it.
    """

    held: frozenset[str]
    common: frozenset[str]
    telling: int
    covered: float
    firmly: int
    clashing: frozenset[str]
    rivalling: frozenset[str]
    turned: frozenset[str]
    about: frozenset[str]
    settled: bool
    others: bool
    may_touch: bool


@dataclass(frozen=True, slots=True)
class News:
    """What a message tells as new, as far as it can be set against a row.

    `terms` are its telling words, `owner` is whose news it is, `opens` what its clause opens with.
    `firm` are the terms of the clauses in which a mark itself stands, `spoken_of` the relations that they open with.
    The marks: `over` and `otherwise` for what was, `wrong` for a correction, `now` for a state, `begun` for a start.
    """

    terms: frozenset[str]
    values: Slots
    named: dict[str, frozenset[str]]
    turned: frozenset[str]
    about: frozenset[str]
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
    owner: str = SPEAKER
    settled: frozenset[str] = frozenset()
    opens: frozenset[str] = frozenset()
    adds: bool = False
    passing: bool = False
    stretch: bool = False

    @property
    def topic(self) -> frozenset[str]:
        """The terms by which rows are looked up: what is told, its other names, its themes and what takes its place."""
        themed = terms_of_themes(self.turned | (self.about & _ONE_AT_A_TIME))
        return self.terms | alike(self.terms) | themed | terms_of_rivals(frozenset(self.named))

    def joined(self, memory: Memory) -> Joined:
        """Set the news against a row."""
        held = frozenset(query_terms(memory.content))
        common = shared(self.terms, held)
        if memory.subject != USER_SUBJECT and lead(memory.content) is None:
            # the one who is spoken of is no topic
            common -= _slug_terms(memory.subject)
        row_states = states(memory.content, memory.attribute) if self.turned or self.about else frozenset()
        strong = self.over or self.otherwise
        # how much of what the row tells stands in the message as well, and in a clause of it that marks the change
        size = min(_LONG, max(1, sum(1 for term in held if term not in GENERIC - COMMON)))
        firm = shared(self.firm, common)
        return Joined(
            held=held,
            common=common,
            telling=sum(1 for term in common if term not in COMMON),
            covered=len(common) / size,
            firmly=sum(1 for term in firm if term not in COMMON),
            clashing=clash(self.values, slots(memory.content), moved=strong or self.now or self.wrong),
            rivalling=self._rivals_of(memory.content, beside=bool(common)),
            turned=self.turned & row_states,
            about=self.about & row_states,
            settled=bool(self.settled & row_states),
            others=not self.owned <= held | _slug_terms(memory.subject) or told_apart(self.apart, memory.content),
            may_touch=self._may_touch(memory),
        )

    def weigh(self, memory: Memory) -> int:
        """Tell how much joins the news with a row: 0 for not enough to say that the row is over."""
        return self.weighed(memory, self.joined(memory)) if len(memory.content) <= _LONG_ROW else 0

    def weighed(self, memory: Memory, joined: Joined) -> int:
        """Tell what the joints of the news with a row amount to; see `weigh`."""
        if len(memory.content) > _LONG_ROW or not joined.may_touch:
            return 0
        common, telling, clashing = joined.common, joined.telling, joined.clashing
        rivalling, turned, about, covered = joined.rivalling, joined.turned, joined.about, joined.covered
        if not (common or turned or self.named):
            return 0
        strong = self.over or self.otherwise
        # another's, or another one of its kind: neither a value nor a word in common says anything then
        only = next(iter(common)) if len(common) == 1 else None
        others = joined.others or (only is not None and one_name_only(only, self.said, memory.content))
        if self.died and lead(memory.content) is not None and shared(self.spoken_of, joined.held):
            return 4
        if self.owner != SPEAKER and not is_thing(self.owner) and not self.wrong:
            # what somebody near to the speaker does is told by claims and by names, not by likeness
            return 0
        if turned and not self.stretch and (self.again or not OVER_ROW.search(memory.content)):
            return 4 + 2 * telling + 2 * bool(clashing) + 2 * bool(rivalling)
        if others or (self.adds and not (self.over and telling)):
            return 0
        if self.passing:
            return 0
        if clashing - _TASTE and strong and telling:
            return 4 + 2 * telling
        if self.wrong and ((clashing and (common or about)) or (telling >= _TWO and covered >= _HALF)):
            return 4 + 2 * telling
        if rivalling and (strong or self.now):
            return 4 + 2 * telling
        known = strong or self.now or self.wrong or (self.begun and covered >= _HALF)
        if clashing - _TASTE and known and (telling or (common and about)):
            return 4 + 2 * telling
        if clashing & _TASTE and common and (strong or self.again or (telling and (self.now or self.wrong))):
            return 4 + 2 * telling
        if self.pronoun and self.over and joined.firmly and lead(memory.content) is not None:
            return 4  # "my uncle owns a mill", "he sold the mill"
        if memory.subject != USER_SUBJECT and covered < _HALF:
            return 0
        if joined.settled:
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
        """Tell whether the row is the affair of the one whose news this is."""
        if other_name(self.said, memory.content):
            return False
        who = lead(memory.content)
        if is_thing(self.owner):
            return (who is None or is_role(who)) and bool(shared(self.opens, query_terms(memory.content)))
        if self.owner != SPEAKER:
            theirs = frozenset(query_terms(who or "")) | _slug_terms(memory.subject)
            return bool(shared(query_terms(self.owner.replace("_", " ")), theirs))
        if memory.subject != USER_SUBJECT and not memory.subject.startswith("thing:"):
            return is_role(memory.subject.partition(":")[2])
        return who is None or is_role(who)


_THEIR_THING: Final = re.compile(rf"\b{PEOPLE}'s \w+", re.IGNORECASE)
_WRONG: Final = re.compile(
    r"\b(?:wrong|mistaken|my mistake|typo|correction|corrected me|misspoke|mixed (?:it |that )?up|meant|vertan"
    r"|verwechselt"
    r"|stimmt nicht|falsch|je voulais dire|trompée?|me equivoqué|quise decir)\b|搞错|弄错|说错|记错",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Tidings:
    """The news of a message, one for each of those whose affair it is."""

    parts: tuple[News, ...]

    @property
    def topic(self) -> frozenset[str]:
        """The terms by which rows are looked up."""
        return frozenset().union(*(part.topic for part in self.parts))

    def weigh(self, memory: Memory) -> int:
        """Tell how much joins the news with a row; see `News.weigh`."""
        return max((part.weigh(memory) for part in self.parts), default=0)


def tidings_of(told: Sequence[tuple[str, str]]) -> Tidings | None:
    """Read the news of a message, each owner's by itself: what a colleague did says nothing of the speaker."""
    if len(told) > _MOST or sum(len(words) for _, words in told) > _LONGEST:
        return None
    # "sorry, wrong: my sister's birthday is the 9th"
    wrong = any(_WRONG.search(straight(words)) for _, words in told)
    parts = [news for owner, clauses in affairs(told).items() if (news := news_of(clauses, owner, corrects=wrong))]
    return Tidings(tuple(parts)) if parts else None


def news_of(told: Sequence[tuple[str, str]], owner: str = SPEAKER, *, corrects: bool = False) -> News | None:
    """Read the news of one owner's clauses.

    Args:
        told: Subject and words of each of the clauses that state something.
        owner: Whose they are.
        corrects: Whether another clause of the message says that something was wrong.

    Returns:
        None when no clause marks a change, or something makes it doubtful.
    """
    parts = [(subject, " ".join(straight(words).split())) for subject, words in told]
    whole = " ".join(words for _, words in parts)
    if not parts or len(parts) > _MOST or len(whole) > _LONGEST:
        return None
    tongue = ENGLISH if is_english(whole) else TONGUES.get(look(whole).code)
    parts = [(subject, SURPRISE.sub("", words)) for subject, words in parts]
    if tongue is None or tongue.doubt_everywhere.search(whole):
        return None
    real = [(subject, words) for subject, words in parts if not tongue.doubt.search(words) and not WISH.search(words)]
    if owner == SPEAKER or is_thing(owner):
        real = [(subject, words) for subject, words in real if not of_others(words)]
    text = " ".join(words for _, words in real)
    if not text:
        return None
    # a theme of the speaker's needs the speaker in its clause; a thing that moved is no move of the speaker's
    theirs = not (owner == SPEAKER or is_thing(owner))
    turned = frozenset[str]().union(*(turns(words) for _, words in real if not theirs and acts(words)))
    marks = _marks_of(tongue)
    over, otherwise, wrong, now, begun = (any(p.search(text) for p in patterns) for patterns in marks)
    wrong = wrong or corrects
    values = slots(text)
    if owner == SPEAKER or is_thing(owner):
        # what others like is no taste of the speaker's
        values = {form: found for form, found in values.items() if form != "taste"} | slots(
            " ".join(words for _, words in real if speaks_of_self(words))
        )
    if not (turned or over or otherwise or wrong or now or begun or values):
        return None
    firm = [near for _, words in real for patterns in marks[:2] for p in patterns for near in _around(p, words)]
    return News(
        terms=_telling(text, tongue),
        values=values,
        named=rivals(" ".join(words for _, words in real if owner != SPEAKER or did_it(words))),
        turned=turned,
        about=states(text, None),
        owner=owner,
        opens=frozenset(_opening(text, tongue)),
        settled=frozenset().union(*(states(words, None) & _SETTLED for _, words in real if _NOW_MINE.search(words))),
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
        died=DIED.search(text) is not None and _THEIR_THING.search(text) is None,
        pronoun=PRONOUN.match(text) is not None,
        again=AGAIN.search(text) is not None,
        adds=bool((ADDS if tongue is ENGLISH else tongue.adds).search(whole)),
        passing=bool(tongue.passing.search(WHEN.sub("", text) if over else text)),
        stretch=bool(tongue.passing.search(WHEN.sub("", text))),
    )


def _marks_of(tongue: Tongue) -> tuple[tuple[re.Pattern[str], ...], ...]:
    """Give the marks of a language: over, otherwise, wrong, now, begun."""
    if tongue is ENGLISH:
        return (END,), (SWAP,), (CORRECT,), (NOW,), (GET,)
    return tongue.endings, (tongue.moved,), (tongue.moved,), (tongue.changed,), ()


def _around(mark: re.Pattern[str], words: str) -> list[str]:
    """Give the words around each mark: what is over or otherwise stands near it."""
    return [
        " ".join([*words[: m.start()].split()[-_BEFORE:], m.group(), *words[m.end() :].split()[:_AFTER]])
        for m in mark.finditer(words)
    ]


def _slug_terms(subject: str) -> frozenset[str]:
    return frozenset(query_terms(subject.partition(":")[2].replace("_", " ")))


def _opening(text: str, tongue: Tongue) -> list[str]:
    """Give the first thing that a clause names: "Liam drinks tea" is about Liam, and not about tea."""
    skipped = (GENERIC - COMMON) | tongue.generic
    asked = [term for term in query_terms(" ".join(text.split()[:_OPENING])) if term not in skipped]
    return [term for term in asked[:1] if term not in people_in(text)]


def _telling(text: str, tongue: Tongue) -> frozenset[str]:
    skipped = (GENERIC - COMMON) | tongue.generic
    return frozenset(term for term in query_terms(text) if term not in skipped and not term.isdigit() and len(term) > 1)
