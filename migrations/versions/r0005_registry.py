"""The registry: switches, limits, adjustments, significant events, and the figures of rounds that reports add up."""

from alembic import op

revision = "0005"
down_revision = "0004"

COMMANDS = "request_key text NOT NULL UNIQUE, digest bytea NOT NULL"
MADE = "at timestamptz NOT NULL DEFAULT clock_timestamp()"

TABLES = (
    # Numbers of switches have no holes: they are given out under a lock that is held until the commit, so that a
    # process that reads on from the last number it saw misses none. Those of limits say which one is the later; a
    # sequence would not, for databases of many nodes give each connection numbers in advance.
    f"""
    CREATE TABLE switches (
        number bigint PRIMARY KEY CHECK (number > 0),
        scope text NOT NULL CHECK (scope IN ('house', 'game', 'table', 'player')),
        subject text NOT NULL CHECK ((scope = 'house') = (subject = '')),
        off boolean NOT NULL,
        reason text NOT NULL CHECK (reason <> ''),
        actor text NOT NULL,
        {COMMANDS},
        {MADE}
    )
    """,
    "CREATE INDEX switches_by_subject ON switches (scope, subject, number DESC)",
    f"""
    CREATE TABLE limits (
        number bigint PRIMARY KEY,
        player text NOT NULL,
        kind text NOT NULL CHECK (kind IN ('deposit', 'loss', 'stake', 'exclusion')),
        span text NOT NULL CHECK (span IN ('day', 'week', 'month', '') AND (kind = 'exclusion') = (span = '')),
        currency text NOT NULL,
        set_by text NOT NULL CHECK (set_by IN ('player', 'house')),
        amount bigint CHECK (amount >= 0),
        effective_ms bigint NOT NULL,
        made_ms bigint NOT NULL CHECK (effective_ms >= made_ms),
        reason text NOT NULL,
        actor text NOT NULL,
        {COMMANDS},
        {MADE}
    )
    """,
    "CREATE INDEX limits_by_player ON limits (player, kind, span, currency, set_by, number DESC)",
    f"""
    CREATE TABLE adjustments (
        number bigint GENERATED ALWAYS AS IDENTITY UNIQUE,
        adjustment_id uuid PRIMARY KEY,
        player text NOT NULL,
        currency text NOT NULL,
        amount bigint NOT NULL CHECK (amount <> 0),
        reason text NOT NULL CHECK (reason <> ''),
        asked_by text NOT NULL,
        {COMMANDS},
        {MADE}
    )
    """,
    f"""
    CREATE TABLE adjustment_decisions (
        adjustment_id uuid PRIMARY KEY REFERENCES adjustments,
        approved boolean NOT NULL,
        reason text NOT NULL,
        decided_by text NOT NULL,
        entry_id uuid,
        {COMMANDS},
        {MADE},
        CHECK (approved = (entry_id IS NOT NULL))
    )
    """,
    f"""
    CREATE TABLE significant_events (
        number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        kind text NOT NULL,
        component text NOT NULL,
        actor text NOT NULL,
        subject text NOT NULL,
        reason text NOT NULL,
        before text NOT NULL,
        after text NOT NULL,
        {MADE}
    )
    """,
    "CREATE INDEX significant_events_by_time ON significant_events (at, number)",
    "CREATE INDEX significant_events_by_kind ON significant_events (kind, number DESC)",
    """
    CREATE TABLE configurations (
        digest text PRIMARY KEY,
        game text NOT NULL,
        rules_version int NOT NULL,
        rules text NOT NULL
    )
    """,
    """
    CREATE TABLE rounds (
        table_id uuid NOT NULL,
        round bigint NOT NULL,
        round_id text NOT NULL,
        game text NOT NULL,
        family text NOT NULL,
        configuration text NOT NULL REFERENCES configurations,
        currency text NOT NULL,
        test boolean NOT NULL,
        started_ms bigint NOT NULL,
        ended_ms bigint NOT NULL,
        voided boolean NOT NULL,
        staked bigint NOT NULL,
        won bigint NOT NULL,
        fee bigint NOT NULL,
        rake bigint NOT NULL,
        house bigint NOT NULL,
        pot bigint NOT NULL,
        PRIMARY KEY (table_id, round)
    )
    """,
    "CREATE INDEX rounds_by_time ON rounds (currency, ended_ms) WHERE NOT test",
    """
    CREATE TABLE round_seats (
        table_id uuid NOT NULL,
        round bigint NOT NULL,
        seat int NOT NULL,
        player text NOT NULL,
        game text NOT NULL,
        currency text NOT NULL,
        ended_ms bigint NOT NULL,
        voided boolean NOT NULL,
        chips_before bigint NOT NULL,
        staked bigint NOT NULL,
        won bigint NOT NULL,
        fee bigint NOT NULL,
        chips_after bigint NOT NULL,
        PRIMARY KEY (table_id, round, seat),
        FOREIGN KEY (table_id, round) REFERENCES rounds,
        CHECK (chips_after - chips_before = won - staked - fee)
    )
    """,
    "CREATE INDEX round_seats_by_player ON round_seats (player, currency, ended_ms)",
    # Shares of a carried pool that a closing table paid out; seat -1 is the house.
    """
    CREATE TABLE pool_shares (
        table_id uuid NOT NULL,
        seat int NOT NULL,
        player text NOT NULL,
        game text NOT NULL,
        currency text NOT NULL,
        test boolean NOT NULL,
        ended_ms bigint NOT NULL,
        chips bigint NOT NULL CHECK (chips > 0),
        PRIMARY KEY (table_id, seat)
    )
    """,
    "CREATE INDEX pool_shares_by_player ON pool_shares (player, currency, ended_ms)",
    # What comes in and goes out is little beside what rounds move.
    "CREATE INDEX entries_of_cash ON entries (currency, at) WHERE kind IN ('deposit', 'withdrawal', 'adjustment')",
)

