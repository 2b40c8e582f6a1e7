"""Sending statements: prepared, in binary format, and retried where one outside a transaction lost a race."""

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from typing import Any, Final, NamedTuple

import psycopg

from services.database import retry
from services.database.retry import Connection

Parameters = Sequence[object] | Mapping[str, object]


class Statement(NamedTuple):
    """A statement that is yet to be sent, with its parameters."""

    query: str
    parameters: Parameters = ()


BEGIN: Final = Statement("BEGIN")


async def rows(conn: Connection, query: str, parameters: Parameters = ()) -> list[Any]:
    """Run a statement and return all of its rows."""

    async def once() -> list[Any]:
        async with conn.cursor(binary=True) as cursor:
            await cursor.execute(query, parameters, prepare=True)
            return await cursor.fetchall()

    return await retry.again(once) if retry.stands_alone(conn) else await once()


async def execute(conn: Connection, query: str, parameters: Parameters = ()) -> int:
    """Run a statement that returns no rows; return the number of rows that it wrote."""

    async def once() -> int:
        async with conn.cursor(binary=True) as cursor:
            await cursor.execute(query, parameters, prepare=True)
            return cursor.rowcount

    return await retry.again(once) if retry.stands_alone(conn) else await once()


async def together(conn: Connection, sent: Sequence[Statement]) -> list[list[Any]]:
    """Run statements in one round trip, in their order; return the rows of each, none for one that returns none.

    The caller's transaction holds them together. The first that fails is raised; those after it have not run.
    """
    async with conn.pipeline():
        cursors = [await _send(conn, one) for one in sent]
    return await _fetched(cursors)


@asynccontextmanager
async def transaction(conn: Connection, first: Sequence[Statement]) -> AsyncIterator[list[list[Any]]]:
    """Hold a transaction that begins with some statements in one round trip; yields the rows of each.

    The driver's own transactions begin with a round trip of their own. It is not retried: every error is raised as it
    is, and undoes the transaction.
    """
    try:
        [_, *found] = await together(conn, [BEGIN, *first])
        yield found
    except BaseException:
        with suppress(psycopg.Error):  # a broken connection has no transaction any more
            await conn.rollback()
        raise
    await conn.commit()


async def _send(conn: Connection, one: Statement) -> psycopg.AsyncCursor[Any]:
    cursor = conn.cursor(binary=True)
    await cursor.execute(one.query, one.parameters, prepare=True)
    return cursor


async def _fetched(cursors: Sequence[psycopg.AsyncCursor[Any]]) -> list[list[Any]]:
    return [[] if cursor.description is None else await cursor.fetchall() for cursor in cursors]
