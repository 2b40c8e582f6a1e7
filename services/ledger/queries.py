"""Every statement that the ledger sends, by name."""

from typing import Final

from services.database.proven import Proven

POST: Final = (
    "SELECT outcome, fault, accounts, balances FROM post_entry("
    "%s::uuid, %s, %s, %s, %s, %s::bigint, %s, %s::bytea, %s, %s::text[], %s::bigint[], %s::bytea)"
)

KNOWN_REQUEST: Final = "SELECT 1 FROM entries WHERE request_key = %s"

BALANCE: Final = "SELECT balance FROM accounts WHERE account = %s"

# The balance and the last line of accounts.
HEADS: Final = "SELECT account, balance, lines FROM accounts WHERE account = ANY(%s)"

ACCOUNTS: Final = (
    "SELECT account, kind, currency, balance FROM accounts"
    " WHERE starts_with(account, %s) AND account > %s ORDER BY account LIMIT %s"
)

TOTAL: Final = "SELECT coalesce(sum(balance), 0)::text, count(*) FROM accounts WHERE starts_with(account, %s)"

TOTAL_OF_KIND: Final = "SELECT coalesce(sum(balance), 0)::text FROM accounts WHERE kind = %s AND currency = %s"

TOTAL_OF: Final = "SELECT coalesce(sum(balance), 0)::text FROM accounts WHERE account = ANY(%s)"

IN_USE: Final = """
SELECT account FROM accounts a WHERE account = ANY(%s) AND (balance <> 0 OR EXISTS (
    SELECT 1 FROM legs l JOIN entries e ON e.entry_id = l.entry_id WHERE l.account = a.account AND e.kind = 'buy_in'
)) ORDER BY account LIMIT 1
"""

# From one currency's first wallet to the next one's, by the key: as many steps as there are currencies.
CURRENCIES: Final = """
WITH RECURSIVE firsts (account) AS (
    (SELECT account FROM accounts WHERE account > 'wallet:' AND account < 'wallet;' ORDER BY account LIMIT 1)
    UNION ALL
    SELECT (SELECT a.account FROM accounts a
        WHERE a.account > 'wallet:' || split_part(f.account, ':', 2) || ';' AND a.account < 'wallet;'
        ORDER BY a.account LIMIT 1)
    FROM firsts f WHERE f.account IS NOT NULL
)
SELECT split_part(account, ':', 2) FROM firsts WHERE account IS NOT NULL
"""

STATEMENT: Final = """
SELECT l.account_line, l.entry_id::text, e.kind, e.reason, e."table", e.round, l.amount, l.balance_after, e.actor,
    floor(date_part('epoch', e.at) * 1000)::bigint
FROM legs l JOIN entries e ON e.entry_id = l.entry_id
WHERE l.account = %s AND l.account_line > %s ORDER BY l.account_line LIMIT %s
"""
STATEMENT_BEFORE: Final = STATEMENT.replace(
    "l.account_line > %s ORDER BY l.account_line",
    """l.account_line < %s AND (%s = '' OR e.kind = %s) AND (%s = '' OR e."table" = %s) ORDER BY l.account_line DESC""",
)

# -- whether it adds up, in parts of a bounded size

# Balances by kind and currency, of the accounts that follow a name.
TOTALS_PART: Final = """
WITH part AS (SELECT account, kind, currency, balance FROM accounts WHERE account > %s ORDER BY account LIMIT %s)
SELECT p.kind, p.currency, sum(p.balance)::text, e.account, e.size
FROM part p CROSS JOIN (SELECT max(account) AS account, count(*) AS size FROM part) AS e
GROUP BY p.kind, p.currency, e.account, e.size
"""

# Balances of accounts beside those of their last leg.
BALANCES_PART: Final = """
WITH part AS (SELECT account, balance FROM accounts WHERE account > %s ORDER BY account LIMIT %s)
SELECT coalesce(sum(abs(p.balance - coalesce(l.balance_after, 0)::numeric)), 0)::text, count(*), max(p.account)
FROM part p LEFT JOIN LATERAL (
    SELECT balance_after FROM legs WHERE legs.account = p.account ORDER BY account_line DESC LIMIT 1
) AS l ON true
"""

# Each leg beside the previous one, account by account; and legs of accounts that do not exist.
CHAINS_PART: Final = """
WITH part AS (
    SELECT account, account_line, amount, balance_after FROM legs
    WHERE (account, account_line) > (%(account)s, %(line)s)
    ORDER BY account, account_line LIMIT %(limit)s
), chained AS (
    SELECT account, account_line, amount, balance_after, coalesce(
        lag(balance_after) OVER (PARTITION BY account ORDER BY account_line),
        CASE WHEN account = %(account)s THEN %(balance)s::bigint END, 0)::numeric AS before
    FROM part
)
SELECT coalesce(sum(abs(c.balance_after - c.before - c.amount)
        + CASE WHEN a.account IS NULL THEN abs(c.amount::numeric) ELSE 0 END), 0)::text,
    count(*), (array_agg(c.account ORDER BY c.account DESC, c.account_line DESC))[1],
    (array_agg(c.account_line ORDER BY c.account DESC, c.account_line DESC))[1],
    (array_agg(c.balance_after ORDER BY c.account DESC, c.account_line DESC))[1]
FROM chained c LEFT JOIN accounts a ON a.account = c.account
"""

