"""How likely is it that a message makes a stored statement untrue? What joins the two, weighed by a trained model.

The rules (`changes`, `news`) act where structure alone says enough. Most people say a change in other words, where no
one sign is enough and several together are: a mark of change, a value that differs, a rival, whose affair it is, words
in common, and how near the row is to the statement among all that is known. Likeness says which row may be meant; it
never decides alone. The weights come from lives written for this project, see `training/turnover`.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final
from uuid import UUID

from app.domain.affairs import SPEAKER, is_thing
from app.domain.change_words import ENGLISH as TONGUE_OF_ENGLISH
from app.domain.change_words import GENERIC
from app.domain.change_words_more import TONGUES
from app.domain.heads import is_guarded, is_lasting, is_only_a_taste
from app.domain.kin import shared
from app.domain.languages import is_english, language_of
from app.domain.memory import USER_SUBJECT, Kind, Memory, Modality
from app.domain.nearness import Near, nearest
from app.domain.news import News
from app.domain.pairs import Beside, read_together, worth_reading
from app.domain.sentences import sentences
from app.domain.slots import clash, slots
from app.domain.telling import Said, Telling
from app.domain.terms import query_terms
from app.domain.turnover_model import ENGLISH, chance
from app.domain.whose import lead

MOST_STATEMENTS: Final = 16
"""Statements of a write for which rows are looked up: each costs a scan of the owner's vectors. Rules do the rest."""
WEIGHED_MODEL: Final = "lethe-minilm-1"
"""The embedding model by whose cosines the weights were trained."""
SURE: Final = 0.86
"""The chance from which a row is over."""
BACKED: Final = 0.6
"""The chance from which the rule of news may retire a weighed row."""
SURE_ELSEWHERE: Final = 0.83
"""The chance from which a row is over in another language than English."""
BACKED_ELSEWHERE: Final = 0.3
"""As BACKED, in another language."""
SURE_READ: Final = 0.9
"""The chance from which a row is over where rows were read together with the message; see `pairs`."""
UNREAD: Final = 0.85
"""The most that a row's chance is by the weights alone where other rows were read beside the message."""
FIRM: Final = 0.95
"""The chance that it takes where a message says of something else that it is over."""
# another clause begins: "Renate's retired and Kim is my boss", not "closed the gate and the shed"
_GOES_FURTHER: Final = re.compile(
    r"[,;:] |\b(?:so|but|because|since|which)\b|\band (?!(?:the|my|our|his|her|their|an?|some|all|two|three)\b)",
    re.IGNORECASE,
)
_FEW_TERMS: Final = 4
_FEW_APART: Final = 2
_MOST_SENTENCES: Final = 2
_MOST_ITEMS: Final = 4
_READ_KINDS: Final = frozenset({USER_SUBJECT, "person", "pet", "thing"})
_GOES_ON_ELSEWHERE: Final = re.compile(
    r"\b(?:verlängert|erneuert|repariert|gefeiert|aus der werkstatt|vom (?:service|tierarzt) zurück"
    r"|renouvel\w+|réparée?s?|fêtée?s?|(?:revenue?|retour) du garage|renovad[oa]s?|renové|reparad[oa]s?"
    r"|arreglad[oa]s?|(?:volvió|vuelto|vuelta|recogí|recogimos) (?:\w+ ){0,4}del taller|celebr\w+)\b"
    r"|续(?:签|约|租|费)|修好|庆祝",
    re.IGNORECASE,
)
_ALLERGY: Final = re.compile(r"allerg|intoleran|intolérant|alérgi|unverträglich|过敏", re.IGNORECASE)
_DENIED: Final = re.compile(
    r"\b(?:not|no|never|nicht|kein\w*|nie|pas|plus|jamais|ya|nunca)\b|n['’]t\b|不|没", re.IGNORECASE
)
_RENEWED: Final = re.compile(r"\b(?:renew\w*|extended|extension)\b", re.IGNORECASE)
_GOES_ON: Final = re.compile(
    r"\b(?:back from (?:the |its )?(?:garage|repairs?|shop|vet|service|servicing|workshop|cleaners?|mechanic|dealer"
    r"|tailor)|renewed|extended|celebrat\w+|repaired|serviced|fixed|(?:winter|summer|new) tyres|(?:winter|summer|new)"
    r" tires|for another \w+ (?:months?|years?)|\w+ more (?:months|years))\b",
    re.IGNORECASE,
)
_NAME: Final = re.compile(r"(?<=[\w,;:)] )[A-Z]\w+")
_NUMBER: Final = re.compile(r"\d+(?:[.,:]\d+)*")
_DIGIT: Final = re.compile(r"\d")
_I: Final = re.compile(r"(?:I|We)\b")
_USER: Final = re.compile(r"(?:User|We)\b(?!')")
_SPEAKER: Final = re.compile(r"\b(?:User|I|me|my|mine|we|us|our|ours)\b", re.IGNORECASE)
_TASTE: Final = "taste"

