"""Fires what is due without any client: turns and windows, round starts, removals of absent and waiting players.

Every dealer serves those of its families, and the log accepts only one event for each.

Redis holds the deadlines in sorted sets; what it lost, or never got, is found in the log (``deadline_sweep``). Those
that are due fire together, up to a bound, so that many share the log's commits and none waits for the table of another.
A deadline that cannot be served waits longer each time and never delays others. All moments are of the house's clock.
"""

import asyncio
import os
import time
import zlib
from collections import deque
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from itertools import chain, zip_longest
from typing import Final

from services.dealer import starts, table_commands
from services.dealer.backoff import Backoff
from services.dealer.commands import Commands
from services.dealer.deadline_sweep import DeadlineSweep
from services.dealer.known_deadlines import Known, KnownDeadlines
from services.dealer.tables import Tables
from services.livestate.store import LiveState, LiveStateAway, Save
from services.rules.refusals import Reason, Refused
from services.runtime import logs, metrics
from services.runtime.clock import ClockOffError, HouseClock
from services.runtime.pools import Pool
from services.table.events import Event

PAUSE_SECONDS: Final = 0.1
TOGETHER: Final = 64
"""Deadlines that fire at once: as many as share one commit."""
SHARE: Final = 64
"""Deadlines of one family that are read at once in one group of tables, besides those that wait after a failure."""
READ_SECONDS: Final = 0.25
"""How long deadlines that were read are fired before they are read again: other dealers fire them too."""
MOST_LOOKED_AT: Final = 10_000
"""Deadlines that wait after a failure and are read all the same, of one family in all groups together."""
PASSED_SECONDS: Final = 1.0
"""How long a passed deadline is not tried again: Redis is updated after the answer."""
FIRE_SECONDS: Final = 10.0
"""Bound on one deadline; a table that somebody holds for longer is tried again later."""
STRANGE: Final = frozenset({Reason.TABLE_NOT_FOUND, Reason.WRONG_FAMILY})
"""Refusals of tables that the log lacks or that are of other families: their deadlines are deleted from Redis."""

trace = logs.get("deadlines")

Appended = Callable[[str, list[Event]], None]
"""Told of the events of every deadline that fired."""
Start = Callable[[str, int], Awaitable[list[Event]]]
"""Starts the round of a table that is due by a moment (ms since 1970), or ends waits; returns the events, if any."""
Due = tuple[str, int, str]
"""A table, its deadline in ms since 1970, and the family under which it is due."""


