"""The schema's second half: what is recorded about memories. The first half is in `tables.py`."""

from __future__ import annotations

from datetime import date, datetime
from uuid import UUID

from sqlalchemy import BigInteger, CheckConstraint, Date, ForeignKeyConstraint, Index, text
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import Mapped, mapped_column

from app.store.tables import Base, Json


class LedgerRow(Base):
    """A decision: append-only, free of content, chained per owner. The text it was about lives in LedgerTextRow."""

    __tablename__ = "ledger"
    __table_args__ = (
        ForeignKeyConstraint(["tenant_id"], ["tenants.tenant_id"]),
        Index("uq_ledger_seq", "tenant_id", "user_key", "seq", unique=True),
        Index("ix_ledger_write", "tenant_id", "user_key", "write_id"),
        Index("ix_ledger_memory", "tenant_id", "user_key", "memory_key"),
    )

    tenant_id: Mapped[str] = mapped_column(primary_key=True)
    id: Mapped[UUID] = mapped_column(primary_key=True)
    user_key: Mapped[str]
    seq: Mapped[int] = mapped_column(BigInteger)
    at: Mapped[datetime]
    event: Mapped[str]
    write_id: Mapped[UUID | None]
    memory_key: Mapped[str | None]
    body: Mapped[Json]
    prev_hash: Mapped[str]
    hash: Mapped[str]


class LedgerTextRow(Base):
    """The erasable text of a decision; that of a dropped candidate expires."""

    __tablename__ = "ledger_texts"
    __table_args__ = (
        ForeignKeyConstraint(["tenant_id", "ledger_id"], ["ledger.tenant_id", "ledger.id"]),
        Index("ix_ledger_texts_memory", "tenant_id", "user_id", "memory_id"),
        Index("ix_ledger_texts_expiry", "tenant_id", "expires_at", postgresql_where=text("expires_at is not null")),
    )

    tenant_id: Mapped[str] = mapped_column(primary_key=True)
    ledger_id: Mapped[UUID] = mapped_column(primary_key=True)
    user_id: Mapped[str]
    memory_id: Mapped[UUID | None]
    body: Mapped[Json]
    session_id: Mapped[str | None]
    source_id: Mapped[str | None]
    created_at: Mapped[datetime]
    expires_at: Mapped[datetime | None]


class RecallRow(Base):
    """A recall kept for /explain, because its caller asked for a trace."""

    __tablename__ = "recalls"
    __table_args__ = (
        ForeignKeyConstraint(["tenant_id", "user_id"], ["owners.tenant_id", "owners.user_id"]),
        Index("ix_recalls_owner", "tenant_id", "user_id", "created_at"),
    )

    tenant_id: Mapped[str] = mapped_column(primary_key=True)
    id: Mapped[UUID] = mapped_column(primary_key=True)
    user_id: Mapped[str]
    request: Mapped[Json]
    answer: Mapped[Json]
    memory_ids: Mapped[list[UUID]]
    created_at: Mapped[datetime]
    expires_at: Mapped[datetime]


class PreviewRow(Base):
    """A previewed forget: exactly which rows, and how they looked. An applied one outlives the user's id."""

    __tablename__ = "previews"
    __table_args__ = (
        ForeignKeyConstraint(["tenant_id"], ["tenants.tenant_id"]),
        Index("ix_previews_user", "tenant_id", "user_key"),
    )

    tenant_id: Mapped[str] = mapped_column(primary_key=True)
    token_hash: Mapped[str] = mapped_column(primary_key=True)
    user_key: Mapped[str]
    selector: Mapped[str]
    plan: Mapped[Json]
    memory_ids: Mapped[list[UUID]]
    fingerprint: Mapped[str]
    receipt_id: Mapped[UUID | None]
    created_at: Mapped[datetime]
    expires_at: Mapped[datetime]


class ReceiptRow(Base):
    """The record of an erasure: append-only, free of content, chained per tenant."""

    __tablename__ = "receipts"
    __table_args__ = (
        ForeignKeyConstraint(["tenant_id"], ["tenants.tenant_id"]),
        Index("uq_receipts_seq", "tenant_id", "seq", unique=True),
        Index("ix_receipts_user", "tenant_id", "user_key"),
    )

    tenant_id: Mapped[str] = mapped_column(primary_key=True)
    id: Mapped[UUID] = mapped_column(primary_key=True)
    user_key: Mapped[str]
    seq: Mapped[int] = mapped_column(BigInteger)
    erased_at: Mapped[datetime]
    body: Mapped[Json]
    id_keys: Mapped[list[str]]
    prev_hash: Mapped[str]
    hash: Mapped[str]


class SealRow(Base):
    """A seal of a tenant's decision chains: where every user's chain ended, as one hash in the tenant's chain."""

    __tablename__ = "seals"
    __table_args__ = (ForeignKeyConstraint(["tenant_id"], ["tenants.tenant_id"]),)

    tenant_id: Mapped[str] = mapped_column(primary_key=True)
    seq: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    sealed_at: Mapped[datetime]
    heads: Mapped[Json]
    prev_hash: Mapped[str]
    hash: Mapped[str]


class TokenBudgetRow(Base):
    """Tokens that a tenant's extractor took on a day (UTC)."""

    __tablename__ = "token_budget"
    __table_args__ = (
        ForeignKeyConstraint(["tenant_id"], ["tenants.tenant_id"]),
        CheckConstraint("tokens >= 0", name="tokens"),
    )

    tenant_id: Mapped[str] = mapped_column(primary_key=True)
    day: Mapped[date] = mapped_column(Date, primary_key=True)
    tokens: Mapped[int] = mapped_column(BigInteger)


class IdempotencyRow(Base):
    """A used Idempotency-Key. A forget takes hash and answer away; the bare row stays."""

    __tablename__ = "idempotency"
    __table_args__ = (
        ForeignKeyConstraint(["tenant_id"], ["tenants.tenant_id"]),
        CheckConstraint("state in ('claimed', 'done', 'erased')", name="state"),
        Index("ix_idempotency_expiry", "tenant_id", "expires_at"),
    )

    tenant_id: Mapped[str] = mapped_column(primary_key=True)
    user_key: Mapped[str] = mapped_column(primary_key=True)
    path: Mapped[str] = mapped_column(primary_key=True)
    key_hash: Mapped[str] = mapped_column(primary_key=True)
    state: Mapped[str]
    claim: Mapped[UUID]
    body_hash: Mapped[str | None]
    response: Mapped[Json | None] = mapped_column(JSONB(none_as_null=True))
    memory_ids: Mapped[list[UUID]]
    lease_until: Mapped[datetime]
    created_at: Mapped[datetime]
    expires_at: Mapped[datetime]
