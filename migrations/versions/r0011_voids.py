"""Voids that one person asks for and another one decides, beside the adjustments and held to the same rule."""

from alembic import op

revision = "0011"
down_revision = "0010"

COMMANDS = "request_key text NOT NULL UNIQUE, digest bytea NOT NULL"
MADE = "at timestamptz NOT NULL DEFAULT clock_timestamp()"

TABLES = (
    f"""
    CREATE TABLE void_requests (
        number bigint GENERATED ALWAYS AS IDENTITY UNIQUE,
        void_id uuid PRIMARY KEY,
        table_id uuid NOT NULL,
        round bigint NOT NULL CHECK (round > 0),
        version bigint NOT NULL CHECK (version > 0),
        currency text NOT NULL,
        at_risk bigint NOT NULL CHECK (at_risk >= 0),
        reason text NOT NULL CHECK (reason <> ''),
        asked_by text NOT NULL,
        {COMMANDS},
        {MADE}
    )
    """,
    f"""
    CREATE TABLE void_decisions (
        void_id uuid PRIMARY KEY REFERENCES void_requests,
        approved boolean NOT NULL,
        reason text NOT NULL CHECK (reason <> ''),
        decided_by text NOT NULL,
        {COMMANDS},
        {MADE}
    )
    """,
)

# As for adjustments (revision 0008): names of people are ASCII, so two spellings of one name differ in case only.
SECOND_PERSON = """
CREATE FUNCTION second_person_must_void() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp
AS $$
BEGIN
    IF EXISTS (SELECT FROM void_requests WHERE void_id = NEW.void_id AND lower(asked_by) = lower(NEW.decided_by)) THEN
        RAISE EXCEPTION 'void % was asked for by %, who cannot decide it', NEW.void_id, NEW.decided_by
            USING ERRCODE = 'check_violation', CONSTRAINT = 'second_person_must_void';
    END IF;
    RETURN NEW;
END
$$
"""

TRIGGER = """
CREATE TRIGGER second_person_must_void BEFORE INSERT ON void_decisions
FOR EACH ROW EXECUTE FUNCTION second_person_must_void()
"""

SETTLEMENT = {
    "void_requests": "void_id, table_id, round, version, currency, at_risk, reason, asked_by, request_key, digest",
    "void_decisions": "void_id, approved, reason, decided_by, request_key, digest",
}
EVERYBODY = "pitboss_dealer, pitboss_settlement, pitboss_audit"


def upgrade() -> None:
    """Make the tables, their guard and grants."""
    for statement in (*TABLES, SECOND_PERSON, TRIGGER):
        op.execute(statement)
    op.execute("REVOKE ALL ON FUNCTION second_person_must_void() FROM PUBLIC")
    for table, columns in SETTLEMENT.items():
        op.execute(
            f"CREATE TRIGGER {table}_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON {table}"
            " FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()"
        )
        op.execute(f"CREATE INDEX {table}_by_moment ON {table} (at, void_id)")  # what checkpoints find new records by
        op.execute(f"GRANT SELECT ON {table} TO {EVERYBODY}")
        op.execute(f"GRANT INSERT ({columns}) ON {table} TO pitboss_settlement")
