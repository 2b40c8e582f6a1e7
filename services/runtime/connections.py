"""Database connections whose calls end in bounded time, even if the server stops answering within a statement.

When a statement is cancelled (a call's deadline, the end of the process) the server is asked to stop it. A server that
hangs does not answer this either, and the driver would wait for five seconds twice. Here the connection is cut after
``HANG_UP_SECONDS``: the statement fails, and the pool replaces the connection.
"""

import asyncio
import os
import socket
from contextlib import suppress
from typing import Any, Final, TypeVar

import psycopg
from psycopg.abc import PQGen
from psycopg.rows import TupleRow

from services.runtime.settings import Settings

HANG_UP_SECONDS: Final = 0.5
"""Seconds that a cancelled statement has to end before its connection is cut."""
CONNECT_SECONDS: Final = 5

_WAIT_SECONDS: Final = 0.1
"""Seconds between two checks of the driver for interruptions."""

Result = TypeVar("Result")


class BoundedConnection(psycopg.AsyncConnection[TupleRow]):
    """A connection that abandons a cancelled statement after a moment."""

    _hanging_up: asyncio.TimerHandle | None = None

    async def cancel_safe(self, *, timeout: float = 30.0) -> None:  # noqa: ASYNC109 - the driver names it
        """Ask the server to stop the running statement; cut the connection if it has not ended after a moment."""
        self._hanging_up = asyncio.get_running_loop().call_later(HANG_UP_SECONDS, self._hang_up)
        await super().cancel_safe(timeout=min(timeout, HANG_UP_SECONDS))

    async def wait(
        self,
        gen: PQGen[Result],
        interval: float = _WAIT_SECONDS,
        timeout: float | None = None,  # noqa: ASYNC109 - as above
    ) -> Result:
        """Run one exchange with the server."""
        try:
            return await super().wait(gen, interval=interval, timeout=timeout)
        finally:
            if self._hanging_up is not None:
                self._hanging_up.cancel()
                self._hanging_up = None

    def _hang_up(self) -> None:
        """Shut down both directions of the socket. The descriptor stays: the event loop still watches it."""
        with suppress(OSError, psycopg.Error), socket.socket(fileno=os.dup(self.pgconn.socket)) as line:
            line.shutdown(socket.SHUT_RDWR)


def options(name: str) -> dict[str, Any]:
    """Return the parameters of every connection of a process: autocommit, and keepalives that detect a dead peer."""
    return {
        "autocommit": True,
        "application_name": f"pitboss {name}",
        "connect_timeout": CONNECT_SECONDS,
        "keepalives_idle": 10,
        "keepalives_interval": 5,
        "keepalives_count": 3,
        "tcp_user_timeout": 15_000,
    }


async def connect(settings: Settings, name: str) -> BoundedConnection:
    """Open one connection outside of any pool. Raises psycopg.Error."""
    return await BoundedConnection.connect(settings.postgres(), **options(name))
