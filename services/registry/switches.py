"""Switches: everything, a game, a table or a player, off and on; and what a process remembers of them.

A process must see a switch within a second and at no cost to play: it reads on from the last number that it saw, a
few times a second, and keeps what is off. What it read stays in force while the database is away.
"""

import asyncio
import time
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from typing import Final

from services.registry import queries
from services.registry.paging import Connection, bounded, rows
from services.registry.records import GAME, HOUSE, PLAYER, TABLE, Command, ConflictError, Switch

PAGE: Final = 1000
BEAT_SECONDS: Final = 0.25
OLDEST_SECONDS: Final = 1.0
"""Who would decide on older knowledge reads the switches first."""

Connect = Callable[[], AbstractAsyncContextManager[Connection]]


async def record(
    conn: Connection, command: Command, *, scope: str, subject: str, off: bool, reason: str, actor: str
) -> tuple[Switch, Switch | None, bool]:
    """Set a switch in the caller's transaction; gives it, what stood before, and whether this call set it.

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


async def listed(conn: Connection, *, off_only: bool, after: int = 0, limit: int = 100) -> list[Switch]:
    """Give one page of the switches as they stand, in the order in which they were set last."""
    return [Switch(*row) for row in await rows(conn, queries.SWITCHES, (off_only, after, bounded(limit)))]


async def read_after(conn: Connection, number: int, limit: int = PAGE) -> list[Switch]:
    """Give what was switched after a number, oldest first."""
    return [Switch(*row) for row in await rows(conn, queries.SWITCHES_AFTER, (number, bounded(limit)))]


async def against(conn: Connection, *, game: str, table: str, player: str, players_only: bool = False) -> Switch | None:
    """Give a switch that stands against this game, table or player at this moment; None: nothing does."""
    found = await rows(conn, queries.SWITCHED_OFF, (game, table, player, players_only))
    return Switch(*found[0]) if found else None


class Switchboard:
    """What is off, as this process knows it; ``age`` says how old that knowledge is, in seconds."""

    def __init__(self) -> None:
        self._off: dict[tuple[str, str], Switch] = {}
        self._seen = 0
        self._read_at = float("-inf")
        self._reading = asyncio.Lock()

    @property
    def age(self) -> float:
        """Seconds since the switches were read."""
        return time.monotonic() - self._read_at

    async def refresh(self, conn: Connection) -> None:
        """Read on. Raises psycopg.Error; then what was known stays in force."""
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
        """Read on, beat by beat, until cancelled."""
        while True:
            await asyncio.sleep(BEAT_SECONDS)
            async with connect() as conn:
                await self.refresh(conn)

    async def fresh(self, connect: Connect) -> None:
        """See to it that what is known is at most ``OLDEST_SECONDS`` old. Raises psycopg.Error where it cannot be."""
        if self.age > OLDEST_SECONDS:
            async with connect() as conn:
                await self.refresh(conn)

    def off(self, *, game: str = "", table: str = "", player: str = "") -> Switch | None:
        """Give the switch that stands against this game, table or player, the widest first; None: nothing does."""
        if not self._off:
            return None
        wanted = ((HOUSE, ""), (GAME, game), (TABLE, table), (PLAYER, player))
        return next((found for key in wanted if (found := self._off.get(key)) is not None), None)

    def of(self, scope: str, subject: str) -> Switch | None:
        """Give one switch where it is off."""
        return self._off.get((scope, subject))

    def _take(self, switch: Switch) -> None:
        assert switch.number == self._seen + 1, f"switch {switch.number} follows {self._seen}: numbers have no holes"
        self._seen = switch.number
        key = (switch.scope, switch.subject)
        if switch.off:
            self._off[key] = switch
        else:
            self._off.pop(key, None)
