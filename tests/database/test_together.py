"""Several statements in one round trip: all of them or none, whatever fails and whenever the caller goes away."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import psycopg
import pytest

from services.database import retry, statements
from services.database.statements import Statement
from services.runtime import pools
from tests.support import served, traced
from tests.support.log_events import Connection, wait_for_waiting

WRITE = "INSERT INTO notes (note) VALUES (%s)"
SECONDS = 20.0


@pytest.fixture
async def pool(postgres_url: str, redis_url: str) -> AsyncIterator[pools.Pool]:
    """Yield a process's pool of one connection, on a database with a table of notes."""
    async with await served.connect(postgres_url) as owner:
        await owner.execute("CREATE TABLE notes (note text PRIMARY KEY)")
        await owner.execute("GRANT ALL ON notes TO pitboss_settlement")
    settings = served.given(postgres_url, redis_url, pool_min=1, pool_max=1)
    async with pools.opened(settings, "pitboss_settlement", "test") as opened:
        yield opened


@pytest.fixture
async def owner(postgres_url: str, pool: pools.Pool) -> AsyncIterator[Connection]:
    """Yield another connection, of the database's owner."""
    del pool
    async with await served.connect(postgres_url) as connection:
        yield connection


async def notes(conn: Connection) -> list[str]:
    """Return what was written and committed."""
    return [row[0] for row in await (await conn.execute("SELECT note FROM notes ORDER BY note")).fetchall()]


async def test_statements_that_go_together_are_one_round_trip(pool: pools.Pool, owner: Connection) -> None:
    """Each sees what those before it wrote; a statement that returns nothing has no rows."""
    async with pool.connection() as conn:
        with traced.of(conn) as trace:
            async with statements.transaction(conn, [Statement("SELECT 1"), Statement("SELECT 2")]) as found:
                assert found == [[(1,)], [(2,)]]
                count = Statement("SELECT count(*) FROM notes")
                assert await statements.together(conn, [count, Statement(WRITE, ("a",)), count]) == [[(0,)], [], [(1,)]]
                assert await notes(owner) == []
        assert trace.trips() == 3
    assert await notes(owner) == ["a"]


@pytest.mark.parametrize("place", [0, 1])
async def test_the_first_failure_is_raised_and_nothing_is_written(
    pool: pools.Pool, owner: Connection, place: int
) -> None:
    """It has its own SQLSTATE, so that a lost race is known as one; the connection serves the next caller."""
    failing = Statement("SELECT 1 / %s::int", (0,))
    sent = [Statement(WRITE, ("a",)), Statement(WRITE, ("b",))]
    sent.insert(2 * place, failing)
    async with pool.connection() as conn:
        with pytest.raises(psycopg.errors.DivisionByZero):
            async with statements.transaction(conn, sent):
                pytest.fail("it has not begun")
        with pytest.raises(psycopg.errors.DivisionByZero):
            async with statements.transaction(conn, []):
                await statements.together(conn, sent)
        async with statements.transaction(conn, [Statement("SELECT 3")]) as found:
            assert found == [[(3,)]]
    assert await notes(owner) == []


async def test_a_race_lost_in_the_middle_of_a_trip_counts_as_one(pool: pools.Pool, owner: Connection) -> None:
    """Another one commits the same key first: the transaction is undone, and run again with what is there now."""
    tries = 0

    async def once() -> list[Any]:
        nonlocal tries
        tries += 1
        async with pool.connection() as conn, statements.transaction(conn, [Statement("SELECT 1")]):
            insert = Statement(WRITE if tries == 1 else "SELECT note FROM notes WHERE note = %s", ("a",))
            [_, found, _] = await statements.together(conn, [Statement(WRITE, ("b",)), insert, Statement("SELECT 1")])
            return found

    await owner.execute("BEGIN")
    await owner.execute(WRITE, ("a",))
    waiting = asyncio.ensure_future(retry.again(once))
    await wait_for_waiting(owner)
    await owner.execute("COMMIT")
    assert await asyncio.wait_for(waiting, SECONDS) == [("a",)]
    assert tries == 2
    assert await notes(owner) == ["a", "b"]


async def test_a_caller_that_goes_away_leaves_nothing_behind(pool: pools.Pool, owner: Connection) -> None:
    """Cancelled in the middle of a trip that waits for a lock, the transaction is undone, the pool serves on."""

    async def write() -> None:
        async with pool.connection() as conn, statements.transaction(conn, [Statement("SELECT 1")]):
            await statements.together(conn, [Statement(WRITE, (note,)) for note in ("b", "a", "c")])

    await owner.execute("BEGIN")
    await owner.execute(WRITE, ("a",))
    waiting = asyncio.ensure_future(write())
    await wait_for_waiting(owner)
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asyncio.wait_for(waiting, SECONDS)
    await owner.execute("ROLLBACK")
    await asyncio.wait_for(write(), SECONDS)
    assert await notes(owner) == ["a", "b", "c"]
