"""Every known way around the ledger's guards, by a superuser at a prompt, alone and with concurrent writers."""

import asyncio
import random
from collections.abc import Callable
from typing import Final

import psycopg
import pytest

from services.ledger import books
from tests.support.forged_entries import ENTRY, FORGED, account, closing, leg, refused, unsound
from tests.support.ledger_entries import Connection, deposit, entry
from tests.support.log_events import wait_for_waiting

ANN, BOB = "wallet:CHIP:ann", "wallet:CHIP:bob"
LEGS = leg(1, ANN, 2, 5, 105), leg(2, BOB, 2, -5, 95)
MOVES = account("ann", 105, 2), account("bob", 95, 2)
OTHER: Final = "00000000-0000-4000-8000-000000000002"
LEVELS = ("READ COMMITTED", "REPEATABLE READ", "SERIALIZABLE")
SECONDS = 20.0


@pytest.fixture(autouse=True)
async def wallets(conn: Connection) -> None:
    """Return ann and bob 100 each, in one leg each."""
    await deposit(conn, "ann", 100)
    await deposit(conn, "bob", 100)


async def test_what_is_right_is_taken(conn: Connection) -> None:
    """The guards check content, not the writer: a valid entry may be written at a prompt."""
    async with conn.transaction():
        for statement in (*LEGS, *MOVES, ENTRY):
            await conn.execute(statement)
    assert await unsound(conn) == []
    assert await books.balance(conn, ANN) == 105


