"""The errors a caller can meet. The docstring is the meaning, the status sits on the class.

LetheError
├── MalformedJson 400, UserRequired 400
├── Unauthenticated 401
├── ScopeMissing 403, UserMismatch 403
├── NotFound 404, MethodNotAllowed 405
├── IdempotencyInProgress 409, PreviewStale 409, NotReviewable 409
├── PreviewExpired 410, IdempotencyErased 410
├── BodyTooLarge 413, UnsupportedMediaType 415
├── InvalidRequest 422 (with errors), IdempotencyMismatch 422, PreviewRequired 422, InvalidCursor 422
├── RateLimited 429
├── Overloaded 503, Unavailable 503
└── Internal 500
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar


@dataclass(frozen=True, slots=True)
class FieldError:
    """One wrong field: a JSON pointer of schema names, a code, and how to mend it."""

    pointer: str
    code: str
    detail: str


class LetheError(Exception):
    """Base of all. Never carries the caller's text."""

    status: ClassVar[int] = 500
    code: ClassVar[str] = "internal"
    title: ClassVar[str] = "Internal error"
    detail: ClassVar[str] = "Something failed here. Try again; if it stays, give the operator the X-Request-Id."
    retry_after: ClassVar[int | None] = None

    def __init__(self, detail: str | None = None, *, errors: tuple[FieldError, ...] = ()) -> None:
        super().__init__(self.code)
        self.message = detail or self.detail
        self.errors = errors


class Internal(LetheError):
    """A fault of the service itself."""


class MalformedJson(LetheError):
    """The body is not JSON."""

    status, code, title = 400, "malformed_json", "The body is not valid JSON"
    detail = "Send one JSON object, UTF-8, with Content-Type: application/json."


class UserRequired(LetheError):
    """No user was named."""

    status, code, title = 400, "user_required", "The user is missing"
    detail = "Send the end user's id in the header X-User-Id (1 to 128 of A-Z a-z 0-9 . _ : @ | + = / -)."


class Unauthenticated(LetheError):
    """No key, or one that is wrong, expired or revoked."""

    status, code, title = 401, "unauthenticated", "Not authenticated"
    detail = "Send a valid key: Authorization: Bearer lk_..."


class ScopeMissing(LetheError):
    """The key is valid but may not do this."""

    status, code, title = 403, "scope_missing", "The key lacks a scope"
    detail = "This key lacks the scope that the call needs."


class UserMismatch(LetheError):
    """The key is bound to another user."""

    status, code, title = 403, "user_mismatch", "The user does not match the key"
    detail = "This key is bound to one user. Leave X-User-Id out, or send that user."


class NotFound(LetheError):
    """Unknown, foreign, expired and malformed ids all answer this, byte for byte."""

    status, code, title = 404, "not_found", "Not found"
    detail = "No such object for this user."


class MethodNotAllowed(LetheError):
    """The path exists, the method does not."""

    status, code, title = 405, "method_not_allowed", "Method not allowed"
    detail = "This path does not take that method. See /docs."


class IdempotencyInProgress(LetheError):
    """The same key is being worked on right now."""

    status, code, title, retry_after = 409, "idempotency_in_progress", "The first request is still running", 1
    detail = "A request with this Idempotency-Key is still running. Retry shortly with the same key and body."


class PreviewStale(LetheError):
    """Something shown in the preview has changed since; nothing was erased."""

    status, code, title = 409, "preview_stale", "The preview is out of date"
    detail = "A memory shown in the preview has changed or gone. Nothing was erased. Preview again."


class NotReviewable(LetheError):
    """Only held, quarantined and disputed memories can be approved or rejected."""

    status, code, title = 409, "not_reviewable", "Nothing to review"
    detail = "Only held, quarantined and disputed memories can be approved or rejected."


class PreviewExpired(LetheError):
    """The preview's fifteen minutes are over, or the token is none of ours."""

    status, code, title = 410, "preview_expired", "The preview has expired"
    detail = "Preview tokens last 15 minutes. Preview again."


class IdempotencyErased(LetheError):
    """What this key once stored was forgotten since; it is not stored again."""

    status, code, title = 410, "idempotency_erased", "The result was erased"
    detail = "What this Idempotency-Key stored was forgotten since. Nothing was stored now; a new key stores anew."


class BodyTooLarge(LetheError):
    """More than 1 MiB."""

    status, code, title = 413, "body_too_large", "The body is too large"
    detail = "A body may hold 1 MiB. Send fewer messages per call."


class UnsupportedMediaType(LetheError):
    """Not JSON."""

    status, code, title = 415, "unsupported_media_type", "Unsupported media type"
    detail = "Send Content-Type: application/json."


class InvalidRequest(LetheError):
    """The payload is malformed; `errors` says where and how to mend it."""

    status, code, title = 422, "invalid_request", "The request is not valid"

    def __init__(self, *errors: FieldError) -> None:
        count = len(errors)
        fields = "1 field is" if count == 1 else f"{count} fields are"
        super().__init__(f"{fields} wrong. See errors.", errors=errors)


class IdempotencyMismatch(LetheError):
    """The key was used with another body."""

    status, code, title = 422, "idempotency_mismatch", "The body differs from the first one"
    detail = "This Idempotency-Key was used with another body. Use a new key for a new request."


class PreviewRequired(LetheError):
    """Forgetting by words needs a preview first."""

    status, code, title = 422, "preview_required", "Preview first"
    detail = "Send the query with dry_run: true, look at the matches, then send the preview_token."


class InvalidCursor(LetheError):
    """The cursor is not ours, or belongs to another listing."""

    status, code, title = 422, "invalid_cursor", "The cursor is not valid"
    detail = "Use next_cursor as given, with the same user and parameters, or start without a cursor."


class RateLimited(LetheError):
    """Too many requests at once from this tenant."""

    status, code, title, retry_after = 429, "rate_limited", "Too many requests", 1
    detail = "Too many requests at once. Retry after the time in Retry-After."


class Overloaded(LetheError):
    """The service is at its limit."""

    status, code, title, retry_after = 503, "overloaded", "The service is at its limit", 1
    detail = "All places are taken. Retry after the time in Retry-After."


class Unavailable(LetheError):
    """Something the service needs is out; nothing was changed."""

    status, code, title, retry_after = 503, "unavailable", "Temporarily unavailable", 2
    detail = "The database cannot be reached right now. Nothing was changed. Retry after the time in Retry-After."
