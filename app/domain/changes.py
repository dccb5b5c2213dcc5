"""What a statement plainly says to be over, changed or wrong, also where no attribute was read off it.

"The gas boiler got ripped out", "standup got pushed to 10:30": the sentence marks a change itself, and names its
topic. A row is touched only when it shares that topic; likeness in other words is no argument. Whatever makes the
change doubtful blocks it: another owner, an addition ("a second dog"), a passing state, a denial ("didn't sell").
The words of each language are data, see `change_words`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from app.domain.affairs import speaks_of_self
from app.domain.change_shapes import (
    A_THING,
    CUT,
    FOR_NOW,
    LEFT,
    MOVED_WHAT,
    OF_SOMEBODY,
    PLACE,
    POSSESSED,
    SAID_WRONG,
    TASTE_ENDS,
    THEY,
    TO_ANOTHER,
)
from app.domain.change_words import ENGLISH, GENERIC, Tongue
from app.domain.change_words_more import TONGUES
from app.domain.claim import Candidate
from app.domain.described import described, one_name_only, owners, told_apart
from app.domain.events import told_as_past
from app.domain.heads import head_of, is_guarded, is_head_in, is_narrow, owned_part, people_in
from app.domain.kin import shared, stems
from app.domain.languages import is_english, look
from app.domain.memory import USER_SUBJECT, Kind, Memory, Modality
from app.domain.news import Tidings, tidings_of
from app.domain.rivals import rivals
from app.domain.sentences import sentences
from app.domain.slots import Slots, clash, slots
from app.domain.terms import query_terms
from app.domain.text import straight
from app.domain.whose import is_own, lead

_PART_OF: Final = re.compile(r"\b(?:von|vom|aus) $", re.IGNORECASE)
_AT_SOMEBODY: Final = re.compile(r"\b(?:beim|bei|zum|zur|chez|avec|con)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Change:
    """A change that a statement marks.

    `topic` are the terms of what is over or otherwise now; a row must hold one of them. `ending` tells an explicit
    end ("sold the Volvo") from a new state ("standup is at 10:30 now"). `owners` are the people and things to whom
    it belongs, which a row must speak of as well; `apart` are the describing words before the topic. `heads` are the
    terms with which the sentence opens; a new state that no verb of change marks (not `firm`) must be about them, or
    share more than one term. `said` are its words, `theirs` somebody whose affair it
    is instead of the speaker's. `death` is the end of somebody, which ends what the speaker has; what others did (not
    `own`) ends something of theirs only.
    """

    topic: frozenset[str]
    ending: bool
    owners: frozenset[str] = frozenset()
    apart: frozenset[tuple[str, str]] = frozenset()
    heads: frozenset[str] = frozenset()
    firm: bool = False
    death: bool = False
    own: bool = True
    said: str = ""
    theirs: str | None = None
    english: bool = False
    of_somebody: bool = False

    @property
    def values(self) -> Slots:
        """The values that the statement gives."""
        return slots(self.said)

    def touches(self, memory: Memory, *, subject: str, attribute: str | None) -> bool:
        """Tell whether a row is about what changed; see `shared`."""
        return self.shared(memory, subject=subject, attribute=attribute) > 0

    def shared(self, memory: Memory, *, subject: str, attribute: str | None) -> int:
        """Count how much of the topic a row holds; nothing when it is about somebody or something else.

        Args:
            memory: The row.
            subject: Of the statement.
            attribute: Of the statement, where one was read.
        """
        if not memory.positive or (
            memory.kind is Kind.EPISODIC and memory.valid_from is None and told_as_past(memory.content)
        ):
            return 0
        if self.theirs is not None and not shared(query_terms(self.theirs), query_terms(memory.content)):
            return 0
        if self.death and memory.subject != USER_SUBJECT:
            return 0
        if not self.own and (memory.subject != subject or not _is_being(subject)):
            return 0
        content = frozenset(query_terms(memory.content))
        held = content | _slug_terms(memory.subject)
        # the one who speaks or is spoken of is no topic: what she did says nothing of the rest of her life
        same = memory.subject.partition(":")[2] == subject.partition(":")[2]
        spoken_of = same and not A_THING.match(memory.content)
        about = _slug_terms(memory.subject) if spoken_of else frozenset()
        common = shared(self.topic, held) - about
        if self.ending and not TASTE_ENDS.search(self.said) and slots(memory.content).get("taste"):
            return 0
        owned = POSSESSED.match(self.said)
        if owned and not frozenset(query_terms(owned["who"])) & held:
            return 0
        if self.of_somebody and not common & people_in(memory.content) and lead(memory.content) is None:
            return 0
        if not self.death:
            common -= people_in(memory.content)
            if is_guarded(memory.content, self.said):
                return 0
        if self.english and self.ending:
            # what the word only describes in the row is not over
            common = common if any(is_head_in(term, memory.content) for term in common) else frozenset()
        if not common or not self.owners <= held or told_apart(self.apart, memory.content):
            return 0
        if subject != memory.subject:
            if _is_being(subject) and not _slug_terms(subject) & content:
                return 0
            if _is_being(memory.subject) and not _slug_terms(memory.subject) & self.topic:
                return 0
        if not self.ending and attribute is not None and memory.attribute is not None and attribute != memory.attribute:
            return 0
        if (not self.firm or self.english) and not common & self.heads:
            return 0
        if not self.ending and not self._otherwise(memory.content, common):
            return 0
        if len(common) == 1 and one_name_only(next(iter(common)), self.said, memory.content):
            return 0
        return len(common)

    def _otherwise(self, content: str, common: frozenset[str]) -> bool:
        """Tell whether a new state says another thing of the same: a value, a rival, or most of it."""
        new, old = rivals(self.said), rivals(content)
        if clash(self.values, slots(content), moved=True) - _NO_VALUE or any(
            new[row] - old[row] for row in new.keys() & old.keys()
        ):
            return True
        if SAID_WRONG.search(self.said) or (
            self.english and TO_ANOTHER.search(self.said) and any(is_head_in(t, content) for t in common & self.heads)
        ):
            return True
        telling = [term for term in query_terms(content) if term not in GENERIC]
        return len(common) > 1 and len(common) >= _MOST_OF_IT * len(telling)


_NO_VALUE: Final = frozenset({"taste"})
_MOST_OF_IT: Final = 0.5
_HEAD: Final = 2  # telling words with which a sentence names what it is about
_FILLER: Final = "zzfiller"
_LONGEST: Final = 400  # a longer text tells of more than one change


@dataclass(frozen=True, slots=True)
class Marked:
    """What a statement marks itself, and the news of the whole message that it stands in."""

    change: Change | None
    news: Tidings | None

    @property
    def topic(self) -> frozenset[str]:
        """The terms by which rows that may be touched are looked up."""
        return (self.change.topic if self.change else frozenset()) | (self.news.topic if self.news else frozenset())

    @property
    def stems(self) -> frozenset[str]:
        """Beginnings of such terms: therapy and therapist."""
        return stems(self.topic)

    @property
    def ending(self) -> bool:
        """Whether something is over and nothing is told to have taken its place."""
        return self.change is not None and self.change.ending

    def touches(self, memory: Memory, *, subject: str, attribute: str | None) -> bool:
        """Tell whether a row is about what changed."""
        own = self.change is not None and self.change.touches(memory, subject=subject, attribute=attribute)
        return own or (self.news is not None and self.news.weigh(memory) > 0)


def marked(candidate: Candidate) -> Marked | None:
    """Read what changed by a candidate; only what is stated or asked for as a rule can change anything."""
    if candidate.claim.modality not in (Modality.ASSERTED, Modality.COMMAND):
        return None
    change, news = _change_in(candidate), tidings_of(candidate.told)
    return None if change is None and news is None else Marked(change, news)


def _change_in(candidate: Candidate) -> Change | None:
    """Read the change that the very words of a candidate mark.

    A text of several sentences, taken as it is, tells of several things: which of them a row shares a word with says
    nothing. Measured on forced conversation turns, 14 of 1,451 retired a true one, nearly all of several sentences.
    """
    if len(sentences(candidate.quote)) > 1:
        return None
    return change_of(candidate.quote)


def change_of(text: str) -> Change | None:
    """Read the change that a statement marks.

    Args:
        text: The words of one statement, or of a few.

    Returns:
        None when nothing in it marks a change, or something makes it doubtful.
    """
    plain = " ".join(straight(text).split())
    tongue = None if len(plain) > _LONGEST else _tongue_of(plain)
    if tongue is None or plain.rstrip(" \"')").endswith(("?", "？")):
        return None
    found = [change for part in CUT.split(plain) if part and (change := _of_part(part, plain, tongue))]
    if not found:
        return None
    return Change(
        topic=frozenset().union(*(change.topic for change in found)),
        ending=all(change.ending for change in found),
        owners=frozenset().union(*(change.owners for change in found)),
        apart=frozenset().union(*(change.apart for change in found)),
        heads=frozenset().union(*(change.heads for change in found)),
        firm=any(change.firm for change in found),
        death=all(change.death for change in found),
        own=all(change.own for change in found),
        said=plain,
        english=tongue is ENGLISH,
        of_somebody=OF_SOMEBODY.search(plain) is not None,
        theirs=lead(plain) if len(sentences(plain)) == 1 and not is_own("", plain) else None,
    )


def tells_of_an_end(content: str) -> bool:
    """Tell whether a text is itself the news that something is over: that stays true."""
    change = change_of(content)
    return change is not None and change.ending


def _of_part(part: str, whole: str, tongue: Tongue) -> Change | None:
    if FOR_NOW.search(whole):
        return None
    if tongue.doubt.search(part) or tongue.doubt_everywhere.search(whole):
        return None
    for pattern in tongue.endings:
        match = pattern.search(part)
        if match is None or tongue.denied.search(part[max(0, match.start() - 24) : match.start()]):
            continue
        if tongue is not ENGLISH:
            if _PART_OF.search(part[: match.start("what")]):
                continue  # "der Bassist von meiner Lieblingsband hat aufgehört": the band goes on
            # "der Termin beim Zahnarzt" is about an appointment, and no dentist
            over = _AT_SOMEBODY.split(match["what"], maxsplit=1)[0]
            topic = _topic(owned_part(over), tongue) or _topic(over, tongue) or _topic(match["what"], tongue)
        else:
            # "let my gym membership lapse": what stands before the verb is whole
            inside = "what_before" in match.groupdict() or match.end() > match.end("what")
            before = match["what"] if inside else part[match.start("what") :]
            topic = frozenset(term for term in head_of(before) if _tells(term, tongue))
            dead = bool(match.groupdict().get("death"))
            if LEFT.search(match.group()) and PLACE.search(part[match.start("what") :]):
                topic = frozenset()
            if "what_before" in match.groupdict() and not dead and is_narrow(part[match.start("what") :]):
                topic = frozenset()
        if topic:
            death = bool(match.groupdict().get("death"))
            own = not match.groupdict().get("did") or bool(tongue.agent.search(part[: match.start("did")]))
            listed = _in_order(match["what"], tongue)
            # "the recording artist market is dead" is about the market
            heads = frozenset([*listed[-1:], *_names(match["what"])]) if "what_before" in match.groupdict() else topic
            return Change(topic, True, owners(part), frozenset(described(part)), heads, death=death, own=own)
    if tongue.adds.search(part) or tongue.passing.search(part) or tongue.adds.search(whole):
        return None
    firm = tongue.moved.search(part) is not None
    if tongue is ENGLISH and THEY.match(part):
        return None
    if firm or tongue.changed.search(part):
        topic = _topic(part, tongue)
        if topic:
            opens = tongue is ENGLISH and not speaks_of_self(part)
            heads = frozenset(_in_order(part, tongue)[: 1 if opens and not firm else _HEAD])
            if tongue is ENGLISH and firm:
                heads = _moved_heads(part, tongue) or heads
            return Change(topic, False, owners(part), frozenset(described(part)), heads, firm)
    return None


def _moved_heads(part: str, tongue: Tongue) -> frozenset[str]:
    """Give the head of what was moved or changed, where the verb has an object."""
    match = MOVED_WHAT.search(part)
    return frozenset(term for term in head_of(match["what"]) if _tells(term, tongue)) if match else frozenset()


def _topic(words_of_it: str, tongue: Tongue) -> frozenset[str]:
    return frozenset(_in_order(words_of_it, tongue))


def _in_order(words_of_it: str, tongue: Tongue) -> list[str]:
    # the filler keeps a text of nothing but stop words from being taken for its topic
    asked = query_terms(f"{tongue.marks.sub(' ', words_of_it)} {_FILLER}")
    return [term for term in asked if term != _FILLER and _tells(term, tongue)]


def _names(words_of_it: str) -> list[str]:
    return [term for word in words_of_it.split() if word[:1].isupper() for term in query_terms(word)]


def _tells(term: str, tongue: Tongue) -> bool:
    return term not in GENERIC and term not in tongue.generic and not term.isdigit() and len(term) > 1


def _is_being(subject: str) -> bool:
    # "they closed the counter" is nobody in particular
    return subject not in (USER_SUBJECT, "person:unknown") and not subject.startswith("thing:")


def _slug_terms(subject: str) -> frozenset[str]:
    return frozenset(query_terms(subject.partition(":")[2].replace("_", " "))) - GENERIC


def _tongue_of(text: str) -> Tongue | None:
    if is_english(text):
        return ENGLISH
    return TONGUES.get(look(text).code)
