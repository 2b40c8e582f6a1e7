"""What one Redis carries: saves and loads of live tables from several processes' worth of callers.

Run as ``python -m tests.bench.livestate_bench [seconds]``: starts a Redis of its own and prints calls per second.
"""

import asyncio
import sys
import tempfile
import time
import uuid
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import uvloop

from services.livestate.store import LiveState, Save
from services.runtime import embedded

TABLES, CALLERS, AT_ONCE = 2000, 32, 16
BLOB = bytes(4096)


async def rate(call: Callable[[int], Awaitable[Any]], seconds: float) -> float:
    """Have all callers call for a while; gives calls per second."""
    until, done = time.perf_counter() + seconds, 0

    async def keep_calling(caller: int) -> None:
        nonlocal done
        turn = caller
        while time.perf_counter() < until:
            await call(turn)
            turn, done = turn + CALLERS, done + 1

    await asyncio.gather(*(keep_calling(caller) for caller in range(CALLERS)))
    return done / seconds


async def measure(url: str, seconds: float) -> dict[str, float]:
    """Give tables per second: saved alone, saved together as a dealer does, loaded."""
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
            f"saved {AT_ONCE} at once": AT_ONCE * await rate(save_many, seconds),
            "loaded": await rate(load, seconds),
        }
    finally:
        await live.close()


def main() -> None:
    """Measure and print."""
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 3.0
    with tempfile.TemporaryDirectory(prefix="pitboss-bench-") as folder:
        Path(folder).chmod(0o711)
        with embedded.EmbeddedRedis(Path(folder) / "redis") as url:
            for what, per_second in uvloop.run(measure(url, seconds)).items():
                sys.stdout.write(f"{what}: {per_second:,.0f} tables/s\n")


if __name__ == "__main__":
    main()
