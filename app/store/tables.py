"""The schema as SQLAlchemy models; `alembic check` holds it against the migrations.

Ready for sharding by tenant: `tenant_id` comes first in every primary key, unique index and foreign key. Every
table with a `user_id` or a `user_key` is walled off per user by row-level security as well (see `privileges.py`
for what the app role may change). `tenants` and `deployment` are the two tables outside that rule: they hold no
user data, and the sweep and the start-up checks read them before any tenant is known.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any
from uuid import UUID

from pgvector.sqlalchemy import HALFVEC
from sqlalchemy import (
    ARRAY,
    BigInteger,
    CheckConstraint,
    Computed,
    DateTime,
    ForeignKeyConstraint,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    SmallInteger,
    Text,
    Uuid,
    text,
)
from sqlalchemy.dialects.postgresql import JSONB, REAL, TSVECTOR
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

# A btree entry holds about 1,250 half-precision numbers; a longer vector would make the insert fail.
COVERED_DIMENSIONS = 1200

Json = dict[str, Any]
When = DateTime(timezone=True)


# Which setting walls off which tables, besides the tenant's. Read by the migrations' tests and by `make prove`.
USER_TABLES = ("owners", "memories", "memory_counters", "evidence", "links", "ledger_texts", "recalls")
USER_KEY_TABLES = ("ledger", "idempotency", "receipts", "previews")
TENANT_TABLES = ("api_keys", "tenant_chains", "owner_keys", "seals", "token_budget")


class Base(DeclarativeBase):
    """Base of all models; constraint names are derived, so that migrations can name them."""

    metadata = MetaData(
        naming_convention={
            "ix": "ix_%(table_name)s_%(column_0_N_name)s",
            "uq": "uq_%(table_name)s_%(column_0_N_name)s",
            "ck": "ck_%(table_name)s_%(constraint_name)s",
            "fk": "fk_%(table_name)s_%(referred_table_name)s_%(column_0_N_name)s",
            "pk": "pk_%(table_name)s",
        }
    )
    type_annotation_map = {  # noqa: RUF012 (SQLAlchemy reads it as a class attribute)
        str: Text(),
        datetime: When,
        UUID: Uuid(),
        Json: JSONB(),
        list[str]: ARRAY(Text()),
        list[UUID]: ARRAY(Uuid()),
    }


class Deployment(Base):
    """One row: which embedding model the stored vectors come from."""

    __tablename__ = "deployment"
    __table_args__ = (CheckConstraint("id = 1", name="single_row"),)

    id: Mapped[int] = mapped_column(SmallInteger, primary_key=True, autoincrement=False)
    embedding_model: Mapped[str]
    embedding_dimension: Mapped[int] = mapped_column(Integer)
    created_at: Mapped[datetime]


class TenantRow(Base):
    """An agent backend or team; `settings` holds what differs from the default policy."""

    __tablename__ = "tenants"
    __table_args__ = (CheckConstraint("tenant_id ~ '^[a-z0-9-]{1,40}$'", name="slug"),)

    tenant_id: Mapped[str] = mapped_column(primary_key=True)
    settings: Mapped[Json]
    created_at: Mapped[datetime]
    disabled_at: Mapped[datetime | None]


class KeyRow(Base):
    """An API key: only the keyed hash of its secret is stored."""

    __tablename__ = "api_keys"
    __table_args__ = (ForeignKeyConstraint(["tenant_id"], ["tenants.tenant_id"]),)

    tenant_id: Mapped[str] = mapped_column(primary_key=True)
    key_id: Mapped[str] = mapped_column(primary_key=True)
    name: Mapped[str]
    secret_hash: Mapped[bytes] = mapped_column(LargeBinary)
    scopes: Mapped[list[str]]
    bound_user: Mapped[str | None]
    rotated_from: Mapped[str | None]
    created_at: Mapped[datetime]
    expires_at: Mapped[datetime | None]
    revoked_at: Mapped[datetime | None]


class TenantChainRow(Base):
    """The head of a tenant's chain of receipts."""

    __tablename__ = "tenant_chains"
    __table_args__ = (ForeignKeyConstraint(["tenant_id"], ["tenants.tenant_id"]),)

    tenant_id: Mapped[str] = mapped_column(primary_key=True)
    seq: Mapped[int] = mapped_column(BigInteger)
    head: Mapped[str]


class OwnerRow(Base):
    """A user of a tenant: the row that writes lock, the forget epoch and the head of the decision chain."""

    __tablename__ = "owners"
    __table_args__ = (
        ForeignKeyConstraint(["tenant_id"], ["tenants.tenant_id"]),
        CheckConstraint("user_id ~ '^[A-Za-z0-9._:@|+=/-]{1,128}$'", name="user_id"),
    )

    tenant_id: Mapped[str] = mapped_column(primary_key=True)
    user_id: Mapped[str] = mapped_column(primary_key=True)
    user_key: Mapped[str]
    forget_epoch: Mapped[int] = mapped_column(BigInteger)
    chain_seq: Mapped[int] = mapped_column(BigInteger)
    chain_head: Mapped[str]
    created_at: Mapped[datetime]


