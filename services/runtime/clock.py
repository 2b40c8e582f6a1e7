"""The house's clock: the database's, so that all processes use one clock for deadlines and spans.

Each measurement asks the database for its time and takes the middle of the round trip as the moment of the answer. Of
the last measurements the one with the shortest round trip counts. Between them the machine's monotonic clock is used,
so a wall clock that is set, or is wrong, moves no deadline. The wall clock is only compared. While it is off, tokens
would be checked wrongly, so the process serves nothing until it is corrected.
"""

import time
from collections import deque
from collections.abc import Awaitable, Callable
from typing import Any, Final

import msgspec
import psycopg

from services.runtime import metrics

NowMs = Callable[[], int]
"""Returns the time in milliseconds since 1970."""
Ask = Callable[[], Awaitable[float]]
"""Returns the database's time in seconds since 1970; raises if it does not answer."""

NOW: Final = "SELECT extract(epoch FROM clock_timestamp())::float8"

MEASUREMENTS: Final = 8
"""Number of recent measurements of which the best counts."""
FIRST: Final = 3
"""Number of measurements before a process serves."""
STEP_SECONDS: Final = 0.25
"""The database's clock was set if a measurement differs from the best one by so much more than round trips explain."""


class ClockOffError(Exception):
    """This machine's clock differs too much from the database's; the message holds the difference."""


class _Measured(msgspec.Struct, frozen=True):
    """A measurement: the database's time minus the monotonic clock's, and the length of the round trip, in seconds."""

    ahead: float
    round_trip: float


class HouseClock:
    """The clock of one process; the wall clock's own until the first measurement.

    ``tolerance_seconds`` is the greatest accepted difference of the wall clock.
    """

    def __init__(
        self,
        tolerance_seconds: float = 1.0,
        *,
        wall: Callable[[], float] = time.time,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._tolerance = tolerance_seconds
        self._wall, self._monotonic = wall, monotonic
        self._measured: deque[_Measured] = deque(maxlen=MEASUREMENTS)
        self._ahead = wall() - monotonic()
        self._last_ms = 0

    async def measure(self, ask: Ask) -> None:
        """Measure once. Raises the errors of ``ask``."""
        sent = self._monotonic()
        told = await ask()
        received = self._monotonic()
        new = _Measured(told - (sent + received) / 2, received - sent)
        best = min(self._measured, key=lambda one: one.round_trip, default=new)
        if abs(new.ahead - best.ahead) > (new.round_trip + best.round_trip) / 2 + STEP_SECONDS:
            self._measured.clear()
            self._last_ms = 0  # follow a clock that was set back, or time would stand still until it catches up
        self._measured.append(new)
        self._ahead = min(self._measured, key=lambda one: one.round_trip).ahead
        metrics.CLOCK_OFFSET.set(self.off_seconds())

    def now_ms(self) -> int:
        """Return the house's time in milliseconds since 1970; it does not go back unless the database's was set."""
        self._last_ms = max(self._last_ms, int((self._monotonic() + self._ahead) * 1000))
        return self._last_ms

    def off_seconds(self) -> float:
        """Return by how many seconds this machine's wall clock is ahead of the house's clock."""
        return self._wall() - self._monotonic() - self._ahead

    def check(self) -> None:
        """Raise ClockOffError if this machine's wall clock is off by more than the tolerance."""
        off = self.off_seconds()
        if abs(off) > self._tolerance:
            side = "ahead of" if off > 0 else "behind"
            raise ClockOffError(
                f"this machine's clock is {abs(off):.1f} s {side} the database's, more than {self._tolerance:g} s;"
                " set it by NTP on both machines"
            )


async def of_database(conn: psycopg.AsyncConnection[Any]) -> float:
    """Return the database's time in seconds since 1970. Raises psycopg.Error."""
    row = await (await conn.execute(NOW)).fetchone()
    assert row is not None, "this query returns one row"
    return float(row[0])


def wall_ms() -> int:
    """Return this machine's own time in milliseconds since 1970, for processes without a database."""
    return time.time_ns() // 1_000_000