NAMES: Final = (
    "common",
    "telling",
    "covered",
    "firmly",
    "clash",
    "taste",
    "rival",
    "turned",
    "about",
    "settled",
    "over",
    "otherwise",
    "wrong",
    "now",
    "begun",
    "again",
    "died",
    "pronoun",
    "adds",
    "passing",
    "stretch",
    "others",
    "may touch",
    "the speaker's",
    "a thing's",
    "few terms",
    "by the rules",
    "marked",
    "an end",
    "a firm mark",
    "topic",
    "same attribute",
    "same subject",
    "asked",
    "row of the user",
    "row of somebody",
    "number in the row",
    "number said",
    "statements",
    "cosine",
    "rank",
    "before the next",
    "behind the first",
    "signal",
    "ending",
    "somebody else's",
    "led by another",
    "led by the same",
    "names in common",
    "other names",
    "numbers in common",
    "other numbers",
    "question mark",
    "an event's row",
    "words",
)
"""What is weighed in every language, in the order of the model's columns."""
OVERLAP_NAMES: Final = (
    "words in common",
    "weight in common",
    "weight before the others",
    "share of the row",
    "share of the message",
)
"""What is weighed as well where cosines say little: in other languages than English."""


@dataclass(frozen=True, slots=True)
class Weighed:
    """What was weighed of a message: the chance that it ends a row, and which of the rows one statement is nearest to.

    From a chance of `sure` a row is over, below one of `backed` the rule of news does not retire it. A row that is not
    among the chances was not weighed: it is left to the rules, unless as many others are nearer.
    """

    chances: Mapping[UUID, float]
    nearest: frozenset[UUID]
    sure: float = SURE
    backed: float = BACKED


def names_of(tongue: str) -> tuple[str, ...]:
    """Give the columns of a language's model."""
    return NAMES if tongue == ENGLISH else (*NAMES, *OVERLAP_NAMES)


def features(telling: Telling, memory: Memory, near: Near) -> tuple[float, ...]:
    """Give what joins a message with a row, in the order of `names_of` its language."""
    names = names_of(telling.tongue)
    found = dict.fromkeys((*NAMES, *OVERLAP_NAMES), 0.0)
    told = [one.marked.news for one in telling.said if one.marked is not None and one.marked.news is not None]
    # every statement knows the news of the whole message
    for part in told[0].parts if told else ():
        _raise(found, _of_news(part, memory))
    for one in telling.said:
        _raise(found, _of_statement(one, memory))
    found["row of the user"] = memory.subject == USER_SUBJECT
    found["row of somebody"] = lead(memory.content) is not None
    found["number in the row"] = _DIGIT.search(memory.content) is not None
    found["number said"] = _DIGIT.search(telling.words) is not None
    found["statements"] = min(_MOST_ITEMS, len(telling.said))
    found["cosine"], found["rank"] = near.cosine, near.rank
    apart = near.cosine - near.best_other
    found["before the next" if near.rank == 0 else "behind the first"] = apart
    found["signal"], found["ending"] = telling.signal, telling.ending
    _raise(found, _of_names(telling, memory))
    found["somebody else's"] = sum(_is_another(one.claim.subject, memory) for one in telling.said)
    found["question mark"] = "?" in telling.words
    found["an event's row"] = memory.kind is Kind.EPISODIC
    found["words"] = len(telling.words.split())
    found["words in common"], found["weight in common"] = near.overlap.words, near.overlap.weight
    found["weight before the others"] = near.overlap.before
    found["share of the row"], found["share of the message"] = near.overlap.of_row, near.overlap.of_message
    return tuple(round(float(found[name]), 3) for name in names)


