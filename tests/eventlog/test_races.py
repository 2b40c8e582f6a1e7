"""Two and more writers at once, made to meet: the test holds a lock until the others stand before it, then lets go."""

import asyncio
import json
import random
import subprocess
import sys
from collections.abc import Awaitable

import psycopg
import pytest

from services.eventlog import log
from services.eventlog.records import Appended
from tests.support import log_events, waits
from tests.support.log_events import Connection, event, one

SAME_REQUEST = """
import asyncio, sys, psycopg
from services.eventlog import log
from tests.support.log_events import event, one

async def main(url, stream, answer):
    async with await psycopg.AsyncConnection.connect(url, autocommit=True) as conn:
        (done,) = await log.append(conn, [one(stream, 1, event(7), key="ann:7", answer=answer.encode())])
        print(done.outcome, done.version, done.answer.decode())

asyncio.run(main(*sys.argv[1:]))
"""


async def released(
    conn: Connection, watcher: Connection, lock: str, *racing: Awaitable[list[Appended]]
) -> list[list[Appended]]:
    """Take a lock, let all of ``racing`` run into it, release it, and return what became of them."""
    async with conn.transaction():
        await conn.execute(lock)
        tasks = [asyncio.ensure_future(each) for each in racing]
        await log_events.wait_for_waiting(watcher, len(tasks))
    return await asyncio.wait_for(asyncio.gather(*tasks), waits.SECONDS)


async def test_two_writers_for_a_version_have_one_winner(conn: Connection, others: list[Connection]) -> None:
    """Of two writers that both saw version 1, either one appends, and the other one gets version 2."""
    stream = log_events.stream()
    await log.append(conn, [one(stream, 0)])
    done = await released(
        conn,
        others[2],
        f"SELECT FROM streams WHERE stream_id = '{stream}' FOR UPDATE",
        *(log.append(each, [one(stream, 1, event(place))]) for place, each in enumerate(others[:2])),
    )
    outcomes = sorted((each.outcome, each.version) for (each,) in done)
    assert outcomes == [("appended", 2), ("version_conflict", 2)]
    assert len(await log.read(conn, stream)) == 2


async def test_two_writers_that_make_a_stream_have_one_winner(conn: Connection, others: list[Connection]) -> None:
    """Of two writers that open the same stream, the second waits for the first and gets its version."""
    stream = log_events.stream()
    async with conn.transaction():
        await log.append(conn, [one(stream, 0)])
        second = asyncio.ensure_future(log.append(others[0], [one(stream, 0)]))
        await log_events.wait_for_waiting(others[1])
    (done,) = await asyncio.wait_for(second, waits.SECONDS)
    assert (done.outcome, done.version) == ("version_conflict", 1)


async def test_the_same_request_from_two_processes_is_appended_once(
    conn: Connection, others: list[Connection], postgres_url: str
) -> None:
    """Two processes with the same request at the same moment: one appends, both give the same answer."""
    stream = log_events.stream()
    await log.append(conn, [one(stream, 0)])
    async with conn.transaction():
        await conn.execute("SELECT pg_advisory_xact_lock(hashtextextended('ann:7', 7301))")
        processes = [
            await asyncio.create_subprocess_exec(
                sys.executable, "-c", SAME_REQUEST, postgres_url, stream, answer, stdout=subprocess.PIPE
            )
            for answer in ("from the first", "from the second")
        ]
        await log_events.wait_for_waiting(others[0], 2)
    said = [(await asyncio.wait_for(each.communicate(), waits.SECONDS))[0].decode().split(" ", 2) for each in processes]
    assert sorted(outcome for outcome, _, _ in said) == ["already_appended", "appended"]
    assert len({(version, answer) for _, version, answer in said}) == 1
    assert len(await log.read(conn, stream)) == 2


async def test_the_same_request_for_two_streams_makes_one(conn: Connection, others: list[Connection]) -> None:
    """Two tries of one request that each made up a stream of their own leave one stream."""
    streams = [log_events.stream(), log_events.stream()]
    done = await released(
        conn,
        others[2],
        "SELECT pg_advisory_xact_lock(hashtextextended('open', 7301))",
        *(log.append(each, [one(stream, 0, key="open")]) for each, stream in zip(others, streams, strict=False)),
    )
    assert sorted(each.outcome for (each,) in done) == ["already_appended", "appended"]
    assert len({each.stream_id for (each,) in done}) == 1
    assert [await log.read_head(conn, stream) is None for stream in streams].count(True) == 1


async def test_locks_are_taken_in_order(conn: Connection, others: list[Connection]) -> None:
    """A batch that waits for its lower stream holds no higher one, however the batch is ordered: no deadlock."""
    low, high = sorted([log_events.stream(), log_events.stream()])
    await log.append(conn, [one(low, 0), one(high, 0)])
    async with conn.transaction():
        await conn.execute("SELECT FROM streams WHERE stream_id = %s FOR UPDATE", (low,))
        batch = asyncio.ensure_future(log.append(others[0], [one(high, 1), one(low, 1)]))
        await log_events.wait_for_waiting(others[1])
        async with others[2].transaction():
            await others[2].execute("SELECT FROM streams WHERE stream_id = %s FOR UPDATE NOWAIT", (high,))
        with pytest.raises(psycopg.errors.LockNotAvailable):
            await others[2].execute("SELECT FROM streams WHERE stream_id = %s FOR UPDATE NOWAIT", (low,))
    assert [each.outcome for each in await batch] == ["appended", "appended"]


async def test_batches_that_overlap_never_wait_for_each_other_in_a_ring(
    conn: Connection, others: list[Connection]
) -> None:
    """Batches of the same streams and keys in any order from three connections all end, without a deadlock."""
    streams = [log_events.stream() for _ in range(6)]
    await log.append(conn, [one(stream, 0) for stream in streams])

    async def write(writer: Connection, seed: int) -> list[Appended]:
        dice, done = random.Random(seed), []
        for turn in range(25):
            chosen = dice.sample(streams, 4)
            keys = dice.sample(range(40), 4)
            done += await log.append(
                writer,
                [one(each, None, event(key), key=f"{turn} {key}") for each, key in zip(chosen, keys, strict=True)],
            )
        return done

    done = await asyncio.wait_for(asyncio.gather(*(write(each, place) for place, each in enumerate(others))), 60)
    appended = sum(each.outcome == "appended" for some in done for each in some)
    assert {each.outcome for some in done for each in some} <= {"appended", "already_appended"}
    assert appended + len(streams) == sum((await log.positions(conn)).values())


async def test_many_writers_of_one_stream_lose_nothing(conn: Connection, others: list[Connection]) -> None:
    """Writers that race for every version of a stream: each version has one winner and its event is the stored one."""
    stream = log_events.stream()
    await log.append(conn, [one(stream, 0, event(0))])
    won: dict[int, int] = {1: 0}

    async def write(writer: Connection, name: int) -> None:
        version = 1
        for turn in range(30):
            number = name * 1000 + turn
            (done,) = await log.append(writer, [one(stream, version, event(number))])
            if done.outcome == "appended":
                assert done.version not in won
                won[done.version] = number
            version = done.version

    await asyncio.wait_for(asyncio.gather(*(write(each, place + 1) for place, each in enumerate(others))), 60)
    events = await log.read(conn, stream)
    assert {each.version: json.loads(each.data)["number"] for each in events} == won
    assert len(events) > 30
