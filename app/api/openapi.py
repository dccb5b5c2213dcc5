"""The description of the API. Routes read bodies and parameters themselves, so they describe them here."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, Literal

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi
from fastapi.routing import APIRoute, iter_route_contexts
from pydantic import BaseModel
from pydantic.json_schema import models_json_schema

from app.api.deps import Access
from app.api.problems import MEDIA_TYPE
from app.api.schemas.problem_answers import Problem
from app.domain.caller import Scope

# Run without a key; everything else needs one. A test holds the routes against this list.
OPEN_PATHS: Final = frozenset({"/healthz", "/readyz", "/metrics", "/docs", "/docs/static/{name}", "/openapi.json"})
REF: Final = "#/components/schemas/"
# The bodies that routes describe; the framework does not know them.
_BODIES: Final[dict[str, type[BaseModel]]] = {}
_IDEMPOTENCY: Final = {
    "name": "Idempotency-Key",
    "in": "header",
    "required": False,
    "description": "Makes a retry safe for 24 hours: same key and body, same answer.",
    "schema": {"type": "string", "minLength": 1, "maxLength": 255, "pattern": "^[!-~]+$"},
    "example": "turn-42",
}
_DESCRIPTION: Final = """\
Memory for LLM agents: what is offered is judged, most of it is refused with reasons, the rest comes back when it
matters, explains itself, and can be erased for good.

Press **Authorize** and give both: the key (`bearer`) and the end user (`user`).
Every error is a problem document with a stable `code`. A refused text is not an error.
"""
_STATUSES: Final[Mapping[str, str]] = {
    "400": "The JSON is malformed, or the user is missing.",
    "401": "No valid key.",
    "403": "The key lacks the scope, or is bound to another user.",
    "404": "No such object for this user.",
    "409": "It cannot be done now.",
    "410": "It has gone.",
    "413": "The body is over 1 MiB.",
    "415": "The body is not declared as JSON.",
    "422": "The request is not valid.",
    "429": "Too many requests at once; see Retry-After.",
    "503": "Overloaded or unavailable; see Retry-After.",
}


def takes(model: type[BaseModel], *, required: bool = True, idempotent: bool = False) -> dict[str, Any]:
    """Describe the JSON body of a route (for `openapi_extra`)."""
    _BODIES[model.__name__] = model
    examples = model.model_json_schema().get("examples", [])
    extra: dict[str, Any] = {
        "requestBody": {
            "required": required,
            "content": {
                "application/json": {
                    "schema": {"$ref": f"{REF}{model.__name__}"},
                    "examples": {f"example {number}": {"value": value} for number, value in enumerate(examples, 1)},
                }
            },
        },
    }
    if idempotent:
        extra["parameters"] = [dict(_IDEMPOTENCY)]
    return extra


def takes_query(model: type[BaseModel]) -> dict[str, Any]:
    """Describe the query parameters of a route (for `openapi_extra`)."""
    schema = model.model_json_schema()
    parameters = []
    for name, field in schema["properties"].items():
        shape = {key: value for key, value in field.items() if key not in {"description", "examples", "title"}}
        parameters.append(
            {
                "name": name,
                "in": "query",
                "required": False,
                "description": field.get("description", ""),
                "schema": _not_null(shape),
            }
        )
    return {"parameters": parameters}


def _not_null(shape: dict[str, Any]) -> dict[str, Any]:
    """A query parameter is there or not; it is never null."""
    choices = [item for item in shape.get("anyOf", []) if item != {"type": "null"}]
    return choices[0] if len(choices) == 1 else shape


def describe(app: FastAPI) -> dict[str, Any]:
    """Build the OpenAPI document of an application."""
    routes = list(iter_route_contexts(app.routes))
    document = get_openapi(
        title=app.title,
        version=app.version,
        description=_DESCRIPTION,
        routes=app.routes,
        tags=[
            {"name": "memories", "description": "Offer, list, correct and review."},
            {"name": "recall", "description": "Bring back what matters now."},
            {"name": "forget", "description": "Erase, with a receipt."},
            {"name": "explain", "description": "Why, why not, and why so."},
            {"name": "operations", "description": "For those who run it."},
        ],
    )
    schemas = document.setdefault("components", {}).setdefault("schemas", {})
    for context in routes:
        route = context.route
        if isinstance(route, APIRoute) and route.include_in_schema:
            for method in route.methods or ():
                _finish(document["paths"][route.path_format][method.lower()], route)
    models: list[type[BaseModel]] = [*_BODIES.values(), Problem]
    described: list[tuple[type[BaseModel], Literal["validation"]]] = [(model, "validation") for model in models]
    schemas.update(models_json_schema(described, ref_template=REF + "{model}")[1]["$defs"])
    for unused in ("HTTPValidationError", "ValidationError"):
        schemas.pop(unused, None)
    document["components"]["securitySchemes"] = {
        "bearer": {
            "type": "http",
            "scheme": "bearer",
            "description": "The key: lk_... (also taken from the header X-API-Key).",
        },
        "user": {
            "type": "apiKey",
            "in": "header",
            "name": "X-User-Id",
            "description": "The end user whose memories these are: 1 to 128 of A-Z a-z 0-9 . _ : @ | + = / -",
        },
    }
    return document


def _finish(operation: dict[str, Any], route: APIRoute) -> None:
    """Add what the framework cannot know: the key, the user, the scope, and every error."""
    scope = scope_of(route)
    responses = operation["responses"]
    responses.pop("422", None)
    statuses = {"503"}
    if scope is not None:
        # one requirement with both members: the key AND the user
        operation["security"] = [{"bearer": [], "user": []}]
        operation["description"] = f"{operation.get('description', '')}\n\nScope: `{scope.value}`.".strip()
        statuses |= {"400", "401", "403", "422", "429"}
        if "requestBody" in operation:
            statuses |= {"413", "415"}
        if "{" in route.path_format or route.path_format == "/explain":
            statuses |= {"404"}
        if any(parameter["name"] == "Idempotency-Key" for parameter in operation.get("parameters", [])):
            statuses |= {"409", "410"}
        if route.path_format.endswith(("/approve", "/reject")):
            statuses |= {"409"}
    else:
        operation["security"] = []
    for status in sorted(statuses):
        responses[status] = {
            "description": _STATUSES[status],
            "content": {MEDIA_TYPE: {"schema": {"$ref": f"{REF}Problem"}}},
        }


def scope_of(route: APIRoute) -> Scope | None:
    """Find the scope that a route's policy asks for; None: it has no policy."""
    for dependency in route.dependant.dependencies:
        if isinstance(dependency.call, Access):
            return dependency.call.scope
    return None