# The database itself holds that nobody decides what he asked for, whatever the code above it does.
SECOND_PERSON = """
CREATE FUNCTION second_person_must_decide() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp
AS $$
BEGIN
    IF EXISTS (SELECT FROM adjustments WHERE adjustment_id = NEW.adjustment_id AND asked_by = NEW.decided_by) THEN
        RAISE EXCEPTION 'adjustment % was asked for by %, who cannot decide it', NEW.adjustment_id, NEW.decided_by
            USING ERRCODE = 'check_violation', CONSTRAINT = 'second_person_must_decide';
    END IF;
    RETURN NEW;
END
$$
"""

TRIGGER = """
CREATE TRIGGER second_person_must_decide BEFORE INSERT ON adjustment_decisions
FOR EACH ROW EXECUTE FUNCTION second_person_must_decide()
"""

SETTLEMENT = {
    "switches": "number, scope, subject, off, reason, actor, request_key, digest",
    "limits": "number, player, kind, span, currency, set_by, amount, effective_ms, made_ms, reason, actor, request_key,"
    " digest",
    "adjustments": "adjustment_id, player, currency, amount, reason, asked_by, request_key, digest",
    "adjustment_decisions": "adjustment_id, approved, reason, decided_by, entry_id, request_key, digest",
    "configurations": "digest, game, rules_version, rules",
    "rounds": "table_id, round, round_id, game, family, configuration, currency, test, started_ms, ended_ms, voided,"
    " staked, won, fee, rake, house, pot",
    "round_seats": "table_id, round, seat, player, game, currency, ended_ms, voided, chips_before, staked, won, fee,"
    " chips_after",
    "pool_shares": "table_id, seat, player, game, currency, test, ended_ms, chips",
}
"""What settlement may write: never the moment of a record, which is the database's own."""

EVERYBODY = "pitboss_dealer, pitboss_settlement, pitboss_audit"
SIGNIFICANT = "kind, component, actor, subject, reason, before, after"


def upgrade() -> None:
    """Make tables, guards and grants of the registry."""
    for statement in (*TABLES, SECOND_PERSON, TRIGGER):
        op.execute(statement)
    op.execute("REVOKE ALL ON FUNCTION second_person_must_decide() FROM PUBLIC")
    for table in (*SETTLEMENT, "significant_events"):
        op.execute(
            f"CREATE TRIGGER {table}_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON {table}"
            " FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()"
        )
        op.execute(f"GRANT SELECT ON {table} TO {EVERYBODY}")
    for table, columns in SETTLEMENT.items():
        op.execute(f"GRANT INSERT ({columns}) ON {table} TO pitboss_settlement")
    op.execute(f"GRANT INSERT ({SIGNIFICANT}) ON significant_events TO {EVERYBODY}")
