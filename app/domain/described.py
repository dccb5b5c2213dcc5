"""What tells two things of one word apart: whose it is, the name before it, and whether the word is a name at all."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from app.domain.terms import query_terms
from app.domain.text import straight, vocabulary

_DESCRIBED: Final = re.compile(
    r"\b(?:[Tt]he|[Uu]ser's|[Hh]is|[Hh]er|[Tt]heir|[Mm]y|[Oo]ur|[Aa]n?)"
    r" (?P<adjective>[\w-]+)(?:'s)? (?P<noun>[\w-]+)\b(?:'s (?P<part>[\w-]+))?"
)


def described(text: str) -> Iterable[tuple[str, str]]:
    """Give each noun with the word before it, as terms: "the Oslo office"."""
    for match in _DESCRIBED.finditer(straight(text)):
        adjective, noun = query_terms(match["adjective"])[:1], query_terms(match["noun"])[:1]
        if adjective and noun:
            yield adjective[0], noun[0]


_OWNED: Final = re.compile(
    r"\b(?P<owner>[\w-]+)'s? (?!(?:a|an|the|on|in|at|to|as|by|my|our|been|gone|not|now|got|just|over|too|so|all|off|up"
    r"|down|back|out|called|named|being|getting|going|cancelled|canceled|dead|closed|moved|\w+ed|\w+ing|with|from)\b)",
    re.IGNORECASE,
)
_IS_SHORT: Final = vocabulary("it he she that there here what who where how let everything everyone nothing something")


def owners(text: str) -> frozenset[str]:
    """Give the terms of whoever owns what is spoken of: "Lena's thesis" is Lena's."""
    found = {match["owner"] for match in _OWNED.finditer(text)}
    return frozenset(term for owner in found if owner.casefold() not in _IS_SHORT for term in query_terms(owner))


_NO_NAME_BEFORE: Final = frozenset(
    query_terms(
        "monday tuesday wednesday thursday friday saturday sunday first second third new old current previous"
        " early late "
        "morning evening usual whole entire next last other same big little favourite favorite january february"
        " march april "
        "june july august september october november december"
    )
)


def told_apart(apart: Iterable[tuple[str, str]], content: str) -> bool:
    """Tell whether both name the thing, but with another name before it: "the Oslo office", "the Madrid office"."""
    theirs = {(noun, adjective) for adjective, noun in described(content)}
    for adjective, noun in apart:
        others = {other for name, other in theirs if name == noun} - _NO_NAME_BEFORE
        if adjective not in _NO_NAME_BEFORE and others and adjective not in others:
            return True
    return False


def one_name_only(term: str, one: str, other: str) -> bool:
    """Tell whether a word is a name in one text and a plain word in the other: "works at Apple", "ate the apple"."""
    return {_shape(term, one), _shape(term, other)} == {"name", "word"}


def named_in_both(term: str, one: str, other: str) -> bool:
    """Tell whether a word is a name in both texts; a pair of Han characters counts as one."""
    return (
        term.startswith("xe")
        or (_shape(term, one) == "name" and _shape(term, other) in {"name", ""})
        or (_shape(term, other) == "name" and _shape(term, one) == "")
    )


_IN_SENTENCE: Final = re.compile(r"(?<=[^\s.!?:;,–—-] )[\w'-]+|(?<=, )[\w'-]+")
_AFTER_ARTICLE: Final = re.compile(r"\b(?:the|an?) \Z", re.IGNORECASE)


def _shape(term: str, text: str) -> str:
    """Tell how a text writes a word: as a name, as a plain word, or (first, or after an article) in no telling way."""
    plain = straight(text)
    shapes = set()
    for match in _IN_SENTENCE.finditer(plain):
        if term not in query_terms(match.group()):
            continue
        if not match.group()[:1].isupper():
            return "word"
        if _AFTER_ARTICLE.search(plain[: match.start()]) is None:
            shapes.add("name")
    return "name" if shapes else ""
