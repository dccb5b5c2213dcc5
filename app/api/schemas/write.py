"""The request of POST /memories/write."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Any, ClassVar, Final

from pydantic import BeforeValidator, ConfigDict, Field, PlainValidator, WithJsonSchema, model_validator

from app.api.schemas.base import Request, wrong
from app.api.schemas.fields import EndTime, Id, KindWord, Label, Metadata, SaidTime, SourceWord, Subject, word
from app.domain.commands import WriteCommand
from app.domain.errors import FieldError
from app.domain.memory import Message, Role, Source, SourceType

MAX_MESSAGES: Final = 100
MAX_PARENTS: Final = 32
ROLE_ALIASES: Final[Mapping[str, str]] = {"developer": "system", "function": "tool"}


@dataclass(frozen=True, slots=True)
class Spoken:
    """The text of a message, and whether parts that are no text were there too."""

    text: str = ""
    skipped_parts: bool = False


def _spoken(value: object) -> Spoken:
    """Read a message's content. Faults of the text itself are left to the screen (a result, never a 422)."""
    if isinstance(value, str):
        return Spoken(value)
    if not isinstance(value, list):
        raise wrong("wrong_type", "Send a string, null, or a list of parts.")
    texts: list[str] = []
    for part in value:
        if not isinstance(part, dict):
            raise wrong("wrong_type", 'A part is an object like {"type": "text", "text": "..."}.')
        if part.get("type") != "text":
            continue
        text = part.get("text")
        if text is not None and not isinstance(text, str):
            raise wrong("wrong_type", "The text of a part is a string.")
        texts.append(text or "")
    return Spoken("\n".join(texts), skipped_parts=len(texts) < len(value))


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise wrong("wrong_type", "Send a string.")
    return value


def _role(value: object) -> object:
    alias = ROLE_ALIASES.get(value, value) if isinstance(value, str) else value
    return word(Role)(alias)


_ROLES: Final = [*(role.value for role in Role), *ROLE_ALIASES]
_PART: Final = {
    "type": "object",
    "required": ["type"],
    "properties": {"type": {"type": "string"}, "text": {"type": ["string", "null"]}},
}
_CONTENT: Final = {
    "description": "The words: a string, null, or parts; parts other than text are skipped.",
    "anyOf": [{"type": "string"}, {"type": "array", "items": _PART}, {"type": "null"}],
    "examples": ["I moved to Berlin last month."],
}


class MessageIn(Request):
    """One turn. Keys we do not know (`tool_calls`, `id`, ..) are ignored, so an OpenAI message list fits."""

    model_config = ConfigDict(extra="ignore")

    role: Annotated[
        Role,
        BeforeValidator(_role),
        WithJsonSchema({"type": "string", "enum": _ROLES}),
        Field(description="Who spoke. `developer` is read as `system`, `function` as `tool`.", examples=["user"]),
    ]
    content: Annotated[Spoken, PlainValidator(_spoken), WithJsonSchema(_CONTENT)] = Field(default_factory=Spoken)
    occurred_at: SaidTime | None = Field(
        default=None,
        description="When it was said; default: the request's `occurred_at`.",
        examples=["2025-06-03T09:12:00Z"],
    )
    name: Label | None = Field(default=None, description="A label of the speaker.", examples=["Anna"])


class SourceIn(Request):
    """Where the text came from. A type other than `conversation` caps its trust."""

    type: SourceWord = Field(
        default=SourceType.CONVERSATION, description="The channel; it caps trust.", examples=["document"]
    )
    id: Label | None = Field(default=None, description="Your own name for it.", examples=["handbook.pdf"])


