"""Deadlines fire without any client: every dealer serves those of its families, and the log tells two of them apart.

Redis holds the deadlines in a sorted set. Now and then the tables that are in a round are read from the log's marks,
so that a deadline that Redis lost, or never got, fires as well.
"""

import asyncio
import time
from collections.abc import Callable
from typing import Final

import msgspec

from services.contract import stored
from services.dealer import play
from services.dealer.commands import Commands
from services.dealer.tables import Tables
from services.eventlog import log
from services.eventlog.records import StreamHead
from services.livestate.store import LiveState, LiveStateAway
from services.runtime import logs, metrics
from services.runtime.clock import HouseClock
from services.runtime.errors import Problem
from services.runtime.identity import Caller, Role
from services.runtime.pools import Pool
from services.table import core as cores
from services.table.events import Event

PAUSE_SECONDS: Final = 0.1
SWEEP_SECONDS: Final = 2.0
AT_ONCE: Final = 100
THE_HOUSE: Final = Caller(subject="house", role=Role.SERVICE)

trace = logs.get("deadlines")

Ended = Callable[[str, list[Event]], None]
"""Told of the events of every deadline that fired."""


class Deadlines:
    """Serves the deadlines of some families."""

    def __init__(
        self,
        tables: Tables,
        commands: Commands,
        live: LiveState,
        pool: Pool,
        families: frozenset[str],
        ended: Ended,
        clock: HouseClock,
    ) -> None:
        self._clock = clock
        self._tables, self._commands, self._live, self._pool = tables, commands, live, pool
        self._families = families
        self._ended = ended
        self._known: dict[str, tuple[int, int]] = {}

    async def serve(self) -> None:
        """Fire what is due, again and again, until cancelled."""
        swept = 0.0
        while True:
            if time.monotonic() - swept >= SWEEP_SECONDS:
                await self._sweep()
                swept = time.monotonic()
            await self._fire_due()
            await asyncio.sleep(PAUSE_SECONDS)

    async def _fire_due(self) -> None:
        now_ms = self._clock.now_ms()
        due: dict[str, int] = {table: at for table, (_, at) in self._known.items() if at <= now_ms}
        for family in self._families:
            try:
                due.update(await self._live.due(family, now_ms, AT_ONCE))
            except LiveStateAway:
                break
        for table_id, at_ms in list(due.items())[:AT_ONCE]:
            await self.fire(table_id, at_ms)

    async def fire(self, table_id: str, due_ms: int) -> None:
        """Let one deadline pass if it is still the table's."""
        self._known.pop(table_id, None)
        try:
            _, made = await self._commands.run(play.deadline(table_id, THE_HOUSE, due_ms=due_ms))
            if not made:
                metrics.DEADLINES.labels("moot").inc()
                await self._refresh(table_id)
                return
        except Exception as error:  # noqa: BLE001 - one table's fault must not stop the deadlines of all others
            metrics.DEADLINES.labels("failed").inc()
            _not_yet(table_id, error)
            return
        metrics.DEADLINES.labels("fired").inc()
        metrics.DEADLINE_LAG.observe(max(0, self._clock.now_ms() - due_ms) / 1000)
        self._ended(table_id, made)

    async def _refresh(self, table_id: str) -> None:
        """Write the table's true deadline where a stale one stood."""
        async with self._tables.lock(table_id):
            table = await self._tables.fresh(table_id)
            self._tables.changed(table)

    async def _sweep(self) -> None:
        """Find tables in a round whose deadline nobody holds."""
        after = ""
        while True:
            async with self._pool.connection() as conn:
                page = await log.streams_marked(conn, stored.IN_ROUND, AT_ONCE, **({"after": after} if after else {}))
            for head in await self._unattended(page):
                try:
                    await self._look_after(head)
                except Exception as error:  # noqa: BLE001 - as in ``fire``
                    _not_yet(head.stream_id, error)
            if len(page) < AT_ONCE:
                return
            after = page[-1].stream_id

    async def _unattended(self, page: list[StreamHead]) -> list[StreamHead]:
        """Give the tables of these families whose deadline neither Redis nor this dealer holds."""
        ours = [(head, family) for head in page if (family := _family(head)) in self._families]
        if not ours:
            return []
        held = await self._live.held([(head.stream_id, family) for head, family in ours])
        return [head for (head, _), found in zip(ours, held, strict=True) if not self._attended(head, found)]

    def _attended(self, head: StreamHead, found: tuple[int | None, int | None] | None) -> bool:
        if found is None:
            return self._known.get(head.stream_id, (0, 0))[0] >= head.version
        version, deadline = found
        # An older state may hold a later deadline: its dealer died between the log and Redis.
        return version is not None and version >= head.version and deadline is not None

    async def _look_after(self, head: StreamHead) -> None:
        table_id = head.stream_id
        async with self._tables.lock(table_id):
            table = await self._tables.fresh(table_id)
            self._tables.changed(table)
        if table.core.phase == cores.IN_ROUND and table.core.deadline_ms:
            self._known[table_id] = table.core.version, table.core.deadline_ms


def _family(head: StreamHead) -> str:
    return str(msgspec.json.decode(head.summary or "{}").get("family", ""))


def _not_yet(table_id: str, error: Exception) -> None:
    reason = error.reason.value if isinstance(error, Problem) else ""
    trace.warning("a deadline could not be served yet", table=table_id, cause=type(error).__name__, reason=reason)
