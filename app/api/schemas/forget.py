"""The request of POST /forget."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import ClassVar, Final

from pydantic import ConfigDict, Field, model_validator

from app.api.schemas.base import Request, wrong
from app.api.schemas.fields import Id, Label, Query, Subject, Time, Token
from app.api.schemas.recall import Filters
from app.domain.commands import ForgetCommand
from app.domain.errors import FieldError
from app.domain.filters import Filter

SELECTORS: Final = (
    "memory_ids",
    "query",
    "subject",
    "source_id",
    "session_id",
    "filters",
    "before",
    "everything",
    "preview_token",
)
DEFAULT_K: Final = 20
DEFAULT_MIN_SCORE: Final = 0.5


class ForgetRequest(Request):
    """Erase by exactly one selector. Words need a preview first."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "memory_ids": [
                        "0197a000-1111-7c3e-9b1d-4f2a6c8d0a02",
                        "0198ffff-0000-7000-8000-000000000000",
                    ]
                },
                {"query": "anything about Munich", "dry_run": True},
                {"preview_token": "pv_5Qm8"},
                {"everything": True},
            ]
        }
    )
    aliases: ClassVar[Mapping[str, str]] = {"run_id": "session_id"}

    memory_ids: list[Id] | None = Field(
        default=None,
        min_length=1,
        max_length=1000,
        description="These memories; unknown ids count in `not_found`.",
        examples=[["0197a000-1111-7c3e-9b1d-4f2a6c8d0a02"]],
    )
    query: Query | None = Field(
        default=None, description="Words; only with `dry_run: true`.", examples=["anything about Munich"]
    )
    subject: Subject | None = Field(default=None, description="All about this subject.", examples=["person:brother"])
    source_id: Label | None = Field(default=None, description="All from this source.", examples=["handbook.pdf"])
    session_id: Label | None = Field(
        default=None, description="All from this session. Alias: `run_id`.", examples=["chat-812"]
    )
    filters: Filters | None = Field(default=None, description="All that matches; an empty filter is refused.")
    before: Time | None = Field(
        default=None,
        description="All last confirmed (else created) strictly before this time.",
        examples=["2025-01-01T00:00:00Z"],
    )
    everything: bool | None = Field(default=None, description="All of this user; only true.", examples=[True])
    preview_token: Token | None = Field(
        default=None, description="Exactly what a preview showed; valid for 15 minutes.", examples=["pv_5Qm8"]
    )
    dry_run: bool = Field(default=False, description="Show what would go, and give a token.")
    history: bool | None = Field(
        default=None, description="Erase earlier versions too; default: true. Not with `preview_token`."
    )
    k: int | None = Field(
        default=None, ge=1, le=100, description="Most matches; only with `query`; default: 20.", examples=[20]
    )
    min_score: float | None = Field(
        default=None, ge=0, le=1, description="Least score, 0..1; only with `query`; default: 0.5.", examples=[0.5]
    )

    @model_validator(mode="after")
    def _one_selector(self) -> ForgetRequest:
        if len(self._given()) != 1:
            raise wrong("one_of_required", f"Send exactly one of: {', '.join(SELECTORS)}. To combine use filters.")
        return self

    def _given(self) -> list[str]:
        return [name for name in SELECTORS if getattr(self, name) is not None]

    @property
    def selector(self) -> str:
        """The one field that says what to erase."""
        return self._given()[0]

    def cross_check(self) -> list[FieldError]:
        """Check rules between fields, once each field is right by itself."""
        faults = []
        if self.everything is False:
            faults.append(FieldError("/everything", "out_of_range", "Send everything: true, or another selector."))
        if self.query is None:
            for name in ("k", "min_score"):
                if getattr(self, name) is not None:
                    faults.append(FieldError(f"/{name}", "out_of_range", f"{name} is taken only with query."))
        if self.preview_token is not None:
            if self.dry_run:
                faults.append(
                    FieldError("/dry_run", "out_of_range", "A preview_token applies a preview; leave dry_run out.")
                )
            if self.history is not None:
                faults.append(
                    FieldError("/history", "out_of_range", "The preview has settled this; leave history out.")
                )
        return faults

    def to_command(self, now: datetime, *, filters: Filter | None) -> ForgetCommand:
        """Turn the request into what the service takes."""
        return ForgetCommand(
            selector=self.selector,
            received_at=now,
            memory_ids=tuple(self.memory_ids or ()),
            query=self.query,
            subject=self.subject,
            source_id=self.source_id,
            session_id=self.session_id,
            filters=filters,
            before=self.before,
            preview_token=self.preview_token,
            dry_run=self.dry_run,
            history=self.history is not False,
            k=DEFAULT_K if self.k is None else self.k,
            min_score=DEFAULT_MIN_SCORE if self.min_score is None else float(self.min_score),
        )
