"""The answers of POST /forget, of DELETE and reject, and of GET /forget/{receipt_id}."""

from __future__ import annotations

from typing import Literal

from app.api.schemas.answer import MUNICH, RECEIPT, Answer, Counts, Id, Time, example
from app.domain.memory import Kind, Status

ERASED = {
    "memories": 1,
    "embeddings": 1,
    "evidence": 2,
    "ledger_texts": 1,
    "links": 1,
    "recalls": 3,
    "idempotency_bodies": 1,
    "queued_writes": 0,
}


class Deadlines(Answer):
    """When the deeper tiers are clean; null: not known to us, or not promised yet."""

    storage: Time | None = example("2025-06-03T11:05:00Z", "Dead rows. UTC.")
    wal: Time | None = example("2025-06-04T10:05:00Z", "The write-ahead log. UTC.")
    backups: Time | None = example(None, "Backups. UTC.")


class ChainLink(Answer):
    """The receipt's place in the tenant's chain."""

    seq: int = example(418, "Its number, from 1.")
    prev: str = example("sha256:9f2c", "The hash before it.")
    hash: str = example("sha256:41ab", "Its own hash.")


class ReceiptBase(Answer):
    """The record of an erasure; no content."""

    receipt_id: Id = example(RECEIPT, "The receipt.")
    dry_run: bool = example(False, "Always false here.")
    selector: str = example("memory_ids", "What chose the memories.")
    erased_at: Time = example("2025-06-03T10:05:00Z", "When it was durable. UTC.")
    matched: int = example(1, "Memories that the selector matched.")
    derived: int = example(0, "Memories erased because all they were made from is gone.")
    not_found: int = example(1, "Ids that are not this user's memories.")
    erased: Counts = example(ERASED, "Rows erased, by table.")
    chains_closed: int = example(1, "Facts that now have no current version.")
    block_relearn: bool = example(False, "Whether the same text is refused from now on.")
    tier: str = example("rows", "The deepest tier that is clean already.")
    deadlines: Deadlines | None = example(None, "When the deeper tiers are clean; null: not promised yet.")
    chain: ChainLink = example({"seq": 418, "prev": "sha256:9f2c", "hash": "sha256:41ab"}, "Its place in the chain.")


class Receipt(ReceiptBase):
    """The receipt as first given."""

    erased_ids: list[Id] = example([MUNICH], "For clearing caches; not kept with the receipt.")


class Residue(Answer):
    """A fresh look, in every table, for what should be gone."""

    checked_at: Time = example("2025-06-03T10:06:00Z", "When it looked. UTC.")
    clean: bool = example(True, "Nothing was found.")
    found: Counts = example({}, "Rows found, by table.")


class StoredReceipt(ReceiptBase):
    """The receipt as kept, without ids."""

    residue: Residue | None = example(None, "A fresh look; null: not offered yet.")


class PreviewRow(Answer):
    """A memory that would go."""

    id: Id = example(MUNICH, "The memory.")
    kind: Kind = example("semantic", "What it holds.")
    content: str = example("User lives in Munich", "What it says.")
    status: Status = example("superseded", "Where it stands.")
    score: float | None = example(0.78, "0..1; null: it was not found by words.")
    because: Literal["match", "derived", "history"] = example("match", "Why it would go.")


class Preview(Answer):
    """What an erasure would take, and the token that applies exactly that."""

    receipt_id: None = example(None, "Nothing was erased.")
    dry_run: bool = example(True, "Always true here.")
    selector: str = example("query", "What chose the memories.")
    matched: int = example(1, "Memories that the selector matched.")
    derived: int = example(1, "Memories that would go because all they were made from goes.")
    truncated: bool = example(False, "There are more matches than `k`.")
    memories: list[PreviewRow] = example(
        [
            {
                "id": MUNICH,
                "kind": "semantic",
                "content": "User lives in Munich",
                "status": "superseded",
                "score": 0.78,
                "because": "match",
            }
        ],
        "What would go.",
    )
    would_erase: Counts = example(ERASED, "Rows that would go, by table.")
    preview_token: str | None = example("pv_5Qm8", "Send it alone to erase; null: no match.")
    expires_at: Time | None = example("2025-06-03T10:20:00Z", "When the token ends. UTC.")
