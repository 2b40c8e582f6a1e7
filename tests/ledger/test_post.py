"""Posting: outcomes, repeated requests, statements and sums."""

import uuid
from typing import Any

import psycopg
import pytest

from services.database import row_bounds
from services.ledger import accounts, books, checks
from services.ledger.records import MOST_AMOUNT, Entry, Leg, Posted
from tests.support import ledger_entries
from tests.support.ledger_entries import Connection, deposit, entry, move

ANN, SEAT = accounts.wallet("CHIP", "ann"), accounts.seat("t", 0)


async def test_chips_move_and_add_up(conn: Connection) -> None:
    """An entry changes each account by its leg, returns the balances after it, and adds up to zero."""
    await deposit(conn, "ann", 100)
    done = await move(conn, ANN, SEAT, 60)
    assert done == Posted("posted", {ANN: 40, SEAT: 60})
    assert (await books.balance(conn, ANN), await books.balance(conn, SEAT)) == (40, 60)
    assert await books.balance(conn, "wallet:CHIP:nobody") == 0
    assert await books.total(conn, "cashier:CHIP:") == -100
    assert (await checks.imbalance(conn), checks.imbalance_of(await checks.totals(conn))) == (0, 0)


async def test_without_the_chips_nothing_moves(conn: Connection) -> None:
    """An account that would fall below zero is named with its balance, and nothing is posted."""
    await deposit(conn, "ann", 100)
    done = await move(conn, ANN, SEAT, 101)
    assert (done.outcome, done.account_at_fault) == ("insufficient_funds", ANN)
    assert done.balances == {ANN: 100, SEAT: 0}
    assert len(await books.statement(conn, ANN)) == 1
    never = await move(conn, accounts.wallet("CHIP", "nobody"), SEAT, 1)
    assert (never.outcome, never.account_at_fault) == ("insufficient_funds", accounts.wallet("CHIP", "nobody"))


async def test_house_and_cashier_may_owe(conn: Connection) -> None:
    """The bank and the outside world may be below zero; wallets, seats, pots and fees never are."""
    for lender in (accounts.house("CHIP", "t"), accounts.cashier("CHIP", "ann")):
        assert (await move(conn, lender, ANN, 10)).outcome == "posted"
    for other in (accounts.pot("t"), accounts.fees("CHIP", "t"), SEAT, accounts.wallet("CHIP", "bob")):
        assert (await move(conn, other, ANN, 10)).outcome == "insufficient_funds"


async def test_the_same_entry_is_posted_once(conn: Connection) -> None:
    """An entry posted again gets its first answer, though balances have moved on; by id and by request key."""
    await deposit(conn, "ann", 100)
    first = entry({ANN: -10, SEAT: 10}, request_key="ann:1")
    assert (await books.post(conn, first)).outcome == "posted"
    await move(conn, ANN, SEAT, 50)
    renamed = entry({ANN: -10, SEAT: 10}, request_key="ann:1")
    for again in (first, renamed):
        assert await books.post(conn, again) == Posted("already_posted", {ANN: 90, SEAT: 10})
    assert await books.balance(conn, SEAT) == 60


async def test_the_same_id_or_key_with_other_content_is_refused(conn: Connection) -> None:
    """An entry's id or request key cannot be used again with another amount, account, kind or digest."""
    await deposit(conn, "ann", 100)
    settled = str(uuid.uuid5(uuid.NAMESPACE_OID, "table 1 round 7"))
    first = entry({ANN: -10, SEAT: 10}, entry_id=settled, request_key="ann:1", table="t", round=7)
    await books.post(conn, first)
    others = [
        entry({ANN: -11, SEAT: 11}, request_key="ann:1", table="t", round=7),
        entry({ANN: -10, accounts.seat("t", 1): 10}, request_key="ann:1", table="t", round=7),
        entry({ANN: -10, SEAT: 10}, entry_id=settled, table="t", round=8),
        entry({ANN: -10, SEAT: 10}, entry_id=settled, request_key="ann:1", request_digest=bytes(32)),
        entry({ANN: -10, SEAT: 10}, entry_id=settled, kind="fee", table="t", round=7),
    ]
    for other in others:
        assert await books.post(conn, other) == Posted("request_conflict", {})
    assert await books.balance(conn, ANN) == 90


async def test_a_refused_entry_can_be_posted_later(conn: Connection) -> None:
    """Insufficient funds do not use up the request: the same entry is posted once the chips are there."""
    late = entry({ANN: -10, SEAT: 10}, request_key="k")
    assert (await books.post(conn, late)).outcome == "insufficient_funds"
    await deposit(conn, "ann", 10)
    assert (await books.post(conn, late)).outcome == "posted"


async def test_currencies_do_not_mix(conn: Connection) -> None:
    """An account keeps the currency of its first entry; an entry in another one is an error and moves nothing."""
    await deposit(conn, "ann", 100)
    with pytest.raises(psycopg.DataError, match="wallet:CHIP:ann is in CHIP"):
        await books.post(conn, entry({ANN: -10, "seat:u:0": 10}, currency="TWD"))
    assert await books.balance(conn, ANN) == 100


