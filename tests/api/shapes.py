"""What tests of the wire share: the error shape, and answers checked against their models."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import httpx
from pydantic import BaseModel

JSON = {"Content-Type": "application/json"}
MEMBERS = {"type", "title", "status", "code", "detail", "errors"}


async def send(
    client: httpx.AsyncClient, method: str, path: str, body: object, headers: Mapping[str, str] | None = None
) -> httpx.Response:
    """Send JSON that an ordinary client could not write: lone surrogates go as escapes."""
    return await client.request(method, path, content=json.dumps(body), headers={**JSON, **(headers or {})})


def problem_of(response: httpx.Response) -> dict[str, Any]:
    """Give a problem document after checking that it is exactly one."""
    assert response.headers["content-type"] == "application/problem+json"
    body: dict[str, Any] = response.json()
    assert set(body) == MEMBERS
    assert body["status"] == response.status_code
    assert body["type"] == f"urn:lethe:error:{body['code']}"
    assert all(set(fault) == {"pointer", "code", "detail"} for fault in body["errors"])
    assert all(fault["detail"] for fault in body["errors"])
    return body


def faults_of(response: httpx.Response) -> list[tuple[str, str]]:
    """Give pointer and code of each fault of a 422 invalid_request."""
    body = problem_of(response)
    assert (body["status"], body["code"]) == (422, "invalid_request"), body
    return [(fault["pointer"], fault["code"]) for fault in body["errors"]]


def check_shape(model: type[BaseModel], body: bytes) -> None:
    """Check an answer against its model: every field there, none that the model does not name, right types."""
    model.model_validate_json(body, strict=True, extra="forbid")
