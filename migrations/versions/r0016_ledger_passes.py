"""Passes over the whole ledger: when each ended, what it read and what it found, whichever process made it."""

from alembic import op

revision = "0016"
down_revision = "0015"

STATEMENTS = (
    """
    CREATE TABLE ledger_passes (
        began_at timestamptz NOT NULL,
        accounts bigint NOT NULL CHECK (accounts >= 0),
        legs bigint NOT NULL CHECK (legs >= 0),
        off numeric NOT NULL CHECK (off >= 0),
        at timestamptz NOT NULL DEFAULT clock_timestamp(),
        PRIMARY KEY (at, began_at)
    )
    """,
    """
    CREATE TRIGGER ledger_passes_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON ledger_passes
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()
    """,
    "GRANT SELECT ON ledger_passes TO pitboss_dealer, pitboss_settlement, pitboss_audit",
    "GRANT INSERT (began_at, accounts, legs, off) ON ledger_passes TO pitboss_settlement",
)


def upgrade() -> None:
    """Make the table, its guard and grants."""
    for statement in STATEMENTS:
        op.execute(statement)
