"""What surrounds every request: id, headers, limits, numbers."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from typing import Any

import anyio
import httpx
import pytest
from fastapi import FastAPI

from app.api.middleware import MAX_BODY
from app.main import create_app
from app.settings import Settings
from tests.api.conftest import client_of
from tests.api.double import KEY, KNOWN, OTHER_TENANT_KEY, ScriptedLethe, opener
from tests.api.shapes import JSON, problem_of

pytestmark = pytest.mark.anyio

EVERYWHERE = [
    ("POST", "/recall", {"query": "x"}, 200),
    ("POST", "/recall", {}, 422),
    ("GET", f"/memories/{KNOWN}", None, 200),
    ("GET", "/memories/abc", None, 404),
    ("GET", "/nowhere", None, 404),
    ("PUT", "/recall", {}, 405),
    ("GET", "/memories/export", None, 200),
    ("GET", "/healthz", None, 200),
    ("GET", "/metrics", None, 200),
    ("GET", "/docs", None, 200),
    ("GET", "/docs/static/swagger-ui.css", None, 200),
    ("GET", "/openapi.json", None, 200),
]


@pytest.mark.parametrize(("method", "path", "body", "status"), EVERYWHERE)
async def test_every_answer_carries_the_common_headers(
    client: httpx.AsyncClient, method: str, path: str, body: object, status: int
) -> None:
    response = await client.request(method, path, json=body, headers={"X-Request-Id": "turn-42"})
    assert response.status_code == status
    assert response.headers["X-Request-Id"] == "turn-42"
    assert response.headers["Cache-Control"] == "no-store"
    assert response.headers["Lethe-Contract"] == "1"


@pytest.mark.parametrize("given", ["", "a b", "x" * 129, "a/b", "ü", '"'])
async def test_a_malformed_request_id_is_replaced(client: httpx.AsyncClient, given: str) -> None:
    response = await client.get("/healthz", headers=[(b"X-Request-Id", given.encode("latin-1"))])
    assert response.status_code == 200
    assert response.headers["X-Request-Id"] != given
    assert len(response.headers["X-Request-Id"]) == 36


async def test_the_request_id_stands_in_no_body(client: httpx.AsyncClient) -> None:
    first = await client.get("/memories/abc", headers={"X-Request-Id": "one"})
    second = await client.get("/memories/abc", headers={"X-Request-Id": "two"})
    assert first.content == second.content


async def test_a_foreign_origin_is_allowed_nothing(client: httpx.AsyncClient) -> None:
    headers = {"Origin": "https://evil.example", "Access-Control-Request-Method": "POST"}
    for method, path in (("OPTIONS", "/recall"), ("GET", "/memories"), ("GET", "/openapi.json")):
        response = await client.request(method, path, headers=headers)
        assert not [name for name in response.headers if name.lower().startswith("access-control-")]


def body_of(size: int) -> bytes:
    empty = len(json.dumps({"content": ""}))
    return json.dumps({"content": "x" * (size - empty)}).encode()


async def chunks(body: bytes, read: list[int]) -> AsyncIterator[bytes]:
    for start in range(0, len(body), 64 * 1024):
        chunk = body[start : start + 64 * 1024]
        read.append(len(chunk))
        yield chunk


@pytest.mark.parametrize(("size", "status"), [(MAX_BODY - 1, 200), (MAX_BODY, 200), (MAX_BODY + 1, 413)])
async def test_a_body_may_have_one_mebibyte_whether_its_length_is_said_or_not(
    client: httpx.AsyncClient, size: int, status: int
) -> None:
    body = body_of(size)
    assert len(body) == size
    said = await client.post("/memories/write", content=body, headers=JSON)
    unsaid = await client.post("/memories/write", content=chunks(body, []), headers=JSON)
    assert "content-length" not in unsaid.request.headers
    assert (said.status_code, unsaid.status_code) == (status, status)
    if status == 413:
        assert problem_of(said)["code"] == problem_of(unsaid)["code"] == "body_too_large"
        assert said.headers["Connection"] == "close"


async def test_a_large_body_is_not_read_to_its_end(app: FastAPI, client: httpx.AsyncClient) -> None:
    sent = 0
    started: list[dict[str, Any]] = []

    async def receive() -> dict[str, Any]:
        nonlocal sent
        sent += 1
        return {"type": "http.request", "body": b"x" * 100_000, "more_body": True}

    async def send(message: Any) -> None:
        started.append(message)

    headers = [
        (b"authorization", f"Bearer {KEY}".encode()),
        (b"x-user-id", b"anna"),
        (b"content-type", b"application/json"),
    ]
    scope = {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": "POST",
        "path": "/recall",
        "raw_path": b"/recall",
        "query_string": b"",
        "headers": headers,
        "scheme": "http",
        "server": ("lethe.test", 80),
        "client": ("127.0.0.1", 1),
    }
    with anyio.fail_after(5):
        await app(scope, receive, send)
    assert started[0]["status"] == 413
    assert sent == 11
    # without a key, nothing is read at all
    sent = 0
    started.clear()
    await app({**scope, "headers": headers[1:]}, receive, send)
    assert (started[0]["status"], sent) == (401, 0)


async def gather(client: httpx.AsyncClient, calls: list[dict[str, str]]) -> list[httpx.Response]:
    answers: list[httpx.Response] = []

    async def one(headers: dict[str, str]) -> None:
        answers.append(await client.post("/recall", json={"query": "x"}, headers=headers))

    async with anyio.create_task_group() as group:
        for headers in calls:
            group.start_soon(one, headers)
    return answers


@pytest.fixture
def narrow() -> Settings:
    return Settings(_env_file=None, max_concurrent=4, max_concurrent_per_tenant=2)


async def test_beyond_the_limits_callers_are_told_to_come_back(narrow: Settings) -> None:
    lethe = ScriptedLethe(narrow)
    app = create_app(narrow, open_lethe=opener(lethe))
    probes: list[httpx.Response] = []

    async with (
        app.router.lifespan_context(app),
        httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://lethe.test") as client,
    ):

        async def hold() -> None:
            await anyio.sleep(0.1)
            if len(probes) < 2:
                probes.append(await client.get("/healthz"))
                probes.append(await client.get("/metrics"))

        lethe.before = hold
        acme = {"Authorization": f"Bearer {KEY}", "X-User-Id": "anna"}
        globex = {"Authorization": f"Bearer {OTHER_TENANT_KEY}", "X-User-Id": "anna"}

        # one tenant alone takes its own places only
        answers = await gather(client, [acme] * 4)
        statuses = sorted(answer.status_code for answer in answers)
        assert statuses == [200, 200, 429, 429]
        refused = next(answer for answer in answers if answer.status_code == 429)
        assert problem_of(refused)["code"] == "rate_limited"
        assert int(refused.headers["Retry-After"]) >= 1

        # two tenants together take all
        answers = await gather(client, [acme, acme, globex, globex, globex, globex])
        assert sorted(answer.status_code for answer in answers) == [200, 200, 200, 200, 503, 503]
        refused = next(answer for answer in answers if answer.status_code == 503)
        assert problem_of(refused)["code"] == "overloaded"
        assert int(refused.headers["Retry-After"]) >= 1
        # probes are answered all the while
        assert [probe.status_code for probe in probes] == [200, 200]

        # every place is given back, after failures too
        lethe.before = None
        lethe.fault = RuntimeError("no")
        for _ in range(6):
            assert (await client.post("/recall", json={"query": "x"}, headers=acme)).status_code == 500
        lethe.fault = None
        lethe.before = hold
        assert sorted(a.status_code for a in await gather(client, [acme, acme, globex, globex])) == [200] * 4


@pytest.fixture
async def fresh(settings: Settings, lethe: ScriptedLethe) -> AsyncIterator[httpx.AsyncClient]:
    """An application that has counted nothing yet."""
    async with client_of(create_app(settings, open_lethe=opener(lethe))) as client:
        yield client


async def test_numbers_start_at_zero_and_count_by_route_template(
    fresh: httpx.AsyncClient, lethe: ScriptedLethe
) -> None:
    client = fresh
    text = (await client.get("/metrics")).text
    for line in (
        'lethe_gate_outcomes_total{outcome="dropped"} 0.0',
        'lethe_resolutions_total{action="supersede"} 0.0',
        'lethe_degraded_total{part="embedder"} 0.0',
        'lethe_provider_errors_total{kind="timeout",provider="embedder"} 0.0',
        'lethe_request_seconds_count{method="POST",route="/recall",status="200"} 0.0',
        "lethe_in_flight 1.0",
    ):
        assert line in text
    await client.get(f"/memories/{KNOWN}")
    await client.get("/memories/SENTINEL-PATH")
    await client.get("/SENTINEL-PATH")
    await client.request("SENTINEL", "/recall")
    assert lethe.metrics is not None
    lethe.metrics.gate_outcome("dropped")
    lethe.metrics.resolution("supersede")
    lethe.metrics.degraded(["embedder"])
    lethe.metrics.provider_error("embedder", "timeout")
    response = await client.get("/metrics")
    assert response.headers["content-type"].startswith("text/plain")
    for line in (
        'lethe_gate_outcomes_total{outcome="dropped"} 1.0',
        'lethe_resolutions_total{action="supersede"} 1.0',
        'lethe_degraded_total{part="embedder"} 1.0',
        'lethe_provider_errors_total{kind="timeout",provider="embedder"} 1.0',
        'lethe_request_seconds_count{method="GET",route="/memories/{memory_id}",status="200"} 1.0',
        'lethe_request_seconds_count{method="GET",route="/memories/{memory_id}",status="404"} 1.0',
        'lethe_request_seconds_count{method="GET",route="unmatched",status="404"} 1.0',
        'lethe_request_seconds_count{method="other",route="/recall",status="405"} 1.0',
    ):
        assert line in response.text
    assert "SENTINEL" not in response.text


def test_two_applications_count_apart(settings: Settings) -> None:
    first = create_app(settings, open_lethe=opener(ScriptedLethe(settings)))
    second = create_app(settings, open_lethe=opener(ScriptedLethe(settings)))
    assert first.state.metrics.registry is not second.state.metrics.registry
