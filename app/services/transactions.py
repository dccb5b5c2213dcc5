"""Running a transaction again when the database gave it up in favour of another."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable
from typing import TypeVar

from sqlalchemy.exc import DBAPIError

from app.domain.errors import Unavailable
from app.store.database import RETRYABLE, sqlstate

Result = TypeVar("Result")
ATTEMPTS = 4


async def retried(run: Callable[[], Awaitable[Result]]) -> Result:
    """Run a whole transaction, again after a deadlock or serialization failure, a few times.

    Raises:
        Unavailable: It failed every time; nothing was changed.
    """
    for attempt in range(ATTEMPTS):
        try:
            return await run()
        except DBAPIError as fault:
            if sqlstate(fault) not in RETRYABLE:
                raise
            await asyncio.sleep(random.uniform(0.01, 0.05) * 2**attempt)  # noqa: S311 (jitter is no secret)
    raise Unavailable
