"""The first schema: tenants, keys, memories, evidence, links, ledger, receipts, and the walls between users."""

import sqlalchemy as sa
from alembic import op
from pgvector.sqlalchemy import HALFVEC
from sqlalchemy.dialects import postgresql

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


# walled off by tenant and user id, by tenant and the user's keyed hash, by tenant alone
USER_TABLES = ("memories", "memory_counters", "evidence", "links", "ledger_texts", "recalls")
USER_KEY_TABLES = ("ledger", "idempotency", "receipts", "previews")
TENANT_TABLES = ("api_keys", "tenant_chains", "owner_keys", "seals")
# columns that hold what a user said, in any form
SAMPLED = {
    "memories": ("content", "content_key", "subject", "value", "metadata", "terms", "tsv", "embedding"),
    "evidence": ("quote", "labels"),
    "ledger_texts": ("body",),
    "recalls": ("request", "answer"),
    "idempotency": ("response",),
}


def wall(table: str, column: str, setting: str, *, restrictive: bool, command: str = "all") -> str:
    """Spell one policy in the shape a prover accepts: one comparison, no cast, an unset setting matches nothing."""
    check = f"({column} = (select current_setting('{setting}', true)))"
    clauses = {
        "all": f"using {check} with check {check}",
        "insert": f"with check {check}",
        "update": f"using {check} with check {check}",
        "delete": f"using {check}",
    }[command]
    kind = "restrictive" if restrictive else "permissive"
    name = f"{table}_{column}" if command == "all" else f"{table}_{column}_{command}"
    return f"create policy {name} on {table} as {kind} for {command} to public {clauses}"


