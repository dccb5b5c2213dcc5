"""From the first person to the third: "I use Go for my services" becomes "User uses Go for their services".

Only what the grammar surely allows is converted; anything else is None, and the words stay as said.
"""

from __future__ import annotations

import re
from typing import Final

from app.domain.text import straight, vocabulary

_TOKEN: Final = re.compile(r"[A-Za-z]+(?:'[A-Za-z]+)?|[^A-Za-z]+")
# verbs after "I" that do not change for the third person
_MODALS: Final = vocabulary(
    "can could will would shall should must might may can't "
    "couldn't won't wouldn't shouldn't mustn't cannot ought had hadn't was wasn't did didn't used"
)
_IRREGULAR: Final = {
    "am": "is",
    "have": "has",
    "do": "does",
    "don't": "doesn't",
    "haven't": "hasn't",
    "was": "was",
    "go": "goes",
    "were": "was",
    "ain't": "isn't",
}
PAST: Final = vocabulary(
    "misspoke became began bought broke brought built came caught chose "
    "cost cut did drank drew drove ate fell felt fought found flew forgot forgave froze got gave "
    "went grew had heard held hit hurt kept knew laid led left "
    "lent let lost made meant met paid put quit ran rang rode rose said sang sat saw sent set "
    "shook shot slept sold spent spoke spun stood stole struck "
    "stuck swam swore swept took taught thought threw told understood woke won wore wrote "
    "wound lit dug hid bit bred dealt learnt burnt dreamt spelt withdrew overcame"
)
_NOT_PAST: Final = vocabulary("need feed bleed speed breed embed shed wed proceed succeed exceed heed seed weed")
_ADVERBS: Final = vocabulary(
    "also always just now still really usually mostly often "
    "never sometimes recently currently already absolutely definitely totally simply only "
    "finally actually generally mainly normally typically rarely "
    "seldom hardly occasionally regularly personally officially truly even kinda almost "
    "once probably honestly strictly strongly deeply genuinely "
    "particularly especially both then so too sort kind frequently "
    "routinely primarily exclusively "
    "unfortunately sadly luckily fortunately originally previously "
    "initially briefly completely fully largely partly firmly thoroughly"
)
_CONTRACTED: Final = {"i'm": ("am",), "i've": ("have",), "i'll": ("will",)}
_POSSESSIVE: Final = {"my": "their", "mine": "theirs", "myself": "themselves", "me": "them"}
# after "they" the plain form is right; only "am" and "was" change
_PLURAL: Final = {"am": "are", "was": "were", "wasn't": "weren't"}
_WE: Final = re.compile(r"\b(?:we|us|ours|ourselves|we're|we've|we'll|we'd)\b", re.IGNORECASE)
_YOU: Final = re.compile(r"\b(?:you|your|yours|you're|you've|you'll)\b", re.IGNORECASE)
_BASE_PARTNER: Final = vocabulary(
    "live work use love like hate prefer speak play drive own "
    "study need want drink eat enjoy cook bake read write run "
    "swim sing dance code teach travel paint garden hike"
)


def third_singular(verb: str) -> str:
    """Inflect a plain verb for "User": use, uses; try, tries; have, has."""
    lower = verb.casefold()
    if lower in _IRREGULAR:
        return _IRREGULAR[lower]
    if lower in _MODALS or lower in PAST or (lower.endswith("ed") and lower not in _NOT_PAST):
        return verb
    if lower.endswith(("s", "sh", "ch", "x", "z", "o")):
        return f"{verb}es"
    if lower.endswith("y") and lower[-2:-1] not in set("aeiou"):
        return f"{verb[:-1]}ies"
    return f"{verb}s"


def third_person(statement: str, *, label: str = "User") -> str | None:
    """Turn a first-person statement into one about `label`.

    Args:
        statement: One statement, without opening words and final punctuation.
        label: What stands for the speaker.

    Returns:
        The statement in the third person, or None where that is not safe (no first person, "we"
        as the subject, "you", words this grammar does not know).
    """
    text = straight(statement)
    if _WE.search(text) or _YOU.search(text):
        return None
    tokens = _TOKEN.findall(text)
    out: list[str] = []
    named = False
    index = 0
    while index < len(tokens):
        lower = tokens[index].casefold()
        if lower in {"i", "i'm", "i've", "i'll", "i'd"}:
            step = _subject(tokens, index, lower, first=not named, label=label)
            if step is None:
                return None
            words, index = step
            out += words
            named = True
            continue
        if lower in {"my", "our"}:
            out.append("their" if named else f"{label}'s")
            named = True
        elif lower in _POSSESSIVE:
            out.append(_POSSESSIVE[lower] if named else {"me": label, "mine": f"{label}'s", "myself": label}[lower])
            named = True
        else:
            out.append(tokens[index])
        index += 1
    return "".join(out) if named else None


def _subject(tokens: list[str], index: int, lower: str, *, first: bool, label: str) -> tuple[list[str], int] | None:
    """Convert "I", its adverbs and its verb; answer the words and where to go on."""
    out = [label if first else "they"]
    position = index + 1
    if lower == "i'd":
        out += [" would"]
        return out, position
    if lower != "i":
        verb = _CONTRACTED[lower][0]
        out += [" ", third_singular(verb) if first else _PLURAL.get(verb, verb)]
        return out, position
    while position + 1 < len(tokens) and tokens[position].isspace():
        word = tokens[position + 1]
        if not word[0].isalpha():
            return None
        out.append(tokens[position])
        position += 2
        if word.casefold() in _ADVERBS or (
            word.casefold().endswith("ly")
            and word.casefold() not in {"rely", "fly", "apply", "reply", "supply", "ally"}
        ):
            out.append(word)
            continue
        if word.casefold() == "not":
            return None
        if word.casefold() == "no" and tokens[position + 1 : position + 2] == ["longer"]:
            out += [word, tokens[position], "longer"]
            position += 2
            continue
        out.append(third_singular(word) if first else _PLURAL.get(word.casefold(), word))
        if first and out[-1] == f"{word}s":
            position = _partners(tokens, position, out)
        return out, position
    return None


def _partners(tokens: list[str], position: int, out: list[str]) -> int:
    """Inflect verbs joined to the first: "cook and bake" becomes "cooks and bakes"."""
    while (
        position + 3 < len(tokens)
        and tokens[position].isspace()
        and tokens[position + 1].casefold() in {"and", "or"}
        and tokens[position + 3].casefold() in _BASE_PARTNER
    ):
        out += [tokens[position], tokens[position + 1], tokens[position + 2], third_singular(tokens[position + 3])]
        position += 4
    return position
