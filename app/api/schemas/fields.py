"""The types of request fields: texts, ids, times, enums and free metadata, each with its rule."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from typing import Annotated, Any, Final, TypeVar
from uuid import UUID

from pydantic import BeforeValidator, Field, PlainValidator, ValidationInfo, WithJsonSchema

from app.api.schemas.base import now_of, storable, strings, wrong
from app.domain.memory import Kind, SourceType, Status

METADATA_BYTES: Final = 8 * 1024
METADATA_DEPTH: Final = 3
METADATA_KEYS: Final = 50
CLOCK_SKEW: Final = timedelta(minutes=10)
# Room on both sides for a zone offset and for the arithmetic of the rules.
FIRST_YEAR: Final = 1000

_TIME = re.compile(r"\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d(:\d\d([.]\d{1,9})?)?([Zz]|[+-]\d\d:\d\d)?", re.ASCII)
_UUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.ASCII | re.IGNORECASE)
_UNSEEN: Final = frozenset({"Cc", "Cf", "Zl", "Zp", "Zs"})
_WORKING: Final = 'working is never stored. To see held memories use include: ["held"].'

T = TypeVar("T")


def is_blank(text: str) -> bool:
    """Tell whether nothing in a text can be seen: white space, controls and formats of Unicode."""
    return all(char.isspace() or unicodedata.category(char) in _UNSEEN for char in text)


def read_text(value: object, *, most: int, least: int = 1) -> str:
    """Check a text outside message text: it must be storable, not blank and no longer than `most` code points."""
    if not isinstance(value, str):
        raise wrong("wrong_type", "Send a string.")
    if not storable(value):
        raise wrong("invalid_text", "Remove NUL characters and lone surrogates.")
    if least and is_blank(value):
        raise wrong("blank", f"Send 1 to {most} characters, or leave it out.")
    if len(value) > most:
        raise wrong("out_of_range", f"At most {most} characters.")
    return value


def _text(most: int, *, least: int = 1) -> BeforeValidator:
    return BeforeValidator(lambda value: read_text(value, most=most, least=least))


def read_time(value: object) -> datetime:
    """Read an RFC 3339 time with an offset, as UTC."""
    return _zoned_time(value).astimezone(UTC)


def _zoned_time(value: object) -> datetime:
    """Read a time in its own offset; it can be written in UTC too."""
    if not isinstance(value, str) or not _TIME.fullmatch(value):
        raise wrong("wrong_type", "Send an RFC 3339 time, for example 2025-06-03T09:12:00Z.")
    try:
        at = datetime.fromisoformat(value.upper())
    except ValueError:
        raise wrong("wrong_type", "No such date or time. Send RFC 3339, for example 2025-06-03T09:12:00Z.") from None
    if at.tzinfo is None:
        raise wrong("naive_time", "Add an offset, for example 2025-06-03T09:12:00Z.")
    try:
        year = at.astimezone(UTC).year
    except OverflowError:
        year = 1
    if year < FIRST_YEAR:
        raise wrong("out_of_range", f"Send a time between the years {FIRST_YEAR} and 9999.")
    return at


def _said_time(value: object, info: ValidationInfo) -> datetime:
    # in its own offset, which is the speaker's: "yesterday" is the day before there
    at = _zoned_time(value)
    if at > now_of(info) + CLOCK_SKEW:
        raise wrong("in_future", "At most 10 minutes ahead of the service's clock. Leave it out for now.")
    return at


def _end_time(value: object, info: ValidationInfo) -> datetime:
    at = read_time(value)
    if at <= now_of(info):
        raise wrong("in_past", "Send a time in the future.")
    return at


def _known_time(value: object, info: ValidationInfo) -> datetime:
    at = read_time(value)
    if at > now_of(info):
        raise wrong("in_future", "What will be known later cannot be asked yet. Leave known_at out for now.")
    return at


def read_id(value: object) -> UUID | None:
    """Read an id; a malformed one is None, which is answered like an unknown one."""
    return UUID(value) if isinstance(value, str) and _UUID.fullmatch(value) else None


def _field_id(value: object) -> UUID | None:
    if not isinstance(value, str):
        raise wrong("wrong_type", "Send an id as a string.")
    if not storable(value):
        raise wrong("invalid_text", "Remove NUL characters and lone surrogates.")
    return read_id(value)


def word(choices: type[StrEnum]) -> Callable[[object], StrEnum]:
    """Make a reader for one word of a closed list."""

    def read(value: object) -> StrEnum:
        if isinstance(value, choices):
            return value
        if not isinstance(value, str):
            raise wrong("wrong_type", "Send a string.")
        if choices is Kind and value == "working":
            raise wrong("kind_not_stored", _WORKING)
        if value not in set(choices):
            raise wrong("out_of_range", f"One of: {', '.join(choices)}.")
        return choices(value)

    return read


def _metadata(value: object) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise wrong("wrong_type", "Send a JSON object.")
    if _depth(value) > METADATA_DEPTH:
        raise wrong("out_of_range", f"At most {METADATA_DEPTH} levels deep.")
    if _keys(value) > METADATA_KEYS:
        raise wrong("too_many", f"At most {METADATA_KEYS} keys.")
    if not all(storable(text) for text in strings(value)):
        raise wrong("invalid_text", "Remove NUL characters and lone surrogates.")
    if len(json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()) > METADATA_BYTES:
        raise wrong("out_of_range", f"At most {METADATA_BYTES} bytes as JSON.")
    return value


def _depth(value: object) -> int:
    """Count the levels of a JSON value, stopping as soon as there are too many."""
    level = 0
    here: list[Any] = [value]
    while level <= METADATA_DEPTH:
        here = [item for item in here if isinstance(item, (dict, list))]
        if not here:
            break
        level += 1
        here = [child for item in here for child in (item.values() if isinstance(item, dict) else item)]
    return level


def _keys(value: object) -> int:
    count = 0
    stack: list[Any] = [value]
    while stack:
        item = stack.pop()
        if isinstance(item, dict):
            count += len(item)
            stack.extend(item.values())
        elif isinstance(item, list):
            stack.extend(item)
    return count


def _time_schema(description: str) -> WithJsonSchema:
    return WithJsonSchema({"type": "string", "format": "date-time", "description": description})


def _word_schema(choices: type[StrEnum]) -> WithJsonSchema:
    return WithJsonSchema({"type": "string", "enum": [choice.value for choice in choices]})


Label = Annotated[str, _text(256), Field(min_length=1, max_length=256)]
Subject = Annotated[str, _text(128), Field(min_length=1, max_length=128)]
Query = Annotated[str, _text(8000), Field(min_length=1, max_length=8000)]
Correction = Annotated[str, _text(32_000), Field(min_length=1, max_length=32_000)]
Note = Annotated[str, _text(1000), Field(min_length=1, max_length=1000)]
Token = Annotated[str, _text(4096, least=0), Field(max_length=4096)]
Time = Annotated[datetime, BeforeValidator(read_time), _time_schema("RFC 3339 with an offset.")]
SaidTime = Annotated[datetime, BeforeValidator(_said_time), _time_schema("RFC 3339, at most 10 minutes ahead.")]
EndTime = Annotated[datetime, BeforeValidator(_end_time), _time_schema("RFC 3339, in the future.")]
KnownTime = Annotated[datetime, BeforeValidator(_known_time), _time_schema("RFC 3339, not in the future.")]
Id = Annotated[
    UUID | None,
    PlainValidator(_field_id),
    WithJsonSchema({"type": "string", "description": "An id; a malformed one is answered like an unknown one."}),
]
KindWord = Annotated[Kind, BeforeValidator(word(Kind)), _word_schema(Kind)]
StatusWord = Annotated[Status, BeforeValidator(word(Status)), _word_schema(Status)]
SourceWord = Annotated[SourceType, BeforeValidator(word(SourceType)), _word_schema(SourceType)]
Metadata = Annotated[
    dict[str, Any],
    PlainValidator(_metadata),
    WithJsonSchema(
        {
            "type": "object",
            "additionalProperties": True,
            "description": "Free labels: at most 8 KiB, 3 levels, 50 keys.",
            "examples": [{"project": "apollo"}],
        }
    ),
]
