"""Is that what was said? Checks of a model's statement against the words of the message.

Two questions. *Grounded*: the quote stands in the message, and the sentence holds no number, name or address from
nowhere; what fails here is dropped. *Faithful*: the sentence says no more and no less than the quote; what fails here
loses its sentence, and the words themselves are kept instead.
"""

from __future__ import annotations

import re
from typing import Final

from app.domain.languages import ENGLISH_FUNCTION, is_english, look
from app.domain.modality import strip_opening
from app.domain.sentences import MAX_CANDIDATE
from app.domain.text import normalise, straight, vocabulary, words

_MARKS: Final = str.maketrans(
    {**dict.fromkeys("‘’ʼ`´′‚‛", "'"), **dict.fromkeys("“”„‟«»″", '"'), **dict.fromkeys("‐‑‒–—−", "-")}
)
_AROUND: Final = " \t\r\n\"'…"
_AFTER: Final = _AROUND + ".,;:!?。！？"
# no spaces between words from here on: Thai, Chinese, Japanese and their like
_UNSPACED: Final = 0x0E00
_NUMBER: Final = re.compile(r"\d+(?:[.,:/-]\d+)*")
_ADDRESS: Final = re.compile(
    r"\b[a-z][a-z0-9+.-]{1,20}://[^\s<>\"']{1,500}|\bwww\.[^\s<>\"']{1,300}|[^\s@<>\"']{1,64}@[^\s@<>\"']{1,200}"
    r"|\b(?:[a-z0-9-]{1,63}\.){1,6}[a-z]{2,12}\b(?:/[^\s<>\"']{0,300})?",
    re.IGNORECASE,
)
_CAPITAL: Final = re.compile(r"\b[^\W\d_]*[A-ZÀ-ÖØ-ÞА-ЯΑ-Ω][\w+#-]*")
# how a sentence about the user may begin, besides words of the message
_ALLOWED: Final = ENGLISH_FUNCTION | {"user", "user's"}
_PLACEHOLDER: Final = re.compile(
    r"[<\[{(].{0,200}[>\]})]|\W*|(?:none|null|n/?a|nothing|unknown|string|text|fact|content|quote|example|lorem ipsum.*"
    r"|no (?:facts?|statements?|candidates?|memor(?:y|ies)|information)\b.*)[.!]?",
    re.IGNORECASE | re.DOTALL,
)
_REFUSAL: Final = re.compile(
    r"(?:i'm|i am|we are|we're) (?:very |so |really )?(?:sorry|unable|afraid)|(?:sorry|unfortunately|apologies)\b"
    r"|i (?:can't|cannot|can not|won't|will not|am not able to|could not|couldn't) "
    r"(?:help|assist|comply|do that|fulfil|fulfill|provide|find|extract|answer|process)"
    r"|as an? (?:ai|language model|assistant)\b"
    r"|here (?:is|are) (?:the|your|a)\b.{0,40}\b(?:json|candidates|facts|list)",
    re.IGNORECASE,
)
_NEGATIONS: Final = vocabulary(
    "not no never none nobody nothing neither nor cannot can't don't doesn't didn't isn't aren't wasn't weren't won't "
    "wouldn't couldn't shouldn't haven't hasn't hadn't without ain't hardly barely longer "
    "stopped quit stop avoid avoids"
)
_FIRST: Final = vocabulary("i i'm i've i'd i'll me my mine myself we we're we've we'd we'll our ours us user user's")
_I: Final = vocabulary("i i'm i've i'd i'll we we're we've we'd we'll")
# what the third person puts in
_WEAK: Final = vocabulary("user user's has does")
_PLAIN: Final = frozenset(" .,;:'\"()-")
# words that turn a statement they stand around into something else
_TURNING: Final = _NEGATIONS | vocabulary(
    "if unless when whenever whether suppose imagine pretend wish hope hopes want wants wanted would could might may "
    "should maybe perhaps probably say says said tell tells told think thinks thought believe believes believed claim "
    "claims claimed heard hear dream dreamt dreamed guess wonder asked asks ask joke joking kidding lie lied false "
    "untrue wrong rumour rumor supposedly allegedly quote novel story film movie song game character before until used "
    "ago formerly once almost nearly instead except although though though doubt deny denies denied read wrote writes "
    "saying telling thinking believing claiming hearing pretending imagining wishing hoping wanting dreaming guessing "
    "wondering asking lying insist insists insisted swear swears swore suspect suspects suspected assume assumes "
    "assumed supposed convinced fun"
)
# a clause after one of these is part of the one before it
_BINDING: Final = vocabulary("that whether how why like as than where who which whose")


def locate(quote: str, text: str) -> list[tuple[int, int]]:
    """Find where a quote stands in a text: word for word, but for case, white space, quotation marks and dashes.

    Returns:
        Exact spans of `text` in code points, at word boundaries; none for a quote without a word of its own.
    """
    wanted, _ = _folded(quote.strip(_AROUND))
    wanted = wanted.strip(_AFTER)
    if not any(token not in ENGLISH_FUNCTION for token in words(wanted)):
        return []
    folded, places = _folded(text)
    spans: list[tuple[int, int]] = []
    found = folded.find(wanted)
    while found >= 0 and len(spans) < 20:
        start, end = places[found], places[found + len(wanted) - 1] + 1
        if _edge(text, start) and _edge(text, end):
            spans.append((start, end))
        found = folded.find(wanted, found + 1)
    return spans


