"""The ledger in double entry: accounts, entries, legs, and the one function that posts.

The function that posts is superseded by the signed one of r0017.
"""

from alembic import op

revision = "0003"
down_revision = "0002"

ENTRIES_HOLD = (
    "CONSTRAINT entry_must_have_legs CHECK (size >= 2)",
    "CONSTRAINT entries_of_size UNIQUE (entry_id, size)",
)
LEGS_HOLD = (
    "CONSTRAINT legs_must_fit CHECK (line BETWEEN 1 AND size)",
    """CONSTRAINT legs_must_have_their_entry FOREIGN KEY (entry_id, size) REFERENCES entries (entry_id, size)
            DEFERRABLE INITIALLY DEFERRED""",
)

TABLES = (
    """
    CREATE TABLE accounts (
        account text COLLATE "C" PRIMARY KEY,
        kind text NOT NULL GENERATED ALWAYS AS (split_part(account, ':', 1)) STORED,
        currency text NOT NULL,
        balance bigint NOT NULL DEFAULT 0,
        may_be_negative boolean NOT NULL DEFAULT false,
        lines bigint NOT NULL DEFAULT 0,
        CONSTRAINT balance_not_negative CHECK (may_be_negative OR balance >= 0)
    ) WITH (fillfactor = 60)
    """,
    f"""
    CREATE TABLE entries (
        entry_id uuid PRIMARY KEY,
        kind text NOT NULL,
        currency text NOT NULL,
        reason text NOT NULL,
        "table" text,
        round bigint,
        request_key text UNIQUE,
        digest bytea NOT NULL,
        actor text NOT NULL,
        at timestamptz NOT NULL DEFAULT clock_timestamp(),
        size smallint NOT NULL DEFAULT 0,
        {", ".join(ENTRIES_HOLD)}
    )
    """,
    "CREATE INDEX entries_by_time ON entries (at, entry_id)",
    """CREATE INDEX entries_by_table ON entries ("table", round) WHERE "table" IS NOT NULL""",
    f"""
    CREATE TABLE legs (
        entry_id uuid NOT NULL,
        line smallint NOT NULL,
        account text COLLATE "C" NOT NULL,
        account_line bigint NOT NULL,
        currency text NOT NULL,
        amount bigint NOT NULL,
        balance_after bigint NOT NULL,
        size smallint NOT NULL DEFAULT 0,
        PRIMARY KEY (entry_id, line),
        CONSTRAINT legs_follow_each_other UNIQUE (account, account_line),
        {", ".join(LEGS_HOLD)}
    )
    """,
)

# The guards hold for every writer, the function below or a person with a prompt, and need nothing that a database of
# many nodes lacks: no transition tables, no constraint triggers. Legs are written first, then accounts, then the entry,
# which closes its legs and checks them all at once. Keys do the rest, whatever others do at the same moment and at any
# isolation level: a leg says of how many it is one, an entry how many it has, and at commit each leg needs an entry of
# its own size. So the entry has seen all of them: their lines 1 to ``size`` are taken, and no further one fits.
GUARD = """
CREATE FUNCTION {name}() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp
SET enable_seqscan = off
SET enable_hashjoin = off
SET enable_mergejoin = off
AS $$
{body}
$$
"""

ENTRY_CLOSES = GUARD.format(
    name="entry_closes_its_legs",
    body="""
DECLARE
    seen record;
BEGIN
    SELECT count(*) AS legs, sum(l.amount) AS total, min(l.line) FILTER (
        WHERE l.amount = 0 OR l.currency IS DISTINCT FROM NEW.currency OR l.currency IS DISTINCT FROM a.currency
            OR a.lines < l.account_line OR (b.account IS NULL) <> (l.account_line = 1)
            OR l.balance_after <> coalesce(b.balance_after, 0) + l.amount
    ) AS wrong INTO seen
    FROM legs l LEFT JOIN accounts a ON a.account = l.account
    LEFT JOIN legs b ON b.account = l.account AND b.account_line = l.account_line - 1
    WHERE l.entry_id = NEW.entry_id;
    IF seen.legs <> NEW.size THEN
        RAISE EXCEPTION 'entry % has % legs of %; legs are written before their entry', NEW.entry_id, seen.legs,
            NEW.size USING ERRCODE = 'check_violation', CONSTRAINT = 'entry_must_have_legs';
    END IF;
    IF seen.total <> 0 THEN
        RAISE EXCEPTION 'entry % does not balance: its legs add up to %', NEW.entry_id, seen.total
            USING ERRCODE = 'check_violation', CONSTRAINT = 'legs_must_balance';
    END IF;
    IF seen.wrong IS NOT NULL THEN
        RAISE EXCEPTION 'leg % of entry % fits neither it nor its account: currency, number or balance is wrong',
            seen.wrong, NEW.entry_id USING ERRCODE = 'check_violation', CONSTRAINT = 'legs_must_fit';
    END IF;
    RETURN NULL;
END""",
)

