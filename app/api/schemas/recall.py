"""The request of POST /recall."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Annotated, Any, ClassVar

from pydantic import BeforeValidator, ConfigDict, Field, WithJsonSchema, model_validator

from app.api.schemas.base import Request, wrong
from app.api.schemas.fields import KindWord, KnownTime, Query, Subject, Time
from app.domain.commands import ALL_KINDS, AsOf, RecallCommand
from app.domain.filters import Filter
from app.domain.memory import Status

INCLUDED = {"superseded": Status.SUPERSEDED, "held": Status.HELD, "disputed": Status.DISPUTED}
UNTRUSTED = "untrusted"


def _include(value: object) -> object:
    if not isinstance(value, str):
        raise wrong("wrong_type", "Send a string.")
    if value not in {*INCLUDED, UNTRUSTED}:
        raise wrong("out_of_range", f"One of: {', '.join([*INCLUDED, UNTRUSTED])}.")
    return value


Include = Annotated[str, BeforeValidator(_include), WithJsonSchema({"type": "string", "enum": [*INCLUDED, UNTRUSTED]})]
Filters = Annotated[
    Any,
    WithJsonSchema(
        {
            "type": "object",
            "additionalProperties": True,
            "description": "Fields are ANDed; a bare value means eq; `and`, `or`, `not` combine.",
            "examples": [{"metadata.project": "apollo", "importance": {"gte": 6}}],
        }
    ),
]


class AsOfIn(Request):
    """A point on both clocks. The half that is missing is filled in."""

    valid_at: Time | None = Field(
        default=None,
        description="What was true then; default: `known_at`.",
        examples=["2025-04-15T00:00:00Z"],
    )
    known_at: KnownTime | None = Field(
        default=None, description="What was known then; default: now.", examples=["2025-06-03T10:00:00Z"]
    )

    @model_validator(mode="after")
    def _one_half(self) -> AsOfIn:
        if self.valid_at is None and self.known_at is None:
            raise wrong("one_of_required", "Send valid_at, known_at or both.")
        return self

    def resolve(self, now: datetime) -> AsOf:
        """Fill in the missing half."""
        known_at = self.known_at or now
        return AsOf(valid_at=self.valid_at or known_at, known_at=known_at, known_given=self.known_at is not None)


class RecallRequest(Request):
    """Ask for what matters now."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {"query": "Where does the user live, and how should I answer?", "min_score": 0.3},
                {
                    "query": "deploy target",
                    "k": 10,
                    "kinds": ["semantic", "episodic"],
                    "subject": "user",
                    "min_score": 0.2,
                    "min_trust": 3,
                    "include": ["superseded"],
                    "token_budget": 600,
                    "filters": {
                        "metadata.project": "apollo",
                        "importance": {"gte": 6},
                        "or": [{"session_id": "chat-812"}, {"agent_id": {"in": ["ops", "sre"]}}],
                    },
                },
                {
                    "query": "Where does the user live?",
                    "k": 1,
                    "as_of": {"valid_at": "2025-04-15T00:00:00Z"},
                    "token_budget": 0,
                },
            ]
        }
    )
    aliases: ClassVar[Mapping[str, str]] = {"top_k": "k", "limit": "k"}

    query: Query = Field(description="What to look for.", examples=["Where does the user live?"])
    k: int = Field(
        default=5, ge=1, le=100, description="Most memories to return. Aliases: `top_k`, `limit`.", examples=[5]
    )
    kinds: list[KindWord] | None = Field(
        default=None,
        min_length=1,
        max_length=16,
        description="Only these kinds; default: all.",
        examples=[["semantic"]],
    )
    subject: Subject | None = Field(default=None, description="Only about this subject.", examples=["user"])
    min_score: float | None = Field(
        default=None,
        ge=0,
        le=1,
        description="Least score, 0..1; default: the tenant's, 0. With the bundled model 0.2 silences most questions "
        "that nothing answers.",
        examples=[0.3],
    )
    min_trust: int | None = Field(
        default=None,
        ge=0,
        le=4,
        description='Least trust, 0..4; default: the tenant\'s, 2. Lower needs include: ["untrusted"].',
        examples=[3],
    )
    include: list[Include] = Field(
        default=[], max_length=16, description="What to return besides active and trusted.", examples=[["superseded"]]
    )
    token_budget: int = Field(
        default=1024, ge=0, le=32_000, description="Most tokens of the context block (estimated); 0: no block."
    )
    filters: Filters | None = Field(default=None, description="A filter; never relaxed.")
    as_of: AsOfIn | None = Field(
        default=None,
        description="Ask about the past.",
        examples=[{"valid_at": "2025-04-15T00:00:00Z"}],
    )
    trace: bool = Field(default=False, description="Keep this recall for /explain, and tell how it came about.")

    def to_command(self, now: datetime, *, filters: Filter | None, request: Mapping[str, Any]) -> RecallCommand:
        """Turn the request into what the service takes; `request` is kept with a trace."""
        return RecallCommand(
            query=self.query,
            received_at=now,
            k=self.k,
            kinds=frozenset(self.kinds) if self.kinds else ALL_KINDS,
            subject=self.subject,
            min_score=None if self.min_score is None else float(self.min_score),
            min_trust=self.min_trust,
            include=frozenset(INCLUDED[name] for name in self.include if name != UNTRUSTED),
            untrusted=UNTRUSTED in self.include,
            token_budget=self.token_budget,
            filters=filters,
            as_of=self.as_of.resolve(now) if self.as_of else None,
            trace=self.trace,
            request=dict(request),
        )
