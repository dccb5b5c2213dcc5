"""Recall: embed the query, one statement for the candidates, rank, compose."""

from __future__ import annotations

import secrets
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from uuid import UUID

from app.domain.answers import AsOfView, ContextBlock, NearMiss, RecallAnswer, Trace, scored, wire
from app.domain.asking import asks_for_the_past, period_of
from app.domain.caller import Owner
from app.domain.commands import RecallCommand, clock_of, recall_to_json
from app.domain.composer import compose
from app.domain.errors import FieldError, InvalidRequest
from app.domain.memory import Memory, TenantPolicy
from app.domain.ranker import POLICY, Ranked, RankWeights, Signals, rank
from app.domain.repeats import repeats
from app.domain.secrets import redacted
from app.domain.whynot import View, why_not
from app.services.embedding import Embedding
from app.store.database import Database
from app.store.ids import new_id
from app.store.kept import KeptRecall, KeptRecalls
from app.store.memories import Memories
from app.store.reading import candidates_of
from app.store.search import Search
from app.store.shapes import LARGE_FROM, Query

_NONCE = "0123456789abcdefghjkmnpqrstvwxyz"
_NEAR = 10


@dataclass(frozen=True, slots=True)
class Ranking:
    """A recall as ranked.

    Attributes:
        hits: What is returned, in this order: best first, then what only repeats one of these.
        ranked: All that was ranked, best first.
        repeats: By id of a row that only repeats a better one, the id of that one.
        min_trust: The trust floor as settled.
        min_score: The least score as settled.
        clock: The rank clock.
    """

    hits: tuple[Ranked, ...]
    ranked: tuple[Ranked, ...]
    repeats: Mapping[UUID, UUID]
    min_trust: int
    min_score: float
    clock: datetime

    def places(self) -> dict[UUID, int]:
        """Give the place of each ranked row from 1, as it would be returned if `k` had no end."""
        ordered = sorted(self.ranked, key=lambda hit: (hit.score < self.min_score, hit.memory.id in self.repeats))
        return {hit.memory.id: place for place, hit in enumerate(ordered, start=1)}


class Sizes:
    """Which owners had many rows when they were last read whole; forgotten after a while, so that it is found anew."""

    def __init__(self, *, keep_seconds: float = 600.0, at_most: int = 10_000) -> None:
        self._keep = keep_seconds
        self._at_most = at_most
        self._large: dict[tuple[str, str], float] = {}

    def is_large(self, owner: Owner, *, now: float) -> bool:
        """Tell whether two legs should choose what is scored."""
        until = self._large.get((owner.tenant_id, owner.user_id))
        return until is not None and now < until

    def note(self, owner: Owner, rows: int, *, now: float) -> None:
        """Note how many rows a recall scored."""
        if rows < LARGE_FROM:
            return
        self._large.pop((owner.tenant_id, owner.user_id), None)
        if len(self._large) >= self._at_most:
            self._large.pop(next(iter(self._large)))
        self._large[owner.tenant_id, owner.user_id] = now + self._keep