class OwnerKeyRow(Base):
    """A keyed hash of a user id ever seen: what remains to find a tenant's ledger by, when it is offboarded."""

    __tablename__ = "owner_keys"
    __table_args__ = (ForeignKeyConstraint(["tenant_id"], ["tenants.tenant_id"]),)

    tenant_id: Mapped[str] = mapped_column(primary_key=True)
    user_key: Mapped[str] = mapped_column(primary_key=True)


class MemoryRow(Base):
    """A memory of any kind; the kinds are classes over this one table, their rules are its constraints."""

    __tablename__ = "memories"
    __mapper_args__ = {"polymorphic_on": "kind"}  # noqa: RUF012 (SQLAlchemy reads it as a class attribute)
    __table_args__ = (
        ForeignKeyConstraint(["tenant_id", "user_id"], ["owners.tenant_id", "owners.user_id"]),
        CheckConstraint("kind in ('episodic', 'semantic', 'procedural')", name="kind"),
        CheckConstraint(
            "status in ('active', 'superseded', 'held', 'quarantined', 'disputed', 'expired')", name="status"
        ),
        CheckConstraint("content <> '' and char_length(content) <= 32000", name="content"),
        CheckConstraint("char_length(subject) between 1 and 128", name="subject"),
        CheckConstraint("importance between 1 and 10", name="importance"),
        CheckConstraint("confidence between 0 and 1", name="confidence"),
        CheckConstraint("trust between 0 and 4", name="trust"),
        CheckConstraint(
            "(embedding is null) = (embedding_model is null) and (embedding is null) = (embedding_dimension is null)",
            name="embedding_has_model",
        ),
        # a held memory cannot be held for ever
        CheckConstraint("status <> 'held' or expires_at is not null", name="held_has_ttl"),
        # events are append-only: another event never retires one, only a correction or an approval by a person does;
        # a check that comes out NULL would let the row pass
        CheckConstraint(
            "kind <> 'episodic' or status <> 'superseded' "
            "or coalesce(retired_by, '') in ('correction', 'approval', 'set_aside')",
            name="episodic_append_only",
        ),
        # how things are to be done comes from the user alone
        CheckConstraint("kind <> 'procedural' or status <> 'active' or trust >= 3", name="procedural_trusted"),
        CheckConstraint("not single_valued or (kind = 'semantic' and attribute is not null)", name="single_valued"),
        CheckConstraint("retired_by in ('resolver', 'correction', 'approval', 'set_aside')", name="retired_by"),
        # one active fact per single-valued attribute, whatever the concurrency
        Index(
            "uq_memories_one_active_fact",
            "tenant_id",
            "user_id",
            "subject",
            "attribute",
            unique=True,
            postgresql_where=text("status = 'active' and single_valued"),
        ),
        # no twins: the same words about the same subject are one active row (events may repeat)
        Index(
            "uq_memories_no_twins",
            "tenant_id",
            "user_id",
            "kind",
            "content_key",
            unique=True,
            postgresql_where=text("status = 'active' and kind <> 'episodic'"),
        ),
        # the exact scan over one owner's vectors
        Index(
            "ix_memories_owner_vectors",
            "tenant_id",
            "user_id",
            postgresql_include=["id", "embedding"],
            postgresql_where=text(f"status = 'active' and coalesce(embedding_dimension, 0) <= {COVERED_DIMENSIONS}"),
        ),
        Index("ix_memories_listing", "tenant_id", "user_id", text("created_at desc"), text("id desc")),
        Index("ix_memories_claims", "tenant_id", "user_id", "subject", "attribute"),
        # the few plans and guesses that a plain statement may settle
        Index(
            "ix_memories_held",
            "tenant_id",
            "user_id",
            "subject",
            postgresql_where=text("status = 'held'"),
        ),
        Index("ix_memories_words", "tenant_id", "user_id", "content_key"),
        Index("ix_memories_session", "tenant_id", "user_id", "session_id", "session_ordinal"),
        Index(
            "ix_memories_source", "tenant_id", "user_id", "source_id", postgresql_where=text("source_id is not null")
        ),
        Index("ix_memories_expiry", "tenant_id", "expires_at", postgresql_where=text("expires_at is not null")),
    )

    tenant_id: Mapped[str] = mapped_column(primary_key=True)
    id: Mapped[UUID] = mapped_column(primary_key=True)
    user_id: Mapped[str]
    kind: Mapped[str]
    content: Mapped[str]
    content_key: Mapped[str]
    subject: Mapped[str]
    attribute: Mapped[str | None]
    value: Mapped[str | None]
    positive: Mapped[bool]
    single_valued: Mapped[bool]
    importance: Mapped[int] = mapped_column(SmallInteger)
    confidence: Mapped[float] = mapped_column(REAL)
    trust: Mapped[int] = mapped_column(SmallInteger)
    status: Mapped[str]
    retired_by: Mapped[str | None]
    stale: Mapped[bool]
    pinned: Mapped[bool]
    occurred_at: Mapped[datetime]
    valid_from: Mapped[datetime | None]
    valid_to: Mapped[datetime | None]
    known_from: Mapped[datetime]
    known_to: Mapped[datetime | None]
    created_at: Mapped[datetime]
    updated_at: Mapped[datetime]
    expires_at: Mapped[datetime | None]
    # `metadata` is taken by the declarative base
    labels: Mapped[Json] = mapped_column("metadata", JSONB())
    source_type: Mapped[str]
    source_id: Mapped[str | None]
    session_id: Mapped[str | None]
    session_ordinal: Mapped[int] = mapped_column(BigInteger)
    agent_id: Mapped[str | None]
    embedding: Mapped[Any | None] = mapped_column(HALFVEC())
    embedding_model: Mapped[str | None]
    embedding_dimension: Mapped[int | None] = mapped_column(Integer)
    terms: Mapped[str]
    tsv: Mapped[Any] = mapped_column(TSVECTOR(), Computed("to_tsvector('simple'::regconfig, terms)", persisted=True))


