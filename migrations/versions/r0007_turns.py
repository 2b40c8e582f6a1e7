"""Turns: a lock by name that holds at any isolation level, for what is checked first and written elsewhere.

Limits of a house made earlier are numbered as they are set from now on, no longer by a sequence (see revision 0005).
"""

from alembic import op

revision = "0007"
down_revision = "0006"

STATEMENTS = (
    # An advisory lock lets its next holder in, but not out of a snapshot that is older than what the last one did. This
    # lock is a row that each holder rewrites: in read committed the next one waits, then sees all that was done; at any
    # other level its transaction is aborted and run again.
    "CREATE TABLE turns (name text PRIMARY KEY, taken bigint NOT NULL DEFAULT 1) WITH (fillfactor = 50)",
    """
    CREATE FUNCTION take_turn(p_name text) RETURNS void
    LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
        INSERT INTO turns (name) VALUES (p_name) ON CONFLICT (name) DO UPDATE SET taken = turns.taken + 1
    $$
    """,
    "REVOKE ALL ON FUNCTION take_turn(text) FROM PUBLIC",
    "GRANT EXECUTE ON FUNCTION take_turn(text) TO pitboss_settlement",
)
NUMBERED_BY_SEQUENCE = """
SELECT EXISTS (
    SELECT FROM information_schema.columns
    WHERE table_schema = 'public' AND table_name = 'limits' AND column_name = 'number' AND is_identity = 'YES'
)
"""
BY_HAND = (
    "ALTER TABLE limits ALTER COLUMN number DROP IDENTITY",
    "GRANT INSERT (number) ON limits TO pitboss_settlement",
)


def upgrade() -> None:
    """Make the table and the one function that writes it."""
    by_sequence = op.get_bind().exec_driver_sql(NUMBERED_BY_SEQUENCE).scalar_one()
    for statement in (*STATEMENTS, *(BY_HAND if by_sequence else ())):
        op.execute(statement)