class RecallService:
    """Answers recalls. Nothing is written unless a trace is asked for."""

    def __init__(self, database: Database, embedding: Embedding) -> None:
        self._database = database
        self._embedding = embedding
        self._sizes = Sizes()

    async def recall(self, owner: Owner, command: RecallCommand, *, policy: TenantPolicy) -> RecallAnswer:
        """Bring back what matters for a query.

        Raises:
            InvalidRequest: `min_trust` is below the tenant's floor without `include: ["untrusted"]`.
        """
        started = time.perf_counter()
        command = settled(command)
        limits = limits_of(command, policy)
        query, degraded = await self._embedding.query(command.query)
        embedded = time.perf_counter()
        weights = RankWeights()
        epoch, everything = 0, []
        if command.trace or command.filters is not None:
            async with self._database.owner(owner) as session:
                search = Search(session, owner)
                epoch = await Memories(session, owner).forget_epoch() if command.trace else 0
                found = await search.candidates(command, query, min_trust=limits.min_trust, weights=weights)
                everything = await search.all_memories() if command.trace else []
        else:
            async with self._database.reading(owner) as reader:
                found = await candidates_of(
                    reader,
                    owner,
                    command,
                    query,
                    min_trust=limits.min_trust,
                    weights=weights,
                    large=self._sizes.is_large(owner, now=started),
                )
            self._sizes.note(owner, found.total, now=started)
        read = time.perf_counter()
        ranking = ranked_by(found.signals, command, limits, weights, explained=command.trace)
        context = context_of(command, ranking, found.procedural, floor=policy.min_trust)
        answer = RecallAnswer(
            recall_id=None,
            memories=tuple(scored(hit.memory, score=hit.score, scores=hit.scores) for hit in ranking.hits),
            context=context,
            degraded=degraded,
        )
        if command.as_of is not None:
            answer = replace(answer, as_of=AsOfView(command.as_of.valid_at, command.as_of.known_at))
        if command.trace:
            ended = time.perf_counter()
            timings = {
                "embed": embedded - started,
                "sql": read - embedded,
                "rank": ended - read,
                "total": ended - started,
            }
            trace = _trace(command, ranking, found.signals, everything, query, timings)
            answer = replace(answer, trace=trace)
            kept = await self._keep(owner, command, answer, ranking, policy, epoch=epoch)
            answer = replace(answer, recall_id=kept)
        return answer

    async def _keep(
        self,
        owner: Owner,
        command: RecallCommand,
        answer: RecallAnswer,
        ranking: Ranking,
        policy: TenantPolicy,
        *,
        epoch: int,
    ) -> UUID | None:
        """Keep a recall for /explain; None when there is nobody to keep it for, or a forget overtook it."""
        now = command.received_at
        touched = {hit.memory.id for hit in ranking.hits} | {miss.id for miss in answer.trace.near}
        if answer.context is not None:
            touched |= set(answer.context.refs.values()) | {item.id for item in answer.context.left_out}
        # the texts stay in the memories: what is kept are ids and numbers, and the query
        kept = {
            "memories": [
                {"id": hit.memory.id, "rank": place, "score": hit.score, "scores": hit.scores}
                for place, hit in enumerate(ranking.hits, start=1)
            ],
            "near": answer.trace.near,
            "excluded": answer.trace.excluded,
            "in_context": [] if answer.context is None else list(answer.context.refs.values()),
            "left_out": [] if answer.context is None else answer.context.left_out,
            "policy": POLICY,
            # with the limits as they were settled then, whatever the tenant sets later
            "asked": recall_to_json(
                replace(command, min_trust=ranking.min_trust, min_score=ranking.min_score, untrusted=True)
            ),
        }
        recall_id = new_id()
        async with self._database.owner(owner) as session:
            memories = Memories(session, owner)
            state = await memories.lock_known_owner()
            there = {memory.id for memory in await memories.by_ids(touched)}
            if state is None or state.forget_epoch != epoch or there != touched:
                return None
            await KeptRecalls(session, owner).keep(
                KeptRecall(recall_id, redacted(command.request), redacted(wire(kept)), now),
                memory_ids=sorted(touched),
                expires_at=now + timedelta(hours=policy.kept_recall_hours),
            )
        return recall_id


@dataclass(frozen=True, slots=True)
class Limits:
    """What a recall may see and must reach."""

    min_trust: int
    min_score: float


def limits_of(command: RecallCommand, policy: TenantPolicy) -> Limits:
    """Settle the trust floor and the least score of a recall.

    Raises:
        InvalidRequest: Below the tenant's floor without saying so.
    """
    min_trust = policy.min_trust if command.min_trust is None else command.min_trust
    if command.untrusted and command.min_trust is None:
        min_trust = 0
    if min_trust < policy.min_trust and not command.untrusted:
        raise InvalidRequest(
            FieldError(
                "/min_trust",
                "below_trust_floor",
                f'The floor is {policy.min_trust}. To go below it, send include: ["untrusted"] as well.',
            )
        )
    return Limits(min_trust, policy.min_score if command.min_score is None else command.min_score)


