"""Following the log while writers commit late, beside a naive reader that loses events in the same history."""

import asyncio
import itertools

import pytest

from services.eventlog import log
from services.eventlog.records import StoredEvent
from tests.support import log_events, waits
from tests.support.log_events import Connection, event, one


class NaiveReader:
    """Follows one global sequence by the last number seen, as is often done."""

    def __init__(self) -> None:
        self.last = 0

    @staticmethod
    async def prepare(conn: Connection) -> None:
        """Make the table that this reader follows."""
        await conn.execute("CREATE TABLE naive (position bigserial PRIMARY KEY, text text)")

    async def read(self, conn: Connection) -> list[str]:
        """Return the new events, as this reader sees them."""
        query = "SELECT position, text FROM naive WHERE position > %s ORDER BY position"
        rows = await (await conn.execute(query, (self.last,))).fetchall()
        if rows:
            self.last = rows[-1][0]
        return [text for _, text in rows]


def texts(events: list[StoredEvent]) -> list[str]:
    """Return the events' data."""
    return [each.data for each in events]


async def test_a_late_commit_in_another_shard_is_neither_skipped_nor_waited_for(
    conn: Connection, others: list[Connection]
) -> None:
    """An event appended first and committed last reaches the follower; a naive reader loses it."""
    late, early = (
        one(log_events.stream(shard=1), 0, event(1, "late")),
        one(log_events.stream(shard=2), 0, event(2, "early")),
    )
    follower, naive = log.Follower(), NaiveReader()
    await naive.prepare(conn)
    async with conn.transaction():
        await log.append(conn, [late])
        await conn.execute("INSERT INTO naive (text) VALUES ('late')")
        await log.append(others[0], [early])
        await others[0].execute("INSERT INTO naive (text) VALUES ('early')")
        assert texts(await follower.read(others[1])) == [early.events[0].data]
        assert await naive.read(others[1]) == ["early"]
    assert texts(await follower.read(others[1])) == [late.events[0].data]
    assert await naive.read(others[1]) == [], "the naive reader found the late event: this test shows nothing"


async def test_within_a_shard_a_later_append_waits_for_the_earlier_commit(
    conn: Connection, others: list[Connection]
) -> None:
    """Two tables of one shard: the second append cannot be seen before the first, so the follower reads 1, then 2."""
    first, second = one(log_events.stream(shard=5), 0, event(1)), one(log_events.stream(shard=5), 0, event(2))
    follower = log.Follower()
    async with conn.transaction():
        await log.append(conn, [first])
        waiting = asyncio.ensure_future(log.append(others[0], [second]))
        await log_events.wait_for_waiting(others[1])
        assert await follower.read(others[1]) == []
    await asyncio.wait_for(waiting, waits.SECONDS)
    events = await follower.read(others[1])
    assert [(each.position, each.data) for each in events] == [(1, first.events[0].data), (2, second.events[0].data)]


async def test_a_rolled_back_append_leaves_no_hole(conn: Connection, others: list[Connection]) -> None:
    """A position taken by a transaction that was undone is given to the next append."""
    async with conn.transaction(force_rollback=True):
        await log.append(conn, [one(log_events.stream(shard=5), 0, event(1), event(2))])
    await log.append(others[0], [one(log_events.stream(shard=5), 0, event(3))])
    assert [each.position for each in await log.Follower().read(conn)] == [1]


async def test_a_hole_is_damage_and_stops_the_follower(conn: Connection) -> None:
    """Where an event was taken out of the log the follower says so and does not go on."""
    stream = log_events.stream(shard=7)
    await log.append(conn, [one(stream, 0, *(event(number) for number in range(5)))])
    await conn.execute("SET session_replication_role = replica")
    await conn.execute("DELETE FROM events WHERE stream_id = %s AND version = 3", (stream,))
    follower = log.Follower()
    assert len(await follower.read(conn, 2)) == 2
    with pytest.raises(log.HoleError, match="position 4 after 2"):
        await follower.read(conn, 2)
    assert follower.seen[7] == 2


async def test_a_follower_resumes_where_it_was_stored(conn: Connection) -> None:
    """Reading in small steps with a new follower each time gives every event once, in order of its stream."""
    streams = [log_events.stream() for _ in range(10)]
    for version in range(4):
        await log.append(conn, [one(stream, version, event(version)) for stream in streams])
    seen: dict[int, int] = {}
    got: list[StoredEvent] = []
    while True:
        follower = log.Follower(seen)
        events = await follower.read(conn, 3)
        if not events:
            break
        got += events
        seen = follower.seen
    assert seen == await log.positions(conn)
    assert len(got) == 40
    for stream in streams:
        assert [each.version for each in got if each.stream_id == stream] == [1, 2, 3, 4]


async def test_under_load_a_follower_reads_every_event_once(conn: Connection, others: list[Connection]) -> None:
    """While writers append batches the follower meets no hole, and at the end has every event once, in order."""

    async def write(writer: Connection) -> None:
        streams = [log_events.stream() for _ in range(5)]
        for version in range(30):
            await log.append(writer, [one(stream, version, event(version)) for stream in streams])

    follower, got = log.Follower(), []
    writers = asyncio.gather(*(write(each) for each in others))
    while not writers.done():
        got += await follower.read(conn, 50)
    await writers
    while events := await follower.read(conn, 50):
        got += events
    assert len({(each.stream_id, each.version) for each in got}) == len(got) == 3 * 5 * 30
    by_stream = sorted(got, key=lambda each: each.stream_id)
    for _, group in itertools.groupby(by_stream, key=lambda each: each.stream_id):
        assert [each.version for each in group] == list(range(1, 31))
