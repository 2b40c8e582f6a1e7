"""One connection of a pool, kept from one use to the next.

A pool hands out its connections in turn, so that each use would meet another process of the server, whose caches hold
nothing of the use before.
"""

import asyncio
from contextlib import suppress
from typing import Any, Final

import psycopg
import psycopg_pool
from psycopg import pq

RENEW_SECONDS: Final = 60.0
"""Longest time for which a connection is kept: then the pool sees it, which ends those that are too old."""

Connection = psycopg.AsyncConnection[Any]
Pool = psycopg_pool.AsyncConnectionPool[Any]

_OPEN: Final = frozenset({pq.TransactionStatus.INTRANS, pq.TransactionStatus.INERROR})


class KeptConnection:
    """A pool's connection for one task, which takes it before each use and gives it back after an error and idle."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool
        self._conn: Connection | None = None
        self._until = 0.0

    async def take(self) -> Connection:
        """Return the connection. Raises the pool's errors where it has none to give."""
        now = asyncio.get_running_loop().time()
        if self._conn is not None and now > self._until:
            await self.give_back()
        if self._conn is None:
            self._conn = await self._pool.getconn()
            self._until = now + RENEW_SECONDS
        return self._conn

    async def give_back(self) -> None:
        """Return the connection to its pool, which drops it if it is broken; the transaction that is open is undone."""
        conn, self._conn = self._conn, None
        if conn is None:
            return
        if conn.info.transaction_status in _OPEN:
            with suppress(psycopg.Error):
                await conn.rollback()
        await self._pool.putconn(conn)