class EpisodicMemoryRow(MemoryRow):
    """An event with its time: append-only."""

    __mapper_args__ = {"polymorphic_identity": "episodic"}  # noqa: RUF012


class SemanticMemoryRow(MemoryRow):
    """A stable fact: de-duplicated, superseded when it changes."""

    __mapper_args__ = {"polymorphic_identity": "semantic"}  # noqa: RUF012


class ProceduralMemoryRow(MemoryRow):
    """How the user wants things done: few, and from the user alone."""

    __mapper_args__ = {"polymorphic_identity": "procedural"}  # noqa: RUF012


class CounterRow(Base):
    """What changes when a memory is confirmed, kept apart so that the vectors' pages stay all-visible."""

    __tablename__ = "memory_counters"
    __table_args__ = (
        ForeignKeyConstraint(["tenant_id", "memory_id"], ["memories.tenant_id", "memories.id"]),
        {"postgresql_with": {"fillfactor": 80}},
    )

    tenant_id: Mapped[str] = mapped_column(primary_key=True)
    memory_id: Mapped[UUID] = mapped_column(primary_key=True)
    user_id: Mapped[str]
    mentions: Mapped[int] = mapped_column(Integer)
    reinforcements: Mapped[int] = mapped_column(Integer)
    confirmed_at: Mapped[datetime | None]


class EvidenceRow(Base):
    """Where a memory came from; `origin` marks what it was made of, the rest confirmed it later."""

    __tablename__ = "evidence"
    __table_args__ = (
        ForeignKeyConstraint(["tenant_id", "memory_id"], ["memories.tenant_id", "memories.id"]),
        Index("ix_evidence_memory", "tenant_id", "memory_id", "created_at"),
        Index("ix_evidence_owner", "tenant_id", "user_id", "created_at"),
    )

    tenant_id: Mapped[str] = mapped_column(primary_key=True)
    id: Mapped[UUID] = mapped_column(primary_key=True)
    user_id: Mapped[str]
    memory_id: Mapped[UUID]
    write_id: Mapped[UUID | None]
    message_index: Mapped[int] = mapped_column(Integer)
    role: Mapped[str]
    quote: Mapped[str]
    # the labels that came with it, so that they can go with it
    labels: Mapped[Json]
    origin: Mapped[bool]
    independent: Mapped[bool]
    trust: Mapped[int] = mapped_column(SmallInteger)
    source_type: Mapped[str]
    source_id: Mapped[str | None]
    session_id: Mapped[str | None]
    occurred_at: Mapped[datetime]
    created_at: Mapped[datetime]


class LinkRow(Base):
    """A relation between two memories of one user."""

    __tablename__ = "links"
    __table_args__ = (
        ForeignKeyConstraint(["tenant_id", "from_id"], ["memories.tenant_id", "memories.id"]),
        ForeignKeyConstraint(["tenant_id", "to_id"], ["memories.tenant_id", "memories.id"]),
        CheckConstraint("relation in ('supersedes', 'derived_from', 'approved_as', 'conflicts_with')", name="relation"),
        CheckConstraint("from_id <> to_id", name="not_itself"),
        Index("ix_links_to", "tenant_id", "to_id", "relation"),
    )

    tenant_id: Mapped[str] = mapped_column(primary_key=True)
    from_id: Mapped[UUID] = mapped_column(primary_key=True)
    relation: Mapped[str] = mapped_column(primary_key=True)
    to_id: Mapped[UUID] = mapped_column(primary_key=True)
    user_id: Mapped[str]
    created_at: Mapped[datetime]
