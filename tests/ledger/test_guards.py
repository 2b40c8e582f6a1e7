"""The database itself refuses an invalid ledger, also from a superuser at a prompt."""

import psycopg
import pytest
from psycopg import sql

from services.ledger import books, checks
from tests.support.forged_entries import ENTRY, FORGED, account, closing, leg, refused
from tests.support.ledger_entries import Connection, deposit, entry


async def test_an_entry_must_balance(conn: Connection) -> None:
    """Legs that do not add up to zero are refused by the entry that closes them."""
    await deposit(conn, "ann", 100)
    await deposit(conn, "bob", 100)
    legs = leg(1, "wallet:CHIP:ann", 2, 50, 150), leg(2, "wallet:CHIP:bob", 2, -49, 51)
    await refused(conn, "legs_must_balance", *legs, account("ann", 150, 2), account("bob", 51, 2), ENTRY)


async def test_an_entry_must_have_legs(conn: Connection) -> None:
    """An entry without legs, with one, or with fewer than it says is refused."""
    await deposit(conn, "ann", 100)
    alone = leg(1, "wallet:CHIP:ann", 2, 50, 150), account("ann", 150, 2)
    await refused(conn, "entry_must_have_legs", ENTRY)
    await refused(conn, "entry_must_have_legs", closing(0))
    await refused(conn, "entry_must_have_legs", *alone, closing(1))
    await refused(conn, "entry_must_have_legs", *alone, ENTRY)


async def test_a_balance_follows_legs(conn: Connection) -> None:
    """A balance changed without a leg, or an account made with chips, does not commit."""
    await deposit(conn, "ann", 100)
    await refused(
        conn, "balance_must_follow_legs", b"UPDATE accounts SET balance = 150 WHERE account = 'wallet:CHIP:ann'"
    )
    await refused(
        conn,
        "balance_must_follow_legs",
        b"UPDATE accounts SET balance = balance + 5, lines = lines + 1",
    )
    await refused(
        conn,
        "balance_must_follow_legs",
        b"INSERT INTO accounts (account, currency, balance) VALUES ('pot:t', 'CHIP', 5)",
    )


async def test_no_balance_below_zero(conn: Connection) -> None:
    """A wallet below zero is refused at once."""
    await deposit(conn, "ann", 100)
    await refused(conn, "balance_not_negative", b"UPDATE accounts SET balance = -1 WHERE account = 'wallet:CHIP:ann'")


@pytest.mark.parametrize(
    "second",
    [
        leg(2, "wallet:CHIP:bob", 2, -5, 95, currency="TWD"),
        leg(2, "wallet:CHIP:bob", 3, -5, 95),
        leg(2, "wallet:CHIP:bob", 2, -5, 94),
        leg(2, "wallet:CHIP:nobody", 1, -5, -5),
        leg(2, "wallet:CHIP:bob", 2, -5, 95),
    ],
    ids=["currency", "number", "balance", "account", "not taken up"],
)
async def test_a_leg_must_fit(conn: Connection, second: bytes) -> None:
    """A leg in another currency, out of turn, with a wrong balance, of no account, or unknown to its account."""
    await deposit(conn, "ann", 100)
    await deposit(conn, "bob", 100)
    await refused(conn, "legs_must_fit", leg(1, "wallet:CHIP:ann", 2, 5, 105), second, account("ann", 105, 2), ENTRY)


async def test_legs_cannot_join_an_old_entry(conn: Connection) -> None:
    """Legs that are added to a posted entry are refused, balanced or not."""
    wallet = await deposit(conn, "ann", 100)
    await books.post(conn, entry({wallet: -1, "seat:t:0": 1}, entry_id=FORGED))
    for size, constraint in ((2, "legs_must_fit"), (4, "legs_must_have_their_entry")):
        extra = leg(3, wallet, 3, 1, 100, size=size), leg(4, "seat:t:0", 2, -1, 0, size=size)
        await refused(conn, constraint, *extra, account("ann", 100, 3))
    await refused(conn, "legs_pkey", leg(2, wallet, 3, 1, 100))


@pytest.mark.parametrize(
    "change",
    ["account = 'wallet:CHIP:bob'", "currency = 'TWD'", "may_be_negative = true", "lines = lines - 1"],
)
async def test_an_account_keeps_its_nature(conn: Connection, change: str) -> None:
    """An account's name, currency, right to be negative and past cannot be changed, and it cannot be removed."""
    await deposit(conn, "ann", 100)
    for statement in (f"UPDATE accounts SET {change}", "DELETE FROM accounts", "TRUNCATE accounts CASCADE"):
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            await conn.execute(statement.encode())


@pytest.mark.parametrize(
    ("role", "may"), [("pitboss_settlement", True), ("pitboss_dealer", False), ("pitboss_audit", False)]
)
async def test_only_settlement_posts(conn: Connection, role: str, may: bool) -> None:
    """Only the settlement's role moves chips; all read."""
    await conn.execute(sql.SQL("SET ROLE {}").format(sql.Identifier(role)))
    if may:
        await deposit(conn, "ann", 100)
    else:
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            await deposit(conn, "ann", 100)
    assert await checks.imbalance(conn) == 0
