"""From placed statements to what is answered and what the ledger keeps."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Any
from uuid import UUID

from app.domain.answers import (
    PolicyView,
    Quote,
    ResolutionTarget,
    ResolutionView,
    WriteAnswer,
    WriteResult,
    wire,
)
from app.domain.caller import Owner
from app.domain.commands import WriteCommand
from app.domain.gate import POLICY
from app.domain.intake import Offer
from app.domain.judging import JUDGED
from app.domain.memory import Code, Outcome, Reason, TenantPolicy, Verdict
from app.domain.secrets import redacted
from app.services.placed import Judged, Labels, Placed
from app.services.sealing import Sealing
from app.store.ledger import Entry

_FORGOTTEN = Reason(Code.RELEARN_BLOCKED, "a forget overtook this write; send it again if it is still wanted")
_NOTHING_LEFT = Reason(Code.CORRECTED, "what it would take back does not stand any more")
_GENERAL = {Code.DURABLE_FACT, Code.PREFERENCE, Code.EVENT, Code.INSTRUCTION}
_PLURAL_STALE = "{count} memories derived from what this replaced are stale until confirmed"
_ONE_STALE = "a memory derived from what this replaced is stale until confirmed"


def labels(command: WriteCommand, write_id: UUID) -> Labels:
    """Take the labels of a write."""
    return Labels(
        received_at=command.received_at,
        write_id=write_id,
        source=command.source,
        session_id=command.session_id,
        agent_id=command.agent_id,
        metadata=redacted(command.metadata),
        expires_at=command.expires_at,
        parents=tuple(dict.fromkeys(parent for parent in command.derived_from if parent is not None)),
    )


def result(offer: Offer, placed: Placed | None, *, forgotten: bool) -> WriteResult:
    """Tell what one statement did, and why."""
    verdict, candidate = offer.verdict, offer.candidate
    # a rejected message was not redacted: nothing of it is repeated
    said = candidate if not forgotten else None
    text = said.content if said is not None else ""
    quote = said.quote if said is not None else ""
    kind = placed.kind if placed is not None else verdict.kind
    reasons: tuple[Reason, ...] = verdict.reasons
    if placed is not None:
        # what changed comes first: it is what the caller acts on
        reasons = (*placed.reasons, *(reason for reason in verdict.reasons if _says_more(reason, placed)))
    if forgotten and verdict.decision is not Verdict.DROP:
        reasons = (_FORGOTTEN,)
    elif placed is None and candidate is not None and candidate.takes_back:
        reasons, kind = (_NOTHING_LEFT,), None
    return WriteResult(
        candidate=text,
        outcome=Outcome.DROPPED if placed is None else placed.outcome,
        reasons=reasons,
        kind=None if placed is None and verdict.decision is Verdict.DROP else kind,
        importance=verdict.importance,
        confidence=verdict.confidence,
        trust=offer.trust,
        memory_id=None if placed is None else placed.memory_id,
        supersedes=() if placed is None else placed.supersedes,
        related=() if placed is None else placed.related,
        evidence=Quote(offer.message_index, offer.message.role, quote),
    )


def _says_more(reason: Reason, placed: Placed) -> bool:
    # where something changed, that it is a durable fact goes without saying
    told = {reason.code for reason in placed.reasons}
    if placed.outcome in (Outcome.SUPERSEDED, Outcome.REINFORCED):
        told |= _GENERAL
    return reason.code not in told


def tell_stale(results: Sequence[WriteResult], count: int) -> list[WriteResult]:
    """Say on the first superseding result how many derived memories it made stale."""
    told = list(results)
    if count:
        detail = _ONE_STALE if count == 1 else _PLURAL_STALE.format(count=count)
        for place, item in enumerate(told):
            if item.supersedes:
                told[place] = replace(item, reasons=(*item.reasons, Reason(Code.STALE_SOURCE, detail)))
                break
    return told


def answer(write_id: UUID | None, results: Sequence[WriteResult], degraded: tuple[str, ...]) -> WriteAnswer:
    """Put the reply together; every outcome is counted, zeros included."""
    counted = Counter(item.outcome for item in results)
    return WriteAnswer(
        write_id=write_id,
        dry_run=False,
        counts={outcome.value: counted.get(outcome, 0) for outcome in Outcome},
        results=tuple(results),
        degraded=degraded,
    )


def without_new(shown: WriteResult, placed: Placed | None, there: Collection[UUID]) -> WriteResult:
    """Show a result of a dry run: the resolution, and no id of a row that was never made."""
    if placed is None:
        return replace(shown, resolution=None)
    resolution = None
    if placed.action is not None:
        targets = [
            ResolutionTarget(memory_id, content, status)
            for memory_id, content, status in placed.targets
            if memory_id in there
        ]
        resolution = ResolutionView(placed.action, tuple(targets))
    return replace(
        shown,
        memory_id=placed.memory_id if placed.memory_id in there else None,
        supersedes=tuple(memory_id for memory_id in shown.supersedes if memory_id in there),
        related=tuple(link for link in shown.related if link.memory_id in there),
        resolution=resolution,
    )


def others(shown: WriteResult) -> set[UUID]:
    """Tell which other memories a result speaks of: it may repeat what they say."""
    return {*shown.supersedes, *(link.memory_id for link in shown.related)}


def policy_view(policy: TenantPolicy) -> PolicyView:
    """Show the gate's version and a tenant's thresholds."""
    return PolicyView(
        version=POLICY,
        thresholds={
            kind.value: {"importance": threshold.importance, "confidence": threshold.confidence}
            for kind, threshold in policy.thresholds.items()
        },
    )


def _judge_view(judged: Judged, placed: Placed | None) -> dict[str, Any]:
    """Tell what a judge was asked and said, and whether it counted."""
    counted = placed is not None and placed.rule == JUDGED
    return {"prompt": judged.prompt, "asked": judged.asked, "supersede": len(judged.rows), "counted": counted}


def _in_full(offer: Offer, shown: WriteResult) -> dict[str, str]:
    """Give what a statement says in full, where its quote borrows words and may be kept."""
    spelled = None if offer.candidate is None else offer.candidate.spelled
    return {"said": spelled} if spelled is not None and shown.evidence.quote else {}


def entry(
    sealing: Sealing,
    owner: Owner,
    command: WriteCommand,
    policy: TenantPolicy,
    offer: Offer,
    placed: Placed | None,
    shown: WriteResult,
    *,
    write_id: UUID,
    judged: Judged | None = None,
) -> Entry:
    """Make the ledger's entry of a decision: codes, features and scores here, the text apart."""
    verdict, dropped = offer.verdict, placed is None
    body: Mapping[str, Any] = {
        "message_index": offer.message_index,
        "role": offer.message.role.value,
        "source_type": command.source.type.value,
        "decision": verdict.decision.value,
        "decided_by": "rules" if offer.proposer is None and judged is None else "llm_and_rules",
        "policy": POLICY,
        # a row says what was asked only where a model had a say
        **({} if offer.proposer is None else {"prompt": offer.proposer}),
        **({} if judged is None else {"judge": _judge_view(judged, placed)}),
        "thresholds": policy_view(policy).thresholds,
        "features": dict(verdict.features),
        "kind": None if shown.kind is None else shown.kind.value,
        "importance": shown.importance,
        "confidence": shown.confidence,
        "trust": shown.trust,
        "outcome": shown.outcome.value,
        "action": None if placed is None or placed.action is None else placed.action.value,
        "rule": None if placed is None else placed.rule,
        "reasons": [reason.code.value for reason in shown.reasons],
        "verdict_reasons": [reason.code.value for reason in verdict.reasons],
        "supersedes": len(shown.supersedes),
        "infer": command.infer,
        "forced": command.force,
    }
    kept_for = timedelta(hours=policy.dropped_text_hours)
    text = None
    if not dropped or kept_for:
        text = {
            "candidate": shown.candidate,
            "quote": shown.evidence.quote,
            # what a correction in a later write may mean: when it was said, and in which words it says all
            "occurred_at": wire(offer.message.occurred_at),
            **_in_full(offer, shown),
            "details": [reason.detail for reason in shown.reasons],
            "verdict_details": [reason.detail for reason in verdict.reasons],
            "supersedes": [str(memory_id) for memory_id in shown.supersedes],
            "related": wire(shown.related),
            # whoever forgets one of these takes what is said of it here along
            "others": sorted(str(memory_id) for memory_id in others(shown)),
        }
    return Entry(
        event="write",
        write_id=write_id,
        body=body,
        memory_key=None if placed is None else sealing.memory_key(owner, placed.memory_id),
        memory_id=None if placed is None else placed.memory_id,
        text=text,
        session_id=command.session_id,
        source_id=command.source.id,
        text_expires_at=command.received_at + kept_for if dropped else None,
    )
