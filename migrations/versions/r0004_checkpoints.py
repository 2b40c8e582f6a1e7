"""Signed checkpoints over the log, numbered without holes, never changed."""

from alembic import op

revision = "0004"
down_revision = "0003"

STATEMENTS = (
    """
    CREATE TABLE checkpoints (
        number bigint PRIMARY KEY CHECK (number > 0),
        body text NOT NULL,
        signature bytea NOT NULL,
        key_id text NOT NULL,
        at timestamptz NOT NULL DEFAULT clock_timestamp()
    )
    """,
    """
    CREATE FUNCTION store_checkpoint(p_number bigint, p_body text, p_signature bytea, p_key text) RETURNS text
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
    BEGIN
        IF p_number = (SELECT coalesce(max(number), 0) + 1 FROM checkpoints) THEN
            INSERT INTO checkpoints (number, body, signature, key_id)
            VALUES (p_number, p_body, p_signature, p_key) ON CONFLICT DO NOTHING;
            IF FOUND THEN
                RETURN 'stored';
            END IF;
        END IF;
        IF EXISTS (SELECT FROM checkpoints WHERE number = p_number AND body = p_body AND signature = p_signature) THEN
            RETURN 'already_stored';
        END IF;
        RETURN 'number_conflict';
    END
    $$
    """,
    """
    CREATE TRIGGER checkpoints_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON checkpoints
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()
    """,
    "REVOKE ALL ON FUNCTION store_checkpoint(bigint, text, bytea, text) FROM PUBLIC",
    "GRANT EXECUTE ON FUNCTION store_checkpoint(bigint, text, bytea, text) TO pitboss_audit",
    "GRANT SELECT ON checkpoints TO pitboss_dealer, pitboss_settlement, pitboss_audit",
)


def upgrade() -> None:
    """Make table, function, guard and grants of the checkpoints."""
    for statement in STATEMENTS:
        op.execute(statement)
