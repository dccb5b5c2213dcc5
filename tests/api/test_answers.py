"""Every answer has the shape that openapi.yaml describes: names, types, null or absent."""

from __future__ import annotations

import json
from typing import Any

import httpx
import pytest
from pydantic import BaseModel

from app.api.schemas import explain_answers as explain
from app.api.schemas.forget_answers import Preview, Receipt, StoredReceipt
from app.api.schemas.memory_answers import Approval, DetailedMemory, MemoryPage
from app.api.schemas.problem_answers import Health, Problem, Ready
from app.api.schemas.recall_answers import RecallAnswer
from app.api.schemas.write_answers import WriteAnswer
from tests.api.double import KNOWN, ScriptedLethe
from tests.api.shapes import check_shape, send

pytestmark = pytest.mark.anyio

ID = str(KNOWN)
AS_OF = {"valid_at": "2025-04-15T00:00:00Z"}


@pytest.mark.parametrize(
    ("call", "body", "model"),
    [
        (("POST", "/memories/write"), {"content": "Thanks!"}, WriteAnswer),
        (("POST", "/memories/write"), {"content": "Thanks!", "dry_run": True}, WriteAnswer),
        (("POST", "/recall"), {"query": "x"}, RecallAnswer),
        (("POST", "/recall"), {"query": "x", "token_budget": 0, "trace": True, "as_of": AS_OF}, RecallAnswer),
        (("POST", "/forget"), {"memory_ids": [ID]}, Receipt),
        (("POST", "/forget"), {"query": "x", "dry_run": True}, Preview),
        (("GET", f"/forget/{ID}"), None, StoredReceipt),
        (("POST", "/explain"), {"memory_id": ID}, explain.MemoryExplanation),
        (("POST", "/explain"), {"question": "why?"}, explain.MemoryExplanation),
        (("POST", "/explain"), {"recall_id": ID}, explain.RecallExplanation),
        (("POST", "/explain"), {"recall_id": ID, "memory_id": ID}, explain.PlaceExplanation),
        (("POST", "/explain"), {"recall": {"query": "x"}, "memory_id": ID}, explain.PlaceExplanation),
        (("POST", "/explain"), {"write_id": ID}, explain.WriteExplanation),
        (("GET", "/memories"), None, MemoryPage),
        (("GET", f"/memories/{ID}"), None, DetailedMemory),
        (("PATCH", f"/memories/{ID}"), {"pinned": True}, DetailedMemory),
        (("DELETE", f"/memories/{ID}"), None, Receipt),
        (("POST", f"/memories/{ID}/approve"), {}, Approval),
        (("POST", f"/memories/{ID}/reject"), {}, Receipt),
        (("GET", "/healthz"), None, Health),
        (("GET", "/readyz"), None, Ready),
    ],
)
async def test_an_answer_has_its_shape(
    client: httpx.AsyncClient, call: tuple[str, str], body: Any, model: type[BaseModel]
) -> None:
    response = await client.request(*call, json=body)
    assert response.status_code == 200
    assert response.headers["content-type"] == "application/json"
    check_shape(model, response.content)


async def test_fields_that_were_not_asked_for_are_absent(client: httpx.AsyncClient) -> None:
    plain = (await client.post("/recall", json={"query": "x"})).json()
    assert set(plain) == {"recall_id", "memories", "context", "degraded"}
    assert plain["recall_id"] is None
    full = (await client.post("/recall", json={"query": "x", "trace": True, "as_of": AS_OF})).json()
    assert set(full) == {*plain, "trace", "as_of"}
    written = (await client.post("/memories/write", json={"content": "a"})).json()
    assert set(written) == {"write_id", "dry_run", "counts", "results", "degraded"}
    assert "resolution" not in written["results"][0]
    dry = (await client.post("/memories/write", json={"content": "a", "dry_run": True})).json()
    assert set(dry) == {*written, "policy"}
    assert dry["results"][0]["resolution"] is None
    assert "matched" not in (await client.post("/explain", json={"memory_id": ID})).json()


async def test_a_refused_text_comes_back_whatever_it_holds(client: httpx.AsyncClient) -> None:
    for text in ("a\x00b", "a\ud800b", "\U0001f600 \u202eabc", "\ufffe"):
        response = await send(client, "POST", "/memories/write", {"content": text})
        assert response.status_code == 200
        assert json.loads(response.content)["results"][0]["candidate"] == text


async def test_an_export_is_one_object_a_line(client: httpx.AsyncClient, lethe: ScriptedLethe) -> None:
    lethe.rows = [*lethe.rows, {"memory": {"content": "two\nlines \ud800"}, "evidence": [], "history": []}]
    response = await client.get("/memories/export")
    assert response.headers["content-type"] == "application/x-ndjson"
    first, second = (json.loads(line) for line in response.content.splitlines())
    assert set(first) == {"memory", "evidence", "history"}
    check_shape(DetailedMemory, json.dumps(first["memory"]).encode())
    assert second["memory"]["content"] == "two\nlines \ud800"
    lethe.rows = []
    response = await client.get("/memories/export")
    assert (response.status_code, response.content) == (200, b"")


async def test_a_problem_has_its_shape(client: httpx.AsyncClient) -> None:
    check_shape(Problem, (await client.post("/recall", json={"k": 0})).content)
