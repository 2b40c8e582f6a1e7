"""Two connections by hand, step by step: at every level the transaction that lost is retried and succeeds."""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, TypeVar

import psycopg
import pytest

from services.database import retry
from services.eventlog import log
from services.ledger import accounts, books, checks
from services.registry import limits
from tests.deploy import portability
from tests.support import log_events, pools
from tests.support.ledger_entries import Connection, deposit, entry
from tests.support.log_events import one, wait_for_waiting

SECONDS = 20.0
Hands = list[log_events.Connection]
T = TypeVar("T")


async def after(hands: Hands, work: Coroutine[Any, Any, T]) -> T:
    """Commit the first connection once the other one, which runs ``work``, waits for it; return the result."""
    waiting = asyncio.ensure_future(work)
    await wait_for_waiting(hands[2])
    await hands[0].execute("COMMIT")
    return await asyncio.wait_for(waiting, SECONDS)


async def test_an_append_that_waited_for_another_stream_of_its_shard_follows_it(
    hands: Hands, level: str, losses: list[str]
) -> None:
    """Of two streams of a shard, the second append gets the next position, whichever transaction was aborted."""
    first, second = log_events.stream(3), log_events.stream(3)
    await hands[0].execute("BEGIN")
    await log.append(hands[0], [one(first, 0)])
    [done] = await after(hands, log.append(hands[1], [one(second, 0)]))
    assert done.outcome == "appended"
    assert (await log.read(hands[2], second))[0].position == 2
    assert set(losses) == (set() if level == "read committed" else {"40001"})


async def test_an_append_to_a_version_that_is_taken_is_a_version_conflict(hands: Hands, losses: list[str]) -> None:
    """Of two appends that expect the same version, the second gets the stream's version, not a database error."""
    stream = log_events.stream()
    await log.append(hands[0], [one(stream, 0)])
    await hands[0].execute("BEGIN")
    await log.append(hands[0], [one(stream, 1)])
    [done] = await after(hands, log.append(hands[1], [one(stream, 1)]))
    assert (done.outcome, done.version) == ("version_conflict", 2)
    assert set(losses) <= {"40001"}


@pytest.mark.parametrize("same", [True, False], ids=["stream", "another stream"])
async def test_the_same_request_at_once_is_appended_once(hands: Hands, same: bool) -> None:
    """Of two appends of one request, the second gets the first one's answer, although its snapshot was older."""
    stream = log_events.stream()
    other = stream if same else log_events.stream()
    digest = bytes(32)
    await hands[0].execute("BEGIN")
    await log.append(hands[0], [one(stream, 0, key="k", answer=b"first", digest=digest)])
    second = log.append(hands[1], [one(other, 0, key="k", answer=b"second", digest=digest)])
    [done] = await after(hands, second)
    assert (done.outcome, done.answer, done.stream_id) == ("already_appended", b"first", stream)
    assert await log.read(hands[2], other) == (await log.read(hands[2], stream) if same else [])


async def test_a_posting_that_waited_for_a_wallet_goes_on_from_what_it_holds(
    hands: Hands, level: str, losses: list[str]
) -> None:
    """Of two entries out of one wallet, the second finds the rest that the first one left, and is refused."""
    ann = await deposit(hands[0], "ann", 100)
    for amount, outcome, left in ((30, "posted", 30), (20, "insufficient_funds", 10)):
        await hands[0].execute("BEGIN")
        await books.post(hands[0], entry({ann: -amount, "pot:t": amount}))
        done = await after(hands, books.post(hands[1], entry({ann: -40, "pot:t": 40})))
        assert done.outcome == outcome
        assert await books.balance(hands[2], ann) == left
    assert await checks.imbalance(hands[2]) == 0
    assert set(losses) == (set() if level == "read committed" else {"40001"})


