"""Keys of players, their destruction by two persons, and what is left of a destroyed key.

A player's name and free texts are sealed under its key; the key is all that makes them readable.
"""

from alembic import op

revision = "0013"
down_revision = "0012"

COMMANDS = "request_key text NOT NULL UNIQUE, digest bytea NOT NULL"
MADE = "at timestamptz NOT NULL DEFAULT clock_timestamp()"

TABLES = (
    # The only table of the registry from which a row is ever removed; nobody is granted that but the function below.
    f"""
    CREATE TABLE player_keys (
        key_id text PRIMARY KEY CHECK (key_id <> ''),
        player text NOT NULL UNIQUE,
        wrapped bytea NOT NULL,
        {MADE}
    )
    """,
    f"""
    CREATE TABLE erasure_requests (
        number bigint NOT NULL UNIQUE CHECK (number > 0),
        erasure_id uuid PRIMARY KEY,
        player text NOT NULL,
        reason text NOT NULL CHECK (reason <> ''),
        asked_by text NOT NULL,
        {COMMANDS},
        {MADE},
        CONSTRAINT another_person_must_ask_to_erase CHECK (lower(player) <> lower(asked_by))
    )
    """,
    f"""
    CREATE TABLE erasure_decisions (
        erasure_id uuid PRIMARY KEY REFERENCES erasure_requests,
        approved boolean NOT NULL,
        reason text NOT NULL,
        decided_by text NOT NULL,
        {COMMANDS},
        {MADE}
    )
    """,
    # Tombstones. Numbers have no holes (the key of this table tells the later of two at once to look again), so that a
    # process that reads on from the last number it saw misses none.
    f"""
    CREATE TABLE player_erasures (
        number bigint PRIMARY KEY CHECK (number > 0),
        key_id text NOT NULL UNIQUE,
        player text NOT NULL,
        asked_by text NOT NULL,
        decided_by text NOT NULL,
        {MADE}
    )
    """,
    # New records are found by their moment, to be proven by checkpoints.
    "CREATE INDEX erasure_requests_by_moment ON erasure_requests (at, erasure_id)",
    "CREATE INDEX erasure_decisions_by_moment ON erasure_decisions (at, erasure_id)",
    "CREATE INDEX player_erasures_by_moment ON player_erasures (at, number)",
)

SECOND_PERSON = """
CREATE FUNCTION second_person_must_erase() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp
AS $$
BEGIN
    IF EXISTS (
        SELECT FROM erasure_requests
        WHERE erasure_id = NEW.erasure_id AND lower(NEW.decided_by) IN (lower(asked_by), lower(player))
    ) THEN
        RAISE EXCEPTION 'erasure % cannot be decided by %', NEW.erasure_id, NEW.decided_by
            USING ERRCODE = 'check_violation', CONSTRAINT = 'second_person_must_erase';
    END IF;
    RETURN NEW;
END
$$
"""

# Destroys only what two persons have agreed on. The bytes are overwritten before the row goes.
DESTROY = """
CREATE FUNCTION destroy_player_key(p_erasure_id uuid) RETURNS text LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp
AS $$
DECLARE
    v_asked erasure_requests;
    v_decided_by text;
    v_key_id text;
BEGIN
    SELECT * INTO v_asked FROM erasure_requests WHERE erasure_id = p_erasure_id;
    SELECT decided_by INTO v_decided_by FROM erasure_decisions WHERE erasure_id = p_erasure_id AND approved;
    IF v_decided_by IS NULL THEN
        RAISE EXCEPTION 'erasure % is not approved', p_erasure_id USING ERRCODE = 'insufficient_privilege';
    END IF;
    UPDATE player_keys SET wrapped = decode(repeat('00', octet_length(wrapped)), 'hex')
        WHERE player = v_asked.player AND at <= v_asked.at RETURNING key_id INTO v_key_id;
    IF v_key_id IS NULL THEN
        RETURN '';
    END IF;
    DELETE FROM player_keys WHERE key_id = v_key_id;
    INSERT INTO player_erasures (number, key_id, player, asked_by, decided_by)
        SELECT coalesce(max(number), 0) + 1, v_key_id, v_asked.player, v_asked.asked_by, v_decided_by
        FROM player_erasures;
    RETURN v_key_id;
END
$$
"""

# For the owner of a database that was restored from before an erasure.
REAPPLY = """
CREATE FUNCTION reapply_erasure(p_key_id text, p_player text, p_asked_by text, p_decided_by text)
RETURNS boolean LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp
AS $$
DECLARE
    v_found boolean;
BEGIN
    UPDATE player_keys SET wrapped = decode(repeat('00', octet_length(wrapped)), 'hex') WHERE key_id = p_key_id;
    v_found := FOUND;
    DELETE FROM player_keys WHERE key_id = p_key_id;
    INSERT INTO player_erasures (number, key_id, player, asked_by, decided_by)
        SELECT coalesce(max(number), 0) + 1, p_key_id, p_player, p_asked_by, p_decided_by FROM player_erasures
        HAVING NOT EXISTS (SELECT FROM player_erasures e WHERE e.key_id = p_key_id);
    RETURN v_found;
END
$$
"""

REWRAP = """
CREATE FUNCTION rewrap_player_key(p_key_id text, p_before bytea, p_after bytea) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
    UPDATE player_keys SET wrapped = p_after WHERE key_id = p_key_id AND wrapped = p_before
$$
"""

FUNCTIONS = {
    "second_person_must_erase()": "",
    "destroy_player_key(uuid)": "pitboss_settlement",
    "rewrap_player_key(text, bytea, bytea)": "pitboss_settlement",
    "reapply_erasure(text, text, text, text)": "",
}
"""Each function with the role that may call it; "": only the owner."""

EVERYBODY = "pitboss_dealer, pitboss_settlement, pitboss_audit"
ASKED = "number, erasure_id, player, reason, asked_by, request_key, digest"
DECIDED = "erasure_id, approved, reason, decided_by, request_key, digest"


def upgrade() -> None:
    """Make tables, functions, guards and grants."""
    for statement in (*TABLES, SECOND_PERSON, DESTROY, REAPPLY, REWRAP):
        op.execute(statement)
    op.execute(
        "CREATE TRIGGER second_person_must_erase BEFORE INSERT ON erasure_decisions"
        " FOR EACH ROW EXECUTE FUNCTION second_person_must_erase()"
    )
    for function, role in FUNCTIONS.items():
        op.execute(f"REVOKE ALL ON FUNCTION {function} FROM PUBLIC")
        if role:
            op.execute(f"GRANT EXECUTE ON FUNCTION {function} TO {role}")
    for table in ("erasure_requests", "erasure_decisions", "player_erasures"):
        op.execute(
            f"CREATE TRIGGER {table}_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON {table}"
            " FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()"
        )
    for table in ("player_keys", "erasure_requests", "erasure_decisions", "player_erasures"):
        op.execute(f"GRANT SELECT ON {table} TO {EVERYBODY}")
    op.execute("GRANT INSERT (key_id, player, wrapped) ON player_keys TO pitboss_dealer, pitboss_settlement")
    op.execute(f"GRANT INSERT ({ASKED}) ON erasure_requests TO pitboss_settlement")
    op.execute(f"GRANT INSERT ({DECIDED}) ON erasure_decisions TO pitboss_settlement")