class WriteRequest(Request):
    """Offer a conversation turn, or one text. The gate decides what is kept."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "messages": [
                        {
                            "role": "user",
                            "content": "I moved to Berlin last month. I'm thinking about getting a dog. Thanks!",
                        },
                        {"role": "assistant", "content": "Berlin is lovely! Shall I look for dog-friendly parks?"},
                    ],
                    "session_id": "chat-812",
                },
                {
                    "content": "Prefers code first, prose after.",
                    "infer": False,
                    "force": True,
                    "kind": "procedural",
                    "metadata": {"project": "apollo"},
                },
                {"content": "I switched from Postgres to MySQL.", "dry_run": True},
            ]
        }
    )
    aliases: ClassVar[Mapping[str, str]] = {"run_id": "session_id"}

    messages: list[MessageIn] | None = Field(
        default=None,
        min_length=1,
        max_length=MAX_MESSAGES,
        description="The turns, in order. Either this or `content`.",
        examples=[[{"role": "user", "content": "I moved to Berlin last month."}]],
    )
    content: Annotated[str, PlainValidator(_text), WithJsonSchema({"type": "string"})] | None = Field(
        default=None,
        description="One message of role user. Either this or `messages`.",
        examples=["I use PostgreSQL"],
    )
    occurred_at: SaidTime | None = Field(
        default=None,
        description="Default for messages that carry none; default: the time of receipt.",
        examples=["2025-06-03T09:12:00Z"],
    )
    session_id: Label | None = Field(
        default=None, description="A label for the conversation. Alias: `run_id`.", examples=["chat-812"]
    )
    agent_id: Label | None = Field(default=None, description="A label for the agent.", examples=["ops"])
    source: SourceIn = Field(
        default=SourceIn(), description="Where the text came from.", examples=[{"type": "document", "id": "a.pdf"}]
    )
    metadata: Metadata = Field(default={}, description="Free labels, kept on every memory that results.")
    subject: Subject | None = Field(
        default=None,
        description=(
            "Whom every candidate is about; default: found in the text, `user` for the speaker. "
            "Of anybody else than the user more is kept: it is your record of them."
        ),
        examples=["client:northwind"],
    )
    kind: KindWord | None = Field(
        default=None,
        description="A hint: filters when inferring, labels when verbatim.",
        examples=["semantic"],
    )
    attribute: Subject | None = Field(
        default=None,
        description="A hint: filters when inferring, labels when verbatim.",
        examples=["home_city"],
    )
    expires_at: EndTime | None = Field(
        default=None, description="When the memory ends at the latest.", examples=["2099-01-01T00:00:00Z"]
    )
    derived_from: list[Id] = Field(
        default=[],
        max_length=MAX_PARENTS,
        description="Memories of this user that the text was made from; they cap trust.",
        examples=[["0198e0c1-7a10-7c3e-9b1d-4f2a6c8d0a01"]],
    )
    infer: bool = Field(default=True, description="Split and interpret the text; false takes it as it is.")
    force: bool = Field(
        default=False, description="Waive the thresholds. Needs `infer: false` and the scope memory:import."
    )
    dry_run: bool = Field(default=False, description="Run everything, store nothing.")
    importance: int | None = Field(
        default=None, ge=1, le=10, description="Instead of the gate's. Only with `force`.", examples=[7]
    )

    @model_validator(mode="after")
    def _one_text(self) -> WriteRequest:
        if (self.messages is None) == (self.content is None):
            raise wrong("one_of_required", "Send messages or content, one of the two.")
        return self

    def cross_check(self) -> list[FieldError]:
        """Check rules between fields, once each field is right by itself."""
        faults = []
        if self.force and self.infer:
            faults.append(FieldError("/force", "out_of_range", "force needs infer: false."))
        if self.importance is not None and not self.force:
            faults.append(FieldError("/importance", "out_of_range", "importance is taken only with force: true."))
        return faults

    def to_command(self, now: datetime) -> WriteCommand:
        """Turn the request into what the service takes."""
        at = self.occurred_at or now
        if self.messages is None:
            messages = [Message(role=Role.USER, text=self.content or "", occurred_at=at)]
        else:
            messages = [
                Message(
                    role=message.role,
                    text=message.content.text,
                    occurred_at=message.occurred_at or at,
                    name=message.name,
                    skipped_parts=message.content.skipped_parts,
                )
                for message in self.messages
            ]
        labels: dict[str, Any] = {
            name: getattr(self, name)
            for name in ("session_id", "agent_id", "metadata", "subject", "kind", "attribute", "expires_at")
        }
        return WriteCommand(
            messages=tuple(messages),
            received_at=now,
            source=Source(type=self.source.type, id=self.source.id),
            derived_from=tuple(self.derived_from),
            infer=self.infer,
            force=self.force,
            dry_run=self.dry_run,
            importance=self.importance,
            **labels,
        )
