"""POST /forget and GET /forget/{receipt_id}."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Request
from starlette.responses import Response

from app.api.answers import answer, replied
from app.api.deps import Access, Call
from app.api.openapi import takes
from app.api.reading import read_body, read_filters, validate
from app.api.schemas.fields import read_id
from app.api.schemas.forget import ForgetRequest
from app.api.schemas.forget_answers import Preview, Receipt, StoredReceipt
from app.domain.caller import Scope
from app.domain.errors import PreviewRequired

router = APIRouter(tags=["forget"])
PATH = "/forget"


@router.post(
    PATH,
    summary="Erase memories, or preview an erasure",
    response_model=Receipt | Preview,
    openapi_extra=takes(ForgetRequest, idempotent=True),
)
async def forget(request: Request, call: Annotated[Call, Depends(Access(Scope.FORGET))]) -> Response:
    """Erase for good, by exactly one selector, and give a receipt. With `dry_run` only show what would go."""
    body = await read_body(request)
    asked = validate(ForgetRequest, body.value, now=call.now)
    if asked.query is not None and not asked.dry_run:
        raise PreviewRequired
    filters = read_filters(asked.filters, allow_empty=False)
    idempotency = call.idempotency(PATH, body)
    command = asked.to_command(call.now, filters=filters)
    return replied(await call.lethe.forget(call.owner, command, idempotency=idempotency))


@router.get("/forget/{receipt_id}", summary="Look at a receipt again", response_model=StoredReceipt)
async def receipt(receipt_id: str, call: Annotated[Call, Depends(Access(Scope.FORGET))]) -> Response:
    """Give a stored receipt, with a fresh look for what should be gone."""
    return answer(await call.lethe.receipt(call.owner, read_id(receipt_id), now=call.now))
