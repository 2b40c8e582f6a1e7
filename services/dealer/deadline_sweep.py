"""Deadlines that Redis does not hold, or holds of another past: found by the log's marks.

They are those of running rounds, and the moments at which the house starts rounds or closes idle tables. All dealers of
the same families share one pass: each takes the next part when it is due (``livestate.sweep_turns``), so that the work
neither grows with the number of dealers nor comes all at once. A pass is hurried, without pauses, when a dealer has
started and when Redis has lost something. While Redis is away each dealer looks through all tables by itself.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Final

import msgspec

from services.dealer.backoff import Backoff
from services.dealer.known_deadlines import Known, KnownDeadlines
from services.dealer.tables import Tables
from services.eventlog import log
from services.eventlog.reads import LOWEST
from services.journal import log_rows
from services.livestate.schedule import Wanted
from services.livestate.store import LiveState, LiveStateAway
from services.livestate.sweep_turns import Turn
from services.rules.refusals import Refused
from services.runtime import metrics
from services.runtime.clock import NowMs
from services.runtime.pools import Pool

PAGE: Final = 500
"""Tables of one turn."""
PAUSE_SECONDS: Final = 0.5
"""Pause after a turn, so that a pass over very many tables costs little at any moment."""
LEAST_WAIT_SECONDS: Final = 0.05
MOST_WAIT_SECONDS: Final = 1.0
"""How often a dealer asks for the next turn at least."""
TOGETHER: Final = 16
"""Maximum tables that are served at once."""
LOOK_SECONDS: Final = 10.0
"""Time to wait for one table, which a command may have locked."""
FIELDS: Final = ("family", "idle_ms")
"""What of a table's summary is read."""


class Lane(msgspec.Struct, frozen=True):
    """Tables that are looked through together: by their marks in the log, once in so many seconds at most."""

    name: str
    marks: tuple[str, ...]
    seconds: float


ROUNDS: Final = Lane("rounds", (log_rows.IN_ROUND, log_rows.STARTING), 2.0)
CLOSES: Final = Lane("closes", (log_rows.IDLE,), 300.0)
"""Idle tables, which may be all tables of the house."""
LANES: Final = (ROUNDS, CLOSES)


class _Alone(msgspec.Struct):
    """A dealer's own pass: where it continues, when by its monotonic clock, and whether it is without pauses."""

    at: str = ""
    due: float = float("-inf")
    hurried: bool = True


