"""Database connections of a process: one pool, each connection in the role of the process, probed for health."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import psycopg
from psycopg import sql
from psycopg.rows import TupleRow
from psycopg_pool import AsyncConnectionPool, PoolTimeout

from services.runtime import logs, metrics
from services.runtime.server import Process
from services.runtime.settings import Settings, SettingsRefused

log = logs.get("pools")
Connection = psycopg.AsyncConnection[TupleRow]
Pool = AsyncConnectionPool[Connection]
START_SECONDS = 20.0
"""Bound on the first connection: a database that is still starting is waited for so long."""
_MEASURE_SECONDS = 2.0


@asynccontextmanager
async def postgres(process: Process, role: str) -> AsyncIterator[Pool]:
    """Open a process's pool in a database role and probe it; raise ``SettingsRefused`` when none can be reached.

    Connections are in autocommit: a single statement is one round trip and its own transaction, more go into
    ``async with connection.transaction()``. Take connections by ``async with pool.connection()`` only.
    """
    async with opened(process.settings, role, process.name) as pool:
        process.probe("database", _Probe(pool))
        process.background("pool metrics", lambda: _measure(pool))
        yield pool


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
        kwargs={
            "autocommit": True, "application_name": f"pitboss {name}", "connect_timeout": 5, "keepalives_idle": 10,
            "keepalives_interval": 5, "keepalives_count": 3, "tcp_user_timeout": 15_000,
        },
        min_size=settings.pool_min, max_size=settings.pool_max, timeout=settings.pool_timeout_seconds,
        max_waiting=settings.concurrent_calls, max_lifetime=3600, reconnect_timeout=30, configure=configure,
        open=False, name=name,
    )  # fmt: skip
    try:
        await pool.open()
        await _first(pool)
        yield pool
    finally:
        await pool.close(timeout=5)


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
    def __init__(self, pool: Pool) -> None:
        self._pool, self._well = pool, True

    async def __call__(self) -> None:
        try:
            if not self._well:
                await self._pool.check()
            async with self._pool.connection(timeout=1.0) as connection:
                await connection.execute("SELECT 1")
            self._well = True
        except psycopg.Error:
            self._well = False
            raise


async def _measure(pool: Pool) -> None:
    while True:
        stats = pool.get_stats()
        metrics.POOL.labels("open").set(stats.get("pool_size", 0))
        metrics.POOL.labels("idle").set(stats.get("pool_available", 0))
        metrics.POOL.labels("waiting").set(stats.get("requests_waiting", 0))
        await asyncio.sleep(_MEASURE_SECONDS)
