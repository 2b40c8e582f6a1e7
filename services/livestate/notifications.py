"""Pub/sub notifications of new table versions: one subscribed connection per process, fanned out to all watchers.

Notifications may be lost (a connection breaks, Redis restarts), so watchers also poll. After each (re)subscription
the current versions are read, so that only versions that Redis itself lost are missed.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Final

import redis.asyncio
from redis.asyncio.client import PubSub
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff

from services.livestate.watches import Watch, WatchAll

Versions = Callable[[Sequence[str]], Awaitable[dict[str, int | None]]]
"""Returns the versions of tables; a table whose server is away is left out."""

BEAT_SECONDS: Final = 5.0
"""A subscribed connection that is silent for this long is pinged; after twice as long it is closed."""
LONGEST_PAUSE: Final = 2.0
_FIRST_PAUSE: Final = 0.05
_AT_ONCE: Final = 500


class Watchers:
    """All watches of a process; ``subscription_url`` returns the URL of a node, called for each subscription."""

    def __init__(self, subscription_url: Callable[[], str], channel: str, versions: Versions, seconds: float) -> None:
        self._subscription_url = subscription_url
        self._channel = channel
        self._versions = versions
        self._seconds = seconds
        self._watches: dict[str, set[Watch]] = {}
        self._of_all: set[WatchAll] = set()
        self._changed = asyncio.Event()
        self._unread: set[str] = set()
        self._listening: asyncio.Task[None] | None = None
        self._reading: asyncio.Task[None] | None = None
        self._closed = False

    def watch(self, table_id: str) -> Watch:
        """Start watching a table; requires a running event loop."""
        assert not self._closed, "the store is closed"
        watch = Watch(table_id, self._left)
        others = self._watches.setdefault(table_id, set())
        if others:
            self._read_soon(table_id)
        others.add(watch)
        self._start()
        return watch

    def watch_all(self) -> WatchAll:
        """Start watching all tables; requires a running event loop."""
        assert not self._closed, "the store is closed"
        watch = WatchAll(self._all_left)
        self._of_all.add(watch)
        self._start()
        return watch

    def _start(self) -> None:
        self._changed.set()
        if self._listening is None:
            self._listening = asyncio.create_task(self._listen(), name="livestate watchers")

    def _all_left(self, watch: WatchAll) -> None:
        self._of_all.discard(watch)
        self._changed.set()

    async def close(self) -> None:
        """End all watches and the connection."""
        self._closed = True
        for watch in [watch for watches in self._watches.values() for watch in watches]:
            watch.close()
        self._changed.set()
        tasks = [task for task in (self._listening, self._reading) if task is not None]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _ended(self) -> bool:
        """Return whether the running task must end, also where its cancellation was lost.

        Before Python 3.12 a cancellation is lost when it coincides with the end of a ``wait_for`` in the client.
        """
        task = asyncio.current_task()
        return self._closed or (task is not None and task.cancelling() > 0)

    def _left(self, watch: Watch) -> None:
        watches = self._watches.get(watch.table_id, set())
        watches.discard(watch)
        if not watches:
            self._watches.pop(watch.table_id, None)
            self._changed.set()

    # -- the subscribed connection -----------------------------------------------------------------------------

    async def _listen(self) -> None:
        """Keep a connection subscribed; reconnect after every failure."""
        pause = _FIRST_PAUSE
        while not self._ended():
            client = redis.asyncio.Redis.from_url(
                self._subscription_url(), socket_connect_timeout=self._seconds, retry=Retry(NoBackoff(), 0)
            )
            try:
                async with client, client.pubsub() as subscribed:
                    async with asyncio.timeout(self._seconds):
                        await subscribed.subscribe(self._channel)
                    pause = _FIRST_PAUSE
                    await self._serve(subscribed)
            except Exception:  # a broken connection may raise anything; the listener must not end
                for watch in self._of_all:
                    watch.is_live = False
                await asyncio.sleep(pause)
                pause = min(2 * pause, LONGEST_PAUSE)

    async def _serve(self, subscribed: PubSub) -> None:
        have: set[str] = set()
        quiet = 0
        receiving = asyncio.create_task(subscribed.get_message(timeout=BEAT_SECONDS))
        changed = asyncio.create_task(self._changed.wait())
        self._changed.set()
        try:
            while not self._ended():
                await asyncio.wait({receiving, changed}, return_when=asyncio.FIRST_COMPLETED)
                if changed.done():
                    self._changed.clear()
                    changed = asyncio.create_task(self._changed.wait())
                    have = await self._subscribe(subscribed, have)
                if receiving.done():
                    message = receiving.result()
                    quiet = quiet + 1 if message is None else 0
                    receiving = asyncio.create_task(subscribed.get_message(timeout=BEAT_SECONDS))
                    self._receive(message)
                if quiet == 1:
                    await subscribed.ping()
                elif quiet > 1:
                    message = "the subscribed connection does not answer"
                    raise TimeoutError(message)
        finally:
            receiving.cancel()
            changed.cancel()
            # Gathered: suppressing a cancellation here would also suppress the listener's own.
            await asyncio.gather(receiving, changed, return_exceptions=True)

    async def _subscribe(self, subscribed: PubSub, have: set[str]) -> set[str]:
        """Subscribe to the channels of watched tables and unsubscribe from all others."""
        wanted = {self._channel + table_id for table_id in self._watches}
        async with asyncio.timeout(self._seconds):
            if wanted - have:
                await subscribed.subscribe(*(wanted - have))
            if have - wanted:
                await subscribed.unsubscribe(*(have - wanted))
            if all(watch.is_live for watch in self._of_all):
                if not self._of_all:
                    await subscribed.punsubscribe(self._channel + "*")
            else:  # repeated for a second watcher: its answer says from when on nothing is lost
                await subscribed.psubscribe(self._channel + "*")
        return wanted

    def _receive(self, message: dict[str, Any] | None) -> None:
        if message is not None and message["type"] in {"psubscribe", "pmessage"}:
            self._receive_of_all(message)
        if message is None or message["type"] not in {"subscribe", "message"}:
            return
        table_id = message["channel"].decode().removeprefix(self._channel)
        if table_id not in self._watches:
            return
        if message["type"] == "subscribe":
            self._read_soon(table_id)
        else:
            self._offer(table_id, int(message["data"]))

    def _receive_of_all(self, message: dict[str, Any]) -> None:
        for watch in self._of_all:
            if message["type"] == "psubscribe":
                watch.is_live = True
                watch.lose()
            else:
                watch.offer(message["channel"].decode().removeprefix(self._channel))

    def _offer(self, table_id: str, version: int) -> None:
        for watch in self._watches.get(table_id, ()):
            watch.offer(version)

    # -- the versions at the time of the subscription ----------------------------------------------------------

    def _read_soon(self, table_id: str) -> None:
        self._unread.add(table_id)
        if self._reading is None or self._reading.done():
            self._reading = asyncio.create_task(self._read(), name="livestate versions")

    async def _read(self) -> None:
        pause = _FIRST_PAUSE
        while self._unread and not self._ended():
            tables = [self._unread.pop() for _ in range(min(_AT_ONCE, len(self._unread)))]
            try:
                versions = await self._versions(tables)
            except Exception:  # the reader must not end
                versions = {}
            for table_id, version in versions.items():
                if version is not None:
                    self._offer(table_id, version)
            missing = [table_id for table_id in tables if table_id not in versions and table_id in self._watches]
            if missing:
                self._unread.update(missing)
                await asyncio.sleep(pause)
                pause = min(2 * pause, LONGEST_PAUSE)
