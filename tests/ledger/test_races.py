"""Concurrent movements of chips: nothing is spent twice, there is no deadlock, and everything adds up."""

import asyncio
import random

import pytest

from services.eventlog import log
from services.ledger import accounts, books, checks
from tests.support import log_events as streams
from tests.support.ledger_entries import Connection, deposit, entry, move
from tests.support.log_events import wait_for_waiting

SECONDS = 20.0


async def test_two_spenders_of_the_same_chips_have_one_winner(conn: Connection, others: list[Connection]) -> None:
    """Two entries that each want all of a wallet: the second waits for the first and lacks the chips."""
    wallet = await deposit(conn, "ann", 100)
    async with conn.transaction():
        assert (await move(conn, wallet, "seat:t:0", 100)).outcome == "posted"
        second = asyncio.ensure_future(move(others[0], wallet, "seat:t:1", 100))
        await wait_for_waiting(others[1])
    done = await asyncio.wait_for(second, SECONDS)
    assert (done.outcome, done.account_at_fault) == ("insufficient_funds", wallet)


async def test_a_receiving_account_is_locked_too(conn: Connection, others: list[Connection]) -> None:
    """Two entries into one account from different sources: the second waits, and no credit is lost."""
    ann, bob = await deposit(conn, "ann", 100), await deposit(conn, "bob", 100)
    async with conn.transaction():
        await move(conn, ann, "pot:t", 30)
        second = asyncio.ensure_future(move(others[0], bob, "pot:t", 40))
        await wait_for_waiting(others[1])
    assert (await asyncio.wait_for(second, SECONDS)).balances["pot:t"] == 70
    assert await books.balance(conn, "pot:t") == 70


async def test_an_account_first_named_by_two_is_one(conn: Connection, others: list[Connection]) -> None:
    """Two entries that both make the same new account end with both credits in it."""
    ann, bob = await deposit(conn, "ann", 100), await deposit(conn, "bob", 100)
    async with conn.transaction():
        await move(conn, ann, "pot:new", 1)
        second = asyncio.ensure_future(move(others[0], bob, "pot:new", 2))
        await wait_for_waiting(others[1])
    await asyncio.wait_for(second, SECONDS)
    assert await books.balance(conn, "pot:new") == 3
    assert [line.number for line in await books.statement(conn, "pot:new")] == [1, 2]


@pytest.mark.parametrize("by", ["id", "key"])
async def test_the_same_entry_from_two_connections_is_posted_once(
    conn: Connection, others: list[Connection], by: str
) -> None:
    """Two settlements of one round at the same moment pay once and give the same answer."""
    wallet = await deposit(conn, "ann", 100)
    first = entry({wallet: -10, "seat:t:0": 10}, request_key="k")
    second = first if by == "id" else entry({wallet: -10, "seat:t:0": 10}, request_key="k")
    async with conn.transaction():
        posted = await books.post(conn, first)
        waiting = asyncio.ensure_future(books.post(others[0], second))
        await wait_for_waiting(others[1])
    again = await asyncio.wait_for(waiting, SECONDS)
    assert (posted.outcome, again.outcome) == ("posted", "already_posted")
    assert again.balances == posted.balances
    assert await books.balance(conn, wallet) == 90


async def test_accounts_are_locked_in_order(conn: Connection, others: list[Connection]) -> None:
    """An entry that waits for its first account by name holds none of the later ones, whatever the legs' order."""
    await deposit(conn, "ann", 100)
    await deposit(conn, "bob", 100)
    first, last = accounts.wallet("CHIP", "ann"), accounts.wallet("CHIP", "bob")
    async with conn.transaction():
        await conn.execute("SELECT FROM accounts WHERE account = %s FOR UPDATE", (first,))
        waiting = asyncio.ensure_future(move(others[0], last, first, 5))
        await wait_for_waiting(others[1])
        async with others[2].transaction():
            await others[2].execute("SELECT FROM accounts WHERE account = %s FOR UPDATE NOWAIT", (last,))
    assert (await asyncio.wait_for(waiting, SECONDS)).outcome == "posted"


async def test_transfers_in_all_directions_end_and_add_up(conn: Connection, others: list[Connection]) -> None:
    """Three connections that move chips between the same six accounts at random: no deadlock, no chip lost or made."""
    names = [await deposit(conn, f"player {number}", 50) for number in range(6)]

    async def play(writer: Connection, seed: int) -> None:
        dice = random.Random(seed)
        for _ in range(40):
            chosen = dice.sample(names, 3)
            amount = dice.randint(1, 30)
            await books.post(writer, entry({chosen[0]: -2 * amount, chosen[1]: amount, chosen[2]: amount}))

    await asyncio.wait_for(asyncio.gather(*(play(each, place) for place, each in enumerate(others))), 60)
    balances = [await books.balance(conn, name) for name in names]
    assert sum(balances) == 300
    assert min(balances) >= 0
    assert await checks.imbalance(conn) == 0


async def test_money_and_events_are_one_transaction(conn: Connection, others: list[Connection]) -> None:
    """A settlement posts and appends in one transaction: both are visible, or neither."""
    wallet, table = await deposit(conn, "ann", 100), streams.stream()
    async with conn.transaction(force_rollback=True):
        await move(conn, wallet, "seat:t:0", 10)
        await log.append(conn, [streams.one(table, 0)])
        assert await log.read_head(others[0], table) is None
        assert await books.balance(others[0], wallet) == 100
    assert await log.read_head(conn, table) is None
    assert await books.balance(conn, wallet) == 100
    async with conn.transaction():
        await move(conn, wallet, "seat:t:0", 10)
        await log.append(conn, [streams.one(table, 0)])
    assert await log.read_head(others[0], table) is not None
    assert await books.balance(others[0], wallet) == 90


async def test_settlements_at_once_never_wait_in_a_ring(conn: Connection, others: list[Connection]) -> None:
    """Many transactions that post first and append last, over the same tables and accounts, all end."""
    tables = [streams.stream() for _ in range(4)]
    await log.append(conn, [streams.one(table, 0) for table in tables])
    wallet = await deposit(conn, "ann", 10_000)

    async def settle(writer: Connection, seed: int) -> None:
        dice = random.Random(seed)
        for _ in range(25):
            table = dice.choice(tables)
            async with writer.transaction():
                changes = {wallet: -2, accounts.seat(table, dice.randrange(3)): 1, accounts.fees("CHIP", table): 1}
                assert (await books.post(writer, entry(changes))).outcome == "posted"
                (done,) = await log.append(writer, [streams.one(table, None)])
                assert done.outcome == "appended"

    await asyncio.wait_for(asyncio.gather(*(settle(each, place) for place, each in enumerate(others))), 60)
    assert await checks.imbalance(conn) == 0
    assert await books.balance(conn, wallet) == 10_000 - 2 * 75
