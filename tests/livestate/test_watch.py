"""Notifications of new versions on a real server, also when its connections break."""

import asyncio
import contextlib
from collections.abc import AsyncIterator

import pytest

from services.livestate import notifications, watches
from services.livestate.store import LiveState, LiveStateAway
from services.livestate.watches import Watch, WatchAll
from services.localhouse import embedded
from tests.livestate.conftest import Raw, Stoppable
from tests.support import waits

PATIENCE = 60.0


@pytest.fixture
async def live(redis_url: str) -> AsyncIterator[LiveState]:
    """Yield a store on an empty database."""
    store = LiveState(redis_url, call_seconds=5)
    yield store
    await store.close()


@pytest.fixture
async def other(redis_url: str) -> AsyncIterator[LiveState]:
    """Yield the store of another process."""
    store = LiveState(redis_url, call_seconds=5)
    yield store
    await store.close()


async def save(store: LiveState, table: str, version: int) -> None:
    """Save some state at a version."""
    await store.save(table, version, b"x", None, "poker")


async def reaches(watch: Watch, version: int) -> list[int]:
    """Return the versions that the watch reports, up to one of them."""
    told: list[int] = []
    async with asyncio.timeout(PATIENCE):
        async for found in watch:
            told.append(found)
            if found >= version:
                return told
    raise AssertionError("unreachable")


async def test_a_save_reaches_the_watchers_of_all_processes(live: LiveState, other: LiveState) -> None:
    """Watchers in both processes hear of a version that one of them saved, and of their own table only."""
    async with live.watch("t1") as mine, other.watch("t1") as theirs, other.watch("t2") as elsewhere:
        await save(live, "t1", 1)
        assert await reaches(mine, 1) == [1]
        assert await reaches(theirs, 1) == [1]
        await save(live, "t1", 2)
        assert await reaches(theirs, 2) == [2]
        assert await elsewhere.newer(0.1) is None


async def test_a_watch_begins_with_what_is_there(live: LiveState, other: LiveState) -> None:
    """A version saved before the watch began is reported, to the first watcher of a process and to later ones."""
    await save(other, "t1", 41)
    async with live.watch("t1") as first:
        assert await reaches(first, 41) == [41]
        async with live.watch("t1") as second:
            assert await reaches(second, 41) == [41]


async def test_versions_rise(live: LiveState, other: LiveState) -> None:
    """At any speed a watcher gets rising versions and the last one; a busy one skips those between."""
    async with live.watch("t1") as watch:
        for version in range(1, 201):
            await save(other, "t1", version)
        told = await reaches(watch, 200)
        assert told == sorted(set(told))
        await save(other, "t1", 199)
        assert await watch.newer(0.1) is None


async def test_many_watchers_share_one_connection(live: LiveState, other: LiveState, raw: Raw) -> None:
    """A hundred watchers of ten tables hear their table's version over one subscribed connection."""
    async with contextlib.AsyncExitStack() as stack:
        watches = [await stack.enter_async_context(live.watch(f"t{number % 10}")) for number in range(100)]
        for number in range(10):
            await save(other, f"t{number}", 100 + number)
        told = await asyncio.gather(*(reaches(watch, 100) for watch in watches))
        assert told == [[100 + number % 10] for number in range(100)]
        assert await raw.subscribers() == 1


async def test_those_who_left_are_no_burden(live: LiveState, raw: Raw) -> None:
    """When the last watcher of a table has left, its channel is given up."""
    async with live.watch("t1"), live.watch("t1"), live.watch("t2"):
        await _until(raw, 3)
    await _until(raw, 1)


async def test_a_bounded_wait_can_be_repeated(live: LiveState, other: LiveState) -> None:
    """A wait that timed out or was cancelled does not change the watch."""
    async with live.watch("t1") as watch:
        assert await watch.newer(0.01) is None
        waiting = asyncio.create_task(anext(watch))
        await waits.turns()
        waiting.cancel()
        await asyncio.gather(waiting, return_exceptions=True)
        await save(other, "t1", 3)
        assert await watch.newer(PATIENCE) == 3


async def test_closing_ends_the_iteration(live: LiveState) -> None:
    """An iteration over a watch ends when the watch or the store is closed."""
    watch = live.watch("t1")
    iterating = asyncio.create_task(_all(watch))
    await waits.turns()
    watch.close()
    assert await asyncio.wait_for(iterating, PATIENCE) == []
    iterating = asyncio.create_task(_all(live.watch("t2")))
    await waits.turns()
    await live.close()
    assert await asyncio.wait_for(iterating, PATIENCE) == []


