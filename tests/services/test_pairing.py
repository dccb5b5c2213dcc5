"""The pair reader is asked before a write is placed, off the event loop, and only where a row may be over."""

from __future__ import annotations

import asyncio
import math
import threading
from typing import Any

import pytest

from app.domain.pairs import MOST_ASKED, Beside
from app.metrics import Metrics
from app.providers.factory import build_pair_reader
from app.providers.ports import ProviderFault
from app.services.pairing import AT_ONCE, MOST_READ, Pairing, _Reading
from app.settings import Settings
from tests.conftest import Service, Tenant, User

pytestmark = pytest.mark.anyio

FACTS = ("I'm a line cook at a bistro in Leeds.", "My sister Laura drives a Toyota.", "I'm allergic to peanuts.")
CHANGE = "Third week of teaching pottery full time, and I don't miss the kitchen."
HOME = "I live in Hamburg."
MOVED = "We moved to Kiel last weekend."


class Scripted:
    """A pair reader that always says the same, or fails, and notes what it was asked, and where."""

    def __init__(self, odds: float = 0.0, *, fails_after: int | None = None) -> None:
        self.odds = odds
        self.fails_after = fails_after
        self.asked: list[Beside] = []
        self.threads: set[str] = set()

    def load(self) -> None:
        """Nothing to load."""

    def read(self, pair: Beside) -> float:
        if self.fails_after is not None and len(self.asked) >= self.fails_after:
            raise ProviderFault("model")
        self.asked.append(pair)
        self.threads.add(threading.current_thread().name)
        return self.odds


@pytest.fixture
def scripted(service: Service, monkeypatch: pytest.MonkeyPatch) -> Scripted:
    reader = Scripted()
    monkeypatch.setattr(service.lethe._pairing, "_reader", reader)
    return reader


def pairs(count: int) -> list[Beside]:
    return [Beside("I sold it", f"User has car {number}") for number in range(count)]


async def known(user: User, *more: str) -> None:
    for fact in (*FACTS, *more):
        await user.force(fact, occurred_at="2025-03-01T09:00:00Z")


async def test_a_fault_is_told_and_counted_and_the_next_call_tries_again() -> None:
    reader, metrics = Scripted(1.5), Metrics()
    pairing = Pairing(reader, metrics)
    one, two, three = pairs(3)
    assert await pairing.read([one]) == ({one: 1.5}, ())
    assert threading.current_thread().name not in reader.threads
    reader.fails_after = 2
    assert await pairing.read([one, two, three]) == ({one: 1.5}, ("pair_reader",)), "what was read counts"
    assert pairing.is_out
    assert 'lethe_degraded_total{part="pair_reader"} 1.0' in metrics.render().decode()
    reader.fails_after = None
    assert await pairing.read([two]) == ({two: 1.5}, ())
    assert not pairing.is_out


async def test_without_a_reader_nothing_is_read() -> None:
    pairing = Pairing(None, Metrics())
    assert not pairing.is_on
    assert await pairing.read(pairs(1)) == ({}, ())


async def test_a_large_write_has_a_bounded_number_of_pairs_read() -> None:
    reader = Scripted()
    found, out = await Pairing(reader, Metrics()).read(pairs(MOST_READ + 30))
    assert reader.asked == pairs(MOST_READ) == list(found)
    assert out == ()


async def test_what_takes_too_long_is_left_to_the_weights() -> None:
    reader = Scripted()
    pairing = Pairing(reader, Metrics(), within_seconds=0.0)
    assert await pairing.read(pairs(3)) == ({}, ("pair_reader",))
    assert not pairing.is_out, "it is slow, not out"


async def test_who_waits_too_long_for_a_turn_goes_on_without() -> None:
    pairing = Pairing(Scripted(), Metrics(), within_seconds=0.05)
    for _ in range(AT_ONCE):
        await pairing._turns.acquire()
    assert await pairing.read(pairs(3)) == ({}, ("pair_reader",))
    for _ in range(AT_ONCE):
        pairing._turns.release()
    assert not pairing.is_out


async def test_every_turn_is_given_back() -> None:
    pairing = Pairing(Scripted(fails_after=0), Metrics())
    told = await asyncio.gather(*(pairing.read([pair]) for pair in pairs(4 * AT_ONCE)))
    assert told == [({}, ("pair_reader",))] * 4 * AT_ONCE
    assert not pairing._turns.locked()


