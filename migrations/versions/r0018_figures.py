"""What signed checkpoints need of the figures of rounds: the moment of each row, and its key in one column."""

from alembic import op

revision = "0018"
down_revision = "0017"

KEYS = {
    "rounds": ("table_id", "round"),
    "round_seats": ("table_id", "round", "seat"),
    "pool_shares": ("table_id", "seat"),
}
"""The columns that name a row of each table."""


def upgrade() -> None:
    """Add columns and indexes; settlement may write neither column."""
    for table, columns in KEYS.items():
        key = " || ':' || ".join(f"{column}::text" for column in columns)
        # Rows written earlier are of no known moment and get an early one: the next checkpoint takes them in.
        op.execute(
            f"ALTER TABLE {table} ADD COLUMN at timestamptz NOT NULL DEFAULT 'epoch',"
            f' ADD COLUMN key text COLLATE "C" NOT NULL GENERATED ALWAYS AS ({key}) STORED'
        )
        op.execute(f"ALTER TABLE {table} ALTER COLUMN at SET DEFAULT clock_timestamp()")
        op.execute(f"CREATE UNIQUE INDEX {table}_by_key ON {table} (key)")
        op.execute(f"CREATE INDEX {table}_by_moment ON {table} (at, key)")
