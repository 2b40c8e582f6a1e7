"""Live states, versions and deadlines on a real server."""

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator

import pytest

from services.livestate import slots
from services.livestate.breaker import FAILURES
from services.livestate.schedule import Wanted
from services.livestate.store import LiveState, LiveStateAway
from tests.livestate.conftest import Raw, Stoppable, raw_clients
from tests.support import waits


@pytest.fixture
async def live(redis_url: str) -> AsyncIterator[LiveState]:
    """Yield a store on an empty database, with time limits that allow for a busy machine."""
    store = LiveState(redis_url, call_seconds=5)
    yield store
    await store.close()


async def test_what_was_saved_is_loaded(live: LiveState) -> None:
    """A state comes back with its version, byte for byte; a table never saved has none."""
    blob = bytes(range(256)) * 20
    assert await live.save("t1", 7, blob, None, "poker")
    assert await live.load("t1") == (7, blob)
    assert await live.load("t2") is None
    assert await live.versions(["t2", "t1", "t3"]) == [None, 7, None]
    assert await live.versions([]) == []


async def test_an_older_version_never_replaces_a_newer(live: LiveState) -> None:
    """A late save of an older version returns False and changes nothing; the same version may be saved again."""
    assert await live.save("t1", 10, b"ten", 5_000, "poker")
    assert not await live.save("t1", 9, b"nine", None, "poker")
    assert await live.load("t1") == (10, b"ten")
    assert await live.due("poker", 5_000, 10) == [("t1", 5_000)]
    assert await live.save("t1", 10, b"ten again", 6_000, "poker")
    assert await live.load("t1") == (10, b"ten again")


async def test_versions_are_compared_as_numbers(live: LiveState) -> None:
    """Version 10 is newer than 9, and versions are exact up to the greatest one."""
    await live.save("t1", 9, b"a", None, "poker")
    assert await live.save("t1", 10, b"b", None, "poker")
    last = (1 << 53) - 1
    assert await live.save("t1", last, b"c", last, "poker")
    assert not await live.save("t1", last - 1, b"d", None, "poker")
    assert await live.load("t1") == (last, b"c")
    assert await live.due("poker", last, 10) == [("t1", last)]


async def test_racing_saves_leave_the_newest(live: LiveState) -> None:
    """Of many saves that race for a table the newest version stays, and its deadline with it."""
    versions = [(7 * step) % 100 for step in range(100)]
    await asyncio.gather(*(live.save("t1", version, b"%d" % version, version, "poker") for version in versions))
    assert await live.load("t1") == (99, b"99")
    assert await live.due("poker", 100, 10) == [("t1", 99)]


async def test_idle_states_expire(redis_url: str, raw: Raw) -> None:
    """A state expires unless it is saved again; each save restarts its time."""
    store = LiveState(redis_url, call_seconds=5, keep_seconds=100)
    await store.save("t1", 1, b"x", None, "poker")
    node, key = await raw.holder("t1")
    assert 99_000 < await node.pttl(key) <= 100_000
    await node.pexpire(key, 5_000)
    await store.save("t1", 2, b"x", None, "poker")
    assert 99_000 < await node.pttl(key) <= 100_000
    await store.close()


async def test_deadlines_are_listed_by_family_and_time(live: LiveState) -> None:
    """Due deadlines of the family are listed, the earliest first, up to the limit."""
    for table, deadline, family in [("a", 300, "poker"), ("b", 100, "poker"), ("c", 200, "poker"), ("d", 50, "tricks")]:
        await live.save(table, 1, b"x", deadline, family)
    assert await live.due("poker", 200, 10) == [("b", 100), ("c", 200)]
    assert await live.due("poker", 1_000, 2) == [("b", 100), ("c", 200)]
    assert await live.due("poker", 99, 10) == []
    assert await live.due("climbing", 1_000, 10) == []


async def test_a_save_moves_or_takes_out_the_deadline(live: LiveState) -> None:
    """A table has one deadline: the one of its newest version, or none."""
    await live.save("t1", 1, b"x", 100, "poker")
    await live.save("t1", 2, b"x", 900, "poker")
    assert await live.due("poker", 1_000, 10) == [("t1", 900)]
    await live.save("t1", 3, b"x", None, "poker")
    assert await live.due("poker", 1_000, 10) == []


