"""The one place where anything that goes wrong becomes a problem document (RFC 9457), in words of ours only."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

import structlog
from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from pydantic import ValidationError
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse, Response

from app.api.schemas.base import unknown_field
from app.domain.errors import (
    BodyTooLarge,
    FieldError,
    Internal,
    InvalidRequest,
    LetheError,
    MalformedJson,
    MethodNotAllowed,
    NotFound,
    Overloaded,
    UnsupportedMediaType,
)
from app.log import exception_chain, exception_places

MEDIA_TYPE: Final = "application/problem+json"
# A body may be wrong in a hundred thousand places; nobody reads more than these.
MAX_ERRORS: Final = 50
CODES: Final = frozenset(
    {
        "unknown_field",
        "unknown_operator",
        "one_of_required",
        "wrong_type",
        "out_of_range",
        "too_many",
        "in_future",
        "in_past",
        "naive_time",
        "blank",
        "invalid_text",
        "alias_conflict",
        "user_in_body",
        "kind_not_stored",
        "below_trust_floor",
    }
)
# Starlette's own faults, by status; whatever else it raises is answered as the nearest of these.
BY_STATUS: Final[Mapping[int, type[LetheError]]] = {
    400: MalformedJson,
    404: NotFound,
    405: MethodNotAllowed,
    413: BodyTooLarge,
    415: UnsupportedMediaType,
    503: Overloaded,
}
_EXPECTED: Final[Mapping[str, str]] = {
    "bool_type": "Send true or false.",
    "int_type": "Send a whole number.",
    "int_from_float": "Send a whole number.",
    "float_type": "Send a number.",
    "string_type": "Send a string.",
    "list_type": "Send a list.",
}
_log = structlog.get_logger("lethe.errors")


def problem(error: LetheError) -> Response:
    """Render an error as its problem document, with the headers its status asks for."""
    body = {
        "type": f"urn:lethe:error:{error.code}",
        "title": error.title,
        "status": error.status,
        "code": error.code,
        "detail": error.message,
        "errors": [{"pointer": fault.pointer, "code": fault.code, "detail": fault.detail} for fault in error.errors],
    }
    headers = {}
    if error.status == 401:
        headers["WWW-Authenticate"] = "Bearer"
    if error.retry_after is not None:
        headers["Retry-After"] = str(error.retry_after)
    if isinstance(error, BodyTooLarge):
        # the rest of the body is not read, so the connection cannot be used again
        headers["Connection"] = "close"
    return JSONResponse(body, status_code=error.status, media_type=MEDIA_TYPE, headers=headers)


def invalid(error: ValidationError, fields: Iterable[str]) -> InvalidRequest:
    """Turn pydantic's errors into ours. `fields` are the names a pointer may hold."""
    known = frozenset(fields)
    found: dict[FieldError, None] = {}
    for item in error.errors(include_url=False, include_input=False):
        found.setdefault(_fault(item, known))
        if len(found) == MAX_ERRORS:
            break
    return InvalidRequest(*found)


def _fault(item: Mapping[str, Any], known: frozenset[str]) -> FieldError:
    kind: str = item["type"]
    location: tuple[int | str, ...] = item["loc"]
    limits: Mapping[str, Any] = item.get("ctx", {})
    if kind == "extra_forbidden":
        code, detail = unknown_field(location[-1])
        return FieldError(_pointer(location[:-1], known), code, detail)
    pointer = _pointer(location, known)
    if kind in CODES:
        return FieldError(pointer, kind, item["msg"])
    if kind == "missing":
        return FieldError(pointer, "one_of_required", "This field is required.")
    if kind in {"greater_than_equal", "less_than_equal"}:
        bound = f"At least {limits['ge']}." if "ge" in limits else f"At most {limits['le']}."
        return FieldError(pointer, "out_of_range", bound)
    if kind == "too_long":
        return FieldError(pointer, "too_many", f"At most {limits['max_length']} items.")
    if kind == "too_short":
        return FieldError(pointer, "out_of_range", "Send at least one item, or leave it out.")
    if kind == "string_unicode":
        return FieldError(pointer, "invalid_text", "Remove NUL characters and lone surrogates.")
    return FieldError(pointer, "wrong_type", _EXPECTED.get(kind, "The type is wrong. See /docs for this field."))


def _pointer(location: tuple[int | str, ...], known: frozenset[str]) -> str:
    """Name a place by schema fields and indexes; anything else would be the caller's text."""
    steps = []
    for step in location:
        if isinstance(step, str) and step not in known:
            break
        steps.append(f"/{step}")
    return "".join(steps)


def internal(error: Exception) -> Response:
    """Answer an unexpected exception. Its text may hold content, so only types and places are logged."""
    _log.error("unexpected_error", raised=exception_chain(error), places=exception_places(error))
    return problem(Internal())


async def _on_lethe_error(_request: Request, error: Exception) -> Response:
    return problem(error) if isinstance(error, LetheError) else internal(error)


async def _on_http_error(_request: Request, error: Exception) -> Response:
    if not isinstance(error, HTTPException):
        return internal(error)
    kind = BY_STATUS.get(error.status_code, NotFound if error.status_code < 500 else Internal)
    answer = problem(kind())
    answer.headers.update(error.headers or {})
    return answer


async def _on_framework_validation(_request: Request, error: Exception) -> Response:
    # no route lets the framework validate; should one ever, its own error shape must not leave
    return problem(InvalidRequest(FieldError("", "wrong_type", "The request does not fit this call. See /docs.")))


def install(app: FastAPI) -> None:
    """Teach an application to answer every error in the contract's shape."""
    app.add_exception_handler(LetheError, _on_lethe_error)
    app.add_exception_handler(HTTPException, _on_http_error)
    app.add_exception_handler(RequestValidationError, _on_framework_validation)
