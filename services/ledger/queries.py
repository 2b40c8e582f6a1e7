"""Every statement that the ledger sends, by name."""

from typing import Final

POST: Final = (
    "SELECT outcome, fault, accounts, balances FROM post_entry("
    "%s::uuid, %s, %s, %s, %s, %s::bigint, %s, %s::bytea, %s, %s::text[], %s::bigint[])"
)

BALANCE: Final = "SELECT balance FROM accounts WHERE account = %s"

ACCOUNTS: Final = (
    "SELECT account, kind, currency, balance FROM accounts"
    " WHERE starts_with(account, %s) AND account > %s ORDER BY account LIMIT %s"
)

TOTAL: Final = "SELECT coalesce(sum(balance), 0)::text, count(*) FROM accounts WHERE starts_with(account, %s)"

TOTAL_OF_KIND: Final = "SELECT coalesce(sum(balance), 0)::text FROM accounts WHERE kind = %s AND currency = %s"

STATEMENT: Final = """
SELECT l.account_line, l.entry_id::text, e.kind, e.reason, e."table", e.round, l.amount, l.balance_after, e.actor,
    floor(date_part('epoch', e.at) * 1000)::bigint
FROM legs l JOIN entries e ON e.entry_id = l.entry_id
WHERE l.account = %s AND l.account_line > %s ORDER BY l.account_line LIMIT %s
"""

# Chips that the balances have made or lost by currency, entries that do not balance, and balances that their legs deny.
IMBALANCE: Final = """
SELECT (
    (SELECT coalesce(sum(abs(total)), 0) FROM (SELECT sum(balance) AS total FROM accounts GROUP BY currency) AS a)
    + (SELECT coalesce(sum(abs(total)), 0) FROM (SELECT sum(amount) AS total FROM legs GROUP BY entry_id) AS e)
    + (SELECT coalesce(sum(abs(coalesce(a.balance, 0) - coalesce(l.total, 0))), 0) FROM accounts a
        FULL JOIN (SELECT account, sum(amount) AS total FROM legs GROUP BY account) AS l ON l.account = a.account)
)::text
"""

IMBALANCE_OF_ACCOUNTS: Final = (
    "SELECT coalesce(sum(abs(total)), 0)::text FROM (SELECT sum(balance) AS total FROM accounts GROUP BY currency) AS a"
)
