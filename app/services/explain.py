"""Explanation: everything is read from the ledger, the evidence and the links; nothing is made up afterwards."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
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
from app.domain.commands import ExplainCommand, RecallCommand, recall_from_json
from app.domain.decay import FLOOR, age_days, fades, half_life_days, reaches_floor_at
from app.domain.errors import NotFound
from app.domain.memory import USER_SUBJECT, Code, Kind, Memory, Outcome, Reason, Relation, Role, TenantPolicy
from app.domain.ranker import RankWeights, weight_of
from app.domain.subjects import asks_about_the_user
from app.domain.whynot import checks, decisive, detail_of
from app.services.embedding import Embedding
from app.services.inventory import evidence_view
from app.services.recall import Ranking, context_of, limits_of, ranked_by, settled, view_of
from app.services.sealing import Sealing
from app.store.database import Database
from app.store.erasure import Erasure
from app.store.kept import KeptRecall, KeptRecalls
from app.store.ledger import Decision, Ledger
from app.store.memories import Memories
from app.store.search import Search
from app.store.tables import EvidenceRow

_QUESTION_FLOOR = 0.3
_NEAR_FLOOR = 0.1  # what is less near is not worth a word


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
            case "memory_id":
                return await self._memory(owner, command.memory_id, now=command.received_at)
            case "write_id":
                return await self._write(owner, command.write_id, policy, now=command.received_at)
            case "question":
                return await self._question(owner, command, policy)
            case "recall" if command.recall is not None:
                return await self._place(owner, command.recall, command.memory_id, policy)
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
            evidence = await Search(session, owner).evidence([row.id for row in chain])
            decisions = await self._decisions(session, owner, chain, now=now)
        history = _history(chain, decisions, evidence)
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
        question = command.question or ""
        # what is known of others is no answer to a question about the user
        subject = USER_SUBJECT if asks_about_the_user(question) else None
        asked = RecallCommand(query=question, received_at=command.received_at, k=1, subject=subject)
        ranking = await self._rank(owner, asked, policy)
        if not ranking.hits or ranking.hits[0].score < _QUESTION_FLOOR:
            near = ranking.hits[0] if ranking.hits and ranking.hits[0].score >= _NEAR_FLOOR else None
            return MemoryExplanation(
                explains="memory",
                narrative=narrate.no_match(near.memory.content, near.score) if near else narrate.no_match(),
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
        command = settled(command)
        limits, weights = limits_of(command, policy), RankWeights()
        query, _ = await self._embedding.query(command.query)
        async with self._database.owner(owner) as session:
            found = await Search(session, owner).candidates(command, query, min_trust=limits.min_trust, weights=weights)
        return ranked_by(found.signals, command, limits, weights)

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

    async def _kept(
        self, owner: Owner, command: ExplainCommand, policy: TenantPolicy
    ) -> PlaceExplanation | RecallExplanation:
        kept: KeptRecall | None = None
        if command.recall_id is not None:
            async with self._database.owner(owner) as session:
                kept = await KeptRecalls(session, owner).get(command.recall_id, now=command.received_at)
        if kept is None:
            raise NotFound
        if command.with_memory:
            asked = recall_from_json(kept.answer["asked"])
            return await self._place(owner, asked, command.memory_id, policy, kept=kept)
        hits = tuple(
            RankedHit(
                UUID(hit["id"]),
                hit["rank"],
                hit["score"],
                Scores(**{"session": None, "neighbours": None, **hit["scores"]}),
            )
            for hit in kept.answer["memories"]
        )
        near = tuple(
            NearMiss(UUID(miss["id"]), miss["rank"], miss["score"], miss["why_not"]) for miss in kept.answer["near"]
        )
        excluded = kept.answer["excluded"]
        return RecallExplanation(
            explains="recall",
            narrative=narrate.explain_recall(
                returned=len(hits), best=hits[0].score if hits else None, excluded=excluded
            ),
            recall_id=kept.id,
            query=kept.answer["asked"]["query"],
            request=kept.request,
            memories=hits,
            near=near,
            excluded=excluded,
        )

    async def _place(
        self,
        owner: Owner,
        asked: RecallCommand,
        memory_id: UUID | None,
        policy: TenantPolicy,
        *,
        kept: KeptRecall | None = None,
    ) -> PlaceExplanation:
        """Rank the recall again by its own clock, and see where the memory stands in it, or would."""
        if memory_id is None:
            raise NotFound
        asked = asked if kept is not None else settled(asked)
        limits, weights = limits_of(asked, policy), RankWeights()
        query, _ = await self._embedding.query(asked.query)
        async with self._database.owner(owner) as session:
            search = Search(session, owner)
            found = await search.candidates(asked, query, min_trust=limits.min_trust, weights=weights, also=memory_id)
            newer = None if found.also is None else found.also.memory.superseded_by
            later = None if newer is None else await Memories(session, owner).by_id(newer)
        if found.also is None:
            raise NotFound
        ranking = ranked_by(found.signals, asked, limits, weights, explained=True)
        alone = ranked_by([found.also], asked, limits, weights).ranked[0]
        place = next((i for i, hit in enumerate(ranking.ranked, start=1) if hit.memory.id == memory_id), None)
        would = place or 1 + sum(1 for hit in ranking.ranked if hit.score >= alone.score)
        listed = ranking.places().get(memory_id)
        seen = view_of(asked, ranking, memory_id, score=alone.score, place=listed)
        done = checks(alone.memory, seen)
        code = decisive(done)
        rank = _kept_rank(kept, memory_id) if kept is not None else (listed if code is None else None)
        if kept is not None:
            in_context, left_out = str(memory_id) in kept.answer["in_context"], _left_out(kept, memory_id)
        else:
            block = context_of(asked, ranking, found.procedural, floor=policy.min_trust)
            in_context = block is not None and memory_id in block.refs.values()
            left_out = None if block is None else {item.id: item.reason for item in block.left_out}.get(memory_id)
        why = None
        if rank is None:
            code = code or "below_k"
            if code == "near_duplicate":
                later = next(hit.memory for hit in ranking.ranked if hit.memory.id == seen.repeats)
            by = {"superseded": alone.memory.superseded_by, "near_duplicate": seen.repeats}.get(code)
            why = WhyNot(code, detail_of(code, by=by), by)
        return PlaceExplanation(
            explains="recall",
            narrative=narrate.explain_place(
                alone.memory,
                code=None if why is None else why.code,
                by=later,
                rank=rank,
                would_rank=would,
                score=alone.score,
                scores=alone.scores,
                left_out=left_out,
            ),
            recall_id=None if kept is None else kept.id,
            memory_id=memory_id,
            returned=rank is not None,
            in_context=in_context,
            reason=why,
            rank=rank,
            score=alone.score,
            would_rank=None if rank is not None else would,
            cutoff=Cutoff(
                k=asked.k,
                min_score=limits.min_score,
                last_score=min((hit.score for hit in ranking.hits), default=None),
            ),
            scores=alone.scores,
            checks=done,
        )


def _kept_rank(kept: KeptRecall, memory_id: UUID) -> int | None:
    ranks = {hit["id"]: hit["rank"] for hit in kept.answer["memories"]}
    return ranks.get(str(memory_id))


def _left_out(kept: KeptRecall, memory_id: UUID) -> str | None:
    reasons = {item["id"]: item["reason"] for item in kept.answer["left_out"]}
    return reasons.get(str(memory_id))


def strength_of(memory: Memory, *, now: datetime) -> Strength:
    """Tell how strong a memory is now, and how it goes on."""
    since = memory.confirmed_at or memory.created_at
    return Strength(
        weight=round(weight_of(memory, now=now), 4),
        age_days=round(age_days(since, now), 2),
        half_life_days=round(
            half_life_days(memory.kind, importance=memory.importance, reinforcements=memory.reinforcements), 1
        ),
        mentions=memory.mentions,
        reinforcements=memory.reinforcements,
        confirmed_at=memory.confirmed_at,
        fades=fades(importance=memory.importance, pinned=memory.pinned),
        floor=FLOOR,
        reaches_floor_at=reaches_floor_at(
            memory.kind,
            importance=memory.importance,
            since=since,
            reinforcements=memory.reinforcements,
            pinned=memory.pinned,
        ),
    )


def _history(
    chain: Sequence[Memory],
    decisions: Mapping[UUID, Sequence[Decision]],
    evidence: Mapping[UUID, Sequence[EvidenceRow]],
) -> tuple[HistoryEntry, ...]:
    """Tell the steps of a chain, oldest first; a step whose memory was erased is still told."""
    entries: list[HistoryEntry] = []
    for memory in chain:
        made = next((decision for decision in decisions.get(memory.id, [])), None)
        replaced = 0 if made is None else int(made.body.get("supersedes") or 0)
        entries += [HistoryEntry(None, None, "erased", None, ())] * max(0, replaced - len(memory.supersedes))
        event = "stored" if made is None else str(made.body["outcome"])
        at = memory.created_at if made is None else made.at
        reasons = () if made is None or event == "stored" else _reasons(made)
        quote = next((row.quote for row in evidence.get(memory.id, ()) if row.origin), None)
        entries.append(HistoryEntry(memory.id, memory.content, event, at, reasons, _rule(made), quote))
        entries += [
            HistoryEntry(memory.id, memory.content, str(later.body["outcome"]), later.at, _reasons(later), _rule(later))
            for later in decisions.get(memory.id, [])[1:]
        ]
    return tuple(entries)


def _rule(decision: Decision | None) -> str | None:
    rule = None if decision is None else decision.body.get("rule")
    return None if rule is None else str(rule)


def _verdict(decisions: Sequence[Decision]) -> VerdictView | None:
    if not decisions:
        return None
    made = decisions[0]
    return VerdictView(
        decision=made.body["decision"],
        decided_by=made.body["decided_by"],
        policy=made.body["policy"],
        importance=made.body["importance"],
        confidence=made.body["confidence"],
        reasons=_told(made, "verdict_reasons", "verdict_details"),
        at=made.at,
    )


def _reasons(decision: Decision) -> tuple[Reason, ...]:
    return _told(decision, "reasons", "details")


def _told(decision: Decision, codes_name: str, details_name: str) -> tuple[Reason, ...]:
    codes: Sequence[str] = decision.body[codes_name]
    details: Sequence[str] = decision.text.get(details_name) or [""] * len(codes)
    return tuple(Reason(Code(code), detail) for code, detail in zip(codes, details, strict=True))


def _result(decision: Decision) -> WriteResult:
    body, text = decision.body, decision.text
    return WriteResult(
        candidate=text.get("candidate"),
        outcome=Outcome(body["outcome"]),
        reasons=_reasons(decision),
        kind=None if body["kind"] is None else Kind(body["kind"]),
        importance=body["importance"],
        confidence=body["confidence"],
        trust=body["trust"],
        memory_id=decision.memory_id,
        supersedes=tuple(UUID(memory_id) for memory_id in text.get("supersedes", ())),
        related=tuple(
            RelatedMemory(UUID(link["memory_id"]), Relation(link["relation"])) for link in text.get("related", ())
        ),
        evidence=Quote(body["message_index"], Role(body["role"]), text.get("quote")),
    )
