"""Retries of transactions that were aborted by a conflict, so that the house works at any isolation level.

In read committed, Postgres makes the later of two transactions wait and then continue. In repeatable read, in
serializable, and on distributed databases it is aborted instead: with an SQLSTATE of class 40, or with a unique
violation where its snapshot hides the other row. Nothing of it has happened then, and a new try sees the other
transaction's changes. Every write of the house is idempotent (by request key, digest or version), so it is safe to
retry.
"""

import asyncio
import random
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Any, Final, TypeVar

import psycopg
from psycopg import pq

MOST_TRIES: Final = 48
SHORTEST_PAUSE, LONGEST_PAUSE, GROWTH = 0.0005, 0.1, 1.4
"""Upper bounds of the pauses in seconds: of the first, of any, and the growth; each pause is random up to its bound.

A conflicting transaction fails as soon as the winner commits. So the best moment to retry is at once, before the
winner's next transaction. All pauses together take 1.7 s on average and 3.4 s at most."""

UNIQUE_VIOLATION: Final = "23505"

Connection = psycopg.AsyncConnection[Any]
Connect = Callable[[], AbstractAsyncContextManager[Connection]]
T = TypeVar("T")


class ContentionError(psycopg.OperationalError):
    """Other transactions won every time; nothing was written, and the same request may be sent again."""


def lost_race(error: BaseException) -> bool:
    """Return whether a transaction was aborted because of a concurrent one."""
    state = (error.sqlstate if isinstance(error, psycopg.Error) else None) or ""
    return state.startswith("40") or state == UNIQUE_VIOLATION


def pause(number: int) -> float:
    """Return the random pause in seconds after the failed try ``number``, counted from 0."""
    return random.uniform(0, min(LONGEST_PAUSE, SHORTEST_PAUSE * GROWTH**number))  # noqa: S311 - spreads retries


async def again(
    once: Callable[[], Awaitable[T]], *, lost: tuple[type[Exception], ...] = (), tries: int = MOST_TRIES
) -> T:
    """Run ``once``, a transaction of its own, and retry it where it lost a race; errors of types ``lost`` count too.

    Raises ContentionError when every try lost, and any other error at once. A unique violation of the last try is
    raised as it is.
    """
    for number in range(tries):
        try:
            return await once()
        except Exception as error:
            if not (isinstance(error, lost) or lost_race(error)):
                raise
            if number == tries - 1:
                if isinstance(error, psycopg.errors.UniqueViolation):
                    raise
                raise ContentionError(f"other transactions won {tries} times; send it again") from error
        await asyncio.sleep(pause(number))
    raise AssertionError("a transaction is tried at least once")


async def transaction(
    connect: Connect, work: Callable[[Connection], Awaitable[T]], *, lost: tuple[type[Exception], ...] = ()
) -> T:
    """Run ``work`` in a transaction on an autocommit connection (``pool.connection``); retry it where it lost a race.

    ``work`` may run several times, so its effects outside the database must be repeatable. Raises as ``again``.
    """

    async def once() -> T:
        async with connect() as conn, conn.transaction():
            return await work(conn)

    return await again(once, lost=lost)


async def at_one_moment(connect: Connect, work: Callable[[Connection], Awaitable[T]]) -> T:
    """Run ``work``, which only reads, within one snapshot. Raises as ``again``."""

    async def once() -> T:
        async with connect() as conn, moment(conn):
            return await work(conn)

    return await again(once)


@asynccontextmanager
async def moment(conn: Connection) -> AsyncIterator[None]:
    """Hold one snapshot: everything read inside is of one moment. Not to be used within a transaction.

    The isolation level is part of BEGIN: distributed databases refuse a later ``SET TRANSACTION``.
    """
    await conn.set_isolation_level(psycopg.IsolationLevel.REPEATABLE_READ)
    await conn.set_read_only(True)
    try:
        async with conn.transaction():
            yield
    finally:
        await conn.set_isolation_level(None)
        await conn.set_read_only(None)


@asynccontextmanager
async def bounded(conn: Connection, seconds: float) -> AsyncIterator[None]:
    """Hold a transaction whose statements may each take ``seconds``; afterwards the connection's own limit applies.

    It is not retried: every error is raised as it is.
    """
    async with conn.transaction():
        await conn.execute("SELECT set_config('statement_timeout', %s, true)", (str(int(seconds * 1000)),))
        yield


def stands_alone(conn: Connection) -> bool:
    """Return whether the next statement will be a transaction of its own."""
    return conn.autocommit and conn.info.transaction_status == pq.TransactionStatus.IDLE
