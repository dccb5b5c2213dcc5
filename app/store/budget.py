"""Tokens that a tenant's extractor took on a day."""

from __future__ import annotations

from datetime import date

from sqlalchemy import func, literal, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession

from app.store.records import TokenBudgetRow
from app.store.scope import ours


class TokenBudget:
    """One tenant's tokens. Made per transaction."""

    def __init__(self, session: AsyncSession, tenant_id: str) -> None:
        self._session = session
        self._tenant_id = tenant_id

    async def reserve(self, tokens: int, *, day: date, limit: int) -> bool:
        """Add tokens to a day's count unless that would pass the limit; two at once cannot both take the last ones."""
        if tokens > limit:
            return False
        adding = insert(TokenBudgetRow).values(tenant_id=self._tenant_id, day=day, tokens=tokens)
        total = TokenBudgetRow.tokens + adding.excluded.tokens
        done = await self._session.scalar(
            adding.on_conflict_do_update(
                index_elements=[TokenBudgetRow.tenant_id, TokenBudgetRow.day],
                set_={"tokens": total},
                where=total <= limit,
            ).returning(TokenBudgetRow.tokens)
        )
        return done is not None

    async def settle(self, difference: int, *, day: date) -> None:
        """Correct a reservation by what was really taken, up or down."""
        await self._session.execute(
            update(TokenBudgetRow)
            .where(ours(self._tenant_id, TokenBudgetRow), TokenBudgetRow.day == day)
            .values(tokens=func.greatest(TokenBudgetRow.tokens + literal(difference), literal(0)))
        )