ORDERS: dict[str, tuple[str, tuple[bytes, ...]]] = {
    "legs alone": ("legs_must_have_their_entry", LEGS),
    "legs and accounts without an entry": ("legs_must_have_their_entry", (*LEGS, *MOVES)),
    "legs whose accounts never hear of them": ("legs_must_fit", (*LEGS, ENTRY)),
    "legs of which one account never hears": ("legs_must_fit", (*LEGS, MOVES[0], ENTRY)),
    "the entry first": ("entry_must_have_legs", (ENTRY, *LEGS, *MOVES)),
    "the entry after one leg": ("entry_must_have_legs", (LEGS[0], MOVES[0], ENTRY, LEGS[1], MOVES[1])),
    "accounts first": ("balance_must_follow_legs", (*MOVES, *LEGS, ENTRY)),
    "an account ahead of its legs": ("balance_must_follow_legs", (*LEGS, account("ann", 105, 3))),
    "an account with another balance": ("balance_must_follow_legs", (*LEGS, account("ann", 106, 2))),
    "an account that counts without a balance": ("balance_must_follow_legs", (*LEGS, account("ann", 100, 2))),
    "a new account with chips": (
        "balance_must_follow_legs",
        (b"INSERT INTO accounts (account, currency, balance) VALUES ('pot:t', 'CHIP', 5)",),
    ),
    "a new account with a past": (
        "balance_must_follow_legs",
        (b"INSERT INTO accounts (account, currency, lines) VALUES ('pot:t', 'CHIP', 1)",),
    ),
    "an account by way of a conflict": (
        "balance_must_follow_legs",
        (
            b"""INSERT INTO accounts (account, currency) VALUES ('wallet:CHIP:ann', 'CHIP')
            ON CONFLICT (account) DO UPDATE SET balance = accounts.balance + 5""",
        ),
    ),
    "a leg of nothing": (
        "legs_must_fit",
        (leg(1, ANN, 2, 0, 100), leg(2, BOB, 2, 0, 100), account("ann", 100, 2), account("bob", 100, 2), ENTRY),
    ),
    "an entry in another currency": ("legs_must_fit", (*LEGS, *MOVES, closing(2, currency="TWD"))),
    "a leg that jumps": ("legs_must_fit", (leg(1, ANN, 3, 5, 105), LEGS[1], account("ann", 105, 3), MOVES[1], ENTRY)),
    "a leg before the first": ("legs_must_fit", (leg(1, ANN, 0, 5, 5), LEGS[1], MOVES[1], ENTRY)),
    "a leg far below the first": ("legs_must_fit", (leg(1, ANN, -7, 5, 5), LEGS[1], MOVES[1], ENTRY)),
    "a leg that was there already": ("legs_follow_each_other", (leg(1, ANN, 1, 5, 5), LEGS[1], MOVES[1], ENTRY)),
    "two legs of one number": ("legs_follow_each_other", (LEGS[0], leg(2, ANN, 2, -5, 95))),
    "two legs on one line": ("legs_pkey", (LEGS[0], leg(1, BOB, 2, -5, 95))),
    "a third leg after the entry": ("legs_must_fit", (*LEGS, *MOVES, ENTRY, leg(3, ANN, 3, 5, 110))),
    "a third leg before the entry": ("legs_must_fit", (*LEGS, leg(3, ANN, 3, 5, 110), *MOVES, ENTRY)),
    "a third leg that says it is one of three": (
        "legs_must_have_their_entry",
        (*LEGS, *MOVES, ENTRY, leg(3, ANN, 3, 5, 110, size=3), account("ann", 110, 3)),
    ),
    "a third leg seen by the entry": (
        "entry_must_have_legs",
        (*LEGS, leg(3, ANN, 3, 5, 110, size=3), *MOVES, ENTRY),
    ),
    "legs that say they are of three": (
        "legs_must_have_their_entry",
        (leg(1, ANN, 2, 5, 105, size=3), leg(2, BOB, 2, -5, 95, size=3), *MOVES, ENTRY),
    ),
    "a line beyond the size": ("legs_must_fit", (LEGS[0], leg(3, BOB, 2, -5, 95))),
    "a line below the first": ("legs_must_fit", (LEGS[0], leg(0, BOB, 2, -5, 95))),
    "a leg on an entry's other name": ("legs_must_have_their_entry", (*LEGS, *MOVES, closing(2, entry=OTHER))[:4]),
    "an entry that borrows legs of another": (
        "entry_must_have_legs",
        (*LEGS, *MOVES, closing(2, entry=OTHER)),
    ),
    "two entries for the same legs": ("entries_pkey", (*LEGS, *MOVES, ENTRY, closing(3))),
    "money that comes back within the transaction": (
        "legs_must_fit",
        (
            *LEGS,
            *MOVES,
            leg(1, ANN, 3, -5, 100, entry=OTHER),
            leg(2, BOB, 3, 5, 100, entry=OTHER),
            account("ann", 100, 3),
            closing(2, entry=OTHER),
        ),
    ),
    "checked at once": ("legs_must_have_their_entry", (b"SET CONSTRAINTS ALL IMMEDIATE", *LEGS)),
    "legs undone behind a savepoint": (
        "entry_must_have_legs",
        (b"SAVEPOINT a", *LEGS, *MOVES, b"ROLLBACK TO a", ENTRY),
    ),
    "accounts undone behind a savepoint": (
        "legs_must_fit",
        (*LEGS, b"SAVEPOINT a", *MOVES, b"ROLLBACK TO a", ENTRY),
    ),
    "the entry undone behind a savepoint": (
        "legs_must_have_their_entry",
        (*LEGS, *MOVES, b"SAVEPOINT a", ENTRY, b"ROLLBACK TO a"),
    ),
    "all in one statement, unsound": (
        "legs_must_fit",
        (b"WITH a AS (" + LEGS[0] + b"), b AS (" + LEGS[1] + b"), c AS (" + MOVES[0] + b") " + ENTRY,),
    ),
}


@pytest.mark.parametrize("way", ORDERS)
async def test_no_order_of_statements_gets_around(conn: Connection, way: str) -> None:
    """Legs, accounts and entry in a wrong order, number or shape are refused, at the commit at the latest."""
    constraint, statements = ORDERS[way]
    for level in LEVELS:
        await conn.execute(f"SET default_transaction_isolation = '{level}'".encode())
        await refused(conn, constraint, *statements)


async def test_all_in_one_statement_is_taken(conn: Connection) -> None:
    """Legs, accounts and entry of one statement are checked at its end, and accepted if valid."""
    parts = (LEGS[0], LEGS[1], MOVES[0], MOVES[1])
    whole = b", ".join(
        name + b" AS (" + part + b")" for name, part in zip((b"a", b"b", b"c", b"d"), parts, strict=True)
    )
    await conn.execute(b"WITH " + whole + b" " + ENTRY)
    assert await unsound(conn) == []


@pytest.mark.parametrize("table", ["legs", "entries"])
async def test_what_is_written_stays(conn: Connection, table: str) -> None:
    """No part of an entry can be changed or removed, so that one check is enough."""
    for statement in (f"UPDATE {table} SET size = 3", f"DELETE FROM {table}", f"TRUNCATE {table} CASCADE"):
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            await conn.execute(statement.encode())
    assert await unsound(conn) == []


