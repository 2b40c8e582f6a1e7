"""What somebody with a prompt would write to forge money: legs, balances and entries by hand."""

from typing import Final

import psycopg
import pytest

from services.ledger import checks
from tests.support.ledger_entries import Connection

FORGED: Final = "00000000-0000-4000-8000-000000000001"


def leg(
    line: int,
    account: str,
    number: int,
    amount: int,
    after: int,
    *,
    currency: str = "CHIP",
    size: int = 2,
    entry: str = FORGED,
) -> bytes:
    """Return the statement that inserts a leg."""
    return (
        "INSERT INTO legs (entry_id, line, account, account_line, currency, amount, balance_after, size) VALUES"
        f" ('{entry}', {line}, '{account}', {number}, '{currency}', {amount}, {after}, {size})"
    ).encode()


def account(player: str, balance: int, lines: int) -> bytes:
    """Return the statement that changes a wallet."""
    return f"UPDATE accounts SET balance = {balance}, lines = {lines} WHERE account = 'wallet:CHIP:{player}'".encode()


def closing(size: int, *, currency: str = "CHIP", entry: str = FORGED) -> bytes:
    """Return the statement that inserts an entry."""
    return (
        "INSERT INTO entries (entry_id, kind, currency, reason, digest, actor, size)"
        f" VALUES ('{entry}', 'forged', '{currency}', '', '', 'me', {size})"
    ).encode()


ENTRY: Final = closing(2)

SOUND: Final = """
SELECT 'a leg without its entry', l.entry_id::text FROM legs l LEFT JOIN entries e ON e.entry_id = l.entry_id
WHERE e.entry_id IS NULL OR e.size <> l.size OR e.currency <> l.currency
UNION ALL
SELECT 'an entry that is not its legs', e.entry_id::text FROM entries e LEFT JOIN legs l ON l.entry_id = e.entry_id
GROUP BY e.entry_id, e.size HAVING count(l.line) <> e.size OR coalesce(sum(l.amount), 0) <> 0
UNION ALL
SELECT 'a leg that does not fit', l.account || l.account_line FROM legs l LEFT JOIN accounts a ON a.account = l.account
LEFT JOIN legs b ON b.account = l.account AND b.account_line = l.account_line - 1
WHERE l.amount = 0 OR l.account_line < 1 OR l.account_line > a.lines OR a.account IS NULL OR a.currency <> l.currency
    OR l.balance_after <> l.amount + CASE WHEN l.account_line = 1 THEN 0 ELSE b.balance_after END
    OR (b.account IS NULL AND l.account_line > 1)
UNION ALL
SELECT 'an account that is not its legs', a.account FROM accounts a LEFT JOIN legs l ON l.account = a.account
GROUP BY a.account HAVING coalesce(sum(l.amount), 0) <> a.balance OR count(l.line) <> greatest(a.lines, 0)
"""
"""Whatever the ledger must never hold, derived from all of it."""


async def unsound(conn: Connection) -> list[tuple[str, str]]:
    """Return the faults of the ledger; empty where it is right."""
    return await (await conn.execute(SOUND.encode())).fetchall()


async def refused(conn: Connection, constraint: str, *statements: bytes) -> None:
    """Run statements in a transaction; the constraint refuses one of them or the commit."""
    with pytest.raises(psycopg.errors.IntegrityError) as error:  # noqa: PT012 - the commit may be what refuses
        async with conn.transaction():
            for statement in statements:
                await conn.execute(statement)
    assert error.value.diag.constraint_name == constraint
    assert await checks.imbalance(conn) == 0
    assert await unsound(conn) == []
