"""The leaves of what checkpoints prove beside the events: ledger entries, records of the registry, requests.

A leaf says at which position a record entered its tree. Leaves are written by the auditor alone, when it makes a
checkpoint: nothing waits for them where money moves or events are appended.
"""

from alembic import op

revision = "0010"
down_revision = "0009"

INDEXED = {
    "switches": "number",
    "limits": "number",
    "adjustments": "adjustment_id",
    "adjustment_decisions": "adjustment_id",
    "requests": "request_key",
}
"""Tables whose new records are found by their moment, with their keys; the others have such an index already."""

STATEMENTS = (
    # Requests made earlier are of no known moment; an early one marks them, without rewriting the table.
    "ALTER TABLE requests ADD COLUMN at timestamptz NOT NULL DEFAULT 'epoch'",
    "ALTER TABLE requests ALTER COLUMN at SET DEFAULT clock_timestamp()",
    *(f"CREATE INDEX {table}_by_moment ON {table} (at, {key})" for table, key in INDEXED.items()),
    """
    CREATE TABLE proof_leaves (
        tree text COLLATE "C" NOT NULL,
        position bigint NOT NULL CHECK (position >= 0),
        key text COLLATE "C" NOT NULL,
        hash bytea NOT NULL CHECK (octet_length(hash) = 32),
        PRIMARY KEY (tree, position),
        CONSTRAINT a_record_is_one_leaf UNIQUE (tree, key)
    )
    """,
    # The whole subtrees of 256, 65,536, … leaves of a tree: proofs read these instead of all leaves.
    """
    CREATE TABLE proof_nodes (
        tree text COLLATE "C" NOT NULL,
        level smallint NOT NULL CHECK (level > 0),
        place bigint NOT NULL CHECK (place >= 0),
        hash bytea NOT NULL,
        PRIMARY KEY (tree, level, place)
    )
    """,
    # Two auditors that store at the same moment want the same positions; the key tells the later one to look again.
    """
    CREATE FUNCTION store_leaves(p_tree text, p_first bigint, p_keys text[], p_hashes bytea[]) RETURNS boolean
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
    BEGIN
        IF p_first <> (SELECT coalesce(max(position) + 1, 0) FROM proof_leaves WHERE tree = p_tree) THEN
            RETURN false;
        END IF;
        INSERT INTO proof_leaves (tree, position, key, hash)
        SELECT p_tree, p_first + l.at - 1, l.key, l.hash
        FROM unnest(p_keys, p_hashes) WITH ORDINALITY AS l (key, hash, at);
        RETURN true;
    END
    $$
    """,
    """
    CREATE FUNCTION store_proof_nodes(p_tree text, p_level smallint, p_first bigint, p_hashes bytea[]) RETURNS void
    LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
        INSERT INTO proof_nodes (tree, level, place, hash)
        SELECT p_tree, p_level, p_first + h.at - 1, h.hash FROM unnest(p_hashes) WITH ORDINALITY AS h (hash, at)
        ON CONFLICT DO NOTHING
    $$
    """,
    *(
        f"""
        CREATE TRIGGER {table}_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON {table}
        FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()
        """
        for table in ("proof_leaves", "proof_nodes")
    ),
    *(
        statement
        for function in (
            "store_leaves(text, bigint, text[], bytea[])",
            "store_proof_nodes(text, smallint, bigint, bytea[])",
        )
        for statement in (
            f"REVOKE ALL ON FUNCTION {function} FROM PUBLIC",
            f"GRANT EXECUTE ON FUNCTION {function} TO pitboss_audit",
        )
    ),
    "GRANT SELECT ON proof_leaves, proof_nodes TO pitboss_audit",
)


def upgrade() -> None:
    """Make tables, functions, guards and grants of the leaves."""
    for statement in STATEMENTS:
        op.execute(statement)
