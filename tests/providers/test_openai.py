from __future__ import annotations

import logging
import math
import traceback
from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest

from app.providers.breaker import Breaker
from app.providers.openai import MAX_TEXT_BYTES, REQUEST_BYTES, OpenAIEmbedder, cut, plan_requests
from app.providers.ports import Embedder, ProviderFault
from tests.providers.endpoint import (
    Answer,
    Endpoint,
    answer,
    cut_connection,
    hang,
    raw,
    status,
    vector_of,
    without_dimensions,
)

pytestmark = pytest.mark.anyio

SECRET = "my sister's birthday is in May"
MUTE_RETRY = {"x_should_retry": "false"}  # spares the test the client's pause before its second attempt


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
async def embedder(endpoint: Endpoint, clock: Clock) -> AsyncIterator[OpenAIEmbedder]:
    embedder = OpenAIEmbedder(
        model="tiny",
        dimension=2,
        base_url=endpoint.url,
        timeout_seconds=5,
        breaker=Breaker(threshold=2, rest_seconds=30, clock=clock),
    )
    yield embedder
    await embedder.close()


async def fault_of(embedder: Embedder, text: str = SECRET) -> ProviderFault:
    with pytest.raises(ProviderFault) as caught:
        await embedder.embed_query(text)
    return caught.value


def unit(text: str) -> list[float]:
    values = vector_of(text)
    return [value / math.hypot(*values) for value in values]


async def test_a_good_answer_becomes_unit_vectors(endpoint: Endpoint, embedder: OpenAIEmbedder) -> None:
    endpoint.script(answer())
    vectors = await embedder.embed_documents(["a", "bbb"])
    assert vectors == [pytest.approx(unit("a")), pytest.approx(unit("bbb"))]
    assert endpoint.requests == [
        {"model": "tiny", "input": ["a", "bbb"], "dimensions": 2, "encoding_format": "float"},
    ]
    assert endpoint.keys == ["Bearer none"]
    assert (embedder.model_id, embedder.dimension, embedder.max_tokens) == ("openai:tiny:2", 2, 8191)


async def test_the_order_is_that_of_index(endpoint: Endpoint, embedder: OpenAIEmbedder) -> None:
    endpoint.script(answer(lambda rows: rows.reverse()))
    vectors = await embedder.embed_documents(["a", "bb", "ccc"])
    assert vectors == [pytest.approx(unit(text)) for text in ("a", "bb", "ccc")]


async def test_many_texts_go_in_requests_of_128_and_come_back_in_order(
    endpoint: Endpoint, embedder: OpenAIEmbedder
) -> None:
    endpoint.script(answer(lambda rows: rows.reverse()))
    texts = ["x" * (1 + index) for index in range(300)]
    assert await embedder.embed_documents(texts) == [pytest.approx(unit(text)) for text in texts]
    assert [len(request["input"]) for request in endpoint.requests] == [128, 128, 44]


async def test_no_texts_need_no_request(endpoint: Endpoint, embedder: OpenAIEmbedder) -> None:
    assert await embedder.embed_documents([]) == []
    assert endpoint.requests == []


def _replace_first(embedding: object) -> Callable[[list[dict[str, Any]]], object]:
    return lambda rows: rows[0].update(embedding=embedding)


