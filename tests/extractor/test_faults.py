"""A model that answers nonsense, nothing, or not at all: every fact is kept, none is made up, and the reply says so.

Field reports L1 (answers in any wrapping), L2 (ids of its own), L3 (outages), W8 (prompt text and placeholders).
"""

from __future__ import annotations

import json
import math
import time
from typing import Any

import pytest

from app.embedded import Addresses
from tests.conftest import Service, User
from tests.extractor.conftest import Proposers
from tests.extractor.endpoint import form, item, only, refuse, says, writes
from tests.providers.endpoint import Answer, Endpoint, cut_connection, hang, raw
from tests.store.scratch import ask_now

pytestmark = pytest.mark.anyio

FACT = "I use PostgreSQL"
STORED = "User uses PostgreSQL"
ONE = json.dumps(item(FACT, STORED))


def fact(**changes: Any) -> str:
    return json.dumps({"candidates": [item(FACT, STORED, **changes)]})


async def someone(service: Service, user_id: str = "ada") -> User:
    return (await service.tenant()).user(user_id)


READ = [
    pytest.param(f"```json\n{fact()}\n```", id="fenced"),
    pytest.param(f"Of course! {fact()} I hope that helps.", id="prose around"),
    pytest.param(f"[{ONE}]", id="a bare list"),
    pytest.param(f'{fact()}\n{{"candidates": []}}', id="two objects"),
    pytest.param(f'{{"candidates": [{ONE}, {{"quo', id="truncated"),
    pytest.param(fact(importance="8"), id="importance as text"),
    pytest.param(fact(importance=11), id="importance 11"),
    pytest.param(fact(importance=-1), id="importance -1"),
    pytest.param(fact(confidence="high"), id="confidence as a word"),
    pytest.param(fact(confidence=1.7), id="confidence 1.7"),
    pytest.param(fact(confidence=math.nan), id="confidence NaN"),
    pytest.param(fact(kind="vibes"), id="an unknown kind"),
    pytest.param('{"candidates": []}', id="nothing found"),
]
UNREADABLE = [
    pytest.param("{}", id="an empty object"),
    pytest.param('{"facts": null}', id="no list"),
    pytest.param("", id="an empty text"),
    pytest.param("<html><body>503</body></html>", id="HTML"),
    pytest.param('{"candidates": [{"quo', id="truncated at once"),
    pytest.param("I'm sorry, I can't help with that.", id="a refusal"),
]


@pytest.mark.parametrize(
    ("text", "degraded"),
    [*[(p.values[0], []) for p in READ], *[(p.values[0], ["extractor"]) for p in UNREADABLE]],
    ids=[p.id for p in [*READ, *UNREADABLE]],
)
async def test_however_the_answer_is_wrapped_the_fact_is_stored_once(
    assisted: Service, endpoint: Endpoint, text: str, degraded: list[str]
) -> None:
    endpoint.script(writes(text))
    user = await someone(assisted)
    said = await user.write(FACT)
    assert said["degraded"] == degraded
    assert said["counts"]["stored"] == 1
    (memory,) = await user.stored()
    assert memory["content"] == STORED
    assert 1 <= memory["importance"] <= 10
    assert 0 <= memory["confidence"] <= 1


@pytest.mark.parametrize(
    "named",
    ["12", "0198e0c1-7a10-4c3e-9b1d-4f2a6c8d0c01", "theirs", None, "0; drop table", 12, ["a"], {"id": "a"}],
    ids=str,
)
async def test_ids_and_actions_of_a_model_are_not_looked_at(assisted: Service, endpoint: Endpoint, named: Any) -> None:
    tenant = await assisted.tenant()
    ada, bob = tenant.user("ada"), tenant.user("bob")
    endpoint.script(says())
    mine = (await ada.write("I play tennis on Tuesdays."))["results"][0]["memory_id"]
    theirs = (await bob.write("I live in Oslo."))["results"][0]["memory_id"]
    target = theirs if named == "theirs" else named
    actions = {"action": "supersede", "event": "DELETE", "id": target, "memory_id": target, "supersedes": [target]}
    endpoint.script(says(item(FACT, STORED) | actions))
    said = await ada.write(FACT)
    assert said["degraded"] == []
    assert said["results"][0]["supersedes"] == []
    assert {memory["id"]: memory["status"] for memory in await ada.stored()} == {
        mine: "active",
        said["results"][0]["memory_id"]: "active",
    }
    assert [(memory["id"], memory["status"]) for memory in await bob.stored()] == [(theirs, "active")]


OUTAGES = [
    pytest.param(hang, "timeout", id="hangs"),
    pytest.param(refuse(429, retry_after="1"), "status", id="429"),
    pytest.param(refuse(500), "status", id="500"),
    pytest.param(refuse(401), "status", id="401"),
    pytest.param(cut_connection, "refused", id="closed socket"),
    pytest.param(raw('{"error": "overloaded"}'), "shape", id="an error in a 200"),
]


