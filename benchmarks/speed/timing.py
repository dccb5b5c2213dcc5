"""Timing: percentiles, and several ways measured in turns, so that a noisy moment falls on all of them."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple


class Found(NamedTuple):
    """A search that was timed where it ran, in another process: its rows, and its seconds."""

    rows: int
    seconds: float


# a search: takes its number, gives how many rows came back
Search = Callable[[int], Awaitable[int | Found]]

# searches of one way before the next way has its turn
_TURN: Final = 10
_WARM: Final = 20
# a figure rests on this many searches at least, however slow they are
_LEAST: Final = 10


@dataclass(frozen=True, slots=True)
class Limits:
    """When a figure is good enough: so many searches, or so many seconds spent on it."""

    searches: int = 200
    seconds: float = 5.0


async def in_turns(ways: Mapping[str, Search], limits: Limits, *, k: int) -> dict[str, dict[str, Any]]:
    """Time each way of searching, a few searches of each in turn; warm-up is not counted.

    Returns:
        By way: n, p5, p50, p95, p99 and mean in milliseconds, and the share of the searches that gave `k` rows.
    """
    taken: dict[str, list[float]] = {name: [] for name in ways}
    full: dict[str, int] = dict.fromkeys(ways, 0)
    for search in ways.values():
        deadline = time.perf_counter() + limits.seconds / 4
        for number in range(_WARM):
            await search(number)
            if time.perf_counter() > deadline:
                break
    deadline = time.perf_counter() + limits.seconds * len(ways)
    number = 0
    while number < limits.searches and (number < _LEAST or time.perf_counter() < deadline):
        turn = range(number, min(number + _TURN, limits.searches))
        for name, search in ways.items():
            for each in turn:
                found = await _once(search, each)
                taken[name].append(found.seconds)
                full[name] += found.rows == k
        number = turn.stop
    return {name: told(taken[name]) | {"full": round(full[name] / len(taken[name]), 4)} for name in ways}


async def all_at_once(searches: Sequence[Search], seconds: float, *, k: int) -> dict[str, Any]:
    """Let so many clients search for some seconds, each as fast as it is answered."""
    taken: list[float] = []
    full = [0]
    begun = time.perf_counter()
    deadline = begun + seconds

    async def client(place: int, search: Search) -> None:
        number = place
        while True:
            if time.perf_counter() >= deadline and taken:
                return
            found = await _once(search, number)
            taken.append(found.seconds)
            full[0] += found.rows == k
            number += len(searches)

    try:
        async with asyncio.TaskGroup() as group:
            for place, search in enumerate(searches):
                group.create_task(client(place, search))
    except ExceptionGroup as several:
        # they fail alike: one is told
        raise several.exceptions[0] from several
    spent = time.perf_counter() - begun
    return {
        "clients": len(searches),
        "per_second": round(len(taken) / spent, 1),
        **told(taken),
        "full": round(full[0] / len(taken), 4),
    }


async def _once(search: Search, number: int) -> Found:
    begun = time.perf_counter()
    found = await search(number)
    spent = time.perf_counter() - begun
    return found if isinstance(found, Found) else Found(found, spent)


def told(seconds: Sequence[float]) -> dict[str, Any]:
    """Sum up times, in milliseconds; a percentile is the time that so many percent did not exceed.

    The p5 is what a quiet moment gives: on a shared machine it says how much of the p50 is the neighbours'.
    """
    ordered = sorted(seconds)

    def at(percent: int) -> float:
        return round(ordered[max(0, -(-len(ordered) * percent // 100) - 1)] * 1000, 3)

    return {
        "n": len(ordered),
        "p5": at(5),
        "p50": at(50),
        "p95": at(95),
        "p99": at(99),
        "mean": round(sum(ordered) / len(ordered) * 1000, 3),
    }
