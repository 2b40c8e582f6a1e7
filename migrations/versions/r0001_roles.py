"""The roles of the processes, and the guard that makes a table append-only."""

from alembic import op

revision = "0001"
down_revision: str | None = None

# Roles belong to the whole server; another database of it may have made them. One that makes them at this very moment
# makes this migration fail, and ``services.eventlog.migrate`` runs it again: an exception caught here would be a
# savepoint, and databases of many nodes do not take changes of the schema behind one.
ROLE = """
DO $$
BEGIN
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = '{role}') THEN
        CREATE ROLE {role} NOLOGIN;
    END IF;
END
$$
"""

REFUSE_CHANGE = """
CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION '% on % is refused: the table is append-only', TG_OP, TG_TABLE_NAME
        USING ERRCODE = 'insufficient_privilege';
END
$$
"""


def upgrade() -> None:
    """Make the roles and the guard."""
    for role in ("pitboss_dealer", "pitboss_settlement", "pitboss_audit"):
        op.execute(ROLE.format(role=role))
        op.execute(f"GRANT {role} TO CURRENT_USER")
        op.execute(f"GRANT USAGE ON SCHEMA public TO {role}")
    op.execute("REVOKE CREATE ON SCHEMA public FROM PUBLIC")
    op.execute(REFUSE_CHANGE)
