"""Decay: how strong a memory still is. A pure function of what it is, how often it was confirmed, and now.

    weight = max(FLOOR, 0.5 ** (age / half_life))
    half_life = days per importance point * importance * (1 + ln(1 + reinforcements))

An exponential has no cliff and one readable parameter. The half-life grows with importance, and
with confirmations only logarithmically, so that nagging does not make a memory immortal. Age runs
from the last confirmation *as received*: imported history does not fade on arrival.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Final

from app.domain.memory import Kind

FLOOR: Final = 0.05
DAY: Final = timedelta(days=1)


def _days_per_point() -> dict[Kind, float]:
    # at importance 8: an event 24 days, a fact 400 days, an instruction eight years
    return {Kind.EPISODIC: 3.0, Kind.SEMANTIC: 50.0, Kind.PROCEDURAL: 365.0}


@dataclass(frozen=True, slots=True)
class DecayPolicy:
    """The parameters of decay.

    Attributes:
        days_per_point: Half-life in days for each point of importance, by kind.
        floor: The least weight; a memory that reached it may be expired.
        permanent_importance: From this importance on nothing fades.
    """

    days_per_point: Mapping[Kind, float] = field(default_factory=_days_per_point)
    floor: float = FLOOR
    permanent_importance: int = 10


DEFAULT_DECAY: Final = DecayPolicy()


def fades(*, importance: int, pinned: bool, policy: DecayPolicy = DEFAULT_DECAY) -> bool:
    """Tell whether a memory fades at all."""
    return not pinned and importance < policy.permanent_importance


def half_life_days(kind: Kind, *, importance: int, reinforcements: int, policy: DecayPolicy = DEFAULT_DECAY) -> float:
    """Give the days after which a memory's weight has halved."""
    points = max(1, importance)
    return policy.days_per_point[kind] * points * (1.0 + math.log1p(max(0, reinforcements)))


def age_days(since: datetime, now: datetime) -> float:
    """Give the days since then; a time in the future counts as now."""
    return max(0.0, (now - since) / DAY)


def weight(
    kind: Kind,
    *,
    importance: int,
    since: datetime,
    reinforcements: int,
    pinned: bool,
    now: datetime,
    policy: DecayPolicy = DEFAULT_DECAY,
) -> float:
    """Give a memory's weight now.

    Args:
        kind: Its kind.
        importance: 1..10.
        since: `confirmed_at`, else `created_at`.
        reinforcements: Independent confirmations so far.
        pinned: Whether the user pinned it.
        now: The clock.
        policy: The parameters.

    Returns:
        Between the floor and 1.
    """
    if not fades(importance=importance, pinned=pinned, policy=policy):
        return 1.0
    half_life = half_life_days(kind, importance=importance, reinforcements=reinforcements, policy=policy)
    return max(policy.floor, math.exp2(-age_days(since, now) / half_life))


def reaches_floor_at(
    kind: Kind,
    *,
    importance: int,
    since: datetime,
    reinforcements: int,
    pinned: bool,
    policy: DecayPolicy = DEFAULT_DECAY,
) -> datetime | None:
    """Tell when a memory will have faded to the floor, in whole days; None when it never will."""
    if not fades(importance=importance, pinned=pinned, policy=policy):
        return None
    half_life = half_life_days(kind, importance=importance, reinforcements=reinforcements, policy=policy)
    try:
        return since + timedelta(days=math.ceil(half_life * math.log2(1.0 / policy.floor)))
    except OverflowError:
        return None


def should_expire(
    kind: Kind,
    *,
    importance: int,
    since: datetime,
    reinforcements: int,
    pinned: bool,
    now: datetime,
    policy: DecayPolicy = DEFAULT_DECAY,
) -> bool:
    """Tell whether a memory has faded to the floor."""
    end = reaches_floor_at(
        kind, importance=importance, since=since, reinforcements=reinforcements, pinned=pinned, policy=policy
    )
    return end is not None and now >= end