# The sums of the legs of entries; the last entry may continue after the part.
ENTRIES_PART: Final = """
SELECT entry_id::text, sum(amount)::text, count(*) FROM (
    SELECT entry_id, amount FROM legs WHERE entry_id > %s::uuid ORDER BY entry_id, line LIMIT %s
) AS part GROUP BY entry_id ORDER BY entry_id
"""

RECORD_FULL_CHECK: Final = (
    "INSERT INTO ledger_passes (began_at, accounts, legs, off) VALUES (to_timestamp(%s::numeric / 1000), %s, %s, %s)"
)
LAST_FULL_CHECK: Final = (
    "SELECT floor(date_part('epoch', began_at) * 1000)::bigint, floor(date_part('epoch', at) * 1000)::bigint,"
    " accounts, legs, off::text FROM ledger_passes ORDER BY at DESC, began_at DESC LIMIT 1"
)

_SPAN: Final = "e.at >= to_timestamp(%s::numeric / 1000) AND e.at < to_timestamp(%s::numeric / 1000)"

FLOWS: Final = f"""
SELECT e.kind, sum(l.amount)::text FROM legs l JOIN entries e ON e.entry_id = l.entry_id
WHERE l.account = %s AND {_SPAN} GROUP BY e.kind
"""

LINES_OF_KIND: Final = f"""
SELECT l.account_line, l.entry_id::text, e.kind, e.reason, e."table", e.round, l.amount, l.balance_after, e.actor,
    floor(date_part('epoch', e.at) * 1000)::bigint
FROM legs l JOIN entries e ON e.entry_id = l.entry_id
WHERE l.account = %s AND e.kind = %s AND {_SPAN} AND l.account_line > %s ORDER BY l.account_line LIMIT %s
"""

# Only deposits and withdrawals: an index holds these entries alone.
CASH: Final = f"""
SELECT e.kind, sum(l.amount)::text FROM entries e JOIN legs l ON l.entry_id = e.entry_id
WHERE e.kind IN ('deposit', 'withdrawal', 'adjustment') AND e.currency = %s AND {_SPAN}
    AND starts_with(l.account, 'wallet:') GROUP BY e.kind
"""

# The legs that a number of a report is made of: of a kind of account, newest first.
_CHOSEN: Final = """
FROM entries e JOIN legs l ON l.entry_id = e.entry_id
WHERE e.currency = %(currency)s AND e.at >= to_timestamp(%(from_ms)s::numeric / 1000)
    AND e.at < to_timestamp(%(to_ms)s::numeric / 1000) AND starts_with(l.account, %(account)s)
    AND (%(kind)s = '' OR e.kind = %(kind)s)
"""
_OF_ROUNDS: Final = """
FROM rounds r JOIN entries e ON e."table" = r.table_id::text AND e.round = r.round AND e.kind = 'round'
JOIN legs l ON l.entry_id = e.entry_id
WHERE NOT r.test AND r.currency = %(currency)s AND r.game = %(game)s AND r.ended_ms >= %(from_ms)s
    AND r.ended_ms < %(to_ms)s AND starts_with(l.account, %(account)s) AND (%(kind)s = '' OR e.kind = %(kind)s)
"""
_LEG: Final = """SELECT e.entry_id::text, l.line, (extract(epoch FROM e.at) * 1000000)::bigint, e.kind, l.account,
    l.amount, l.balance_after, e.reason, e."table", e.round, e.actor
"""
_BEHIND: Final = """AND (e.at, e.entry_id, l.line) < (
    'epoch'::timestamptz + %(at_us)s * interval '1 microsecond', %(entry)s::uuid, %(line)s)
ORDER BY e.at DESC, e.entry_id DESC, l.line DESC LIMIT %(limit)s"""
CHOSEN_LEGS: Final = (
    f"{_LEG}{_CHOSEN} AND e.at <= 'epoch'::timestamptz + %(at_us)s * interval '1 microsecond' {_BEHIND}"
)
CHOSEN_CASH: Final = CHOSEN_LEGS.replace("WHERE", "WHERE e.kind IN ('deposit', 'withdrawal', 'adjustment') AND", 1)
# By the rounds' ends, which an index holds in order: a page reads the rounds of its lines alone.
CHOSEN_OF_ROUNDS: Final = f"""SELECT e.entry_id::text, l.line, r.ended_ms * 1000, e.kind, l.account, l.amount,
    l.balance_after, e.reason, e."table", e.round, e.actor
{_OF_ROUNDS} AND r.ended_ms <= %(at_us)s / 1000 AND (r.ended_ms, e.entry_id, l.line) < (%(at_us)s / 1000,
    %(entry)s::uuid, %(line)s)
ORDER BY r.ended_ms DESC, e.entry_id DESC, l.line DESC LIMIT %(limit)s"""
CHOSEN_TOTAL: Final = f"SELECT coalesce(sum(l.amount), 0)::text {_CHOSEN}"
CHOSEN_CASH_TOTAL: Final = CHOSEN_TOTAL.replace(
    "WHERE", "WHERE e.kind IN ('deposit', 'withdrawal', 'adjustment') AND", 1
)
# The legs of rounds follow from their figures, which are written in the same transaction.
CHOSEN_TOTAL_OF_ROUNDS: Final = """
SELECT coalesce(sum(CASE %(account)s WHEN 'seat:' THEN won - staked - fee WHEN 'fees:' THEN fee + rake
    WHEN 'house:' THEN house WHEN 'pot:' THEN pot ELSE 0 END), 0)::text
FROM rounds WHERE NOT test AND currency = %(currency)s AND game = %(game)s AND ended_ms >= %(from_ms)s
    AND ended_ms < %(to_ms)s AND %(kind)s IN ('', 'round')
"""

