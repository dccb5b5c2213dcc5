"""POST /memories/write."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Request
from starlette.responses import Response

from app.api.answers import replied
from app.api.deps import Access, Call
from app.api.openapi import takes
from app.api.reading import read_body, validate
from app.api.schemas.write import WriteRequest
from app.api.schemas.write_answers import WriteAnswer
from app.domain.caller import Scope

router = APIRouter(tags=["memories"])
PATH = "/memories/write"


@router.post(
    PATH,
    summary="Write a conversation turn or a text",
    response_model=WriteAnswer,
    openapi_extra=takes(WriteRequest, idempotent=True),
)
async def write(request: Request, call: Annotated[Call, Depends(Access(Scope.WRITE))]) -> Response:
    """Offer text. Every message yields at least one result; what is refused says why. A refusal is a 200."""
    body = await read_body(request)
    asked = validate(WriteRequest, body.value, now=call.now)
    if asked.force:
        call.require(Scope.IMPORT)
    idempotency = call.idempotency(PATH, body)
    reply = await call.lethe.write(call.owner, asked.to_command(call.now), idempotency=idempotency)
    return replied(reply)
