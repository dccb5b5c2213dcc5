"""A revision: a memory said anew by the user or on a reviewer's word, in the place of an older row."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from app.domain.errors import FieldError, InvalidRequest
from app.domain.extract import verbatim
from app.domain.gate import POLICY
from app.domain.indexing import indexed_terms
from app.domain.memory import Code, Kind, Memory, Message, Reason, SourceType, Status
from app.domain.screen import screen
from app.domain.secrets import REDACTED
from app.domain.text import content_key
from app.providers.ports import Vector

# the user's or the reviewer's own act (contract 14.2): never raised by it, never lowered by the old row
TRUST = 3
CONFIDENCE = 0.95


@dataclass(frozen=True, slots=True)
class Revision:
    """What stands in the old row's place, and whose act it was."""

    kind: Kind
    content: str
    content_key: str
    subject: str
    attribute: str | None
    value: str | None
    positive: bool
    single_valued: bool
    importance: int
    confidence: float
    quote: str
    at: datetime
    valid_from: datetime | None
    expires_at: datetime | None
    pinned: bool
    metadata: Mapping[str, Any]
    session_id: str | None
    session_ordinal: int
    agent_id: str | None
    occurred_at: datetime
    reason: Reason
    status: Status

    def row(self, memory_id: UUID, vector: Vector | None, model: str) -> dict[str, Any]:
        """Give the columns of the new row."""
        return {
            "id": memory_id,
            "kind": self.kind.value,
            "content": self.content,
            "content_key": self.content_key,
            "subject": self.subject,
            "attribute": self.attribute,
            "value": self.value,
            "positive": self.positive,
            "single_valued": self.single_valued,
            "importance": self.importance,
            "confidence": self.confidence,
            "trust": TRUST,
            "status": self.status.value,
            "retired_by": None,
            "stale": False,
            "pinned": self.pinned,
            "occurred_at": self.occurred_at,
            "valid_from": self.valid_from,
            "valid_to": None,
            "known_from": self.at,
            "known_to": None,
            "created_at": self.at,
            "updated_at": self.at,
            "expires_at": self.expires_at,
            "metadata": dict(self.metadata),
            "source_type": SourceType.CONVERSATION.value,
            "source_id": None,
            "session_id": self.session_id,
            "session_ordinal": self.session_ordinal,
            "agent_id": self.agent_id,
            "embedding": None if vector is None else list(vector),
            "embedding_model": None if vector is None else model,
            "embedding_dimension": None if vector is None else len(vector),
            "terms": indexed_terms(self.subject, self.content),
        }

    def evidence(self, evidence_id: UUID, memory_id: UUID) -> dict[str, Any]:
        """Give the columns of its evidence: the act itself."""
        return {
            "id": evidence_id,
            "memory_id": memory_id,
            "write_id": None,
            "message_index": 0,
            "role": "user",
            "labels": {},
            "quote": self.quote,
            "origin": True,
            "independent": False,
            "trust": TRUST,
            "source_type": SourceType.CONVERSATION.value,
            "source_id": None,
            "session_id": self.session_id,
            "occurred_at": self.at,
            "created_at": self.at,
        }

    def ledger_body(self, *, supersedes: int) -> dict[str, Any]:
        """Give the content-free record of the decision."""
        return {
            "decision": "keep",
            "decided_by": "rules",
            "policy": POLICY,
            "kind": self.kind.value,
            "importance": self.importance,
            "confidence": self.confidence,
            "trust": TRUST,
            "outcome": "superseded",
            "reasons": [self.reason.code.value],
            "verdict_reasons": [self.reason.code.value],
            "supersedes": supersedes,
        }


def revised(old: Memory, message: Message, *, reason: Reason) -> Revision:
    """Make a revision of a memory from a text that is taken as it is.

    Secrets are redacted as in a write. A correction is no review: what was held, quarantined or disputed stays so, and
    a text that looks like an injection is quarantined.

    Args:
        old: The row to stand in for; kind, labels and pin carry over.
        message: The user's words, or the reviewer's.
        reason: Why there is a revision.

    Raises:
        InvalidRequest: The screen refuses the text as a whole (nothing left, NUL, too long).
    """
    screened = screen(message)
    if screened.rejected is not None:
        code = "invalid_text" if screened.rejected.code is Code.INVALID_TEXT else "blank"
        raise InvalidRequest(FieldError("/content", code, screened.rejected.detail))
    text = screened.text
    if not text.replace(REDACTED, "").strip(" .,:;!?\n\t"):
        raise InvalidRequest(FieldError("/content", "blank", "Only a secret was sent; secrets are not kept."))
    status = Status.QUARANTINED if screened.injection is not None else old.status
    candidate = verbatim(message, index=0, text=text, subject=old.subject, kind=old.kind, attribute=None)
    claim = candidate.claim
    # a correction that cannot be parsed is about what the old row was about
    attribute = claim.attribute if claim.attribute is not None else old.attribute
    single_valued = claim.single_valued if claim.attribute is not None else old.single_valued
    return Revision(
        kind=old.kind,
        content=text,
        content_key=content_key(old.subject, text),
        subject=old.subject,
        attribute=attribute,
        value=claim.value,
        positive=claim.positive,
        single_valued=single_valued and old.kind is Kind.SEMANTIC and attribute is not None,
        importance=old.importance,
        confidence=CONFIDENCE,
        quote=text,
        at=message.occurred_at,
        valid_from=claim.valid_from or old.valid_from,
        expires_at=old.expires_at,
        pinned=old.pinned,
        metadata=old.metadata,
        session_id=old.session_id,
        session_ordinal=old.session_ordinal,
        agent_id=old.agent_id,
        occurred_at=old.occurred_at,
        reason=reason,
        status=status,
    )
