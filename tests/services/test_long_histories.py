"""A write reads a bounded number of rows, however long the history of what it changes."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from app.domain.memory import Memory
from app.store.memories import Memories
from tests.conftest import Service, User

pytestmark = pytest.mark.anyio

FIRST = datetime(2024, 1, 1, tzinfo=UTC)
# of one attribute: what is current, and versions before and after
MOST = 60


def name(number: int) -> str:
    return "Port" + "".join(chr(ord("a") + int(digit)) for digit in f"{number:04}")


async def tell(user: User, numbers: Sequence[int]) -> None:
    for start in range(0, len(numbers), 50):
        said = [
            {
                "role": "user",
                "content": f"I moved to {name(number)}.",
                "occurred_at": (FIRST + timedelta(hours=number)).isoformat(),
            }
            for number in numbers[start : start + 50]
        ]
        await user.ok("POST", "/memories/write", {"messages": said})


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many rows each look-up of neighbours gave."""
    counts: list[int] = []
    real = Memories.neighbours

    async def counted(self: Memories, *arguments: Any) -> list[Memory]:
        found = await real(self, *arguments)
        counts.append(len(found))
        return found

    monkeypatch.setattr(Memories, "neighbours", counted)
    return counts


async def test_a_write_after_many_versions_reads_few_rows(user: User, read: list[int]) -> None:
    await tell(user, range(10, 610, 2))
    read.clear()
    # the newest, one from the middle, and one from before them all
    for number in (611, 301, 1):
        await tell(user, [number])
    assert len(read) == 3
    assert max(read) <= MOST
    (current,) = await user.stored()
    assert current["value"] == name(611)


async def test_a_late_version_takes_its_place_among_many(service: Service, user: User) -> None:
    await tell(user, range(0, 200, 2))
    await tell(user, [101])
    at = (FIRST + timedelta(hours=101, minutes=30)).isoformat()
    past = await user.recall("Where does the user live?", as_of={"valid_at": at})
    assert [memory["value"] for memory in past["memories"]] == [name(101)]
    rows = [row for row in await user.stored(status=["active", "superseded"]) if row["attribute"] == "home_city"]
    # one successor each: no fork
    following = [row["superseded_by"] for row in rows if row["superseded_by"] is not None]
    assert len(following) == len(set(following))
