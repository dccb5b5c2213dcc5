"""Generated memories: who owns how many, their texts, vectors and queries. The same for the same seed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final
from uuid import UUID

import numpy as np
import numpy.typing as npt

SEED: Final = 20261129
TOPICS: Final = 200
# of a row's vector, the share that its topic has: two rows of a topic have a cosine of about its square
TOPIC_SHARE: Final = 0.7
CHUNK: Final = 10_000
_PROBES: Final = 20
_PEOPLE_PER_TENANT: Final = 100
_DAYS: Final = 400
# memories that a conversation leaves
_SESSION: Final = 10


def _listed(words: str) -> tuple[str, ...]:
    return tuple(words.split())


_THINGS: Final = _listed(
    """
ladder kettle anorak bicycle lantern violin teapot compass suitcase typewriter microscope blanket umbrella saddle
barometer easel canoe hammock telescope wheelbarrow accordion toolbox sledge projector chessboard birdhouse globe loom
thermos anvil stopwatch tripod snorkel mandolin trowel sextant
"""
)
_LOOKS: Final = _listed(
    """
green narrow heavy dented polished striped borrowed antique folding spare wooden silver rusty bright painted patched
"""
)
_PLACES: Final = _listed(
    """
cellar attic pantry boathouse workshop greenhouse hallway garage barn library porch studio shed locker vault kitchen
"""
)
_TOWNS: Final = _listed(
    """
Aldersted Brunhaven Corrimoor Dunfall Elmsworth Farrowby Glenbrook Hollowick Inverdale Jarrowmere Kelstone Lowmarch
"""
)
_NAMES: Final = _listed(
    """
Agneta Bertil Clemence Dorian Elspeth Florian Greta Henrik Ilse Jasper Katrin Leopold Mireille Niklas Odile Pascal
"""
)
_DEEDS: Final = _listed("keeps moved repaired lent stored cleaned found labelled packed wrapped")
_HABITS: Final = _listed("answers lists summaries drafts tables plans")

Matrix = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Person:
    """A user of a tenant, and how many memories are theirs."""

    tenant_id: str
    user_id: str
    rows: int


@dataclass(frozen=True, slots=True)
class Step:
    """What is added to grow the store to `total` rows; `probes` are the people who are asked, by their size."""

    number: int
    total: int
    people: tuple[Person, ...]
    probes: Mapping[int, tuple[Person, ...]]

    @property
    def rows(self) -> int:
        """Count the rows that this step adds."""
        return sum(person.rows for person in self.people)


@dataclass(frozen=True, slots=True)
class Question:
    """A query with its vector."""

    text: str
    vector: tuple[float, ...]


def plan(stores: Sequence[int], owners: Sequence[int]) -> list[Step]:
    """Spread the rows over people: some of each asked size where half of the new rows suffice, the rest about 100.

    The people asked at a size of the store come with the step that reaches it, so that their rows lie all over it.
    """
    rng = np.random.default_rng(SEED)
    steps: list[Step] = []
    total = 0
    for number, size in enumerate(sorted(set(stores))):
        left = size - total
        most = left // (2 * max(1, len(owners)))
        people: list[Person] = []
        probes: dict[int, tuple[Person, ...]] = {}
        for rows in sorted(set(owners)):
            fits = most // rows or int(2 * rows <= left - sum(person.rows for person in people))
            found = [_person(number, len(people) + n, rows) for n in range(min(_PROBES, fits))]
            if found:
                people += found
                probes[rows] = tuple(found)
        left -= sum(person.rows for person in people)
        while left > 0:
            rows = min(left, int(rng.integers(60, 141)))
            people.append(_person(number, len(people), rows))
            left -= rows
        steps.append(Step(number, size, tuple(people), probes))
        total = size
    return steps


def memories(step: Step, *, dimension: int, model: str, now: datetime) -> Iterator[list[dict[str, Any]]]:
    """Make the rows of a step in chunks, the people's rows mixed as they would arrive."""
    rng = np.random.default_rng([SEED, 1, step.number])
    centres = _centres(dimension)
    order = rng.permutation(np.repeat(np.arange(len(step.people)), [person.rows for person in step.people]))
    ordinals = _ordinals(order)
    oldest = now - timedelta(days=_DAYS)
    for begin in range(0, len(order), CHUNK):
        whose = order[begin : begin + CHUNK]
        topics = rng.integers(0, TOPICS, len(whose))
        vectors = _around(centres, topics, rng)
        packed = np.zeros((len(whose), 2 + dimension), ">u2")
        packed[:, 0] = dimension
        packed[:, 2:] = vectors.astype(">f2").view(">u2")
        draws = rng.integers(0, 1 << 30, (len(whose), 8)).tolist()
        rows = []
        for n, owner in enumerate(whose.tolist()):
            place = begin + n
            created = oldest + timedelta(days=_DAYS) * (place / len(order))
            rows.append(
                _row(step.people[owner], (step.number, place, int(ordinals[place])), int(topics[n]), draws[n], created)
                | {"embedding": packed[n].tobytes(), "embedding_model": model, "embedding_dimension": dimension}
            )
        yield rows


