"""The sweep: finds ended rounds that nobody settled, and reports those that cannot be settled.

Every beat reads all marked tables, page by page. A table that fails is tried again after its own pause, which doubles
up to ``LONGEST_PAUSE_SECONDS``. However many fail, the tables behind them are settled in the same beat.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Final

import msgspec

from services.database import retry
from services.eventlog import log
from services.eventlog.records import StreamHead
from services.journal import log_rows, summaries
from services.registry import limits, significant
from services.registry.records import Significant
from services.rules.refusals import Refused
from services.runtime import logs, metrics
from services.runtime.pools import Connection, Pool
from services.settlement import significant_events

BEAT_SECONDS: Final = 0.5
"""Pause between two sweeps: a round whose dealer died is settled well within two seconds."""
PAGE: Final = 100
AT_ONCE: Final = 4
"""Rounds settled concurrently: one that waits for a lock does not delay the rest."""
SHORTEST_PAUSE_SECONDS: Final = 0.5
LONGEST_PAUSE_SECONDS: Final = 60.0
STUCK_AFTER: Final = 4
"""Failures in a row from which a round counts as stuck; they take about 4 seconds."""

trace = logs.get("sweep")

Settle = Callable[[str], Awaitable[Any]]


class Failing(msgspec.Struct):
    """A table whose round could not be settled: the version at which it failed, how often, and when to try again."""

    version: int
    failures: int = 0
    again_at: float = 0.0
    reported: bool = False

    def put_off(self, now: float) -> None:
        """Count a failure and set the next attempt, by the same clock as ``now``."""
        pause = min(LONGEST_PAUSE_SECONDS, SHORTEST_PAUSE_SECONDS * 2 ** min(self.failures, 16))
        self.failures += 1
        self.again_at = now + pause

    @property
    def stuck(self) -> bool:
        """Whether it failed too often to be a passing fault."""
        return self.failures >= STUCK_AFTER


class Sweep:
    """The sweep of one process; ``settle`` settles a table's round."""

    def __init__(self, pool: Pool, settle: Settle, clock: Callable[[], float] = time.monotonic) -> None:
        self._pool = pool
        self._settle = settle
        self._clock = clock
        self._failing: dict[str, Failing] = {}

    async def serve(self) -> None:
        """Sweep every beat, until cancelled."""
        while True:
            await self.once()
            await asyncio.sleep(BEAT_SECONDS)

    async def once(self) -> None:
        """Read all tables with an unsettled round and settle those that are due."""
        after, waiting, oldest_ms = log.LOWEST, 0, 0
        seen: set[str] = set()
        while True:
            async with self._pool.connection() as conn:
                page = await log.streams_marked(conn, log_rows.UNSETTLED, PAGE, after)
            waiting += len(page)
            seen.update(head.stream_id for head in page)
            oldest_ms = max([oldest_ms, *(head.read_at_ms - head.changed_at_ms for head in page)])
            metrics.UNSETTLED_AGE.set(oldest_ms / 1000)
            await self._settle_page(page)
            if len(page) < PAGE:
                break
            after = page[-1].stream_id
        self._failing = {table: failing for table, failing in self._failing.items() if table in seen}
        metrics.UNSETTLED.set(waiting)
        metrics.UNSETTLED_AGE.set(oldest_ms / 1000)
        metrics.STUCK.set(sum(failing.stuck for failing in self._failing.values()))

    async def _settle_page(self, page: Sequence[StreamHead]) -> None:
        due = [head for head in page if self._is_due(head)]
        for first in range(0, len(due), AT_ONCE):
            await asyncio.gather(*(self._try(head) for head in due[first : first + AT_ONCE]))

    def _is_due(self, head: StreamHead) -> bool:
        failing = self._failing.get(head.stream_id)
        return failing is None or failing.version != head.version or failing.again_at <= self._clock()

    async def _try(self, head: StreamHead) -> None:
        try:
            await self._settle(head.stream_id)
        except Exception as error:  # one table's failure must not delay all others
            await self._failed(head, error)
        else:
            self._failing.pop(head.stream_id, None)

    async def _failed(self, head: StreamHead, error: Exception) -> None:
        failing = self._failing.get(head.stream_id)
        if failing is None or failing.version != head.version:
            failing = self._failing[head.stream_id] = Failing(head.version)
        failing.put_off(self._clock())
        reason = error.reason.value if isinstance(error, Refused) else ""
        cause = type(error).__name__
        trace.warning(
            "a round could not be settled yet",
            table=head.stream_id,
            cause=cause,
            reason=reason,
            failures=failing.failures,
        )
        if failing.stuck and not failing.reported:
            failing.reported = await self._report(head, f"{cause} {reason}".strip())

    async def _report(self, head: StreamHead, cause: str) -> bool:
        """Record a stuck round once for all processes and restarts; return whether it is recorded."""
        number = summaries.read(head.summary).round_number
        event = Significant(
            kind=significant_events.STUCK,
            component=significant_events.COMPONENT,
            actor="house",
            subject=f"table {head.stream_id} round {number}",
            reason=f"settlement fails: {cause}",
            before="ended",
            after="not settled; it is tried again at least once a minute, or staff void it",
        )

        async def record(conn: Connection) -> list[Significant]:
            await limits.lock(conn, "(stuck rounds)")
            if await significant.known(conn, event.kind, event.subject):
                return []
            await significant_events.record(conn, [event])
            return [event]

        try:
            significant_events.committed(await retry.transaction(self._pool.connection, record))
        except Exception as error:  # the next failure reports it again
            trace.warning("a stuck round could not be reported", cause=type(error).__name__)
            return False
        return True
