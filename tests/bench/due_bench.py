"""Deadlines that are due at one moment, and what a dealer costs while very many deadlines lie far ahead."""

import asyncio
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import msgspec
import psutil
import redis.asyncio

from services.localhouse import local_house
from tests.bench import rounds_underway
from tests.support import served, waits

DUE: Final = (100, 1_000, 10_000)
"""Deadlines of one moment."""
TURN_SECONDS: Final = 600
AHEAD_MS: Final = 4_000
"""The moment lies so far ahead of the last table, and for every thousand tables as far again."""
IDLE: Final = (10, 10_000)
SETTLED_SECONDS: Final = 20.0
TURNS: Final = 5
TURN_OF_IDLE_SECONDS: Final = 8.0

LATE: Final = """
SELECT stream_id::text, extract(epoch FROM recorded_at) * 1000 FROM events
WHERE type LIKE 'DeadlinePassed.%%' AND stream_id = ANY(%s::uuid[])
"""


class Fired(msgspec.Struct, frozen=True):
    """So many deadlines of one moment: when the first and the last was in the log, in seconds after the moment."""

    due: int
    first: float
    last: float
    cpu_us: float
    """Processor time of the dealer for each, in µs."""

    @property
    def rate(self) -> float:
        """Deadlines a second, from the moment to the last one."""
        return self.due / self.last


class Idle(msgspec.Struct, frozen=True):
    """A dealer while nothing happens at so many tables in a round: processor time in ms for each second, by turn."""

    tables: int
    dealer: list[float]
    redis: list[float]
    postgres: list[float]


def spent(process: psutil.Process) -> float:
    """Return the processor time of a process and all its children so far, in seconds."""
    total = 0
    for one in (process, *process.children(recursive=True)):
        for line in Path(f"/proc/{one.pid}/task").glob("*/schedstat"):
            try:
                total += int(line.read_text().split()[0])
            except OSError:  # the thread ended meanwhile
                continue
    return total / 1e9


async def _fire(house: local_house.LocalHouse, count: int) -> Fired:
    dealer = psutil.Process(house.members["dealer"].pid)
    due_ms = time.time_ns() // 1_000_000 + AHEAD_MS + AHEAD_MS * count // 1000
    table_ids = await rounds_underway.write(house, count, due_ms, TURN_SECONDS)
    assert time.time_ns() // 1_000_000 < due_ms - AHEAD_MS / 2, "the tables were not written in time"
    await asyncio.sleep((due_ms - 500) / 1000 - time.time())
    before = spent(dealer)
    async with await served.connect(house.environment["PITBOSS_DATABASE_URL"]) as conn:

        async def all_fired() -> list[float]:
            rows = await (await conn.execute(LATE, (table_ids,))).fetchall()
            assert len({row[0] for row in rows}) == len(rows), "each deadline fires once"
            return [float(row[1]) for row in rows] if len(rows) == count else []

        moments = await waits.eventually(all_fired, f"{count} deadlines", seconds=600, pause=0.25)
    return Fired(
        due=count,
        first=(min(moments) - due_ms) / 1000,
        last=(max(moments) - due_ms) / 1000,
        cpu_us=(spent(dealer) - before) / count * 1e6,
    )


async def _wake(house: local_house.LocalHouse, table_ids: Sequence[str]) -> None:
    """Wait until the dealer has found all tables: then Redis holds them."""
    async with redis.asyncio.Redis.from_url(house.environment["PITBOSS_REDIS_URL"]) as client:

        async def all_held() -> bool:
            return await client.dbsize() >= len(table_ids)

        await waits.eventually(all_held, "the dealer finds all tables", seconds=300, pause=0.5)


async def _idle(houses: Sequence[local_house.LocalHouse], tables: Sequence[int]) -> list[Idle]:
    far_ms = time.time_ns() // 1_000_000 + 3_600_000
    for house, count in zip(houses, tables, strict=True):
        await _wake(house, await rounds_underway.write(house, count, far_ms, TURN_SECONDS * 10))
    await asyncio.sleep(SETTLED_SECONDS)
    found = [Idle(tables=count, dealer=[], redis=[], postgres=[]) for count in tables]
    for _ in range(TURNS):
        parts = [_parts(house) for house in houses]
        before = [[spent(one) for one in part] for part in parts]
        began = time.perf_counter()
        await asyncio.sleep(TURN_OF_IDLE_SECONDS)
        seconds = time.perf_counter() - began
        for idle, part, then in zip(found, parts, before, strict=True):
            used = [1000 * (spent(one) - was) / seconds for one, was in zip(part, then, strict=True)]
            for values, value in zip((idle.dealer, idle.redis, idle.postgres), used, strict=True):
                values.append(value)
    return found


def _parts(house: local_house.LocalHouse) -> list[psutil.Process]:
    """Return a house's dealer, Redis and Postgres."""
    assert house.redis is not None
    assert house.postgres is not None
    return [psutil.Process(pid) for pid in (house.members["dealer"].pid, house.redis.pid, house.postgres.pid)]


def of_due(house: local_house.LocalHouse, counts: Sequence[int] = DUE) -> list[Fired]:
    """Measure deadlines of one moment at a house with one dealer, as many as each count says."""

    async def measured() -> list[Fired]:
        return [await _fire(house, count) for count in counts]

    return asyncio.run(measured())


def of_idle(houses: Sequence[local_house.LocalHouse], tables: Sequence[int] = IDLE) -> list[Idle]:
    """Measure houses that stay up side by side, one for each number of tables, during the same seconds."""
    return asyncio.run(_idle(houses, tables))
