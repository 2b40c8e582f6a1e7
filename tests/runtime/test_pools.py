"""The pool of a process on a real Postgres: role, bounds, health, and the error without a database."""

import asyncio
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any

import grpc
import psutil
import psycopg
import pytest
from google.protobuf.wrappers_pb2 import StringValue

from services.localhouse import embedded
from services.rules.refusals import Reason
from services.runtime import connections, errors, health, metrics, pools, server, settings
from tests.support import echo, waits

ROLE = "pitboss_dealer"


async def one(pool: pools.Pool, statement: Any) -> Any:
    """Run a statement and return its one value."""
    async with pool.connection() as connection:
        row = await (await connection.execute(statement)).fetchone()
        assert row is not None
        return row[0]


async def test_connections_have_the_role_and_the_bounds_of_the_process(postgres_url: str) -> None:
    """A connection acts as the process's role, commits by itself, and gives up a statement at the bound."""
    given = echo.given(database_url=postgres_url, statement_timeout_seconds=0.2)
    async with pools.opened(given, ROLE, "test") as pool:
        assert await one(pool, "SELECT current_user::text") == ROLE
        assert await one(pool, "SELECT current_setting('TimeZone')") == "UTC"
        assert await one(pool, "SELECT current_setting('application_name')") == "pitboss test"
        async with pool.connection() as connection:
            assert connection.autocommit
        with pytest.raises(psycopg.errors.QueryCanceled) as caught:
            await one(pool, "SELECT 1 FROM pg_sleep(5)")
        refusal = errors.from_exception(caught.value)
        assert refusal is not None
        assert refusal.reason is Reason.UNAVAILABLE


async def test_a_full_pool_refuses_as_unavailable(postgres_url: str) -> None:
    """A caller that gets no connection in time is asked to try again."""
    given = echo.given(database_url=postgres_url, pool_min=1, pool_max=1, pool_timeout_seconds=0.2)
    async with pools.opened(given, ROLE, "test") as pool, pool.connection():
        with pytest.raises(psycopg.OperationalError) as caught:
            await one(pool, "SELECT 1")
        refusal = errors.from_exception(caught.value)
        assert refusal is not None
        assert refusal.reason is Reason.UNAVAILABLE


async def test_readiness_does_not_wait_for_a_connection_of_the_calls(
    postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Calls that hold every connection of the pool leave the process ready; that the pool is full is a metric."""
    given = echo.given(database_url=postgres_url, pool_min=1, pool_max=1, pool_timeout_seconds=0.1)
    process, probes = server.Process("echo", given), dict[str, health.Probe]()
    monkeypatch.setattr(process, "probe", probes.__setitem__)  # called here, not by its loop
    before = _refusals()
    async with pools.postgres(process, ROLE) as pool:
        async with pool.connection():
            with pytest.raises(psycopg.OperationalError):
                await one(pool, "SELECT 1")
            await probes["database"]()
            await waits.eventually(lambda: _refusals() > before, "the refusal is counted")
        await process.close(1)


def _refusals() -> float:
    value = metrics.REGISTRY.get_sample_value("pitboss_pool_refusals_total")
    assert value is not None
    return value


@pytest.mark.parametrize("whole", [True, False], ids=["the server is silent", "one of its processes is silent"])
async def test_a_cancelled_statement_ends_though_the_server_is_silent(
    own_postgres: embedded.EmbeddedPostgres, *, whole: bool
) -> None:
    """A call that runs into its bound in mid-statement ends with it, and the next one has another connection."""
    given = echo.given(database_url=own_postgres.url, pool_min=1, pool_max=2)
    async with pools.opened(given, ROLE, "test") as pool, pool.connection() as connection:
        backend = psutil.Process(connection.info.backend_pid)
        top = backend.parent()
        assert top is not None
        stopped = [top, *top.children()] if whole else [backend]
        for process in stopped:
            process.suspend()
        began = time.monotonic()
        try:
            with pytest.raises(TimeoutError):
                async with asyncio.timeout(0.2):
                    await connection.execute("SELECT 1")
            assert time.monotonic() - began < 0.2 + 2 * connections.HANG_UP_SECONDS + 1
        finally:
            for process in stopped:
                process.resume()
        assert connection.closed
        assert await one(pool, "SELECT 42") == 42


async def test_no_database_is_told_in_words_without_the_password(monkeypatch: pytest.MonkeyPatch) -> None:
    """A process that finds no database says so, and does not show the URL."""
    monkeypatch.setattr(pools, "START_SECONDS", 0.5)
    given = echo.given(database_url="postgresql://house:hush-pw@127.0.0.1:9/none")
    with pytest.raises(settings.SettingsRefused) as caught:
        async with pools.opened(given, ROLE, "test"):
            pass
    assert "PITBOSS_DATABASE_URL" in str(caught.value)
    assert "hush-pw" not in str(caught.value)


@asynccontextmanager
async def _build(process: server.Process) -> AsyncIterator[Sequence[server.Service]]:
    async with pools.postgres(process, ROLE) as pool:

        async def saying(_: StringValue, __: object) -> StringValue:
            return StringValue(value=str(await one(pool, "SELECT 41 + 1")))

        yield [echo.service(saying)]


async def test_calls_are_unavailable_while_the_database_is_away_and_go_on_when_it_is_back(
    own_postgres: embedded.EmbeddedPostgres,
) -> None:
    """The database is stopped at once and started again: UNAVAILABLE in between, then answers, and health follows."""
    given = echo.given(database_url=own_postgres.url, pool_timeout_seconds=0.3)
    async with (
        server.running("echo", given, _build) as run,
        grpc.aio.insecure_channel(f"127.0.0.1:{run.port}") as channel,
    ):

        async def ask() -> str:
            try:
                answer: StringValue = await echo.say_on(channel)(StringValue(value="x"), metadata=[echo.bearer()])
            except grpc.aio.AioRpcError as error:
                return error.code().name
            return answer.value

        async def until_health(serving: bool) -> None:
            await waits.eventually(lambda: (run.process.health.missing() == []) is serving, f"serving: {serving}")

        assert await ask() == "42"
        await asyncio.to_thread(own_postgres.stop, immediate=True)
        assert await ask() == "UNAVAILABLE"
        await until_health(serving=False)
        await asyncio.to_thread(own_postgres.start)
        await until_health(serving=True)
        assert [await ask() for _ in range(20)] == ["42"] * 20
