"""Whatever goes wrong leaves as the same kind of document, and never repeats what was sent."""

from __future__ import annotations

import inspect
from uuid import UUID

import httpx
import pytest
from starlette.exceptions import HTTPException

from app.api.middleware import AnswerCutOff
from app.domain import errors
from tests.api.double import FOREIGN, KNOWN, UNKNOWN, ScriptedLethe
from tests.api.shapes import JSON, problem_of, send

pytestmark = pytest.mark.anyio

KINDS = [
    kind
    for _, kind in inspect.getmembers(errors, inspect.isclass)
    if issubclass(kind, errors.LetheError) and kind is not errors.LetheError
]


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
async def test_every_error_of_the_domain_is_one_document(
    client: httpx.AsyncClient, lethe: ScriptedLethe, kind: type[errors.LetheError]
) -> None:
    fault = errors.FieldError("/min_trust", "below_trust_floor", 'Add include: ["untrusted"].')
    lethe.fault = kind(fault) if kind is errors.InvalidRequest else kind()
    response = await client.post("/recall", json={"query": "x"})
    body = problem_of(response)
    assert (body["status"], body["code"], body["title"]) == (kind.status, kind.code, kind.title)
    assert response.headers.get("Retry-After") == (str(kind.retry_after) if kind.retry_after else None)
    assert response.headers.get("WWW-Authenticate") == ("Bearer" if kind.status == 401 else None)


NOT_IDS = ["abc", "0", str(KNOWN)[:-1], f"{{{KNOWN}}}", KNOWN.hex, "%00", "'; DROP TABLE memories --", "ü", "..", "%ff"]


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("GET", "/memories/{}"),
        ("PATCH", "/memories/{}"),
        ("DELETE", "/memories/{}"),
        ("POST", "/memories/{}/approve"),
        ("POST", "/memories/{}/reject"),
        ("GET", "/forget/{}"),
    ],
)
async def test_unknown_foreign_and_malformed_ids_answer_byte_for_byte_alike(
    client: httpx.AsyncClient, method: str, path: str
) -> None:
    body = {"pinned": True} if method == "PATCH" else {} if method == "POST" else None
    seen = set()
    for given in [str(UNKNOWN), str(FOREIGN), str(UUID(int=0)), *NOT_IDS]:
        response = await client.request(method, path.format(given), json=body)
        assert response.status_code == 404, given
        problem_of(response)
        headers = {k: v for k, v in response.headers.items() if k not in {"x-request-id", "date"}}
        seen.add((response.content, tuple(sorted(headers.items()))))
    assert len(seen) == 1


async def test_unknown_ids_in_a_body_answer_alike_too(client: httpx.AsyncClient) -> None:
    seen = set()
    for given in (str(UNKNOWN), str(FOREIGN), "abc", ""):
        for body in (
            {"memory_id": given},
            {"write_id": given},
            {"recall_id": given},
            {"recall_id": str(KNOWN), "memory_id": given},
            {"recall": {"query": "x"}, "memory_id": given},
        ):
            response = await client.post("/explain", json=body)
            assert response.status_code == 404, body
            seen.add(response.content)
    assert seen == {(await client.get("/memories/abc")).content}


async def test_an_unknown_path_and_a_wrong_method_are_documents_too(client: httpx.AsyncClient) -> None:
    for path in ("/", "/nowhere", "/recall/", "/memories/", "/memories/a/b", "/memories//", "/redoc", "/%00"):
        response = await client.get(path)
        assert (response.status_code, problem_of(response)["code"]) == (404, "not_found"), path
    for method, path in (
        ("GET", "/recall"),
        ("PUT", f"/memories/{KNOWN}"),
        ("OPTIONS", "/forget"),
        ("HEAD", "/recall"),
    ):
        response = await client.request(method, path)
        assert response.status_code == 405
        assert "Allow" in response.headers
        if method != "HEAD":
            assert problem_of(response)["code"] == "method_not_allowed"
    # a fixed path under another method is an id like any other
    response = await client.get("/memories/write")
    assert (response.status_code, problem_of(response)["code"]) == (404, "not_found")


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"{",
        b"query=x",
        b"{'query': 'x'}",
        b'{"query": "x",}',
        b'{"query": "x"} {}',
        b'{"query": NaN}',
        b'{"query": "x", "min_score": Infinity}',
        b'{"query": "x", "min_score": -Infinity}',
        b'{"query": "\xff"}',
        b'{"query": "\xed\xa0\x80"}',
        b'{"query": "a\x00b"}',
        '{"query": "x"}'.encode("utf-16"),
        b"\xef\xbb\xbf{}",
        b"[" * 100_000,
        b'{"a":' * 100_000,
        b"[" * 300 + b"]" * 300,
    ],
    ids=range(17),
)
async def test_what_is_no_json_is_malformed(client: httpx.AsyncClient, raw: bytes) -> None:
    response = await client.post("/recall", content=raw, headers=JSON)
    assert (response.status_code, problem_of(response)["code"]) == (400, "malformed_json")


@pytest.mark.parametrize("number", ["1e999", "-1e999", "1" * 5000, "-" + "9" * 400, str(2**63)])
async def test_numbers_that_no_field_can_hold_are_out_of_range(client: httpx.AsyncClient, number: str) -> None:
    for body in (
        f'{{"query": "x", "k": {number}}}',
        f'{{"query": "x", "min_score": {number}}}',
        f'{{"query": "x", "filters": {{"metadata.a": {number}}}}}',
    ):
        response = await client.post("/recall", content=body, headers=JSON)
        assert response.status_code == 422
        assert problem_of(response)["errors"][0]["code"] == "out_of_range"