async def test_only_the_deadline_that_was_meant_is_forgotten(live: LiveState) -> None:
    """A dealer that served an old deadline cannot delete the present one."""
    await live.save("t1", 1, b"x", 100, "poker")
    await live.save("t1", 2, b"x", 900, "poker")
    assert not await live.forget_deadline("t1", 100, "poker")
    assert await live.due("poker", 1_000, 10) == [("t1", 900)]
    assert await live.forget_deadline("t1", 900, "poker")
    assert not await live.forget_deadline("t1", 900, "poker")
    assert await live.due("poker", 1_000, 10) == []


async def test_a_save_is_one_command(own_site: Stoppable) -> None:
    """After the first one, which teaches the server the script, a save is a single command."""
    # Servers of its own: a shared one counts the commands of others too.
    live = LiveState(own_site.url, call_seconds=5)
    async with contextlib.AsyncExitStack() as stack:
        stack.push_async_callback(live.close)
        raw = await stack.enter_async_context(raw_clients(own_site.url))
        await live.save("t1", 1, b"x", 100, "poker")
        node, _ = await raw.holder("t1")
        before = (await node.info("commandstats"))["cmdstat_evalsha"]["calls"]
        total = (await node.info("stats"))["total_commands_processed"]
        await live.save("t1", 2, b"x", 100, "poker")
        after = await node.info("everything")
    assert after["cmdstat_evalsha"]["calls"] == before + 1
    # Four commands inside the script are counted too, and the one that asked for the statistics before.
    assert after["total_commands_processed"] - total <= 7


async def test_scripts_survive_a_forgetful_server(live: LiveState, raw: Raw) -> None:
    """A server that has lost its scripts gets them again with the next call."""
    await live.save("t1", 1, b"x", 100, "poker")
    await raw.each("script_flush")
    assert await live.save("t1", 2, b"y", 200, "poker")
    assert await live.forget_deadline("t1", 200, "poker")


async def test_a_flush_loses_states_and_nothing_else(live: LiveState, raw: Raw) -> None:
    """After a flush the store is empty and takes saves of any version again."""
    await live.save("t1", 50, b"x", 100, "poker")
    await raw.each("flushdb")
    assert await live.load("t1") is None
    assert await live.due("poker", 1_000, 10) == []
    assert await live.save("t1", 49, b"y", None, "poker")


async def test_a_slow_server_is_away_within_the_bound(live: LiveState, redis_url: str, raw: Raw) -> None:
    """A silent server costs a few calls their bound and later ones nothing; afterwards answers are not mixed up."""
    for number in range(20):
        await live.save(f"t{number}", number, b"%d" % number, None, "poker")
    store = LiveState(redis_url, call_seconds=0.2)
    await raw.each("client_pause", 3_000)
    started = time.monotonic()
    for _ in range(FAILURES):
        with pytest.raises(LiveStateAway, match="did not answer"):
            await store.load("t1")
    assert time.monotonic() - started < 2
    assert store.away
    for _ in range(50):
        with pytest.raises(LiveStateAway, match="a moment ago"):
            await store.load("t1")
    found: dict[int, tuple[int, bytes] | None] = {}

    async def all_found() -> bool:
        for number in range(20):
            with contextlib.suppress(LiveStateAway):
                found[number] = await store.load(f"t{number}")
        return len(found) == 20

    await waits.eventually(all_found, "every table is answered again")
    assert found == {number: (number, b"%d" % number) for number in range(20)}
    await store.close()


async def test_a_cancelled_call_mixes_up_no_answers(live: LiveState) -> None:
    """Calls cut off at any moment leave no connection whose next answer belongs to another call."""
    for number in range(10):
        await live.save(f"t{number}", number, b"%d" % number, None, "poker")
    for turn in range(60):
        asking = asyncio.create_task(live.load(f"t{turn % 10}"))
        await waits.turns(turn % 12)
        asking.cancel()
        await asyncio.gather(asking, return_exceptions=True)
        assert await live.load("t3") == (3, b"3")


