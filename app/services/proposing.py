"""Asking the extractor about a write, and carrying on with the rules alone when it is out or its tokens are used up."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime
from typing import Final

from app.domain.commands import WriteCommand
from app.domain.gate_model import Read
from app.domain.intake import Offer
from app.domain.memory import Kind, Threshold
from app.domain.proposal import Turn
from app.domain.proposals import merge, turns_of
from app.metrics import Metrics
from app.providers.ports import Extractor, Proposed, ProviderFault
from app.store.budget import TokenBudget
from app.store.database import Database

CALL_MESSAGES: Final = 10
CALL_CHARACTERS: Final = 8_000
"""Of the messages of one call; a longer message goes alone."""
MAX_CALLS: Final = 4
"""For one write; what is left over is judged by the rules alone, and the reply says so."""
# nothing was asked, so nothing was used up
_FREE: Final = frozenset({"open", "busy", "refused", "budget"})


class Tokens:
    """A tenant's tokens of a day, counted in short transactions of their own."""

    def __init__(self, database: Database, *, limit: int) -> None:
        """Hold every tenant to `limit` tokens a day (UTC); 0 counts and limits nothing."""
        self._database = database
        self._limit = limit

    async def reserve(self, tenant_id: str, tokens: int, *, now: datetime) -> bool:
        """Take tokens beforehand; False when the day's are used up."""
        if not self._limit:
            return True
        async with self._database.tenant(tenant_id) as session:
            return await TokenBudget(session, tenant_id).reserve(tokens, day=_day(now), limit=self._limit)

    async def settle(self, tenant_id: str, *, reserved: int, used: int, now: datetime) -> None:
        """Correct a reservation."""
        if self._limit and used != reserved:
            async with self._database.tenant(tenant_id) as session:
                await TokenBudget(session, tenant_id).settle(used - reserved, day=_day(now))


class Proposing:
    """The extractor with its faults counted; a fault is an answer, never an error of ours."""

    def __init__(self, extractor: Extractor | None, tokens: Tokens, metrics: Metrics) -> None:
        self._extractor = extractor
        self._tokens = tokens
        self._metrics = metrics
        self.is_out = False

    @property
    def is_on(self) -> bool:
        """Tell whether there is an extractor."""
        return self._extractor is not None

    async def refine(
        self,
        tenant_id: str,
        command: WriteCommand,
        offers: list[Offer],
        *,
        thresholds: Mapping[Kind, Threshold],
        read: Read | None = None,
    ) -> tuple[list[Offer], tuple[str, ...]]:
        """Let the extractor refine the rules' verdicts; no connection may be held by the caller.

        Returns:
            The verdicts, and what was out; where a part of the write could not be asked about, the rest counts.
        """
        extractor = self._extractor
        turns = turns_of(offers) if extractor is not None and command.infer else []
        if extractor is None or not turns:
            return offers, ()
        calls = plan(turns)
        answers = await asyncio.gather(
            *(self._ask(extractor, tenant_id, call, now=command.received_at) for call in calls[:MAX_CALLS])
        )
        heard = [(call, answer) for call, answer in zip(calls, answers, strict=False) if answer is not None]
        for call, answer in heard:
            # off the event loop: parts of sentences may be read anew
            offers = await asyncio.to_thread(
                merge,
                offers,
                answer.proposals,
                asked=[turn.number for turn in call],
                version=extractor.prompt_version,
                command=command,
                thresholds=thresholds,
                read=read,
            )
        if len(heard) == len(calls):
            return offers, ()
        self._metrics.degraded(("extractor",))
        return offers, ("extractor",)

    async def _ask(
        self, extractor: Extractor, tenant_id: str, turns: Sequence[Turn], *, now: datetime
    ) -> Proposed | None:
        """Ask once, within the day's tokens; None when that did not work."""
        most = extractor.most_tokens(turns)
        if not await self._tokens.reserve(tenant_id, most, now=now):
            self._metrics.provider_error("extractor", "budget")
            return None
        try:
            answer = await extractor.propose(turns)
        except ProviderFault as fault:
            # it answers, if not usefully; a full house of ours says nothing about it
            self.is_out = fault.kind not in ("shape", "busy")
            self._metrics.provider_error("extractor", fault.kind)
            used = 0 if fault.kind in _FREE else most
            await self._tokens.settle(tenant_id, reserved=most, used=used, now=now)
            return None
        self.is_out = False
        await self._tokens.settle(tenant_id, reserved=most, used=answer.tokens, now=now)
        return answer


def plan(turns: Sequence[Turn]) -> list[list[Turn]]:
    """Group messages, in order, into calls of at most CALL_MESSAGES messages and CALL_CHARACTERS characters."""
    calls: list[list[Turn]] = []
    size = 0
    for turn in turns:
        if not calls or len(calls[-1]) == CALL_MESSAGES or size + len(turn.text) > CALL_CHARACTERS:
            calls.append([])
            size = 0
        calls[-1].append(turn)
        size += len(turn.text)
    return calls


def _day(now: datetime) -> date:
    return now.astimezone(UTC).date()