def can_be_weighed(text: str) -> bool:
    """Tell whether a statement may be weighed: one sentence, or two in English, which are read together with a row.

    Of more, taken as they are, which one ends a row stays open.
    """
    count = len(sentences(text))
    return count <= 1 or (count == _MOST_SENTENCES and language_of(text) == ENGLISH)


def tells_one_thing(text: str) -> bool:
    """Tell whether a row is of one sentence: of several, taken as they are, which one is ended stays open."""
    return len(sentences(text)) <= 1


def weigh(
    telling: Telling,
    said: Sequence[Mapping[UUID, float]],
    rows: Mapping[UUID, Memory],
    read: Mapping[Beside, float] = MappingProxyType({}),
) -> list[Weighed]:
    """Weigh which rows a message may end; gives for each statement what it may act on.

    Args:
        telling: The message.
        said: For each statement the cosines of the rows nearest to it.
        rows: The rows; those that are missing are left out.
        read: What the pair reader made of `pairs_to_read`, in log-odds; for what is missing the weights decide.
    """
    best = _best(said, rows)
    likely = _chances(telling, best, rows)
    odds = {memory_id: read.get(Beside(telling.words, rows[memory_id].content)) for memory_id in likely}
    # beside a row that was read, one that was not is not over: half of what is asked for is missing
    was_read = any(one is not None for one in odds.values())
    most = UNREAD if was_read else 1.0
    chances = {
        memory_id: less_sure(
            telling,
            rows[memory_id],
            read_together(one, odds[memory_id]) if odds[memory_id] is not None else min(one, most),
        )
        for memory_id, one in likely.items()
    }
    bounds = (SURE_READ if was_read else SURE, BACKED)
    if telling.tongue != ENGLISH:
        bounds = (SURE_ELSEWHERE, BACKED_ELSEWHERE)
    return [
        Weighed(chances, frozenset(one for one in chances if best[one][1] == place), *bounds)
        for place in range(len(said))
    ]


def pairs_to_read(telling: Telling, said: Sequence[Mapping[UUID, float]], rows: Mapping[UUID, Memory]) -> list[Beside]:
    """Tell what to ask the pair reader of a message, for the same arguments as `weigh`: it reads English only."""
    if telling.tongue != ENGLISH:
        return []
    chances = _chances(telling, _best(said, rows), rows)
    return [Beside(telling.words, rows[memory_id].content) for memory_id in worth_reading(chances)]


def _best(said: Sequence[Mapping[UUID, float]], rows: Mapping[UUID, Memory]) -> dict[UUID, tuple[float, int]]:
    """Give for each row that can be weighed its best cosine, and the statement that has it."""
    # a row of several sentences tells of several things: it is left to the rules
    near = {memory_id for cosines in said for memory_id in cosines} & rows.keys()
    fit = {memory_id for memory_id in near if tells_one_thing(rows[memory_id].content)}
    best: dict[UUID, tuple[float, int]] = {}
    for place, cosines in enumerate(said):
        for memory_id, cosine in cosines.items():
            if memory_id in fit and (memory_id not in best or cosine > best[memory_id][0]):
                best[memory_id] = cosine, place
    return best


def _chances(
    telling: Telling, best: Mapping[UUID, tuple[float, int]], rows: Mapping[UUID, Memory]
) -> dict[UUID, float]:
    """Give the chances of the nearest rows by the weights, 0 for one that stays whatever they say."""
    order = nearest(
        telling,
        {memory_id: best[memory_id][0] for memory_id in sorted(best)},
        {memory_id: rows[memory_id].content for memory_id in best},
    )
    return {
        memory_id: 0.0
        if stays(telling, rows[memory_id])
        else chance(features(telling, rows[memory_id], how_near), telling.tongue)
        for memory_id, how_near in order
    }