def settled(command: RecallCommand) -> RecallCommand:
    """Let a question about the past see what was replaced since; who names `include` or `as_of` knows best."""
    if command.as_of is not None or "include" in command.request:
        return command
    return replace(command, past=asks_for_the_past(command.query, command.received_at))


def ranked_by(
    signals: Sequence[Signals], command: RecallCommand, limits: Limits, weights: RankWeights, *, explained: bool = False
) -> Ranking:
    """Rank signals, cut at the least score, let what only repeats a better row come last, and cut at k.

    What repeats another is looked for until the list is full; among all rows when it is to be explained.
    """
    clock = clock_of(command)
    period = period_of(command.query, clock)
    ranked = tuple(rank(signals, now=clock, weights=weights, period=period))
    enough = [hit for hit in ranked if hit.score >= limits.min_score]
    # a kept recall is ranked again later: what was stored since stands for nothing in it
    there = (hit.memory for hit in enough if hit.memory.created_at <= command.received_at)
    repeating = repeats(there, wanted=len(enough) if explained else command.k)
    enough.sort(key=lambda hit: hit.memory.id in repeating)
    return Ranking(tuple(enough[: command.k]), ranked, repeating, limits.min_trust, limits.min_score, clock)


def context_of(
    command: RecallCommand, ranking: Ranking, procedural: Sequence[Memory], *, floor: int
) -> ContextBlock | None:
    """Compose the block of a recall; None when it asks for none. What is below the tenant's floor is fenced apart."""
    if command.token_budget == 0:
        return None
    return compose(
        ranked=[hit for hit in ranking.hits if hit.memory.trust >= floor],
        procedural=procedural,
        untrusted=[hit for hit in ranking.hits if hit.memory.trust < floor],
        token_budget=command.token_budget,
        nonce="".join(secrets.choice(_NONCE) for _ in range(6)),
    )


def _trace(
    command: RecallCommand,
    ranking: Ranking,
    signals: Sequence[Signals],
    everything: Sequence[Memory],
    query: Query,
    timings: dict[str, float],
) -> Trace:
    hit_ids = {hit.memory.id for hit in ranking.hits}
    ranks = {hit.memory.id: (place, hit.score) for place, hit in enumerate(ranking.ranked, start=1)}
    places = ranking.places()
    codes: dict[UUID, str] = {}
    for memory in everything:
        memory_id = memory.id
        if memory_id not in hit_ids:
            _, score = ranks.get(memory_id, (None, None))
            view = view_of(command, ranking, memory_id, score=score, place=places.get(memory_id))
            codes[memory_id] = why_not(memory, view) or "below_k"
    after = [hit for hit in ranking.ranked if hit.memory.id not in hit_ids][:_NEAR]
    return Trace(
        policy=POLICY,
        rank_clock=ranking.clock,
        embedding_model=query.model,
        legs={
            "vector": sum(1 for row in signals if row.cosine is not None),
            "lexical": sum(1 for row in signals if row.ts_rank),
        },
        candidates=len(signals),
        excluded=dict(sorted(Counter(codes.values()).items())),
        near=tuple(
            NearMiss(hit.memory.id, ranks[hit.memory.id][0], hit.score, codes.get(hit.memory.id, "below_k"))
            for hit in after
        ),
        timings_ms={name: round(seconds * 1000, 1) for name, seconds in timings.items()},
    )


def view_of(
    command: RecallCommand, ranking: Ranking, memory_id: UUID, *, score: float | None, place: int | None
) -> View:
    """Say what a recall looked for and how a memory fared, as the why-not checks take it."""
    return View(
        command=command,
        min_trust=ranking.min_trust,
        min_score=ranking.min_score,
        in_candidates=place is not None,
        score=score,
        rank=place,
        repeats=ranking.repeats.get(memory_id),
    )