def _folded(text: str) -> tuple[str, list[int]]:
    """Fold a text for comparison; the second value gives the place in the text of each code point of the first."""
    folded: list[str] = []
    places: list[int] = []
    for place, char in enumerate(text.translate(_MARKS)):
        if char.isspace() and folded and folded[-1] == " ":
            continue
        for single in " " if char.isspace() else char.casefold():
            folded.append(single)
            places.append(place)
    return "".join(folded), places


def _edge(text: str, place: int) -> bool:
    """Tell whether no word is cut in two at a place."""
    if not 0 < place < len(text):
        return True
    before, after = text[place - 1], text[place]
    return not (before.isalnum() and after.isalnum()) or min(ord(before), ord(after)) >= _UNSPACED


def made_up(content: str, *, span: str, message: str) -> str | None:
    """Say what of a sentence comes from nowhere, in words; None when all of it was said.

    Args:
        content: The model's sentence.
        span: The words that it is about, with their sentence: numbers must stand here.
        message: The whole message: names and addresses must stand here.
    """
    said = _folded(content)[0]
    if said.strip(_AFTER) in _folded(message)[0] and said.strip(_AFTER):
        return None
    if _PLACEHOLDER.fullmatch(content.strip()) or _REFUSAL.match(straight(content).strip()):
        return "says nothing about anybody"
    whole = normalise(message)
    addresses = [match.group().rstrip(".,;:!?)") for match in _ADDRESS.finditer(content)]
    if any(normalise(address) not in whole for address in addresses):
        return "holds an address that was not said"
    numbers = set(_NUMBER.findall(span))
    if any(number not in numbers for number in _NUMBER.findall(content)):
        return "holds a number that was not said"
    known = {_stem(word) for word in words(message)}
    tokens = [word for match in _CAPITAL.finditer(content) for word in words(match.group())]
    if any(token not in _ALLOWED and _stem(token) not in known for token in tokens):
        return "holds a name that was not said"
    return None


def faithful(content: str, quote: str) -> bool:
    """Tell whether a sentence of a model may stand for the words of a quote.

    It must be made of the quote's words in their order, leave out next to none, keep yes and no, tense, doubt, names
    and numbers, and speak of the user only where the speaker speaks of himself. What is not English must be the
    quote's own words. Where it fails, the words themselves are kept: nothing is lost.
    """
    if not content.isprintable() or len(content) > min(MAX_CANDIDATE, 2 * len(quote) + 40):
        return False
    if any(not char.isalnum() and char not in quote and char not in _PLAIN for char in content):
        return False
    if not is_english(quote) or not is_english(content):
        return normalise(content) in normalise(quote)
    heard, told = words(quote[strip_opening(quote) :]), words(content)
    if sorted(_NUMBER.findall(quote)) != sorted(_NUMBER.findall(content)) or not heard or not told:
        return False
    if _TURNING & set(heard) != _TURNING & set(told) or not _same_speaker(heard, told):
        return False
    weighty = [_stem(token) for token in heard if token not in ENGLISH_FUNCTION and token not in _FIRST]
    new = [_stem(token) for token in told if token not in ENGLISH_FUNCTION and token not in _WEAK]
    if not new or not set(new) <= set(weighty) or not _names(quote) <= {_stem(token) for token in told}:
        return False
    kept = [token for token in weighty if token in new]
    return len(kept) >= 0.8 * len(weighty) and list(dict.fromkeys(kept)) == list(dict.fromkeys(new))


def _same_speaker(heard: list[str], told: list[str]) -> bool:
    """Tell whether both begin with the same somebody: "I" and "User", "my" and "User's", or the same word."""
    if told[0] in {"the", "a"} and len(told) > 1 and told[1] in {"user", "user's"}:
        told = told[1:]
    if told[0] in {"user", "user's"} and _FIRST.intersection(told[1:]) - {"user", "user's"}:
        # "User moves because my wife does": whose wife?
        return False
    if told[0] == "user":
        return heard[0] in _I
    if told[0] == "user's":
        return heard[0] in {"my", "our"}
    return _stem(told[0]) == _stem(heard[0]) and not {"user", "user's"} & set(told)


def stands_alone(before: str, after: str) -> bool:
    """Tell whether the words around a part of a sentence leave its meaning as it is: no doubt, no no, no "he said"."""
    around = words(before)
    if around and around[-1] in _BINDING:
        return False
    return not _TURNING & {*around, *words(after)} and "?" not in after


def covered(whole: str, parts: list[str]) -> float:
    """Tell what share of the words that carry weight in a sentence its parts hold, 0 to 1."""
    weighty = {token for token in words(whole) if token not in ENGLISH_FUNCTION} or set(words(whole))
    held = {token for part in parts for token in words(part)}
    return len(weighty & held) / len(weighty) if weighty else 1.0


def speaks_of_self(quote: str) -> bool:
    """Tell whether the speaker stands in his own words."""
    return bool(_FIRST & set(words(quote))) if is_english(quote) else look(quote).first_person


def _names(quote: str) -> set[str]:
    """The capitalised words inside a quote; the first one may be an ordinary word."""
    return {
        _stem(word)
        for match in _CAPITAL.finditer(quote)
        for word in words(match.group())
        if match.start() > 0 and word not in ENGLISH_FUNCTION and word not in _FIRST
    }


def _stem(word: str) -> str:
    """Take off what the third person and the genitive add, and nothing that changes the tense."""
    word = word.removesuffix("'s")
    if len(word) > 4 and word.endswith("ies"):
        return f"{word[:-3]}y"
    if word.endswith(("ches", "shes", "sses", "xes", "zzes", "oes")):
        return word[:-2]
    return word[:-1] if len(word) > 2 and word.endswith("s") and not word.endswith("ss") else word