# An account holds what its last leg says; that each leg continues the one before is checked above, and legs stay.
BALANCE_FOLLOWS = GUARD.format(
    name="balance_must_follow_legs",
    body="""
DECLARE
    said bigint := 0;
BEGIN
    IF NEW.lines > 0 THEN
        SELECT l.balance_after INTO said FROM legs l WHERE l.account = NEW.account AND l.account_line = NEW.lines;
    END IF;
    IF NEW.balance IS DISTINCT FROM said THEN
        RAISE EXCEPTION 'account % holds %, which its % legs do not say', NEW.account, NEW.balance, NEW.lines
            USING ERRCODE = 'check_violation', CONSTRAINT = 'balance_must_follow_legs';
    END IF;
    RETURN NULL;
END""",
)

ACCOUNT_STAYS = """
CREATE FUNCTION account_must_stay() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.account <> OLD.account OR NEW.currency <> OLD.currency
        OR NEW.may_be_negative <> OLD.may_be_negative OR NEW.lines < OLD.lines THEN
        RAISE EXCEPTION 'account % cannot change its name, its currency, its kind or its past', OLD.account
            USING ERRCODE = 'insufficient_privilege';
    END IF;
    RETURN NEW;
END
$$
"""

GUARDS = (
    """
    CREATE TRIGGER entry_closes_its_legs AFTER INSERT ON entries
    FOR EACH ROW EXECUTE FUNCTION entry_closes_its_legs()
    """,
    """
    CREATE TRIGGER balance_must_follow_legs AFTER INSERT OR UPDATE ON accounts
    FOR EACH ROW WHEN (NEW.lines <> 0 OR NEW.balance <> 0) EXECUTE FUNCTION balance_must_follow_legs()
    """,
)

STAY = (
    "CREATE TRIGGER account_must_stay BEFORE UPDATE ON accounts FOR EACH ROW EXECUTE FUNCTION account_must_stay()",
    """
    CREATE TRIGGER accounts_stay BEFORE DELETE OR TRUNCATE ON accounts
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()
    """,
)

