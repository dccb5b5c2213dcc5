"""The benchmark bites: a right service gets full marks, broken ones get what they deserve."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from benchmarks.client import ServiceFault, connect
from benchmarks.corpus import Corpus, Pool, Question, Turn
from benchmarks.figures import GATED, SERVICE
from benchmarks.metrics import Ranking
from benchmarks.progress import Progress
from benchmarks.quality import Plan, measure
from tests.benchmarks.doubles import KEY, Recall, at_random, ignoring_the_user, oracle, serving

pytestmark = pytest.mark.anyio

TURNS, ASKED, USERS = 50, 20, 4


def pool(number: int) -> Pool:
    """Every user said the same things and asks the same questions."""
    turns = tuple(Turn(f"t{n}", f"note {n}", f"note {n}", f"s{n // 10}", f"s{n // 10}") for n in range(TURNS))
    questions = tuple(
        Question(f"u{number}/q{n}", f"question {n}", "odd" if n % 2 else "even", f"u{number}", frozenset({f"t{2 * n}"}))
        for n in range(ASKED)
    )
    return Pool(f"u{number}", turns, questions)


CORPUS = Corpus("made-up", "Made up", "turn", "session", "user", tuple(pool(n) for n in range(USERS)))
ANSWERS = {f"question {n}": frozenset({f"note {2 * n}"}) for n in range(ASKED)}
REVERSED: dict[str, Ranking] = {
    question.id: [frozenset({turn.id}) for turn in reversed(of.turns)]
    for of in CORPUS.pools
    for question in of.questions
}


async def measured(recall: Recall, **options: Any) -> dict[str, Any]:
    plan = Plan([CORPUS], Path("unused"), gate=options.pop("gate", False), clean=False, save=lambda _: None)
    with serving(recall) as (address, _), Progress(Console(quiet=True)) as progress:
        async with connect(address, KEY) as client:
            return await measure(client, plan, progress, baselines={CORPUS.name: {"last first": REVERSED}})


def row(results: dict[str, Any], level: str = "turn", system: str = SERVICE) -> dict[str, Any]:
    found: dict[str, Any]
    (found,) = [row for row in results["corpora"][0]["levels"][level] if row["system"] == system]
    return found


def values(results: dict[str, Any], level: str = "turn") -> dict[str, float]:
    return {name: figure["value"] for name, figure in row(results, level)["kinds"]["all"].items()}


async def test_a_service_that_returns_the_evidence_gets_full_marks() -> None:
    results = await measured(oracle(ANSWERS), gate=True)
    assert results["complete"]
    assert not results["faults"]
    for level in ("turn", "session"):
        assert set(values(results, level).values()) == {1.0}
    assert row(results, system=GATED)["kinds"]["all"]["recall@10"]["value"] == 1.0
    assert results["corpora"][0]["gate"]["shares"]["turns"]["stored"]["value"] == 1.0


async def test_every_figure_has_its_n_its_interval_and_its_lead_over_the_others() -> None:
    results = await measured(at_random)
    for kind, n in (("all", ASKED * USERS), ("odd", ASKED * USERS / 2), ("even", ASKED * USERS / 2)):
        for figure in row(results)["kinds"][kind].values():
            assert figure["n"] == n
            assert figure["low"] <= figure["value"] <= figure["high"]
    other = row(results, system="last first")
    lead = values(results)["recall@10"] - other["kinds"]["all"]["recall@10"]["value"]
    assert other["behind"]["all"]["recall@10"]["value"] == pytest.approx(lead, abs=2e-4)


async def test_a_service_that_returns_random_memories_is_near_chance() -> None:
    results = await measured(at_random)
    assert not results["faults"]
    figure = row(results)["kinds"]["all"]["recall@10"]
    assert figure["value"] == pytest.approx(10 / TURNS, abs=0.1)
    assert figure["low"] - 0.05 < 10 / TURNS < figure["high"] + 0.05
    assert values(results)["hit@1"] < 0.15


async def test_a_service_that_ignores_the_user_is_found_out_and_falls() -> None:
    results = await measured(ignoring_the_user(ANSWERS))
    # the one who wrote nothing got something, and memories of others stood before one's own
    assert len(results["faults"]) == 2
    assert values(results)["hit@1"] <= 1 / USERS
    assert values(results)["mrr"] < 0.7


async def test_what_was_measured_before_a_fault_is_saved() -> None:
    saved: list[dict[str, Any]] = []
    plan = Plan([CORPUS], Path("unused"), gate=False, clean=False, save=saved.append)
    # a trial, 20 writes and some of the questions
    with serving(oracle(ANSWERS), break_after=60) as (address, _), Progress(Console(quiet=True)) as progress:
        async with connect(address, KEY) as client:
            with pytest.raises(ServiceFault, match="500 internal"):
                await measure(client, plan, progress, baselines={})
    last = saved[-1]
    assert not last["complete"]
    figure = row(last)["kinds"]["all"]["recall@10"]
    assert 1 <= figure["n"] < ASKED * USERS
    assert figure["value"] == 1.0


async def test_users_of_a_service_that_is_not_ours_are_erased_afterwards() -> None:
    plan = Plan([CORPUS], Path("unused"), gate=False, clean=True, save=lambda _: None)
    with serving(at_random) as (address, store), Progress(Console(quiet=True)) as progress:
        async with connect(address, KEY) as client:
            await measure(client, plan, progress, baselines={})
        assert not store.rows
        assert len(store.forgotten) == USERS + 1
