"""Whom a heading or a request names: "Call my wife Anna, she ..." makes "she" the wife."""

from __future__ import annotations

import re
from typing import Final

from app.domain.frames import read
from app.domain.reading import Reading
from app.domain.subjects import is_name, person_of
from app.domain.text import slug, straight
from app.domain.told import Told

_SOMEBODY: Final = re.compile(r"\b(?i:my|our) (?P<who>[a-z][\w-]*)(?: (?P<name>[A-Z][\w-]+))?(?!\w)(?!'s)")
_NAME: Final = re.compile(
    r"(?P<name>[A-Z][\w-]+) (?:is|has|was|can|can't|cannot|must|mustn't|doesn't|does|lives|works|loves|likes|hates"
    r"|needs|never|always)\b"
)


def introduce(text: str, told: Told) -> None:
    """Let "he" and "she" in what follows be the one whom a heading or a request names, if it names one."""
    plain = straight(text)
    found = [match for match in _SOMEBODY.finditer(plain) if person_of(match["who"], told.names)]
    if len(found) == 1:
        told.remember(read(f"{found[0].group()} is here", told.names), plain)
        return
    match = _NAME.match(plain)
    if not found and match is not None and is_name(match["name"]):
        name = match["name"]
        subject = told.names.get(name.casefold(), f"person:{slug(name)}")
        told.remember(Reading(subject=subject, label=name, known_as=(name.casefold(),)), plain)
