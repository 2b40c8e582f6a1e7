"""What one Redis carries, and a cluster: saves and loads of live tables from several processes' worth of callers.

Run as ``python -m tests.bench.livestate_bench [seconds]``: starts servers of its own and prints tables per second. The
ways to Redis (one server; the same server as a cluster of one node; three nodes) take turns, so that what else the
machine does meets all of them; the ratio to one server is the median of the turns'. Beside it stands the processor time
of the asking process for each table, which depends less on what else the machine does.
"""

import asyncio
import os
import statistics
import sys
import time
import uuid
from collections.abc import Awaitable, Callable
from typing import Any, NamedTuple

import uvloop

from services.livestate.store import LiveState, Save
from tests.support import clusters

TABLES, CALLERS, AT_ONCE = 2000, 32, 16
BLOB = bytes(4096)
TURNS = 9


class Rate(NamedTuple):
    """Calls per second, and the processor's microseconds that each cost this process."""

    per_second: float
    cpu_us: float


async def rate(call: Callable[[int], Awaitable[Any]], seconds: float, tables: int = 1) -> Rate:
    """Run all callers for a while, each call with ``tables`` tables; return the cost of one table."""
    cpu = time.process_time()
    until, done = time.perf_counter() + seconds, 0

    async def keep_calling(caller: int) -> None:
        nonlocal done
        turn = caller
        while time.perf_counter() < until:
            await call(turn)
            turn, done = turn + CALLERS, done + 1

    await asyncio.gather(*(keep_calling(caller) for caller in range(CALLERS)))
    return Rate(tables * done / seconds, (time.process_time() - cpu) * 1e6 / max(1, tables * done))


async def measure(url: str, seconds: float) -> dict[str, Rate]:
    """Return tables per second: saved alone, saved together as a dealer does, loaded."""
    live = LiveState(url, call_seconds=5)
    tables = [str(uuid.uuid4()) for _ in range(TABLES)]

    def one(turn: int) -> Save:
        return Save(tables[turn % TABLES], turn, BLOB, 10_000 + turn, "poker")

    async def save(turn: int) -> None:
        await live.save_all([one(turn)])

    async def save_many(turn: int) -> None:
        await live.save_all([one(turn * AT_ONCE + at) for at in range(AT_ONCE)])

    async def load(turn: int) -> None:
        await live.load(tables[turn % TABLES])

    try:
        return {
            "saved one by one": await rate(save, seconds),
            f"saved {AT_ONCE} at once": await rate(save_many, seconds, AT_ONCE),
            "loaded": await rate(load, seconds),
        }
    finally:
        await live.close()


def main() -> None:
    """Measure and print."""
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 3.0
    with clusters.running(primaries=1) as one, clusters.running(primaries=3) as three:
        ways = {"one server": one.nodes[0].url, "a cluster of one node": one.url, "a cluster of three nodes": three.url}
        found: dict[str, dict[str, list[Rate]]] = {}
        for _ in range(TURNS):
            for way, url in ways.items():
                for what, rated in uvloop.run(measure(url, seconds / TURNS)).items():
                    found.setdefault(what, {}).setdefault(way, []).append(rated)
    for what, by_way in found.items():
        for way, measured in by_way.items():
            pairs = zip(measured, by_way["one server"], strict=True)
            ratio = statistics.median(mine.per_second / base.per_second for mine, base in pairs)
            middle = statistics.median(mine.per_second for mine in measured)
            cpu = statistics.median(mine.cpu_us for mine in measured)
            sys.stdout.write(f"{what}, {way}: {middle:,.0f} tables/s ({ratio:.2f} of one server), {cpu:.0f} us each\n")
    sys.stdout.write(f"load average {os.getloadavg()[0]:.1f}\n")


if __name__ == "__main__":
    main()
