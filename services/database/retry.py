"""A transaction that lost against another one is run again; so the house works at any isolation level.

In read committed, Postgres lets the later of two transactions wait and then go on. In repeatable read, in serializable,
and on databases of many nodes it is aborted instead, with an SQLSTATE of class 40, or, where its snapshot hides what a
key forbids, with a unique violation. Nothing of it has happened then, and a new try sees what the other one did. Every
write of the house is told from its own repetition (by request key, digest or version), so it is safe to run again.
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
"""Seconds before the second try, and before a late one at most; they grow, and each is of random length up to it.

Who loses is told at the moment at which the other one commits: the best moment to try again is now, before that one
comes with its next transaction. All pauses together take 1.7 s on the average, 3.4 s at most."""

UNIQUE_VIOLATION: Final = "23505"

Connection = psycopg.AsyncConnection[Any]
Connect = Callable[[], AbstractAsyncContextManager[Connection]]
T = TypeVar("T")


class ContentionError(psycopg.OperationalError):
    """Others were faster at every try; nothing was written, and the same request may be sent again."""


def lost_race(error: BaseException) -> bool:
    """Whether a transaction was undone because of what another one did at the same moment."""
    state = (error.sqlstate if isinstance(error, psycopg.Error) else None) or ""
    return state.startswith("40") or state == UNIQUE_VIOLATION


def pause(number: int) -> float:
    """Give the seconds to wait after try ``number``, from 0 on, has lost."""
    return random.uniform(0, min(LONGEST_PAUSE, SHORTEST_PAUSE * GROWTH**number))  # noqa: S311 - spreads retries


async def again(
    once: Callable[[], Awaitable[T]], *, lost: tuple[type[Exception], ...] = (), tries: int = MOST_TRIES
) -> T:
    """Do something that is a transaction of its own, again where it lost; errors of types ``lost`` say so too.

    Raises ContentionError when it lost every time, and any other error at once; a unique violation that stays comes
    through as it is.
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
                raise ContentionError(f"others were faster {tries} times; send it again") from error
        await asyncio.sleep(pause(number))
    raise AssertionError("a transaction is tried at least once")


async def transaction(
    connect: Connect, work: Callable[[Connection], Awaitable[T]], *, lost: tuple[type[Exception], ...] = ()
) -> T:
    """Do ``work`` in a transaction on a connection that commits by itself (``pool.connection``), again where it lost.

    ``work`` may run several times: what it does outside the database it must be able to do again. Raises as ``again``.
    """

    async def once() -> T:
        async with connect() as conn, conn.transaction():
            return await work(conn)

    return await again(once, lost=lost)


async def at_one_moment(connect: Connect, work: Callable[[Connection], Awaitable[T]]) -> T:
    """Do ``work``, which only reads, so that all it sees is of one moment. Raises as ``again``."""

    async def once() -> T:
        async with connect() as conn, moment(conn):
            return await work(conn)

    return await again(once)


@asynccontextmanager
async def moment(conn: Connection) -> AsyncIterator[None]:
    """Hold one moment of the database: all that is read inside is of it. Not within a transaction.

    The level is part of BEGIN: databases of many nodes refuse ``SET TRANSACTION`` behind it.
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
    """Hold a transaction in which each statement may take so long; the connection's own bound holds again afterwards.

    It is not run again: what is read inside is read once, and an error comes through as it is.
    """
    async with conn.transaction():
        await conn.execute("SELECT set_config('statement_timeout', %s, true)", (str(int(seconds * 1000)),))
        yield


def stands_alone(conn: Connection) -> bool:
    """Whether the next statement will be a transaction of its own."""
    return conn.autocommit and conn.info.transaction_status == pq.TransactionStatus.IDLE
