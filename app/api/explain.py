"""POST /explain."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Request
from starlette.responses import Response

from app.api.answers import answer
from app.api.deps import Access, Call
from app.api.openapi import takes
from app.api.reading import read_body, read_filters, validate
from app.api.schemas.explain import ExplainRequest
from app.api.schemas.explain_answers import (
    MemoryExplanation,
    PlaceExplanation,
    RecallExplanation,
    WriteExplanation,
)
from app.domain.caller import Scope
from app.domain.commands import ExplainCommand, RecallCommand

router = APIRouter(tags=["explain"])


@router.post(
    "/explain",
    summary="Explain a memory, a recall or a write",
    response_model=MemoryExplanation | PlaceExplanation | RecallExplanation | WriteExplanation,
    openapi_extra=takes(ExplainRequest),
)
async def explain(request: Request, call: Annotated[Call, Depends(Access(Scope.READ))]) -> Response:
    """Say why something is believed, why it was returned or not, or what became of a write."""
    body = await read_body(request)
    asked = validate(ExplainRequest, body.value, now=call.now)
    recall: RecallCommand | None = None
    if asked.recall is not None:
        filters = read_filters(asked.recall.filters, pointer="/recall/filters")
        recall = asked.recall.to_command(call.now, filters=filters, request=body.value["recall"])
    command = ExplainCommand(
        received_at=call.now,
        by=asked.by,
        memory_id=asked.memory_id,
        recall_id=asked.recall_id,
        with_memory="memory_id" in asked.model_fields_set,
        recall=recall,
        write_id=asked.write_id,
        question=asked.question,
    )
    return answer(await call.lethe.explain(call.owner, command))