def test_what_a_caller_that_is_gone_asked_for_is_read_no_further() -> None:
    reader = Scripted()
    reading = _Reading(reader, pairs(10), until=math.inf)
    read = reader.read

    def then_gone(pair: Beside) -> float:
        reading.stopped.set()
        return read(pair)

    reader.read = then_gone  # type: ignore[method-assign]
    reading.run()
    assert len(reader.asked) == 1


async def test_a_cancelled_call_gives_its_turn_back() -> None:
    reader, begun, go = Scripted(), threading.Event(), threading.Event()
    read = reader.read

    def slow(pair: Beside) -> float:
        begun.set()
        go.wait(30)
        return read(pair)

    reader.read = slow  # type: ignore[method-assign]
    pairing = Pairing(reader, Metrics())
    task = asyncio.create_task(pairing.read(pairs(10)))
    await asyncio.to_thread(begun.wait, 30)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert not pairing._turns.locked()
    go.set()


@pytest.mark.parametrize(
    ("settings", "there"),
    [
        ({}, True),
        ({"pair_reader": "off"}, False),
        ({"gate_reader": "off"}, False),
        ({"embedder": "openai", "embedding_api_key": "k"}, False),
    ],
)
def test_it_is_there_where_it_can_be_asked(settings: dict[str, Any], there: bool) -> None:
    assert (build_pair_reader(Settings(_env_file=None, **settings)) is not None) == there


async def test_readiness_tells_of_it(service: Service, scripted: Scripted, monkeypatch: pytest.MonkeyPatch) -> None:
    assert scripted is not None
    assert (await service.lethe.ready()).checks["pair_reader"] == "ok"
    monkeypatch.setattr(service.lethe._pairing, "is_out", True)
    told = await service.lethe.ready()
    assert told.checks["pair_reader"] == "out"
    assert told.ready, "it takes nothing away but quality"
    monkeypatch.setattr(service.lethe._pairing, "_reader", None)
    assert "pair_reader" not in (await service.lethe.ready()).checks


async def test_only_what_may_be_over_is_read(user: User, scripted: Scripted) -> None:
    await known(user)
    scripted.asked.clear()
    await user.force("I like jazz.")
    assert scripted.asked == []
    await user.force(CHANGE)
    assert 1 <= len(scripted.asked) <= MOST_ASKED
    assert all("pottery" in pair.words for pair in scripted.asked)
    assert any("line cook" in pair.row for pair in scripted.asked)


@pytest.mark.parametrize(("odds", "retired"), [(9.0, 1), (-9.0, 0)])
async def test_what_was_read_decides(user: User, scripted: Scripted, odds: float, retired: int) -> None:
    await known(user, HOME)
    scripted.odds = odds
    for dry_run in (True, False):
        answer = await user.force(CHANGE, dry_run=dry_run)
        assert sum(len(result["supersedes"]) for result in answer["results"]) == retired
        assert answer["degraded"] == []


async def test_it_can_hold_back_what_the_weights_would_retire(user: User, scripted: Scripted) -> None:
    sold = "I've been converted, everything I build these days is Svelte."
    await known(user, "I write all my front ends in Angular.")
    scripted.fails_after = 0
    by_weights = await user.force(sold, dry_run=True)
    assert by_weights["degraded"] == ["pair_reader"]
    assert by_weights["results"][0]["supersedes"]
    scripted.fails_after, scripted.odds = None, -9.0
    answer = await user.force(sold)
    assert answer["degraded"] == []
    assert answer["results"][0]["supersedes"] == []


async def test_a_tool_says_nothing_that_is_read(user: User, scripted: Scripted) -> None:
    await known(user)
    scripted.asked.clear()
    message = {"role": "tool", "content": CHANGE}
    await user.write(messages=[message], infer=False, force=True)
    assert scripted.asked == []


async def test_no_row_of_another_owner_is_read(tenant: Tenant, user: User, scripted: Scripted) -> None:
    await known(user)
    scripted.asked.clear()
    await tenant.user("somebody-else").force(CHANGE)
    assert scripted.asked == []


async def test_no_connection_is_held_while_it_reads(
    service: Service, user: User, scripted: Scripted, monkeypatch: pytest.MonkeyPatch
) -> None:
    await known(user)
    held: list[int] = []
    read = scripted.read

    def watched(pair: Beside) -> float:
        held.append(service.lethe.database.engine.pool.checkedout())  # type: ignore[attr-defined]
        return read(pair)

    monkeypatch.setattr(scripted, "read", watched)
    await user.force(CHANGE)
    assert held
    assert set(held) == {0}
