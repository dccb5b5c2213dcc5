"""How an answer leaves: as JSON, in the words of the wire."""

from __future__ import annotations

import json
from typing import Any

from starlette.responses import JSONResponse, Response

from app.domain.answers import wire
from app.services.replies import Reply


def render(value: Any) -> bytes:
    """Write JSON as UTF-8. A lone surrogate, quoted from a refused message, stays an escape."""
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    try:
        return text.encode()
    except UnicodeEncodeError:
        return json.dumps(value, allow_nan=False, separators=(",", ":")).encode()


class Json(JSONResponse):
    """A JSON answer."""

    def render(self, content: Any) -> bytes:
        """Write the body."""
        return render(content)


def answer(value: Any) -> Response:
    """Send a domain answer with status 200."""
    return Json(wire(value))


def replied(reply: Reply) -> Response:
    """Send the reply of a call that takes an Idempotency-Key, and say whether it is a replay."""
    headers = {"Idempotency-Replayed": "true"} if reply.replayed else None
    return Json(wire(reply.body), headers=headers)
