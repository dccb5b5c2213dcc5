"""Facts that change: what retires what, in the order of event time, and what was believed when."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime
from typing import Any

import pytest

from tests.conftest import User

pytestmark = pytest.mark.anyio

EVERY = ["active", "superseded", "held", "disputed", "quarantined", "expired"]


async def first(user: User, text: str, **body: Any) -> dict[str, Any]:
    """Write one statement and give its first result."""
    return dict((await user.write(text, **body))["results"][0])


def active(memories: list[Any]) -> list[str]:
    return sorted(memory["content"] for memory in memories)


ENDINGS = (
    "I don't like coffee anymore, I drink tea now",
    "I no longer like coffee",
    "I stopped drinking coffee",
    "I quit coffee last month",
)


@pytest.mark.parametrize("ending", ENDINGS)
async def test_not_any_more_retires_what_it_ends(user: User, ending: str) -> None:
    # field report C1
    old = await first(user, "I like coffee", occurred_at="2025-03-01T09:00:00Z")
    answer = await user.write(ending, occurred_at="2025-06-03T09:00:00Z")
    new = answer["results"][0]
    assert new["outcome"] == "superseded"
    assert new["supersedes"] == [old["memory_id"]]
    recalled = (await user.recall("what does the user like to drink", k=50))["memories"]
    assert old["memory_id"] not in {memory["id"] for memory in recalled}
    assert "User likes coffee" not in {memory["content"] for memory in recalled}
    explained = await user.explain(memory_id=old["memory_id"])
    assert explained["memory"]["status"] == "superseded"
    assert explained["memory"]["valid_to"] is not None
    assert [step["memory_id"] for step in explained["history"]] == [old["memory_id"], new["memory_id"]]
    assert explained["history"][1]["reasons"][0]["code"] == "explicit_ending"
    detail = await user.ok("GET", f"/memories/{old['memory_id']}")
    assert detail["superseded_by"] == new["memory_id"]


async def test_every_near_copy_of_what_ended_is_retired(user: User) -> None:
    copies = [await first(user, text) for text in ("I like coffee", "I like coffee with oat milk", "I love coffee")]
    await user.write("I no longer like coffee")
    for memory in await user.stored():
        assert memory["kind"] == "episodic" or memory["value"] != "coffee"
    assert {copy["memory_id"] for copy in copies if copy["candidate"] != "User likes coffee with oat milk"} <= {
        memory["id"] for memory in await user.stored(status="superseded")
    }


async def test_a_reversal_keeps_exactly_the_newest(user: User) -> None:
    # field report C2
    a = await first(user, "I love spicy food")
    b = await first(user, "I hate spicy food")
    (hit,) = (await user.recall("spicy food"))["memories"]
    assert (hit["id"], "hate" in hit["content"]) == (b["memory_id"], True)
    c = await first(user, "I love spicy food again")
    ids = [one["memory_id"] for one in (a, b, c)]
    assert len(set(ids)) == 3
    assert [b["supersedes"], c["supersedes"]] == [[ids[0]], [ids[1]]]
    rows = {memory["id"]: memory for memory in await user.stored(status=EVERY)}
    assert [rows[i]["status"] for i in ids] == ["superseded", "superseded", "active"]
    assert [rows[i]["superseded_by"] for i in ids] == [ids[1], ids[2], None]
    for one in ids:
        history = (await user.explain(memory_id=one))["history"]
        assert [step["memory_id"] for step in history] == ids


REPLACED = (
    ("I live in Redport", "I moved from Redport to Bluefield"),
    ("I work at Northwind", "I joined Contoso"),
    ("I'm assigned to project Alpha", "I've been moved to project Beta"),
    ("My time zone is UTC+2", "My time zone is now UTC-5"),
    ("Call me Sam", "Please call me Samuel from now on"),
    ("My favourite colour is green", "My favorite color is blue"),
    ("I am vegetarian", "I am vegan now"),
    ("The SSH port of my server is 22", "The SSH port of my server is now 49222"),
)
BESIDE = (
    ("I like travelling", "I like late-night snacks at weekends"),
    ("I use Postgres", "I use Redis"),
    ("I'm allergic to nuts", "I'm allergic to latex"),
    ("I speak Spanish", "I speak German"),
    ("I have a dog", "I have a cat"),
    ("My brother lives in Oslo", "My sister lives in Rome"),
)


@pytest.mark.parametrize(("before", "after"), REPLACED)
async def test_what_can_be_one_is_replaced(user: User, before: str, after: str) -> None:
    # field reports C3 and C4
    old, new = await first(user, before), await first(user, after)
    assert new["supersedes"] == [old["memory_id"]]
    (memory,) = await user.stored()
    assert memory["id"] == new["memory_id"]
    # the very words of the old one do not bring it back
    assert [hit["id"] for hit in (await user.recall(before))["memories"]] == [new["memory_id"]]
    both = (await user.recall(before, include=["superseded"]))["memories"]
    assert {(hit["id"], hit["status"]) for hit in both} == {
        (old["memory_id"], "superseded"),
        (new["memory_id"], "active"),
    }
    explained = await user.explain(memory_id=new["memory_id"])
    assert [step["content"] for step in explained["history"]] == [old["candidate"], new["candidate"]]


@pytest.mark.parametrize(("one", "other"), BESIDE)
async def test_what_can_be_many_stands_side_by_side(user: User, one: str, other: str) -> None:
    a, b = await first(user, one), await first(user, other)
    assert b["supersedes"] == []
    assert {memory["id"] for memory in await user.stored()} == {a["memory_id"], b["memory_id"]}


async def test_the_value_is_found_by_its_new_words(user: User) -> None:
    await user.write("The SSH port of my server is 22")
    new = await first(user, "The SSH port of my server is now 49222")
    assert (await user.recall("49222"))["memories"][0]["id"] == new["memory_id"]


@pytest.mark.parametrize("order", [(0, 1, 2), (0, 2, 1), (1, 0, 2), (1, 2, 0), (2, 0, 1), (2, 1, 0)])
async def test_facts_are_ordered_by_when_they_were_said_not_by_when_they_came(
    user: User, order: tuple[int, ...]
) -> None:
    said = (
        ("I live in Munich.", "2024-01-10T12:00:00Z"),
        ("I live in Berlin.", "2024-06-10T12:00:00Z"),
        ("I live in Hamburg.", "2025-01-10T12:00:00Z"),
    )
    late = []
    for place in order:
        result = await first(user, said[place][0], occurred_at=said[place][1])
        late.append("older_than_current" in [reason["code"] for reason in result["reasons"]])
    assert late == [place < max(order[: i + 1]) for i, place in enumerate(order)]
    rows = {memory["value"]: memory for memory in await user.stored(status=EVERY)}
    assert {value: row["status"] for value, row in rows.items()} == {
        "Munich": "superseded",
        "Berlin": "superseded",
        "Hamburg": "active",
    }
    assert rows["Munich"]["superseded_by"] == rows["Berlin"]["id"]
    assert rows["Berlin"]["superseded_by"] == rows["Hamburg"]["id"]
    assert rows["Munich"]["valid_to"] == rows["Berlin"]["valid_from"] == "2024-06-10T12:00:00Z"
    for day, city in (("2024-03-01", "Munich"), ("2024-08-01", "Berlin"), ("2025-03-01", "Hamburg")):
        asked = {"valid_at": f"{day}T00:00:00Z"}
        assert await user.contents("Where does the user live?", as_of=asked) == [f"User lives in {city}"]
    assert await user.contents("Where does the user live?", as_of={"valid_at": "2023-01-01T00:00:00Z"}) == []


async def test_a_late_older_message_is_stored_as_history(user: User) -> None:
    current = await first(user, "I live in Berlin.")
    late = await first(user, "I live in Munich.", occurred_at="2024-01-10T12:00:00Z")
    assert (late["outcome"], late["supersedes"]) == ("stored", [])
    row = await user.ok("GET", f"/memories/{late['memory_id']}")
    assert (row["status"], row["superseded_by"]) == ("superseded", current["memory_id"])
    assert [memory["id"] for memory in await user.stored()] == [current["memory_id"]]


async def test_the_two_clocks(user: User) -> None:
    await user.write("I live in Munich.", occurred_at="2024-11-20T18:00:00Z")
    await asyncio.sleep(0.01)
    between = datetime.now(UTC).isoformat()
    await asyncio.sleep(0.01)
    await user.write("I moved to Berlin last month.", occurred_at="2025-06-03T09:12:00Z")
    question = "Where does the user live?"

    async def asked(**as_of: str) -> tuple[list[str], dict[str, str]]:
        answer = await user.recall(question, as_of=as_of)
        return [memory["content"] for memory in answer["memories"]], answer["as_of"]

    # what we now believe was true then
    assert (await asked(valid_at="2025-05-20T00:00:00Z"))[0] == ["User lives in Berlin"]
    assert (await asked(valid_at="2025-04-20T00:00:00Z"))[0] == ["User lives in Munich"]
    # what we believed then: valid_at is filled in
    contents, resolved = await asked(known_at=between)
    assert contents == ["User lives in Munich"]
    assert resolved["valid_at"] == resolved["known_at"]
    # what we believed then about another time: the move was not known yet
    assert (await asked(valid_at="2025-05-20T00:00:00Z", known_at=between))[0] == ["User lives in Munich"]
    assert (await asked(valid_at="2025-05-20T00:00:00Z", known_at="2020-01-01T00:00:00Z"))[0] == []
    # the status is today's
    memory = (await user.recall(question, as_of={"known_at": between}))["memories"][0]
    assert memory["status"] == "superseded"
    # what was erased never returns, whatever the clocks say
    await user.forget(memory_ids=[memory["id"]])
    assert (await asked(known_at=between))[0] == []
    assert (await asked(valid_at="2025-04-20T00:00:00Z"))[0] == []


async def test_the_rank_clock_is_the_pasts(user: User) -> None:
    await user.write("I live in Munich.", occurred_at="2024-11-20T18:00:00Z")
    known_at = datetime.now(UTC).isoformat().replace("+00:00", "Z")
    for as_of, clock in (
        ({"known_at": known_at}, known_at),
        ({"valid_at": "2025-04-20T00:00:00Z"}, "2025-04-20T00:00:00Z"),
        ({"valid_at": "2025-04-20T00:00:00Z", "known_at": known_at}, known_at),
    ):
        answer = await user.recall("Munich", as_of=as_of, trace=True)
        assert answer["trace"]["rank_clock"] == clock


@pytest.mark.parametrize(
    "as_of",
    [
        {},
        "2025-01-01T00:00:00Z",
        {"known_at": "2999-01-01T00:00:00Z"},
        {"valid_at": "2025-01-01T00:00:00"},
        {"valid_at": None, "known_at": None},
        {"at": "2025-01-01T00:00:00Z"},
    ],
)
async def test_half_a_past_is_refused(user: User, as_of: Any) -> None:
    assert (await user.call("POST", "/recall", json={"query": "x", "as_of": as_of})).status_code == 422


async def test_lower_trust_never_retires_higher(user: User) -> None:
    own = await first(user, "I live in Berlin.")
    for source, trust in (("document", 1), ("web", 0), ("import", 2)):
        other = await first(user, "I live in Paris.", source={"type": source, "id": source})
        assert other["outcome"] in ("disputed", "reinforced")
        if other["outcome"] == "disputed":
            assert other["trust"] == trust
            assert other["related"] == [{"memory_id": own["memory_id"], "relation": "conflicts_with"}]
            assert other["reasons"][0]["code"] == "lower_trust_conflict"
    assert active(await user.stored()) == ["User lives in Berlin"]
    assert await user.contents("Where does the user live?", include=["untrusted"], min_trust=0) == [
        "User lives in Berlin"
    ]
    disputed = await user.contents("Where does the user live?", include=["disputed", "untrusted"], min_trust=0, k=20)
    assert "User lives in Paris" in disputed


async def test_higher_trust_takes_the_place_of_lower(user: User) -> None:
    low = await first(user, "I live in Paris.", source={"type": "document", "id": "d"})
    assert low["outcome"] == "stored"
    own = await first(user, "I live in Berlin.")
    assert own["supersedes"] == [low["memory_id"]]
    assert active(await user.stored()) == ["User lives in Berlin"]


async def test_one_current_fact_whatever_the_concurrency(user: User) -> None:
    # field report W6
    await user.write("I live in Redport")
    cities = ["Bluefield", "Greenhill"] * 6
    answers = await asyncio.gather(*(user.write(f"I moved to {city}") for city in cities))
    assert all(result["outcome"] != "dropped" for answer in answers for result in answer["results"])
    rows = [memory for memory in await user.stored(status=EVERY) if memory["attribute"] == "home_city"]
    (current,) = [memory for memory in rows if memory["status"] == "active"]
    assert all(memory["status"] == "superseded" for memory in rows if memory is not current)
    following = {memory["id"]: memory["superseded_by"] for memory in rows}
    for memory in rows:
        seen, at = set(), memory["id"]
        while following[at] is not None:
            assert at not in seen
            seen.add(at)
            at = following[at]
        assert at == current["id"]


async def test_twenty_writes_of_one_fact_at_once_are_one_row(user: User) -> None:
    answers = await asyncio.gather(*(user.write("I use PostgreSQL") for _ in range(20)))
    assert len({answer["results"][0]["memory_id"] for answer in answers}) == 1
    (memory,) = await user.stored(status=EVERY)
    assert (await user.explain(memory_id=memory["id"]))["strength"]["mentions"] == 20


async def test_a_batch_ends_as_if_its_statements_had_come_one_by_one(user: User) -> None:
    texts = ("I live in Redport", "I moved to Bluefield", "I use Redis", "I use Redis", "I moved to Greenhill")
    messages = [{"role": "user", "content": text} for text in texts]
    answer = await user.ok("POST", "/memories/write", {"messages": messages})
    outcomes = [result["outcome"] for result in answer["results"]]
    assert outcomes == ["stored", "superseded", "stored", "reinforced", "superseded"]
    ids = [result["memory_id"] for result in answer["results"]]
    assert answer["results"][4]["supersedes"] == [ids[1]]
    assert active(await user.stored()) == ["User lives in Greenhill", "User uses Redis"]


async def test_what_was_said_in_one_time_zone_is_told_in_utc(user: User) -> None:
    # field report C6
    await user.write("I use Redis", occurred_at="2025-07-25T02:00:00+09:00")
    (listed,) = await user.stored()
    (recalled,) = (await user.recall("Redis"))["memories"]
    explained = await user.explain(memory_id=listed["id"])
    times = {listed["occurred_at"], recalled["occurred_at"], explained["memory"]["occurred_at"]}
    times.add(explained["evidence"][0]["occurred_at"])
    assert times == {"2025-07-24T17:00:00Z"}


@pytest.mark.parametrize(
    ("text", "said", "date"),
    [
        ("I have a dentist appointment next Tuesday at 15:00", "2025-01-10T10:00:00Z", "2025-01-14"),
        ("I have a dentist appointment tomorrow", "2025-01-10T10:00:00Z", "2025-01-11"),
        # in the speaker's own zone it was still February
        ("I met Anna in Prague yesterday", "2025-03-01T00:30:00+02:00", "2025-02-28"),
        ("I met Anna in Prague yesterday", "2025-02-28T20:30:00-08:00", "2025-02-27"),
    ],
)
async def test_relative_dates_are_resolved_when_they_are_said(user: User, text: str, said: str, date: str) -> None:
    # field report C5
    result = await first(user, text, occurred_at=said)
    assert result["kind"] == "episodic"
    assert date in (await user.contents("What happened, what is planned?"))[0]
    message = {"role": "user", "content": text, "occurred_at": said}
    assert (await user.ok("POST", "/memories/write", {"messages": [message]}))["results"][0]["outcome"] == "reinforced"


@pytest.mark.parametrize("offset", ["Z", "+02:00", "-08:00", "+14:00"])
async def test_a_stated_month_is_a_month_in_every_zone(user: User, offset: str) -> None:
    old = await first(user, "I live in Munich.", occurred_at=f"2025-05-10T12:00:00{offset}")
    new = await first(user, "I moved to Berlin last month.", occurred_at=f"2025-06-03T09:12:00{offset}")
    assert new["supersedes"] == [old["memory_id"]]
    assert (await user.ok("GET", f"/memories/{new['memory_id']}"))["valid_from"] == "2025-05-01T00:00:00Z"
    assert "(since 2025-05)" in (await user.recall("Where does the user live?"))["context"]["text"]
