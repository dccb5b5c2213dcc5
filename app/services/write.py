"""The write path: judge, embed, then one transaction that locks, resolves, stores and keeps the reasons."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

from sqlalchemy.ext.asyncio import AsyncSession

from app.domain.answers import WriteAnswer, wire
from app.domain.caller import Owner
from app.domain.commands import WriteCommand
from app.domain.earlier import MOST_DECISIONS, Said, meant_by, reaches_back, window
from app.domain.errors import NotFound
from app.domain.indexing import indexed_text
from app.domain.intake import Offer
from app.domain.memory import Status, TenantPolicy, Verdict
from app.domain.pairs import Beside
from app.domain.timeline import Neighbour
from app.metrics import Metrics
from app.services import recording
from app.services.embedding import Embedding
from app.services.gating import Gating
from app.services.judging import Judging
from app.services.pairing import Pairing
from app.services.placed import Item
from app.services.placing import Placement
from app.services.proposing import Proposing
from app.services.replay import Claim, Replays
from app.services.replies import Idempotency, Reply
from app.services.sealing import Sealing
from app.services.transactions import retried
from app.services.weighing import look_up, pairs_of, tellings_of
from app.store.database import Database
from app.store.ids import new_id
from app.store.ledger import Ledger
from app.store.memories import Memories

# a write whose other models took longer than this goes on without the judge: two calls of his take up to 41 s, and the
# claim on an idempotency key lasts 60
_JUDGE_WITHIN_SECONDS: Final = 15.0


@dataclass(frozen=True, slots=True)
class _Judged:
    """A write as judged before the transaction: nothing in it needs the lock."""

    offers: tuple[Offer, ...]
    items: Mapping[int, Item]
    beside: Mapping[Beside, float]
    epoch: int
    degraded: tuple[str, ...]


class WriteService:
    """Takes what is offered, and answers for each statement what it did and why."""

    def __init__(
        self,
        database: Database,
        gating: Gating,
        embedding: Embedding,
        proposing: Proposing,
        pairing: Pairing,
        judging: Judging,
        sealing: Sealing,
        replays: Replays,
        metrics: Metrics,
    ) -> None:
        self._database = database
        self._gating = gating
        self._embedding = embedding
        self._proposing = proposing
        self._pairing = pairing
        self._judging = judging
        self._sealing = sealing
        self._replays = replays
        self._metrics = metrics

    async def write(
        self, owner: Owner, command: WriteCommand, *, policy: TenantPolicy, idempotency: Idempotency | None
    ) -> Reply:
        """Write messages or one verbatim text.

        Raises:
            NotFound: A `derived_from` id is unknown, foreign or malformed; nothing was stored.
            IdempotencyInProgress, IdempotencyMismatch, IdempotencyErased: the key cannot be used for this.
        """
        if command.dry_run:
            return Reply(wire(await self._dry_run(owner, command, policy)))
        async with self._replays.claimed(owner, idempotency, now=command.received_at) as claim:
            if claim.answer is not None:
                return Reply(claim.answer, replayed=True)
            judged = await self._judge(owner, command, policy)
            answer, actions = await retried(lambda: self._store(owner, command, policy, judged, claim))
        for result in answer.results:
            self._metrics.gate_outcome(result.outcome.value)
        for action in actions:
            self._metrics.resolution(action)
        return Reply(wire(answer))

    async def _judge(self, owner: Owner, command: WriteCommand, policy: TenantPolicy) -> _Judged:
        started = time.monotonic()
        async with self._database.owner(owner) as session:
            memories = Memories(session, owner)
            epoch = await memories.forget_epoch()
            wanted = [parent for parent in command.derived_from if parent is not None]
            parents = await memories.by_ids(wanted)
            earlier = await self._earlier(session, owner, command)
        if len(parents) != len(set(command.derived_from)):
            raise NotFound
        trusts = [parent.trust for parent in parents]
        # no connection is held from here on: reader, extractor and embedder may be slow
        readings = self._gating.readings()
        offers = await self._gating.consider(
            command, readings, thresholds=policy.thresholds, parent_trusts=trusts, earlier=earlier
        )
        offers, unrefined = await self._proposing.refine(
            owner.tenant_id, command, offers, thresholds=policy.thresholds, read=readings.read
        )
        unread = self._gating.settle(readings)
        kept = {
            place: offer.candidate
            for place, offer in enumerate(offers)
            if offer.candidate is not None and offer.verdict.decision is not Verdict.DROP
        }
        # what only takes back makes no row
        texts = {
            place: indexed_text(candidate.claim.subject, candidate.content)
            for place, candidate in kept.items()
            if not candidate.takes_back
        }
        found, degraded = await self._embedding.documents(list(texts.values()))
        vectors = dict(zip(texts, found, strict=True))
        items = {
            place: Item(
                candidate, offers[place].verdict, offers[place].trust, vectors.get(place), self._embedding.model_id
            )
            for place, candidate in kept.items()
        }
        beside, unpaired = await self._pairs(owner, items)
        items, unjudged = await self._with_judge(owner, command, policy, items, beside, started=started)
        out = (*degraded, *unread, *unrefined, *unpaired, *unjudged)
        return _Judged(tuple(offers), items, beside, epoch, out)

    async def _earlier(self, session: AsyncSession, owner: Owner, command: WriteCommand) -> list[Said]:
        """Read what the user said before, where something in the write may put it right."""
        if not reaches_back(command):
            return []
        since = command.received_at - window(command)
        said = await Ledger(session, owner).said(since=since, now=command.received_at, limit=MOST_DECISIONS)
        return meant_by(command, said)

    async def _pairs(self, owner: Owner, items: Mapping[int, Item]) -> tuple[Mapping[Beside, float], tuple[str, ...]]:
        """Read the messages beside the rows that they may end; of two texts that holds whatever becomes of the rows."""
        tellings = tellings_of(list(items.values())) if self._pairing.is_on else []
        if not tellings:
            return {}, ()
        async with self._database.owner(owner) as session:
            heard, rows = await look_up(Memories(session, owner), tellings)
        # no connection is held while they are read
        return await self._pairing.read(pairs_of(heard, rows))

    async def _with_judge(
        self,
        owner: Owner,
        command: WriteCommand,
        policy: TenantPolicy,
        items: dict[int, Item],
        beside: Mapping[Beside, float],
        *,
        started: float,
    ) -> tuple[dict[int, Item], tuple[str, ...]]:
        """Let a judge say, on what stands there now, what the rules leave open; it is checked again under the lock."""
        if not self._judging.is_on or not items:
            return items, ()
        if time.monotonic() - started > _JUDGE_WITHIN_SECONDS:
            # the claim on the idempotency key must not run out while two models are waited for
            self._metrics.degraded(("judge",))
            return items, ("judge",)
        open_rows: dict[int, list[Neighbour]] = {}
        async with self._database.owner(owner) as session:
            memories = Memories(session, owner)
            labels = recording.labels(command, new_id())
            placement = await Placement.begin(
                memories, owner, labels, policy, list(items.values()), readings=beside, wide=True
            )
            for place, item in items.items():
                open_rows[place] = placement.open_rows(item)
                if placement.has_use(item):
                    placement.place(item)
        # no connection is held while the judge thinks
        return await self._judging.ask(owner.tenant_id, items, open_rows, now=command.received_at)

    async def _store(
        self, owner: Owner, command: WriteCommand, policy: TenantPolicy, judged: _Judged, claim: Claim
    ) -> tuple[WriteAnswer, list[str]]:
        write_id = new_id()
        async with self._database.owner(owner) as session:
            memories = Memories(session, owner)
            state = await memories.lock_owner(command.received_at)
            # a forget that came while this write was on its way wins: what it took away does not come back
            parents = await memories.by_ids([parent for parent in command.derived_from if parent is not None])
            forgotten = state.forget_epoch != judged.epoch or len(parents) != len(set(command.derived_from))
            items = {} if forgotten else judged.items
            labels = recording.labels(command, write_id)
            if any(parent.status is not Status.ACTIVE for parent in parents):
                labels = replace(labels, stale=True)
            placement = await Placement.begin(
                memories, owner, labels, policy, list(items.values()), readings=judged.beside
            )
            placed = {place: placement.place(item) for place, item in items.items() if placement.has_use(item)}
            stale = await placement.flush(memories)
            results = [
                recording.result(offer, placed.get(place), forgotten=forgotten)
                for place, offer in enumerate(judged.offers)
            ]
            results = recording.tell_stale(results, stale)
            answer = recording.answer(write_id, results, judged.degraded)
            entries = [
                recording.entry(
                    self._sealing,
                    owner,
                    command,
                    policy,
                    offer,
                    placed.get(place),
                    result,
                    write_id=write_id,
                    judged=items[place].judged if place in items else None,
                )
                for place, (offer, result) in enumerate(zip(judged.offers, results, strict=True))
            ]
            seq, head = await Ledger(session, owner).append(
                entries, seq=state.chain_seq, head=state.chain_head, now=command.received_at
            )
            await memories.move_chain(seq=seq, head=head)
            await self._complete(session, claim, answer)
        return answer, [item.action.value for item in placed.values() if item.action is not None]

    async def _complete(self, session: AsyncSession, claim: Claim, answer: WriteAnswer) -> None:
        touched = {result.memory_id for result in answer.results if result.memory_id is not None}
        touched |= {memory_id for result in answer.results for memory_id in recording.others(result)}
        await claim.complete(session, wire(answer), memory_ids=touched)

    async def _dry_run(self, owner: Owner, command: WriteCommand, policy: TenantPolicy) -> WriteAnswer:
        judged = await self._judge(owner, command, policy)
        async with self._database.owner(owner) as session:
            memories = Memories(session, owner)
            labels = recording.labels(command, new_id())
            placement = await Placement.begin(
                memories, owner, labels, policy, list(judged.items.values()), readings=judged.beside
            )
            placed = {place: placement.place(item) for place, item in judged.items.items() if placement.has_use(item)}
        # what only this dry run would have made does not exist: its ids mean nothing to the caller
        there = {memory_id for memory_id in placement.known if not placement.is_new(memory_id)}
        results = [
            recording.without_new(recording.result(offer, placed.get(place), forgotten=False), placed.get(place), there)
            for place, offer in enumerate(judged.offers)
        ]
        answer = recording.answer(None, results, judged.degraded)
        return replace(answer, dry_run=True, policy=recording.policy_view(policy))
