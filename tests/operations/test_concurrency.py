"""Many at once end as one after the other: no twins, no forks, no deadlocks, and a forget wins."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from app.embedded import Addresses
from tests.conftest import Service, User
from tests.operations.conftest import Scripted
from tests.store.scratch import ask_now

pytestmark = pytest.mark.anyio


async def together(*calls: Any) -> list[Any]:
    return list(await asyncio.gather(*calls))


async def links_of(addresses: Addresses, user: User) -> list[Any]:
    return await ask_now(
        addresses.superuser_url,
        "select from_id, to_id from links where tenant_id = $1 and user_id = $2 and relation = 'supersedes'",
        user.tenant.id,
        user.id,
    )


async def is_one_chain(addresses: Addresses, user: User, attribute: str = "home_city") -> int:
    """Exactly one active fact; each other has one successor, and following them ends there. Tells how many."""
    rows = await ask_now(
        addresses.superuser_url,
        "select id, status from memories where tenant_id = $1 and user_id = $2 and attribute = $3",
        user.tenant.id,
        user.id,
        attribute,
    )
    (active,) = [row["id"] for row in rows if row["status"] == "active"]
    assert {row["status"] for row in rows} <= {"active", "superseded"}
    links = await links_of(addresses, user)
    successor = {link["to_id"]: link["from_id"] for link in links}
    assert len(successor) == len(links), "a fork: two rows claim to replace the same one"
    assert set(successor) == {row["id"] for row in rows} - {active}, "a loose end"
    for row in rows:
        step, seen = row["id"], {row["id"]}
        while step != active:
            step = successor[step]
            assert step not in seen, "a cycle"
            seen.add(step)
    return len(rows)


async def test_twenty_identical_writes_make_one_row(service: Service, user: User) -> None:
    answers = await together(*(user.write("I use PostgreSQL.") for _ in range(20)))
    (row,) = await user.stored(status=["active", "superseded", "held", "disputed"])
    outcomes = sorted(answer["results"][0]["outcome"] for answer in answers)
    assert outcomes == ["reinforced"] * 19 + ["stored"]
    assert {answer["results"][0]["memory_id"] for answer in answers} == {row["id"]}
    assert (await user.explain(memory_id=row["id"]))["strength"]["mentions"] == 20


async def test_contradictory_moves_leave_one_home_and_a_chain(user: User, postgres: Addresses) -> None:
    await user.write("I live in Redport.")
    moves = ["I moved to Bluefield.", "I moved to Greenhill."] * 10
    await together(*(user.write(move) for move in moves))
    assert await is_one_chain(postgres, user) >= 3


async def test_the_same_load_of_ten_users_at_once(service: Service, postgres: Addresses) -> None:
    tenant = await service.tenant()
    users = [tenant.user(f"u{number}") for number in range(10)]
    for round_ in range(2):
        await together(
            *(user.write(f"I moved to {town}.") for user in users for town in (f"Bluefield{round_}", "Greenhill"))
        )
    for user in users:
        await is_one_chain(postgres, user)


FACTS = (
    "I live in Redport.",
    "I work at Acme.",
    "I use PostgreSQL.",
    "My brother lives in Oslo.",
    "My sister lives in Bergen.",
    "I'm allergic to penicillin.",
    "I prefer tea over coffee.",
    "I play tennis on Tuesdays.",
    "My dog is called Rex.",
    "My deploy target is Fly.",
)


async def test_overlapping_writes_in_opposite_order_never_deadlock(user: User) -> None:
    said = [{"role": "user", "content": fact} for fact in FACTS]
    for _ in range(30):
        answers = await together(user.write(messages=said), user.write(messages=said[::-1]))
        assert all(len(answer["results"]) == len(FACTS) for answer in answers)
    stored = await user.stored()
    assert len({memory["content"] for memory in stored}) == len(stored) == len(FACTS)
    for _ in range(10):
        await user.write("I use PostgreSQL.")


async def test_thirty_two_writers_of_one_value_leave_one_active_and_no_fork(
    scripted: Scripted, scripted_database: Addresses
) -> None:
    user = (await scripted.service.tenant()).user("ada")

    async def writer(number: int) -> None:
        for round_ in range(3):
            await user.write(f"I moved to Town{number}x{round_}.")

    await together(*(writer(number) for number in range(32)))
    assert await is_one_chain(scripted_database, user) == 96


async def test_the_same_idempotency_key_at_once_is_one_write(user: User) -> None:
    # an event: without the key it might be stored as often as it is sent
    body = {"content": "Launched version 2.", "infer": False, "force": True, "kind": "episodic"}
    answers = await together(
        *(user.call("POST", "/memories/write", json=body, headers={"Idempotency-Key": "k"}) for _ in range(10))
    )
    assert {answer.status_code for answer in answers} <= {200, 409}
    for answer in answers:
        if answer.status_code == 409:
            assert answer.json()["code"] == "idempotency_in_progress"
            assert answer.headers["Retry-After"] == "1"
    # a replayed answer may order its members otherwise
    told = {json.dumps(answer.json(), sort_keys=True) for answer in answers if answer.status_code == 200}
    assert len(told) == 1
    assert len(await user.stored()) == 1


async def test_corrections_and_writes_at_once_leave_one_active(user: User, postgres: Addresses) -> None:
    first = (await user.write("I live in Redport."))["results"][0]["memory_id"]
    patches = [
        user.call("PATCH", f"/memories/{first}", json={"content": f"User lives in Port{number}"}) for number in range(5)
    ]
    answers = await together(*patches, *(user.call("POST", "/memories/write", json=_moved(n)) for n in range(5)))
    assert {answer.status_code for answer in answers} <= {200, 409}
    rows = await ask_now(
        postgres.superuser_url,
        "select count(*) as n from memories where tenant_id = $1 and attribute = 'home_city' and status = 'active'",
        user.tenant.id,
    )
    assert rows[0]["n"] == 1


def _moved(number: int) -> dict[str, Any]:
    return {"content": f"I moved to Harbour{number}."}


async def test_forgets_and_writes_at_once_end_consistently(user: User, postgres: Addresses) -> None:
    calls = []
    for number in range(12):
        calls.append(user.call("POST", "/memories/write", json=_moved(number)))
        calls.append(user.call("POST", "/forget", json={"everything": True} if number % 3 else {"subject": "user"}))
    answers = await together(*calls)
    assert {answer.status_code for answer in answers} == {200}
    await user.forget(everything=True)
    left = await ask_now(
        postgres.superuser_url,
        "select (select count(*) from memories where tenant_id = $1) + (select count(*) from evidence where "
        "tenant_id = $1) + (select count(*) from links where tenant_id = $1) + (select count(*) from ledger_texts "
        "where tenant_id = $1) as n",
        user.tenant.id,
    )
    assert left[0]["n"] == 0


BROAD = (
    {"everything": True},
    {"subject": "user"},
    {"session_id": "s"},
    {"source_id": "somewhere"},
    {"filters": {"importance": {"gte": 1}}},
    {"before": "2020-01-01T00:00:00Z"},
)


@pytest.mark.parametrize("selector", BROAD, ids=[next(iter(selector)) for selector in BROAD])
@pytest.mark.parametrize("known", [True, False], ids=["known", "new"])
async def test_a_broad_forget_overtakes_a_write_that_is_on_its_way(
    scripted: Scripted, selector: dict[str, Any], known: bool
) -> None:
    user = (await scripted.service.tenant()).user("ada")
    if known:
        await user.write("I work at Acme.")
    scripted.embedder.asked.clear()
    scripted.embedder.open.clear()
    writing = asyncio.create_task(user.write("I live in Berlin.", session_id="s"))
    await scripted.embedder.asked.wait()
    await user.forget(**selector)
    scripted.embedder.open.set()
    said = await writing
    assert said["counts"] | {"dropped": 1} == said["counts"]
    (result,) = said["results"]
    assert (result["outcome"], result["memory_id"]) == ("dropped", None)
    assert [reason["code"] for reason in result["reasons"]] == ["relearn_blocked"]
    assert "Berlin" not in str(await user.stored(status=["active", "held", "superseded", "disputed"]))
    # said again, it is meant
    again = await user.write("I live in Berlin.", session_id="s")
    assert again["counts"]["stored"] == 1


async def test_a_forget_by_ids_stops_no_write_about_something_else(scripted: Scripted) -> None:
    user = (await scripted.service.tenant()).user("ada")
    going = (await user.write("I work at Acme."))["results"][0]["memory_id"]
    scripted.embedder.asked.clear()
    scripted.embedder.open.clear()
    writing = asyncio.create_task(user.write("I live in Berlin."))
    await scripted.embedder.asked.wait()
    await user.forget(memory_ids=[going])
    scripted.embedder.open.set()
    assert (await writing)["counts"]["stored"] == 1


async def test_no_connection_is_held_while_the_embedder_thinks(scripted: Scripted) -> None:
    """More writes than connections wait for a slow embedder, and others are served meanwhile."""
    tenant = await scripted.service.tenant()
    writers, other = [tenant.user(f"u{number}") for number in range(25)], (await scripted.service.tenant()).user("x")
    scripted.embedder.open.clear()
    writing = [asyncio.create_task(user.write("I live in Berlin.")) for user in writers]
    await scripted.embedder.reached(len(writers))
    assert scripted.service.lethe.database.engine.pool.checkedout() == 0  # type: ignore[attr-defined]
    assert await asyncio.wait_for(other.stored(), 2) == []
    assert (await asyncio.wait_for(scripted.service.http.get("/readyz"), 2)).status_code == 200
    scripted.embedder.open.set()
    for answer in await together(*writing):
        assert answer["counts"]["stored"] == 1
