"""What a user said in an earlier write, as far as a correction may still mean it.

"Sorry, I meant 9:50" often comes in a write of its own. What it may mean are the last statements of the same talk,
which are read anew from the words that the ledger keeps. The statement before a correction is the last one that was
*said*, also where nothing of it was kept: a correction of small talk must not reach through to the fact before it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final
from uuid import UUID

from app.domain.claim import StoredAs
from app.domain.commands import WriteCommand
from app.domain.corrections import is_only_marks, may_correct
from app.domain.memory import Modality, Role, SourceType, Status
from app.domain.sentences import sentences
from app.domain.text import straight
from app.domain.withdrawing import withdraws

SAME_SESSION: Final = timedelta(hours=24)
"""How long a statement of the same session may be put right."""
WITHOUT_SESSION: Final = timedelta(minutes=15)
"""How long a statement may be put right where no session tells what belongs together."""
MOST_DECISIONS: Final = 40
"""Decisions that are read back: of the last few messages."""
CORRECTABLE: Final = frozenset({Status.ACTIVE, Status.HELD, Status.DISPUTED})
_OPENS_WITHIN: Final = 600  # code points of a message in which a correction of something earlier begins
_OPENS_WITH: Final = 3  # sentences


@dataclass(frozen=True, slots=True)
class Said:
    """A statement of an earlier write.

    Attributes:
        words: What it says in full; None where its words are gone.
        at: When it was said.
        role: By whom.
        modality: How it was meant.
        subject: Of whom, where it made a row.
        stored: The row it made.
        place: The write and the message it stands in.
        session_id: The session.
        source: The channel.
    """

    words: str | None
    at: datetime
    role: Role
    modality: Modality
    subject: str | None
    stored: StoredAs | None
    place: tuple[UUID | None, int]
    session_id: str | None
    source: SourceType


def reaches_back(command: WriteCommand) -> bool:
    """Tell whether a write may put something right that was said before it; only then that is looked up."""
    if not command.infer or command.source.type is not SourceType.CONVERSATION:
        return False
    return any(_opens_with_mark(one.text) for one in command.messages if one.role is Role.USER and one.name is None)


def window(command: WriteCommand) -> timedelta:
    """Tell how far back a write may mean something."""
    return WITHOUT_SESSION if command.session_id is None else SAME_SESSION


def meant_by(command: WriteCommand, said: Iterable[Said]) -> list[Said]:
    """Choose what belongs to the talk that a write goes on with, oldest first.

    Args:
        command: The write.
        said: The owner's last decisions, newest first.
    """
    speaking = [one.occurred_at for one in command.messages if one.role is Role.USER and one.name is None]
    if not speaking:
        return []
    now, far = min(speaking), window(command)
    chosen: list[Said] = []
    for one in said:
        if one.words is None:
            if one.role is Role.USER:
                break  # something was said here that is gone: what stands before it was not the last
            continue
        if one.source is not SourceType.CONVERSATION or one.role not in (Role.USER, Role.ASSISTANT):
            continue
        if command.session_id is not None and one.session_id != command.session_id:
            continue
        if one.at > now or now - one.at > far:
            break
        chosen.append(one)
    return chosen[::-1]


def last_sentence(said: Sequence[Said]) -> int:
    """Count the statements at the end that one sentence made: "I quit my job and moved to Rome." makes two."""
    count = 0
    for one in reversed(said):
        ended = one.words is not None and one.words.rstrip(" \"')”").endswith((".", "!", "…", "?"))
        if count and (ended or one.place != said[-1].place):
            break
        count += 1
    return count


def _opens_with_mark(text: str) -> bool:
    opening = straight(text[:_OPENS_WITHIN])
    found = sentences(opening)
    quotes = [span.of(opening) for span in found[:_OPENS_WITH] if not span.code]
    return any(
        may_correct(quote) or withdraws(quote, heard="") or (is_only_marks(quote) and place < len(found))
        for place, quote in enumerate(quotes, start=1)
    )
