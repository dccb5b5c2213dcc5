"""Writing a pool to the service and asking its questions, and mapping what comes back to turns."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, Final

from benchmarks.client import Client
from benchmarks.corpus import Pool, Turn
from benchmarks.metrics import DEPTH

MAX_MESSAGES: Final = 100
_MAX_BYTES: Final = 700_000
KEPT: Final = frozenset({"stored", "reinforced", "superseded"})


@dataclass(slots=True)
class Answered:
    """What a service did with one pool.

    Attributes:
        user: The user it was written for.
        turns_of: Per memory id the turns that it came from, as the write answers tell.
        outcomes: Per turn the outcomes of its statements.
        rankings: Per question id the hits, each as its turns.
        strangers: Recalled memories that no write of this user had made.
    """

    user: str
    turns_of: dict[str, set[str]] = field(default_factory=dict)
    outcomes: dict[str, Counter[str]] = field(default_factory=dict)
    rankings: dict[str, list[frozenset[str]]] = field(default_factory=dict)
    strangers: int = 0

    def has(self, turn_id: str, outcomes: frozenset[str]) -> bool:
        """Tell whether a statement of a turn had one of these outcomes."""
        return not outcomes.isdisjoint(self.outcomes.get(turn_id, ()))


async def write_pool(
    client: Client, pool: Pool, answered: Answered, *, gate: bool, advance: Callable[[int], None]
) -> None:
    """Write the turns of a pool in their order, up to a hundred a write.

    Without the gate every turn is stored as it is (`infer: false, force: true`). With the gate it is a plain message:
    the words alone, the speaker as `name`. Raises ServiceFault.
    """
    for batch in batches(pool.turns):
        body: dict[str, Any] = {
            "messages": [_message(turn, gate=gate) for turn in batch],
            "session_id": batch[0].session,
        }
        if not gate:
            body |= {"infer": False, "force": True}
        answer = await client.write(answered.user, body)
        for result in answer["results"]:
            turn_id = batch[result["evidence"]["message_index"]].id
            answered.outcomes.setdefault(turn_id, Counter())[result["outcome"]] += 1
            if result["memory_id"] is not None:
                answered.turns_of.setdefault(result["memory_id"], set()).add(turn_id)
        advance(len(batch))


async def ask(client: Client, answered: Answered, question_id: str, text: str) -> None:
    """Ask one question and keep the ranking. Raises ServiceFault."""
    ranking = []
    for memory in await client.recall(answered.user, text, k=DEPTH):
        turns = answered.turns_of.get(memory["id"])
        answered.strangers += turns is None
        ranking.append(frozenset(turns or ()))
    answered.rankings[question_id] = ranking


def batches(turns: tuple[Turn, ...]) -> Iterator[list[Turn]]:
    """Cut turns into writes: one session each, within the limits of a request."""
    batch: list[Turn] = []
    size = 0
    for turn in turns:
        length = len(json.dumps(turn.text))
        full = len(batch) == MAX_MESSAGES or size + length > _MAX_BYTES
        if batch and (full or turn.session != batch[0].session):
            yield batch
            batch, size = [], 0
        batch.append(turn)
        size += length
    if batch:
        yield batch


def _message(turn: Turn, *, gate: bool) -> dict[str, Any]:
    message: dict[str, Any] = {"role": turn.role, "content": turn.said if gate else turn.text}
    if turn.at is not None:
        message["occurred_at"] = turn.at.isoformat()
    if turn.speaker is not None:
        message["name"] = turn.speaker
    return message
