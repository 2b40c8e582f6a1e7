"""Pauses for tables whose deadlines cannot be served: doubled with each failure, with a bounded number of log lines."""

import time
from collections.abc import Callable
from typing import Final

import msgspec

from services.livestate import slots
from services.runtime import logs

LEAST_SECONDS: Final = 0.5
MOST_SECONDS: Final = 30.0
"""A table that keeps failing is tried about twice a minute."""
LINES: Final = 20
"""Log lines within ``MOST_SECONDS``; further failures are only counted."""

trace = logs.get("deadlines")


class _Failing(msgspec.Struct):
    """A table that failed; times are of the monotonic clock, in seconds."""

    due_ms: int
    pause: float
    until: float
    put_off: bool = False


class Backoff:
    """The tables of one process whose deadlines failed; ``clock`` is monotonic, in seconds."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._failing: dict[str, _Failing] = {}
        self._lines, self._untold, self._since = 0, 0, clock()

    def __len__(self) -> int:
        """Return the number of tables that fail; those that were only put off are none of them."""
        return sum(not one.put_off for one in self._failing.values())

    def waiting_by_group(self) -> list[int]:
        """Return the number of tables that are to be tried later, by group (``slots``)."""
        counts = [0] * slots.COUNT
        for table_id in self._failing:
            counts[slots.of_table(table_id)] += 1
        return counts

    def waits(self, table_id: str, due_ms: int) -> bool:
        """Return whether a table's deadline failed and is not to be tried yet; another deadline is."""
        found = self._failing.get(table_id)
        return found is not None and found.due_ms == due_ms and self._clock() < found.until

    def failed(self, table_id: str, due_ms: int, cause: str, reason: str) -> None:
        """Delay a table, twice as long as the last time."""
        pause = self._delayed(table_id, due_ms, put_off=False)
        now = self._clock()
        if now - self._since >= MOST_SECONDS:
            self._begin_lines(now)
        if self._lines < LINES:
            self._lines += 1
            trace.warning(
                "a deadline could not be served yet", table=table_id, cause=cause, reason=reason, again_seconds=pause
            )
        else:
            self._untold += 1

    def put_off(self, table_id: str, due_ms: int) -> None:
        """Delay a table that is at no fault, such as one that is switched off: without a line, and not counted."""
        self._delayed(table_id, due_ms, put_off=True)

    def _delayed(self, table_id: str, due_ms: int, *, put_off: bool) -> float:
        now, known = self._clock(), self._failing.pop(table_id, None)
        pause = min(known.pause * 2, MOST_SECONDS) if known is not None else LEAST_SECONDS
        self._failing[table_id] = _Failing(due_ms, pause, now + pause, put_off)
        return pause

    def succeeded(self, table_id: str) -> None:
        """Forget a table's failures."""
        self._failing.pop(table_id, None)

    def tidy(self) -> None:
        """Forget tables that were not tried for long: they are no longer due."""
        now = self._clock()
        while self._failing and (oldest := next(iter(self._failing))) and self._old(oldest, now):
            del self._failing[oldest]

    def _old(self, table_id: str, now: float) -> bool:
        # The first one was tried the longest ago; it is due again within twice its pause, or never.
        return now - self._failing[table_id].until > 2 * MOST_SECONDS

    def _begin_lines(self, now: float) -> None:
        if self._untold:
            trace.warning("more deadlines could not be served yet", failures=self._untold, tables=len(self))
        self._lines, self._untold, self._since = 0, 0, now