async def test_cut_connections_are_not_noticed(live: LiveState, raw: Raw) -> None:
    """When the server cuts every connection the next calls succeed on new ones."""
    await asyncio.gather(*(live.save(f"t{number}", 1, b"x", None, "poker") for number in range(20)))
    await raw.each("client_kill_filter", _type="normal", skipme=True)
    found = await asyncio.gather(*(live.load(f"t{number}") for number in range(20)))
    assert found == [(1, b"x")] * 20
    assert not live.away


async def test_a_server_that_stops_and_returns(own_site: Stoppable) -> None:
    """While the server is stopped calls fail fast with one kind of error; once it is back the store works, empty."""
    store = LiveState(own_site.url, call_seconds=1)
    await store.save("t1", 5, b"x", 100, "poker")
    await asyncio.to_thread(own_site.stop)
    started = time.monotonic()
    for call in range(200):
        with pytest.raises(LiveStateAway):
            await (store.save("t1", call, b"x", None, "poker") if call % 2 else store.load("t1"))
    assert time.monotonic() - started < 2
    with pytest.raises(LiveStateAway):
        await store.ping()
    await asyncio.to_thread(own_site.start)
    await _answers_again(store)
    assert await store.load("t1") is None
    assert await store.save("t1", 6, b"y", 100, "poker")
    assert not store.away
    await store.close()


async def test_refusals_of_the_server_are_no_surprise(live: LiveState, raw: Raw) -> None:
    """A nonsensical answer (another program's key) is the same error as an absent server."""
    await live.save("t1", 0, b"x", None, "poker")
    node, key = await raw.holder("t1")
    await node.set(key, "not a hash")
    with pytest.raises(LiveStateAway) as caught:
        await live.save("t1", 1, b"sealed bytes", None, "poker")
    assert "sealed bytes" not in str(caught.value)


async def test_bounds_are_kept(live: LiveState) -> None:
    """What cannot be stored exactly is refused before it reaches the server."""
    with pytest.raises(AssertionError, match="not a version"):
        await live.save("t1", 1 << 53, b"x", None, "poker")
    with pytest.raises(AssertionError, match="not a deadline"):
        await live.save("t1", 1, b"x", -1, "poker")
    with pytest.raises(AssertionError, match="at most"):
        await live.save("t1", 1, bytes((4 << 20) + 1), None, "poker")


async def _answers_again(store: LiveState) -> None:
    """Wait until the circuit has closed again, as it must within the longest pause."""
    await waits.answered(lambda: store.versions(["t1"]), LiveStateAway)


async def test_tables_without_state_or_deadline_are_found_at_once(live: LiveState) -> None:
    """One round trip finds the tables that lack the state of a version or a deadline; all others are scheduled."""
    await live.save("t1", 3, b"blob", 1_000, "poker")
    await live.save("t2", 4, b"blob", None, "tricks")
    await live.save("t4", 10, b"blob", 1_000, "tricks")
    asked = [("t1", 3, "poker"), ("t2", 4, "tricks"), ("t3", 1, "poker"), ("t4", 10, "tricks")]
    wanted = [Wanted(*one) for one in asked]
    assert await live.unscheduled(wanted) == {"t2": True, "t3": True}
    others = [Wanted("t1", 2, "poker"), Wanted("t1", 4, "poker"), Wanted("t1", 3, "tricks")]
    assert [await live.unscheduled([one]) for one in others] == [{"t1": True}] * 3
    assert await live.unscheduled([]) == {}


async def test_due_tables_of_many_families_are_listed_at_once(live: LiveState) -> None:
    """Each family has its own list, by time; a family without any is in the answer."""
    for table, deadline, family in [("a", 30, "poker"), ("b", 10, "poker"), ("c", 20, "tricks"), ("d", 90, "tricks")]:
        await live.save(table, 1, b"x", deadline, family)
    found = await live.due_by_family(["tricks", "banker", "poker"], 50, [100] * slots.COUNT)
    assert found == {"tricks": [("c", 20)], "banker": [], "poker": [("b", 10), ("a", 30)]}
