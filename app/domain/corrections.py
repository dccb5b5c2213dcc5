"""Corrections of what was just said: "Sorry, I meant Bergen" says the sentence before anew, with another word in it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from app.domain.text import straight, vocabulary

# words that may stand before a correction, and make none by themselves
_SOFT: Final = (
    r"(?:oh|ah|uh|uhm|um|er|well|hm+|no|nope|wait|sorry|actually|rather|or rather|hang on|hold on|i mean|ok|okay)"
)
# words after which nothing but the right thing follows
_HARD: Final = (
    r"(?:oops|whoops|typo|correction|scratch that|strike that|my (?:mistake|bad|fault)|no,? wait|wait,? no"
    r"|i (?:misspoke|mistyped|got that wrong|made a (?:typo|mistake))|(?:sorry,? )?(?:that's|that was) wrong"
    r"|(?:i|we) (?:actually )?(?:meant to (?:say|write|type|put)|meant|should have (?:said|written)"
    r"|wanted to (?:say|write))"
    r"|(?:let's )?make (?:that|it)|(?:that|it|this) (?:should|was supposed to|was meant to) (?:be|say|read|have been))"
)
_GAP: Final = r"[\s,.!:;…—–-]+"
_MARKED: Final = re.compile(rf"(?P<marks>(?:(?:{_HARD}|{_SOFT})\b{_GAP})+)(?P<rest>\S.*)", re.IGNORECASE | re.DOTALL)
_HARD_MARK: Final = re.compile(_HARD, re.IGNORECASE)
_SOFTENED: Final = re.compile(r"(?:that )?(?:it's |it is |it was |that's |in |at |to |on )?", re.IGNORECASE)
_NOT_THAT: Final = re.compile(
    r"(?P<new>[^,;]+?)(?:,? (?:and )?not|,? instead of|,? rather than) (?P<old>[^,;]+)", re.IGNORECASE
)
_NOT_BUT: Final = re.compile(r"not (?P<old>[^,;]+?)(?:,? but|,|;| -+| –) (?P<new>[^,;]+)", re.IGNORECASE)
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
_DAY: Final = vocabulary("monday tuesday wednesday thursday friday saturday sunday")
_MONTH: Final = vocabulary("january february march april may june july august september october november december")
_NUMBER: Final = re.compile(r"\d[\d.,:/-]*(?:st|nd|rd|th|am|pm|k|kg|km|%)?", re.IGNORECASE)
_COUNT: Final = vocabulary("one two three four five six seven eight nine ten eleven twelve")
_TOKEN: Final = re.compile(r"[\w.:/%+#'-]*\w[%+#]*")


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
    return match["rest"].strip(), _HARD_MARK.search(match["marks"]) is not None


def corrected(text: str, *, before: str, value: str | None) -> list[str]:
    """Say the statement before anew, as a correction has it; the likeliest reading first.

    Args:
        text: The sentence that may be a correction.
        before: The statement before it, in full.
        value: What that was read to say.

    Returns:
        Nothing when it is no correction of that statement. The readings must still be checked: a right one says the
        same thing of the same somebody.
    """
    taken = parts_of(text)
    rest, hard = taken if taken is not None else (straight(text).strip().rstrip(".!…"), False)
    opposed = _NOT_THAT.fullmatch(rest) or _NOT_BUT.fullmatch(rest)
    if opposed is not None:
        old, new = _bare(opposed["old"]), _bare(opposed["new"])
        found = _swapped(before, old, new) if _is_fragment(new) and _is_fragment(old) else None
        return [found] if found is not None and new.casefold() != old.casefold() else []
    new = _bare(rest)
    if taken is None or not _is_fragment(new):
        return []
    places = [words_of_it for words_of_it in _alike(before, new) if words_of_it.casefold() != new.casefold()]
    form = _form(new)
    fits = (
        value is not None and value.casefold() != new.casefold() and (hard or (_form(value) == form and _tells(form)))
    )
    if value is not None and fits and (not _counts(form) or _form(value) == form or not places):
        places.insert(0, value)
    elif len(places) != 1:
        return []
    return [said for old in dict.fromkeys(places) if (said := _swapped(before, old, new)) is not None]


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
    found = list(_TOKEN.finditer(before))
    for place in range(len(found) - len(form) + 1):
        first, last = found[place], found[place + len(form) - 1]
        words_of_it = before[first.start() : last.end()]
        if _form(words_of_it) == form and (_counts(form) or first.start() > 0):
            yield words_of_it


def _form(words_of_it: str) -> tuple[str, ...]:
    return tuple(_form_of(match.group()) for match in _TOKEN.finditer(words_of_it))


def _form_of(written: str) -> str:
    token = written.casefold()
    if token in _DAY:
        return "day"
    if token in _MONTH:
        return "month"
    if _NUMBER.fullmatch(token) or token in _COUNT:
        return "number"
    return "name" if written[:1].isupper() and token not in {"i", "i'm", "i've", "i'd", "i'll"} else "word"


def _tells(form: tuple[str, ...]) -> bool:
    return bool(form) and any(part != "word" for part in form)


def _counts(form: tuple[str, ...]) -> bool:
    """Tell whether it is a time or a number, which never takes the place of a name."""
    return any(part in {"day", "month", "number"} for part in form)