@pytest.mark.parametrize("by", ["id", "key", "key, other accounts"])
async def test_the_same_entry_at_once_is_posted_once(hands: Hands, by: str) -> None:
    """Of two postings of one entry or request, the second returns that it was posted, and moves nothing."""
    ann, bob = await deposit(hands[0], "ann", 100), await deposit(hands[0], "bob", 100)
    same: dict[str, Any] = {"entry_id": "00000000-0000-4000-8000-000000000001"} if by == "id" else {}
    more = {**same, "request_key": "k", "request_digest": bytes(32)}
    await hands[0].execute("BEGIN")
    await books.post(hands[0], entry({ann: -10, "pot:t": 10}, **more))
    changes = {bob: -10, "pot:u": 10} if "other" in by else {ann: -10, "pot:t": 10}
    done = await after(hands, books.post(hands[1], entry(changes, **more)))
    assert (done.outcome, set(done.balances)) == ("already_posted", {ann, "pot:t"})
    assert (await books.balance(hands[2], ann), await books.balance(hands[2], bob)) == (90, 100)
    assert await checks.imbalance(hands[2]) == 0


async def test_who_waited_for_a_players_turn_sees_what_was_done_in_it(
    database: str, hands: Hands, level: str, losses: list[str]
) -> None:
    """A check under a player's lock sees the last holder's changes, even if the snapshot was older."""
    await hands[0].execute("BEGIN")
    await limits.lock(hands[0], "ann")

    async def look(conn: Connection) -> int:
        row = await (await conn.execute("SELECT count(*) FROM entries")).fetchone()
        await limits.lock(conn, "ann")
        row = await (await conn.execute("SELECT count(*) FROM entries")).fetchone()
        assert row is not None
        return int(row[0])

    async with pools.make_pool(database, "pitboss_settlement") as pool:
        waiting = asyncio.ensure_future(retry.transaction(pool.connection, look))
        await wait_for_waiting(hands[2])
        await deposit(hands[0], "ann", 100)
        await hands[0].execute("COMMIT")
        assert await asyncio.wait_for(waiting, SECONDS) == 1
    assert losses == ([] if level == "read committed" else ["40001"])


async def test_two_who_wait_for_each_other_both_end(database: str, hands: Hands, losses: list[str]) -> None:
    """Of two transactions in a deadlock one is aborted and retried, and both have written."""
    for name in ("a", "b"):
        await hands[0].execute("SELECT take_turn(%s)", (name,))
    met = asyncio.Barrier(2)
    first: dict[str, bool] = {}

    def both(one_name: str, other: str) -> Callable[[Connection], Awaitable[str]]:
        async def work(conn: Connection) -> str:
            await conn.execute("SET LOCAL deadlock_timeout = '50ms'")
            await conn.execute("SELECT take_turn(%s)", (one_name,))
            if not first.setdefault(one_name, False):
                first[one_name] = True
                await met.wait()
            await conn.execute("SELECT take_turn(%s)", (other,))
            return one_name

        return work

    async with pools.make_pool(database, None) as pool:
        done = await asyncio.wait_for(
            asyncio.gather(
                retry.transaction(pool.connection, both("a", "b")),
                retry.transaction(pool.connection, both("b", "a")),
            ),
            SECONDS,
        )
    assert list(done) == ["a", "b"]
    assert "40P01" in losses
    rows = await (await hands[2].execute("SELECT taken FROM turns WHERE name IN ('a', 'b')")).fetchall()
    assert rows == [(3,), (3,)]


