"""What a watcher of one table, or of all tables, has not seen yet of the notified versions."""

import asyncio
import contextlib
from collections.abc import Callable
from types import TracebackType
from typing import Final, Self

MOST_REMEMBERED: Final = 10_000
"""Tables that are named to a watcher of all tables; of more only is said that any may have changed."""


class Watch:
    """Rising versions of one table, for one watcher; leave it by ``async with`` or ``close``.

    Iterate over it, or call ``newer`` to wait for a bounded time. Of the versions that arrived while the watcher was
    busy only the newest is reported. The version that Redis holds when the watch begins is reported too.
    """

    def __init__(self, table_id: str, leave: Callable[["Watch"], None]) -> None:
        self.table_id = table_id
        self._leave = leave
        self._reported = -1
        self._newest = -1
        self._arrived = asyncio.Event()
        self._closed = False

    def offer(self, version: int) -> None:
        """Record a version; older and known ones are ignored."""
        if version > self._newest:
            self._newest = version
            self._arrived.set()

    async def newer(self, seconds: float) -> int | None:
        """Wait up to ``seconds`` for a newer version; return it, or None if none came or the watch was closed."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._arrived.wait()
        return self._take()

    def close(self) -> None:
        """End the watch: iteration stops."""
        if not self._closed:
            self._closed = True
            self._leave(self)
            self._arrived.set()

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> int:
        await self._arrived.wait()
        version = self._take()
        if version is None:
            raise StopAsyncIteration
        return version

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None
    ) -> None:
        self.close()

    def _take(self) -> int | None:
        if not self._closed:
            self._arrived.clear()
        if self._closed or self._newest <= self._reported:
            return None
        self._reported = self._newest
        return self._reported


class WatchAll:
    """The tables with new versions, for one watcher of them all; leave it with ``close``.

    What is lost while no connection is subscribed cannot be named: each subscription sets ``lost`` anew.
    """

    def __init__(self, leave: Callable[["WatchAll"], None]) -> None:
        self.is_live = False
        """Whether a connection is subscribed now."""
        self._leave = leave
        self._tables: set[str] = set()
        self._lost = True
        self._arrived = asyncio.Event()

    def offer(self, table_id: str) -> None:
        """Record a table; of too many only is remembered that any may have changed."""
        if len(self._tables) >= MOST_REMEMBERED:
            self.lose()
        self._tables.add(table_id)
        self._arrived.set()

    def lose(self) -> None:
        """Record that any table may have changed."""
        self._tables.clear()
        self._lost = True
        self._arrived.set()

    async def changed(self, seconds: float) -> tuple[set[str], bool]:
        """Wait up to ``seconds`` for changes; return the tables since the last call, and whether others are lost."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._arrived.wait()
        tables, lost = self._tables, self._lost
        self._tables, self._lost = set(), False
        self._arrived.clear()
        return tables, lost

    def close(self) -> None:
        """End the watch."""
        self._leave(self)
