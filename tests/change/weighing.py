"""Weighs what a message may end, with the bundled model's vectors, as the service does; no database."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from uuid import UUID

import numpy as np

from app.domain import turnover
from app.domain.changes import marked
from app.domain.claim import Candidate
from app.domain.indexing import indexed_text
from app.domain.memory import Memory, Status
from app.domain.nearness import looked_up
from app.domain.pairs import Beside
from app.domain.scoring import score
from app.domain.telling import Said, Telling
from app.domain.turnover import Weighed
from app.providers.local import MiniLM
from app.providers.network import MODEL_FOLDER
from app.providers.pairs import bundled_pair_reader
from app.providers.reader import bundled_reader


@cache
def model() -> MiniLM:
    return MiniLM(MODEL_FOLDER)


@cache
def vector(text: str) -> np.ndarray[tuple[int], np.dtype[np.float32]]:
    return np.array(model().run(model().tokenize([text]))[0], np.float32)


@cache
def beside(pair: Beside) -> float:
    return bundled_pair_reader().read(pair)


def ending(candidate: Candidate) -> float | None:
    found = score(candidate, infer=True, read=bundled_reader().read).features.get("ending")
    return float(found) if found is not None else None


def weigh(rows: Mapping[UUID, Memory], kept: Sequence[Candidate]) -> list[Weighed | None]:
    """Tell what each kept statement may end of one message; None when it is not weighed."""
    if not kept or not all(turnover.can_be_weighed(one.quote) for one in kept):
        return [None for _ in kept]
    telling = Telling.of_news([Said(one.claim, marked(one), ending(one)) for one in kept], kept[0].told)
    if telling is None:
        return [None for _ in kept]
    current = [row for row in rows.values() if row.status is Status.ACTIVE]
    near = []
    for one in kept:
        asked = vector(indexed_text(one.claim.subject, one.content))
        cosines = {row.id: float(vector(indexed_text(row.subject, row.content)) @ asked) for row in current}
        nearest = sorted(cosines, key=lambda row_id: (-cosines[row_id], row_id))[: looked_up(telling)]
        near.append({row_id: cosines[row_id] for row_id in nearest})
    known = {row.id: row for row in current}
    read = {pair: beside(pair) for pair in turnover.pairs_to_read(telling, near, known)}
    return list(turnover.weigh(telling, near, known, read))
