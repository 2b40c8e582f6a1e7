"""Presence in Redis: leases of several processes, those who went away, those whose process is gone."""

import msgspec

from services.livestate import presence, slots
from services.livestate.presence import Present, Report, Seen
from services.livestate.store import LiveState
from tests.livestate.conftest import Raw

TABLE = "6f1b2c3d-0000-4000-8000-00000000a001"
LEASE = 15_000


def report(here: dict[str, int] | None = None, gone: dict[str, int] | None = None, people: str = "ab") -> Report:
    """Return what a process says of the table; ``people`` are those with a seat."""
    return Report(TABLE, here or {}, gone or {}, list(people))


async def test_who_watches_with_any_process_is_present_since_the_first(redis_url: str) -> None:
    """Two processes show a table to one player: it is present since the earlier, and until the later has ended."""
    live = LiveState(redis_url, call_seconds=5.0)
    one = await live.report_presence([report({"a": 1000})], "one", 1000, 1000 + LEASE)
    assert one == {TABLE: Present({"a": Seen(watching=True, since_ms=1000)})}
    two = await live.report_presence([report({"a": 2000, "b": 2000})], "two", 2000, 2000 + LEASE)
    assert two[TABLE].people == {"a": Seen(watching=True, since_ms=1000), "b": Seen(watching=True, since_ms=2000)}
    await live.report_presence([report(gone={"a": 3000})], "one", 3000, 3000 + LEASE)
    assert (await live.presence(TABLE, 3000)).people["a"] == Seen(watching=True, since_ms=2000)
    await live.report_presence([report({"b": 2000}, gone={"a": 4000})], "two", 4000, 4000 + LEASE)
    assert (await live.presence(TABLE, 4000)).people["a"] == Seen(watching=False, since_ms=4000)
    await live.close()


async def test_a_process_that_is_gone_holds_nobody_present(redis_url: str) -> None:
    """A lease that is not renewed runs out; the player counts as away since then."""
    live = LiveState(redis_url, call_seconds=5.0)
    await live.report_presence([report({"a": 1000})], "one", 1000, 1000 + LEASE)
    assert (await live.presence(TABLE, 1000 + LEASE - 1)).people["a"].watching
    assert (await live.presence(TABLE, 1000 + LEASE)).people["a"] == Seen(watching=False, since_ms=1000 + LEASE)
    await live.close()


async def test_people_without_a_seat_are_forgotten(redis_url: str, raw: Raw) -> None:
    """A hash holds fields of seats alone, and expires as a whole."""
    live = LiveState(redis_url, call_seconds=5.0)
    await live.report_presence([report({"a": 1000, "b": 1000})], "one", 1000, 1000 + LEASE)
    await live.report_presence([report({"a": 1000}, people="a")], "two", 2000, 2000 + LEASE)
    assert set((await live.presence(TABLE, 2000)).people) == {"a"}
    assert await live._one(slots.of_table(TABLE), "pttl", slots.presence(TABLE)) > 0
    [key] = [key.decode() for found in await raw.each("keys", "pitboss:presence:*") for key in found]
    assert key == slots.presence(TABLE)
    await live.close()


async def test_many_tables_are_reported_at_once(redis_url: str) -> None:
    """Each table of one report gets its own answer."""
    live = LiveState(redis_url, call_seconds=5.0)
    reports = [Report(f"table-{at}", {"a": at} if at % 2 else {}, {}, ["a"]) for at in range(100)]
    found = await live.report_presence(reports, "one", 1000, 1000 + LEASE)
    assert {table for table, present in found.items() if present.people} == {f"table-{at}" for at in range(1, 100, 2)}
    assert presence.read({}, 0) == Present()
    await live.close()


async def test_those_without_a_seat_are_counted_over_all_processes(redis_url: str) -> None:
    """Each process says how many it shows the table to; what it said runs out like a lease, and a seat keeps it."""
    live = LiveState(redis_url, call_seconds=5.0)
    said = Report(TABLE, {}, {}, ["a"], spectators=3)
    await live.report_presence([said], "one", 1000, 1000 + LEASE)
    found = await live.report_presence([msgspec.structs.replace(said, spectators=2)], "two", 2000, 2000 + LEASE)
    assert found[TABLE] == Present({}, 5)
    assert (await live.presence(TABLE, 1000 + LEASE)).spectators == 2
    await live.report_presence([msgspec.structs.replace(said, spectators=0)], "two", 3000, 3000 + LEASE)
    assert (await live.presence(TABLE, 3000)).spectators == 3
    await live.close()
