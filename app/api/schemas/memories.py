"""The requests of the calls around the four verbs: list, patch, approve."""

from __future__ import annotations

import hashlib
import json
from datetime import datetime
from typing import Annotated, ClassVar, Final

from pydantic import BeforeValidator, ConfigDict, Field, WithJsonSchema, model_validator

from app.api.schemas.base import Request, wrong
from app.api.schemas.fields import (
    Correction,
    EndTime,
    KindWord,
    Label,
    Metadata,
    Note,
    SourceWord,
    StatusWord,
    Subject,
    Time,
    Token,
)
from app.domain.answers import wire
from app.domain.commands import ALL_KINDS, ListCommand, PatchCommand
from app.domain.filters import AllOf, Condition, Filter, Op
from app.domain.memory import Status

MAX_PAGE: Final = 200


def _limit(value: object) -> int:
    # a query parameter is text; only plain digits are a number
    if not isinstance(value, str) or not value.isascii() or not value.isdigit() or len(value) > 9:
        raise wrong("wrong_type", f"Send a whole number from 1 to {MAX_PAGE}.")
    return int(value)


def _flag(value: object) -> bool:
    if value not in ("true", "false"):
        raise wrong("wrong_type", "Send true or false.")
    return value == "true"


class ListQuery(Request):
    """The query parameters of GET /memories. All of them narrow."""

    repeatable: ClassVar[frozenset[str]] = frozenset({"kind", "status"})
    # these are conditions of the filter language under another spelling
    conditions: ClassVar[tuple[str, ...]] = (
        "subject",
        "attribute",
        "session_id",
        "agent_id",
        "source_id",
        "source_type",
        "pinned",
    )

    kind: list[KindWord] | None = Field(
        default=None, max_length=16, description="Only these kinds; repeatable; default: all.", examples=[["semantic"]]
    )
    status: list[StatusWord] | None = Field(
        default=None,
        max_length=16,
        description="Only with this status; repeatable; default: active.",
        examples=[["active"]],
    )
    subject: Subject | None = Field(default=None, description="Only about this subject.", examples=["user"])
    attribute: Subject | None = Field(default=None, description="Only this attribute.", examples=["home_city"])
    session_id: Label | None = Field(default=None, description="Only from this session.", examples=["chat-812"])
    agent_id: Label | None = Field(default=None, description="Only from this agent.", examples=["ops"])
    source_id: Label | None = Field(default=None, description="Only from this source.", examples=["handbook.pdf"])
    source_type: SourceWord | None = Field(default=None, description="Only from this channel.", examples=["document"])
    pinned: Annotated[bool, BeforeValidator(_flag), WithJsonSchema({"type": "boolean"})] | None = Field(
        default=None, description="Only pinned, or only not pinned.", examples=[True]
    )
    created_after: Time | None = Field(
        default=None, description="Only created later than this.", examples=["2025-01-01T00:00:00Z"]
    )
    created_before: Time | None = Field(
        default=None, description="Only created earlier than this.", examples=["2025-07-01T00:00:00Z"]
    )
    filters: Annotated[str, WithJsonSchema({"type": "string"})] | None = Field(
        default=None, description="A filter as JSON.", examples=['{"importance": {"gte": 6}}']
    )
    limit: Annotated[int, BeforeValidator(_limit), Field(ge=1, le=MAX_PAGE)] = Field(
        default=50, description="Most memories of a page.", examples=[50]
    )
    cursor: Token | None = Field(
        default=None, description="`next_cursor` of the page before, unchanged.", examples=["eyJ2IjoxfQ"]
    )

    def to_command(self, now: datetime, *, filters: Filter | None) -> ListCommand:
        """Turn the parameters into what the service takes."""
        parts: list[Filter] = [
            Condition(field=name, metadata=False, op=Op.EQ, value=value)
            for name in self.conditions
            if (value := getattr(self, name)) is not None
        ]
        if filters is not None:
            parts.append(filters)
        return ListCommand(
            received_at=now,
            kinds=frozenset(self.kind) if self.kind else ALL_KINDS,
            statuses=frozenset(self.status) if self.status else frozenset({Status.ACTIVE}),
            filters=AllOf(tuple(parts)) if parts else None,
            created_after=self.created_after,
            created_before=self.created_before,
            limit=self.limit,
            cursor=self.cursor,
            parameters=self._fingerprint(),
        )

    def _fingerprint(self) -> str:
        """Name the listing a cursor belongs to: all parameters but the page's size and place."""
        chosen = self.model_dump(exclude={"limit", "cursor"}, exclude_none=True)
        for name in self.repeatable & chosen.keys():
            chosen[name] = sorted(set(chosen[name]))
        canonical = json.dumps(wire(chosen), sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(canonical.encode()).hexdigest()


class PatchRequest(Request):
    """Correct a memory, or change its labels. At least one field."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"content": "User lives in Hamburg"}, {"pinned": True, "expires_at": None}]}
    )
    null_counts: ClassVar[frozenset[str]] = frozenset({"expires_at"})

    content: Correction | None = Field(
        default=None,
        description="The correction, a superseding memory with this act as its evidence.",
        examples=["User lives in Hamburg"],
    )
    metadata: Metadata | None = Field(default=None, description="Replaces all of it.")
    pinned: bool | None = Field(default=None, description="A pinned memory never fades.", examples=[True])
    expires_at: EndTime | None = Field(
        default=None, description="When it ends; null removes the end.", examples=["2099-01-01T00:00:00Z"]
    )

    @model_validator(mode="after")
    def _something(self) -> PatchRequest:
        if not self.model_fields_set:
            raise wrong("one_of_required", "Send at least one of: content, metadata, pinned, expires_at.")
        return self

    def to_command(self, now: datetime) -> PatchCommand:
        """Turn the request into what the service takes."""
        return PatchCommand(
            received_at=now,
            changed=frozenset(self.model_fields_set),
            content=self.content,
            metadata=self.metadata,
            pinned=self.pinned,
            expires_at=self.expires_at,
        )


class ApproveRequest(Request):
    """Approve a memory: what was held or disputed becomes a new memory on the reviewer's word."""

    model_config = ConfigDict(json_schema_extra={"examples": [{}, {"note": "Confirmed on the phone."}]})

    note: Note | None = Field(default=None, description="Why, in words.", examples=["Confirmed on the phone."])


class EmptyRequest(Request):
    """No field."""

    model_config = ConfigDict(json_schema_extra={"examples": [{}]})
