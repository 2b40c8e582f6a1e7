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
from collections.abc import Callable, Sequence
from typing import Final

import msgspec

from services.dealer.save_queue import Saver
from services.dealer.vault import Opener, Vault
from services.eventlog import log
from services.eventlog.records import Appended, NewEvent, StoredEvent
from services.fairness import seal
from services.journal import log_rows, summaries
from services.livestate.store import LiveState, LiveStateAway, Save
from services.rules import catalogue
from services.rules.refusals import Reason, Refused
from services.runtime import logs, metrics
from services.runtime.pools import Pool
from services.table import replay
from services.table.full_table import FullTable
from services.table.public_table import PublicTable
from services.table.replay import Replay

UNREADABLE: Final = (
    seal.SealError,
    msgspec.DecodeError,
    msgspec.ValidationError,
    KeyError,
    catalogue.UnknownRules,
)
"""Errors of a stored table that another release wrote, or that was damaged; it is rebuilt from the log."""
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
    """Ignore what is reported."""


class Checkout:
    """A table while one task of this process holds it alone; afterwards it is in memory again, unless it is ``dirty``.

    ``newest``: it is certainly as new as the log was. ``dirty``: it holds what the log may not have.
    """

    def __init__(self, tables: "Tables", table: FullTable, *, newest: bool) -> None:
        self._tables = tables
        self.table = table
        self.newest = newest
        self.dirty = False

    async def catch_up(self) -> bool:
        """Bring the table to the log's head, or rebuild it where the log contradicts it; return whether it changed.

        Raises Refused (``TABLE_NOT_FOUND``).
        """
        if self.newest:
            return False
        before, self.dirty = self.table.head_hash, True
        self.table = await self._tables.caught_up(self.table)
        self.newest, self.dirty = True, False
        return self.table.head_hash != before

    def save(self) -> None:
        """Write the table to Redis soon."""
        self._tables.save(self.table)

    def appended(self, done: Appended, events: Sequence[NewEvent]) -> None:
        """Note that the table's newest events are in the log; watchers get them, and Redis the table."""
        self.table.head_hash, self.dirty = done.hash, False
        if events:
            self.save()
            self._tables.listener(self.table.core.table_id, done.first_version, events)


class Tables:
    """Finds, keeps and drops live tables; ``checkout`` one to read or change it."""

    def __init__(self, pool: Pool, live: LiveState, vault: Vault, families: frozenset[str]) -> None:
        self._pool = pool
        self._live = live
        self._vault = vault
        self._families = families
        self._kept: OrderedDict[str, FullTable] = OrderedDict()
        self._locks: weakref.WeakValueDictionary[str, asyncio.Lock] = weakref.WeakValueDictionary()
        self._saver = Saver(live, vault, self._kept.get, self._not_saved)
        self.listener: Listener = _nobody
        """Called with all events that this process appends or reads."""
        self.unsaved: Callable[[Sequence[Save]], None] = _nobody
        """Called with tables that Redis did not take; nobody else has their deadlines."""

    def checkout(self, table_id: str, *, fresh: bool = True) -> "Checking":
        """Return a context that holds a table which nobody else in this process uses meanwhile.

        The table is as new as the log unless ``fresh`` is False. Processes are kept apart by the log. Entering raises
        Refused (``TABLE_NOT_FOUND``, ``WRONG_FAMILY``).
        """
        return Checking(self, table_id, fresh=fresh)

    def lock(self, table_id: str) -> asyncio.Lock:
        """Return the lock of a table within this process."""
        found = self._locks.get(table_id)
        if found is None:
            found = asyncio.Lock()
            self._locks[table_id] = found
        return found

    async def at_hand(self, table_id: str) -> Checkout:
        """Take a table out of memory, or load it."""
        kept = self._kept.pop(table_id, None)
        if kept is not None:
            metrics.TABLE_LOADS.labels("hit").inc()
            return Checkout(self, kept, newest=False)
        loaded = await self._from_redis(table_id)
        if loaded is not None:
            return Checkout(self, loaded, newest=False)
        return Checkout(self, await self.rebuilt(table_id), newest=True)

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

    def save(self, table: FullTable) -> None:
        """Keep a table that has changed in memory; it is written to Redis after the answer."""
        self.keep(table)
        self._saver.changed(table.core.table_id)

    def keep(self, table: FullTable) -> None:
        """Keep a table in memory; the longest unused one is dropped beyond the bound."""
        self._kept[table.core.table_id] = table
        if len(self._kept) > MOST_TABLES:
            self._kept.popitem(last=False)
        self._saver.again(table.core.table_id)

    def _not_saved(self, saves: Sequence[Save]) -> None:
        self.unsaved(saves)

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
        except UNREADABLE as error:
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

    def opener(self, table_id: str) -> Opener:
        """Return a function that opens the seeds of a table's rounds."""
        return Opener(self._vault, table_id)

    def _ours(self, table: FullTable) -> FullTable:
        self.refuse_family(table.core.opening.family, "the table")
        return table


class Checking:
    """Holds a table for one task of this process: a class, for every command begins and ends one."""

    __slots__ = ("_fresh", "_held", "_lock", "_table_id", "_tables")

    def __init__(self, tables: Tables, table_id: str, *, fresh: bool) -> None:
        self._tables, self._table_id, self._fresh = tables, table_id, fresh
        self._lock = tables.lock(table_id)
        self._held: Checkout | None = None

    async def __aenter__(self) -> Checkout:
        await self._lock.acquire()
        try:
            held = self._held = await self._tables.at_hand(self._table_id)
            if self._fresh:
                await held.catch_up()
        except BaseException:
            self._leave()
            raise
        return held

    async def __aexit__(self, *_: object) -> None:
        self._leave()

    def _leave(self) -> None:
        if self._held is not None and not self._held.dirty:
            self._tables.keep(self._held.table)
        self._lock.release()