async def test_it_closes_at_any_moment(redis_url: str, raw: Raw) -> None:
    """A store closes soon, whether its subscribed connection is being made, is up, or was cut a moment ago."""
    for turn in range(60):
        store = LiveState(redis_url, call_seconds=5)
        store.watch("t1")
        if turn % 2:
            await _until(raw, 2)
            await raw.each("client_kill_filter", _type="pubsub")
        await waits.turns(turn // 2)
        await asyncio.wait_for(store.close(), PATIENCE)


async def test_a_cut_connection_is_made_anew(live: LiveState, other: LiveState, raw: Raw) -> None:
    """Each time the server cuts the subscribed connection the watcher still hears the version saved meanwhile."""
    async with live.watch("t1") as watch:
        for version in range(1, 6):
            await _until(raw, 2)
            assert sum(await raw.each("client_kill_filter", _type="pubsub")) >= 1
            await save(other, "t1", version)
            assert await reaches(watch, version) == [version]


async def test_a_stopped_server_is_found_again(own_site: Stoppable) -> None:
    """A watch lives through a stop of the server, begun before it or during it, and hears versions saved after it."""
    store = LiveState(own_site.url, call_seconds=1)
    async with contextlib.AsyncExitStack() as stack:
        stack.push_async_callback(store.close)
        before = store.watch("t1")
        await save(store, "t1", 1)
        assert await reaches(before, 1) == [1]
        await asyncio.to_thread(own_site.stop, immediate=True)
        during = store.watch("t1")
        # An answer that was under way when the server died may still tell the version before.
        assert await during.newer(0.3) in {None, 1}
        await asyncio.to_thread(own_site.start)
        await waits.answered(lambda: save(store, "t1", 2), LiveStateAway, seconds=PATIENCE)
        assert await reaches(before, 2) == [2]
        assert (await reaches(during, 2))[-1] == 2


async def test_a_silent_connection_is_given_up(
    own_redis: embedded.EmbeddedRedis, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A subscribed connection that does not answer a ping is replaced."""
    monkeypatch.setattr(notifications, "BEAT_SECONDS", 0.2)
    relay = _Relay(own_redis.port or 0)
    silent = await asyncio.start_server(relay.serve, "127.0.0.1", 0)
    port = silent.sockets[0].getsockname()[1]
    relayed = LiveState(own_redis.url.replace(f":{own_redis.port}/", f":{port}/"), call_seconds=1)
    direct = LiveState(own_redis.url, call_seconds=5)
    async with contextlib.AsyncExitStack() as stack:
        stack.push_async_callback(relayed.close)
        stack.push_async_callback(direct.close)
        watch = relayed.watch("t1")
        await save(direct, "t1", 1)
        assert await reaches(watch, 1) == [1]
        relay.muted = set(relay.known)
        await save(direct, "t1", 2)
        assert await reaches(watch, 2) == [2]
    silent.close()
    relay.close()


class _Relay:
    """Passes bytes on to the server, until a connection is muted: then it swallows them."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.known: set[int] = set()
        self.muted: set[int] = set()
        self.writers: list[asyncio.StreamWriter] = []

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Relay one connection."""
        number = len(self.known)
        self.known.add(number)
        up_reader, up_writer = await asyncio.open_connection("127.0.0.1", self.port)
        self.writers += [writer, up_writer]
        await asyncio.gather(self._pass(number, reader, up_writer), self._pass(number, up_reader, writer))

    def close(self) -> None:
        """Close all connections, so that none is left to the end of the event loop."""
        for writer in self.writers:
            writer.close()

    async def _pass(self, number: int, source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError):
            while data := await source.read(1 << 16):
                if number not in self.muted:
                    target.write(data)
                    await target.drain()
        target.close()


async def _all(watch: Watch) -> list[int]:
    return [version async for version in watch]


async def _until(raw: Raw, channels: int) -> None:
    """Wait until so many channels are listened to."""

    async def listened() -> bool:
        return await raw.channels() == channels

    await waits.eventually(listened, f"{channels} channels", seconds=PATIENCE)


async def tables_of(watch: WatchAll, wanted: set[str]) -> None:
    """Wait until a watch of all tables has named these."""
    named: set[str] = set()
    async with asyncio.timeout(PATIENCE):
        while not wanted <= named:
            named |= (await watch.changed(PATIENCE))[0]


async def live_again(watch: WatchAll) -> None:
    """Wait until a watch of all tables is subscribed and says that it may have missed something."""
    async with asyncio.timeout(PATIENCE):
        while not (await watch.changed(0.1))[1] or not watch.is_live:
            pass


async def test_a_watch_of_all_tables_names_every_one(live: LiveState, other: LiveState) -> None:
    """Tables of all processes, beside watches of one table; a second watch begins with what may be lost."""
    watch = live.watch_all()
    await live_again(watch)
    async with live.watch("t1") as one:
        for table in ("t1", "t2", "t3"):
            await save(other, table, 1)
        await tables_of(watch, {"t1", "t2", "t3"})
        assert await reaches(one, 1) == [1]
        second = live.watch_all()
        await live_again(second)
        await save(other, "t4", 1)
        await tables_of(watch, {"t4"})
        await tables_of(second, {"t4"})
        second.close()
    watch.close()
    third = live.watch_all()
    await live_again(third)
    await save(other, "t5", 1)
    await tables_of(third, {"t5"})


async def test_too_many_tables_to_name_are_told_as_lost(live: LiveState, monkeypatch: pytest.MonkeyPatch) -> None:
    """The memory of a watcher that does not look is bounded; it learns that any table may have changed."""
    monkeypatch.setattr(watches, "MOST_REMEMBERED", 2)
    watch = live.watch_all()
    await live_again(watch)
    for table in ("t1", "t2", "t3"):
        watch.offer(table)
    assert await watch.changed(0) == ({"t3"}, True)
    assert await watch.changed(0) == (set(), False)


async def test_a_watch_of_all_tables_outlives_a_redis(own_site: Stoppable) -> None:
    """While Redis is away the watch is not live; when it is back, anything may be lost, and new tables are named."""
    store = LiveState(own_site.url, call_seconds=5)
    watch = store.watch_all()
    await live_again(watch)
    own_site.stop()
    await waits.eventually(lambda: not watch.is_live, "Redis is away", seconds=PATIENCE)
    own_site.start()
    await live_again(watch)
    await save(store, "t1", 1)
    await tables_of(watch, {"t1"})
    await store.close()
