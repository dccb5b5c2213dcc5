"""What surrounds every request, as plain ASGI: id, limits, headers, numbers, one log line, no exception out."""

from __future__ import annotations

import re
import time
import uuid
from typing import Any, Final

import structlog
from starlette.datastructures import MutableHeaders
from starlette.requests import ClientDisconnect
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.api.problems import internal, problem
from app.domain.errors import BodyTooLarge, Overloaded
from app.log import ACCESS, exception_chain, exception_places
from app.metrics import Metrics

CONTRACT: Final = "1"
MAX_BODY: Final = 1024 * 1024
# These must answer when all places are taken, or nobody can see why.
UNLIMITED: Final = frozenset({"/healthz", "/readyz", "/metrics"})
_REQUEST_ID: Final = re.compile(r"[A-Za-z0-9._-]{1,128}", re.ASCII)
_log = structlog.get_logger(ACCESS)


class AnswerCutOff(Exception):
    """An answer failed after its first byte; the connection is closed, so that the reader notices."""


class Frame:
    """The outermost layer of ours. Takes no place from health checks, lets no exception text out."""

    def __init__(self, app: ASGIApp, *, metrics: Metrics, max_concurrent: int) -> None:
        self._app = app
        self._metrics = metrics
        self._free = max_concurrent

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        started = time.perf_counter()
        answer = _Answer(send, request_id=_request_id(scope))
        structlog.contextvars.clear_contextvars()
        structlog.contextvars.bind_contextvars(request_id=answer.request_id)
        self._metrics.request_started()
        try:
            await self._limited(scope, receive, answer)
        finally:
            seconds = time.perf_counter() - started
            route = _template(scope)
            method = _method(scope)
            self._metrics.request_ended(route=route, method=method, status=answer.status, seconds=seconds)
            # probes come every few seconds; at INFO they would bury the rest
            write_line = _log.debug if route in UNLIMITED else _log.info
            write_line("request", method=method, route=route, status=answer.status, ms=round(seconds * 1000, 1))
            structlog.contextvars.clear_contextvars()

    async def _limited(self, scope: Scope, receive: Receive, answer: _Answer) -> None:
        if scope["path"] in UNLIMITED:
            await self._guarded(scope, receive, answer)
        elif self._free <= 0:
            await problem(Overloaded())(scope, receive, answer.send)
        else:
            self._free -= 1
            try:
                await self._guarded(scope, receive, answer)
            finally:
                self._free += 1

    async def _guarded(self, scope: Scope, receive: Receive, answer: _Answer) -> None:
        try:
            await self._app(scope, _capped(scope, receive, answer), answer.send)
        except ClientDisconnect:
            # nobody is left to answer
            return
        except Exception as error:
            if answer.started:
                _log.error("answer_cut_off", raised=exception_chain(error), places=exception_places(error))
                raise AnswerCutOff from None
            failure: Response = internal(error)
            await failure(scope, receive, answer.send)


class _Answer:
    """The way back: adds the headers that every answer carries, and remembers the status."""

    def __init__(self, send: Send, *, request_id: str) -> None:
        self._send = send
        self.request_id = request_id
        self.started = False
        # what is written when the caller goes away before an answer
        self.status = 499

    async def send(self, message: Message) -> None:
        """Pass a message on."""
        if message["type"] == "http.response.start":
            self.started = True
            self.status = message["status"]
            headers = MutableHeaders(scope=message)
            headers["X-Request-Id"] = self.request_id
            headers["Cache-Control"] = "no-store"
            headers["Lethe-Contract"] = CONTRACT
            headers["X-Content-Type-Options"] = "nosniff"
        await self._send(message)


def _capped(scope: Scope, receive: Receive, answer: _Answer) -> Receive:
    """Count a body while it arrives, and stop reading when it is too large, whatever its header promised."""
    promised = _content_length(scope)
    arrived = 0

    async def limited() -> Message:
        nonlocal arrived
        # once an answer has begun, what still arrives is only the caller's going away
        if promised > MAX_BODY and not answer.started:
            raise BodyTooLarge
        message = await receive()
        arrived += len(message.get("body", b""))
        if arrived > MAX_BODY and not answer.started:
            raise BodyTooLarge
        return message

    return limited


def _content_length(scope: Scope) -> int:
    for name, value in scope["headers"]:
        if name == b"content-length":
            return int(value) if value.isdigit() and len(value) < 19 else MAX_BODY + 1
    return 0


def _request_id(scope: Scope) -> str:
    for name, value in scope["headers"]:
        if name == b"x-request-id":
            given: str = value.decode("latin-1")
            if _REQUEST_ID.fullmatch(given):
                return given
    return str(uuid.uuid4())


def _template(scope: Scope) -> str:
    """Name the route, never the path: a path may hold anything."""
    route: Any = scope.get("route")
    path = getattr(route, "path", None)
    return path if isinstance(path, str) else "unmatched"


def _method(scope: Scope) -> str:
    # a method can be any word of the caller's; labels are ours
    known = {"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"}
    return scope["method"] if scope["method"] in known else "other"
