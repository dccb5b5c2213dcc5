"""The client's limits: of time, of calls at once, of patience with a server that is out; and what it never repeats."""

from __future__ import annotations

import asyncio
import json
import logging
import time
import traceback

import pytest
from pydantic import SecretStr

from app.domain.proposal import Turn
from app.providers.breaker import Breaker
from app.providers.extractor import OpenAIExtractor
from app.providers.factory import build_extractor
from app.providers.ports import Proposed
from app.settings import Settings
from tests.extractor.client import GOOD, SECRET, TURNS, Clock, fault_of
from tests.extractor.endpoint import Valve, item, refuse, writes
from tests.providers.endpoint import Answer, Endpoint, cut_connection, hang

pytestmark = pytest.mark.anyio


async def test_a_server_that_asks_for_peace_is_left_alone_for_as_long(
    endpoint: Endpoint, extractor: OpenAIExtractor, clock: Clock
) -> None:
    endpoint.script(refuse(429, retry_after="20"))
    assert [(await fault_of(extractor)).kind for _ in range(5)] == ["status"] + ["open"] * 4
    clock.now += 19
    assert (await fault_of(extractor)).kind == "open"
    assert len(endpoint.requests) == 1
    clock.now += 2
    endpoint.script(GOOD)
    assert isinstance(await extractor.propose(TURNS), Proposed)


@pytest.mark.parametrize("answer", ["20000000", "soon", "Wed, 21 Oct 2099 07:28:00 GMT", "-5", "nan"])
async def test_an_odd_retry_after_locks_nothing_up(
    endpoint: Endpoint, extractor: OpenAIExtractor, clock: Clock, answer: str
) -> None:
    endpoint.script(refuse(429, retry_after=answer))
    await fault_of(extractor)
    clock.now += 61
    endpoint.script(GOOD)
    assert (await extractor.propose(TURNS)).proposals


async def test_the_time_limit_holds_and_is_not_waited_for_twice(endpoint: Endpoint) -> None:
    endpoint.script(hang)
    extractor = OpenAIExtractor(model="tiny", base_url=endpoint.url, timeout_seconds=0.2)
    begun = time.monotonic()
    assert (await fault_of(extractor)).kind == "timeout"
    assert time.monotonic() - begun < 1.0
    assert len(endpoint.requests) == 1
    await extractor.close()


@pytest.mark.parametrize(
    "said",
    [
        pytest.param(["I ski"], id="a few words"),
        pytest.param(["We adopted a greyhound called Ziggy in May"], id="a sentence"),
        pytest.param(
            ["My birthday is 3 February", "my partner's name is Joss", "we have a rabbit called Button"], id="three"
        ),
        pytest.param(["我住在上海", "我对花生过敏"], id="Chinese"),
    ],
)
async def test_an_answer_may_be_long_enough_and_not_much_longer(
    endpoint: Endpoint, extractor: OpenAIExtractor, said: list[str]
) -> None:
    """A small model repeats itself until the limit: what it said first then comes too late on a slow machine."""
    endpoint.script(GOOD)
    await extractor.propose([Turn(0, ", ".join(said) + ".")])
    limit = endpoint.requests[-1]["max_tokens"]
    answer = json.dumps({"candidates": [item(text, f"User: {text}") for text in said]}, ensure_ascii=False)
    # a token is about four letters, and most Chinese signs are one
    needed = len(answer.encode()) / 3.5
    assert needed <= limit <= 3 * needed


async def test_more_calls_than_places_wait_and_give_up_in_time(endpoint: Endpoint) -> None:
    valve = Valve(GOOD)
    endpoint.script(valve)
    extractor = OpenAIExtractor(
        model="tiny", base_url=endpoint.url, timeout_seconds=0.4, max_calls=2, breaker=Breaker(threshold=99)
    )
    faults = await asyncio.gather(*(fault_of(extractor) for _ in range(5)))
    kinds = sorted(fault.kind for fault in faults)
    assert kinds[:1] == ["busy"]
    assert set(kinds) <= {"busy", "timeout"}
    assert valve.waiting <= 4
    valve.open()
    assert (await extractor.propose(TURNS)).proposals
    await extractor.close()


async def test_a_caller_that_goes_away_gives_its_place_back(endpoint: Endpoint) -> None:
    valve = Valve(GOOD)
    endpoint.script(valve)
    extractor = OpenAIExtractor(model="tiny", base_url=endpoint.url, timeout_seconds=5, max_calls=1)
    for _ in range(3):
        call = asyncio.create_task(extractor.propose(TURNS))
        await asyncio.wait({call}, timeout=0.1)
        call.cancel()
        with pytest.raises(asyncio.CancelledError):
            await call
    valve.open()
    assert (await extractor.propose(TURNS)).proposals
    await extractor.close()


async def test_an_outage_opens_the_breaker_and_a_good_probe_closes_it(
    endpoint: Endpoint, extractor: OpenAIExtractor, clock: Clock
) -> None:
    endpoint.script(cut_connection)
    assert [(await fault_of(extractor)).kind for _ in range(4)] == ["refused", "refused", "open", "open"]
    assert len(endpoint.requests) == 4
    clock.now += 31
    endpoint.script(GOOD)
    assert (await extractor.propose(TURNS)).proposals
    assert (await extractor.propose(TURNS)).proposals


@pytest.mark.parametrize("step", [pytest.param(writes("nonsense"), id="nonsense"), pytest.param(refuse(400), id="400")])
async def test_what_a_text_can_cause_never_opens_the_breaker(
    endpoint: Endpoint, extractor: OpenAIExtractor, step: Answer
) -> None:
    endpoint.script(step)
    assert "open" not in [(await fault_of(extractor)).kind for _ in range(6)]


@pytest.mark.parametrize("step", [refuse(500), refuse(400), writes("{}"), cut_connection])
async def test_a_fault_repeats_nothing_that_was_said(
    endpoint: Endpoint, extractor: OpenAIExtractor, step: Answer, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    logging.getLogger("openai").setLevel(logging.WARNING)  # as the service sets it
    endpoint.script(step)
    fault = await fault_of(extractor)
    assert SECRET not in "".join(traceback.format_exception(fault))
    assert fault.__context__ is None
    assert SECRET not in caplog.text


async def test_the_most_that_a_call_can_take_is_more_than_it_takes(extractor: OpenAIExtractor) -> None:
    assert extractor.most_tokens(TURNS) > 300
    long = [Turn(number, "x" * 4_000) for number in range(5)]
    assert extractor.most_tokens(long) > 20_000 // 3


@pytest.mark.parametrize(
    ("base_url", "api_key", "setting"),
    [("localhost:8080/v1", None, "extractor_base_url"), (None, "key\n", "extractor_api_key")],
)
def test_settings_that_can_never_work_are_named(base_url: str | None, api_key: str | None, setting: str) -> None:
    with pytest.raises(ValueError, match=setting):
        OpenAIExtractor(model="tiny", base_url=base_url, api_key=api_key)


async def test_the_extractor_of_the_settings_is_used_with_its_key(endpoint: Endpoint) -> None:
    assert build_extractor(Settings(_env_file=None)) is None
    endpoint.script(GOOD)
    extractor = build_extractor(
        Settings(
            _env_file=None,
            extractor="openai",
            extractor_base_url=endpoint.url,
            extractor_api_key=SecretStr("k-2"),
            extractor_model="tiny",
        )
    )
    assert extractor is not None
    await extractor.propose(TURNS)
    assert endpoint.keys == ["Bearer k-2"]
    await extractor.close()