def stays(telling: Telling, memory: Memory) -> bool:
    """Tell whether a row stays whatever the weights say.

    Words that the row has all are no news of it, unless they mark a change. A row about somebody whom the caller names
    (`client:acme`) ends by what is told of the same one only. An allergy does not end with the bread, nor with another
    allergy; in English only what hardly ever ends is guarded so, elsewhere also what somebody dislikes or avoids. Where
    an English message of one clause says what is over ("deleted the Jenkins logs"), a row that shares only other words
    of it stays; of a longer one it takes a chance of FIRM. What is plainly said of others than the user's is compared
    by structure alone, and so is another value of the same without a mark of change. And what comes back from the
    garage or is renewed goes on, unless at another number.
    """
    subjects = {one.claim.subject for one in telling.said}
    if not _is_named(memory.subject, subjects) and (_is_given(memory.subject) or all(map(_is_given, subjects))):
        return True
    held = frozenset(query_terms(memory.content))
    lasts = (
        is_lasting(memory.content)
        if telling.tongue == ENGLISH and is_english(memory.content)
        else not (is_only_a_taste(memory.content) and _tastes_otherwise(telling, memory, held))
    )
    if lasts and is_guarded(memory.content, telling.words):
        return True
    if _one_more_allergy(telling, memory) or _structure_decides(telling, memory):
        return True
    if (
        telling.tongue == ENGLISH
        and _only_another_value(telling, memory, held)
        and not _tastes_otherwise(telling, memory, held)
    ):
        return True
    marks = [one.marked for one in telling.said if one.marked is not None]
    if not marks and frozenset(query_terms(telling.words)) <= held:
        return True
    if _ends_other(telling, held) and len(sentences(telling.words)) == 1 and not _GOES_FURTHER.search(telling.words):
        return True
    over = bool(_ended(telling)) or any(
        part.over for mark in marks[:1] if mark.news is not None for part in mark.news.parts
    )
    return bool(
        (_GOES_ON if telling.tongue == ENGLISH else _GOES_ON_ELSEWHERE).search(telling.words)
        and not over
        and not clash(slots(telling.words), slots(memory.content), moved=True)
        and not _renewed_at_another(telling, memory, held)
    )


def less_sure(telling: Telling, memory: Memory, likely: float) -> float:
    """Give no chance below FIRM where a message says of something else than the row that it is over."""
    doubtful = likely < FIRM and _ends_other(telling, frozenset(query_terms(memory.content)))
    return 0.0 if doubtful else likely


def _ended(telling: Telling) -> list[frozenset[str]]:
    changes = [one.marked.change for one in telling.said if one.marked is not None]
    return [change.topic for change in changes if change is not None and change.ending]


def _ends_other(telling: Telling, held: frozenset[str]) -> bool:
    """Tell whether an English message says what is over, and shares only other words with a row."""
    ended = _ended(telling)
    common = held & frozenset(query_terms(telling.words)) - GENERIC
    return bool(telling.tongue == ENGLISH and ended and common and not any(shared(topic, held) for topic in ended))


def _renewed_at_another(telling: Telling, memory: Memory, held: frozenset[str]) -> bool:
    """Tell whether what is renewed has another number than before: "car insurance renewed at 655"."""
    said, known = set(_NUMBER.findall(telling.words)), set(_NUMBER.findall(memory.content))
    return bool(
        _RENEWED.search(telling.words)
        and said
        and known
        and not said & known
        and shared(query_terms(telling.words), held) - GENERIC
    )


def _structure_decides(telling: Telling, memory: Memory) -> bool:
    """Tell whether message and row say plainly, one attribute each, what others are who are none of the user's.

    Then who and what is known of both, and the rules compare it: that a poet died in Rome ends no authorship.
    """
    return (
        memory.attribute is not None
        and memory.subject != USER_SUBJECT
        and all(one.claim.attribute is not None and one.claim.subject != USER_SUBJECT for one in telling.said)
        and not _SPEAKER.search(memory.content)
        and not _SPEAKER.search(telling.words)
    )


def _only_another_value(telling: Telling, memory: Memory, held: frozenset[str]) -> bool:
    """Tell whether one English statement says of the user what a row says with another value, and marks no change.

    "I use Nginx every day" beside "uses Kafka every day": where there can be one value only, the rules know it. Other
    numbers are left to the weights.
    """
    if len(telling.said) != 1 or not (_I.match(telling.words) and _USER.match(memory.content)):
        return False
    one = telling.said[0].marked
    parts = one.news.parts if one is not None and one.news is not None else ()
    if (one is not None and one.change is not None) or any(map(_signals, parts)):
        return False
    said = frozenset(query_terms(telling.words))
    apart = (said - held, held - said)
    return bool(said & held) and all(
        0 < len(words) <= _FEW_APART and not any(map(_DIGIT.search, words)) for words in apart
    )


def _signals(news: News) -> bool:
    return bool(news.over or news.otherwise or news.wrong or news.now or news.begun or news.again or news.died)