@pytest.mark.parametrize(
    "media", [None, "text/plain", "application/x-www-form-urlencoded", "multipart/form-data", "application/jsonx", ""]
)
async def test_what_is_not_declared_as_json_is_not_read(client: httpx.AsyncClient, media: str | None) -> None:
    headers = {} if media is None else {"Content-Type": media}
    for path in ("/recall", "/memories/write", "/forget", "/explain", f"/memories/{KNOWN}/approve"):
        response = await client.post(path, content=b'{"query": "x"}', headers=headers)
        assert (response.status_code, problem_of(response)["code"]) == (415, "unsupported_media_type")


async def test_an_unexpected_fault_says_nothing_of_itself(client: httpx.AsyncClient, lethe: ScriptedLethe) -> None:
    lethe.fault = RuntimeError("INSERT INTO memories VALUES ('SENTINEL') postgresql://lethe:secret@db/lethe")
    response = await client.post("/recall", json={"query": "SENTINEL"})
    body = problem_of(response)
    assert (body["status"], body["code"], body["errors"]) == (500, "internal", [])
    assert "SENTINEL" not in response.text
    assert response.headers["Cache-Control"] == "no-store"


async def test_a_fault_of_the_framework_takes_our_shape(client: httpx.AsyncClient, lethe: ScriptedLethe) -> None:
    for status, code in ((404, "not_found"), (418, "not_found"), (502, "internal"), (503, "overloaded")):
        lethe.fault = HTTPException(status, detail="SENTINEL")
        response = await client.post("/recall", json={"query": "x"})
        assert problem_of(response)["code"] == code
        assert "SENTINEL" not in response.text


SENTINEL = "SENTINEL-TEXT-1"


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/memories/write", {SENTINEL: SENTINEL}),
        ("/memories/write", {"content": [SENTINEL]}),
        ("/memories/write", {"messages": [{"role": SENTINEL, "content": SENTINEL}]}),
        ("/memories/write", {"messages": [{"role": "user", "content": {SENTINEL: 1}}], SENTINEL: 1}),
        ("/memories/write", {"content": "a", "metadata": {SENTINEL: {SENTINEL: {SENTINEL: {SENTINEL: 1}}}}}),
        ("/memories/write", {"content": "a", "kind": SENTINEL, "occurred_at": SENTINEL, "infer": SENTINEL}),
        ("/memories/write", {"content": "a", "source": {"type": SENTINEL, SENTINEL: 1}}),
        ("/recall", {"query": "x", "k": SENTINEL, "kinds": [SENTINEL], "include": [SENTINEL], "as_of": SENTINEL}),
        ("/recall", {"query": SENTINEL + "\x00"}),
        ("/recall", {"query": "x", "as_of": {SENTINEL: 1, "valid_at": SENTINEL}}),
        ("/forget", {"subject": SENTINEL, "query": SENTINEL}),
        ("/forget", {"memory_ids": [SENTINEL, 1], "before": SENTINEL}),
        ("/explain", {"question": SENTINEL, "memory_id": SENTINEL}),
        ("/explain", {"recall": {SENTINEL: 1}, "memory_id": SENTINEL}),
        (f"/memories/{KNOWN}/approve", {SENTINEL: SENTINEL}),
    ],
)
async def test_no_error_repeats_what_was_sent(client: httpx.AsyncClient, path: str, body: object) -> None:
    response = await send(client, "POST", path, body)
    problem_of(response)
    assert response.status_code == 422
    assert SENTINEL not in response.text


async def test_no_error_repeats_a_path_a_parameter_or_a_header(client: httpx.AsyncClient) -> None:
    for response in (
        await client.get(f"/memories/{SENTINEL}"),
        await client.get(f"/{SENTINEL}"),
        await client.get(f"/memories?{SENTINEL}={SENTINEL}"),
        await client.get(f"/memories?limit={SENTINEL}&kind={SENTINEL}&filters={SENTINEL}"),
        await client.get("/memories", headers={"X-User-Id": f" {SENTINEL}!"}),
        await client.get("/memories", headers={"Authorization": f"Bearer {SENTINEL}"}),
        await client.post("/recall", content=SENTINEL, headers={"Content-Type": SENTINEL}),
    ):
        problem_of(response)
        assert SENTINEL not in response.text


async def test_readiness_names_what_fails(client: httpx.AsyncClient, lethe: ScriptedLethe) -> None:
    assert (await client.get("/readyz")).json() == {
        "status": "ready",
        "checks": {"database": "ok", "migrations": "ok", "embedder": "ok"},
    }
    lethe.readiness = type(lethe.readiness)(False, {"database": "ok", "migrations": "behind"})
    response = await client.get("/readyz")
    assert response.status_code == 503
    assert problem_of(response)["errors"] == [
        {"pointer": "/checks/migrations", "code": "unavailable", "detail": "behind"}
    ]
    assert "Retry-After" in response.headers
    assert (await client.get("/healthz")).status_code == 200


async def test_an_export_fails_before_its_first_line_or_breaks_off(
    client: httpx.AsyncClient, lethe: ScriptedLethe
) -> None:
    lethe.fault = errors.Unavailable()
    assert problem_of(await client.get("/memories/export"))["code"] == "unavailable"
    lethe.fault = None
    lethe.rows_fault = RuntimeError("SENTINEL")
    # the connection is cut, so that half an export never looks whole
    with pytest.raises(AnswerCutOff) as caught:
        await client.get("/memories/export")
    assert caught.value.__suppress_context__
    assert (await client.get("/healthz")).status_code == 200
