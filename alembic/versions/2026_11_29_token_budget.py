"""Tokens that a tenant's extractor took on a day: what the daily limit is held against."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute("set local lock_timeout = '5s'")
    op.create_table(
        "token_budget",
        sa.Column("tenant_id", sa.Text(), nullable=False),
        sa.Column("day", sa.Date(), nullable=False),
        sa.Column("tokens", sa.BigInteger(), nullable=False),
        sa.CheckConstraint("tokens >= 0", name=op.f("ck_token_budget_tokens")),
        sa.ForeignKeyConstraint(["tenant_id"], ["tenants.tenant_id"], name=op.f("fk_token_budget_tenants_tenant_id")),
        sa.PrimaryKeyConstraint("tenant_id", "day", name=op.f("pk_token_budget")),
    )
    op.execute("alter table token_budget enable row level security")
    op.execute("alter table token_budget force row level security")
    check = "(tenant_id = (select current_setting('app.tenant_id', true)))"
    op.execute(
        "create policy token_budget_tenant_id on token_budget as permissive for all to public "
        f"using {check} with check {check}"
    )


def downgrade() -> None:
    op.execute("set local lock_timeout = '5s'")
    op.drop_table("token_budget")