# Present balances, minus the movements since the moment.
TOTALS_AT: Final = """
SELECT kind, sum(chips)::text FROM (
    SELECT kind, balance AS chips FROM accounts WHERE currency = %s
    UNION ALL
    SELECT split_part(l.account, ':', 1), -l.amount FROM entries e JOIN legs l ON l.entry_id = e.entry_id
    WHERE e.currency = %s AND e.at >= to_timestamp(%s::numeric / 1000)
) AS moved GROUP BY kind
"""

_MOMENT: Final = "'epoch'::timestamptz + %s * interval '1 microsecond'"

# Entries, each with its legs.
_ENTRIES: Final = """
SELECT e.entry_id::text, e.kind, e.currency, e.reason, e."table", e.round, e.actor,
    (extract(epoch FROM e.at) * 1000000)::bigint, e.request_key, e.digest, e.signature,
    l.accounts, l.numbers, l.amounts, l.balances
FROM entries e CROSS JOIN LATERAL (
    SELECT coalesce(array_agg(account ORDER BY line), '{}') AS accounts,
        coalesce(array_agg(account_line ORDER BY line), '{}') AS numbers,
        coalesce(array_agg(amount ORDER BY line), '{}') AS amounts,
        coalesce(array_agg(balance_after ORDER BY line), '{}') AS balances
    FROM legs WHERE legs.entry_id = e.entry_id
) AS l
"""

# In the order of time.
ENTRIES: Final = f"""
{_ENTRIES} WHERE (e.at, e.entry_id) > ({_MOMENT}, %s) AND e.at >= {_MOMENT} AND e.at < {_MOMENT}
ORDER BY e.at, e.entry_id LIMIT %s
"""

NAMED_ENTRIES: Final = f"{_ENTRIES} WHERE e.entry_id = ANY(%s::uuid[])"

ENTRIES_OF_TABLE: Final = (
    'SELECT entry_id::text FROM entries e WHERE "table" = %s AND entry_id > %s ORDER BY e.entry_id LIMIT %s'
)

PROVEN: Final = (
    Proven(
        tree="entries",
        table="entries",
        key="entry_id",
        key_type="uuid",
        fields=(
            "entry_id",
            "kind",
            "currency",
            "reason",
            "table",
            "round",
            "request_key",
            "digest",
            "actor",
            "at_us",
            "size",
            "accounts",
            "account_lines",
            "currencies",
            "amounts",
            "balances_after",
            "signature",
        ),
        expressions={"entry_id": "r.entry_id::text", "table": 'r."table"'}
        | {name: f"l.{name}" for name in ("accounts", "account_lines", "currencies", "amounts", "balances_after")},
        beside="""CROSS JOIN LATERAL (
            SELECT array_agg(account ORDER BY line) AS accounts, array_agg(account_line ORDER BY line) AS account_lines,
                array_agg(currency ORDER BY line) AS currencies, array_agg(amount ORDER BY line) AS amounts,
                array_agg(balance_after ORDER BY line) AS balances_after
            FROM legs WHERE legs.entry_id = r.entry_id
        ) AS l""",
    ),
)
"""What checkpoints prove of the ledger: every entry with its legs."""

# Legs by account and line, each with whether its account and its entry are there.
LEGS: Final = """
SELECT l.account, l.account_line, l.amount, l.balance_after, l.entry_id::text, a.account IS NOT NULL,
    e.entry_id IS NOT NULL
FROM legs l LEFT JOIN accounts a ON a.account = l.account LEFT JOIN entries e ON e.entry_id = l.entry_id
WHERE (l.account, l.account_line) > (%s, %s) ORDER BY l.account, l.account_line LIMIT %s
"""

# Accounts with the balance of their last leg, each page of one moment, and whether there are later legs.
ACCOUNTS_BESIDE: Final = """
SELECT a.account, a.kind, a.balance, a.lines, a.may_be_negative, l.balance_after,
    EXISTS (SELECT FROM legs m WHERE m.account = a.account AND m.account_line > a.lines)
FROM accounts a LEFT JOIN legs l ON l.account = a.account AND l.account_line = a.lines
WHERE a.account > %s ORDER BY a.account LIMIT %s
"""
