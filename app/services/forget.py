"""Forgetting: a selector is resolved under the owner's lock, erased in one transaction, and leaves a receipt."""

from __future__ import annotations

import hashlib
import json
import secrets
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from app.domain.answers import ABSENT, ChainLink, Preview, PreviewRow, Receipt, Residue, wire
from app.domain.caller import Owner
from app.domain.commands import ForgetCommand
from app.domain.errors import NotFound, PreviewExpired, PreviewRequired, PreviewStale
from app.domain.memory import Memory
from app.domain.ranker import FORGET_WEIGHTS, rank
from app.services.embedding import Embedding
from app.services.replay import Replays
from app.services.replies import Idempotency, Reply
from app.services.sealing import Sealing
from app.services.transactions import retried
from app.store.database import Database
from app.store.erasure import Erasure, Reach
from app.store.ids import new_id
from app.store.kept import KeptPreview, KeptPreviews
from app.store.ledger import Entry, Ledger
from app.store.memories import Memories
from app.store.receipts import Receipts, StoredReceipt
from app.store.search import Search

PREVIEW_LASTS = timedelta(minutes=15)
# selectors that say exactly which rows: a write that runs at the same moment is not meant by them
_PRECISE = frozenset({"memory_ids", "query"})


@dataclass(frozen=True, slots=True)
class _Found:
    """What a selector means right now."""

    selector: str
    reach: Reach
    because: Mapping[UUID, str]
    scores: Mapping[UUID, float]
    matched: int
    not_found: int = 0
    truncated: bool = False

    @property
    def derived(self) -> int:
        return sum(1 for why in self.because.values() if why == "derived")


