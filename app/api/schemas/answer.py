"""What every answer model has in common. They describe; the services' plain values are what is sent.

A field without "Only with" is always present. Null is said, never left out.
"""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, WithJsonSchema


class Answer(BaseModel):
    """An object of an answer. Clients ignore fields they do not know."""

    model_config = ConfigDict(extra="ignore")


def example(value: Any, description: str) -> Any:
    """Describe a field, with a value that occurs."""
    return Field(description=description, examples=[value])


def only_with(condition: str, value: Any, description: str) -> Any:
    """Describe a field that exists only when it was asked for; it has no default on the wire."""
    # a factory keeps the default out of the schema, where it would promise a null
    return Field(default_factory=lambda: None, description=f"Only with {condition}. {description}", examples=[value])


Time = Annotated[str, WithJsonSchema({"type": "string", "format": "date-time"})]
Id = Annotated[str, WithJsonSchema({"type": "string", "format": "uuid"})]
Counts = dict[str, int]

BERLIN = "0198e0c1-7a10-7c3e-9b1d-4f2a6c8d0a01"
MUNICH = "0197a000-1111-7c3e-9b1d-4f2a6c8d0a02"
STYLE = "0198e0c1-7a10-7c3e-9b1d-4f2a6c8d0a04"
OSLO = "0198e0c1-7a10-7c3e-9b1d-4f2a6c8d0a06"
WRITE = "0198e0c1-7a10-7c3e-9b1d-4f2a6c8d0c01"
RECALL = "0198e0c1-7a10-7c3e-9b1d-4f2a6c8d0b01"
RECEIPT = "0198e0c1-7a10-7c3e-9b1d-4f2a6c8d0e01"
SAID_AT = "2025-06-03T09:12:00Z"
