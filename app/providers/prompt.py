"""What a chat model is asked: the prompt's file, the user's words as data, and the form of the answer."""

from __future__ import annotations

import json
import secrets
from collections.abc import Sequence
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import Any, Final

from app.domain.memory import Kind
from app.domain.proposal import Turn

PROMPT_VERSION: Final = "extract-1"
"""Names the file in `prompts/`; a changed prompt is a new file, so that the ledger can tell what was asked."""

_TEXT: Final = {"type": "string"}
_ITEM: Final[dict[str, Any]] = {
    "message": {"type": "integer"},
    "speaker": {"type": "string", "enum": ["user"]},
    "quote": _TEXT,
    "content": _TEXT,
    "kind": {"type": "string", "enum": [kind.value for kind in Kind]},
    "importance": {"type": "integer"},
    "confidence": {"type": "number"},
}
_LIST: Final[dict[str, Any]] = {
    "type": "array",
    "items": {"type": "object", "properties": _ITEM, "required": list(_ITEM), "additionalProperties": False},
}
SCHEMA: Final[dict[str, Any]] = {
    "type": "object",
    "properties": {"candidates": _LIST},
    "required": ["candidates"],
    "additionalProperties": False,
}


class Form(StrEnum):
    """How the form of the answer is asked for, strictest first."""

    SCHEMA = "json_schema"
    JSON = "json_object"
    PLAIN = "text"


RESPONSE_FORMAT: Final[dict[Form, dict[str, Any]]] = {
    Form.SCHEMA: {"type": "json_schema", "json_schema": {"name": "candidates", "strict": True, "schema": SCHEMA}},
    Form.JSON: {"type": "json_object"},
}


@cache
def prompt() -> str:
    """Read the prompt of this version."""
    return (Path(__file__).parent / "prompts" / f"{PROMPT_VERSION}.md").read_text(encoding="utf-8")


def messages(turns: Sequence[Turn], form: Form) -> list[dict[str, str]]:
    """Write the request; where the server is not given the schema, it stands in the prompt."""
    system = prompt() if form is Form.SCHEMA else f"{prompt()}\nIts JSON schema:\n{json.dumps(SCHEMA)}\n"
    return [{"role": "system", "content": system}, {"role": "user", "content": quoted(turns)}]


def quoted(turns: Sequence[Turn], *, mark: str | None = None) -> str:
    """Set the user's messages between marks that were made for this request alone."""
    mark = mark or f"=={secrets.token_hex(8)}=="
    told = [f"{mark} message {turn.number}, user:\n{turn.text}" for turn in turns]
    return "\n".join([f"The mark is {mark}", f"{mark} begin", *told, f"{mark} end"])