# One call posts one entry. Locks: the entry's and the request's id, then accounts by name; new accounts are made first,
# at zero, so that every account can be locked.
POST = """
CREATE FUNCTION post_entry(
    p_entry uuid, p_kind text, p_currency text, p_reason text, p_table text, p_round bigint,
    p_request text, p_digest bytea, p_actor text, p_accounts text[], p_amounts bigint[]
) RETURNS TABLE (outcome text, fault text, accounts text[], balances bigint[])
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp
SET enable_seqscan = off
SET enable_hashjoin = off
SET enable_mergejoin = off
SET plan_cache_mode = force_generic_plan
AS $$
#variable_conflict use_column
DECLARE
    r record;
    names text[] := '{}';
    held bigint[] := '{}';
    counts bigint[] := '{}';
    amounts bigint[] := '{}';
    short text;
    n int := 0;
BEGIN
    IF cardinality(p_accounts) <> cardinality(p_amounts) OR cardinality(p_accounts) < 2 THEN
        RAISE EXCEPTION 'entry % needs two legs or more, an amount for each', p_entry
            USING ERRCODE = 'invalid_parameter_value';
    END IF;
    PERFORM pg_advisory_xact_lock(number) FROM (
        SELECT DISTINCT hashtextextended(key, 7302) AS number FROM unnest(ARRAY[p_entry::text, p_request]) key
        WHERE key IS NOT NULL ORDER BY 1
    ) AS sorted;
    FOR r IN
        SELECT e.entry_id, e.digest FROM entries e WHERE e.entry_id = p_entry
        UNION ALL SELECT e.entry_id, e.digest FROM entries e WHERE e.request_key = p_request
    LOOP
        IF r.digest <> p_digest THEN
            RETURN QUERY SELECT 'request_conflict'::text, NULL::text, '{}'::text[], '{}'::bigint[];
        ELSE
            RETURN QUERY SELECT 'already_posted'::text, NULL::text, array_agg(l.account ORDER BY l.line),
                array_agg(l.balance_after ORDER BY l.line) FROM legs l WHERE l.entry_id = r.entry_id;
        END IF;
        RETURN;
    END LOOP;

    INSERT INTO accounts (account, currency, may_be_negative)
    SELECT a.account, p_currency, split_part(a.account, ':', 1) IN ('house', 'cashier')
    FROM unnest(p_accounts) a (account) WHERE NOT EXISTS (SELECT FROM accounts k WHERE k.account = a.account)
    ORDER BY a.account COLLATE "C"
    ON CONFLICT DO NOTHING;

    FOR r IN
        SELECT k.*, a.amount FROM unnest(p_accounts, p_amounts) a (account, amount)
        JOIN accounts k ON k.account = a.account ORDER BY k.account FOR NO KEY UPDATE OF k
    LOOP
        IF n > 0 AND names[n] = r.account THEN
            RAISE EXCEPTION 'account % stands twice in entry %', r.account, p_entry
                USING ERRCODE = 'invalid_parameter_value';
        END IF;
        IF r.currency <> p_currency THEN
            RAISE EXCEPTION 'account % is in %, entry % in %', r.account, r.currency, p_entry, p_currency
                USING ERRCODE = 'invalid_parameter_value';
        END IF;
        n := n + 1;
        names[n] := r.account;
        held[n] := r.balance;
        amounts[n] := r.amount;
        counts[n] := r.lines + 1;
        IF short IS NULL AND NOT r.may_be_negative AND r.balance + r.amount < 0 THEN
            short := r.account;
        END IF;
    END LOOP;
    IF short IS NOT NULL THEN
        RETURN QUERY SELECT 'insufficient_funds'::text, short, names, held;
        RETURN;
    END IF;
    FOR i IN 1 .. n LOOP
        held[i] := held[i] + amounts[i];
    END LOOP;

    INSERT INTO legs (entry_id, line, account, account_line, currency, amount, balance_after, size)
    SELECT p_entry, u.place, u.account, u.line, p_currency, u.amount, u.balance, n
    FROM unnest(names, held, counts, amounts) WITH ORDINALITY u (account, balance, line, amount, place);
    UPDATE accounts k SET balance = u.balance, lines = u.line
    FROM unnest(names, held, counts) u (account, balance, line) WHERE k.account = u.account;
    INSERT INTO entries (entry_id, kind, currency, reason, "table", round, request_key, digest, actor, size)
    VALUES (p_entry, p_kind, p_currency, p_reason, p_table, p_round, p_request, p_digest, p_actor, n);
    RETURN QUERY SELECT 'posted'::text, NULL::text, names, held;
END
$$
"""

POST_SIGNATURE = "post_entry(uuid, text, text, text, text, bigint, text, bytea, text, text[], bigint[])"


def upgrade() -> None:
    """Make tables, guards, function and grants of the ledger."""
    for statement in (*TABLES, ENTRY_CLOSES, BALANCE_FOLLOWS, ACCOUNT_STAYS, *GUARDS, *STAY, POST):
        op.execute(statement)
    for table in ("entries", "legs"):
        op.execute(
            f"CREATE TRIGGER {table}_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON {table}"
            " FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()"
        )
    op.execute(f"REVOKE ALL ON FUNCTION {POST_SIGNATURE} FROM PUBLIC")
    op.execute(f"GRANT EXECUTE ON FUNCTION {POST_SIGNATURE} TO pitboss_settlement")
    op.execute("GRANT SELECT ON accounts, entries, legs TO pitboss_dealer, pitboss_settlement, pitboss_audit")
