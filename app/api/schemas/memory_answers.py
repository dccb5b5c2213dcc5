"""A memory as every call returns it, and the answers of list, get, patch and approve."""

from __future__ import annotations

from typing import Any, Final

from app.api.schemas.answer import BERLIN, MUNICH, SAID_AT, Answer, Id, Time, example
from app.domain.memory import Kind, SourceType, Status

MEMORY: Final[dict[str, Any]] = {
    "id": BERLIN,
    "kind": "semantic",
    "content": "User lives in Berlin",
    "subject": "user",
    "attribute": "home_city",
    "value": "Berlin",
    "importance": 8,
    "confidence": 0.95,
    "trust": 3,
    "status": "active",
    "occurred_at": SAID_AT,
    "valid_from": "2025-05-01T00:00:00Z",
    "valid_to": None,
    "created_at": SAID_AT,
    "updated_at": SAID_AT,
    "metadata": {},
}
DETAILS: Final[dict[str, Any]] = {
    "weight": 0.98,
    "pinned": False,
    "source": {"type": "conversation", "id": None},
    "session_id": "chat-812",
    "agent_id": None,
    "confirmed_at": None,
    "expires_at": None,
    "supersedes": [MUNICH],
    "superseded_by": None,
}


class Reason(Answer):
    """Why something was decided."""

    code: str = example("changed_value", "Stable; new codes may be added, none is renamed.")
    detail: str = example("home_city was Munich", "For people; the words may change.")


class Source(Answer):
    """Where a text came from."""

    type: SourceType = example("conversation", "The channel; it caps trust.")
    id: str | None = example("handbook.pdf", "The caller's own name for it.")


class Memory(Answer):
    """A kept record."""

    id: Id = example(BERLIN, "The memory's id; opaque.")
    kind: Kind = example("semantic", "What it holds.")
    content: str = example("User lives in Berlin", "Self-standing, in the third person, dates resolved.")
    subject: str = example("user", "Whom it is about.")
    attribute: str | None = example("home_city", "What is said of the subject; null: no claim was parsed.")
    value: str | None = example("Berlin", "The value of the attribute; null: no claim was parsed.")
    importance: int = example(8, "1..10.")
    confidence: float = example(0.95, "0..1.")
    trust: int = example(3, "0..4, fixed by its origin.")
    status: Status = example("active", "Where it stands today.")
    occurred_at: Time = example(SAID_AT, "When it was said. UTC.")
    valid_from: Time | None = example("2025-05-01T00:00:00Z", "When it became true. UTC.")
    valid_to: Time | None = example(None, "When it stopped being true. UTC; null: it still is.")
    created_at: Time = example(SAID_AT, "When we learned it. UTC.")
    updated_at: Time = example(SAID_AT, "When its row last changed. UTC.")
    metadata: dict[str, Any] = example({"project": "apollo"}, "The caller's labels.")


class DetailedMemory(Memory):
    """A memory with its details."""

    weight: float = example(0.98, "How strong it is now, 0..1, after decay.")
    pinned: bool = example(False, "A pinned memory never fades.")
    source: Source = example({"type": "conversation", "id": None}, "Where it came from.")
    session_id: str | None = example("chat-812", "The conversation's label.")
    agent_id: str | None = example("ops", "The agent's label.")
    confirmed_at: Time | None = example(None, "The last independent confirmation, as received. UTC.")
    expires_at: Time | None = example(None, "When it ends at the latest. UTC.")
    supersedes: list[Id] = example([MUNICH], "What it replaced.")
    superseded_by: Id | None = example(None, "What replaced it.")


class MemoryPage(Answer):
    """A page of the inventory, newest first."""

    memories: list[DetailedMemory] = example([{**MEMORY, **DETAILS}], "The page.")
    next_cursor: str | None = example("eyJ2IjoxfQ", "For the next page; null: this was the last.")


class Approval(Answer):
    """The memory made by an approval."""

    memory: Memory = example(MEMORY, "The new memory.")
    retired: Id = example(MUNICH, "The reviewed row, now superseded.")