class ForgetService:
    """Erases, previews, and tells what was erased."""

    def __init__(self, database: Database, embedding: Embedding, sealing: Sealing, replays: Replays) -> None:
        self._database = database
        self._embedding = embedding
        self._sealing = sealing
        self._replays = replays

    async def forget(self, owner: Owner, command: ForgetCommand, *, idempotency: Idempotency | None) -> Reply:
        """Preview or erase what one selector means.

        Raises:
            PreviewRequired: A query without `dry_run`. PreviewExpired, PreviewStale: the token cannot be applied;
            nothing was erased.
        """
        if command.dry_run:
            return Reply(wire(await retried(lambda: self._preview(owner, command))))
        if command.selector == "query":
            raise PreviewRequired
        async with self._replays.claimed(owner, idempotency, now=command.received_at) as claim:
            if claim.answer is not None:
                return Reply(claim.answer, replayed=True)

            async def run() -> Mapping[str, Any]:
                async with self._database.owner(owner) as session:
                    receipt = await self._erase(session, owner, command)
                    body: Mapping[str, Any] = wire(receipt)
                    # a replay answers the stored receipt: ids that were erased are kept nowhere
                    kept = {name: value for name, value in body.items() if name != "erased_ids"}
                    await claim.complete(session, kept, memory_ids=())
                    return body

            return Reply(await retried(run))

    async def erase_ids(
        self, session: AsyncSession, owner: Owner, ids: Iterable[UUID], *, selector: str, now: datetime
    ) -> Receipt:
        """Erase given memories with their earlier versions, inside a transaction of the caller's."""
        command = ForgetCommand(selector=selector, received_at=now, memory_ids=tuple(ids))
        return await self._erase(session, owner, replace(command, selector="memory_ids"), shown_selector=selector)

    async def delete(self, owner: Owner, memory_id: UUID | None, *, now: datetime) -> Receipt:
        """Erase one memory.

        Raises:
            NotFound: Unknown, foreign or malformed.
        """

        async def run() -> Receipt:
            async with self._database.owner(owner) as session:
                await Memories(session, owner).lock_owner(now)
                if memory_id is None or not await Erasure(session, owner).known([memory_id]):
                    raise NotFound
                return await self.erase_ids(session, owner, [memory_id], selector="memory_ids", now=now)

        return await retried(run)

    async def receipt(self, owner: Owner, receipt_id: UUID | None, *, now: datetime) -> Receipt:
        """Read a stored receipt, and look afresh for what should be gone.

        Raises:
            NotFound: Unknown, foreign or malformed.
        """
        async with self._database.owner(owner) as session:
            erasure = Erasure(session, owner)
            stored = None if receipt_id is None else await Receipts(session, owner).get(receipt_id)
            if stored is None:
                raise NotFound
            gone = set(stored.id_keys)
            found = {
                table: sum(1 for memory_id in ids if self._sealing.memory_key(owner, memory_id) in gone)
                for table, ids in (await erasure.mentioned_ids()).items()
            }
        left = {table: count for table, count in found.items() if count}
        return self._receipt(stored, residue=Residue(checked_at=now, clean=not left, found=left))

    async def _preview(self, owner: Owner, command: ForgetCommand) -> Preview:
        now = command.received_at
        token = "pv_" + secrets.token_urlsafe(18)
        query = await self._embed(command)
        async with self._database.owner(owner) as session:
            await Memories(session, owner).lock_known_owner()
            found = await self._find(session, owner, command, query)
            rows = await Memories(session, owner).by_ids(found.reach.memory_ids)
            counts = await Erasure(session, owner).count(found.reach)
            anything = found.matched > 0 or any(counts.values())
            if anything:
                await KeptPreviews(session, owner).keep(
                    KeptPreview(
                        token_hash=self._token_hash(owner, token),
                        selector=command.selector,
                        plan=_plan(found),
                        memory_ids=tuple(sorted(found.reach.memory_ids)),
                        fingerprint=_fingerprint(rows),
                        receipt_id=None,
                        expires_at=now + PREVIEW_LASTS,
                    ),
                    now=now,
                )
        shown = sorted(rows, key=lambda row: (-found.scores.get(row.id, -1.0), row.id))
        return Preview(
            receipt_id=None,
            dry_run=True,
            selector=command.selector,
            matched=found.matched,
            derived=found.derived,
            truncated=found.truncated,
            memories=tuple(
                PreviewRow(
                    id=row.id,
                    kind=row.kind,
                    content=row.content,
                    status=row.status,
                    score=found.scores.get(row.id),
                    because=found.because[row.id],
                )
                for row in shown
            ),
            would_erase=counts,
            preview_token=token if anything else None,
            expires_at=now + PREVIEW_LASTS if anything else None,
        )

    async def _embed(self, command: ForgetCommand) -> Any:
        if command.selector != "query" or command.query is None:
            return None
        return (await self._embedding.query(command.query))[0]

    async def _find(self, session: AsyncSession, owner: Owner, command: ForgetCommand, query: Any) -> _Found:
        erasure = Erasure(session, owner)
        scores: dict[UUID, float] = {}
        not_found, truncated = 0, False
        if command.selector == "memory_ids":
            known = await erasure.known({memory_id for memory_id in command.memory_ids if memory_id is not None})
            # one by one as sent, so that a malformed id counts like an unknown one
            not_found = sum(1 for memory_id in command.memory_ids if memory_id not in known)
            reach = Reach(frozenset(known))
        elif command.selector == "query":
            words = (command.query or "").split()
            signals = await Search(session, owner).everywhere(
                query, words=words, weights=FORGET_WEIGHTS, limit=max(200, 2 * command.k)
            )
            ranked = rank(signals, now=command.received_at, weights=FORGET_WEIGHTS)
            hits = [hit for hit in ranked if hit.scores.relevance >= command.min_score]
            hits.sort(key=lambda hit: (-hit.scores.relevance, hit.memory.id))
            truncated = len(hits) > command.k
            scores = {hit.memory.id: hit.scores.relevance for hit in hits[: command.k]}
            reach = Reach(frozenset(scores))
        else:
            reach = await erasure.match(command)
        because = dict.fromkeys(reach.memory_ids, "match")
        wider = await _closed(erasure, set(reach.memory_ids), because, history=command.history)
        return _Found(
            selector=command.selector,
            reach=replace(reach, memory_ids=frozenset(wider)),
            because=because,
            scores=scores,
            matched=len(reach.memory_ids),
            not_found=not_found,
            truncated=truncated,
        )

    async def _erase(
        self, session: AsyncSession, owner: Owner, command: ForgetCommand, *, shown_selector: str | None = None
    ) -> Receipt:
        now = command.received_at
        memories = Memories(session, owner)
        state = await memories.lock_owner(now)
        if command.selector == "preview_token":
            applied, found = await self._previewed(session, owner, command)
            if applied is not None:
                return applied
        else:
            found = await self._find(session, owner, command, None)
        erasure = Erasure(session, owner)
        ids = found.reach.memory_ids
        chains_closed = await erasure.chains(ids)
        children = await erasure.remaining_children(ids)
        counts = await erasure.erase(found.reach)
        for child in sorted(children):
            await memories.change(child, {"stale": True}, now=now)
        receipt_id = new_id()
        selector = shown_selector or found.selector
        body = {
            "selector": selector,
            "matched": found.matched,
            "derived": found.derived,
            "not_found": found.not_found,
            "erased": counts,
            "chains_closed": chains_closed,
        }
        id_keys = sorted(self._sealing.memory_key(owner, memory_id) for memory_id in ids)
        seq, head = await Ledger(session, owner).append(
            [Entry(event="forget", body={**body, "receipt_id": str(receipt_id)})],
            seq=state.chain_seq,
            head=state.chain_head,
            now=now,
        )
        # with the whole user the owner's row has gone; who comes back goes on from the ledger's last entry
        if not found.reach.whole_user:
            epoch = seq if found.selector not in _PRECISE else None
            await memories.move_chain(seq=seq, head=head, forget_epoch=epoch)
        stored = await Receipts(session, owner).file(receipt_id, body=body, id_keys=id_keys, erased_at=now)
        if command.preview_token is not None:
            await KeptPreviews(session, owner).apply(
                self._token_hash(owner, command.preview_token), receipt_id=receipt_id
            )
        return self._receipt(stored, erased_ids=tuple(sorted(ids)))

    async def _previewed(
        self, session: AsyncSession, owner: Owner, command: ForgetCommand
    ) -> tuple[Receipt | None, _Found]:
        kept = await KeptPreviews(session, owner).get(self._token_hash(owner, command.preview_token or ""))
        if kept is None:
            raise PreviewExpired
        if kept.receipt_id is not None:
            stored = await Receipts(session, owner).get(kept.receipt_id)
            if stored is None:
                raise PreviewExpired
            return self._receipt(stored), _Found("", Reach(frozenset()), {}, {}, 0)
        if kept.expires_at <= command.received_at:
            raise PreviewExpired
        rows = await Memories(session, owner).by_ids(kept.memory_ids)
        if not kept.fingerprint or _fingerprint(rows) != kept.fingerprint:
            raise PreviewStale
        found = _replan(kept)
        if kept.plan["whole_user"]:
            now_there = await Erasure(session, owner).match(replace(command, selector="everything"))
            # what was added since the preview is not meant by it
            same = now_there.memory_ids == found.reach.memory_ids
            found = replace(found, reach=replace(found.reach, whole_user=same))
        return None, found

    def _token_hash(self, owner: Owner, token: str) -> str:
        return self._sealing.mac("preview", owner.tenant_id, owner.user_key, token)

    def _receipt(
        self, stored: StoredReceipt, *, erased_ids: tuple[UUID, ...] = ABSENT, residue: Residue = ABSENT
    ) -> Receipt:
        body = stored.body
        return Receipt(
            receipt_id=stored.id,
            dry_run=False,
            selector=body["selector"],
            erased_at=stored.erased_at,
            matched=body["matched"],
            derived=body["derived"],
            not_found=body["not_found"],
            erased_ids=erased_ids,
            erased=body["erased"],
            chains_closed=body["chains_closed"],
            block_relearn=False,
            tier="rows",
            deadlines=None,
            chain=ChainLink(stored.seq, stored.prev, stored.hash),
            residue=residue,
        )