async def test_a_statement_sums_to_the_balance(conn: Connection) -> None:
    """A statement's lines have kind and reason, their amounts add up to the balance, and pages are complete."""
    await deposit(conn, "ann", 100)
    for number in range(1, 8):
        await move(conn, ANN, SEAT, number, kind="buy_in", reason=f"seat {number}", table="t", round=number)
    pages = await books.statement(conn, ANN, 0, 5) + await books.statement(conn, ANN, 5, 5)
    assert [line.number for line in pages] == list(range(1, 9))
    total = 0
    for line in pages:
        total += line.amount
        assert line.balance_after == total
    assert total == await books.balance(conn, ANN) == 72
    last = pages[-1]
    assert (last.kind, last.reason, last.table, last.round, last.actor) == ("buy_in", "seat 7", "t", 7, "operator-1")


async def test_accounts_are_listed_by_prefix(conn: Connection) -> None:
    """Accounts of a table are found by their names' beginning, in pages."""
    await deposit(conn, "ann", 100)
    for number in range(5):
        await move(conn, ANN, accounts.seat("t", number), number + 1)
    await move(conn, ANN, accounts.seat("tt", 0), 1)
    first = await books.accounts(conn, "seat:t:", limit=3)
    rest = await books.accounts(conn, "seat:t:", first[-1].account, 3)
    assert [(each.account, each.balance) for each in first + rest] == [(f"seat:t:{n}", n + 1) for n in range(5)]
    assert {(each.kind, each.currency) for each in first} == {("seat", "CHIP")}
    assert await books.total(conn, "seat:t:") == 15


async def test_an_imbalance_is_seen(conn: Connection) -> None:
    """Chips that were made by changing a balance, a leg, or both are counted."""
    await deposit(conn, "ann", 100)
    await move(conn, ANN, SEAT, 40)
    await conn.execute("SET session_replication_role = replica")
    for tampering, at_least in (
        ("UPDATE accounts SET balance = balance + 5 WHERE account = 'wallet:CHIP:ann'", 10),
        ("UPDATE legs SET amount = amount + 5 WHERE account = 'seat:t:0'", 10),
        ("DELETE FROM legs WHERE account = 'seat:t:0'", 80),
        ("DELETE FROM accounts WHERE account = 'seat:t:0'", 80),
    ):
        async with conn.transaction(force_rollback=True):
            await conn.execute(tampering.encode())
            assert await checks.imbalance(conn) == at_least, tampering
    assert await checks.imbalance(conn) == 0


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"entry_id": "7"}, "UUID in lower case"),
        ({"currency": "chips"}, "must be capitals"),
        ({"legs": (Leg(ANN, 1),)}, "1 legs"),
        ({"legs": (Leg(ANN, 1), Leg(SEAT, -2))}, "add up to -1"),
        ({"legs": (Leg(ANN, 1), Leg(ANN, -1))}, "occurs twice"),
        ({"legs": (Leg(ANN, 0), Leg(SEAT, 0))}, "a leg moves 1 to"),
        ({"legs": (Leg(ANN, MOST_AMOUNT + 1), Leg(SEAT, -MOST_AMOUNT - 1))}, "a leg moves 1 to"),
        ({"legs": (Leg("purse:ann", 1), Leg(SEAT, -1))}, "is not a valid account"),
        ({"kind": ""}, "kind, reason"),
        ({"reason": "x" * 2001}, "at most 2000"),
        ({"request_digest": b"short"}, "32 bytes"),
    ],
)
def test_an_entry_that_cannot_stand_is_refused(fields: dict[str, Any], message: str) -> None:
    """Each rule for an entry is checked in words before the database is called."""
    with pytest.raises(ValueError, match=message):
        ledger_entries.entry({ANN: 1, SEAT: -1}, **fields)


def test_names_of_accounts_are_spread_and_steady() -> None:
    """A table has always the same part of the bank and of the fees, and many tables use all parts."""
    parts = {accounts.house("CHIP", f"table {number}") for number in range(400)}
    assert parts == {f"house:CHIP:{part}" for part in range(16)}
    assert accounts.fees("CHIP", "table 1") == "fees:CHIP:" + accounts.house("CHIP", "table 1").rpartition(":")[2]
    assert accounts.legs({"a": 0, "c": 2, "b": -2}) == (Leg("b", -2), Leg("c", 2))
    assert isinstance(ledger_entries.entry({ANN: 1, SEAT: -1}), Entry)


@pytest.mark.parametrize("limit", [0, -1, row_bounds.MOST_ROWS + 1])
async def test_a_page_is_bounded(conn: Connection, limit: int) -> None:
    """A page of accounts, or of a statement from either end, has at least one row and at most the bound."""
    for read in (
        books.accounts(conn, "wallet:", limit=limit),
        books.statement(conn, ANN, limit=limit),
        books.newest(conn, ANN, 1 << 62, limit=limit),
    ):
        with pytest.raises(ValueError, match=f"{limit} rows; ask for 1 to {row_bounds.MOST_ROWS}"):
            await read
