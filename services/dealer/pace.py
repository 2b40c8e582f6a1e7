"""The pace of messages to watchers: small slices, round robin over tables, and commands go first.

A version of a crowded table means a message for each watcher. Sent at once, they would hold up every command for
as long as they take; so each watcher waits for its turn, and gets the newest state when the turn comes.
"""

import asyncio
from collections import deque
from collections.abc import Callable, Iterable
from typing import Final

SLICE: Final = 4
"""Turns given before other work of the event loop gets its chance, while no command is at work."""
BUSY_SLICE, BUSY_SECONDS = 16, 0.025
"""Turns of one slice, and the pause after it, while commands are at work: most commands meet none of it."""

Turn = asyncio.Future[None]


class Pace:
    """Schedules turns; ``busy`` returns whether commands are running."""

    def __init__(self, busy: Callable[[], bool]) -> None:
        self._busy = busy
        self._waiting: dict[str, deque[Turn]] = {}
        self._order: deque[str] = deque()
        self._worker: asyncio.Task[None] | None = None

    def queue(self, table_id: str, turns: Iterable[Turn], *, first: bool = False) -> None:
        """Schedule turns of a table, each when it is due; with ``first``, before those of its other watchers."""
        known = self._waiting.get(table_id)
        if known is None:
            known = self._waiting[table_id] = deque()
            self._order.append(table_id)
        if first:
            known.extendleft(turns)
        else:
            known.extend(turns)
        if self._worker is None or self._worker.done():
            self._worker = asyncio.create_task(self._work(), name="pace of watchers")

    def close(self) -> None:
        """Stop all turns."""
        if self._worker is not None:
            self._worker.cancel()

    async def _work(self) -> None:
        while self._order:
            busy = self._busy()
            for _ in range(BUSY_SLICE if busy else SLICE):
                if self._order:
                    self._give()
            await asyncio.sleep(BUSY_SECONDS if busy else 0)

    def _give(self) -> None:
        """Run one turn of the table that is next."""
        table_id = self._order.popleft()
        turns = self._waiting[table_id]
        while turns:
            turn = turns.popleft()
            if not turn.done():  # a watcher that has left
                turn.set_result(None)
                break
        if turns:
            self._order.append(table_id)
        else:
            del self._waiting[table_id]
