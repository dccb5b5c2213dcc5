"""Weighing which stored rows a write may end, by the nearest of them; see `turnover`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from uuid import UUID

from app.domain.memory import Memory, Verdict
from app.domain.nearness import looked_up
from app.domain.telling import Said, Telling
from app.domain.turnover import MOST_STATEMENTS, WEIGHED_MODEL, Weighed, tells_one_thing, weigh
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


async def weigh_items(
    memories: Memories, items: Sequence[Item], known: Mapping[UUID, Memory]
) -> tuple[dict[Place, Weighed], dict[UUID, Memory]]:
    """Weigh which rows each message may end, of those nearest to its statements.

    The weights know the cosines of the bundled model only; with another, and while it is out, the rules decide alone.
    So they do about rows of the same write, and for what comes after the first statements of a large one.

    Returns:
        What was weighed for each statement, and the rows that were read for it.
    """
    messages: dict[int, list[tuple[Item, Vector]]] = {}
    for item in items:
        if item.vector is None or item.model != WEIGHED_MODEL or item.verdict.decision is not Verdict.KEEP:
            continue
        if tells_one_thing(item.candidate.quote):
            messages.setdefault(item.candidate.message_index, []).append((item, item.vector))
    news: list[tuple[Telling, list[tuple[Item, Vector]]]] = []
    asked: list[Vector] = []
    for said in messages.values():
        if len(asked) + len(said) > MOST_STATEMENTS:
            continue
        statements = [Said(item.candidate.claim, item.change, ending_of(item)) for item, _ in said]
        telling = Telling.of_news(statements, said[0][0].candidate.told)
        if telling is not None:
            news.append((telling, said))
            asked += [vector for _, vector in said]
    limit = max((looked_up(telling) for telling, _ in news), default=0)
    cosines = iter(await memories.nearest(asked, model=WEIGHED_MODEL, limit=limit))
    near = [[_first(next(cosines), looked_up(telling)) for _ in said] for telling, said in news]
    unread = {memory_id for rows in near for one in rows for memory_id in one} - known.keys()
    read = {memory.id: memory for memory in await memories.by_ids(sorted(unread))} if unread else {}
    weighed: dict[Place, Weighed] = {}
    for (telling, said), rows in zip(news, near, strict=True):
        places = [place_of(item) for item, _ in said]
        weighed |= zip(places, weigh(telling, rows, {**known, **read}), strict=True)
    return weighed, read


def _first(cosines: Mapping[UUID, float], most: int) -> dict[UUID, float]:
    """Give the nearest of some rows: what is looked up for one message must not depend on the others of the write."""
    order = sorted(cosines, key=lambda memory_id: (-cosines[memory_id], memory_id))[:most]
    return {memory_id: cosines[memory_id] for memory_id in order}
