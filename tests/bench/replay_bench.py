"""Replaying against reading with ``COPY``, and rebuilding a table with a short and with a long past."""

import os
import statistics
import time
from typing import Final

import msgspec
from psycopg import sql

from services.audit import replay_service
from services.dealer.tables import Tables
from services.dealer.vault import Vault
from services.livestate.store import LiveState
from services.runtime import pools, settings
from tests.bench import history

ROUNDS: Final = 6000
SHORT, LONG = 10, 100_000
REBUILDS: Final = 200
COPY: Final = """
COPY (SELECT version, type, data, metadata, hash FROM events WHERE stream_id = {} ORDER BY version) TO STDOUT
"""
FAMILIES: Final = frozenset({"poker", "showdown"})


class Replayed(msgspec.Struct, frozen=True):
    """Events per second replayed and compared, by one process and by one for each core, and read with COPY."""

    alone: float
    shared: float
    copied: float


class Rebuilt(msgspec.Struct, frozen=True):
    """Median milliseconds to rebuild a table, and the events behind it."""

    short_ms: float
    short_events: int
    long_ms: float
    long_events: int


async def replay_against_copy(database_url: str, rounds: int = ROUNDS) -> Replayed:
    """Replay a table of hold'em rounds as the auditor does, and read the same rows with COPY."""
    deal, audit = history.rings()
    past = history.History("texas_holdem", Vault(deal, audit))
    config = settings.load(database_url=database_url, statement_timeout_seconds=600)
    async with pools.opened(config, "pitboss_dealer", "bench") as pool:
        async with pool.connection() as conn:
            count = await history.write(conn, past, rounds)
        taken = []
        for processes in (1, os.cpu_count() or 1):
            began = time.perf_counter()
            report = await replay_service.replay(pool, audit, past.table_id, 0, 0, processes=processes)
            taken.append(time.perf_counter() - began)
            assert report.differences == []
            assert (report.events_read, report.rounds) == (count, rounds)
        began = time.perf_counter()
        rows = 0
        query = sql.SQL(COPY).format(past.table_id)
        async with pool.connection() as conn, conn.cursor() as cursor, cursor.copy(query) as copy:
            async for _ in copy.rows():
                rows += 1
        copied = time.perf_counter() - began
        assert rows == count
    return Replayed(alone=count / taken[0], shared=count / taken[1], copied=count / copied)


async def rebuild_short_and_long(database_url: str, redis_url: str, short: int = SHORT, long: int = LONG) -> Rebuilt:
    """Rebuild two tables from the log, one with a short past and one with a long one."""
    deal, audit = history.rings()
    vault = Vault(deal, audit)
    config = settings.load(database_url=database_url, statement_timeout_seconds=600)
    pasts = [history.History("tongbi_san_gong", vault) for _ in range(2)]
    async with pools.opened(config, "pitboss_dealer", "bench") as pool:
        async with pool.connection() as conn:
            counts = [
                await history.write(conn, past, rounds) for past, rounds in zip(pasts, (short, long), strict=True)
            ]
        tables = Tables(pool, LiveState(redis_url), vault, FAMILIES)
        taken: tuple[list[float], list[float]] = ([], [])
        for _ in range(REBUILDS):
            for past, times in zip(pasts, taken, strict=True):
                began = time.perf_counter()
                await tables.rebuilt(past.table_id)
                times.append((time.perf_counter() - began) * 1000)
    medians = [statistics.median(times) for times in taken]
    return Rebuilt(short_ms=medians[0], short_events=counts[0], long_ms=medians[1], long_events=counts[1])
