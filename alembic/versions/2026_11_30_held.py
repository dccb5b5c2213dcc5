"""An index of held memories: every plain statement looks for the plans and guesses that it settles."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute("set local lock_timeout = '5s'")
    op.create_index(
        "ix_memories_held",
        "memories",
        ["tenant_id", "user_id", "subject"],
        postgresql_where=sa.text("status = 'held'"),
    )


def downgrade() -> None:
    op.execute("set local lock_timeout = '5s'")
    op.drop_index("ix_memories_held", table_name="memories")
