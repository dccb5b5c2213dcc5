"""A service that answers from a script: a real implementation of what the routers call, without a database."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from app.domain import answers
from app.domain.caller import Owner, Principal, Scope
from app.domain.commands import (
    ExplainCommand,
    ForgetCommand,
    ListCommand,
    PatchCommand,
    RecallCommand,
    WriteCommand,
)
from app.domain.errors import InvalidCursor, NotFound, NotReviewable, Unauthenticated, UserMismatch, UserRequired
from app.domain.memory import Code, Kind, Outcome, Reason, Role, Source, Status
from app.metrics import Metrics
from app.services.replies import Idempotency, Readiness, Reply
from app.settings import Settings

KEY = "lk_acme_k1_everything"
READ_KEY = "lk_acme_k2_read"
BOUND_KEY = "lk_acme_k3_bound"
WRITE_KEY = "lk_acme_k5_write"
OTHER_TENANT_KEY = "lk_globex_k4_everything"
NOW = datetime(2025, 6, 3, 10, 0, tzinfo=UTC)
KNOWN = UUID("0198e0c1-7a10-7c3e-9b1d-4f2a6c8d0a01")
FOREIGN = UUID("0198e0c1-7a10-7c3e-9b1d-4f2a6c8d0aff")
UNKNOWN = UUID("0198ffff-0000-7000-8000-000000000000")
EVERY_SCOPE = frozenset(Scope)

PRINCIPALS = {
    KEY: Principal("acme", "k1", EVERY_SCOPE),
    READ_KEY: Principal("acme", "k2", frozenset({Scope.READ})),
    WRITE_KEY: Principal("acme", "k5", frozenset({Scope.WRITE})),
    BOUND_KEY: Principal("acme", "k3", EVERY_SCOPE, bound_user="anna"),
    OTHER_TENANT_KEY: Principal("globex", "k4", EVERY_SCOPE),
}

MEMORY = answers.MemoryView(
    id=KNOWN,
    kind=Kind.SEMANTIC,
    content="User lives in Berlin",
    subject="user",
    attribute="home_city",
    value="Berlin",
    importance=8,
    confidence=0.95,
    trust=3,
    status=Status.ACTIVE,
    occurred_at=NOW,
    valid_from=NOW,
    valid_to=None,
    created_at=NOW,
    updated_at=NOW,
    metadata={"project": "apollo"},
)
_CORE = {name: getattr(MEMORY, name) for name in MEMORY.__dataclass_fields__}
DETAILED = answers.DetailedMemory(
    **_CORE,
    weight=0.98,
    pinned=False,
    source=Source(),
    session_id="chat-812",
    agent_id=None,
    confirmed_at=None,
    expires_at=None,
    supersedes=(FOREIGN,),
    superseded_by=None,
)
SCORES = answers.Scores(0.7731, None, 0.7731, None, 0.8712, 0.96, 0.99, 0.998, 0.995)
POLICY = answers.PolicyView("gate-1", {"semantic": {"importance": 5, "confidence": 0.6}})
RECEIPT = answers.Receipt(
    receipt_id=KNOWN,
    dry_run=False,
    selector="memory_ids",
    erased_at=NOW,
    matched=1,
    derived=0,
    not_found=1,
    erased_ids=(FOREIGN,),
    erased=dict.fromkeys(answers.ERASED_TABLES, 0),
    chains_closed=0,
    block_relearn=False,
    tier="rows",
    deadlines=None,
    chain=answers.ChainLink(1, "sha256:0", "sha256:1"),
)
STRENGTH = answers.Strength(0.98, 12.0, 400.0, 1, 0, None, True, 0.05, NOW)


def write_result(quote: str, *, index: int = 0, dry_run: bool = False) -> answers.WriteResult:
    result = answers.WriteResult(
        candidate=quote,
        outcome=Outcome.DROPPED,
        reasons=(Reason(Code.SMALL_TALK, "changes no future answer"),),
        kind=None,
        importance=None,
        confidence=None,
        trust=3,
        memory_id=None,
        supersedes=(),
        related=(),
        evidence=answers.Quote(index, Role.USER, quote),
    )
    return replace(result, resolution=None) if dry_run else result


class ScriptedLethe:
    """Answers every call with canned values and remembers the commands it was given."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.metrics: Metrics | None = None
        self.commands: list[Any] = []
        self.idempotency: list[Idempotency | None] = []
        self.replayed = False
        self.readiness = Readiness(True, {"database": "ok", "migrations": "ok", "embedder": "ok"})
        self.fault: Exception | None = None
        self.before: Callable[[], Any] | None = None
        self.rows: list[Mapping[str, Any]] = [{"memory": DETAILED, "evidence": [], "history": []}]
        self.rows_fault: Exception | None = None

    def now(self) -> datetime:
        return NOW

    async def _take(self, command: Any = None) -> None:
        self.commands.append(command)
        if self.before is not None:
            await self.before()
        if self.fault is not None:
            raise self.fault

    def last(self) -> Any:
        return self.commands[-1]

    async def authenticate(self, token: str) -> Principal:
        if token not in PRINCIPALS:
            raise Unauthenticated
        return PRINCIPALS[token]

    def owner(self, principal: Principal, user_id: str | None) -> Owner:
        if principal.bound_user is not None and user_id not in (None, principal.bound_user):
            raise UserMismatch
        user = user_id or principal.bound_user
        if user is None:
            raise UserRequired
        return Owner(principal.tenant_id, user, "hash")

    async def write(self, owner: Owner, command: WriteCommand, *, idempotency: Idempotency | None) -> Reply:
        self.idempotency.append(idempotency)
        await self._take(command)
        results = tuple(
            write_result(message.text, index=index, dry_run=command.dry_run)
            for index, message in enumerate(command.messages)
        )
        answer = answers.WriteAnswer(
            write_id=None if command.dry_run else KNOWN,
            dry_run=command.dry_run,
            counts={outcome.value: 0 for outcome in Outcome} | {"dropped": len(results)},
            results=results,
            policy=POLICY if command.dry_run else answers.ABSENT,
        )
        return Reply(answers.wire(answer), replayed=self.replayed)

    async def recall(self, owner: Owner, command: RecallCommand) -> answers.RecallAnswer:
        await self._take(command)
        return answers.RecallAnswer(
            recall_id=KNOWN if command.trace else None,
            memories=(answers.ScoredMemory(**_CORE, score=0.8222, scores=SCORES),),
            context=answers.ContextBlock("<lethe-memory>", 5, command.token_budget, {"m1": KNOWN}, ())
            if command.token_budget
            else None,
            degraded=(),
            as_of=answers.AsOfView(command.as_of.valid_at, command.as_of.known_at) if command.as_of else answers.ABSENT,
            trace=answers.Trace("rank-1", NOW, "minilm", {"vector": 1}, 1, {}, (), {"total": 1.0})
            if command.trace
            else answers.ABSENT,
        )

    async def forget(self, owner: Owner, command: ForgetCommand, *, idempotency: Idempotency | None) -> Reply:
        self.idempotency.append(idempotency)
        await self._take(command)
        if not command.dry_run:
            return Reply(answers.wire(replace(RECEIPT, selector=command.selector)), replayed=self.replayed)
        row = answers.PreviewRow(KNOWN, Kind.SEMANTIC, "User lives in Munich", Status.SUPERSEDED, 0.78, "match")
        preview = answers.Preview(
            receipt_id=None,
            dry_run=True,
            selector=command.selector,
            matched=1,
            derived=0,
            truncated=False,
            memories=(row,),
            would_erase=dict.fromkeys(answers.ERASED_TABLES, 0),
            preview_token="pv_5Qm8",
            expires_at=NOW,
        )
        return Reply(answers.wire(preview))

    async def receipt(self, owner: Owner, receipt_id: UUID | None, *, now: datetime) -> answers.Receipt:
        self._find(receipt_id)
        return replace(RECEIPT, erased_ids=answers.ABSENT, residue=None)

    async def explain(self, owner: Owner, command: ExplainCommand) -> Any:
        await self._take(command)
        if command.by == "write_id":
            self._find(command.write_id)
            return answers.WriteExplanation("write", "In words.", KNOWN, NOW, POLICY, (write_result("Thanks!"),))
        if command.by == "recall_id" and not command.with_memory:
            self._find(command.recall_id)
            hit = answers.RankedHit(KNOWN, 1, 0.8222, SCORES)
            return answers.RecallExplanation(
                "recall", "In words.", KNOWN, "where?", {"query": "where?"}, (hit,), (), {}
            )
        if command.by in {"recall_id", "recall"}:
            self._find(command.memory_id)
            return answers.PlaceExplanation(
                explains="recall",
                narrative="In words.",
                recall_id=command.recall_id,
                memory_id=KNOWN,
                returned=False,
                in_context=False,
                reason=answers.WhyNot("superseded", "see it with include", FOREIGN),
                rank=None,
                score=0.639,
                would_rank=2,
                cutoff=answers.Cutoff(5, 0.3, None),
                scores=SCORES,
                checks=(answers.Check("superseded", False),),
            )
        if command.by == "memory_id":
            self._find(command.memory_id)
        evidence = answers.EvidenceView(Role.USER, Source(), None, "I moved to Berlin", NOW, 3, KNOWN)
        verdict = answers.VerdictView("keep", "rules", "gate-1", 8, 0.95, (), NOW)
        history = answers.HistoryEntry(None, None, "erased", None, ())
        return answers.MemoryExplanation(
            explains="memory",
            narrative="In words.",
            memory=MEMORY,
            evidence=(evidence,),
            verdict=verdict,
            history=(history,),
            strength=STRENGTH,
            matched=answers.Match(KNOWN, 0.8) if command.by == "question" else answers.ABSENT,
        )

    async def list_memories(self, owner: Owner, command: ListCommand) -> answers.MemoryPage:
        await self._take(command)
        if command.cursor not in (None, "eyJ2IjoxfQ"):
            raise InvalidCursor
        return answers.MemoryPage((DETAILED,), "eyJ2IjoxfQ")

    async def get_memory(self, owner: Owner, memory_id: UUID | None, *, now: datetime) -> answers.DetailedMemory:
        self._find(memory_id)
        await self._take()
        return DETAILED

    async def patch_memory(self, owner: Owner, memory_id: UUID | None, command: PatchCommand) -> answers.DetailedMemory:
        self._find(memory_id)
        await self._take(command)
        return DETAILED

    async def delete_memory(self, owner: Owner, memory_id: UUID | None, *, now: datetime) -> answers.Receipt:
        self._find(memory_id)
        return RECEIPT

    async def approve(
        self, owner: Owner, memory_id: UUID | None, *, note: str | None, now: datetime
    ) -> answers.Approval:
        self._find(memory_id)
        await self._take(note)
        if note == "again":
            raise NotReviewable
        return answers.Approval(MEMORY, FOREIGN)

    async def reject(self, owner: Owner, memory_id: UUID | None, *, now: datetime) -> answers.Receipt:
        self._find(memory_id)
        return RECEIPT

    async def export(self, owner: Owner, *, now: datetime) -> AsyncIterator[Mapping[str, Any]]:
        if self.fault is not None:
            raise self.fault
        for row in self.rows:
            yield row
        if self.rows_fault is not None:
            raise self.rows_fault

    async def ready(self) -> Readiness:
        return self.readiness

    def _find(self, given: UUID | None) -> None:
        if given != KNOWN:
            raise NotFound


def opener(lethe: ScriptedLethe) -> Callable[..., AbstractAsyncContextManager[ScriptedLethe]]:
    @asynccontextmanager
    async def open_scripted(settings: Settings, *, metrics: Metrics) -> AsyncIterator[ScriptedLethe]:
        lethe.metrics = metrics
        yield lethe

    return open_scripted
