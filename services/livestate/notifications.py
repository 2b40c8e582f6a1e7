"""Pub/sub notifications of new table versions: one subscribed connection per process, fanned out to all watchers.

Notifications may be lost (a connection breaks, Redis restarts), so watchers also poll. After each (re)subscription
the current versions are read, so that only versions that Redis itself lost are missed.
"""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable, Sequence
from types import TracebackType
from typing import Any, Final, Self

import redis.asyncio
from redis.asyncio.client import PubSub
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff

Versions = Callable[[Sequence[str]], Awaitable[dict[str, int | None]]]
"""Returns the versions of tables; a table whose server is away is left out."""

BEAT_SECONDS: Final = 5.0
"""A subscribed connection that is silent for this long is pinged; after twice as long it is closed."""
LONGEST_PAUSE: Final = 2.0
_FIRST_PAUSE: Final = 0.05
_AT_ONCE: Final = 500


class Watch:
    """Rising versions of one table, for one watcher; leave it by ``async with`` or ``close``.

    Iterate over it, or call ``newer`` to wait for a bounded time. Of the versions that arrived while the watcher was
    busy only the newest is reported. The version that Redis holds when the watch begins is reported too.
    """

    def __init__(self, table_id: str, leave: Callable[["Watch"], None]) -> None:
        self.table_id = table_id
        self._leave = leave
        self._reported = -1
        self._newest = -1
        self._arrived = asyncio.Event()
        self._closed = False

    def offer(self, version: int) -> None:
        """Record a version; older and known ones are ignored."""
        if version > self._newest:
            self._newest = version
            self._arrived.set()

    async def newer(self, seconds: float) -> int | None:
        """Wait up to ``seconds`` for a newer version; return it, or None if none came or the watch was closed."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._arrived.wait()
        return self._take()

    def close(self) -> None:
        """End the watch: iteration stops."""
        if not self._closed:
            self._closed = True
            self._leave(self)
            self._arrived.set()

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> int:
        await self._arrived.wait()
        version = self._take()
        if version is None:
            raise StopAsyncIteration
        return version

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None
    ) -> None:
        self.close()

    def _take(self) -> int | None:
        if not self._closed:
            self._arrived.clear()
        if self._closed or self._newest <= self._reported:
            return None
        self._reported = self._newest
        return self._reported


class Watchers:
    """All watches of a process; ``subscription_url`` returns the URL of a node, called for each subscription."""

    def __init__(self, subscription_url: Callable[[], str], channel: str, versions: Versions, seconds: float) -> None:
        self._subscription_url = subscription_url
        self._channel = channel
        self._versions = versions
        self._seconds = seconds
        self._watches: dict[str, set[Watch]] = {}
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
        self._changed.set()
        if self._listening is None:
            self._listening = asyncio.create_task(self._listen(), name="livestate watchers")
        return watch

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
        return wanted

    def _receive(self, message: dict[str, Any] | None) -> None:
        if message is None or message["type"] not in {"subscribe", "message"}:
            return
        table_id = message["channel"].decode().removeprefix(self._channel)
        if table_id not in self._watches:
            return
        if message["type"] == "subscribe":
            self._read_soon(table_id)
        else:
            self._offer(table_id, int(message["data"]))

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
