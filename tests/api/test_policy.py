"""Policies over the whole application: every route has one, and the description says the truth."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import httpx
import pytest
import yaml
from fastapi import FastAPI
from fastapi.routing import APIRoute, iter_route_contexts
from pydantic import TypeAdapter

from app.api.openapi import OPEN_PATHS, scope_of
from app.api.reading import parse_json, validate
from app.api.schemas import (
    explain_answers,
    forget_answers,
    memory_answers,
    problem_answers,
    recall_answers,
    write_answers,
)
from app.api.schemas.answer import Answer
from app.api.schemas.base import Request
from app.domain.caller import Owner, Principal, Scope
from scripts.write_openapi import PATH, build
from tests.api.double import BOUND_KEY, KEY, KNOWN, NOW, READ_KEY, WRITE_KEY, ScriptedLethe
from tests.api.shapes import faults_of, problem_of

pytestmark = pytest.mark.anyio

# The contract's word on who may do what. A new route must be entered here or in OPEN_PATHS.
SCOPES = {
    ("POST", "/memories/write"): Scope.WRITE,
    ("POST", "/recall"): Scope.READ,
    ("POST", "/forget"): Scope.FORGET,
    ("GET", "/forget/{receipt_id}"): Scope.FORGET,
    ("POST", "/explain"): Scope.READ,
    ("GET", "/memories"): Scope.READ,
    ("GET", "/memories/export"): Scope.READ,
    ("GET", "/memories/{memory_id}"): Scope.READ,
    ("PATCH", "/memories/{memory_id}"): Scope.WRITE,
    ("DELETE", "/memories/{memory_id}"): Scope.FORGET,
    ("POST", "/memories/{memory_id}/approve"): Scope.REVIEW,
    ("POST", "/memories/{memory_id}/reject"): Scope.REVIEW,
}
# these say who may call in a body that is right; a body that is wrong must never be looked at before
PRIVATE = [(method, path.format(memory_id=KNOWN, receipt_id=KNOWN)) for method, path in SCOPES]
NEEDING_MORE = [call for call, scope in zip(PRIVATE, SCOPES.values(), strict=True) if scope is not Scope.READ]


def routes_of(app: FastAPI) -> list[APIRoute]:
    routes = [context.route for context in iter_route_contexts(app.routes)]
    assert all(isinstance(route, APIRoute) for route in routes), "a route that the policy cannot see"
    return [route for route in routes if isinstance(route, APIRoute)]


def test_every_route_has_a_policy(app: FastAPI) -> None:
    found = {
        (method, route.path): scope_of(route)
        for route in routes_of(app)
        for method in route.methods or ()
        if route.path not in OPEN_PATHS
    }
    assert found == SCOPES
    assert {route.path for route in routes_of(app)} >= OPEN_PATHS


@pytest.mark.parametrize(("method", "path"), PRIVATE)
@pytest.mark.parametrize(
    "authorization",
    [
        None,
        "",
        "Bearer",
        "Bearer ",
        "Bearer    ",
        "Basic abc",
        KEY,
        f"Token {KEY}",
        "Bearer lk_acme_k1_wrong",
        "Bearer ü",
    ],
)
async def test_without_a_valid_key_nothing_is_looked_at(
    client: httpx.AsyncClient, method: str, path: str, authorization: str | None
) -> None:
    headers = [] if authorization is None else [(b"authorization", authorization.encode("latin-1"))]
    del client.headers["Authorization"]
    del client.headers["X-User-Id"]
    response = await client.request(method, path + "?user_id=bob", headers=headers, content=b"{")
    assert problem_of(response)["code"] == "unauthenticated"
    assert response.status_code == 401
    assert response.headers["WWW-Authenticate"] == "Bearer"


@pytest.mark.parametrize(("method", "path"), NEEDING_MORE)
async def test_a_missing_scope_comes_before_user_and_body(client: httpx.AsyncClient, method: str, path: str) -> None:
    del client.headers["X-User-Id"]
    response = await client.request(method, path, headers={"Authorization": f"Bearer {READ_KEY}"}, content=b"{")
    assert (response.status_code, problem_of(response)["code"]) == (403, "scope_missing")


@pytest.mark.parametrize(("method", "path"), PRIVATE)
async def test_a_missing_user_comes_before_the_body(client: httpx.AsyncClient, method: str, path: str) -> None:
    del client.headers["X-User-Id"]
    response = await client.request(method, path + "?x=1", content=b"{")
    assert (response.status_code, problem_of(response)["code"]) == (400, "user_required")


@pytest.mark.parametrize(("method", "path"), PRIVATE)
async def test_an_unknown_query_parameter_is_refused_on_every_route(
    client: httpx.AsyncClient, method: str, path: str
) -> None:
    response = await client.request(method, path + "?user_id=bob&verbose=1", json={})
    assert faults_of(response) == [("", "user_in_body"), ("", "unknown_field")]


@pytest.mark.parametrize("path", ["/healthz", "/readyz", "/metrics"])
async def test_operations_take_no_parameters(client: httpx.AsyncClient, path: str) -> None:
    assert faults_of(await client.get(path + "?x=1")) == [("", "unknown_field")]


@pytest.mark.parametrize(
    "user",
    [b"", b"a b", b"a\xc3\xbc", b"a\x00", b"a\x07", b"x" * 129, b"x" * 10_000, b"a,b", b'"anna"', b"a'--", b"\xff"],
)
async def test_a_malformed_user_is_no_user(client: httpx.AsyncClient, user: bytes) -> None:
    del client.headers["X-User-Id"]
    response = await client.post("/recall", json={"query": "x"}, headers=[(b"X-User-Id", user)])
    assert (response.status_code, problem_of(response)["code"]) == (400, "user_required")


async def test_two_users_are_no_user(client: httpx.AsyncClient) -> None:
    del client.headers["X-User-Id"]
    for pair in ((b"anna", b"bob"), (b"anna", b"anna")):
        headers = [(b"X-User-Id", pair[0]), (b"x-user-id", pair[1])]
        response = await client.post("/recall", json={"query": "x"}, headers=headers)
        assert (response.status_code, problem_of(response)["code"]) == (400, "user_required")


@pytest.mark.parametrize("user", ["A", "x" * 128, "Anna.b_c:d@e|f+g=h/i-1"])
async def test_a_user_is_taken_byte_for_byte(
    client: httpx.AsyncClient, lethe: ScriptedLethe, user: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[str | None] = []
    real = lethe.owner

    def owner(principal: Principal, user_id: str | None) -> Owner:
        seen.append(user_id)
        return real(principal, user_id)

    monkeypatch.setattr(lethe, "owner", owner)
    response = await client.post("/recall", json={"query": "x"}, headers={"X-User-Id": user})
    assert response.status_code == 200
    assert seen == [user]


async def test_a_bound_key_names_its_user(client: httpx.AsyncClient) -> None:
    client.headers["Authorization"] = f"Bearer {BOUND_KEY}"
    assert (await client.post("/recall", json={"query": "x"})).status_code == 200
    response = await client.post("/recall", json={"query": "x"}, headers={"X-User-Id": "bob"})
    assert (response.status_code, problem_of(response)["code"]) == (403, "user_mismatch")
    del client.headers["X-User-Id"]
    assert (await client.post("/recall", json={"query": "x"})).status_code == 200


async def test_the_key_may_come_under_its_other_name_but_not_under_both(client: httpx.AsyncClient) -> None:
    both = await client.post("/recall", json={"query": "x"}, headers={"X-API-Key": KEY})
    assert faults_of(both) == [("", "alias_conflict")]
    del client.headers["Authorization"]
    assert (await client.post("/recall", json={"query": "x"}, headers={"X-API-Key": KEY})).status_code == 200
    assert (await client.post("/recall", json={"query": "x"}, headers={"X-API-Key": "lk_no"})).status_code == 401
    twice = [(b"Authorization", f"Bearer {KEY}".encode()), (b"Authorization", b"Bearer lk_no")]
    assert (await client.post("/recall", json={"query": "x"}, headers=twice)).status_code == 401


async def test_force_needs_the_scope_of_an_import(client: httpx.AsyncClient) -> None:
    body = {"content": "a", "infer": False, "force": True}
    assert (await client.post("/memories/write", json=body)).status_code == 200
    headers = {"Authorization": f"Bearer {WRITE_KEY}"}
    assert (await client.post("/memories/write", json={"content": "a"}, headers=headers)).status_code == 200
    response = await client.post("/memories/write", json=body, headers=headers)
    assert (response.status_code, problem_of(response)["code"]) == (403, "scope_missing")


def test_openapi_yaml_is_fresh() -> None:
    assert Path(PATH).read_text(encoding="utf-8") == build(), "run: python -m scripts.write_openapi"


def operations_of(document: dict[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    return [(path, operation) for path, methods in document["paths"].items() for operation in methods.values()]


def test_every_operation_asks_for_key_and_user_together(app: FastAPI) -> None:
    document = app.openapi()
    assert set(document["components"]["securitySchemes"]) == {"bearer", "user"}
    for path, operation in operations_of(document):
        expected: list[dict[str, list[str]]] = [] if path in OPEN_PATHS else [{"bearer": [], "user": []}]
        assert operation["security"] == expected, path


def test_every_error_is_described_as_a_problem_document(app: FastAPI) -> None:
    for path, operation in operations_of(app.openapi()):
        for status, response in operation["responses"].items():
            if not status.startswith("2"):
                schema = response["content"]["application/problem+json"]["schema"]
                assert schema == {"$ref": "#/components/schemas/Problem"}, (path, status)
    text = yaml.safe_dump(app.openapi())
    assert "HTTPValidationError" not in text
    assert "detail[]" not in text


def test_every_reference_of_the_description_leads_somewhere(app: FastAPI) -> None:
    document = app.openapi()
    schemas = document["components"]["schemas"]

    def walk(value: Any) -> None:
        if isinstance(value, dict):
            if "$ref" in value:
                assert value["$ref"].removeprefix("#/components/schemas/") in schemas
            for item in value.values():
                walk(item)
        elif isinstance(value, list):
            for item in value:
                walk(item)

    walk(document)


def subclasses(of: type[Any]) -> list[type[Any]]:
    return [found for child in of.__subclasses__() for found in (child, *subclasses(child))]


ANSWERS = subclasses(Answer)
REQUESTS = subclasses(Request)


def test_the_models_are_all_known() -> None:
    modules = (explain_answers, forget_answers, memory_answers, problem_answers, recall_answers, write_answers)
    assert {model.__module__ for model in ANSWERS} == {module.__name__ for module in modules}


@pytest.mark.parametrize("model", ANSWERS, ids=lambda model: model.__name__)
def test_every_field_of_an_answer_is_described_with_an_example_that_passes(model: type[Answer]) -> None:
    assert model.__doc__
    for name, field in model.model_fields.items():
        assert field.description, name
        assert field.examples, name
        adapter: TypeAdapter[Any] = TypeAdapter(field.rebuild_annotation())
        for value in field.examples:
            adapter.validate_python(value, extra="forbid")
        # no default on the wire: a field is there, or it was not asked for
        assert field.is_required() or field.description.startswith("Only with"), name


@pytest.mark.parametrize("model", REQUESTS, ids=lambda model: model.__name__)
def test_every_field_of_a_request_is_described_with_an_example_that_passes(model: type[Request]) -> None:
    assert model.__doc__
    properties = model.model_json_schema()["properties"] if model.model_fields else {}
    for name, schema in properties.items():
        assert schema.get("description"), name
    for value in (model.model_config.get("json_schema_extra") or {}).get("examples", []):  # type: ignore[union-attr]
        validate(model, parse_json(json.dumps(value)), now=NOW)


async def test_the_documentation_loads_nothing_from_elsewhere(client: httpx.AsyncClient) -> None:
    page = await client.get("/docs")
    assert page.status_code == 200
    assert "http://" not in page.text
    assert "https://" not in page.text
    for name in ("swagger-ui-bundle.js", "swagger-ui.css", "favicon.png"):
        assert f"/docs/static/{name}" in page.text
        response = await client.get(f"/docs/static/{name}")
        assert response.status_code == 200
        assert len(response.content) > 1000
    assert (await client.get("/docs/static/core.py")).status_code == 404
    assert (await client.get("/docs/static/..%2Fcore.py")).status_code == 404
    assert (await client.get("/openapi.json")).json()["info"]["title"] == "Lethe"
