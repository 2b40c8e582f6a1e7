"""The open tables of the house as one dealer process knows them, of all families, while anybody watches a lobby.

Summaries are read again when Redis announces new versions, in batches, and all versions are compared at intervals, so
that a lost notification, or a Redis that is away, delays a change and loses none.
"""

import asyncio
from collections.abc import Iterable
from itertools import islice
from typing import Final

import msgspec

from services.eventlog import log
from services.eventlog.records import StreamHead
from services.journal import summaries
from services.journal.summaries import TableSummary
from services.livestate.store import LiveState
from services.rules import personal
from services.runtime import metrics
from services.runtime.pools import Pool

MOST_TABLES: Final = 20_000
"""Open tables that a board holds, the oldest ones."""
BEAT_SECONDS: Final = 0.25
"""Changes are collected for so long before they are read."""
SWEEP_SECONDS: Final = 5.0
AWAY_SECONDS: Final = 1.0
"""Interval of comparisons while no notifications arrive."""
PAGE: Final = 500


class OpenTable(msgspec.Struct, frozen=True):
    """An open table: the version and age of its stream, and its summary."""

    version: int
    created_us: int
    summary: TableSummary

    @property
    def is_sealed(self) -> bool:
        """Whether its title is of a player, whose texts may be erased."""
        return personal.is_sealed(self.summary.title)


class LobbyBoard:
    """The open tables by id."""

    def __init__(self, pool: Pool, live: LiveState) -> None:
        self.tables: dict[str, OpenTable] = {}
        self.pending: set[str] = set()
        """Tables that have changed; the reader that takes them over removes them."""
        self._swept = float("-inf")
        self._pool = pool
        self._watch = live.watch_all()

    def close(self) -> None:
        """End the board; it must not be used afterwards."""
        self._watch.close()

    async def look(self) -> None:
        """Wait for changes, a second at most, and read them. Raises psycopg.Error."""
        named, lost = await self._watch.changed(AWAY_SECONDS)
        if named and not lost:
            await asyncio.sleep(BEAT_SECONDS)
            more, lost = await self._watch.changed(0)
            named |= more
        since = asyncio.get_running_loop().time() - self._swept
        try:
            if lost or not self._watch.is_live or since > SWEEP_SECONDS:
                await self.sweep()
            else:
                await self._read(named, "notified")
        except BaseException:
            self._watch.lose()
            raise

    async def sweep(self) -> None:
        """Compare all versions and read the tables that differ. Raises psycopg.Error."""
        began = asyncio.get_running_loop().time()
        async with self._pool.connection() as conn:
            now = dict(await log.open_versions(conn, MOST_TABLES))
        for table_id in self.tables.keys() - now.keys():
            del self.tables[table_id]
            self.pending.add(table_id)
        differing = [
            table_id
            for table_id, version in now.items()
            if table_id not in self.tables or self.tables[table_id].version != version
        ]
        await self._read(differing, "sweep")
        self._swept = began

    async def _read(self, table_ids: Iterable[str], why: str) -> None:
        """Read the summaries of these tables."""
        left = iter(table_ids)
        while page := list(islice(left, PAGE)):
            metrics.LOBBY_READS.labels(why).inc()
            async with self._pool.connection() as conn:
                heads = await log.read_heads(conn, page)
            self.pending.update(head.stream_id for head in heads if self._take(head))

    def _take(self, head: StreamHead) -> bool:
        """Take a table over; return whether its summary is another one now."""
        known, now = self.tables.get(head.stream_id), summaries.read(head.summary)
        if now.closed or (known is None and len(self.tables) >= MOST_TABLES):
            return self.tables.pop(head.stream_id, None) is not None
        self.tables[head.stream_id] = OpenTable(head.version, head.created_at_us, now)
        return known is None or known.summary != now