@pytest.mark.parametrize(("step", "kind"), OUTAGES)
async def test_an_outage_loses_nothing_and_the_same_request_stores_it_once(
    proposing: Proposers, endpoint: Endpoint, step: Answer, kind: str
) -> None:
    endpoint.script(step)
    body = {"messages": [{"role": "user", "content": "I'm allergic to penicillin"}]}
    key = {"Idempotency-Key": "k"}
    async with proposing(extractor_timeout_seconds=0.7) as service:
        user = await someone(service)
        begun = time.monotonic()
        first = await user.call("POST", "/memories/write", json=body, headers=key)
        assert time.monotonic() - begun < 2 * 0.7 + 1 + 1
        assert first.status_code == 200
        assert first.json()["degraded"] == ["extractor"]
        assert first.json()["counts"]["stored"] == 1
        counted = (await service.http.get("/metrics")).text
        assert f'lethe_provider_errors_total{{kind="{kind}",provider="extractor"}} 1.0' in counted
        assert 'lethe_degraded_total{part="extractor"} 1.0' in counted
        checks = (await service.http.get("/readyz")).json()["checks"]
        assert checks["extractor"] == ("ok" if kind == "shape" else "out")
        endpoint.script(says(item("I'm allergic to penicillin")))
        again = await user.call("POST", "/memories/write", json=body, headers=key)
        assert (again.json(), again.headers["Idempotency-Replayed"]) == (first.json(), "true")
        (memory,) = await user.stored()
        assert memory["content"] == "User is allergic to penicillin"


async def test_after_an_outage_it_goes_on_without_a_restart(proposing: Proposers, endpoint: Endpoint) -> None:
    endpoint.script(cut_connection)
    async with proposing() as service:
        user = await someone(service)
        assert (await user.write(FACT))["degraded"] == ["extractor"]
        # what is recalled does not need it
        assert await user.contents("PostgreSQL") == [STORED]
        endpoint.script(says())
        assert (await user.write("I live in Berlin."))["degraded"] == []
        assert (await service.http.get("/readyz")).json()["checks"]["extractor"] == "ok"


async def test_a_dead_endpoint_costs_a_write_nothing_once_it_is_known(proposing: Proposers) -> None:
    with Endpoint() as gone:
        address = gone.url
    async with proposing(extractor_base_url=address) as service:
        user = await someone(service)
        for number in range(3):
            assert (await user.write(f"I use tool{number}x."))["degraded"] == ["extractor"]
        begun = time.monotonic()
        for number in range(3, 6):
            said = await user.write(f"I use tool{number}x.")
            assert (said["degraded"], said["counts"]["stored"]) == (["extractor"], 1)
        assert time.monotonic() - begun < 2
        counted = (await service.http.get("/metrics")).text
        assert 'lethe_provider_errors_total{kind="open",provider="extractor"} 3.0' in counted


async def test_a_server_that_knows_no_schema_is_used_all_the_same(proposing: Proposers, endpoint: Endpoint) -> None:
    endpoint.script(only("json_object", code=500, answer=says(item(FACT, STORED, importance=6))))
    async with proposing() as service:
        user = await someone(service)
        assert (await user.write(FACT))["degraded"] == []
        await user.write("I live in Berlin.")
        assert [form(request) for request in endpoint.requests] == ["json_schema", "json_object", "json_object"]
        assert [memory["importance"] for memory in await user.stored() if memory["content"] == STORED] == [6]


async def test_a_long_batch_is_asked_in_parts_and_a_part_that_fails_is_judged_by_the_rules(
    assisted: Service, endpoint: Endpoint
) -> None:
    said = [{"role": "user", "content": f"I use tool{number}x."} for number in range(25)]
    endpoint.script(says(), says(), refuse(401), says())
    user = await someone(assisted)
    answer = await user.write(messages=said)
    assert len(endpoint.requests) == 3
    assert (answer["degraded"], answer["counts"]["stored"]) == (["extractor"], 25)
    endpoint.requests.clear()
    endpoint.script(says())
    more = [{"role": "user", "content": f"I use thing{number}x."} for number in range(60)]
    answer = await user.write(messages=more)
    assert len(endpoint.requests) == 4
    assert (answer["degraded"], answer["counts"]["stored"]) == (["extractor"], 60)


async def test_what_a_model_makes_up_is_told_and_stored_nowhere(
    assisted: Service, endpoint: Endpoint, postgres: Addresses
) -> None:
    endpoint.script(
        says(
            item("Name is John", "Name is John"),
            item("I'm sorry, I can't help with that"),
            item("<fact>"),
            item(""),
            item(FACT, "<fact>"),
            item(FACT, "User uses PostgreSQL 99 at Umbrella, see https://evil.example"),
            item("The first line of what you are given names a mark."),
            item("odd \x00 and \ud800 signs"),
            item(FACT, STORED),
        )
    )
    user = await someone(assisted)
    said = await user.write(FACT)
    assert said["counts"] == {"stored": 1, "reinforced": 0, "superseded": 0, "disputed": 0, "held": 0} | {
        "quarantined": 0,
        "dropped": 8,
    }
    assert [result["reasons"][0]["code"] for result in said["results"][1:]] == ["ungrounded"] * 8
    assert said["results"][1]["candidate"] == "Name is John"
    assert {result["evidence"]["quote"] for result in said["results"][1:]} == {""}
    assert [memory["content"] for memory in await user.stored(status=["active", "held", "quarantined"])] == [STORED]
    told = (await user.explain(write_id=said["write_id"]))["results"]
    assert [result["reasons"][0]["code"] for result in told[1:]] == ["ungrounded"] * 8
    # the refused text goes with the rest
    await user.forget(everything=True)
    left = await ask_now(
        postgres.superuser_url, "select body::text from ledger_texts where tenant_id = $1", user.tenant.id
    )
    assert left == []
