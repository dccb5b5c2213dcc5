"""Weighing which stored rows a write may end, by the nearest of them; see `turnover`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from uuid import UUID

from app.domain.memory import Memory, Modality, Verdict
from app.domain.nearness import looked_up
from app.domain.pairs import Beside
from app.domain.telling import Said, Telling
from app.domain.trust import USER_TRUST
from app.domain.turnover import MOST_STATEMENTS, WEIGHED_MODEL, Weighed, can_be_weighed, pairs_to_read, weigh
from app.providers.ports import Vector
from app.services.placed import Item
from app.store.memories import Memories

Place = tuple[int, int, str]
"""Where a statement stands in a write: its message, its start there, and the key of its words."""


def place_of(item: Item) -> Place:
    """Tell where a statement stands."""
    return item.candidate.message_index, item.candidate.start, item.key


def ending_of(item: Item) -> float | None:
    """Tell what the gate's reader made of a statement as an end; None where it was not read."""
    found = item.verdict.features.get("ending")
    return float(found) if found is not None else None


@dataclass(frozen=True, slots=True)
class Told:
    """A message of a write that may end something, with its statements and their vectors."""

    telling: Telling
    said: tuple[tuple[Item, Vector], ...]


@dataclass(frozen=True, slots=True)
class Heard:
    """Such a message with what was found: where its statements stand, and the rows nearest to each."""

    telling: Telling
    places: tuple[Place, ...]
    near: tuple[Mapping[UUID, float], ...]
    of_the_user: bool


async def weigh_items(
    memories: Memories,
    items: Sequence[Item],
    known: Mapping[UUID, Memory],
    readings: Mapping[Beside, float],
) -> tuple[dict[Place, Weighed], dict[UUID, Memory]]:
    """Weigh which rows each message may end, of those nearest to its statements.

    The weights know the cosines of the bundled model only; with another, and while it is out, the rules decide alone.
    So they do about rows of the same write, and for what comes after the first statements of a large one.

    Returns:
        What was weighed for each statement, and the rows that were read for it.
    """
    heard, read = await look_up(memories, tellings_of(items), known)
    weighed: dict[Place, Weighed] = {}
    for one in heard:
        weighed |= zip(one.places, weigh(one.telling, one.near, {**known, **read}, readings), strict=True)
    return weighed, read


def pairs_of(heard: Sequence[Heard], rows: Mapping[UUID, Memory]) -> list[Beside]:
    """Tell what to ask the pair reader of a write: its messages beside the rows that they may end.

    Nothing is over by the chance of what others than the user said, so that is not read.
    """
    pairs = [pair for one in heard if one.of_the_user for pair in pairs_to_read(one.telling, one.near, rows)]
    return list(dict.fromkeys(pairs))


def tellings_of(items: Sequence[Item]) -> list[Told]:
    """Tell which messages of a write may end something, with the statements that were looked at for it."""
    messages: dict[int, list[tuple[Item, Vector]]] = {}
    for item in items:
        if item.vector is None or item.model != WEIGHED_MODEL or item.verdict.decision is not Verdict.KEEP:
            continue
        if can_be_weighed(item.candidate.quote):
            messages.setdefault(item.candidate.message_index, []).append((item, item.vector))
    told: list[Told] = []
    asked = 0
    for said in messages.values():
        if asked + len(said) > MOST_STATEMENTS:
            continue
        statements = [Said(item.candidate.claim, item.change, ending_of(item)) for item, _ in said]
        telling = Telling.of_news(statements, said[0][0].candidate.told)
        if telling is not None:
            told.append(Told(telling, tuple(said)))
            asked += len(said)
    return told


async def look_up(
    memories: Memories, tellings: Sequence[Told], known: Mapping[UUID, Memory] = MappingProxyType({})
) -> tuple[list[Heard], dict[UUID, Memory]]:
    """Find the rows nearest to the statements of messages, and read those that are not known yet."""
    asked = [vector for one in tellings for _, vector in one.said]
    limit = max((looked_up(one.telling) for one in tellings), default=0)
    cosines = iter(await memories.nearest(asked, model=WEIGHED_MODEL, limit=limit))
    heard = [
        Heard(
            one.telling,
            tuple(place_of(item) for item, _ in one.said),
            tuple(_first(next(cosines), looked_up(one.telling)) for _ in one.said),
            any(_is_of_the_user(item) for item, _ in one.said),
        )
        for one in tellings
    ]
    unread = {memory_id for one in heard for near in one.near for memory_id in near} - known.keys()
    rows = {memory.id: memory for memory in await memories.by_ids(sorted(unread))} if unread else {}
    return heard, rows


def _is_of_the_user(item: Item) -> bool:
    return item.trust >= USER_TRUST and item.candidate.claim.modality is Modality.ASSERTED


def _first(cosines: Mapping[UUID, float], most: int) -> dict[UUID, float]:
    """Give the nearest of some rows: what is looked up for one message must not depend on the others of the write."""
    order = sorted(cosines, key=lambda memory_id: (-cosines[memory_id], memory_id))[:most]
    return {memory_id: cosines[memory_id] for memory_id in order}
