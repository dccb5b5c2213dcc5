"""The request of POST /explain."""

from __future__ import annotations

from typing import Final

from pydantic import ConfigDict, Field, model_validator

from app.api.schemas.base import Request, wrong
from app.api.schemas.fields import Id, Query
from app.api.schemas.recall import RecallRequest

FORMS: Final = "memory_id; recall_id, alone or with memory_id; recall with memory_id; write_id; question"


class ExplainRequest(Request):
    """Ask why. Exactly one form: a memory, a recall, a recall run again, a write, or words."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {"memory_id": "0198e0c1-7a10-7c3e-9b1d-4f2a6c8d0a01"},
                {
                    "recall_id": "0198e0c1-7a10-7c3e-9b1d-4f2a6c8d0b01",
                    "memory_id": "0197a000-1111-7c3e-9b1d-4f2a6c8d0a02",
                },
                {"question": "Why do you think I live in Berlin?"},
            ]
        }
    )

    memory_id: Id = Field(default=None, description="A memory.", examples=["0198e0c1-7a10-7c3e-9b1d-4f2a6c8d0a01"])
    recall_id: Id = Field(
        default=None,
        description="A recall that was kept (`trace: true`).",
        examples=["0198e0c1-7a10-7c3e-9b1d-4f2a6c8d0b01"],
    )
    recall: RecallRequest | None = Field(
        default=None,
        description="A recall to run again now; with `memory_id`.",
        examples=[{"query": "Where does the user live?"}],
    )
    write_id: Id = Field(default=None, description="A write.", examples=["0198e0c1-7a10-7c3e-9b1d-4f2a6c8d0c01"])
    question: Query | None = Field(
        default=None, description="In words.", examples=["Why do you think I live in Berlin?"]
    )

    @model_validator(mode="after")
    def _one_form(self) -> ExplainRequest:
        given = self.model_fields_set
        heads = given - {"memory_id"}
        alone = {"write_id", "question"}
        if len(heads) > 1 or not given or (given & alone and "memory_id" in given) or given == {"recall"}:
            raise wrong("one_of_required", f"Send exactly one of: {FORMS}.")
        return self

    @property
    def by(self) -> str:
        """The field that leads: memory_id, recall_id, recall, write_id or question."""
        heads = self.model_fields_set - {"memory_id"}
        return next(iter(heads), "memory_id")
