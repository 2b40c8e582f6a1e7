"""Group commit: appends that meet go together, each with its own outcome, whatever happens to the others."""

import asyncio
import time
from collections.abc import AsyncIterator
from typing import Any

import psutil
import psycopg
import psycopg_pool
import pytest

from services.eventlog import appender as appenders
from services.eventlog import log, verify
from services.localhouse import embedded
from services.runtime import pools as runtime_pools
from tests.support import echo, log_events, pools, waits
from tests.support.log_events import Connection, event, one

Pool = psycopg_pool.AsyncConnectionPool[Any]


@pytest.fixture
async def connections(postgres_url: str) -> AsyncIterator[Pool]:
    """Yield a dealer's pool."""
    async with pools.make_pool(postgres_url, "pitboss_dealer", most=3) as made:
        yield made


async def transactions(conn: Connection) -> int:
    """Count the different transactions that wrote the events."""
    row = await (await conn.execute("SELECT count(DISTINCT xmin::text) FROM events")).fetchone()
    assert row is not None
    return int(row[0])


async def test_appends_that_arrive_together_are_committed_together(connections: Pool, conn: Connection) -> None:
    """Appends that arrive while a batch is committed share the next commit, and each gets its own answer."""
    async with log.Appender(connections) as appender:
        streams = [log_events.stream() for _ in range(50)]
        done = await asyncio.gather(
            *(appender.append(one(each, 0, answer=str(place).encode())) for place, each in enumerate(streams))
        )
    assert [each.answer for each in done] == [str(place).encode() for place in range(50)]
    assert {each.outcome for each in done} == {"appended"}
    assert await transactions(conn) <= 2


async def test_a_batch_is_bounded(connections: Pool, conn: Connection) -> None:
    """No commit holds more appends than the bound."""
    async with log.Appender(connections, batch=10) as appender:
        await asyncio.gather(*(appender.append(one(log_events.stream(), 0)) for _ in range(50)))
    assert await transactions(conn) == 5


async def test_too_many_waiting_appends_are_refused(connections: Pool) -> None:
    """A full queue refuses at once, appends nothing of it, and takes appends again when it has room."""
    refused = log_events.stream()
    async with log.Appender(connections, most_waiting=3) as appender:
        tasks = [asyncio.ensure_future(appender.append(one(log_events.stream(), 0))) for _ in range(3)]
        await waits.turns()
        with pytest.raises(log.LogBusyError, match="3 appends wait already"):
            await appender.append(one(refused, 0))
        await asyncio.gather(*tasks)
        assert (await appender.append(one(refused, 0))).outcome == "appended"


async def test_one_bad_value_fails_alone(connections: Pool) -> None:
    """A batch that the database refuses for one append is tried singly: only that caller gets the error."""
    async with log.Appender(connections) as appender:
        done = await asyncio.gather(
            appender.append(one(log_events.stream(), 0, key="a")),
            appender.append(one(log_events.stream(), 0, summary="{nonsense")),
            appender.append(one(log_events.stream(), 0)),
            return_exceptions=True,
        )
    assert isinstance(done[1], psycopg.DataError)
    assert [each.outcome for each in (done[0], done[2]) if not isinstance(each, BaseException)] == ["appended"] * 2


async def test_a_callers_cancellation_does_not_undo_the_append(connections: Pool, conn: Connection) -> None:
    """A caller that goes away leaves its append to be made, and the others of the batch unharmed."""
    streams = [log_events.stream() for _ in range(3)]
    async with log.Appender(connections) as appender:
        tasks = [asyncio.ensure_future(appender.append(one(each, 0))) for each in streams]
        await waits.turns()
        tasks[1].cancel()
        done = await asyncio.gather(*tasks, return_exceptions=True)
    assert isinstance(done[1], asyncio.CancelledError)
    for each in streams:
        assert len(await log.read(conn, each)) == 1


async def test_fifty_times_the_same_request_is_one_append(
    connections: Pool, postgres_url: str, conn: Connection
) -> None:
    """The same request fifty times at once over two processes' pools appends once and gives one answer."""
    stream = log_events.stream()
    async with (
        pools.make_pool(postgres_url, "pitboss_dealer") as second,
        log.Appender(connections) as ours,
        log.Appender(second) as theirs,
    ):
        done = await asyncio.gather(
            *(
                (ours, theirs)[place % 2].append(one(stream, 0, key="k", answer=str(place).encode()))
                for place in range(50)
            )
        )
    assert sorted(each.outcome for each in done) == ["already_appended"] * 49 + ["appended"]
    assert len({each.answer for each in done}) == 1
    assert len(await log.read(conn, stream)) == 1


