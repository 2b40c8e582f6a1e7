"""The tables of a dealer: from its own memory, then from Redis, then from the log, which is the source of truth.

A table in memory or in Redis may be behind the log, because another dealer may serve it too. It may also hold events
that the log has lost: after a restore, or after a failover to a standby without the last commits. Both are detected
when an append finds another last event than expected. The table is then caught up or rebuilt, and the command retried.
Only speed depends on memory and Redis.
"""

import asyncio
import time
import weakref
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from typing import Final

import msgspec

from services.dealer.save_queue import Saver
from services.dealer.vault import Vault
from services.eventlog import log
from services.eventlog.records import NewEvent, StoredEvent
from services.fairness import seal
from services.journal import log_rows, summaries
from services.livestate.store import LiveState, LiveStateAway
from services.rules.refusals import Reason, Refused
from services.runtime import logs, metrics
from services.runtime.pools import Pool
from services.table import events, replay
from services.table.full_table import FullTable
from services.table.public_table import PublicTable
from services.table.replay import Opened, Replay

MOST_TABLES: Final = 4096
"""Tables that one dealer keeps in memory."""
PAGE: Final = 500
SAVE_SECONDS: Final = 2.0

Listener = Callable[[str, int, Sequence[NewEvent | StoredEvent]], None]
"""Called with a table's id, the version of the first event, and the events in order."""

trace = logs.get("tables")


def not_replayed(error: Exception) -> None:
    """Note that the last round of a table cannot be shown; the table is served without it."""
    trace.warning("an ended round cannot be replayed and is not shown", cause=type(error).__name__)


def _nobody(*_: object) -> None:
    """Ignore events."""


