"""POST /recall."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Request
from starlette.responses import Response

from app.api.answers import answer
from app.api.deps import Access, Call
from app.api.openapi import takes
from app.api.reading import read_body, read_filters, validate
from app.api.schemas.recall import RecallRequest
from app.api.schemas.recall_answers import RecallAnswer
from app.domain.caller import Scope

router = APIRouter(tags=["recall"])


@router.post(
    "/recall",
    summary="Recall what matters now",
    response_model=RecallAnswer,
    openapi_extra=takes(RecallRequest),
)
async def recall(request: Request, call: Annotated[Call, Depends(Access(Scope.READ))]) -> Response:
    """Rank this user's memories for a query, and compose a block for the model. A recall changes nothing."""
    body = await read_body(request)
    asked = validate(RecallRequest, body.value, now=call.now)
    filters = read_filters(asked.filters)
    return answer(await call.lethe.recall(call.owner, asked.to_command(call.now, filters=filters, request=body.value)))
