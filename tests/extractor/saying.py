"""Offers and proposals of a test, in a line each."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from app.domain.commands import WriteCommand
from app.domain.intake import Offer, consider
from app.domain.memory import Kind, Message, Role, Threshold, Verdict, default_thresholds
from app.domain.proposal import Proposal
from app.domain.proposals import merge, turns_of

NOW = datetime(2026, 3, 1, tzinfo=UTC)


def offered(*texts: str | tuple[Role, str], **labels: Any) -> tuple[WriteCommand, list[Offer]]:
    said = [(Role.USER, text) if isinstance(text, str) else text for text in texts]
    command = WriteCommand(tuple(Message(role, text, NOW) for role, text in said), NOW, **labels)
    return command, consider(command, thresholds=default_thresholds())


def merged(
    said: tuple[WriteCommand, list[Offer]], *proposals: Proposal, thresholds: dict[Kind, Threshold] | None = None
) -> list[Offer]:
    command, offers = said
    return merge(
        offers,
        proposals,
        asked=[turn.number for turn in turns_of(offers)],
        version="extract-0",
        command=command,
        thresholds=thresholds or default_thresholds(),
    )


def proposal(quote: str, content: str | None = None, **changes: Any) -> Proposal:
    return replace(Proposal(quote, quote if content is None else content, importance=10, confidence=1.0), **changes)


def contents(offers: list[Offer], *decisions: Verdict) -> list[str]:
    return [
        offer.candidate.content
        for offer in offers
        if offer.candidate and offer.verdict.decision in (decisions or (Verdict.KEEP,))
    ]
