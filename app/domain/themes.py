"""Themes of a life of which one has one at a time: how a row says what holds, and how people say that it changed.

"Home is Tucson" and "we're settling into a place in Duluth" share no word. What joins them is that the one says where
somebody lives and the other that it is elsewhere now. Data, in the words of five languages; what a theme may do is
decided in `news`.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from app.domain.terms import query_terms
from app.domain.theme_table import THEMES as FIRST
from app.domain.theme_table_more import MORE

THEMES: Final = (*FIRST, *MORE)


@lru_cache(maxsize=4096)
def states(text: str, attribute: str | None) -> frozenset[str]:
    """Give the themes of which a row says what holds."""
    return frozenset(t.name for t in THEMES if (attribute in t.attributes) or t.state.search(text))


def turns(text: str) -> frozenset[str]:
    """Give the themes that a statement says to be otherwise now."""
    return frozenset(t.name for t in THEMES if t.turn.search(text))


_NO_WORD: Final = re.compile(r"\\[a-zA-Z]|\(\?[-a-z:!=<]*|[|()?:\\\[\]{}*=+!<^$.,]|\d")


@lru_cache(maxsize=256)
def terms_of_themes(names: frozenset[str]) -> frozenset[str]:
    """Give the terms by which rows of some themes are found in the store."""
    listed = " ".join(_NO_WORD.sub(" ", t.state.pattern) for t in THEMES if t.name in names)
    return frozenset(term for term in query_terms(listed) if len(term) > 2) if listed else frozenset()
