"""The shape of every error, and of health and readiness."""

from __future__ import annotations

from app.api.schemas.answer import Answer, example


class Fault(Answer):
    """One wrong field."""

    pointer: str = example("/messages/0/occurred_at", "A JSON pointer of field names and indexes; empty: the whole.")
    code: str = example("naive_time", "Stable.")
    detail: str = example("Add an offset, for example 2025-06-03T09:12:00Z.", "How to mend it.")


class Problem(Answer):
    """An error (RFC 9457). It never repeats what was sent."""

    type: str = example("urn:lethe:error:invalid_request", "A name for the kind of error.")
    title: str = example("The request is not valid", "The kind of error in words.")
    status: int = example(422, "The HTTP status.")
    code: str = example("invalid_request", "Stable; for programs.")
    detail: str = example("1 field is wrong. See errors.", "How to mend it.")
    errors: list[Fault] = example(
        [{"pointer": "/messages/0/occurred_at", "code": "naive_time", "detail": "Add an offset."}],
        "The wrong fields; empty where none is to blame.",
    )


class Health(Answer):
    """The process is alive."""

    status: str = example("ok", "Always ok.")


class Ready(Answer):
    """The service can serve."""

    status: str = example("ready", "Always ready; else a 503.")
    checks: dict[str, str] = example({"database": "ok"}, "Each check and what it found.")
