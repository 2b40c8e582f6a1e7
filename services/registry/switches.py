"""Switches of the house, a game, a table or a player, and each process's memory of them.

A process must see a switch within a second, at no cost to play. It reads new switches a few times a second and
remembers which are off. They stay in force while the database is away.
"""

import asyncio
import time
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from typing import Final

from services.database.retry import Connection
from services.database.row_bounds import bounded
from services.database.statements import rows
from services.registry import queries
from services.registry.records import GAME, HOUSE, PLAYER, TABLE, Command, ConflictError, Switch

PAGE: Final = 1000
BEAT_SECONDS: Final = 0.25
OLDEST_SECONDS: Final = 1.0
"""Maximum age of the switches for a decision; older ones are read again first."""

Connect = Callable[[], AbstractAsyncContextManager[Connection]]


async def record(
    conn: Connection, command: Command, *, scope: str, subject: str, off: bool, reason: str, actor: str
) -> tuple[Switch, Switch | None, bool]:
    """Set a switch in the caller's transaction; return it, the one before, and whether this call set it.

    Raises ConflictError.
    """
    await rows(conn, queries.SWITCH_LOCK)
    known = await rows(conn, queries.SWITCH_OF_REQUEST, (command.key,))
    if known:
        if bytes(known[0][0]) != command.digest:
            raise ConflictError
        return Switch(*known[0][1:]), None, False
    before = await rows(conn, queries.SWITCH_NOW, (scope, subject))
    made = await rows(conn, queries.RECORD_SWITCH, (scope, subject, off, reason, actor, command.key, command.digest))
    return Switch(*made[0]), Switch(*before[0]) if before else None, True


async def listed(
    conn: Connection, *, off_only: bool, after: int = 0, limit: int = 100, newest_first: bool = False
) -> list[Switch]:
    """Return one page of the switches in their present state, in the order in which they were last set."""
    query = queries.NEWEST_SWITCHES if newest_first else queries.SWITCHES
    return [Switch(*row) for row in await rows(conn, query, (off_only, after, bounded(limit)))]


async def read_after(conn: Connection, number: int, limit: int = PAGE) -> list[Switch]:
    """Return the switches after a number, oldest first."""
    return [Switch(*row) for row in await rows(conn, queries.SWITCHES_AFTER, (number, bounded(limit)))]


async def against(conn: Connection, *, game: str, table: str, player: str, players_only: bool = False) -> Switch | None:
    """Return a switch that is off now for this game, table or player; None where none is."""
    found = await rows(conn, queries.SWITCHED_OFF, (game, table, player, players_only))
    return Switch(*found[0]) if found else None


class Switchboard:
    """The switches that are off, as this process has read them."""

    def __init__(self) -> None:
        self._off: dict[tuple[str, str], Switch] = {}
        self._seen = 0
        self._read_at = float("-inf")
        self._reading = asyncio.Lock()

    @property
    def age(self) -> float:
        """Seconds since the switches were read."""
        return time.monotonic() - self._read_at

    @property
    def number(self) -> int:
        """The number of the last switch that was read."""
        return self._seen

    async def refresh(self, conn: Connection) -> None:
        """Read new switches. Raises psycopg.Error; then the known ones stay in force."""
        async with self._reading:
            began = time.monotonic()
            while True:
                page = await read_after(conn, self._seen)
                for switch in page:
                    self._take(switch)
                if len(page) < PAGE:
                    break
            self._read_at = began

    async def serve(self, connect: Connect) -> None:
        """Read new switches every beat, until cancelled."""
        while True:
            await asyncio.sleep(BEAT_SECONDS)
            async with connect() as conn:
                await self.refresh(conn)

    async def fresh(self, connect: Connect) -> None:
        """Read new switches if the last read is more than ``OLDEST_SECONDS`` ago. Raises psycopg.Error."""
        if self.age > OLDEST_SECONDS:
            async with connect() as conn:
                await self.refresh(conn)

    def off(self, *, game: str = "", table: str = "", player: str = "") -> Switch | None:
        """Return the widest switch that is off for this game, table or player; None where none is."""
        if not self._off:
            return None
        wanted = ((HOUSE, ""), (GAME, game), (TABLE, table), (PLAYER, player))
        return next((found for key in wanted if (found := self._off.get(key)) is not None), None)

    def of(self, scope: str, subject: str) -> Switch | None:
        """Return a switch if it is off; None otherwise."""
        return self._off.get((scope, subject))

    def _take(self, switch: Switch) -> None:
        assert switch.number == self._seen + 1, f"switch {switch.number} follows {self._seen}: numbers have no holes"
        self._seen = switch.number
        key = (switch.scope, switch.subject)
        if switch.off:
            self._off[key] = switch
        else:
            self._off.pop(key, None)
