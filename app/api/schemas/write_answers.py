"""The answer of POST /memories/write."""

from __future__ import annotations

from typing import Any, Final, Literal

from pydantic import Field

from app.api.schemas.answer import BERLIN, MUNICH, WRITE, Answer, Counts, Id, example, only_with
from app.api.schemas.memory_answers import Reason
from app.domain.memory import Action, Kind, Outcome, Relation, Role, Status


class Quote(Answer):
    """Where in the request a candidate came from."""

    message_index: int = example(0, "Position in `messages`, from 0.")
    role: Role = example("user", "Who said it.")
    quote: str | None = example("I moved to Berlin last month.", "The words; null where the text has gone.")


class RelatedMemory(Answer):
    """A rare link of a result."""

    memory_id: Id = example(MUNICH, "The other memory.")
    relation: Relation = example("conflicts_with", "How the result stands to it.")


class ResolutionTarget(Answer):
    """A row that the write would touch."""

    memory_id: Id = example(MUNICH, "The row.")
    content: str = example("User uses Postgres", "What it says.")
    status_after: Status = example("superseded", "Where it would stand.")


class Resolution(Answer):
    """What the write would do to the store."""

    action: Action = example("supersede", "The kind of change.")
    targets: list[ResolutionTarget] = example(
        [{"memory_id": MUNICH, "content": "User uses Postgres", "status_after": "superseded"}],
        "The rows it would touch.",
    )


RESULT: Final[dict[str, Any]] = {
    "candidate": "User lives in Berlin",
    "outcome": "superseded",
    "reasons": [{"code": "changed_value", "detail": "home_city was Munich"}],
    "kind": "semantic",
    "importance": 8,
    "confidence": 0.95,
    "trust": 3,
    "memory_id": BERLIN,
    "supersedes": [MUNICH],
    "related": [],
    "evidence": {"message_index": 0, "role": "user", "quote": "I moved to Berlin last month."},
}


class WriteResult(Answer):
    """What one candidate did, and why."""

    candidate: str | None = example("User lives in Berlin", "The statement; null where the text has gone.")
    outcome: Outcome = example("superseded", "What the candidate did.")
    reasons: list[Reason] = example(
        [{"code": "changed_value", "detail": "home_city was Munich"}], "Why, the decisive one first."
    )
    kind: Kind | None = example("semantic", "Null when the screen stopped it.")
    importance: int | None = example(8, "1..10; null when the screen stopped it.")
    confidence: float | None = example(0.95, "0..1; null when the screen stopped it.")
    trust: int = example(3, "0..4, by its origin.")
    memory_id: Id | None = example(BERLIN, "The new or reinforced row; null: nothing is kept.")
    supersedes: list[Id] = example([MUNICH], "The rows it retired.")
    related: list[RelatedMemory] = example([{"memory_id": MUNICH, "relation": "conflicts_with"}], "Rare links.")
    evidence: Quote = example(
        {"message_index": 0, "role": "user", "quote": "I moved to Berlin last month."}, "Where it came from."
    )
    resolution: Resolution | None = only_with(
        "`dry_run`", {"action": "insert", "targets": []}, "What it would do; null: nothing would be kept."
    )


class Threshold(Answer):
    """What a candidate needs to be kept."""

    importance: int = example(5, "Least importance, 1..10.")
    confidence: float = example(0.6, "Least confidence, 0..1.")


class Policy(Answer):
    """The gate's version and this tenant's thresholds."""

    version: str = example("gate-1", "The version of the rules.")
    thresholds: dict[str, Threshold] = example({"semantic": {"importance": 5, "confidence": 0.6}}, "By kind.")


class WriteAnswer(Answer):
    """What became of the text."""

    write_id: Id | None = example(WRITE, "For /explain; null in a dry run.")
    dry_run: bool = example(False, "True: nothing was stored.")
    counts: Counts = example(
        {
            "stored": 0,
            "reinforced": 0,
            "superseded": 1,
            "disputed": 0,
            "held": 0,
            "quarantined": 0,
            "dropped": 0,
        },
        "Results by outcome, zeros included.",
    )
    results: list[WriteResult] = example([RESULT], "At least one for every message.")
    policy: Policy | None = only_with(
        "`dry_run`",
        {"version": "gate-1", "thresholds": {"semantic": {"importance": 5, "confidence": 0.6}}},
        "What decided.",
    )
    degraded: list[Literal["embedder", "reader", "pair_reader", "extractor", "judge"]] = Field(
        description="Parts that were out; nothing is lost by it.", examples=[[]]
    )
