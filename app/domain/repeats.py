"""Near-duplicates among the rows of a recall: rows that only repeat what a better ranked one says.

They come after all others, so that they take no place that another row could fill, and `k` is honoured all the same.
One row repeats another when nothing but the wording differs: the same subject, status, polarity and time, and after
folding (case, contractions, "I" and "the user", articles, number words, a few words that mean the same) the same words
in the same order, or with one part moved to the front. So a number, a name, a negation, a tense or any other word that
only one of them has keeps them apart: "two kids" and "three kids" are .99 alike and two facts.

Short turns, questions, and what leans on its surroundings ("Yes, he did that last week") say something else in each
place; they are left alone.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final
from uuid import UUID

from app.domain.memory import Kind, Memory
from app.domain.text import straight, vocabulary

TELLING: Final = 3  # words that a statement of its own has at least
LONG_FROM: Final = 600  # characters from which only the fingerprint is compared
_MOMENT: Final = timedelta(hours=1)  # told again within it, an event is the same event

# a word with what is joined to it ("user_id", "C++", "A-"), a number with its sign, or a sign
_TOKEN: Final = re.compile(
    r"[^\W\d_]\w*(?:['._@/-]\w+)*(?:\+\+|#|[-+](?!\w))?"
    r"|(?:(?<!\w)[-+\u2212]?\.?)?\d+(?:[.,:/-]\d+)*"
    r"|!=|!(?=\w)|[^\s\w]"
)
_JOINED: Final = re.compile("['-]")
_GROUPED: Final = re.compile(r"[-+]?\d{1,3}(?:,\d{3})+(?:\.\d+)?")
_SILENT: Final = frozenset(
    ".,;:!\"'`()[]{}-*|\\\u2026\u2010\u2011\u2013\u2014\u201c\u201d\u201e\u00ab\u00bb\u2022\u3001\u3002"
)
_OPENING: Final = frozenset(".!:;\u2026\u3002")
_UNSPACED_FROM: Final = "\u3005"  # from here on come the scripts that leave no space between words

# dropped wherever they stand, when they are not written as names ("vitamin A", "The Who", "IT")
_FILLERS: Final = vocabulary(
    "a an the and also am is are really very quite still currently now please actually basically definitely certainly"
)
_BE: Final = vocabulary("am is are")
_SPEAKERS: Final = vocabulary("i user")
_BEFORE_VERBS: Final = vocabulary("always never often usually sometimes rarely seldom mostly generally")
# counted as no telling word: they shape a sentence, or keep a talk going
_LIGHT: Final = vocabulary(
    "my me we us our you your do did does have has had was were be been being will would can could should may might"
    " must not no to of in on at for from with by about as or but if so too more most much many all some any just up"
    " out thank thanks hi hello hey bye wow cool nice great good awesome amazing lovely sure yes yeah yep ok okay oh"
    " haha lol well right glad happy sorry welcome congrats congratulations please sounds sound"
)
# a row with one of these says what it says only where, or when, it was said
_POINTING: Final = vocabulary(
    "it this that these those there here then he she they him her them his hers their theirs its such same ones"
    " today tonight yesterday tomorrow ago last next later earlier recently"
    " er sie es das dies diese dieser dieses dort heute gestern morgen il elle ce cela ça ceci hier demain aujourd"
    " él ella eso esto esta este ayer hoy mañana"
)
_POINTING_SIGNS: Final = re.compile("[?他她它这那這今昨明去吗嗎呢]")
_SAME: Final = {
    word: words.split()[0]
    for words in (
        "like likes love loves enjoy enjoys adore adores",
        "live lives reside resides",
        "own owns possess possesses",
        "have has",
        "do does",
        "go goes",
        "buy purchase",
        "bought purchased",
        "begin begins start starts",
        "began started",
        "mother mum mom",
        "father dad",
        "mothers mums moms",
        "fathers dads",
        "child kid",
        "children kids",
        "bike bicycle",
        "film movie",
        "films movies",
        "tv television",
        "photo photograph",
        "photos photographs",
        "phone telephone",
        "favourite favorite",
        "colour color",
        "colours colors",
        "prefer prefers",
        "use uses",
        "eat eats",
        "speak speaks",
        "need needs",
        "want wants",
        "every each",
        "1 one",
        "2 two",
        "3 three",
        "4 four",
        "5 five",
        "6 six",
        "7 seven",
        "8 eight",
        "9 nine",
        "10 ten",
        "11 eleven",
        "12 twelve",
    )
    for word in words.split()
}
_ENDINGS: Final = {"'m": "", "'re": "", "'s": "", "'ve": "have", "'ll": "will"}
_AUXILIARIES: Final = {"ca": "can", "wo": "will", "sha": "shall"}
_NEGATED: Final = vocabulary("not no never nor neither none nothing nobody without but")


@dataclass(frozen=True, slots=True)
class _Said:
    """A row reduced to what must be equal, and the row itself."""

    memory: Memory
    words: tuple[str, ...]


def repeats(rows: Iterable[Memory], *, wanted: int) -> dict[UUID, UUID]:
    """Name the rows that only repeat a better ranked one.

    A less trusted row never stands for a more trusted one, however well it ranks.

    Args:
        rows: Best first.
        wanted: After how many rows that say something new the rest is not looked at.

    Returns:
        By id of the repeating row the id of the row that says it already.
    """
    found: dict[UUID, UUID] = {}
    seen: dict[Hashable, list[_Said]] = {}
    for memory in rows:
        if wanted <= 0:
            break
        key, said = _reduced(memory)
        better = None
        if key is not None:
            alike = seen.setdefault(key, [])
            better = next((other.memory for other in alike if _repeats(said, other)), None)
            if better is None:
                alike.append(said)
        if better is None:
            wanted -= 1
        else:
            found[memory.id] = better.id
    return found


def telling_words(content: str) -> tuple[str, ...] | None:
    """Give what two texts must share to say the same: their folded words in order.

    None for a text that does not stand on its own: too few telling words, a question, or words that point elsewhere.
    """
    text = straight(content if content.isascii() else unicodedata.normalize("NFKC", content))
    if _POINTING_SIGNS.search(text):
        return None
    words: list[str] = []
    telling = 0
    opens, spoken, verb = True, False, False
    for token in _TOKEN.findall(text):
        if token in _SILENT:
            opens = opens or token in _OPENING
            continue
        first, opens = opens, False
        if not token[0].isalpha():
            words.append(token.replace(",", "") if _GROUPED.fullmatch(token) else _SAME.get(token, token))
            telling += token[-1].isdigit()
            continue
        lower = token.casefold()
        for word in _parts(lower) if _JOINED.search(lower) else (lower,):
            if word in _POINTING:
                return None
            if word in _SPEAKERS:
                # who it is about is a telling word, once
                telling += not spoken
                spoken, verb = True, "'" not in token
            elif word in _FILLERS and (first or token.islower()):
                verb = verb and word not in _BE
            else:
                folded = _SAME.get(word, word)
                if verb and folded == word and word not in _BEFORE_VERBS:
                    folded = _base(word)
                    folded = _SAME.get(folded, folded)
                verb = verb and word in _BEFORE_VERBS
                words.append(folded)
                telling += folded not in _LIGHT if word < _UNSPACED_FROM else len(word) // 2
    return tuple(words) if telling >= TELLING else None


def _reduced(memory: Memory) -> tuple[Hashable, _Said]:
    words: tuple[str, ...] | None = ()
    if len(memory.content) < LONG_FROM:
        words = telling_words(memory.content)
    if words is None:
        return None, _Said(memory, ())
    same = tuple(sorted(words)) if words else memory.content_key
    instruction = memory.kind is Kind.PROCEDURAL
    key = (instruction, memory.subject, memory.status, memory.positive, memory.valid_to, same)
    return key, _Said(memory, words)


def _repeats(said: _Said, better: _Said) -> bool:
    if said.memory.trust > better.memory.trust or not _at_one_time(said.memory, better.memory):
        return False
    return said.words == better.words or _is_turned(said.words, better.words)


def _at_one_time(one: Memory, other: Memory) -> bool:
    if Kind.EPISODIC in (one.kind, other.kind):
        return abs(_start(one) - _start(other)) < _MOMENT
    # a fact holds however often it is told; a stated start is part of what it says
    return _stated(one) == _stated(other)


def _is_turned(words: tuple[str, ...], other: tuple[str, ...]) -> bool:
    """Tell whether one has a part in front that the other has at its end: "On Tuesdays ...", "... on Tuesdays"."""
    if not _NEGATED.isdisjoint(words) or max(words) >= _UNSPACED_FROM:
        return False
    return f" {' '.join(words)} " in f" {' '.join(other + other)} "


def _parts(word: str) -> tuple[str, ...]:
    """Take a contraction apart: "don't" is "do not", "I've" is "I have", "Ann's" is "Ann"."""
    if word == "cannot":
        return "can", "not"
    if "'" not in word:
        parts = tuple(word.split("-"))
        # "follow-up" is "follow up"; "A-" and "user-id" are words of their own
        return parts if all(part.isalpha() and part not in _SPEAKERS for part in parts) else (word,)
    if word.endswith("n't"):
        bare = word[:-3]
        return _AUXILIARIES.get(bare, bare), "not"
    bare, _, ending = word.rpartition("'")
    more = _ENDINGS.get(f"'{ending}")
    if more is None:
        return (word,)
    if bare == "user":
        return ("my",)
    return (bare, more) if more else (bare,)


def _base(verb: str) -> str:
    """Take the ending of the third person off: "likes" is "like". Only for what stands where a verb must stand."""
    if len(verb) < 4 or not verb.endswith("s") or verb.endswith(("ss", "us", "is")):
        return verb
    if verb.endswith("ies") and len(verb) > 4:
        return f"{verb[:-3]}y"
    return verb[:-2] if verb.endswith(("shes", "ches", "sses", "xes", "zzes")) else verb[:-1]


def _stated(memory: Memory) -> datetime | None:
    return None if memory.valid_from == memory.occurred_at else memory.valid_from


def _start(memory: Memory) -> datetime:
    return memory.valid_from or memory.occurred_at
