"""How the registry's modules send statements."""

from collections.abc import Sequence
from typing import Any, Final

import psycopg

Connection = psycopg.AsyncConnection[Any]

MOST_ROWS: Final = 10_000
"""Rows that one call gives at most."""


async def rows(conn: Connection, query: str, parameters: Sequence[object] = ()) -> list[Any]:
    """Give all rows of a statement."""
    async with conn.cursor(binary=True) as cursor:
        await cursor.execute(query, parameters, prepare=True)
        return await cursor.fetchall()


async def tell(conn: Connection, query: str, parameters: Sequence[object] = ()) -> int:
    """Send a statement that gives no rows; gives how many rows it wrote."""
    async with conn.cursor(binary=True) as cursor:
        await cursor.execute(query, parameters, prepare=True)
        return cursor.rowcount


def bounded(limit: int) -> int:
    """Give the number of rows asked for back. Raises ValueError where it is too small or too great."""
    if not 1 <= limit <= MOST_ROWS:
        message = f"{limit} rows; ask for 1 to {MOST_ROWS}"
        raise ValueError(message)
    return limit
