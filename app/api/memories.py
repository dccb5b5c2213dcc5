"""The calls around the four verbs: list, export, get, patch, delete, approve, reject."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Request
from starlette.responses import Response, StreamingResponse

from app.api.answers import answer, render
from app.api.deps import Access, Call
from app.api.openapi import takes, takes_query
from app.api.reading import EmptyRequest, parse_json, read_body, read_filters, read_query, validate
from app.api.schemas.fields import read_id
from app.api.schemas.forget_answers import Receipt
from app.api.schemas.memories import ApproveRequest, ListQuery, PatchRequest
from app.api.schemas.memory_answers import Approval, DetailedMemory, MemoryPage
from app.domain.answers import wire
from app.domain.caller import Scope
from app.domain.errors import FieldError, InvalidRequest, MalformedJson
from app.domain.filters import Filter

router = APIRouter(tags=["memories"])

Reader = Annotated[Call, Depends(Access(Scope.READ))]
Writer = Annotated[Call, Depends(Access(Scope.WRITE))]
Eraser = Annotated[Call, Depends(Access(Scope.FORGET))]
Reviewer = Annotated[Call, Depends(Access(Scope.REVIEW))]
Lister = Annotated[Call, Depends(Access(Scope.READ, parameters=ListQuery.model_fields))]


@router.get(
    "/memories",
    summary="List memories",
    response_model=MemoryPage,
    openapi_extra=takes_query(ListQuery),
)
async def list_memories(request: Request, call: Lister) -> Response:
    """Page through this user's own inventory, newest first, without a trust floor."""
    asked = read_query(ListQuery, request.query_params, now=call.now)
    command = asked.to_command(call.now, filters=_filters_parameter(asked.filters))
    return answer(await call.lethe.list_memories(call.owner, command))


def _filters_parameter(text: str | None) -> Filter | None:
    if text is None:
        return None
    try:
        value = parse_json(text)
    except MalformedJson:
        raise InvalidRequest(FieldError("/filters", "wrong_type", "Send a filter as URL-encoded JSON.")) from None
    return read_filters({} if value is None else value)


# Fixed paths stand before /memories/{id}, which would take them for ids.
@router.get(
    "/memories/export",
    summary="Export everything",
    response_class=StreamingResponse,
    responses={
        200: {
            "description": 'One JSON object a line: {"memory": .., "evidence": [..], "history": [..]}.',
            "content": {"application/x-ndjson": {"schema": {"type": "string"}}},
        }
    },
)
async def export(call: Reader) -> Response:
    """Stream every memory of this user, whatever its status, with evidence and history."""
    rows = call.lethe.export(call.owner, now=call.now)
    # what can fail fails before the status is sent
    first = await anext(rows, None)
    return StreamingResponse(_lines(first, rows), media_type="application/x-ndjson")


async def _lines(first: Mapping[str, Any] | None, rows: AsyncIterator[Mapping[str, Any]]) -> AsyncIterator[bytes]:
    if first is None:
        return
    yield _line(first)
    async for row in rows:
        yield _line(row)


def _line(row: Mapping[str, Any]) -> bytes:
    return render(wire(row)) + b"\n"


@router.get("/memories/{memory_id}", summary="Get a memory", response_model=DetailedMemory)
async def get_memory(memory_id: str, call: Reader) -> Response:
    """Give one memory with its details, whatever its status."""
    return answer(await call.lethe.get_memory(call.owner, read_id(memory_id), now=call.now))


@router.patch(
    "/memories/{memory_id}",
    summary="Correct a memory or change its labels",
    response_model=DetailedMemory,
    openapi_extra=takes(PatchRequest),
)
async def patch_memory(memory_id: str, request: Request, call: Writer) -> Response:
    """Correct the content (a new memory supersedes this one), or change metadata, pin or end."""
    body = await read_body(request)
    asked = validate(PatchRequest, body.value, now=call.now)
    return answer(await call.lethe.patch_memory(call.owner, read_id(memory_id), asked.to_command(call.now)))


@router.delete("/memories/{memory_id}", summary="Erase a memory", response_model=Receipt)
async def delete_memory(memory_id: str, call: Eraser) -> Response:
    """Erase one memory with its earlier versions, and give the receipt."""
    return answer(await call.lethe.delete_memory(call.owner, read_id(memory_id), now=call.now))


@router.post(
    "/memories/{memory_id}/approve",
    summary="Approve a held, quarantined or disputed memory",
    response_model=Approval,
    openapi_extra=takes(ApproveRequest, required=False),
)
async def approve(memory_id: str, request: Request, call: Reviewer) -> Response:
    """Store it anew on the reviewer's word, and retire the old row."""
    body = await read_body(request, may_be_empty=True)
    asked = validate(ApproveRequest, body.value, now=call.now)
    return answer(await call.lethe.approve(call.owner, read_id(memory_id), note=asked.note, now=call.now))


@router.post(
    "/memories/{memory_id}/reject",
    summary="Reject a held, quarantined or disputed memory",
    response_model=Receipt,
    openapi_extra=takes(EmptyRequest, required=False),
)
async def reject(memory_id: str, request: Request, call: Reviewer) -> Response:
    """Erase it, and give the receipt."""
    body = await read_body(request, may_be_empty=True)
    validate(EmptyRequest, body.value, now=call.now)
    return answer(await call.lethe.reject(call.owner, read_id(memory_id), now=call.now))
