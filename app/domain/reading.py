"""What a statement was read to say, before it becomes a claim."""

from __future__ import annotations

from dataclasses import dataclass

from app.domain.attributes import Attribute
from app.domain.memory import USER_SUBJECT


@dataclass(frozen=True, slots=True)
class Reading:
    """What a statement says.

    `content` is a canonical sentence, where the frame has one. `sentence` is the statement with
    its subject's label written out, for "he" and "she". `plural` means that "we" are the subject,
    `casual` that nothing is written with capitals, so that names cannot be told by them.
    """

    subject: str = USER_SUBJECT
    label: str = "User"
    attribute: Attribute | None = None
    value: str | None = None
    positive: bool = True
    ends: bool = False
    ended_value: str | None = None
    content: str | None = None
    sentence: str | None = None
    plural: bool = False
    casual: bool = False
    known_as: tuple[str, ...] = ()
