"""What the commands share: where they print, and how they get at a service without HTTP."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeVar

from rich.console import Console

from app.metrics import Metrics
from app.services.container import Lethe, open_lethe
from app.serving import environment, migrate_as_owner
from app.settings import Settings

Result = TypeVar("Result")

out, err = Console(), Console(stderr=True)


def with_lethe(work: Callable[[Lethe], Awaitable[Result]], *, same_model: bool = True) -> Result:
    """Open the service on its database, embedded or not, do some work, and close it."""

    async def run(settings: Settings) -> Result:
        quiet = settings.model_copy(update={"maintenance_seconds": 0.0})
        async with open_lethe(quiet, metrics=Metrics(), same_model=same_model, warm=False) as lethe:
            return await work(lethe)

    embedded = Settings().database_url is None
    with environment(Settings()) as settings:
        if embedded:
            asyncio.run(migrate_as_owner(settings))
        return asyncio.run(run(settings))
