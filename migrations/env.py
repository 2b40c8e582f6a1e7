"""How alembic reaches the database: over the connection that ``services.eventlog.migrate`` hands in."""

from alembic import context

context.configure(connection=context.config.attributes["connection"], transaction_per_migration=False)
with context.begin_transaction():
    context.run_migrations()
