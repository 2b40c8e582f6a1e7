"""The house's clock: the database's, so that all processes judge deadlines and spans by one clock.

Each measurement asks the database for its time and takes the middle of the round trip as the moment of the answer. Of
the last few the one with the shortest round trip counts. Between measurements the monotonic clock of the machine goes
on, so a wall clock that is set, or is wrong, moves no deadline. The wall clock is compared only. Where it is off,
tokens are judged wrongly, and the process serves nothing until it is set right.
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
"""Returns the database's time in seconds since 1970; raises where it does not answer."""

NOW: Final = "SELECT extract(epoch FROM clock_timestamp())::float8"

MEASUREMENTS: Final = 8
"""Measurements of which the best counts."""
FIRST: Final = 3
"""Measurements before a process serves."""
STEP_SECONDS: Final = 0.25
"""The database's clock was set where a measurement denies the best one by so much more than round trips explain."""


class ClockOffError(Exception):
    """This machine's clock differs too much from the database's; the message says by how much."""


class _Measured(msgspec.Struct, frozen=True):
    """A measurement: the database's time less the monotonic clock's, and how long the round trip took, in seconds."""

    ahead: float
    round_trip: float


class HouseClock:
    """The clock of one process; the wall clock's own until the first measurement.

    ``tolerance_seconds`` is by how much the wall clock may be off.
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
        """Measure once. Raises what ``ask`` raises."""
        sent = self._monotonic()
        told = await ask()
        received = self._monotonic()
        new = _Measured(told - (sent + received) / 2, received - sent)
        best = min(self._measured, key=lambda one: one.round_trip, default=new)
        if abs(new.ahead - best.ahead) > (new.round_trip + best.round_trip) / 2 + STEP_SECONDS:
            self._measured.clear()
            self._last_ms = 0  # a clock that was set back is followed, or time would stand still until it catches up
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
        """Raise ClockOffError where this machine's wall clock is off by more than is tolerated."""
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
    assert row is not None, "a database knows the time"
    return float(row[0])


def wall_ms() -> int:
    """Return this machine's own time in milliseconds since 1970, where there is no database to ask."""
    return time.time_ns() // 1_000_000
