"""What every route needs before it does anything: a key, a scope, a user, a free place. In this order.

A route declares its policy by depending on `Access(scope)`; a test walks all routes and fails where none does.
The body is read afterwards, by the route itself, so that nobody without a key makes us parse anything.
"""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final

from starlette.requests import Request

from app.api.reading import Body, check_query
from app.domain.caller import Owner, Principal, Scope
from app.domain.errors import (
    FieldError,
    InvalidRequest,
    RateLimited,
    ScopeMissing,
    Unauthenticated,
    UserRequired,
)
from app.services.replies import Idempotency

if TYPE_CHECKING:
    from collections.abc import Iterator

    from app.services.container import Lethe

_USER: Final = re.compile(r"[A-Za-z0-9._:@|+=/-]{1,128}", re.ASCII)
_TOKEN: Final = re.compile(r"[\x21-\x7e]{1,512}", re.ASCII)
_IDEMPOTENCY_KEY: Final = re.compile(r"[\x21-\x7e]{1,255}", re.ASCII)


class Places:
    """How many requests of each tenant are in work, in this process."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._taken: dict[str, int] = {}

    @contextmanager
    def take(self, tenant_id: str) -> Iterator[None]:
        """Hold one place of a tenant; raises RateLimited when all are taken."""
        taken = self._taken.get(tenant_id, 0)
        if taken >= self._most:
            raise RateLimited
        self._taken[tenant_id] = taken + 1
        try:
            yield
        finally:
            left = self._taken[tenant_id] - 1
            if left:
                self._taken[tenant_id] = left
            else:
                del self._taken[tenant_id]


@dataclass(frozen=True, slots=True)
class Call:
    """An admitted request: the service, whose memories, with which key, at what time."""

    lethe: Lethe
    owner: Owner
    principal: Principal
    now: datetime
    _headers: Mapping[str, list[str]]

    def require(self, scope: Scope) -> None:
        """Refuse what needs another scope besides the route's; raises ScopeMissing."""
        check_scope(self.principal, scope)

    def idempotency(self, path: str, body: Body) -> Idempotency | None:
        """Read the Idempotency-Key, if one was sent; raises InvalidRequest."""
        keys = self._headers.get("idempotency-key", [])
        if not keys:
            return None
        if len(keys) > 1 or not _IDEMPOTENCY_KEY.fullmatch(keys[0]):
            raise InvalidRequest(
                FieldError("", "out_of_range", "Send one Idempotency-Key of 1 to 255 visible ASCII characters.")
            )
        return Idempotency(key=keys[0], path=path, body=body.canonical())


class Access:
    """The policy of a route: which scope its key needs, and which query parameters it knows."""

    def __init__(self, scope: Scope, *, parameters: Mapping[str, object] | None = None) -> None:
        self.scope = scope
        self._parameters = parameters or {}

    async def __call__(self, request: Request) -> AsyncIterator[Call]:
        """Admit a request: 401 without a key, 403 without the scope, 400 without a user, 429 when full."""
        state = request.app.state
        lethe: Lethe = state.lethe
        headers = _headers(request)
        principal = await lethe.authenticate(_token(headers))
        check_scope(principal, self.scope)
        owner = lethe.owner(principal, _user(headers))
        check_query(request.query_params, known=self._parameters)
        places: Places = state.places
        with places.take(owner.tenant_id):
            yield Call(
                lethe=lethe,
                owner=owner,
                principal=principal,
                now=lethe.now(),
                _headers=headers,
            )


def check_scope(principal: Principal, scope: Scope) -> None:
    """Refuse a key that lacks a scope; no scope implies another."""
    if scope not in principal.scopes:
        raise ScopeMissing(f"This call needs a key with the scope {scope.value}.")


def _headers(request: Request) -> dict[str, list[str]]:
    """Collect headers as they came, repeated ones included; Latin-1 keeps each byte apart."""
    found: dict[str, list[str]] = {}
    pairs: Any = request.scope["headers"]
    for name, value in pairs:
        found.setdefault(name.decode("latin-1").lower(), []).append(value.decode("latin-1"))
    return found


def _token(headers: Mapping[str, list[str]]) -> str:
    bearer, plain = headers.get("authorization", []), headers.get("x-api-key", [])
    if bearer and plain:
        raise InvalidRequest(FieldError("", "alias_conflict", "Send Authorization or X-API-Key, one of the two."))
    if len(bearer) + len(plain) != 1:
        raise Unauthenticated
    if plain:
        token = plain[0]
    else:
        scheme, _, token = bearer[0].partition(" ")
        token = token.strip(" ")
        if scheme.lower() != "bearer":
            raise Unauthenticated
    if not _TOKEN.fullmatch(token):
        raise Unauthenticated
    return token


def _user(headers: Mapping[str, list[str]]) -> str | None:
    given = headers.get("x-user-id", [])
    if not given:
        return None
    # byte for byte: not trimmed, not folded, and two of them are not a choice
    if len(given) > 1 or not _USER.fullmatch(given[0]):
        raise UserRequired
    return given[0]
