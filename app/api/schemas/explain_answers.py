"""The answers of POST /explain; `explains` tells which of them it is."""

from __future__ import annotations

from typing import Any, Literal

from app.api.schemas.answer import BERLIN, MUNICH, RECALL, SAID_AT, WRITE, Answer, Counts, Id, Time, example, only_with
from app.api.schemas.memory_answers import MEMORY, Memory, Reason, Source
from app.api.schemas.recall_answers import SCORES, NearMiss, Scores
from app.api.schemas.write_answers import RESULT, Policy, WriteResult
from app.domain.memory import Role, Verdict


class Evidence(Answer):
    """One piece of evidence."""

    role: Role = example("user", "Who said it.")
    source: Source = example({"type": "conversation", "id": None}, "Where it came from.")
    session_id: str | None = example("chat-812", "The conversation's label.")
    quote: str | None = example("I moved to Berlin last month.", "The words; null where the text has gone.")
    occurred_at: Time = example(SAID_AT, "When it was said. UTC.")
    trust: int = example(3, "0..4.")
    write_id: Id | None = example(WRITE, "The write that brought it.")


class VerdictView(Answer):
    """The gate's decision, as it was."""

    decision: Verdict = example("keep", "What the gate decided.")
    decided_by: Literal["rules", "llm_and_rules"] = example("rules", "Who had a say.")
    policy: str = example("gate-1", "The version of the rules.")
    importance: int | None = example(8, "1..10.")
    confidence: float | None = example(0.95, "0..1.")
    reasons: list[Reason] = example([{"code": "durable_fact", "detail": "shapes later answers"}], "Why.")
    at: Time = example(SAID_AT, "When. UTC.")


class HistoryEntry(Answer):
    """One step of a fact's life."""

    memory_id: Id | None = example(MUNICH, "The memory; null: erased.")
    content: str | None = example("User lives in Munich", "What it said; null: erased.")
    event: str = example("stored", "What happened.")
    at: Time | None = example("2024-11-20T18:00:00Z", "When. UTC.")
    reasons: list[Reason] = example([], "Why.")
    rule: str | None = example("insert", "The rule that decided; null: none did, or it is no longer known.")
    quote: str | None = example("I live in Munich.", "What was said; null: nothing, or erased.")


class Strength(Answer):
    """How strong a memory is now, and how it fades."""

    weight: float = example(0.98, "0..1, now.")
    age_days: float = example(12.0, "Days since it was last confirmed, or learned.")
    half_life_days: float = example(400.0, "Days.")
    mentions: int = example(1, "How often it was said.")
    reinforcements: int = example(0, "How often it was confirmed independently.")
    confirmed_at: Time | None = example(None, "The last independent confirmation. UTC.")
    fades: bool = example(True, "False: pinned, or of importance 10.")
    floor: float = example(0.05, "The weight at which it expires.")
    reaches_floor_at: Time | None = example("2030-02-26T09:12:00Z", "When it would. UTC; null: never.")


class Match(Answer):
    """Which memory a question was matched to."""

    memory_id: Id = example(BERLIN, "The memory.")
    score: float = example(0.82, "0..1.")


class MemoryExplanation(Answer):
    """Why a memory is believed, how it changed, how strong it is."""

    explains: Literal["memory"] = example("memory", "Tells the shape.")
    narrative: str = example("You said on 2025-06-03 that you moved to Berlin.", "In words, at most 500 characters.")
    memory: Memory | None = example(MEMORY, "The memory; null: nothing fits the question.")
    evidence: list[Evidence] = example([], "Where it came from.")
    verdict: VerdictView | None = example(None, "The gate's decision.")
    history: list[HistoryEntry] = example([], "How it changed, the oldest first.")
    strength: Strength | None = example(None, "How strong it is.")
    matched: Match | None = only_with("`question`", {"memory_id": BERLIN, "score": 0.82}, "What it was matched to.")


class WhyNot(Answer):
    """The decisive check."""

    code: str = example("superseded", "The first check that failed.")
    detail: str = example('pass include: ["superseded"] or as_of to see it', "How to see it all the same.")
    by: Id | None = example(BERLIN, "What replaced it, where that was the cause.")


class Cutoff(Answer):
    """What a memory had to reach."""

    k: int = example(5, "Places.")
    min_score: float = example(0.3, "0..1.")
    last_score: float | None = example(0.8222, "The score of the last place; null: nothing was returned.")


class Check(Answer):
    """One check."""

    check: str = example("superseded", "Its code.")
    passed: bool = example(False, "Whether the memory passed.")


class PlaceExplanation(Answer):
    """Why a memory stands where it stands in a recall, or why it is not there."""

    explains: Literal["recall"] = example("recall", "Tells the shape.")
    narrative: str = example("Not returned: it was replaced.", "In words, at most 500 characters.")
    recall_id: Id | None = example(RECALL, "The kept recall; null: it was run again now.")
    memory_id: Id = example(MUNICH, "The memory.")
    returned: bool = example(False, "Whether it was among the hits.")
    in_context: bool = example(False, "Whether it was in the block.")
    reason: WhyNot | None = example(
        {"code": "superseded", "detail": "pass as_of to see it", "by": BERLIN}, "Why not; null: it was returned."
    )
    rank: int | None = example(None, "Its place, from 1; null: not returned.")
    score: float | None = example(0.639, "0..1.")
    would_rank: int | None = example(2, "Its place had the check not failed.")
    cutoff: Cutoff = example({"k": 5, "min_score": 0.3, "last_score": 0.8222}, "What it had to reach.")
    scores: Scores | None = example(SCORES, "The terms of its score.")
    checks: list[Check] = example([{"check": "superseded", "passed": False}], "All checks, in order.")


class RankedHit(Answer):
    """A hit of a kept recall."""

    id: Id = example(BERLIN, "The memory.")
    rank: int = example(1, "Its place, from 1.")
    score: float = example(0.8222, "0..1.")
    scores: Scores = example(SCORES, "The terms.")


class RecallExplanation(Answer):
    """A kept recall as a whole."""

    explains: Literal["recall"] = example("recall", "Tells the shape.")
    narrative: str = example("1 of 3 candidates was returned.", "In words, at most 500 characters.")
    recall_id: Id = example(RECALL, "The recall.")
    query: str = example("Where does the user live?", "What was asked.")
    request: dict[str, Any] = example({"query": "Where does the user live?"}, "The request as it came.")
    memories: list[RankedHit] = example([{"id": BERLIN, "rank": 1, "score": 0.8222, "scores": SCORES}], "The hits.")
    near: list[NearMiss] = example([], "The next ones, at most 10.")
    excluded: Counts = example({"superseded": 1}, "Rows left out, by the first check they failed.")


class WriteExplanation(Answer):
    """Each verdict of a write."""

    explains: Literal["write"] = example("write", "Tells the shape.")
    narrative: str = example("1 of 2 candidates was kept.", "In words, at most 500 characters.")
    write_id: Id = example(WRITE, "The write.")
    at: Time = example(SAID_AT, "When. UTC.")
    policy: Policy = example(
        {"version": "gate-1", "thresholds": {"semantic": {"importance": 5, "confidence": 0.6}}}, "What decided."
    )
    results: list[WriteResult] = example([RESULT], "As in the write's answer; texts are null where they have gone.")
