"""Who waits for a seat at any table of a game and stake, and which seat is offered to whom.

The rows are the present state of lines, like seats of a table, and not records of the past: what concerns a table is in
its log. Requests are kept with their answers, so that a repetition gets the first answer.
"""

from alembic import op

revision = "0020"
down_revision = "0019"

STATEMENTS = (
    """
    CREATE TABLE seat_waits (
        player text PRIMARY KEY,
        number bigint NOT NULL CONSTRAINT seat_waits_number_once UNIQUE,
        game text NOT NULL,
        stake bigint NOT NULL,
        currency text NOT NULL,
        fits text[] NOT NULL,
        test boolean NOT NULL,
        until_ms bigint NOT NULL,
        offered_table uuid,
        offered_seat int,
        CONSTRAINT seat_waits_offer CHECK ((offered_table IS NULL) = (offered_seat IS NULL))
    )
    """,
    "CREATE INDEX seat_waits_by_game ON seat_waits (game, number)",
    "CREATE INDEX seat_waits_by_end ON seat_waits (until_ms)",
    "CREATE INDEX seat_waits_by_table ON seat_waits (offered_table) WHERE offered_table IS NOT NULL",
    # Tables with open seats, by game. An ordinary append does not change its columns, and stays on its page (HOT).
    """CREATE INDEX streams_with_seats ON streams ((summary->>'game'), created_at, stream_id)
        WHERE summary @> '{"closed": false, "open_seats": true}'""",
    "GRANT SELECT, INSERT, UPDATE, DELETE ON seat_waits TO pitboss_settlement",
    "GRANT SELECT ON seat_waits TO pitboss_dealer, pitboss_audit",
    """
    CREATE TABLE seat_wait_requests (
        request_key text PRIMARY KEY,
        digest bytea NOT NULL,
        answer bytea NOT NULL,
        at timestamptz NOT NULL DEFAULT clock_timestamp()
    )
    """,
    """
    CREATE TRIGGER seat_wait_requests_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON seat_wait_requests
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()
    """,
    "GRANT SELECT, INSERT ON seat_wait_requests TO pitboss_settlement",
    "GRANT SELECT ON seat_wait_requests TO pitboss_audit",
)


def upgrade() -> None:
    """Make the tables."""
    for statement in STATEMENTS:
        op.execute(statement)
