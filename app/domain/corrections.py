"""Corrections of what was just said: "Sorry, I meant Bergen" says the sentence before anew, with another word in it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from app.domain.places import PLACES_OF, is_place
from app.domain.text import straight, vocabulary

# words that may stand before a mark, and are none: an answer begins so as well
_WEAK: Final = r"(?:oh|ah|uh|uhm|um|er|well|hm+|ok|okay)"
# marks after which only a word of the same form corrects
_SOFT: Final = r"(?:no|nope|wait|sorry|actually|rather|or rather|hang on|hold on|i mean|(?:let's )?make (?:that|it))"
# words after which nothing but the right thing follows
_HARD: Final = (
    r"(?:oops|whoops|typo|correction|scratch that|strike that|my (?:mistake|bad|fault)|no,? wait|wait,? no"
    r"|i (?:misspoke|mistyped|got that wrong|made a (?:typo|mistake))"
    r"|(?:sorry,? )?(?:that's|that was|that is) (?:wrong|not (?:true|right|correct))"
    r"|(?:i|we) (?:actually )?(?:meant to (?:say|write|type|put)|meant|should have (?:said|written)"
    r"|wanted to (?:say|write))"
    r"|(?:that|it|this) (?:should|was supposed to|was meant to) (?:be|say|read|have been))"
)
_PAUSE: Final = r"\s{0,3}[,.!:;…—–-]{1,3}\s{1,3}"  # "Sorry I was late" is no correction
_JOKING: Final = r"(?:just |only )?(?:kidding|joking)(?=\s*[,.;:!—–-])"
_GAP: Final = r"[\s,.!:;…—–-]++"
_MARKED: Final = re.compile(
    rf"(?P<marks>(?:(?:{_HARD}|{_SOFT}|{_WEAK})\b{_GAP}){{1,6}})(?P<rest>\S.*)", re.IGNORECASE | re.DOTALL
)
_HARD_MARK: Final = re.compile(rf"(?<!\w){_HARD}\b", re.IGNORECASE)
_SOFT_MARK: Final = re.compile(rf"(?<!\w){_SOFT}\b", re.IGNORECASE)
_JOKE_MARK: Final = re.compile(r"\b(?:kidding|joking)\b", re.IGNORECASE)
_FIRM_MARK: Final = re.compile(r"(?<!\w)(?:sorry|no|nope)\b", re.IGNORECASE)
# marks before a statement of its own: "Scratch that, I'm vegetarian"
_BEFORE_CLAUSE: Final = re.compile(
    rf"(?:(?:{_HARD}|{_WEAK}|actually|rather|i mean)\b{_GAP}|(?:{_SOFT}|{_JOKING})\b{_PAUSE}){{1,6}}"
    r"(?=(?:i|we|he|she|they)\s(?!meant?\b)|(?:i'm|i've|i'd|i'll|we're|we've|he's|she's|they're|my|our)\s)",
    re.IGNORECASE,
)
_AS_WELL: Final = re.compile(r"\b(?:too|also|as well|both|another|and)\b", re.IGNORECASE)
# a joke is taken back by a sentence of nothing else, or by what is true instead
_JOKE: Final = re.compile(
    r"(?!no,? (?:kidding|joking)\b)(?:(?:haha|hehe|lol|nah|no|ok|okay|sorry)\b[\s,.!]*+)?"
    r"(?:(?:i'm |i am |i was |we're )?(?:just |only )?(?:kidding|joking)(?: around)?|jk"
    r"|(?:that|it)(?:'s| was| is) (?:just |only )?a joke)\b"
    r"(?:[\s,.!]*+(?:haha\w*|hehe|lol|of course|obviously)\b)?(?P<rest>.*)",
    re.IGNORECASE | re.DOTALL,
)
_TRUE_INSTEAD: Final = re.compile(r"\s*+[,.;:!—–-]\s*+(?P<clause>\w.*)", re.DOTALL)
_SOFTENED: Final = re.compile(r"(?:that )?(?:it's |it is |it was |that's |in |at |to |on )?", re.IGNORECASE)
_NOT_THAT: Final = re.compile(
    r"(?P<new>[^,;]{1,80}?)(?:,? (?:and )?not|,? instead of|,? rather than) (?P<old>[^,;]{1,80})", re.IGNORECASE
)
_NOT_BUT: Final = re.compile(r"not (?P<old>[^,;]{1,80}?)(?:,? but|,|;| -{1,2}| –) (?P<new>[^,;]{1,80})", re.IGNORECASE)
_CLAUSE: Final = re.compile(
    r"\b(?:i|i'm|i've|i'd|i'll|we|you|he|she|they|it|it's|that|that's|there|this|is|are|was|were|be|has|have|had"
    r"|do|does"
    r"|did|will|would|can|could|should|what|how|why|when|where|who|if|because)\b",
    re.IGNORECASE,
)
_WORDS: Final = 5
# reactions; they are no value of anything
_NO_VALUE: Final = vocabulary(
    "sure thanks great good fine nice cool yes no nothing never everything whatever anyway sorry lol haha really "
    "exactly wow okay ok right wrong so well true please wait mind forget seriously honestly literally obviously course"
)
_DAY: Final = vocabulary("monday tuesday wednesday thursday friday saturday sunday tomorrow today tonight")
_MONTH: Final = vocabulary("january february march april may june july august september october november december")
_NUMBER: Final = re.compile(r"\d[\d.,:/-]*(?:st|nd|rd|th|am|pm|k|kg|km|%)?", re.IGNORECASE)
_TIME: Final = re.compile(r"(?:[01]?\d|2[0-4])(?:[:.][0-5]\d(?:am|pm)?|am|pm)|noon|midnight", re.IGNORECASE)
_HOUR: Final = re.compile(r"[01]?\d|2[0-4]")
# words after which an hour stands
_CLOCK: Final = vocabulary("at by around about till until from to before after")
_COUNT: Final = vocabulary("one two three four five six seven eight nine ten eleven twelve")
_TOKEN: Final = re.compile(r"[\w.:/%+#'-]{0,60}\w[%+#]{0,4}")
# marks in the middle of a sentence
_AMID: Final = re.compile(
    rf"(?:[,;…]|\s[–—-]{{1,2}}|\.\.\.)\s{{0,2}}(?=(?:{_HARD}|sorry|wait|no|nope|i mean|make that)\b[\s,.:;–—-])"
    r"(?!no (?:kidding|joke|doubt|problem|worries|matter|wonder|less|more|longer|thanks)\b)",
    re.IGNORECASE,
)
# nothing but marks: what is put right follows in the next sentence
_ONLY_MARKS: Final = re.compile(rf"(?:(?:{_HARD}|{_SOFT}|{_WEAK})\b[\s,.!:;…—–-]*+){{1,6}}", re.IGNORECASE)
_TELLING_MARK: Final = re.compile(rf"(?<!\w)(?:{_HARD}|sorry|wait|hang on|hold on)\b", re.IGNORECASE)
# marks by which the speaker means what they said themselves; "that's wrong" may mean what was said to them
_OWN_MARK: Final = re.compile(
    r"(?<!\w)(?:oops|whoops|typo|correction|scratch that|strike that|my (?:mistake|bad|fault)|sorry|i (?:actually )?"
    r"(?:misspoke|mistyped|meant|mean|got that wrong|made a|should have|wanted to)|we (?:meant|should have))\b",
    re.IGNORECASE,
)


def cuts(text: str) -> Iterator[tuple[int, int]]:
    """Give where a sentence may put itself right: "My flight is at 9:40, sorry, 9:50"; the ends of both halves."""
    for match in _AMID.finditer(straight(text)):
        if match.start() > 0:
            yield match.start(), match.end()


def parts_of(text: str) -> tuple[str, bool] | None:
    """Take a correction apart: what is put right, and whether the marks alone make it one.

    Args:
        text: One sentence.

    Returns:
        None when no mark of a correction opens it.
    """
    plain = straight(text).strip().rstrip(".!…")
    match = _MARKED.fullmatch(plain)
    if match is None:
        return None
    hard = _HARD_MARK.search(match["marks"]) is not None
    return (match["rest"].strip(), hard) if hard or _SOFT_MARK.search(match["marks"]) else None


def marks_before_clause(text: str, position: int) -> int:
    """Find where the marks of a correction end that stand before a full clause; `position` where there are none."""
    match = _BEFORE_CLAUSE.match(text, position)
    return match.end() if match is not None else position


def is_marked_clause(text: str) -> bool:
    """Tell whether the marks of a correction stand before a full clause: it is to be weighed without them."""
    plain = straight(text)
    marks = plain[: marks_before_clause(plain, 0)]
    return any(pattern.search(marks) for pattern in (_HARD_MARK, _SOFT_MARK, _JOKE_MARK))


def corrects_clause(text: str, *, single: bool) -> bool:
    """Tell whether the marks before a clause take the statement before back, if both tell the same kind of thing.

    Args:
        text: The sentence.
        single: Whether one has one of these at a time; of many, a new one may only be one more.
    """
    plain = straight(text).lstrip()
    end = marks_before_clause(plain, 0)
    marks = plain[:end]
    if not end or _AS_WELL.search(plain, end):
        return False
    firm = _HARD_MARK.search(marks) or _FIRM_MARK.search(marks)
    return firm is not None or (single and _SOFT_MARK.search(marks) is not None)


def may_correct(text: str) -> bool:
    """Tell whether a sentence may put something right that was said before it; what it is, is not looked at."""
    taken = parts_of(text)
    rest = taken[0] if taken is not None else straight(text).strip().rstrip(".!…")
    if _opposed(rest) is not None or is_marked_clause(text) or joke_of(text) is not None:
        return True
    return taken is not None and (taken[1] or _is_fragment(_bare(rest)))


def corrects_unknown(text: str) -> bool:
    """Tell whether a sentence only puts right what stands elsewhere: "I meant Bergen" alone says nothing."""
    taken = parts_of(text)
    return taken is not None and taken[1] and _is_fragment(_bare(taken[0]))


def is_only_marks(text: str) -> bool:
    """Tell whether a sentence is nothing but marks: "Oops.", "Wait, that's wrong."."""
    plain = straight(text).strip()
    return _ONLY_MARKS.fullmatch(plain) is not None and _TELLING_MARK.search(plain) is not None


def may_open_a_mark(text: str) -> bool:
    """Tell whether words are marks, or such as stand before them: "Wait, strike that!" says nothing to be put right."""
    return _ONLY_MARKS.fullmatch(straight(text).strip()) is not None


def names_both(text: str) -> bool:
    """Tell whether a sentence names the wrong word beside the right one: "Tuesday, not Monday"."""
    taken = parts_of(text)
    return _opposed(taken[0] if taken is not None else straight(text).strip().rstrip(".!…")) is not None


def may_mean_another(text: str, *, before: str, heard: str) -> bool:
    """Tell whether "that's wrong, it's 10" may put right what an assistant said, and not the speaker.

    Args:
        text: The sentence.
        before: What the speaker said.
        heard: What the assistant said since.
    """
    taken = parts_of(text)
    if not heard or taken is None or names_both(text):
        return False
    marks = straight(text)[: len(straight(text)) - len(taken[0])]
    if _OWN_MARK.search(marks):
        return False
    if heard.rstrip().endswith(("?", "？")):
        return True
    known = {match.group().casefold() for match in _TOKEN.finditer(before)}
    return any(
        not {match.group().casefold() for match in _TOKEN.finditer(found)} <= known
        for found in _alike(heard, _bare(taken[0]))
    )


def _opposed(rest: str) -> tuple[str, str] | None:
    """Take "Bergen, not Oslo" apart into the right word and the wrong one."""
    match = _NOT_THAT.fullmatch(rest) or _NOT_BUT.fullmatch(rest)
    if match is None:
        return None
    new, old = _bare(match["new"]), _bare(match["old"])
    return (new, old) if _is_fragment(new) and _is_fragment(old) else None


def same_but_a_word(one: str, other: str) -> bool:
    """Tell whether two sentences have the same words but one: "My flight is on Monday", "my flight is on Tuesday"."""
    left, right = ([match.group().casefold() for match in _TOKEN.finditer(said)] for said in (one, other))
    return len(left) == len(right) >= 4 and sum(a != b for a, b in zip(left, right, strict=True)) == 1


def joke_of(text: str) -> str | None:
    """Read the mark of a joke: what is said to be true instead, "" where nothing is, None where it is no mark."""
    match = _JOKE.fullmatch(straight(text).strip())
    if match is None:
        return None
    if not any(char.isalnum() for char in match["rest"]):
        return ""
    instead = _TRUE_INSTEAD.fullmatch(match["rest"])
    return instead["clause"] if instead is not None else None


def corrected(text: str, *, before: str, attribute: str | None, value: str | None) -> list[str]:
    """Say a statement before anew, as a correction has it; the likeliest reading first.

    Args:
        text: The sentence that may be a correction.
        before: The statement before it, in full.
        attribute: What that was read to tell.
        value: What that was read to say.

    Returns:
        Nothing when it is no correction of that statement. The readings must still be checked: a right one says the
        same thing of the same somebody.
    """
    taken = parts_of(text)
    rest, hard = taken if taken is not None else (straight(text).strip().rstrip(".!…"), False)
    if _NOT_THAT.fullmatch(rest) or _NOT_BUT.fullmatch(rest):
        opposed = _opposed(rest)
        if opposed is None or opposed[0].casefold() == opposed[1].casefold():
            return []
        found = _swapped(before, opposed[1], opposed[0])
        return [found] if found is not None else []
    new = _bare(rest)
    if taken is None or not _is_fragment(new):
        return []
    places = [words_of_it for words_of_it in _alike(before, new) if words_of_it.casefold() != new.casefold()]
    if value is not None and value.casefold() != new.casefold() and _fits(new, attribute, value, before, hard=hard):
        places.insert(0, value)
    elif len(places) != 1 or (is_place(new) and attribute not in PLACES_OF):
        return []
    return [said for old in dict.fromkeys(places) if (said := _swapped(before, old, new)) is not None]


def is_sure(text: str) -> bool:
    """Tell whether the marks of a correction leave no doubt, so that older writes may be closed by it as well."""
    taken = parts_of(text)
    return taken is not None and taken[1]


def tells_kind(text: str) -> bool:
    """Tell whether what is put right shows by itself what kind of thing it is: a place, a date, a number."""
    taken = parts_of(text)
    new = _bare(taken[0]) if taken is not None else ""
    return bool(new) and _is_fragment(new) and (is_place(new) or _counts(_form(new)))


def _fits(new: str, attribute: str | None, value: str, before: str, *, hard: bool) -> bool:
    """Tell whether a word may take the place of a value: a place of a place, a number of a number, a name of a name."""
    form, old = _form(new), _form(value)
    if is_place(new) and attribute not in PLACES_OF and not is_place(value):
        return False
    if _counts(form) != _counts(old) or (_counts(form) and form != old):
        return False
    if before[1:] != before[1:].casefold() and ("name" in form) != ("name" in old):
        return False  # where names have capitals, a common word is none
    return hard or (form == old and _tells(form))


def _bare(words_of_it: str) -> str:
    return words_of_it.strip()[_SOFTENED.match(words_of_it.strip()).end() :].strip()  # type: ignore[union-attr]  # it matches nothing at least


def _is_fragment(words_of_it: str) -> bool:
    tokens = words_of_it.split()
    return (
        0 < len(tokens) <= _WORDS
        and _CLAUSE.search(words_of_it) is None
        and not any(token.casefold().strip(",.!") in _NO_VALUE for token in tokens)
        and "?" not in words_of_it
    )


def _swapped(before: str, old: str, new: str) -> str | None:
    """Put a word in the place of another one that stands there once."""
    pattern = re.compile(rf"(?<!\w){re.escape(old)}(?!\w)", re.IGNORECASE)
    return pattern.sub(lambda _: new, before) if len(pattern.findall(before)) == 1 else None


def _alike(before: str, new: str) -> Iterator[str]:
    """Give the words of a statement that have the form of others: a day for a day, "3 May" for "4 May"."""
    form = _form(new)
    if not _tells(form):
        return
    hour = form == ("number",) and _HOUR.fullmatch(new) is not None
    found = list(_TOKEN.finditer(before))
    for place in range(len(found) - len(form) + 1):
        first, last = found[place], found[place + len(form) - 1]
        words_of_it = before[first.start() : last.end()]
        same = [
            part != "word" or one.group().casefold() == other.casefold()
            for part, one, other in zip(
                form, found[place : place + len(form)], (match.group() for match in _TOKEN.finditer(new)), strict=True
            )
        ]
        there = _form(words_of_it)
        at_clock = place > 0 and found[place - 1].group().casefold() in _CLOCK
        if there == ("number",) and at_clock and _HOUR.fullmatch(words_of_it):
            there = ("time",)
        alike = there == form or (hour and there == ("time",))
        if alike and all(same) and (_counts(form) or first.start() > 0):
            yield words_of_it


def _form(words_of_it: str) -> tuple[str, ...]:
    return tuple(_form_of(match.group()) for match in _TOKEN.finditer(words_of_it))


def _form_of(written: str) -> str:
    token = written.casefold()
    if token in _DAY:
        return "day"
    if token in _MONTH:
        return "month"
    if _TIME.fullmatch(token):
        return "time"
    if _NUMBER.fullmatch(token) or token in _COUNT:
        return "number"
    return "name" if written[:1].isupper() and token not in {"i", "i'm", "i've", "i'd", "i'll"} else "word"


def _tells(form: tuple[str, ...]) -> bool:
    return bool(form) and any(part != "word" for part in form)


def _counts(form: tuple[str, ...]) -> bool:
    """Tell whether it is a time or a number, which never takes the place of a name."""
    return any(part in {"day", "month", "number", "time"} for part in form)