def _one_more_allergy(telling: Telling, memory: Memory) -> bool:
    """Tell whether a message adds an allergy to one that a row tells of: that goes on."""
    adds = TONGUES.get(telling.tongue, TONGUE_OF_ENGLISH).adds
    return bool(
        _ALLERGY.search(memory.content)
        and _ALLERGY.search(telling.words)
        and adds.search(telling.words)
        and not _DENIED.search(telling.words)
    )


def _tastes_otherwise(telling: Telling, memory: Memory, held: frozenset[str]) -> bool:
    """Tell whether a message says another taste of what a row speaks of: "cilantro? I love it now"."""
    return bool(
        clash(slots(telling.words), slots(memory.content), moved=True) & {_TASTE}
        and shared(query_terms(telling.words), held) - GENERIC
    )


def _is_named(subject: str, subjects: Collection[str]) -> bool:
    """Tell whether a subject is among others, or its name is: a client whom words alone make a thing or a person."""
    name = subject.partition(":")[2]
    return subject in subjects or (bool(name) and not {f"thing:{name}", f"person:{name}"}.isdisjoint(subjects))


def _is_given(subject: str) -> bool:
    """Tell whether a subject is of a kind that only callers give."""
    return subject.partition(":")[0] not in _READ_KINDS


def _raise(found: dict[str, float], more: dict[str, float]) -> None:
    for name, value in more.items():
        found[name] = max(found[name], float(value))


def _of_names(telling: Telling, memory: Memory) -> dict[str, float]:
    theirs = frozenset(query_terms(lead(memory.content) or "")) | frozenset(
        query_terms(memory.subject.partition(":")[2].replace("_", " "))
    )
    leads = frozenset(query_terms(telling.lead or ""))
    said, held = frozenset(_NAME.findall(telling.words)), frozenset(_NAME.findall(memory.content))
    numbers, held_numbers = frozenset(_NUMBER.findall(telling.words)), frozenset(_NUMBER.findall(memory.content))
    return {
        "led by another": bool(leads) and not leads & theirs,
        "led by the same": bool(leads & theirs),
        "names in common": len(said & held),
        "other names": min(_MOST_ITEMS, len(said - held)),
        "numbers in common": len(numbers & held_numbers),
        "other numbers": min(_MOST_ITEMS, len(numbers - held_numbers)) if held_numbers else 0,
    }


def _is_another(subject: str, memory: Memory) -> bool:
    """Tell whether a statement is about somebody of whom the row does not speak."""
    if subject in (USER_SUBJECT, memory.subject) or subject.startswith("thing:"):
        return False
    terms = frozenset(query_terms(subject.partition(":")[2].replace("_", " ")))
    return not terms & frozenset(query_terms(memory.content))


def _of_news(news: News, memory: Memory) -> dict[str, float]:
    joined = news.joined(memory)
    return {
        "common": len(joined.common),
        "telling": joined.telling,
        "covered": joined.covered,
        "firmly": joined.firmly,
        "clash": len(joined.clashing - {_TASTE}),
        "taste": len(joined.clashing & {_TASTE}),
        "rival": len(joined.rivalling),
        "turned": len(joined.turned),
        "about": len(joined.about),
        "settled": joined.settled,
        "over": news.over,
        "otherwise": news.otherwise,
        "wrong": news.wrong,
        "now": news.now,
        "begun": news.begun,
        "again": news.again,
        "died": news.died,
        "pronoun": news.pronoun,
        "adds": news.adds,
        "passing": news.passing,
        "stretch": news.stretch,
        "others": joined.others,
        "may touch": joined.may_touch,
        "the speaker's": news.owner == SPEAKER,
        "a thing's": is_thing(news.owner),
        "few terms": len(news.terms) < _FEW_TERMS,
        "by the rules": news.weighed(memory, joined) > 0,
    }


def _of_statement(one: Said, memory: Memory) -> dict[str, float]:
    claim, change = one.claim, one.marked.change if one.marked is not None else None
    same = claim.subject == memory.subject
    found: dict[str, float] = {
        "same attribute": same and claim.attribute is not None and claim.attribute == memory.attribute,
        "same subject": same,
        "asked": claim.modality is Modality.QUESTION,
    }
    if change is not None:
        topic = change.shared(memory, subject=claim.subject, attribute=claim.attribute)
        found |= {"marked": 1, "an end": change.ending, "a firm mark": change.firm, "topic": topic}
    return found