def questions(count: int, *, dimension: int) -> list[Question]:
    """Make different queries on the topics of the memories."""
    rng = np.random.default_rng([SEED, 2])
    topics = rng.integers(0, TOPICS, count)
    vectors = _around(_centres(dimension), topics, rng)
    made = []
    for n in range(count):
        thing, look, town, name = _words(int(topics[n]), rng.integers(0, 1 << 30, 4).tolist())
        text = f"Where is the {look} {thing} from {town} that {name} asked about in week {n}?"
        made.append(Question(text, tuple(vectors[n].tolist())))
    return made


def _person(step: int, number: int, rows: int) -> Person:
    return Person(f"speed-{step}-{number // _PEOPLE_PER_TENANT}", f"person-{step}-{number:06}", rows)


def _centres(dimension: int) -> Matrix:
    return _unit(np.random.default_rng([SEED, 3]).standard_normal((TOPICS, dimension), np.float32))


def _around(centres: Matrix, topics: npt.NDArray[np.int64], rng: np.random.Generator) -> Matrix:
    noise = _unit(rng.standard_normal((len(topics), centres.shape[1]), np.float32))
    share = np.float32(TOPIC_SHARE)
    return _unit(share * centres[topics] + np.sqrt(1 - share * share) * noise)


def _unit(vectors: Matrix) -> Matrix:
    scaled: Matrix = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    return scaled


def _words(topic: int, draws: Sequence[int]) -> tuple[str, str, str, str]:
    """Choose a thing, its look, a town and a name; a topic has three things of its own."""
    thing, look, town, name = draws
    return (
        _THINGS[(3 * topic + thing % 3) % len(_THINGS)],
        _LOOKS[look % len(_LOOKS)],
        _TOWNS[town % len(_TOWNS)],
        _NAMES[name % len(_NAMES)],
    )


def _row(
    person: Person, where: tuple[int, int, int], topic: int, draws: Sequence[int], created: datetime
) -> dict[str, Any]:
    """Give a memory's columns, without those that the loader derives: content_key and terms.

    `where` is the step, the place in it, and how many memories this person had there before.
    """
    step, place, ordinal = where
    thing, look, town, name = _words(topic, draws[:4])
    # of a hundred: 25 events, 3 ways of doing things, 72 facts
    part = draws[4] % 100
    kind = "episodic" if part < 25 else "procedural" if part < 28 else "semantic"
    deed = _DEEDS[draws[5] % len(_DEEDS)]
    room = _PLACES[draws[6] % len(_PLACES)]
    if kind == "procedural":
        content = f"Wants {_HABITS[draws[5] % len(_HABITS)]} about the {thing} kept short, as in note {place}"
    else:
        content = f"{deed.capitalize()} the {look} {thing} from {town} in the {room} with {name}, tag {place}"
    return {
        "tenant_id": person.tenant_id,
        "user_id": person.user_id,
        "id": _id(created, step, place),
        "kind": kind,
        "content": content,
        "subject": "user",
        "attribute": None,
        "value": None,
        "positive": True,
        "single_valued": False,
        "importance": 3 + draws[7] % 6,
        "confidence": 0.6 + 0.05 * (draws[6] % 7),
        "trust": 2 if kind != "procedural" and draws[7] % 10 == 0 else 3,
        "status": "active",
        "retired_by": None,
        "stale": False,
        "pinned": False,
        "occurred_at": created,
        "valid_from": None,
        "valid_to": None,
        "known_from": created,
        "known_to": None,
        "created_at": created,
        "updated_at": created,
        "expires_at": None,
        "metadata": "{}",
        "source_type": "conversation",
        "source_id": None,
        "session_id": f"{person.user_id}-{ordinal // _SESSION}",
        "session_ordinal": ordinal % _SESSION,
        "agent_id": None,
    }


def _ordinals(order: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """Count for each place how often its person came before."""
    together = np.argsort(order, kind="stable")
    begins = np.concatenate(([0], np.cumsum(np.bincount(order))[:-1]))
    counted = np.empty(len(order), np.int64)
    counted[together] = np.arange(len(order)) - begins[order[together]]
    return counted


def _id(created: datetime, step: int, place: int) -> UUID:
    """Make an id of version 7 from the time and the place, so that every run has the same order."""
    stamp = int(created.timestamp() * 1000)
    return UUID(int=stamp << 80 | 0x7 << 76 | step << 64 | 0b10 << 62 | place)