async def begin(conn: Connection, level: str) -> None:
    """Begin a transaction and take its snapshot."""
    await conn.execute(f"BEGIN ISOLATION LEVEL {level}".encode())
    await conn.execute("SELECT count(*) FROM entries")


async def ended(conn: Connection, *statements: bytes) -> str:
    """Run statements and commit; return the constraint or the state that refused them, or nothing."""
    try:
        for statement in statements:
            await conn.execute(statement)
        await conn.execute("COMMIT")
    except psycopg.Error as error:
        await conn.execute("ROLLBACK")
        return error.diag.constraint_name or error.sqlstate or "?"
    return ""


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("size", [2, 3])
async def test_a_leg_cannot_slip_in_beside_an_entry_that_another_writes(
    conn: Connection, others: list[Connection], level: str, size: int
) -> None:
    """A leg written while another posts the entry of the same id, seen by neither check, does not commit."""
    await begin(others[0], level)
    stray = leg(3, "house:CHIP:0", 1, 50, 50, size=size)
    if size == 2:
        assert await ended(others[0], stray) == "legs_must_fit"
    else:
        await others[0].execute(stray)
        await books.post(conn, entry({ANN: -5, BOB: 5}, entry_id=FORGED))
        assert await ended(others[0]) in {"legs_must_have_their_entry", "40001"}
    assert await unsound(conn) == []


@pytest.mark.parametrize("level", LEVELS)
async def test_the_same_line_of_an_entry_from_two_is_one(
    conn: Connection, others: list[Connection], level: str
) -> None:
    """A writer of a line that another transaction has written waits for it, and is refused after its commit."""
    await begin(others[0], level)
    await begin(others[1], level)
    for statement in (*LEGS, *MOVES, ENTRY):
        await others[0].execute(statement)
    second = asyncio.ensure_future(ended(others[1], leg(2, "house:CHIP:0", 1, 50, 50)))
    await wait_for_waiting(conn)
    assert await ended(others[0]) == ""
    assert await asyncio.wait_for(second, SECONDS) in {"legs_pkey", "40001"}
    assert await unsound(conn) == []


@pytest.mark.parametrize("level", LEVELS)
async def test_the_same_leg_number_from_two_is_one(conn: Connection, others: list[Connection], level: str) -> None:
    """Two entries that each continue an account at the same number: the second waits and is refused."""
    await begin(others[0], level)
    await begin(others[1], level)
    for statement in (*LEGS, *MOVES, ENTRY):
        await others[0].execute(statement)
    second = asyncio.ensure_future(ended(others[1], leg(1, ANN, 2, 7, 107, entry=OTHER)))
    await wait_for_waiting(conn)
    assert await ended(others[0]) == ""
    assert await asyncio.wait_for(second, SECONDS) in {"legs_follow_each_other", "40001"}
    assert await unsound(conn) == []


@pytest.mark.parametrize("level", LEVELS)
async def test_an_account_cannot_be_raised_to_what_another_has_not_committed(
    conn: Connection, others: list[Connection], level: str
) -> None:
    """A balance that rests on legs of a transaction that may yet be undone is refused, or waits for it."""
    await begin(others[0], level)
    await begin(others[1], level)
    for statement in LEGS:
        await others[0].execute(statement)
    assert await ended(others[1], MOVES[0]) == "balance_must_follow_legs"
    await begin(others[1], level)
    ahead = leg(1, ANN, 3, 1, 106, entry=OTHER), account("ann", 106, 3)
    assert await ended(others[1], *ahead) in {"legs_must_have_their_entry", "40001"}
    assert await ended(others[0], *MOVES, ENTRY) == ""
    assert await unsound(conn) == []


@pytest.mark.parametrize("level", LEVELS)
async def test_an_entry_of_legs_that_rest_on_another_transaction_is_refused(
    conn: Connection, others: list[Connection], level: str
) -> None:
    """Legs that continue uncommitted legs of another transaction do not fit, whichever commits first."""
    await begin(others[0], level)
    await begin(others[1], level)
    for statement in LEGS:
        await others[0].execute(statement)
    later = (
        leg(1, ANN, 3, 1, 106, entry=OTHER),
        leg(2, "house:CHIP:1", 1, -1, -1, entry=OTHER),
        b"INSERT INTO accounts (account, currency, may_be_negative) VALUES ('house:CHIP:1', 'CHIP', true)",
        b"UPDATE accounts SET balance = -1, lines = 1 WHERE account = 'house:CHIP:1'",
        account("ann", 106, 3),
        closing(2, entry=OTHER),
    )
    assert await ended(others[1], *later) in {"legs_must_fit", "40001"}
    assert await ended(others[0], *MOVES, ENTRY) == ""
    assert await unsound(conn) == []


