"""Deadlines that Redis does not hold, or holds of another past: found by the log's marks.

They are those of running rounds, and the moments at which the house starts rounds or closes
idle tables.
"""

import asyncio
from collections.abc import Callable
from typing import Final

import msgspec

from services.dealer.backoff import Backoff
from services.dealer.tables import Tables
from services.eventlog import log
from services.eventlog.reads import LOWEST
from services.eventlog.records import StreamHead
from services.journal import log_rows, summaries
from services.livestate.store import LiveState
from services.rules.refusals import Refused
from services.runtime.pools import Pool

SWEEP_SECONDS: Final = 2.0
IDLE_SECONDS: Final = 300.0
"""Pause between two looks at idle tables, which may be all tables of the house."""
PAGE: Final = 100
TOGETHER: Final = 16
"""Maximum tables that are served at once."""
LOOK_SECONDS: Final = 10.0
"""Time to wait for one table, which a command may have locked."""


class Known(msgspec.Struct, frozen=True):
    """A deadline that this process knows by itself, at a version of its table; ``due_ms`` is ms since 1970."""

    version: int
    due_ms: int
    family: str


class DeadlineSweep:
    """Looks through the tables that wait for a moment; ``known`` takes those that are found."""

    def __init__(
        self,
        tables: Tables,
        live: LiveState,
        pool: Pool,
        families: frozenset[str],
        known: dict[str, Known],
        clock: Callable[[], float],
    ) -> None:
        self._tables, self._live, self._pool = tables, live, pool
        self._families, self._known = families, known
        self._backoff = Backoff(clock)
        self._clock, self._idle_at = clock, clock()

    async def serve(self) -> None:
        """Sweep again and again, until cancelled."""
        while True:
            await self.once()
            await asyncio.sleep(SWEEP_SECONDS)

    async def once(self) -> None:
        """Find all tables whose next moment is not scheduled. Raises psycopg.Error."""
        for mark in (log_rows.IN_ROUND, log_rows.STARTING):
            await self._marked(mark)
        if self._clock() >= self._idle_at:
            self._idle_at = self._clock() + IDLE_SECONDS
            await self._marked(log_rows.IDLE)
        self._backoff.tidy()

    async def _marked(self, mark: str) -> None:
        after = LOWEST
        while True:
            async with self._pool.connection() as conn:
                page = await log.streams_marked(conn, mark, PAGE, after)
            left = [head for head in await self._unattended(page) if not self._backoff.waits(head.stream_id, 0)]
            for first in range(0, len(left), TOGETHER):
                await asyncio.gather(*(self._try(head) for head in left[first : first + TOGETHER]))
            if len(page) < PAGE:
                break
            after = page[-1].stream_id

    async def _unattended(self, page: list[StreamHead]) -> list[StreamHead]:
        """Return the tables of these families whose deadline neither Redis nor this dealer holds."""
        ours = [(head, family) for head in page if (family := _family(head)) in self._families and _is_due(head)]
        if not ours:
            return []
        held = await self._live.held([(head.stream_id, family) for head, family in ours])
        return [head for (head, _), found in zip(ours, held, strict=True) if not self._attended(head, found)]

    def _attended(self, head: StreamHead, found: tuple[int | None, int | None] | None) -> bool:
        if found is None:
            known = self._known.get(head.stream_id)
            return known is not None and known.version >= head.version
        version, deadline = found
        # An older state may hold a later deadline: its dealer died between the log and Redis. A newer one is of events
        # that the log has lost, or that came since the head was read.
        return version == head.version and deadline is not None

    async def _try(self, head: StreamHead) -> None:
        try:
            async with asyncio.timeout(LOOK_SECONDS):
                await self._look_after(head)
        except Exception as error:  # one table's fault must not stop the deadlines of all others
            reason = error.reason.value if isinstance(error, Refused) else ""
            self._backoff.failed(head.stream_id, 0, type(error).__name__, reason)
        else:
            self._backoff.succeeded(head.stream_id)

    async def _look_after(self, head: StreamHead) -> None:
        table_id = head.stream_id
        async with self._tables.checkout(table_id) as held:
            held.save()
            core = held.table.core
            if core.due_ms:
                self._known[table_id] = Known(core.version, core.due_ms, core.opening.family)


def _is_due(head: StreamHead) -> bool:
    """Return whether a moment may have been missed: that of an idle table is in its summary."""
    return head.mark != log_rows.IDLE or summaries.read(head.summary).idle_ms <= head.read_at_ms


def _family(head: StreamHead) -> str:
    return summaries.read(head.summary).family
