"""Processes read which revision the database has, so that one of another release says so."""

from alembic import op

revision = "0012"
down_revision = "0011"


def upgrade() -> None:
    """Let every role read the revision."""
    op.execute("GRANT SELECT ON alembic_version TO pitboss_dealer, pitboss_settlement, pitboss_audit")
