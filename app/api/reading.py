"""Reading a request: strict JSON, then the schema, then the rules between fields."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, TypeVar

from pydantic import BaseModel, ValidationError
from starlette.datastructures import QueryParams
from starlette.requests import Request as HttpRequest

from app.api.problems import invalid
from app.api.schemas import base
from app.api.schemas.base import unknown_field
from app.api.schemas.explain import ExplainRequest
from app.api.schemas.forget import ForgetRequest
from app.api.schemas.memories import ApproveRequest, EmptyRequest, ListQuery, PatchRequest
from app.api.schemas.recall import AsOfIn, RecallRequest
from app.api.schemas.write import MessageIn, SourceIn, WriteRequest
from app.domain.errors import FieldError, InvalidRequest, MalformedJson, UnsupportedMediaType
from app.domain.filters import Filter, parse_filters

MAX_DEPTH: Final = 256
# Postgres, and most JSON readers on the way back, hold whole numbers of 64 bits.
MAX_INT: Final = 2**63 - 1
_MODELS: Final[tuple[type[BaseModel], ...]] = (
    WriteRequest,
    MessageIn,
    SourceIn,
    RecallRequest,
    AsOfIn,
    ForgetRequest,
    ExplainRequest,
    ListQuery,
    PatchRequest,
    ApproveRequest,
)
FIELDS: Final = frozenset(name for model in _MODELS for name in model.model_fields)

R = TypeVar("R", bound=base.Request)


@dataclass(frozen=True, slots=True)
class Body:
    """A parsed JSON body."""

    value: Any

    def canonical(self) -> bytes:
        """Write it with sorted keys and no space: equal bodies give equal bytes."""
        return json.dumps(self.value, sort_keys=True, separators=(",", ":")).encode()


async def read_body(request: HttpRequest, *, may_be_empty: bool = False) -> Body:
    """Read a JSON body.

    Raises: UnsupportedMediaType, BodyTooLarge (while the bytes arrive), MalformedJson, InvalidRequest.
    """
    raw = await request.body()
    if not raw and may_be_empty:
        return Body({})
    media = request.headers.get("content-type", "").split(";")[0].strip().lower()
    if media != "application/json":
        raise UnsupportedMediaType
    return Body(parse_json(raw))


def parse_json(raw: bytes | str) -> Any:
    """Parse strict JSON: UTF-8, no NaN or Infinity, a bounded depth, numbers that 64 bits hold."""
    try:
        text = raw if isinstance(raw, str) else raw.decode()
        value = json.loads(text, parse_constant=_no_constant, parse_float=_float, parse_int=_int)
    except RecursionError:
        raise MalformedJson(f"The JSON is nested too deeply (at most {MAX_DEPTH} levels).") from None
    except ValueError:
        # also bad UTF-8; the parser's own words would quote the body
        raise MalformedJson from None
    _check_depth(value)
    return value


def _no_constant(_name: str) -> float:
    raise MalformedJson


def _float(digits: str) -> float:
    number = float(digits)
    if not math.isfinite(number):
        raise InvalidRequest(FieldError("", "out_of_range", "A number is too large."))
    return number


def _int(digits: str) -> int:
    # the length first: turning very long digits into a number takes quadratic time
    if len(digits) > 20 or abs(number := int(digits)) > MAX_INT:
        raise InvalidRequest(FieldError("", "out_of_range", "Whole numbers have at most 64 bits."))
    return number


def _check_depth(value: Any) -> None:
    here, level = [value], 0
    while here := [item for item in here if isinstance(item, (dict, list))]:
        level += 1
        if level > MAX_DEPTH:
            raise MalformedJson(f"The JSON is nested too deeply (at most {MAX_DEPTH} levels).")
        here = [child for item in here for child in (item.values() if isinstance(item, dict) else item)]


def validate(model: type[R], value: Any, *, now: datetime) -> R:
    """Check parsed JSON against a request model; raises InvalidRequest with every fault."""
    try:
        read = model.model_validate(value, context={"now": now})
    except ValidationError as error:
        raise invalid(error, FIELDS) from None
    if faults := read.cross_check():
        raise InvalidRequest(*faults)
    return read


def read_filters(value: Any, *, pointer: str = "/filters", allow_empty: bool = True) -> Filter | None:
    """Parse a filter; None stands for no filter."""
    if value is None:
        return None
    return parse_filters(value, pointer=pointer, allow_empty=allow_empty)


def read_query(model: type[R], parameters: QueryParams, *, now: datetime) -> R:
    """Check query parameters against a model; each at most once, unless it is repeatable."""
    repeatable: frozenset[str] = getattr(model, "repeatable", frozenset())
    check_query(parameters, known=model.model_fields)
    value: dict[str, Any] = {}
    faults = []
    for name in dict.fromkeys(parameters.keys()):
        given = parameters.getlist(name)
        if name not in repeatable and len(given) > 1:
            faults.append(FieldError(f"/{name}", "too_many", "Send this parameter once."))
        value[name] = given if name in repeatable else given[0]
    if faults:
        raise InvalidRequest(*faults)
    return validate(model, value, now=now)


def check_query(parameters: QueryParams, *, known: Mapping[str, object]) -> None:
    """Refuse unknown query parameters, as unknown fields of a body are refused."""
    faults = dict.fromkeys(_unknown_parameters(parameters, known))
    if faults:
        raise InvalidRequest(*faults)


def _unknown_parameters(parameters: QueryParams, known: Mapping[str, object]) -> Iterator[FieldError]:
    for name in parameters:
        if name not in known:
            code, detail = unknown_field(name)
            yield FieldError("", code, detail)


__all__ = ["Body", "EmptyRequest", "check_query", "parse_json", "read_body", "read_filters", "read_query", "validate"]
