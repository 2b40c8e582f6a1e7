"""Database connections of a process: one pool, each connection in the role of the process, probed for health."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial

import psycopg
from psycopg import sql
from psycopg.rows import TupleRow
from psycopg_pool import AsyncConnectionPool, PoolTimeout

from services.runtime import clock, connections, logs, metrics
from services.runtime.clock import HouseClock
from services.runtime.connections import BoundedConnection
from services.runtime.server import Process
from services.runtime.settings import Settings, SettingsRefused

log = logs.get("pools")
Connection = psycopg.AsyncConnection[TupleRow]
Pool = AsyncConnectionPool[Connection]
START_SECONDS = 20.0
"""Seconds to wait for the first connection, while the database may still be starting."""
CLOSE_SECONDS = 1.0
"""Bound in seconds on the pool's own work at the end: connections that are being opened or returned."""
_MEASURE_SECONDS = 2.0


@asynccontextmanager
async def postgres(process: Process, role: str) -> AsyncIterator[Pool]:
    """Open a process's pool in a database role and probe it; raise ``SettingsRefused`` when none can be reached.

    The process's clock is synchronised with the database, now and with each probe.

    Connections are in autocommit: a single statement is one round trip and its own transaction, more go into
    ``async with connection.transaction()``. Take connections by ``async with pool.connection()`` only.
    """
    async with opened(process.settings, role, process.name) as pool:
        probe = _Probe(process.settings, process.name, pool, process.clock)
        await probe.set_clock()
        process.probe("database", probe)
        process.probe("clock", probe.check_clock)
        process.background("pool metrics", lambda: _measure(pool))
        try:
            yield pool
        finally:
            await probe.close()


@asynccontextmanager
async def opened(settings: Settings, role: str, name: str) -> AsyncIterator[Pool]:
    """Open a pool without a process around it (commands, tests)."""

    async def configure(connection: Connection) -> None:
        milliseconds = int(settings.statement_timeout_seconds * 1000)
        await connection.execute(
            sql.SQL(
                "SET ROLE {role}; SET statement_timeout = {bound}; SET idle_in_transaction_session_timeout = {idle};"
                " SET TIME ZONE 'UTC'; SET plan_cache_mode = force_generic_plan"
            ).format(role=sql.Identifier(role), bound=milliseconds, idle=milliseconds * 2)
        )

    pool: Pool = AsyncConnectionPool(
        settings.postgres(),
        connection_class=BoundedConnection,
        kwargs=connections.options(name),
        min_size=settings.pool_min,
        max_size=settings.pool_max,
        timeout=settings.pool_timeout_seconds,
        max_waiting=settings.concurrent_calls,
        max_lifetime=3600,
        reconnect_timeout=30,
        configure=configure,
        open=False,
        name=name,
    )
    try:
        await pool.open()
        await _first(pool)
        yield pool
    finally:
        await pool.close(timeout=CLOSE_SECONDS)


async def _first(pool: Pool) -> None:
    try:
        async with asyncio.timeout(START_SECONDS), pool.connection(timeout=START_SECONDS) as connection:
            await connection.execute("SELECT 1")
    except (PoolTimeout, TimeoutError, psycopg.Error) as error:
        hint = "is it running, is the URL right, was `pitboss migrate` run?"
        raise SettingsRefused(
            f"PITBOSS_DATABASE_URL: no connection to the database ({type(error).__name__}); {hint}"
        ) from None


class _Probe:
    """Probes the database on a connection of its own: a busy pool says nothing about the database."""

    def __init__(self, settings: Settings, name: str, pool: Pool, house_clock: HouseClock) -> None:
        self._settings, self._name, self._pool, self._clock = settings, name, pool, house_clock
        self._own: BoundedConnection | None = None

    async def set_clock(self) -> None:
        """Measure the database's clock. Raises SettingsRefused if it does not answer any more."""
        try:
            async with asyncio.timeout(START_SECONDS):
                for _ in range(clock.FIRST):
                    await self()
        except (TimeoutError, psycopg.Error) as error:
            await self.close()
            message = f"PITBOSS_DATABASE_URL: the database does not return its time ({type(error).__name__})"
            raise SettingsRefused(message) from None

    async def check_clock(self) -> None:
        """Raise ClockOffError if this machine's clock was off in the last measurement."""
        self._clock.check()

    async def __call__(self) -> None:
        """Probe once. Raises psycopg.Error if the database does not answer; the caller bounds the time."""
        if self._own is not None and await self._answers(self._own):
            return
        self._own = await connections.connect(self._settings, f"{self._name} health")
        if not await self._answers(self._own):
            raise psycopg.OperationalError("the database accepts connections and does not answer")
        await self._pool.check()  # the same fault has broken the connections of the pool

    async def _answers(self, own: BoundedConnection) -> bool:
        try:
            await self._clock.measure(partial(clock.of_database, own))
        except psycopg.Error:
            await self.close()
            return False
        except BaseException:  # too late: the connection's state is unknown
            await self.close()
            raise
        return True

    async def close(self) -> None:
        """Close the connection."""
        own, self._own = self._own, None
        if own is not None:
            await own.close()


async def _measure(pool: Pool) -> None:
    refused = 0
    while True:
        stats = pool.get_stats()
        metrics.POOL_REFUSALS.inc(stats.get("requests_errors", 0) - refused)
        refused = stats.get("requests_errors", 0)
        metrics.POOL.labels("open").set(stats.get("pool_size", 0))
        metrics.POOL.labels("idle").set(stats.get("pool_available", 0))
        metrics.POOL.labels("waiting").set(stats.get("requests_waiting", 0))
        await asyncio.sleep(_MEASURE_SECONDS)