async def test_a_lost_connection_is_tried_again(connections: Pool, conn: Connection) -> None:
    """Appends whose connection is killed under them are made over another one, none twice."""
    stream, other = log_events.stream(), log_events.stream()
    await log.append(conn, [one(stream, 0)])
    async with log.Appender(connections) as appender:
        async with conn.transaction():
            await conn.execute("SELECT FROM streams WHERE stream_id = %s FOR UPDATE", (stream,))
            first = asyncio.ensure_future(appender.append(one(stream, 1, key="k", answer=b"yes")))
            second = asyncio.ensure_future(appender.append(one(other, 0)))
            await log_events.wait_for_waiting(conn)
            await conn.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                " WHERE datname = current_database() AND pid <> pg_backend_pid()"
            )
        done = await asyncio.wait_for(asyncio.gather(first, second), waits.SECONDS)
    assert [(each.outcome, each.version) for each in done] == [("appended", 2), ("appended", 1)]
    assert len(await log.read(conn, stream)) == 2


async def test_an_append_that_could_happen_twice_is_not_repeated(connections: Pool, conn: Connection) -> None:
    """Without request key and expected version a lost connection is an error: the caller must look."""
    stream = log_events.stream()
    await log.append(conn, [one(stream, 0)])
    async with log.Appender(connections) as appender:
        async with conn.transaction():
            await conn.execute("SELECT FROM streams WHERE stream_id = %s FOR UPDATE", (stream,))
            blind = asyncio.ensure_future(appender.append(one(stream, None)))
            await log_events.wait_for_waiting(conn)
            await conn.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                " WHERE datname = current_database() AND pid <> pg_backend_pid()"
            )
        with pytest.raises(log.LogAwayError):
            await asyncio.wait_for(blind, waits.SECONDS)
    assert len(await log.read(conn, stream)) == 1


async def test_without_a_server_appends_end_soon() -> None:
    """If no server answers, every waiting append fails within the pool's time limit."""
    nowhere = pools.make_pool("postgresql://127.0.0.1:1/none", None, seconds=0.3)
    await nowhere.open()
    try:
        async with log.Appender(nowhere) as appender:
            tasks = [appender.append(one(log_events.stream(), 0, event(place), key=str(place))) for place in range(100)]
            done = await asyncio.wait_for(asyncio.gather(*tasks, return_exceptions=True), 5)
        assert {type(each) for each in done} == {log.LogAwayError}
    finally:
        await nowhere.close()


async def test_a_pool_that_does_not_commit_by_itself_serves_too(postgres_url: str, conn: Connection) -> None:
    """An answered append is committed also where the pool's connections are not in autocommit."""
    stream = log_events.stream()
    async with (
        psycopg_pool.AsyncConnectionPool(postgres_url, min_size=1, open=False) as plain,
        log.Appender(plain) as appender,
    ):
        await appender.append(one(stream, 0))
        assert len(await log.read(conn, stream)) == 1


async def test_appends_that_follow_each_other_keep_their_connection(connections: Pool) -> None:
    """Many appends one after the other use one connection, and the pool has it again when they have ended."""
    async with log.Appender(connections) as appender:
        before = connections.get_stats().get("requests_num", 0)
        for _ in range(20):
            await appender.append(one(log_events.stream(), 0))
        assert connections.get_stats().get("requests_num", 0) == before + 1

        async def all_free() -> bool:
            stats = connections.get_stats()
            return stats["pool_available"] == stats["pool_size"]

        await waits.eventually(all_free, "the idle connection is given back")
        assert (await appender.append(one(log_events.stream(), 0))).outcome == "appended"


async def test_an_only_connection_is_not_kept(postgres_url: str) -> None:
    """Where the pool has one connection, it is free for others as soon as nothing waits to be appended."""
    async with (
        pools.make_pool(postgres_url, "pitboss_dealer", most=1) as single,
        log.Appender(single) as appender,
    ):
        stream = log_events.stream()
        for version in range(5):
            await appender.append(one(stream, version))
            async with single.connection() as conn:
                assert len(await log.read(conn, stream)) == version + 1