class Tables:
    """Finds, keeps and drops live tables; ``checkout`` one to read it, hold its ``lock`` while a command changes it."""

    def __init__(self, pool: Pool, live: LiveState, vault: Vault, families: frozenset[str]) -> None:
        self._pool = pool
        self._live = live
        self._vault = vault
        self._families = families
        self._kept: OrderedDict[str, FullTable] = OrderedDict()
        self._locks: weakref.WeakValueDictionary[str, asyncio.Lock] = weakref.WeakValueDictionary()
        self._saver = Saver(live, vault, self._kept.get)
        self.listener: Listener = _nobody
        """Called with all events that this process appends or reads."""

    def lock(self, table_id: str) -> asyncio.Lock:
        """Return the lock of a table within this process; processes are kept apart by the log."""
        found = self._locks.get(table_id)
        if found is None:
            found = asyncio.Lock()
            self._locks[table_id] = found
        return found

    async def at_hand(self, table_id: str) -> tuple[FullTable, bool]:
        """Take a table out of memory, or load it; ``keep`` it afterwards unless an error spoilt it.

        Returns it, and whether it is certainly as new as the log. Raises Refused (``TABLE_NOT_FOUND``).
        """
        kept = self._kept.pop(table_id, None)
        if kept is not None:
            metrics.TABLE_LOADS.labels("hit").inc()
            return kept, False
        loaded = await self._from_redis(table_id)
        if loaded is not None:
            return loaded, False
        return await self.rebuilt(table_id), True

    @asynccontextmanager
    async def checkout(self, table_id: str, *, fresh: bool = True) -> AsyncIterator[FullTable]:
        """Lock a table and yield it for reading, as new as the log unless ``fresh`` is False.

        It is kept in memory from the start, because a reader does not change it. Raises Refused (``TABLE_NOT_FOUND``).
        """
        async with self.lock(table_id):
            table = await self.fresh(table_id) if fresh else (await self.at_hand(table_id))[0]
            self.keep(table)
            yield table

    async def fresh(self, table_id: str) -> FullTable:
        """Return a table as new as the log. Raises Refused (``TABLE_NOT_FOUND``)."""
        table, newest = await self.at_hand(table_id)
        return table if newest else await self.caught_up(table)

    async def caught_up(self, table: FullTable) -> FullTable:
        """Return a table at the log's head: with the later events, or rebuilt if the log contradicts the table.

        Raises Refused (``TABLE_NOT_FOUND``).
        """
        table_id = table.core.table_id
        async with self._pool.connection() as conn:
            recorded = await log.read(conn, table_id, table.core.version - 1, PAGE)
        if not recorded or recorded[0].hash != table.head_hash:
            return await self._instead_of(table)
        later = recorded[1:]
        if not later:
            return table
        metrics.TABLE_LOADS.labels("stale").inc()
        self.listener(table_id, later[0].version, later)
        if len(later) == PAGE - 1:
            return await self.rebuilt(table_id)
        follower = Replay(table_id, self.opener(table_id), compare=False)
        follower.table = table
        try:
            for one in later:
                follower.take(one.version, log_rows.from_stored(one))
        except seal.KeyMissingError:
            return await self.rebuilt(table_id)  # a round whose key is gone may be over by now
        table.head_hash = later[-1].hash
        return table

    async def _instead_of(self, denied: FullTable) -> FullTable:
        """Rebuild a table that holds events which the log does not have, and drop it from Redis."""
        table_id, version = denied.core.table_id, 0
        metrics.TABLE_LOADS.labels("denied").inc()
        trace.warning("the log contradicts a live table; it is rebuilt", table=table_id, version=denied.core.version)
        try:
            table = await self.rebuilt(table_id)
            version = table.core.version
        finally:
            try:
                await self._live.drop(table_id, version)
            except LiveStateAway:
                metrics.REDIS_FAILURES.inc()
        self._saver.changed(table_id)
        return table

    async def core(self, table_id: str) -> PublicTable:
        """Return the public state of a table from the log alone; needs neither keys nor working rules."""
        return log_rows.fold(table_id, await self._rebuild_events(table_id))

    async def refuse_others(self, table_id: str) -> None:
        """Raise Refused (``WRONG_FAMILY``) for a table that another family's dealer serves; needs no keys, no rules."""
        if table_id in self._kept:
            return
        async with self._pool.connection() as conn:
            head = await log.read_head(conn, table_id)
        family = summaries.read(head.summary if head else None).family
        if family:
            self.refuse_family(family, "the table")

    def refuse_family(self, family: str, what: str) -> None:
        """Raise Refused (``WRONG_FAMILY``) where ``what`` is of a family that this dealer does not serve."""
        if family not in self._families:
            message = f"this dealer serves {', '.join(sorted(self._families))}; {what} belongs to {family}"
            raise Refused(Reason.WRONG_FAMILY, message, metadata={"family": family})

    def has(self, table_id: str, version: int) -> bool:
        """Return whether this dealer keeps a table at this version or a newer one."""
        kept = self._kept.get(table_id)
        return kept is not None and kept.core.version >= version

    def keep(self, table: FullTable) -> None:
        """Keep a table in memory; the longest unused one is dropped beyond the bound."""
        self._kept[table.core.table_id] = table
        if len(self._kept) > MOST_TABLES:
            self._kept.popitem(last=False)
        self._saver.again(table.core.table_id)

    def changed(self, table: FullTable) -> None:
        """Keep a table after an append; it is written to Redis after the answer."""
        self.keep(table)
        self._saver.changed(table.core.table_id)

    async def settle_down(self) -> None:
        """Wait until what was changed is written."""
        await self._saver.settle_down(SAVE_SECONDS)

    async def _from_redis(self, table_id: str) -> FullTable | None:
        try:
            found = await self._live.load(table_id)
        except LiveStateAway:
            metrics.TABLE_LOADS.labels("away").inc()
            return None
        if found is None:
            metrics.TABLE_LOADS.labels("missing").inc()
            return None
        try:
            table = self._vault.open_live(table_id, found[1])
        except (seal.SealError, msgspec.DecodeError, msgspec.ValidationError, KeyError) as error:
            trace.warning("a live table cannot be read and is rebuilt", cause=type(error).__name__)
            return None
        metrics.TABLE_LOADS.labels("hit").inc()
        return self._ours(table)

    async def rebuilt(self, table_id: str) -> FullTable:
        """Build a table from the log alone. Raises Refused (``TABLE_NOT_FOUND``)."""
        began = time.perf_counter()
        recorded = await self._rebuild_events(table_id)
        events_in_order = [(one.version, log_rows.from_stored(one)) for one in recorded]
        table = replay.rebuilt(table_id, events_in_order, self.opener(table_id), not_replayed).table
        assert table is not None, "a stream holds at least one event"
        table.head_hash = recorded[-1].hash
        metrics.TABLE_REBUILDS.inc()
        metrics.TABLE_REBUILD_SECONDS.observe(time.perf_counter() - began)
        return self._ours(table)

    async def _rebuild_events(self, table_id: str) -> list[StoredEvent]:
        try:
            async with self._pool.connection() as conn:
                return (await log.read_for_rebuild(conn, table_id))[1]
        except log.UnknownStreamError:
            raise Refused(Reason.TABLE_NOT_FOUND, f"there is no table {table_id!r}; ListTables shows all") from None

    def opener(self, table_id: str) -> "Opener":
        """Return a function that opens the seeds of a table's rounds."""
        return Opener(self._vault, table_id)

    def _ours(self, table: FullTable) -> FullTable:
        self.refuse_family(table.core.opening.family, "the table")
        return table


class Opener:
    """Opens the seeds of one table's rounds."""

    def __init__(self, vault: Vault, table_id: str) -> None:
        self._vault, self._table_id = vault, table_id

    def __call__(self, started: events.RoundStarted) -> Opened:
        """Open one round's seed."""
        return self._vault.open_round(self._table_id, started.round_number, started.sealed)