class Forger:
    """Writes legs, accounts and entries that are nearly right, at random."""

    def __init__(self, seed: int, level: str) -> None:
        self.dice = random.Random(seed)
        self.level = level
        self.lines: dict[str, tuple[int, int]] = {}
        self.entry, self.size, self.line = FORGED, 2, 1
        self.rest, self.closed = 0, False

    async def looked(self, conn: Connection) -> None:
        """Begin, and read the present state."""
        await conn.execute(f"BEGIN ISOLATION LEVEL {self.level}".encode())
        rows = await (await conn.execute("SELECT account, lines, balance FROM accounts")).fetchall()
        self.lines = {name: (lines, balance) for name, lines, balance in rows}
        self.entry = f"00000000-0000-4000-8000-{self.dice.randrange(10**9):012}"
        if self.dice.random() < 0.4:
            self.entry = self.dice.choice((FORGED, OTHER))
        self.size, self.line, self.rest, self.closed = self.dice.choice((2, 2, 3)), 1, 0, False

    def near(self, value: int) -> int:
        """Return a number, or rarely one next to it."""
        return value + (self.dice.choice((-1, 1, 5)) if self.dice.random() < 0.04 else 0)

    def statement(self) -> bytes:
        """Return the next statement, mostly of what should come next."""
        written = self.line > self.size
        kinds: list[Callable[[], bytes]] = [self.leg] * (1 if written else 9) + [self.move] * (6 if written else 1)
        return self.dice.choice([*kinds, *[self.close] * (3 if written else 1)])()

    def leg(self) -> bytes:
        """Continue an account."""
        name = self.dice.choice((ANN, BOB))
        lines, balance = self.lines[name]
        amount = -self.rest if self.line == self.size and self.rest else self.dice.choice((-5, 5))
        made = leg(
            self.near(self.line),
            name,
            self.near(lines + 1),
            amount,
            self.near(balance + amount),
            size=self.near(self.size),
            entry=self.entry,
        )
        self.lines[name] = (lines + 1, balance + amount)
        self.line, self.rest = self.line + 1, self.rest + amount
        return made

    def move(self) -> bytes:
        """Update an account for its legs."""
        name = self.dice.choice(("ann", "bob"))
        lines, balance = self.lines[f"wallet:CHIP:{name}"]
        return account(name, self.near(balance), self.near(lines))

    def close(self) -> bytes:
        """Write the entry."""
        self.closed = True
        return closing(self.near(self.size), entry=self.entry)


@pytest.mark.parametrize("level", LEVELS)
async def test_forgers_at_random_leave_the_ledger_sound(conn: Connection, others: list[Connection], level: str) -> None:
    """Of random, nearly valid statements by two writers some are accepted, and the ledger stays valid."""
    dice = random.Random(level)
    forgers = [Forger(dice.randrange(10**6), level) for _ in range(2)]
    refusals = 0
    for writer in others:
        await writer.execute("SET lock_timeout = '20ms'")
        await writer.execute("SET synchronous_commit = off")
    idle = psycopg.pq.TransactionStatus.IDLE
    for _ in range(1500):
        place = dice.randrange(2)
        writer, forger = others[place], forgers[place]
        try:
            if writer.info.transaction_status == idle:
                await forger.looked(writer)
            elif dice.random() < (0.7 if forger.closed else 0.03):
                await writer.execute("COMMIT")
                assert await unsound(conn) == []
            else:
                await writer.execute(forger.statement())
        except psycopg.Error:
            refusals += 1
            await writer.execute("ROLLBACK")
    for writer in others:
        await writer.execute("ROLLBACK")
    row = await (await conn.execute("SELECT count(*) FROM entries WHERE kind = 'forged'")).fetchone()
    assert row is not None
    assert row[0] >= 3
    assert refusals > row[0]
    assert await unsound(conn) == []
