"""From rankings to the figures of one corpus, as they stand in the results file."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final

import numpy as np

from benchmarks.asking import KEPT, Answered
from benchmarks.bootstrap import Bootstrap
from benchmarks.corpus import Corpus, Pool, Question
from benchmarks.metrics import NAMES, Ranking, both_sides, figures, folded, later_first

SERVICE: Final = "Lethe"
GATED: Final = "Lethe, gate on"
ALL: Final = "all"
_LATER_FIRST: Final = "updated first"
_BOTH: Final = "both sides@10"
_HELD: Final = frozenset({"held"})
_EXTRA: Final[Mapping[str, tuple[str, Callable[[Ranking, Question], float]]]] = {
    "knowledge update": (_LATER_FIRST, lambda ranking, q: later_first(ranking, q.first, q.second)),
    "contradiction resolution": (_BOTH, lambda ranking, q: both_sides(ranking, q.first, q.second)),
}

Rankings = Mapping[str, Mapping[str, Ranking]]


def levels(corpus: Corpus, rankings: Rankings, *, reference: str = SERVICE) -> dict[str, Any]:
    """Score all systems on the questions that all of them answered.

    Args:
        corpus: The data.
        rankings: By system, by question id.
        reference: The system whose lead over the others is told with an interval of its own.

    Returns:
        By level (turn; session or exchange): rows, one per system, with figures per kind of question, and how far
        the system is behind the reference over all questions.
    """
    asked = [
        (pool, question)
        for pool in corpus.pools
        for question in pool.questions
        if all(question.id in of for of in rankings.values())
    ]
    if not asked:
        return {}
    result = {corpus.turn: _level(asked, rankings, reference, coarse=False)}
    if corpus.unit is not None:
        result[corpus.unit] = _level(asked, rankings, reference, coarse=True)
    return result


def _level(
    asked: Sequence[tuple[Pool, Question]], rankings: Rankings, reference: str, *, coarse: bool
) -> list[dict[str, Any]]:
    unit_of = {id(pool): {turn.id: turn.unit for turn in pool.turns} for pool, _ in asked} if coarse else {}
    values = {system: [_values(of, pool, q, unit_of) for pool, q in asked] for system, of in rankings.items()}
    rows: dict[str, dict[str, Any]] = {system: {"system": system, "kinds": {}, "behind": {}} for system in rankings}
    for kind, places in _kinds(asked).items():
        for names, chosen in _selections(kind, values[reference], places):
            bootstrap = Bootstrap([asked[n][1].group for n in chosen])
            for name in names:
                column = {system: np.array([given[n][name] for n in chosen]) for system, given in values.items()}
                for system, row in rows.items():
                    row["kinds"].setdefault(kind, {})[name] = bootstrap.figure(column[system]).to_json()
                    if system != reference and kind == ALL:
                        lead = bootstrap.figure(column[reference] - column[system])
                        row["behind"].setdefault(kind, {})[name] = lead.to_json()
    return list(rows.values())


def _kinds(asked: Sequence[tuple[Pool, Question]]) -> dict[str, list[int]]:
    kinds: dict[str, list[int]] = {ALL: [n for n, (_, question) in enumerate(asked) if not question.apart]}
    names = sorted({question.kind for _, question in asked})
    for name in names if len(names) > 1 else ():
        kinds[name] = [n for n, (_, question) in enumerate(asked) if question.kind == name]
    return {name: places for name, places in kinds.items() if places}


def _selections(
    kind: str, values: Sequence[Mapping[str, float]], places: Sequence[int]
) -> Iterator[tuple[Sequence[str], list[int]]]:
    """Give figures with the questions that have them; one about two statements exists for some questions only."""
    yield NAMES, list(places)
    if kind in _EXTRA:
        name = _EXTRA[kind][0]
        having = [n for n in places if name in values[n]]
        if having:
            yield (name,), having


def _values(
    of: Mapping[str, Ranking], pool: Pool, question: Question, unit_of: Mapping[int, Mapping[str, str]]
) -> dict[str, float]:
    ranking, evidence = of[question.id], question.evidence
    if unit_of:
        names = unit_of[id(pool)]
        ranking, evidence = folded(ranking, names), frozenset(names[turn] for turn in evidence)
    result = figures(ranking, evidence)
    # a pair that lies in one and the same turn has no order
    if question.kind in _EXTRA and not unit_of and question.first and not question.first & question.second:
        name, figure = _EXTRA[question.kind]
        result[name] = figure(ranking, question)
    return result


def kept_shares(corpus: Corpus, answered: Mapping[str, Answered]) -> dict[str, Any]:
    """Tell which share of the turns left something in the store, and of those that questions need.

    A turn counts as stored when a statement of it was stored, reinforced what was there or superseded it; `held`
    counts those of the others that left a held statement.
    """
    rows: list[tuple[str, bool, bool, bool, bool]] = []
    for pool in corpus.pools:
        needed = frozenset().union(*(q.evidence for q in pool.questions if not q.apart))
        of = answered[pool.id]
        for turn in pool.turns:
            group = pool.id if corpus.unit is not None else turn.session
            kept = of.has(turn.id, KEPT)
            held = not kept and of.has(turn.id, _HELD)
            rows.append((group, kept, held, turn.id in needed, turn.role == "user"))
    result: dict[str, Any] = {}
    selections = {
        "turns": rows,
        "user turns": [row for row in rows if row[4]],
        "evidence turns": [row for row in rows if row[3]],
    }
    for name, selected in selections.items():
        if selected:
            bootstrap = Bootstrap([row[0] for row in selected])
            result[name] = {
                "stored": bootstrap.figure([float(row[1]) for row in selected]).to_json(),
                "held": bootstrap.figure([float(row[2]) for row in selected]).to_json(),
            }
    return result


def outcomes(answered: Mapping[str, Answered]) -> dict[str, int]:
    """Count the outcomes of all statements written."""
    total: dict[str, int] = {}
    for of in answered.values():
        for counts in of.outcomes.values():
            for outcome, count in counts.items():
                total[outcome] = total.get(outcome, 0) + count
    return dict(sorted(total.items()))


def retired(corpus: Corpus, answered: Mapping[str, Answered]) -> dict[str, int]:
    """Count the turns that a later one replaced, as changed facts are: a default recall does not give them."""
    needed = {(pool.id, turn) for pool in corpus.pools for q in pool.questions if not q.apart for turn in q.evidence}
    gone = {(pool_id, turn) for pool_id, of in answered.items() for turn in of.retired}
    return {"turns": len(gone), "evidence turns": len(gone & needed)}
