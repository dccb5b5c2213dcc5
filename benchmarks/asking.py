"""Writing a pool to the service and asking its questions, and mapping what comes back to turns."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby
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
        scores: Per question id the scores of the hits.
        elsewhere: Per question id the best score of somebody else's memories.
        retired: Turns of which a memory was superseded by a later write.
        strangers: Recalled memories that no write of this user had made.
    """

    user: str
    turns_of: dict[str, set[str]] = field(default_factory=dict)
    outcomes: dict[str, Counter[str]] = field(default_factory=dict)
    rankings: dict[str, list[frozenset[str]]] = field(default_factory=dict)
    scores: dict[str, list[float]] = field(default_factory=dict)
    elsewhere: dict[str, float] = field(default_factory=dict)
    retired: set[str] = field(default_factory=set)
    strangers: int = 0

    def has(self, turn_id: str, outcomes: frozenset[str]) -> bool:
        """Tell whether a statement of a turn had one of these outcomes."""
        return not outcomes.isdisjoint(self.outcomes.get(turn_id, ()))


async def write_pool(
    client: Client, pool: Pool, answered: Answered, *, gate: bool, advance: Callable[[int], None]
) -> None:
    """Write the turns of a pool in their order, up to a hundred a write.

    Without the gate every turn is stored as it is (`infer: false, force: true`). With the gate it is a plain message,
    the words alone. Where the data names its speakers, each write says whom it is about (`subject: person:caroline`),
    as a service for several people must; else two friends would be one user who contradicts himself. Raises
    ServiceFault.
    """
    for batch in batches(pool.turns, by_speaker=gate):
        body: dict[str, Any] = {
            "messages": [_message(turn, gate=gate) for turn in batch],
            "session_id": batch[0].session,
        }
        if not gate:
            body |= {"infer": False, "force": True}
        elif batch[0].speaker is not None:
            body["subject"] = f"person:{batch[0].speaker.casefold()}"
        answer = await client.write(answered.user, body)
        for result in answer["results"]:
            turn_id = batch[result["evidence"]["message_index"]].id
            answered.outcomes.setdefault(turn_id, Counter())[result["outcome"]] += 1
            if result["memory_id"] is not None:
                answered.turns_of.setdefault(result["memory_id"], set()).add(turn_id)
        for result in answer["results"]:
            for memory_id in result["supersedes"]:
                answered.retired |= answered.turns_of.get(memory_id, set())
        advance(len(batch))


async def ask(client: Client, answered: Answered, question_id: str, text: str) -> None:
    """Ask one question and keep the ranking. Raises ServiceFault."""
    ranking, scores = [], []
    for memory in await client.recall(answered.user, text, k=DEPTH):
        scores.append(float(memory["score"]))
        turns = answered.turns_of.get(memory["id"])
        answered.strangers += turns is None
        ranking.append(frozenset(turns or ()))
    answered.rankings[question_id] = ranking
    answered.scores[question_id] = scores


async def ask_somebody_else(client: Client, answered: Answered, user: str, question_id: str, text: str) -> None:
    """Ask a question of a user whose memories hold no answer, and keep the best score. Raises ServiceFault."""
    answered.elsewhere[question_id] = max(
        (float(memory["score"]) for memory in await client.recall(user, text, k=1)), default=0.0
    )


def batches(turns: Sequence[Turn], *, by_speaker: bool = False) -> Iterator[list[Turn]]:
    """Cut turns into writes within the limits of a request.

    Each is of one session, in order. By speaker, it is also of one speaker: those of a session come one after the
    other, which changes nothing, as their facts are about different people.
    """
    for _, of_session in groupby(turns, key=lambda turn: turn.session):
        together: dict[str | None, list[Turn]] = {}
        for turn in of_session:
            together.setdefault(turn.speaker if by_speaker else None, []).append(turn)
        for mine in together.values():
            yield from _cut(mine)


def _cut(turns: Sequence[Turn]) -> Iterator[list[Turn]]:
    batch: list[Turn] = []
    size = 0
    for turn in turns:
        length = len(json.dumps(turn.text))
        if batch and (len(batch) == MAX_MESSAGES or size + length > _MAX_BYTES):
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
