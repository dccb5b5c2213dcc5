"""What every request has in common: strict types, no unknown field, null read as omitted, aliases.

A rule that fails is raised as a pydantic error whose type is one of the contract's codes and whose message says
how to mend it, in words of ours. `app.api.problems` turns them into the `errors` of a problem document.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar, Final

from pydantic import BaseModel, ConfigDict, ValidationInfo, model_validator
from pydantic_core import PydanticCustomError

from app.domain.errors import FieldError

# What people send under another service's name, and what it is called here. Never the caller's own words.
HINTS: Final[Mapping[str, str]] = {
    "threshold": "Use min_score.",
    "score_threshold": "Use min_score.",
    "memory_type": "Use kind.",
    "type": "Use kind.",
    "types": "Use kinds.",
    "expiration_date": "Use expires_at.",
    "ttl": "Use expires_at.",
    "user_id": "Name the user in the header X-User-Id.",
    "tenant_id": "The key names the tenant.",
    "app_id": "The key names the tenant.",
    "org_id": "The key names the tenant.",
    "text": "Use content or query.",
    "memory": "Use content.",
    "ids": "Use memory_ids.",
    "id": "Use memory_id or memory_ids.",
    "memory_id": "Forget takes memory_ids, a list.",
    "memory_ids": "Explain takes one memory_id.",
    "session_id": 'In recall use filters: {"session_id": "..."}.',
    "run_id": 'In recall use filters: {"session_id": "..."}.',
    "agent_id": 'Use filters: {"agent_id": "..."}.',
    "source_id": "A write takes source: {type, id}; a recall takes filters.",
    "timestamp": "Use occurred_at.",
    "all": "Use everything.",
    "async": "Writes are synchronous for now; leave async out.",
    "block_relearn": "Not offered yet; leave block_relearn out.",
}
IDENTITY: Final = frozenset({"user_id", "tenant_id"})


def wrong(code: str, detail: str) -> PydanticCustomError:
    """Make a failure with one of the contract's codes; `detail` says how to mend it."""
    return PydanticCustomError(code, detail)


def unknown_field(key: object) -> tuple[str, str]:
    """Give code and detail for a field we do not know; the answer names our fields, not theirs."""
    hint = HINTS.get(key) if isinstance(key, str) else None
    code = "user_in_body" if key in IDENTITY else "unknown_field"
    return code, hint or "A field here is not known. See /docs for the fields of this call."


def strings(value: Any) -> Iterator[str]:
    """Walk every string of a JSON value, keys included, without recursion."""
    stack = [value]
    while stack:
        item = stack.pop()
        if isinstance(item, str):
            yield item
        elif isinstance(item, Mapping):
            stack.extend(item.keys())
            stack.extend(item.values())
        elif isinstance(item, list):
            stack.extend(item)


def storable(text: str) -> bool:
    """Tell whether Postgres can hold a text: no NUL, no lone surrogate."""
    if "\x00" in text:
        return False
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


class Request(BaseModel):
    """A request body, or an object inside one.

    Validation context: `now`, the service's clock, for rules about the past and the future.
    """

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True, hide_input_in_errors=True)

    aliases: ClassVar[Mapping[str, str]] = {}
    # fields where null says something else than leaving it out
    null_counts: ClassVar[frozenset[str]] = frozenset()

    @model_validator(mode="before")
    @classmethod
    def _tidy(cls, data: Any) -> Any:
        if isinstance(data, cls):
            return data
        if not isinstance(data, dict):
            raise wrong("wrong_type", "Send a JSON object.")
        tidy: dict[str, Any] = {}
        for key, value in data.items():
            name = cls.aliases.get(key, key)
            if value is None and name in cls.model_fields and name not in cls.null_counts:
                continue
            if name in tidy:
                raise wrong("alias_conflict", f"Send {name} once: another name for it is here too.")
            tidy[name] = value
        return tidy

    def cross_check(self) -> list[FieldError]:
        """Check rules between fields, once each field is right by itself."""
        return []


def now_of(info: ValidationInfo) -> Any:
    """Take the service's clock from the validation context."""
    context: Mapping[str, Any] = info.context or {}
    return context["now"]
