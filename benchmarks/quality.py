"""The quality benchmark: does a recall bring back the turns that answer a question, and what does the gate cost?"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final
from uuid import uuid4

from app.embedded import EmbeddedPostgresError
from app.providers.local import LocalEmbedder
from benchmarks.asking import Answered, ask, ask_somebody_else, write_pool
from benchmarks.bootstrap import ENOUGH_GROUPS, ROUNDS, SEED
from benchmarks.client import Client, ServiceFault
from benchmarks.comparing import baseline_rankings, texts_of
from benchmarks.corpus import Corpus
from benchmarks.figures import GATED, SERVICE, kept_shares, levels, outcomes, retired
from benchmarks.metrics import DEPTH, Ranking
from benchmarks.progress import Progress
from benchmarks.scores import score_figures
from benchmarks.textsearch import TextSearch, open_text_search
from benchmarks.vectors import Vectors, open_cache, vectors_of

BENCHMARK: Final = "quality"

Baselines = Mapping[str, Mapping[str, Mapping[str, Ranking]]]


@dataclass(frozen=True, slots=True)
class Plan:
    """What to measure.

    Attributes:
        corpora: The data.
        cache: Folder of the vectors.
        gate: Measure with the gate on, too.
        clean: Erase the benchmark's users afterwards.
        save: Called with the results whenever there is more of them.
    """

    corpora: Sequence[Corpus]
    cache: Path
    gate: bool
    clean: bool
    save: Callable[[dict[str, Any]], None]


async def measure(
    client: Client, plan: Plan, progress: Progress, *, baselines: Baselines | None = None
) -> dict[str, Any]:
    """Run the benchmark; gives the results, which are also saved after each corpus and when the run is ended early.

    Args:
        client: Of the service under test.
        plan: What to measure.
        progress: Where progress is shown.
        baselines: Rankings by corpus, system and question; computed when not given.

    Raises:
        ServiceFault: The service refused or failed.
    """
    results: dict[str, Any] = {
        "benchmark": BENCHMARK,
        "complete": False,
        "bootstrap": {"seed": SEED, "rounds": ROUNDS, "by_group_from": ENOUGH_GROUPS},
        "depth": DEPTH,
        "cores": os.cpu_count(),
        "corpora": [],
        "faults": [],
        "phases": {},
    }
    prefix = f"bench-{uuid4().hex[:8]}"
    users: list[str] = []
    # a wrong address, key or scope is told before the slow part
    await client.write(f"{prefix}/nobody", {"content": "Is it there?", "infer": False, "force": True, "dry_run": True})
    try:
        compared = await _baselines(plan, progress) if baselines is None else baselines
        for corpus in plan.corpora:
            await _corpus(client, corpus, plan, progress, results, compared, _Users(prefix, users))
        results["complete"] = True
    finally:
        results["phases"] = progress.seconds()
        plan.save(results)
    if plan.clean:
        with progress.phase("cleaning up", len(users)) as advance:
            for user in users:
                await client.forget_everything(user)
                advance(1)
    return results


class _Users:
    """Names users that no other run has, and remembers them."""

    def __init__(self, prefix: str, made: list[str]) -> None:
        self._prefix = prefix
        self._made = made

    def name(self, *parts: str) -> str:
        user = "/".join((self._prefix, *parts))
        self._made.append(user)
        return user


async def _baselines(plan: Plan, progress: Progress) -> Baselines:
    texts = list(dict.fromkeys(text for corpus in plan.corpora for text in texts_of(corpus)))
    embedder = LocalEmbedder()
    vectors: dict[str, Vectors] = {}
    try:
        with open_cache(plan.cache) as cache, progress.phase("vectors for the baselines", len(texts)) as advance:
            vectors = await vectors_of(texts, embedder=embedder, cache=cache, advance=advance)
    finally:
        await embedder.close()
    found: dict[str, Mapping[str, Mapping[str, Ranking]]] = {}
    async with AsyncExitStack() as stack:
        search: TextSearch | None = None
        with progress.phase("baselines", sum(corpus.questions for corpus in plan.corpora)) as advance:
            try:
                search = await stack.enter_async_context(open_text_search())
            except EmbeddedPostgresError as fault:
                progress.note(f"no Postgres for the text-search rows: {fault}")
            for corpus in plan.corpora:
                found[corpus.name] = await baseline_rankings(corpus, vectors, search, advance=advance)
    return found


async def _corpus(
    client: Client,
    corpus: Corpus,
    plan: Plan,
    progress: Progress,
    results: dict[str, Any],
    baselines: Baselines,
    users: _Users,
) -> None:
    plain: dict[str, Answered] = {}
    gated: dict[str, Answered] = {}
    try:
        await _answer(client, corpus, plain, progress, users, gate=False)
        await _probe(client, corpus, results, users)
        await _ask_around(client, corpus, plain, progress)
        if plan.gate:
            await _answer(client, corpus, gated, progress, users, gate=True)
    finally:
        with progress.phase(f"{corpus.title}: figures", 1) as advance:
            section = _section(corpus, plain, gated, baselines.get(corpus.name, {}))
            advance(1)
        results["corpora"].append(section)
        strangers = sum(of.strangers for of in (*plain.values(), *gated.values()))
        if strangers:
            results["faults"].append(f"{corpus.title}: {strangers} recalled memories were not of the user who asked")
        results["phases"] = progress.seconds()
        plan.save(results)


async def _probe(client: Client, corpus: Corpus, results: dict[str, Any], users: _Users) -> None:
    """Ask as a user who has never written anything."""
    question = next((question for pool in corpus.pools for question in pool.questions), None)
    if question is not None:
        found = await client.recall(users.name(corpus.name, "nobody"), question.text, k=DEPTH)
        if found:
            results["faults"].append(f"{corpus.title}: a user without memories was given {len(found)}")


async def _answer(
    client: Client,
    corpus: Corpus,
    answered: dict[str, Answered],
    progress: Progress,
    users: _Users,
    *,
    gate: bool,
) -> None:
    label = f"{corpus.title}{', gate on' if gate else ''}"
    for pool in corpus.pools:
        answered[pool.id] = Answered(users.name(corpus.name, "gated" if gate else "plain", _safe(pool.id)))
    with progress.phase(f"{label}: writing", corpus.turns) as advance:
        await _together(
            write_pool(client, pool, answered[pool.id], gate=gate, advance=advance) for pool in corpus.pools
        )
    with progress.phase(f"{label}: asking", corpus.questions) as advance:

        async def one(pool_id: str, question_id: str, text: str) -> None:
            await ask(client, answered[pool_id], question_id, text)
            advance(1)

        await _together(one(pool.id, q.id, q.text) for pool in corpus.pools for q in pool.questions)


async def _ask_around(client: Client, corpus: Corpus, answered: dict[str, Answered], progress: Progress) -> None:
    """Ask each question of the next user too, who cannot know."""
    if len(corpus.pools) < 2:
        return
    asked = [
        (pool.id, other.id, question)
        for pool, other in zip(corpus.pools, (*corpus.pools[1:], corpus.pools[0]), strict=True)
        for question in pool.questions
        if not question.apart
    ]
    with progress.phase(f"{corpus.title}: asking somebody else", len(asked)) as advance:

        async def one(own: str, other: str, question_id: str, text: str) -> None:
            await ask_somebody_else(client, answered[own], answered[other].user, question_id, text)
            advance(1)

        await _together(one(own, other, question.id, question.text) for own, other, question in asked)


async def _together(work: Any) -> None:
    """Run coroutines side by side; the first fault ends all of them and is raised as it is."""
    try:
        async with asyncio.TaskGroup() as group:
            for coroutine in work:
                group.create_task(coroutine)
    except* ServiceFault as faults:
        raise faults.exceptions[0] from None


def _section(
    corpus: Corpus,
    plain: Mapping[str, Answered],
    gated: Mapping[str, Answered],
    baselines: Mapping[str, Mapping[str, Ranking]],
) -> dict[str, Any]:
    rankings: dict[str, Mapping[str, Ranking]] = {SERVICE: _joined(plain)}
    if any(of.rankings for of in gated.values()):
        rankings[GATED] = _joined(gated)
    rankings |= baselines
    section: dict[str, Any] = {
        "name": corpus.name,
        "title": corpus.title,
        "turn": corpus.turn,
        "unit": corpus.unit,
        "group": corpus.group,
        "pools": len(corpus.pools),
        "turns": corpus.turns,
        "questions": corpus.questions,
        "notes": list(corpus.notes),
        "written": outcomes(plain),
        "retired": retired(corpus, plain),
        "levels": levels(corpus, rankings),
        "scores": score_figures(corpus, plain),
    }
    if gated:
        section["gate"] = {
            "written": outcomes(gated),
            "retired": retired(corpus, gated),
            "shares": kept_shares(corpus, gated),
        }
    return section


def _joined(answered: Mapping[str, Answered]) -> dict[str, Ranking]:
    return {question_id: ranking for of in answered.values() for question_id, ranking in of.rankings.items()}


def _safe(name: str) -> str:
    """Make a name fit for a user id."""
    return "".join(char if char.isascii() and (char.isalnum() or char in "._-") else "-" for char in name)[:64]
