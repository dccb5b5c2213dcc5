"""The rankings of all baselines and of the service's single legs, for a whole corpus."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

import numpy as np

from app.domain.terms import document_terms, query_terms
from benchmarks.baselines import BM25, METHODS, Floats, Scored, ages, order
from benchmarks.corpus import Corpus, Pool
from benchmarks.metrics import Ranking
from benchmarks.textsearch import TextSearch
from benchmarks.vectors import Vectors

VECTOR_LEG: Final = "cosine"
LEXICAL_LEG: Final = "lexical leg alone"
PLAINTO: Final = "plainto_tsquery"
LEGS: Final = (VECTOR_LEG, LEXICAL_LEG)


def texts_of(corpus: Corpus) -> list[str]:
    """Give every text of a corpus that needs a vector."""
    return [
        text
        for pool in corpus.pools
        for text in (*(turn.text for turn in pool.turns), *(question.text for question in pool.questions))
    ]


async def baseline_rankings(
    corpus: Corpus, vectors: Mapping[str, Vectors], search: TextSearch | None, *, advance: Callable[[int], None]
) -> dict[str, dict[str, Ranking]]:
    """Rank the turns for every question by every method.

    Args:
        corpus: The data.
        vectors: Of every text.
        search: Postgres' text search; without it two rows are left out.
        advance: Told how many questions were settled.

    Returns:
        By name of the method, by question id.
    """
    names = [*METHODS, *((PLAINTO, LEXICAL_LEG) if search is not None else ())]
    rankings: dict[str, dict[str, Ranking]] = {name: {} for name in names}
    for pool in corpus.pools:
        ids = [frozenset({turn.id}) for turn in pool.turns]

        def ranking(scores: Floats, *, least: float = -np.inf, ids: list[frozenset[str]] = ids) -> Ranking:
            return [ids[index] for index in order(scores, least=least)]

        key = f"{corpus.name}/{pool.id}"
        if search is not None:
            await search.add(key, [turn.text for turn in pool.turns])
        for question_id, text, scored in _scored(pool, vectors):
            for name, method in METHODS.items():
                rankings[name][question_id] = ranking(method(scored))
            if search is not None:
                rankings[PLAINTO][question_id] = ranking(await search.plainto(key, text), least=-0.5)
                rankings[LEXICAL_LEG][question_id] = ranking(await search.lexical_leg(key, text), least=-0.5)
            advance(1)
    return rankings


def _scored(pool: Pool, vectors: Mapping[str, Vectors]) -> list[tuple[str, str, Scored]]:
    matrix = np.stack([vectors[turn.text] for turn in pool.turns]).astype(np.float64)
    # the service's own words, so that BM25 differs from it by its formula only
    words = BM25([document_terms(turn.text).split() for turn in pool.turns])
    age_days = ages([turn.at for turn in pool.turns])
    return [
        (
            question.id,
            question.text,
            Scored(matrix @ vectors[question.text], words.scores(query_terms(question.text)), age_days),
        )
        for question in pool.questions
    ]
