"""Asking the judge about pairs that the rules leave open. A fault is an answer: both statements stay."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Final

from app.domain.judging import AsRead, Pair
from app.domain.timeline import Neighbour
from app.metrics import Metrics
from app.providers.ports import Judge, Judgement, ProviderFault
from app.services.placed import Item, Judged
from app.services.proposing import Tokens

MOST_PAIRS: Final = 12
"""For one write; statements beyond are resolved by the rules alone, and the reply says so."""
# nothing was asked, so nothing was used up
_FREE: Final = frozenset({"open", "busy", "refused", "budget"})


class Judging:
    """The judge with its faults counted."""

    def __init__(self, judge: Judge | None, tokens: Tokens, metrics: Metrics) -> None:
        self._judge = judge
        self._tokens = tokens
        self._metrics = metrics
        self.is_out = False

    @property
    def is_on(self) -> bool:
        """Tell whether there is a judge."""
        return self._judge is not None

    async def ask(
        self, tenant_id: str, items: Mapping[int, Item], open_rows: Mapping[int, Sequence[Neighbour]], *, now: datetime
    ) -> tuple[dict[int, Item], tuple[str, ...]]:
        """Ask about what each statement leaves open; no connection may be held by the caller.

        Returns:
            The statements with what was said of them, and what was out.
        """
        asked = [(place, row) for place, rows in open_rows.items() for row in rows]
        judge = self._judge
        if judge is None or not asked:
            return dict(items), ()
        pairs = [
            Pair(
                number,
                row.memory.content,
                row.memory.occurred_at,
                items[place].candidate.content,
                items[place].candidate.occurred_at,
            )
            for number, (place, row) in enumerate(asked[:MOST_PAIRS], start=1)
        ]
        answer = await self._heard(judge, tenant_id, pairs, now=now)
        if answer is None:
            self._metrics.degraded(("judge",))
            return dict(items), ("judge",)
        told = dict(items)
        for pair, (place, row) in zip(pairs, asked, strict=False):
            before = told[place].judged or Judged(judge.prompt_version, 0, ())
            rows = before.rows
            if answer.replaces.get(pair.number, False):
                rows = (*rows, AsRead(row.id, row.memory.content_key, row.memory.updated_at))
            told[place] = replace(told[place], judged=Judged(judge.prompt_version, before.asked + 1, rows))
        if len(asked) <= MOST_PAIRS:
            return told, ()
        self._metrics.degraded(("judge",))
        return told, ("judge",)

    async def _heard(self, judge: Judge, tenant_id: str, pairs: Sequence[Pair], *, now: datetime) -> Judgement | None:
        """Ask once, within the day's tokens; None when that did not work."""
        most = judge.most_tokens(pairs)
        if not await self._tokens.reserve(tenant_id, most, now=now):
            self._metrics.provider_error("judge", "budget")
            return None
        try:
            answer = await judge.judge(pairs)
        except ProviderFault as fault:
            self.is_out = fault.kind not in ("shape", "unfit", "busy")
            self._metrics.provider_error("judge", fault.kind)
            used = 0 if fault.kind in _FREE else most
            await self._tokens.settle(tenant_id, reserved=most, used=used, now=now)
            return None
        self.is_out = False
        await self._tokens.settle(tenant_id, reserved=most, used=answer.tokens, now=now)
        return answer
