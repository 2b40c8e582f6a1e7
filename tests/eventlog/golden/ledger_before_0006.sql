CREATE TABLE accounts (
        account text COLLATE "C" PRIMARY KEY,
        kind text NOT NULL GENERATED ALWAYS AS (split_part(account, ':', 1)) STORED,
        currency text NOT NULL,
        balance bigint NOT NULL DEFAULT 0,
        may_be_negative boolean NOT NULL DEFAULT false,
        lines bigint NOT NULL DEFAULT 0,
        CONSTRAINT balance_not_negative CHECK (may_be_negative OR balance >= 0)
    ) WITH (fillfactor = 60);
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
        at timestamptz NOT NULL DEFAULT clock_timestamp()
    );
CREATE INDEX entries_by_time ON entries (at, entry_id);
CREATE INDEX entries_by_table ON entries ("table", round) WHERE "table" IS NOT NULL;
CREATE TABLE legs (
        entry_id uuid NOT NULL,
        line smallint NOT NULL,
        account text COLLATE "C" NOT NULL,
        account_line bigint NOT NULL,
        currency text NOT NULL,
        amount bigint NOT NULL,
        balance_after bigint NOT NULL,
        PRIMARY KEY (entry_id, line),
        CONSTRAINT legs_follow_each_other UNIQUE (account, account_line)
    );
CREATE FUNCTION legs_must_balance() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp
SET enable_seqscan = off
SET enable_hashjoin = off
SET enable_mergejoin = off
AS $$
DECLARE
    wrong record;
BEGIN
    
    SELECT l.entry_id, sum(l.amount) AS total INTO wrong
    FROM (SELECT DISTINCT entry_id FROM added) AS a JOIN legs l ON l.entry_id = a.entry_id
    GROUP BY l.entry_id HAVING sum(l.amount) <> 0 LIMIT 1;
    IF FOUND THEN
        RAISE EXCEPTION 'entry % does not balance: its legs add up to %', wrong.entry_id, wrong.total USING ERRCODE = 'check_violation', CONSTRAINT = 'legs_must_balance';
    END IF;
    RETURN NULL;
END
$$;
CREATE FUNCTION legs_must_fit() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp
SET enable_seqscan = off
SET enable_hashjoin = off
SET enable_mergejoin = off
AS $$
DECLARE
    wrong record;
BEGIN
    
    SELECT l.* INTO wrong FROM added l
    LEFT JOIN entries e ON e.entry_id = l.entry_id LEFT JOIN accounts a ON a.account = l.account
    LEFT JOIN legs b ON b.account = l.account AND b.account_line = l.account_line - 1
    WHERE l.amount = 0 OR l.currency IS DISTINCT FROM e.currency OR l.currency IS DISTINCT FROM a.currency
        OR a.lines < l.account_line OR (b.account IS NULL) <> (l.account_line = 1)
        OR l.balance_after <> coalesce(b.balance_after, 0) + l.amount LIMIT 1;
    IF FOUND THEN
        RAISE EXCEPTION 'leg % of account % in % fits neither its entry % nor its account: currency, number or balance is wrong', wrong.account_line, wrong.account, wrong.currency, wrong.entry_id USING ERRCODE = 'check_violation', CONSTRAINT = 'legs_must_fit';
    END IF;
    RETURN NULL;
END
$$;
CREATE FUNCTION entry_must_have_legs() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp
SET enable_seqscan = off
SET enable_hashjoin = off
SET enable_mergejoin = off
AS $$
DECLARE
    wrong record;
BEGIN
    SELECT NEW.entry_id INTO wrong WHERE NOT EXISTS (SELECT FROM legs l WHERE l.entry_id = NEW.entry_id);
    IF FOUND THEN
        RAISE EXCEPTION 'entry % has no legs', wrong.entry_id USING ERRCODE = 'check_violation', CONSTRAINT = 'entry_must_have_legs';
    END IF;
    RETURN NULL;
END
$$;
CREATE FUNCTION balance_must_follow_legs() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp
SET enable_seqscan = off
SET enable_hashjoin = off
SET enable_mergejoin = off
AS $$
DECLARE
    wrong record;
BEGIN
    
    SELECT a.account, a.balance, a.lines INTO wrong FROM accounts a
    WHERE a.account = NEW.account AND a.balance IS DISTINCT FROM CASE WHEN a.lines > 0 THEN (
        SELECT l.balance_after FROM legs l WHERE l.account = a.account AND l.account_line = a.lines
    ) ELSE 0 END;
    IF FOUND THEN
        RAISE EXCEPTION 'account % holds %, which its % legs do not say', wrong.account, wrong.balance, wrong.lines USING ERRCODE = 'check_violation', CONSTRAINT = 'balance_must_follow_legs';
    END IF;
    RETURN NULL;
END
$$;
CREATE FUNCTION account_must_stay() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.account <> OLD.account OR NEW.currency <> OLD.currency
        OR NEW.may_be_negative <> OLD.may_be_negative OR NEW.lines < OLD.lines THEN
        RAISE EXCEPTION 'account % cannot change its name, its currency, its kind or its past', OLD.account
            USING ERRCODE = 'insufficient_privilege';
    END IF;
    RETURN NEW;
END
$$;
CREATE TRIGGER legs_must_balance AFTER INSERT ON legs REFERENCING NEW TABLE AS added
    FOR EACH STATEMENT EXECUTE FUNCTION legs_must_balance();
CREATE TRIGGER legs_must_fit AFTER INSERT ON legs REFERENCING NEW TABLE AS added
    FOR EACH STATEMENT EXECUTE FUNCTION legs_must_fit();
CREATE CONSTRAINT TRIGGER entry_must_have_legs AFTER INSERT ON entries
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION entry_must_have_legs();
CREATE CONSTRAINT TRIGGER balance_must_follow_legs AFTER INSERT OR UPDATE ON accounts
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION balance_must_follow_legs();
CREATE TRIGGER account_must_stay BEFORE UPDATE ON accounts FOR EACH ROW EXECUTE FUNCTION account_must_stay();
CREATE TRIGGER accounts_stay BEFORE DELETE OR TRUNCATE ON accounts
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
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

    UPDATE accounts k SET balance = u.balance, lines = u.line
    FROM unnest(names, held, counts) u (account, balance, line) WHERE k.account = u.account;
    INSERT INTO entries (entry_id, kind, currency, reason, "table", round, request_key, digest, actor)
    VALUES (p_entry, p_kind, p_currency, p_reason, p_table, p_round, p_request, p_digest, p_actor);
    INSERT INTO legs (entry_id, line, account, account_line, currency, amount, balance_after)
    SELECT p_entry, u.place, u.account, u.line, p_currency, u.amount, u.balance
    FROM unnest(names, held, counts, amounts) WITH ORDINALITY u (account, balance, line, amount, place);
    RETURN QUERY SELECT 'posted'::text, NULL::text, names, held;
END
$$;
CREATE TRIGGER entries_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON entries FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER legs_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON legs FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
REVOKE ALL ON FUNCTION post_entry(uuid, text, text, text, text, bigint, text, bytea, text, text[], bigint[]) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION post_entry(uuid, text, text, text, text, bigint, text, bytea, text, text[], bigint[]) TO pitboss_settlement;
GRANT SELECT ON accounts, entries, legs TO pitboss_dealer, pitboss_settlement, pitboss_audit;
