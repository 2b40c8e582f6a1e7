"""Sending statements: prepared, in binary format, and retried where one outside a transaction lost a race."""

from collections.abc import Mapping, Sequence
from typing import Any

from services.database import retry
from services.database.retry import Connection

Parameters = Sequence[object] | Mapping[str, object]


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
