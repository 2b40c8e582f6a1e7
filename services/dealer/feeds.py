"""All feeds of one dealer: a table's begins with its first watcher and ends a little after the last has left."""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from typing import Final

from services.dealer.admission import AdmissionPolicy
from services.dealer.audience import Audience, refuse_stranger
from services.dealer.feed import Feed, viewer
from services.dealer.pace import Pace
from services.dealer.tables import Tables
from services.dealer.views import Row
from services.eventlog import log
from services.livestate.store import LiveState
from services.privacy.names import Names
from services.runtime import clock, context, logs, metrics
from services.runtime.clock import NowMs
from services.runtime.identity import Caller
from services.runtime.pools import Pool

POLL_SECONDS: Final = 1.0
"""How often the log is polled for all feeds, so that a lost notification does not stall their watchers."""
POLLED: Final = 1000
"""Tables in one question to the database."""
LINGER_SECONDS: Final = 5.0
"""Seconds that a feed lives after its last watcher, so that watchers who return at once cost no new read."""
MOST_FAILURES: Final = 3
"""Failed reads of the log in a row before the watchers are notified."""

trace = logs.get("feeds")


class _Shared:
    """A feed with the number of its holders and the tasks that serve it."""

    def __init__(self, feed: Feed) -> None:
        self.feed = feed
        self.holders = 0
        self.opening = asyncio.create_task(feed.open(), name="feed opening")
        self.tasks: list[asyncio.Task[None]] = []

    def close(self) -> None:
        for task in (self.opening, *self.tasks):
            task.cancel()


class Feeds:
    """Serves the watchers of one dealer process; ``busy`` returns whether commands are running."""

    def __init__(
        self,
        tables: Tables,
        live: LiveState,
        pool: Pool,
        admission: AdmissionPolicy,
        busy: Callable[[], bool],
        names: Names,
        most_watchers: int,
        now_ms: NowMs = clock.wall_ms,
    ) -> None:
        self._tables, self._live, self._pool, self._names, self._now_ms = tables, live, pool, names, now_ms
        self._pace = Pace(busy)
        self._feeds: dict[str, _Shared] = {}
        self._polling: asyncio.Task[None] | None = None
        self.audience = Audience(admission, most_watchers)
        tables.listener = self.hear

    def hear(self, table_id: str, first_version: int, rows: Sequence[Row]) -> None:
        """Pass on events that this process has appended or read."""
        shared = self._feeds.get(table_id)
        if shared is not None:
            shared.feed.hear(first_version, rows)

    async def watch(self, table_id: str, after: int, caller: Caller) -> AsyncGenerator[bytes, None]:
        """Yield encoded messages: the table as the caller may see it now, then after each change. Raises Refused."""
        async with self._held(table_id) as feed:
            refuse_stranger(feed.table.core, caller)
            await self.audience.refuse(feed, caller)
            seated = viewer(feed.table, caller) is not None
            with self.audience.enter(feed, caller, seated=seated) as watcher:
                await feed.level(after)
                sent, version, language = after, feed.version, context.current().language
                while True:
                    await feed.learn(language)
                    if feed.failure is not None:
                        raise feed.refusal()
                    message, version, stirs = feed.message(sent, caller, language), feed.version, feed.stirs
                    context.current().resume = {"version": version}
                    yield message
                    sent = version
                    await watcher.next(sent, stirs)

    def open(self) -> list[Feed]:
        """Return the feeds that can be shown."""
        return [one.feed for one in self._feeds.values() if one.tasks]

    async def close(self) -> None:
        """End all feeds."""
        self._pace.close()
        tasks = [task for shared in self._feeds.values() for task in (shared.opening, *shared.tasks)]
        for shared in self._feeds.values():
            shared.close()
        if self._polling is not None:
            self._polling.cancel()
            tasks.append(self._polling)
        await asyncio.gather(*tasks, return_exceptions=True)

    @asynccontextmanager
    async def _held(self, table_id: str) -> AsyncIterator[Feed]:
        """Yield the open feed of a table for as long as it is used. Raises Refused, psycopg.Error."""
        shared = self._feeds.get(table_id)
        if shared is None:
            opener = self._tables.opener(table_id)
            shared = _Shared(Feed(table_id, self._pool, opener, self._pace, self._names, self._now_ms))
            self._feeds[table_id] = shared
            shared.opening.add_done_callback(lambda _: self._opened(shared))
            metrics.FEEDS.set(len(self._feeds))
        shared.holders += 1
        try:
            await asyncio.shield(shared.opening)
            self._tables.refuse_family(shared.feed.table.core.opening.family, "the table")
            yield shared.feed
        finally:
            shared.holders -= 1
            if not shared.holders:
                asyncio.get_running_loop().call_later(LINGER_SECONDS, self._drop_unused, shared)

    def _opened(self, shared: _Shared) -> None:
        if shared.opening.cancelled() or shared.opening.exception() is not None:
            self._drop(shared)
        else:
            shared.tasks = [
                asyncio.create_task(self._listen(shared.feed), name="feed notifications"),
                asyncio.create_task(self._follow(shared), name="feed"),
            ]
            if self._polling is None or self._polling.done():
                self._polling = asyncio.create_task(self._poll(), name="poll of feeds")

    def _drop_unused(self, shared: _Shared) -> None:
        if not shared.holders:
            self._drop(shared)

    def _drop(self, shared: _Shared) -> None:
        if self._feeds.get(shared.feed.table_id) is shared:
            del self._feeds[shared.feed.table_id]
        shared.close()
        metrics.FEEDS.set(len(self._feeds))

    async def _listen(self, feed: Feed) -> None:
        """Let the feed read the log when Redis announces a version that the feed does not know."""
        async with self._live.watch(feed.table_id) as changes:
            async for version in changes:
                if version > feed.version:
                    feed.behind.set()

    async def _poll(self) -> None:
        """Ask the log once a second for the last events of all watched tables, while there are any."""
        while self._feeds:
            await asyncio.sleep(POLL_SECONDS)
            feeds = self.open()
            for first in range(0, len(feeds), POLLED):
                some = feeds[first : first + POLLED]
                tips: dict[str, tuple[int, bytes]] = {}
                try:
                    async with self._pool.connection() as conn:
                        tips = await log.tips(conn, [feed.table_id for feed in some])
                except Exception as error:  # each feed asks by itself, and reports what it cannot read
                    trace.warning("the log cannot be polled", cause=type(error).__name__)
                for feed in some:
                    feed.poll(tips.get(feed.table_id))

    async def _follow(self, shared: _Shared) -> None:
        """Read the log when it is due, until the feed is dropped or fails."""
        feed, failures = shared.feed, 0
        while True:
            await feed.behind.wait()
            why = feed.why
            try:
                await feed.look(why)
            except Exception as error:  # any failure is reported to the watchers
                failures += 1
                trace.warning("a feed cannot read the log", cause=type(error).__name__, failures=failures)
                if failures == MOST_FAILURES:
                    feed.fail(error)
                    self._drop(shared)
                    return
                await asyncio.sleep(POLL_SECONDS)
                feed.behind.set()
            else:
                failures = 0
