"""The signatures of witnesses over checkpoints: of other owners than the house, never changed."""

from alembic import op

revision = "0015"
down_revision = "0014"

STATEMENTS = (
    """
    CREATE TABLE checkpoint_cosignatures (
        number bigint NOT NULL REFERENCES checkpoints,
        key_id text COLLATE "C" NOT NULL,
        signature bytea NOT NULL,
        at timestamptz NOT NULL DEFAULT clock_timestamp(),
        PRIMARY KEY (number, key_id)
    )
    """,
    """
    CREATE TRIGGER checkpoint_cosignatures_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON checkpoint_cosignatures
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()
    """,
    "GRANT INSERT (number, key_id, signature) ON checkpoint_cosignatures TO pitboss_audit",
    "GRANT SELECT ON checkpoint_cosignatures TO pitboss_audit",
)


def upgrade() -> None:
    """Make the table, its guard and its grants."""
    for statement in STATEMENTS:
        op.execute(statement)