async def test_one_caller_never_waits_for_others(connections: Pool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Appends of one caller are each committed at once, however long several would wait for each other."""
    monkeypatch.setattr(appenders, "GATHER_SECONDS", 3600)
    async with log.Appender(connections) as appender:
        for _ in range(5):
            await asyncio.wait_for(appender.append(one(log_events.stream(), 0)), waits.SECONDS)


async def test_callers_that_appended_together_do_so_again(connections: Pool, monkeypatch: pytest.MonkeyPatch) -> None:
    """After a commit of two, the next one waits for the second caller, who comes later than the first."""
    monkeypatch.setattr(appenders, "GATHER_SECONDS", 3600)
    sizes: list[int] = []
    async with log.Appender(connections, on_commit=sizes.append) as appender:
        await asyncio.gather(*(appender.append(one(log_events.stream(), 0)) for _ in range(2)))
        first = asyncio.ensure_future(appender.append(one(log_events.stream(), 0)))
        await waits.turns()
        assert not first.done()
        await asyncio.wait_for(appender.append(one(log_events.stream(), 0)), waits.SECONDS)
        await asyncio.wait_for(first, waits.SECONDS)
    assert sizes == [2, 2]


async def test_the_wait_for_others_is_bounded(connections: Pool) -> None:
    """Where the other caller of the last commit does not append again, the first one is answered all the same."""
    async with log.Appender(connections) as appender:
        await asyncio.gather(*(appender.append(one(log_events.stream(), 0)) for _ in range(2)))
        done = await asyncio.wait_for(appender.append(one(log_events.stream(), 0)), waits.SECONDS)
        assert done.outcome == "appended"


async def test_closing_ends_the_wait_for_others(connections: Pool, monkeypatch: pytest.MonkeyPatch) -> None:
    """An append that waits for another caller is committed when the appender closes."""
    monkeypatch.setattr(appenders, "GATHER_SECONDS", 3600)
    appender = log.Appender(connections)
    await asyncio.gather(*(appender.append(one(log_events.stream(), 0)) for _ in range(2)))
    waiting = asyncio.ensure_future(appender.append(one(log_events.stream(), 0)))
    await waits.turns()
    await appender.close(waits.SECONDS)
    assert (await waiting).outcome == "appended"


async def test_a_closed_appender_takes_nothing_more(connections: Pool, conn: Connection) -> None:
    """Closing waits for what was taken, and refuses the rest."""
    stream = log_events.stream()
    appender = log.Appender(connections)
    taken = asyncio.ensure_future(appender.append(one(stream, 0)))
    await waits.turns()
    await appender.close()
    assert taken.done()
    assert (await taken).outcome == "appended"
    with pytest.raises(log.LogBusyError, match="closing"):
        await appender.append(one(stream, 1))
    assert len(await log.read(conn, stream)) == 1


async def test_what_was_acknowledged_survives_the_servers_death(own_postgres: embedded.EmbeddedPostgres) -> None:
    """The server is killed under load and started again: every acknowledged append is there, and appends go on."""
    acknowledged: dict[str, int] = {}
    lost = asyncio.Event()

    async def write(appender: log.Appender) -> None:
        stream, version = log_events.stream(), 0
        while version < 10_000:
            try:
                done = await appender.append(one(stream, version, key=f"{stream} {version}"))
            except psycopg.OperationalError:
                lost.set()
                return
            assert done.outcome == "appended"
            version = acknowledged[stream] = done.version

    async with (
        pools.make_pool(own_postgres.url, "pitboss_dealer", seconds=2) as connections,
        log.Appender(connections) as appender,
    ):
        writers = [asyncio.ensure_future(write(appender)) for _ in range(8)]
        await waits.eventually(lambda: _enough(acknowledged), "every writer has appended")
        await asyncio.to_thread(own_postgres.stop, immediate=True)
        await asyncio.wait_for(asyncio.gather(*writers), waits.SECONDS)
        assert lost.is_set()
        await asyncio.to_thread(own_postgres.start)
        await waits.eventually(lambda: _appends(appender), "appends go on")
        async with connections.connection() as conn:
            for stream, version in acknowledged.items():
                head, events = await log.read_for_rebuild(conn, stream)
                assert head.version in {version, version + 1}
                assert verify.verify(events, head) == []


async def _enough(acknowledged: dict[str, int]) -> bool:
    return len(acknowledged) == 8 and min(acknowledged.values()) > 5


async def _appends(appender: log.Appender) -> bool:
    try:
        return (await appender.append(one(log_events.stream(), 0))).outcome == "appended"
    except log.LogAwayError:
        return False


async def test_an_appender_closes_though_the_server_is_silent(own_postgres: embedded.EmbeddedPostgres) -> None:
    """An append that a hanging server does not answer is given up at the end, and its caller gets an error."""
    given = echo.given(database_url=own_postgres.url, pool_min=1)
    async with runtime_pools.opened(given, "pitboss_dealer", "test") as pool:
        appender = log.Appender(pool)
        await appender.append(one(log_events.stream(), 0))
        async with pool.connection() as conn:
            server = psutil.Process(conn.info.backend_pid).parent()
        assert server is not None
        stopped = [server, *server.children()]
        for process in stopped:
            process.suspend()
        try:
            left = [asyncio.ensure_future(appender.append(one(log_events.stream(), 0))) for _ in range(3)]
            await waits.turns()
            began = time.monotonic()
            await appender.close(0.3)
            assert time.monotonic() - began < 3
            answers = await asyncio.gather(*left, return_exceptions=True)
        finally:
            for process in stopped:
                process.resume()
        assert [type(answer) for answer in answers] == [log.LogAwayError] * 3
