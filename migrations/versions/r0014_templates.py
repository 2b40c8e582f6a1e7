"""Table templates: proposed by one person, decided by another, retired; every change is a version of its own."""

from alembic import op

revision = "0014"
down_revision = "0013"

COMMANDS = 'request_key text COLLATE "C" NOT NULL UNIQUE, digest bytea NOT NULL'
MADE = "at timestamptz NOT NULL DEFAULT clock_timestamp()"

TABLES = (
    # Terms hold rules, ranges and what the bets return, as JSON: what the approver was shown.
    f"""
    CREATE TABLE templates (
        template_id text NOT NULL,
        version int NOT NULL CHECK (version > 0),
        game text NOT NULL,
        terms text NOT NULL,
        reason text NOT NULL CHECK (reason <> ''),
        proposed_by text NOT NULL,
        {COMMANDS},
        {MADE},
        PRIMARY KEY (template_id, version)
    )
    """,
    f"""
    CREATE TABLE template_decisions (
        template_id text NOT NULL,
        version int NOT NULL,
        approved boolean NOT NULL,
        reason text NOT NULL CHECK (reason <> ''),
        decided_by text NOT NULL,
        {COMMANDS},
        {MADE},
        PRIMARY KEY (template_id, version),
        FOREIGN KEY (template_id, version) REFERENCES templates
    )
    """,
    # Standard templates are built in, so that a retirement may name one that stands in no row.
    f"""
    CREATE TABLE template_retirements (
        template_id text NOT NULL,
        version int NOT NULL,
        reason text NOT NULL CHECK (reason <> ''),
        retired_by text NOT NULL,
        {COMMANDS},
        {MADE},
        PRIMARY KEY (template_id, version)
    )
    """,
)

SECOND_PERSON = """
CREATE FUNCTION second_person_must_decide_template() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp
AS $$
BEGIN
    IF EXISTS (
        SELECT FROM templates
        WHERE template_id = NEW.template_id AND version = NEW.version AND lower(proposed_by) = lower(NEW.decided_by)
    ) THEN
        RAISE EXCEPTION 'template % version % was proposed by %, who cannot decide it',
            NEW.template_id, NEW.version, NEW.decided_by
            USING ERRCODE = 'check_violation', CONSTRAINT = 'second_person_must_decide_template';
    END IF;
    RETURN NEW;
END
$$
"""

TRIGGER = """
CREATE TRIGGER second_person_must_decide_template BEFORE INSERT ON template_decisions
FOR EACH ROW EXECUTE FUNCTION second_person_must_decide_template()
"""

SETTLEMENT = {
    "templates": "template_id, version, game, terms, reason, proposed_by, request_key, digest",
    "template_decisions": "template_id, version, approved, reason, decided_by, request_key, digest",
    "template_retirements": "template_id, version, reason, retired_by, request_key, digest",
}
"""What settlement may write: never the moment of a record, which is the database's own."""

EVERYBODY = "pitboss_dealer, pitboss_settlement, pitboss_audit"


def upgrade() -> None:
    """Make tables, guards and grants of templates."""
    for statement in (*TABLES, SECOND_PERSON, TRIGGER):
        op.execute(statement)
    op.execute("REVOKE ALL ON FUNCTION second_person_must_decide_template() FROM PUBLIC")
    for table, columns in SETTLEMENT.items():
        op.execute(
            f"CREATE TRIGGER {table}_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON {table}"
            " FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()"
        )
        # Checkpoints find new records by their moment.
        op.execute(f"CREATE INDEX {table}_by_moment ON {table} (at, request_key)")
        op.execute(f"GRANT SELECT ON {table} TO {EVERYBODY}")
        op.execute(f"GRANT INSERT ({columns}) ON {table} TO pitboss_settlement")