async def test_a_loss_at_the_commit_is_a_loss(hands: Hands, losses: list[str]) -> None:
    """A transaction that is aborted by its COMMIT is retried too: two that each read what the other writes."""
    await hands[0].execute("CREATE TABLE doctors (name text PRIMARY KEY, on_call boolean)")
    await hands[0].execute("INSERT INTO doctors VALUES ('ann', true), ('bob', true)")
    met = asyncio.Barrier(2)
    tries = {0: 0, 1: 0}

    async def leave(place: int) -> None:
        tries[place] += 1
        async with hands[place].transaction():
            row = await (await hands[place].execute("SELECT count(*) FROM doctors WHERE on_call")).fetchone()
            if tries[place] == 1:
                await met.wait()
            if row == (2,):
                await hands[place].execute(
                    "UPDATE doctors SET on_call = false WHERE name = %s", (("ann", "bob")[place],)
                )
            if tries[place] == 1:
                await met.wait()

    for hand in hands[:2]:
        await hand.set_isolation_level(psycopg.IsolationLevel.SERIALIZABLE)
    await asyncio.wait_for(asyncio.gather(retry.again(lambda: leave(0)), retry.again(lambda: leave(1))), SECONDS)
    row = await (await hands[2].execute("SELECT count(*) FROM doctors WHERE on_call")).fetchone()
    assert row == (1,)
    assert set(losses) == {"40001"}


async def test_tries_are_bounded() -> None:
    """A transaction that loses every time is reported like a database that is away; other errors are raised at once."""
    tried = 0

    async def lose() -> None:
        nonlocal tried
        tried += 1
        raise psycopg.errors.SerializationFailure("lost")

    with pytest.raises(retry.ContentionError, match="other transactions won 3 times"):
        await retry.again(lose, tries=3)
    assert tried == 3
    assert issubclass(retry.ContentionError, psycopg.OperationalError)

    async def wrong() -> None:
        nonlocal tried
        tried += 1
        raise psycopg.errors.CheckViolation("wrong")

    with pytest.raises(psycopg.errors.CheckViolation):
        await retry.again(wrong)
    assert tried == 4


async def test_a_key_that_is_really_taken_is_said_so(hands: Hands) -> None:
    """A unique violation that a new snapshot does not explain is raised unchanged."""
    await hands[0].execute("INSERT INTO turns (name) VALUES ('a')")

    async def twice() -> None:
        await hands[0].execute("INSERT INTO turns (name) VALUES ('a')")

    with pytest.raises(psycopg.errors.UniqueViolation):
        await retry.again(twice, tries=3)


def test_pauses_grow_and_differ() -> None:
    """Pauses are of random length, bounded, and all of them together shorter than a call may last."""
    many = [[retry.pause(number) for number in range(retry.MOST_TRIES - 1)] for _ in range(200)]
    assert max(max(each) for each in many) <= retry.LONGEST_PAUSE
    assert max(sum(each) for each in many) < 3.4
    assert len({each[-1] for each in many}) == 200
    assert sum(each[0] for each in many) < sum(each[-1] for each in many)


async def test_one_moment_is_one_moment(hands: Hands, database: str) -> None:
    """Reads at one moment see one snapshot, and the isolation level is part of BEGIN."""
    await deposit(hands[0], "ann", 100)

    async def read(conn: Connection) -> tuple[int, int]:
        before = await books.balance(conn, accounts.wallet("CHIP", "ann"))
        await deposit(hands[0], "ann", 100)
        return before, await books.balance(conn, accounts.wallet("CHIP", "ann"))

    async with pools.make_pool(database, "pitboss_settlement", most=1) as pool:
        assert await retry.at_one_moment(pool.connection, read) == (100, 100)
        async with pool.connection() as conn:
            assert (conn.isolation_level, conn.read_only) == (None, None)
            row = await (await conn.execute("SHOW transaction_read_only")).fetchone()
    assert row == ("off",)


def test_no_transaction_is_begun_past_this_room() -> None:
    """Services begin every transaction here, where it is run again; those elsewhere are within ``retry.again``."""
    past = set()
    for place, name in portability.calls("services"):
        file, _, line = place.partition(":")
        text = (portability.ROOT / file).read_text(encoding="utf-8").splitlines()[int(line) - 1]
        if name == "transaction" and "retry.transaction(" not in text and not file.startswith("services/database/"):
            past.add(file)
    assert past == {"services/audit/signer.py", "services/settlement/money_commands.py"}
