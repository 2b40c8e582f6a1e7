"""A second person is another one whatever the case of its name, and not the one whose wallet is adjusted.

Dealers take turns too: a player's tables are counted before it opens one more.
"""

from alembic import op

revision = "0008"
down_revision = "0007"

# Names of people are ASCII (what a token may name), so two spellings of one name differ in case only.
SECOND_PERSON = """
CREATE OR REPLACE FUNCTION second_person_must_decide() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp
AS $$
BEGIN
    IF EXISTS (
        SELECT FROM adjustments WHERE adjustment_id = NEW.adjustment_id AND lower(asked_by) = lower(NEW.decided_by)
    ) THEN
        RAISE EXCEPTION 'adjustment % was asked for by %, who cannot decide it', NEW.adjustment_id, NEW.decided_by
            USING ERRCODE = 'check_violation', CONSTRAINT = 'second_person_must_decide';
    END IF;
    IF EXISTS (
        SELECT FROM adjustments WHERE adjustment_id = NEW.adjustment_id AND lower(player) = lower(NEW.decided_by)
    ) THEN
        RAISE EXCEPTION 'adjustment % is of the wallet of %, who cannot decide it', NEW.adjustment_id, NEW.decided_by
            USING ERRCODE = 'check_violation', CONSTRAINT = 'second_person_must_decide';
    END IF;
    RETURN NEW;
END
$$
"""

STATEMENTS = (
    SECOND_PERSON,
    # Not of what was asked for before: records stay as they are.
    "ALTER TABLE adjustments ADD CONSTRAINT another_person_must_ask CHECK (lower(player) <> lower(asked_by)) NOT VALID",
    "GRANT EXECUTE ON FUNCTION take_turn(text) TO pitboss_dealer",
)


def upgrade() -> None:
    """Write the guards anew."""
    for statement in STATEMENTS:
        op.execute(statement)