async def _closed(erasure: Erasure, ids: set[UUID], because: dict[UUID, str], *, history: bool) -> set[UUID]:
    """Widen a set by earlier versions and by what was derived from nothing else, until nothing is added."""
    while True:
        older = await erasure.earlier_versions(ids) if history else set()
        derived = await erasure.orphans(ids | older)
        for memory_id in older:
            because.setdefault(memory_id, "history")
        for memory_id in derived:
            because.setdefault(memory_id, "derived")
        if not older | derived:
            return ids
        ids = ids | older | derived


def _fingerprint(rows: Sequence[Memory]) -> str:
    """Hash how rows look, so that a preview binds to what was shown."""
    looks = [[str(row.id), row.status.value, wire(row.updated_at)] for row in sorted(rows, key=lambda row: row.id)]
    return hashlib.sha256(json.dumps(looks).encode()).hexdigest()


def _plan(found: _Found) -> dict[str, Any]:
    return {
        "selector": found.selector,
        "because": {str(memory_id): why for memory_id, why in found.because.items()},
        "evidence": [str(item) for item in sorted(found.reach.evidence_ids)],
        "texts": [str(item) for item in sorted(found.reach.text_ids)],
        "writes": [str(item) for item in sorted(found.reach.write_ids)],
        "whole_user": found.reach.whole_user,
        "matched": found.matched,
        "not_found": found.not_found,
    }


def _replan(kept: KeptPreview) -> _Found:
    plan = kept.plan
    return _Found(
        selector=plan["selector"],
        reach=Reach(
            memory_ids=frozenset(kept.memory_ids),
            evidence_ids=frozenset(UUID(item) for item in plan["evidence"]),
            text_ids=frozenset(UUID(item) for item in plan["texts"]),
            write_ids=frozenset(UUID(item) for item in plan["writes"]),
            whole_user=False,
        ),
        because={UUID(memory_id): why for memory_id, why in plan["because"].items()},
        scores={},
        matched=plan["matched"],
        not_found=plan["not_found"],
    )