class DeadlineSweep:
    """Looks through the tables that wait for a moment; ``known`` takes those that are found."""

    def __init__(
        self,
        tables: Tables,
        live: LiveState,
        pool: Pool,
        families: frozenset[str],
        known: KnownDeadlines,
        now_ms: NowMs,
        monotonic: Callable[[], float],
    ) -> None:
        self._tables, self._live, self._pool = tables, live, pool
        self._families, self._known = families, known
        self._backoff = Backoff(monotonic)
        self._now_ms, self._monotonic = now_ms, monotonic
        self._alone: dict[str, _Alone] = {}
        served, pause_ms = ",".join(sorted(families)), int(1000 * PAUSE_SECONDS)
        self._turns = {
            lane.name: live.sweep_turns(f"{lane.name}:{served}", int(1000 * lane.seconds), pause_ms) for lane in LANES
        }

    async def serve(self) -> None:
        """Take turns until cancelled. Begin with a pass through all tables: the dealer may have died a moment ago."""
        await self.begin()
        while True:
            pause = min([await self.turn(lane) for lane in LANES])
            await asyncio.sleep(pause)

    async def begin(self) -> None:
        """Begin all passes anew, for all dealers of these families."""
        self._alone.clear()
        for turns in self._turns.values():
            await _noted(turns.begin(self._now_ms()))

    async def once(self) -> None:
        """Look through all tables now, whatever others do. Raises psycopg.Error."""
        for lane in LANES:
            at = ""
            while True:
                page, at = await self._read(lane, at)
                await self._look_through(page)
                if not at:
                    break
        self._backoff.tidy()

    async def turn(self, lane: Lane) -> float:
        """Take a turn if one is due; return the seconds until this dealer asks again. Raises psycopg.Error."""
        turns = self._turns[lane.name]
        try:
            taken = await turns.take(self._now_ms())
        except LiveStateAway:
            return _wait(await self._turn_alone(lane))
        self._alone.pop(lane.name, None)
        if not isinstance(taken, Turn):
            return _wait(taken / 1000)
        try:
            page, at = await self._read(lane, taken.at)
        except BaseException:
            await _noted(turns.give_back(taken, self._now_ms()))
            raise
        # The next turn is another dealer's, even before the tables of this one are served.
        await _noted(turns.end(taken, at, self._now_ms()))
        await self._look_through(page)
        self._backoff.tidy()
        return LEAST_WAIT_SECONDS

    async def _turn_alone(self, lane: Lane) -> float:
        """Take a turn that no other dealer shares; return the seconds until the next one."""
        own = self._alone.setdefault(lane.name, _Alone())
        left = own.due - self._monotonic()
        if left > 0:
            return left
        page, own.at = await self._read(lane, own.at)
        await self._look_through(page)
        pause = (0.0 if own.hurried else PAUSE_SECONDS) if own.at else lane.seconds
        own.hurried = own.hurried and bool(own.at)
        own.due = self._monotonic() + pause
        return pause

    async def _read(self, lane: Lane, at: str) -> tuple[list[Wanted], str]:
        """Read a part of a lane's tables; return those of these families, and where the next part begins ("": end)."""
        place, _, after = at.partition(":")
        number, after = int(place or 0), after or LOWEST
        now_ms, found, left = self._now_ms(), [], PAGE
        while number < len(lane.marks):
            async with self._pool.connection() as conn:
                rows = await log.marked_briefly(conn, lane.marks[number], FIELDS, left, after)
            found += [
                Wanted(table_id, version, family)
                for table_id, version, family, idle_ms in rows
                if family in self._families and (lane is not CLOSES or int(idle_ms or 0) <= now_ms)
            ]
            if len(rows) == left:
                return found, f"{number}:{rows[-1][0]}"
            number, after, left = number + 1, LOWEST, left - len(rows)
        return found, ""

    async def _look_through(self, page: Sequence[Wanted]) -> None:
        """Serve those tables whose deadline neither Redis nor this dealer holds."""
        if not page:
            return
        lacking = await self._live.unscheduled(page)
        left = [
            one
            for one in page
            if one.table_id in lacking and not self._attended(one, away=not lacking[one.table_id])
            if not self._backoff.waits(one.table_id, 0)
        ]
        for first in range(0, len(left), TOGETHER):
            await asyncio.gather(*(self._try(one.table_id) for one in left[first : first + TOGETHER]))

    def _attended(self, one: Wanted, *, away: bool) -> bool:
        """Return whether this dealer knows a table's deadline, while the table's server is away.

        Otherwise Redis lacks the deadline or holds another version: an older state, whose dealer died between the log
        and Redis, may have a later deadline, and a newer one is of events that the log has lost.
        """
        known = self._known.get(one.table_id)
        return away and known is not None and known.version >= one.version

    async def _try(self, table_id: str) -> None:
        try:
            async with asyncio.timeout(LOOK_SECONDS):
                await self._look_after(table_id)
        except Exception as error:  # one table's fault must not stop the deadlines of all others
            reason = error.reason.value if isinstance(error, Refused) else ""
            self._backoff.failed(table_id, 0, type(error).__name__, reason)
        else:
            self._backoff.succeeded(table_id)

    async def _look_after(self, table_id: str) -> None:
        async with self._tables.checkout(table_id) as held:
            held.save()
            core = held.table.core
            if core.due_ms:
                self._known.keep(table_id, Known(core.version, core.due_ms, core.opening.family))


async def _noted(call: Awaitable[object]) -> None:
    """Make a call; where Redis is away, count that and go on."""
    try:
        await call
    except LiveStateAway:
        metrics.REDIS_FAILURES.inc()


def _wait(seconds: float) -> float:
    return min(max(seconds, LEAST_WAIT_SECONDS), MOST_WAIT_SECONDS)