UNUSABLE = [
    pytest.param("shape", answer(_replace_first([1.0])), id="too short"),
    pytest.param("shape", answer(_replace_first([1.0, 2.0, 3.0])), id="too long"),
    pytest.param("shape", answer(_replace_first([])), id="empty"),
    pytest.param("shape", answer(_replace_first("AACAPwAAAEA=")), id="base64 although we asked for numbers"),
    pytest.param("shape", answer(_replace_first([1.0, None])), id="null for a number"),
    pytest.param("shape", answer(_replace_first(["1", "2"])), id="numbers as text"),
    pytest.param("shape", answer(_replace_first([True, False])), id="truth values"),
    pytest.param("shape", answer(_replace_first([[1.0], [2.0]])), id="nested"),
    pytest.param("nan", answer(_replace_first([math.nan, 1.0])), id="NaN literal"),
    pytest.param("nan", answer(_replace_first([math.inf, 1.0])), id="infinity literal"),
    pytest.param("nan", answer(_replace_first([1.7e308, 1.7e308])), id="length overflows"),
    pytest.param("nan", answer(_replace_first([10**400, 1])), id="an integer beyond all floats"),
    pytest.param("zero", answer(_replace_first([0.0, 0.0])), id="zero"),
    pytest.param("zero", answer(_replace_first([1e-300, 0])), id="as good as zero"),
    pytest.param("shape", answer(lambda rows: rows.pop()), id="one too few"),
    pytest.param("shape", answer(lambda rows: rows.append(rows[0])), id="one too many"),
    pytest.param("shape", answer(lambda rows: rows[1].update(index=0)), id="an index twice"),
    pytest.param("shape", answer(lambda rows: rows[1].pop("index")), id="no index"),
    pytest.param("shape", answer(lambda rows: rows[1].update(index=[1])), id="an index that is a list"),
    pytest.param("shape", raw(""), id="nothing"),
    pytest.param("shape", raw("<html>busy</html>"), id="no JSON"),
    pytest.param("shape", raw("[]"), id="no object"),
    pytest.param("shape", raw('{"data": null}'), id="no data"),
    pytest.param("shape", raw('{"error": "overloaded"}'), id="an error with status 200"),
    pytest.param("shape", raw("[" * 100_000), id="nested without end"),
]


@pytest.mark.parametrize(("kind", "step"), UNUSABLE)
async def test_an_unusable_answer_is_a_fault_for_the_whole_call(
    endpoint: Endpoint, embedder: OpenAIEmbedder, kind: str, step: Answer
) -> None:
    endpoint.script(step)
    with pytest.raises(ProviderFault) as caught:
        await embedder.embed_documents(["a", "bb"])
    assert caught.value.kind == kind


