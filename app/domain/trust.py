"""Trust: fixed by who spoke through which channel, never by what the text says.

The scale: 0 web, 1 document and tool, 2 assistant and import, 3 user, 4 attested user.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from app.domain.memory import Kind, Role, SourceType

USER_TRUST: Final = 3
ATTESTED_TRUST: Final = 4
PROCEDURAL_FLOOR: Final = 3

# (role, channel) -> trust; a pair that is not here makes no memory
_TABLE: Final[dict[Role, dict[SourceType, int]]] = {
    Role.USER: {
        SourceType.CONVERSATION: USER_TRUST,
        SourceType.DOCUMENT: 1,
        SourceType.TOOL: 1,
        SourceType.WEB: 0,
        SourceType.IMPORT: 2,
    },
    Role.ASSISTANT: {
        SourceType.CONVERSATION: 2,
        SourceType.DOCUMENT: 1,
        SourceType.TOOL: 1,
        SourceType.WEB: 0,
        SourceType.IMPORT: 2,
    },
    Role.TOOL: {
        SourceType.CONVERSATION: 1,
        SourceType.DOCUMENT: 1,
        SourceType.TOOL: 1,
        SourceType.WEB: 0,
        SourceType.IMPORT: 1,
    },
}


def trust_of(role: Role, source: SourceType, *, attested: bool = False) -> int | None:
    """Look up the trust of a text.

    Args:
        role: Who spoke.
        source: The channel the text came through.
        attested: Whether a verified user token vouches for the speaker.

    Returns:
        0..4, or None for system text, which makes no memory.
    """
    row = _TABLE.get(role)
    if row is None:
        return None
    trust = row[source]
    return ATTESTED_TRUST if attested and trust == USER_TRUST else trust


def assistant_trust(own: int, others: Iterable[int | None]) -> int:
    """Cap an assistant's trust: one that has just read a web page is no better than the page.

    Args:
        own: The trust by the table.
        others: The trust of every message of the same write; None (system) does not count.
    """
    return min([own, *(trust for trust in others if trust is not None)])


def derived_trust(own: int, parents: Iterable[int]) -> int:
    """Cap the trust of a memory made from others: never above its weakest parent."""
    return min([own, *parents])


def may_instruct(kind: Kind, trust: int | None) -> bool:
    """Tell whether a text of this trust may hold this kind: instructions need the user's own word."""
    return kind is not Kind.PROCEDURAL or (trust is not None and trust >= PROCEDURAL_FLOOR)
