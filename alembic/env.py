"""Runs the migrations on the connection that `app.store.migrate` hands over, then renews the app role's privileges."""

from alembic import context

from app.store.migrate import configured_connection
from app.store.privileges import grant_to_app_role
from app.store.tables import Base

import app.store.records  # noqa: F401 isort: skip (the other half of the schema)

config = context.config

with configured_connection(config) as connection:
    context.configure(
        connection=connection,
        target_metadata=Base.metadata,
        compare_type=True,
        transaction_per_migration=False,
    )
    with context.begin_transaction():
        context.run_migrations()
        role = config.attributes.get("app_role")
        if role is not None:
            grant_to_app_role(connection, role)
