"""Signed checkpoints over the log, numbered without holes, never changed; the heads and tree nodes that prove them."""

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
    # The head of each stream at the first checkpoint that shows it so: a stream that rests costs no row.
    """
    CREATE TABLE checkpoint_heads (
        stream_id uuid NOT NULL,
        number bigint NOT NULL REFERENCES checkpoints,
        version bigint NOT NULL,
        hash bytea NOT NULL,
        PRIMARY KEY (stream_id, number)
    )
    """,
    # The whole subtrees of 256, 65,536, … events of a shard: proofs read these instead of all events.
    """
    CREATE TABLE tree_nodes (
        shard smallint NOT NULL,
        level smallint NOT NULL CHECK (level > 0),
        place bigint NOT NULL CHECK (place >= 0),
        hash bytea NOT NULL,
        PRIMARY KEY (shard, level, place)
    )
    """,
    """
    CREATE FUNCTION store_heads(p_number bigint, p_streams uuid[], p_versions bigint[], p_hashes bytea[]) RETURNS void
    LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
        INSERT INTO checkpoint_heads (stream_id, number, version, hash)
        SELECT h.stream_id, p_number, h.version, h.hash
        FROM unnest(p_streams, p_versions, p_hashes) AS h (stream_id, version, hash)
    $$
    """,
    """
    CREATE FUNCTION store_nodes(p_shard smallint, p_level smallint, p_first bigint, p_hashes bytea[]) RETURNS void
    LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
        INSERT INTO tree_nodes (shard, level, place, hash)
        SELECT p_shard, p_level, p_first + h.at - 1, h.hash FROM unnest(p_hashes) WITH ORDINALITY AS h (hash, at)
        ON CONFLICT DO NOTHING
    $$
    """,
    *(
        f"""
        CREATE TRIGGER {table}_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON {table}
        FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()
        """
        for table in ("checkpoint_heads", "tree_nodes")
    ),
    *(
        statement
        for function in (
            "store_heads(bigint, uuid[], bigint[], bytea[])",
            "store_nodes(smallint, smallint, bigint, bytea[])",
        )
        for statement in (
            f"REVOKE ALL ON FUNCTION {function} FROM PUBLIC",
            f"GRANT EXECUTE ON FUNCTION {function} TO pitboss_audit",
        )
    ),
    "GRANT SELECT ON checkpoint_heads, tree_nodes TO pitboss_audit",
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
