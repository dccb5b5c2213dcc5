"""Explanation: everything is read from the ledger, the evidence and the links; nothing is made up afterwards."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from app.domain import narrate
from app.domain.answers import (
    ABSENT,
    Cutoff,
    HistoryEntry,
    Match,
    MemoryExplanation,
    NearMiss,
    PlaceExplanation,
    PolicyView,
    Quote,
    RankedHit,
    RecallExplanation,
    RelatedMemory,
    Scores,
    Strength,
    VerdictView,
    WhyNot,
    WriteExplanation,
    WriteResult,
    view,
)
from app.domain.caller import Owner
from app.domain.commands import ExplainCommand, RecallCommand
from app.domain.decay import FLOOR, age_days, fades, half_life_days, reaches_floor_at
from app.domain.errors import NotFound
from app.domain.memory import Code, Kind, Memory, Outcome, Reason, Relation, Role, TenantPolicy
from app.domain.ranker import RankWeights, weight_of
from app.domain.whynot import checks, decisive, detail_of
from app.services.embedding import Embedding
from app.services.inventory import evidence_view
from app.services.recall import Ranking, limits_of, ranked_by, view_of
from app.services.sealing import Sealing
from app.store.database import Database
from app.store.erasure import Erasure
from app.store.kept import KeptRecall, KeptRecalls
from app.store.ledger import Decision, Ledger
from app.store.memories import Memories
from app.store.search import Search

_QUESTION_FLOOR = 0.3


class ExplainService:
    """Answers why."""

    def __init__(self, database: Database, embedding: Embedding, sealing: Sealing) -> None:
        self._database = database
        self._embedding = embedding
        self._sealing = sealing

    async def explain(
        self, owner: Owner, command: ExplainCommand, *, policy: TenantPolicy
    ) -> MemoryExplanation | PlaceExplanation | RecallExplanation | WriteExplanation:
        """Explain a memory, a kept recall, a place in a recall, a write, or the answer to a question.

        Raises:
            NotFound: What is named is unknown, foreign, expired or malformed.
        """
        match command.by:
            case "memory":
                return await self._memory(owner, command.memory_id, now=command.received_at)
            case "write":
                return await self._write(owner, command.write_id, policy, now=command.received_at)
            case "question":
                return await self._question(owner, command, policy)
            case "recall" if command.recall is not None:
                return await self._place(owner, command.recall, command.memory_id, policy, recall_id=None)
            case _:
                return await self._kept(owner, command, policy)

    async def _memory(
        self, owner: Owner, memory_id: UUID | None, *, now: datetime, matched: Match | None = ABSENT
    ) -> MemoryExplanation:
        async with self._database.owner(owner) as session:
            memories = Memories(session, owner)
            memory = None if memory_id is None else await memories.by_id(memory_id)
            if memory is None:
                raise NotFound
            older = await memories.by_ids(await Erasure(session, owner).earlier_versions([memory.id]))
            newer = await self._later(memories, memory)
            chain = sorted([*older, memory, *newer], key=lambda row: (row.created_at, row.id))
            evidence = await Search(session, owner).evidence([memory.id])
            decisions = await self._decisions(session, owner, chain, now=now)
        history = _history(chain, decisions)
        strength = strength_of(memory, now=now)
        quotes = tuple(evidence_view(row) for row in evidence[memory.id])
        return MemoryExplanation(
            explains="memory",
            narrative=narrate.explain_memory(memory, evidence=quotes, history=history, strength=strength, chain=chain),
            memory=view(memory),
            evidence=quotes,
            verdict=_verdict(decisions.get(memory.id, [])),
            history=history,
            strength=strength,
            matched=matched,
        )

    async def _later(self, memories: Memories, memory: Memory) -> list[Memory]:
        later: list[Memory] = []
        seen = {memory.id}
        following = memory.superseded_by
        while following is not None and following not in seen:
            seen.add(following)
            found = await memories.by_id(following)
            if found is None:
                break
            later.append(found)
            following = found.superseded_by
        return later

    async def _decisions(
        self, session: AsyncSession, owner: Owner, chain: Sequence[Memory], *, now: datetime
    ) -> dict[UUID, list[Decision]]:
        keys = {self._sealing.memory_key(owner, memory.id): memory.id for memory in chain}
        decided: dict[UUID, list[Decision]] = {memory.id: [] for memory in chain}
        for key, decision in await Ledger(session, owner).of_memories(list(keys), now=now):
            decided[keys[key]].append(decision)
        return decided

    async def _question(self, owner: Owner, command: ExplainCommand, policy: TenantPolicy) -> MemoryExplanation:
        asked = RecallCommand(query=command.question or "", received_at=command.received_at, k=1)
        ranking = await self._rank(owner, asked, policy)
        if not ranking.hits or ranking.hits[0].score < _QUESTION_FLOOR:
            return MemoryExplanation(
                explains="memory",
                narrative=narrate.no_match(),
                memory=None,
                evidence=(),
                verdict=None,
                history=(),
                strength=None,
                matched=None,
            )
        best = ranking.hits[0]
        match = Match(best.memory.id, best.score)
        return await self._memory(owner, best.memory.id, now=command.received_at, matched=match)

    async def _rank(self, owner: Owner, command: RecallCommand, policy: TenantPolicy) -> Ranking:
        limits, weights = limits_of(command, policy), RankWeights()
        query, _ = await self._embedding.query(command.query)
        async with self._database.owner(owner) as session:
            signals = await Search(session, owner).candidates(
                command, query, min_trust=limits.min_trust, weights=weights
            )
        return ranked_by(signals, command, limits, weights)

    async def _write(
        self, owner: Owner, write_id: UUID | None, policy: TenantPolicy, *, now: datetime
    ) -> WriteExplanation:
        decisions: list[Decision] = []
        if write_id is not None:
            async with self._database.owner(owner) as session:
                decisions = await Ledger(session, owner).of_write(write_id, now=now)
        if write_id is None or not decisions:
            raise NotFound
        results = tuple(_result(decision) for decision in decisions)
        body = decisions[0].body
        return WriteExplanation(
            explains="write",
            narrative=narrate.explain_write(results, at=decisions[0].at),
            write_id=write_id,
            at=decisions[0].at,
            policy=PolicyView(version=body["policy"], thresholds=body["thresholds"]),
            results=results,
        )