def upgrade() -> None:
    # fail fast instead of queueing every request behind this lock
    op.execute("set local lock_timeout = '5s'")
    op.create_table(
        "deployment",
        sa.Column("id", sa.SmallInteger(), autoincrement=False, nullable=False),
        sa.Column("embedding_model", sa.Text(), nullable=False),
        sa.Column("embedding_dimension", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint("id = 1", name=op.f("ck_deployment_single_row")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_deployment")),
    )
    op.create_table(
        "tenants",
        sa.Column("tenant_id", sa.Text(), nullable=False),
        sa.Column("settings", postgresql.JSONB(astext_type=sa.Text()), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("disabled_at", sa.DateTime(timezone=True), nullable=True),
        sa.CheckConstraint("tenant_id ~ '^[a-z0-9-]{1,40}$'", name=op.f("ck_tenants_slug")),
        sa.PrimaryKeyConstraint("tenant_id", name=op.f("pk_tenants")),
    )
    op.create_table(
        "api_keys",
        sa.Column("tenant_id", sa.Text(), nullable=False),
        sa.Column("key_id", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("secret_hash", sa.LargeBinary(), nullable=False),
        sa.Column("scopes", sa.ARRAY(sa.Text()), nullable=False),
        sa.Column("bound_user", sa.Text(), nullable=True),
        sa.Column("rotated_from", sa.Text(), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("revoked_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["tenant_id"], ["tenants.tenant_id"], name=op.f("fk_api_keys_tenants_tenant_id")),
        sa.PrimaryKeyConstraint("tenant_id", "key_id", name=op.f("pk_api_keys")),
    )
    op.create_table(
        "idempotency",
        sa.Column("tenant_id", sa.Text(), nullable=False),
        sa.Column("user_key", sa.Text(), nullable=False),
        sa.Column("path", sa.Text(), nullable=False),
        sa.Column("key_hash", sa.Text(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("claim", sa.Uuid(), nullable=False),
        sa.Column("body_hash", sa.Text(), nullable=True),
        sa.Column("response", postgresql.JSONB(astext_type=sa.Text()), nullable=True),
        sa.Column("memory_ids", sa.ARRAY(sa.Uuid()), nullable=False),
        sa.Column("lease_until", sa.DateTime(timezone=True), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint("state in ('claimed', 'done', 'erased')", name=op.f("ck_idempotency_state")),
        sa.ForeignKeyConstraint(["tenant_id"], ["tenants.tenant_id"], name=op.f("fk_idempotency_tenants_tenant_id")),
        sa.PrimaryKeyConstraint("tenant_id", "user_key", "path", "key_hash", name=op.f("pk_idempotency")),
    )
    op.create_index("ix_idempotency_expiry", "idempotency", ["tenant_id", "expires_at"], unique=False)
    op.create_table(
        "ledger",
        sa.Column("tenant_id", sa.Text(), nullable=False),
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("user_key", sa.Text(), nullable=False),
        sa.Column("seq", sa.BigInteger(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("event", sa.Text(), nullable=False),
        sa.Column("write_id", sa.Uuid(), nullable=True),
        sa.Column("memory_key", sa.Text(), nullable=True),
        sa.Column("body", postgresql.JSONB(astext_type=sa.Text()), nullable=False),
        sa.Column("prev_hash", sa.Text(), nullable=False),
        sa.Column("hash", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["tenant_id"], ["tenants.tenant_id"], name=op.f("fk_ledger_tenants_tenant_id")),
        sa.PrimaryKeyConstraint("tenant_id", "id", name=op.f("pk_ledger")),
    )
    op.create_index("ix_ledger_memory", "ledger", ["tenant_id", "user_key", "memory_key"], unique=False)
    op.create_index("ix_ledger_write", "ledger", ["tenant_id", "user_key", "write_id"], unique=False)
    op.create_index("uq_ledger_seq", "ledger", ["tenant_id", "user_key", "seq"], unique=True)
    op.create_table(
        "owner_keys",
        sa.Column("tenant_id", sa.Text(), nullable=False),
        sa.Column("user_key", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["tenant_id"], ["tenants.tenant_id"], name=op.f("fk_owner_keys_tenants_tenant_id")),
        sa.PrimaryKeyConstraint("tenant_id", "user_key", name=op.f("pk_owner_keys")),
    )
    op.create_table(
        "owners",
        sa.Column("tenant_id", sa.Text(), nullable=False),
        sa.Column("user_id", sa.Text(), nullable=False),
        sa.Column("user_key", sa.Text(), nullable=False),
        sa.Column("forget_epoch", sa.BigInteger(), nullable=False),
        sa.Column("chain_seq", sa.BigInteger(), nullable=False),
        sa.Column("chain_head", sa.Text(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint("user_id ~ '^[A-Za-z0-9._:@|+=/-]{1,128}$'", name=op.f("ck_owners_user_id")),
        sa.ForeignKeyConstraint(["tenant_id"], ["tenants.tenant_id"], name=op.f("fk_owners_tenants_tenant_id")),
        sa.PrimaryKeyConstraint("tenant_id", "user_id", name=op.f("pk_owners")),
    )
    op.create_table(
        "receipts",
        sa.Column("tenant_id", sa.Text(), nullable=False),
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("user_key", sa.Text(), nullable=False),
        sa.Column("seq", sa.BigInteger(), nullable=False),
        sa.Column("erased_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("body", postgresql.JSONB(astext_type=sa.Text()), nullable=False),
        sa.Column("id_keys", sa.ARRAY(sa.Text()), nullable=False),
        sa.Column("prev_hash", sa.Text(), nullable=False),
        sa.Column("hash", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["tenant_id"], ["tenants.tenant_id"], name=op.f("fk_receipts_tenants_tenant_id")),
        sa.PrimaryKeyConstraint("tenant_id", "id", name=op.f("pk_receipts")),
    )
    op.create_index("ix_receipts_user", "receipts", ["tenant_id", "user_key"], unique=False)
    op.create_index("uq_receipts_seq", "receipts", ["tenant_id", "seq"], unique=True)
    op.create_table(
        "seals",
        sa.Column("tenant_id", sa.Text(), nullable=False),
        sa.Column("seq", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("sealed_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("heads", postgresql.JSONB(astext_type=sa.Text()), nullable=False),
        sa.Column("prev_hash", sa.Text(), nullable=False),
        sa.Column("hash", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["tenant_id"], ["tenants.tenant_id"], name=op.f("fk_seals_tenants_tenant_id")),
        sa.PrimaryKeyConstraint("tenant_id", "seq", name=op.f("pk_seals")),
    )
    op.create_table(
        "tenant_chains",
        sa.Column("tenant_id", sa.Text(), nullable=False),
        sa.Column("seq", sa.BigInteger(), nullable=False),
        sa.Column("head", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["tenant_id"], ["tenants.tenant_id"], name=op.f("fk_tenant_chains_tenants_tenant_id")),
        sa.PrimaryKeyConstraint("tenant_id", name=op.f("pk_tenant_chains")),
    )
    op.create_table(
        "ledger_texts",
        sa.Column("tenant_id", sa.Text(), nullable=False),
        sa.Column("ledger_id", sa.Uuid(), nullable=False),
        sa.Column("user_id", sa.Text(), nullable=False),
        sa.Column("memory_id", sa.Uuid(), nullable=True),
        sa.Column("body", postgresql.JSONB(astext_type=sa.Text()), nullable=False),
        sa.Column("session_id", sa.Text(), nullable=True),
        sa.Column("source_id", sa.Text(), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(
            ["tenant_id", "ledger_id"],
            ["ledger.tenant_id", "ledger.id"],
            name=op.f("fk_ledger_texts_ledger_tenant_id_ledger_id"),
        ),
        sa.PrimaryKeyConstraint("tenant_id", "ledger_id", name=op.f("pk_ledger_texts")),
    )
    op.create_index(
        "ix_ledger_texts_expiry",
        "ledger_texts",
        ["tenant_id", "expires_at"],
        unique=False,
        postgresql_where=sa.text("expires_at is not null"),
    )
    op.create_index("ix_ledger_texts_memory", "ledger_texts", ["tenant_id", "user_id", "memory_id"], unique=False)
    op.create_table(
        "memories",
        sa.Column("tenant_id", sa.Text(), nullable=False),
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("user_id", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("content", sa.Text(), nullable=False),
        sa.Column("content_key", sa.Text(), nullable=False),
        sa.Column("subject", sa.Text(), nullable=False),
        sa.Column("attribute", sa.Text(), nullable=True),
        sa.Column("value", sa.Text(), nullable=True),
        sa.Column("positive", sa.Boolean(), nullable=False),
        sa.Column("single_valued", sa.Boolean(), nullable=False),
        sa.Column("importance", sa.SmallInteger(), nullable=False),
        sa.Column("confidence", sa.REAL(), nullable=False),
        sa.Column("trust", sa.SmallInteger(), nullable=False),
        sa.Column("status", sa.Text(), nullable=False),
        sa.Column("retired_by", sa.Text(), nullable=True),
        sa.Column("stale", sa.Boolean(), nullable=False),
        sa.Column("pinned", sa.Boolean(), nullable=False),
        sa.Column("occurred_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("valid_from", sa.DateTime(timezone=True), nullable=True),
        sa.Column("valid_to", sa.DateTime(timezone=True), nullable=True),
        sa.Column("known_from", sa.DateTime(timezone=True), nullable=False),
        sa.Column("known_to", sa.DateTime(timezone=True), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("updated_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("metadata", postgresql.JSONB(astext_type=sa.Text()), nullable=False),
        sa.Column("source_type", sa.Text(), nullable=False),
        sa.Column("source_id", sa.Text(), nullable=True),
        sa.Column("session_id", sa.Text(), nullable=True),
        sa.Column("session_ordinal", sa.BigInteger(), nullable=False),
        sa.Column("agent_id", sa.Text(), nullable=True),
        sa.Column("embedding", HALFVEC(), nullable=True),
        sa.Column("embedding_model", sa.Text(), nullable=True),
        sa.Column("embedding_dimension", sa.Integer(), nullable=True),
        sa.Column("terms", sa.Text(), nullable=False),
        sa.Column(
            "tsv",
            postgresql.TSVECTOR(),
            sa.Computed("to_tsvector('simple'::regconfig, terms)", persisted=True),
            nullable=False,
        ),
        sa.CheckConstraint("content <> '' and char_length(content) <= 32000", name=op.f("ck_memories_content")),
        sa.CheckConstraint(
            "kind <> 'episodic' or status <> 'superseded' or coalesce(retired_by, '') in ('correction', 'approval')",
            name=op.f("ck_memories_episodic_append_only"),
        ),
        sa.CheckConstraint(
            "kind <> 'procedural' or status <> 'active' or trust >= 3", name=op.f("ck_memories_procedural_trusted")
        ),
        sa.CheckConstraint("kind in ('episodic', 'semantic', 'procedural')", name=op.f("ck_memories_kind")),
        sa.CheckConstraint(
            "not single_valued or (kind = 'semantic' and attribute is not null)", name=op.f("ck_memories_single_valued")
        ),
        sa.CheckConstraint(
            "retired_by in ('resolver', 'correction', 'approval', 'set_aside')", name=op.f("ck_memories_retired_by")
        ),
        sa.CheckConstraint("status <> 'held' or expires_at is not null", name=op.f("ck_memories_held_has_ttl")),
        sa.CheckConstraint(
            "status in ('active', 'superseded', 'held', 'quarantined', 'disputed', 'expired')",
            name=op.f("ck_memories_status"),
        ),
        sa.CheckConstraint(
            "(embedding is null) = (embedding_model is null) and (embedding is null) = (embedding_dimension is null)",
            name=op.f("ck_memories_embedding_has_model"),
        ),
        sa.CheckConstraint("char_length(subject) between 1 and 128", name=op.f("ck_memories_subject")),
        sa.CheckConstraint("confidence between 0 and 1", name=op.f("ck_memories_confidence")),
        sa.CheckConstraint("importance between 1 and 10", name=op.f("ck_memories_importance")),
        sa.CheckConstraint("trust between 0 and 4", name=op.f("ck_memories_trust")),
        sa.ForeignKeyConstraint(
            ["tenant_id", "user_id"],
            ["owners.tenant_id", "owners.user_id"],
            name=op.f("fk_memories_owners_tenant_id_user_id"),
        ),
        sa.PrimaryKeyConstraint("tenant_id", "id", name=op.f("pk_memories")),
    )
    op.create_index("ix_memories_claims", "memories", ["tenant_id", "user_id", "subject", "attribute"], unique=False)
    op.create_index(
        "ix_memories_expiry",
        "memories",
        ["tenant_id", "expires_at"],
        unique=False,
        postgresql_where=sa.text("expires_at is not null"),
    )
    op.create_index(
        "ix_memories_listing",
        "memories",
        ["tenant_id", "user_id", sa.literal_column("created_at desc"), sa.literal_column("id desc")],
        unique=False,
    )
    op.create_index(
        "ix_memories_owner_vectors",
        "memories",
        ["tenant_id", "user_id"],
        unique=False,
        postgresql_include=["id", "embedding"],
        postgresql_where=sa.text("status = 'active' and coalesce(embedding_dimension, 0) <= 1200"),
    )
    op.create_index(
        "ix_memories_session", "memories", ["tenant_id", "user_id", "session_id", "session_ordinal"], unique=False
    )
    op.create_index(
        "ix_memories_source",
        "memories",
        ["tenant_id", "user_id", "source_id"],
        unique=False,
        postgresql_where=sa.text("source_id is not null"),
    )
    op.create_index("ix_memories_words", "memories", ["tenant_id", "user_id", "content_key"], unique=False)
    op.create_index(
        "uq_memories_no_twins",
        "memories",
        ["tenant_id", "user_id", "kind", "content_key"],
        unique=True,
        postgresql_where=sa.text("status = 'active' and kind <> 'episodic'"),
    )
    op.create_index(
        "uq_memories_one_active_fact",
        "memories",
        ["tenant_id", "user_id", "subject", "attribute"],
        unique=True,
        postgresql_where=sa.text("status = 'active' and single_valued"),
    )
    op.create_table(
        "previews",
        sa.Column("tenant_id", sa.Text(), nullable=False),
        sa.Column("token_hash", sa.Text(), nullable=False),
        sa.Column("user_key", sa.Text(), nullable=False),
        sa.Column("selector", sa.Text(), nullable=False),
        sa.Column("plan", postgresql.JSONB(astext_type=sa.Text()), nullable=False),
        sa.Column("memory_ids", sa.ARRAY(sa.Uuid()), nullable=False),
        sa.Column("fingerprint", sa.Text(), nullable=False),
        sa.Column("receipt_id", sa.Uuid(), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["tenant_id"], ["tenants.tenant_id"], name=op.f("fk_previews_tenants_tenant_id")),
        sa.PrimaryKeyConstraint("tenant_id", "token_hash", name=op.f("pk_previews")),
    )
    op.create_index("ix_previews_user", "previews", ["tenant_id", "user_key"], unique=False)
    op.create_table(
        "recalls",
        sa.Column("tenant_id", sa.Text(), nullable=False),
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("user_id", sa.Text(), nullable=False),
        sa.Column("request", postgresql.JSONB(astext_type=sa.Text()), nullable=False),
        sa.Column("answer", postgresql.JSONB(astext_type=sa.Text()), nullable=False),
        sa.Column("memory_ids", sa.ARRAY(sa.Uuid()), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["tenant_id", "user_id"],
            ["owners.tenant_id", "owners.user_id"],
            name=op.f("fk_recalls_owners_tenant_id_user_id"),
        ),
        sa.PrimaryKeyConstraint("tenant_id", "id", name=op.f("pk_recalls")),
    )
    op.create_index("ix_recalls_owner", "recalls", ["tenant_id", "user_id", "created_at"], unique=False)
    op.create_table(
        "evidence",
        sa.Column("tenant_id", sa.Text(), nullable=False),
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("user_id", sa.Text(), nullable=False),
        sa.Column("memory_id", sa.Uuid(), nullable=False),
        sa.Column("write_id", sa.Uuid(), nullable=True),
        sa.Column("message_index", sa.Integer(), nullable=False),
        sa.Column("role", sa.Text(), nullable=False),
        sa.Column("quote", sa.Text(), nullable=False),
        sa.Column("labels", postgresql.JSONB(astext_type=sa.Text()), nullable=False),
        sa.Column("origin", sa.Boolean(), nullable=False),
        sa.Column("independent", sa.Boolean(), nullable=False),
        sa.Column("trust", sa.SmallInteger(), nullable=False),
        sa.Column("source_type", sa.Text(), nullable=False),
        sa.Column("source_id", sa.Text(), nullable=True),
        sa.Column("session_id", sa.Text(), nullable=True),
        sa.Column("occurred_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["tenant_id", "memory_id"],
            ["memories.tenant_id", "memories.id"],
            name=op.f("fk_evidence_memories_tenant_id_memory_id"),
        ),
        sa.PrimaryKeyConstraint("tenant_id", "id", name=op.f("pk_evidence")),
    )
    op.create_index("ix_evidence_memory", "evidence", ["tenant_id", "memory_id", "created_at"], unique=False)
    op.create_index("ix_evidence_owner", "evidence", ["tenant_id", "user_id", "created_at"], unique=False)
    op.create_table(
        "links",
        sa.Column("tenant_id", sa.Text(), nullable=False),
        sa.Column("from_id", sa.Uuid(), nullable=False),
        sa.Column("relation", sa.Text(), nullable=False),
        sa.Column("to_id", sa.Uuid(), nullable=False),
        sa.Column("user_id", sa.Text(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint(
            "relation in ('supersedes', 'derived_from', 'approved_as', 'conflicts_with')",
            name=op.f("ck_links_relation"),
        ),
        sa.CheckConstraint("from_id <> to_id", name=op.f("ck_links_not_itself")),
        sa.ForeignKeyConstraint(
            ["tenant_id", "from_id"],
            ["memories.tenant_id", "memories.id"],
            name=op.f("fk_links_memories_tenant_id_from_id"),
        ),
        sa.ForeignKeyConstraint(
            ["tenant_id", "to_id"],
            ["memories.tenant_id", "memories.id"],
            name=op.f("fk_links_memories_tenant_id_to_id"),
        ),
        sa.PrimaryKeyConstraint("tenant_id", "from_id", "relation", "to_id", name=op.f("pk_links")),
    )
    op.create_index("ix_links_to", "links", ["tenant_id", "to_id", "relation"], unique=False)
    op.create_table(
        "memory_counters",
        sa.Column("tenant_id", sa.Text(), nullable=False),
        sa.Column("memory_id", sa.Uuid(), nullable=False),
        sa.Column("user_id", sa.Text(), nullable=False),
        sa.Column("mentions", sa.Integer(), nullable=False),
        sa.Column("reinforcements", sa.Integer(), nullable=False),
        sa.Column("confirmed_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(
            ["tenant_id", "memory_id"],
            ["memories.tenant_id", "memories.id"],
            name=op.f("fk_memory_counters_memories_tenant_id_memory_id"),
        ),
        sa.PrimaryKeyConstraint("tenant_id", "memory_id", name=op.f("pk_memory_counters")),
        postgresql_with={"fillfactor": 80},
    )

    # statistics are samples of the content, and outlive the rows they were taken from
    for table, columns in SAMPLED.items():
        for column in columns:
            op.execute(f"alter table {table} alter column {column} set statistics 0")
    # vectors stay in the row, uncompressed: the exact scan reads them all
    op.execute("alter table memories alter column embedding set storage plain")

    for table in ("owners", *USER_TABLES, *USER_KEY_TABLES, *TENANT_TABLES):
        op.execute(f"alter table {table} enable row level security")
        op.execute(f"alter table {table} force row level security")
        op.execute(wall(table, "tenant_id", "app.tenant_id", restrictive=False))
    for table in USER_TABLES:
        op.execute(wall(table, "user_id", "app.user_id", restrictive=True))
    for table in USER_KEY_TABLES:
        op.execute(wall(table, "user_key", "app.user_key", restrictive=True))
    # the sweep lists a tenant's users; changing one still takes being that user
    for command in ("insert", "update", "delete"):
        op.execute(wall("owners", "user_id", "app.user_id", restrictive=True, command=command))


def downgrade() -> None:
    op.execute("set local lock_timeout = '5s'")
    op.drop_table("memory_counters")
    op.drop_index("ix_links_to", table_name="links")
    op.drop_table("links")
    op.drop_index("ix_evidence_owner", table_name="evidence")
    op.drop_index("ix_evidence_memory", table_name="evidence")
    op.drop_table("evidence")
    op.drop_index("ix_recalls_owner", table_name="recalls")
    op.drop_table("recalls")
    op.drop_index("ix_previews_user", table_name="previews")
    op.drop_table("previews")
    op.drop_index(
        "uq_memories_one_active_fact",
        table_name="memories",
        postgresql_where=sa.text("status = 'active' and single_valued"),
    )
    op.drop_index(
        "uq_memories_no_twins",
        table_name="memories",
        postgresql_where=sa.text("status = 'active' and kind <> 'episodic'"),
    )
    op.drop_index("ix_memories_words", table_name="memories")
    op.drop_index("ix_memories_source", table_name="memories", postgresql_where=sa.text("source_id is not null"))
    op.drop_index("ix_memories_session", table_name="memories")
    op.drop_index(
        "ix_memories_owner_vectors",
        table_name="memories",
        postgresql_include=["id", "embedding"],
        postgresql_where=sa.text("status = 'active' and coalesce(embedding_dimension, 0) <= 1200"),
    )
    op.drop_index("ix_memories_listing", table_name="memories")
    op.drop_index("ix_memories_expiry", table_name="memories", postgresql_where=sa.text("expires_at is not null"))
    op.drop_index("ix_memories_claims", table_name="memories")
    op.drop_table("memories")
    op.drop_index("ix_ledger_texts_memory", table_name="ledger_texts")
    op.drop_index(
        "ix_ledger_texts_expiry", table_name="ledger_texts", postgresql_where=sa.text("expires_at is not null")
    )
    op.drop_table("ledger_texts")
    op.drop_table("tenant_chains")
    op.drop_table("seals")
    op.drop_index("uq_receipts_seq", table_name="receipts")
    op.drop_index("ix_receipts_user", table_name="receipts")
    op.drop_table("receipts")
    op.drop_table("owners")
    op.drop_table("owner_keys")
    op.drop_index("uq_ledger_seq", table_name="ledger")
    op.drop_index("ix_ledger_write", table_name="ledger")
    op.drop_index("ix_ledger_memory", table_name="ledger")
    op.drop_table("ledger")
    op.drop_index("ix_idempotency_expiry", table_name="idempotency")
    op.drop_table("idempotency")
    op.drop_table("api_keys")
    op.drop_table("tenants")
    op.drop_table("deployment")
