"""Many writers at once: one current fact, one chain, no error; and the lock is what keeps it so."""

from __future__ import annotations

import asyncio
from datetime import datetime
from typing import Any

import pytest
from sqlalchemy import select

from app.store.memories import Memories, OwnerState
from app.store.scope import mine
from app.store.tables import OwnerRow
from tests.conftest import User

pytestmark = pytest.mark.anyio

EVERY = ["active", "superseded", "held", "disputed", "expired"]
CITIES = ["Bluefield", "Greenhill", "Redport", "Whitby", "Blackwater", "Silverton", "Goldcoast", "Greystone"]


async def rounds(user: User, *, count: int) -> list[int]:
    """Let eight writers contradict one another, several times; gives the statuses of the answers."""
    statuses: list[int] = []
    for number in range(count):
        said = [f"I moved to {city}{'abcdefghij'[number]}." for city in CITIES]
        answers = await asyncio.gather(
            *(
                user.call("POST", "/memories/write", json={"messages": [{"role": "user", "content": text}]})
                for text in said
            )
        )
        statuses += [answer.status_code for answer in answers]
    return statuses


async def faults(user: User) -> list[str]:
    """Give what is wrong with the user's chain of homes."""
    rows = [row for row in await user.stored(status=EVERY) if row["attribute"] == "home_city"]
    found = []
    if [row["status"] for row in rows].count("active") != 1:
        found.append("not one active")
    newer = [row["superseded_by"] for row in rows if row["superseded_by"] is not None]
    if len(newer) != len(set(newer)):
        found.append("a fork")
    if len(newer) != len(rows) - 1:
        found.append("an orphan")
    return found


async def test_writers_who_contradict_one_another_leave_one_chain(user: User) -> None:
    assert set(await rounds(user, count=4)) == {200}
    assert await faults(user) == []


async def test_without_the_lock_it_would_not_hold(user: User, monkeypatch: pytest.MonkeyPatch) -> None:
    real = Memories.lock_owner

    async def unlocked(self: Memories, now: datetime) -> OwnerState:
        read = select(OwnerRow.forget_epoch, OwnerRow.chain_seq, OwnerRow.chain_head)
        row = (await self._session.execute(read.where(mine(self._owner, OwnerRow)))).one_or_none()
        return await real(self, now) if row is None else OwnerState(row.forget_epoch, row.chain_seq, row.chain_head)

    await user.write("I live in Oslo.")
    monkeypatch.setattr(Memories, "lock_owner", unlocked)
    statuses = await rounds(user, count=2)
    assert set(statuses) != {200} or await faults(user) != []


async def test_overlapping_batches_in_opposite_order_are_both_answered(user: User) -> None:
    # field report W7
    facts = [
        f"I use {name}." for name in ("Postgres", "Redis", "Kafka", "Nginx", "Grafana", "Ansible", "Vault", "Minio")
    ]

    def batch(texts: list[str]) -> Any:
        messages = [{"role": "user", "content": text} for text in texts]
        return user.call("POST", "/memories/write", json={"messages": messages})

    for _ in range(5):
        answers = await asyncio.gather(batch(facts), batch(facts[::-1]))
        assert [answer.status_code for answer in answers] == [200, 200]
    assert len(await user.stored()) == len(facts)
    for fact in facts:
        assert (await user.write(fact))["counts"]["reinforced"] == 1


@pytest.mark.parametrize(
    ("before", "after", "new"),
    [
        ("The SSH port of my server is 22.", "The SSH port of my server is now 49222.", "49222"),
        ("I live in Leeds.", "I moved to Bristol.", "Bristol"),
        ("My phone number is 020 1111 2222.", "My phone number is 020 3333 4444.", "3333 4444"),
        ("My boss is called Renate.", "My boss is called Ottmar.", "Ottmar"),
        (
            "My therapist sees me every week.",
            "We've spaced the therapy sessions out, I'm down to once a month.",
            "month",
        ),
    ],
)
async def test_what_was_replaced_is_not_recalled_and_its_history_stays(
    user: User, before: str, after: str, new: str
) -> None:
    # field report C4
    sources = []
    for day, text in enumerate((before, after), 1):
        source = {"type": "conversation", "id": f"talk-{day}"}
        said = await user.force(text, occurred_at=f"2025-04-{day:02}T12:00:00Z", source=source, kind="semantic")
        sources.append(said["results"][0])
    old, now = (result["memory_id"] for result in sources)
    # also asked in its very words
    recalled = await user.recall(before)
    assert old not in [memory["id"] for memory in recalled["memories"]]
    assert now in [memory["id"] for memory in recalled["memories"]]
    assert now in [memory["id"] for memory in (await user.recall(new))["memories"]]
    past = await user.recall(before, as_of={"valid_at": "2025-04-01T13:00:00Z"})
    assert old in [memory["id"] for memory in past["memories"]]
    for memory_id, day in ((old, 1), (now, 2)):
        explained = await user.explain(memory_id=memory_id)
        assert [step["memory_id"] for step in explained["history"]] == [old, now]
        assert {row["source"]["id"] for row in explained["evidence"]} == {f"talk-{day}"}
    assert "replaced" in (await user.explain(memory_id=now))["narrative"]
