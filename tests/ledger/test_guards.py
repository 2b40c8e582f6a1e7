"""The database itself refuses what a ledger must never hold, from a superuser at a prompt too."""

import psycopg
import pytest
from psycopg import sql

from services.ledger import books
from tests.ledger.making import Connection, deposit, entry

ENTRY = """INSERT INTO entries (entry_id, kind, currency, reason, digest, actor)
VALUES ('00000000-0000-4000-8000-000000000001', 'forged', 'CHIP', '', '', 'me')"""
LEG = (
    "INSERT INTO legs (entry_id, line, account, account_line, currency, amount, balance_after) VALUES"
    " ('00000000-0000-4000-8000-000000000001', {line}, '{account}', {number}, '{currency}', {amount}, {after})"
)


def leg(line: int, account: str, number: int, amount: int, after: int, currency: str = "CHIP") -> bytes:
    """Give the statement that writes a leg."""
    return LEG.format(line=line, account=account, number=number, amount=amount, after=after, currency=currency).encode()


async def refused(conn: Connection, constraint: str, *statements: bytes) -> None:
    """Run statements in a transaction; the constraint refuses one of them or the commit."""
    with pytest.raises(psycopg.errors.CheckViolation) as error:  # noqa: PT012 - the commit may be what refuses
        async with conn.transaction():
            for statement in statements:
                await conn.execute(statement)
    assert error.value.diag.constraint_name == constraint
    assert await books.imbalance(conn) == 0


async def test_an_entry_must_balance(conn: Connection) -> None:
    """Legs that do not add up to nought are refused by the statement that writes them."""
    await deposit(conn, "ann", 100)
    update = b"UPDATE accounts SET balance = 150, lines = 2 WHERE account = 'wallet:CHIP:ann'"
    await refused(conn, "legs_must_balance", ENTRY.encode(), update, leg(1, "wallet:CHIP:ann", 2, 50, 150))


async def test_an_entry_must_have_legs(conn: Connection) -> None:
    """An entry alone does not commit."""
    await refused(conn, "entry_must_have_legs", ENTRY.encode())


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


async def test_no_balance_below_nought(conn: Connection) -> None:
    """A wallet below nought is refused at once."""
    await deposit(conn, "ann", 100)
    await refused(conn, "balance_not_negative", b"UPDATE accounts SET balance = -1 WHERE account = 'wallet:CHIP:ann'")


@pytest.mark.parametrize(
    "second",
    [
        leg(2, "wallet:CHIP:bob", 2, -5, 95, currency="TWD"),
        leg(2, "wallet:CHIP:bob", 3, -5, 95),
        leg(2, "wallet:CHIP:bob", 2, -5, 94),
        leg(2, "wallet:CHIP:nobody", 1, -5, -5),
    ],
    ids=["currency", "number", "balance", "account"],
)
async def test_a_leg_must_fit(conn: Connection, second: bytes) -> None:
    """A leg in another currency, out of turn, with a wrong balance, or of no account is refused."""
    await deposit(conn, "ann", 100)
    await deposit(conn, "bob", 100)
    both = leg(1, "wallet:CHIP:ann", 2, 5, 105) + second[second.index(b" VALUES") + 7 :].join([b",", b""])
    moves = (
        b"UPDATE accounts SET balance = 105, lines = 2 WHERE account = 'wallet:CHIP:ann'",
        b"UPDATE accounts SET balance = 95, lines = 2 WHERE account = 'wallet:CHIP:bob'",
    )
    await refused(conn, "legs_must_fit", ENTRY.encode(), *moves, both)


async def test_legs_cannot_join_an_old_entry(conn: Connection) -> None:
    """Balanced legs added to an entry without their accounts' balances are refused."""
    wallet = await deposit(conn, "ann", 100)
    first = entry({wallet: -1, "seat:t:0": 1}, entry_id="00000000-0000-4000-8000-000000000001")
    await books.post(conn, first)
    extra = (
        leg(3, "wallet:CHIP:ann", 3, 5, 104)
        + b", ('00000000-0000-4000-8000-000000000001', 4, 'seat:t:0', 2, 'CHIP', -5, -4)"
    )
    await refused(conn, "legs_must_fit", extra)


@pytest.mark.parametrize(
    "change",
    ["account = 'wallet:CHIP:bob'", "currency = 'TWD'", "may_be_negative = true", "lines = lines - 1"],
)
async def test_an_account_keeps_its_nature(conn: Connection, change: str) -> None:
    """Name, currency, the right to owe and the past of an account cannot be changed, nor the account removed."""
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
    assert await books.imbalance(conn) == 0