@pytest.mark.parametrize("code", [401, 404, 429, 500, 503])
async def test_a_status_is_a_fault_without_the_providers_words(
    endpoint: Endpoint, embedder: OpenAIEmbedder, code: int, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    endpoint.script(status(code, **MUTE_RETRY))
    fault = await fault_of(embedder)
    assert fault.kind == "status"
    assert SECRET not in "".join(traceback.format_exception(fault))
    assert fault.__context__ is None
    assert SECRET not in caplog.text


async def test_a_busy_endpoint_is_asked_once_more(endpoint: Endpoint, embedder: OpenAIEmbedder) -> None:
    endpoint.script(status(429, retry_after_ms="1"), answer())
    assert await embedder.embed_query("a") == pytest.approx(unit("a"))
    endpoint.script(status(500, retry_after_ms="1"), status(500, retry_after_ms="1"), answer())
    assert (await fault_of(embedder)).kind == "status"


async def test_a_cut_connection_and_a_closed_port_are_faults(endpoint: Endpoint, embedder: OpenAIEmbedder) -> None:
    endpoint.script(cut_connection)
    assert (await fault_of(embedder)).kind == "refused"
    with Endpoint() as gone:
        nobody = OpenAIEmbedder(model="tiny", dimension=2, base_url=gone.url)
    assert (await fault_of(nobody)).kind == "refused"
    await nobody.close()


@pytest.mark.parametrize(
    "step", [pytest.param(hang, id="silence"), pytest.param(status(429, retry_after="60"), id="told to wait a minute")]
)
async def test_the_time_limit_holds_whatever_the_endpoint_does(endpoint: Endpoint, step: Answer) -> None:
    endpoint.script(step)
    embedder = OpenAIEmbedder(model="tiny", dimension=2, base_url=endpoint.url, timeout_seconds=0.2)
    assert (await fault_of(embedder)).kind == "timeout"
    await embedder.close()


@pytest.mark.parametrize("code", [400, 422])
async def test_an_endpoint_that_refuses_dimensions_is_asked_without_from_then_on(
    endpoint: Endpoint, embedder: OpenAIEmbedder, code: int
) -> None:
    endpoint.script(without_dimensions(code))
    await embedder.embed_query("a")
    await embedder.embed_query("b")
    assert [request.get("dimensions") for request in endpoint.requests] == [2, None, None]


async def test_a_text_that_is_refused_does_not_unlearn_dimensions(endpoint: Endpoint, embedder: OpenAIEmbedder) -> None:
    endpoint.script(answer(), status(400), answer())
    await embedder.embed_query("a")
    assert (await fault_of(embedder)).kind == "status"
    await embedder.embed_query("b")
    assert [request.get("dimensions") for request in endpoint.requests] == [2, 2, 2]


async def test_another_length_without_dimensions_is_a_fault_and_nothing_is_remembered(
    endpoint: Endpoint, embedder: OpenAIEmbedder
) -> None:
    endpoint.script(status(400), answer(_replace_first([1.0, 2.0, 3.0])), answer())
    assert (await fault_of(embedder)).kind == "shape"
    await embedder.embed_query("a")
    assert [request.get("dimensions") for request in endpoint.requests] == [2, None, 2]


async def test_an_outage_opens_the_breaker_and_a_good_probe_closes_it(
    endpoint: Endpoint, embedder: OpenAIEmbedder, clock: Clock
) -> None:
    endpoint.script(status(500, **MUTE_RETRY))
    assert [(await fault_of(embedder)).kind for _ in range(4)] == ["status", "status", "open", "open"]
    assert len(endpoint.requests) == 2

    clock.now = 31
    assert [(await fault_of(embedder)).kind for _ in range(2)] == ["status", "open"]
    assert len(endpoint.requests) == 3

    clock.now = 62
    endpoint.script(answer())
    assert await embedder.embed_query("a") == await embedder.embed_query("a")
    assert len(endpoint.requests) == 5


@pytest.mark.parametrize(
    "step",
    [pytest.param(status(400), id="a refused text"), pytest.param(answer(_replace_first([0, 0])), id="an odd vector")],
)
async def test_what_a_text_can_cause_never_opens_the_breaker(
    endpoint: Endpoint, embedder: OpenAIEmbedder, step: Answer
) -> None:
    endpoint.script(step)
    assert "open" not in [(await fault_of(embedder)).kind for _ in range(6)]


def test_one_probe_is_admitted_per_rest_even_when_it_never_ends(clock: Clock) -> None:
    breaker = Breaker(threshold=1, rest_seconds=10, clock=clock)
    breaker.failed()
    clock.now = 10
    assert [breaker.admit(), breaker.admit()] == [True, False]
    clock.now = 20
    assert [breaker.admit(), breaker.admit()] == [True, False]
    breaker.succeeded()
    assert [breaker.admit(), breaker.admit(), breaker.is_open] == [True, True, False]


@pytest.mark.parametrize(
    ("text", "sent"),
    [
        ("", " "),  # endpoints refuse an empty text
        ("\ud800a", "a"),  # half a surrogate pair cannot be sent
        ("x" * 10_000, "x" * MAX_TEXT_BYTES),
        ("字" * 10_000, "字" * (MAX_TEXT_BYTES // 3)),  # never half a character
    ],
)
def test_texts_are_cut_so_that_none_is_refused_for_its_length(text: str, sent: str) -> None:
    assert cut(text) == sent


def test_a_request_stays_below_the_providers_size_limit() -> None:
    requests = list(plan_requests(["x" * MAX_TEXT_BYTES] * 100))
    assert sum(map(len, requests)) == 100
    assert all(len("".join(request)) <= REQUEST_BYTES for request in requests)


@pytest.mark.parametrize(
    ("base_url", "api_key", "setting"),
    [("localhost:8080/v1", None, "embedding_base_url"), (None, "key\n", "embedding_api_key")],
)
def test_settings_that_can_never_work_are_named(base_url: str | None, api_key: str | None, setting: str) -> None:
    with pytest.raises(ValueError, match=setting):
        OpenAIEmbedder(model="tiny", dimension=2, base_url=base_url, api_key=api_key)