class Deadlines:
    """Serves the deadlines of some families; ``monotonic`` is the clock of pauses, in seconds."""

    def __init__(
        self,
        tables: Tables,
        commands: Commands,
        live: LiveState,
        pool: Pool,
        families: frozenset[str],
        appended: Appended,
        start: Start,
        clock: HouseClock,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._tables, self._commands, self._live = tables, commands, live
        self._families, self._clock = sorted(families), clock
        self._appended, self._start = appended, start
        self._known = KnownDeadlines()
        self._backoff = Backoff(monotonic)
        self._firing: dict[str, asyncio.Task[None]] = {}
        self._passed: dict[str, tuple[int, float]] = {}
        self._monotonic = monotonic
        self._free = asyncio.Event()
        self._salt = os.urandom(4)
        self._due: deque[Due] = deque()
        self._read_at = float("-inf")
        self.sweep = DeadlineSweep(tables, live, pool, families, self._known, clock.now_ms, monotonic)
        tables.unsaved = self._remember

    async def serve(self) -> None:
        """Fire what is due, again and again, until cancelled."""
        try:
            while True:
                left = await self.fire_due() if self._clock_is_right() else 0
                self._free.clear()
                if left:
                    with suppress(TimeoutError):
                        await asyncio.wait_for(self._free.wait(), PAUSE_SECONDS)
                else:
                    await asyncio.sleep(PAUSE_SECONDS)
        finally:
            for task in self._firing.values():
                task.cancel()

    async def fire_due(self) -> int:
        """Begin to fire deadlines that are due, as many as may fire at once; return how many more are known."""
        if len(self._due) < TOGETHER or self._monotonic() - self._read_at > READ_SECONDS:
            self._due = deque(one for one in await self._read_due(self._clock.now_ms()) if self._may_fire(*one[:2]))
            self._read_at = self._monotonic()
        while self._due and len(self._firing) < TOGETHER:
            table_id, due_ms, family = self._due.popleft()
            if not self._may_fire(table_id, due_ms):
                continue
            task = asyncio.create_task(self._fire(table_id, due_ms, family))
            self._firing[table_id] = task
            task.add_done_callback(partial(self._done, table_id))
        self._tidy()
        metrics.DEADLINES_FAILING.set(len(self._backoff))
        return len(self._due)

    async def settle_down(self) -> None:
        """Wait for the deadlines that are being fired."""
        while self._firing:
            await asyncio.wait(list(self._firing.values()))

    async def _read_due(self, now_ms: int) -> Iterator[Due]:
        """Return what is due, a deadline of each family in turn."""
        by_family: dict[str, dict[str, int]] = {family: {} for family in self._families}
        for table_id, known in self._known.due(now_ms).items():
            by_family[known.family][table_id] = known.due_ms
        try:
            limits = _limits(self._backoff.waiting_by_group())
            for family, found in (await self._live.due_by_family(self._families, now_ms, limits)).items():
                by_family[family].update(found)
        except LiveStateAway:
            pass  # what this process knows by itself is due all the same
        turns = zip_longest(*(self._ordered(family, found) for family, found in by_family.items()))
        return (one for one in chain.from_iterable(turns) if one is not None)

    def _ordered(self, family: str, found: dict[str, int]) -> Sequence[Due]:
        """Return a family's deadlines, the earliest first; a crowd in an order of this process's own.

        So several dealers begin at different ends, instead of all firing the same ones.
        """
        due = [(table_id, due_ms, family) for table_id, due_ms in found.items()]
        if len(due) > TOGETHER:
            return sorted(due, key=lambda one: zlib.crc32(one[0].encode(), zlib.crc32(self._salt)))
        return sorted(due, key=lambda one: one[1])

    def _remember(self, saves: Sequence[Save]) -> None:
        """Keep the deadlines of tables that Redis did not take."""
        for one in saves:
            if one.deadline_ms:
                self._known.keep(one.table_id, Known(one.version, one.deadline_ms, one.family))
            else:
                self._known.outdate(one.table_id, one.version)

    def _may_fire(self, table_id: str, due_ms: int) -> bool:
        if table_id in self._firing or self._backoff.waits(table_id, due_ms):
            return False
        return self._passed.get(table_id, (0, 0.0))[0] != due_ms

    def _tidy(self) -> None:
        """Forget failures of long ago, and deadlines that passed a moment ago: Redis has their tables' next ones."""
        self._backoff.tidy()
        before = self._monotonic() - PASSED_SECONDS
        while self._passed and next(iter(self._passed.values()))[1] < before:
            del self._passed[next(iter(self._passed))]

    def _done(self, table_id: str, _: asyncio.Task[None]) -> None:
        self._firing.pop(table_id, None)
        if len(self._firing) <= TOGETHER // 2:
            self._free.set()

    async def _fire(self, table_id: str, due_ms: int, family: str) -> None:
        """Pass one deadline, or start one round, if that is still due at the table."""
        self._known.forget(table_id)
        try:
            async with asyncio.timeout(FIRE_SECONDS):
                command = table_commands.PassDeadline(table_id, starts.THE_HOUSE, due_ms=due_ms)
                _, passed = await self._commands.run(command)
                made = passed or await self._start(table_id, due_ms)
                if not made:
                    metrics.DEADLINES.labels("moot").inc()
                    await self._refresh(table_id)
        except Exception as error:  # one table's fault must not stop the deadlines of all others
            await self._failed(table_id, due_ms, family, error)
            return
        self._backoff.succeeded(table_id)
        self._passed.pop(table_id, None)
        self._passed[table_id] = due_ms, self._monotonic()
        if passed:
            metrics.DEADLINES.labels("fired").inc()
            metrics.DEADLINE_LAG.observe(max(0, self._clock.now_ms() - due_ms) / 1000)
        if made:
            self._appended(table_id, made)

    async def _failed(self, table_id: str, due_ms: int, family: str, error: Exception) -> None:
        if isinstance(error, Refused) and error.reason in STRANGE:
            try:
                await self._live.forget_deadline(table_id, due_ms, family)
            except LiveStateAway:
                metrics.REDIS_FAILURES.inc()
            else:
                metrics.DEADLINES.labels("forgotten").inc()
                trace.warning("a deadline was forgotten", table=table_id, family=family, reason=error.reason.value)
                return
        if isinstance(error, Refused) and error.reason is Reason.SWITCHED_OFF:
            self._backoff.put_off(table_id, due_ms)
            return
        metrics.DEADLINES.labels("failed").inc()
        reason = error.reason.value if isinstance(error, Refused) else ""
        self._backoff.failed(table_id, due_ms, type(error).__name__, reason)

    async def _refresh(self, table_id: str) -> None:
        """Write the table's true deadline where a stale one stood."""
        async with self._tables.checkout(table_id) as held:
            held.save()

    def _clock_is_right(self) -> bool:
        try:
            self._clock.check()
        except ClockOffError:
            return False  # health, metric and log say so
        return True


def _limits(waiting: Sequence[int]) -> list[int]:
    """Return how many deadlines to read in each group, whose first ones may be those of tables that wait."""
    looked_at = min(1.0, MOST_LOOKED_AT / max(1, sum(waiting)))
    return [SHARE + int(count * looked_at) for count in waiting]
