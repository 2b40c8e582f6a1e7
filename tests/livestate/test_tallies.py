"""Counts that processes share, on one server and on a cluster: one sum for all, bounded while Redis is away."""

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager

from services.livestate.tallies import PREFIX, Tallies
from tests.livestate.conftest import Raw, Stoppable
from tests.support import waits

SECONDS = 5.0


@asynccontextmanager
async def tallies(url: str, count: int = 1, seconds: float = SECONDS) -> AsyncIterator[list[Tallies]]:
    """Open the shared counts of ``count`` processes."""
    async with AsyncExitStack() as stack:
        found = [Tallies(url, seconds) for _ in range(count)]
        for one in found:
            stack.push_async_callback(one.close)
        yield found


async def test_all_processes_share_one_count(redis_url: str, raw: Raw) -> None:
    """Of twelve calls at two processes five pass, in any order; other subjects and kinds are counted separately."""
    async with tallies(redis_url, 2) as both:
        waits = [await both[at % 2].count("ann", "records", 5, 60) for at in range(12)]
        assert [wait == 0 for wait in waits] == [True] * 5 + [False] * 7
        assert all(wait is not None and 0 < wait <= 60 for wait in waits[5:])
        assert await both[0].count("bob", "records", 5, 60) == 0
        assert await both[1].count("ann", "tables", 5, 60) == 0
    keys = [key.decode() for found in await raw.each("keys", "*") for key in found]
    assert len(keys) == 3
    assert all(key.startswith(f"{PREFIX}:") for key in keys)


async def test_who_waits_as_long_as_is_said_may_go_on(redis_url: str) -> None:
    """After the pause the next call is counted: a pause is never so short that the caller comes in vain for long."""
    async with tallies(redis_url) as [one]:
        while (wait_seconds := await one.count("ann", "records", 4, 1)) == 0:
            pass
        async with asyncio.timeout(10):
            while wait_seconds:
                await asyncio.sleep(wait_seconds)
                wait_seconds = await one.count("ann", "records", 4, 1)


async def test_calls_are_bounded_while_redis_is_away_and_go_on_when_it_is_back(own_site: Stoppable) -> None:
    """Each call ends in its bound, after some at once; when Redis is back it counts again by itself."""
    async with tallies(own_site.url, seconds=0.5) as [one]:
        async with asyncio.timeout(20):
            while await _is_away(one):
                pass
        await asyncio.to_thread(own_site.stop, immediate=True)
        began = time.monotonic()
        for _ in range(50):
            assert await _is_away(one)
        assert time.monotonic() - began < 10
        await asyncio.to_thread(own_site.start)

        async def is_back() -> bool:
            return not await _is_away(one)

        await waits.eventually(is_back, "Redis counts again")


async def _is_away(one: Tallies) -> bool:
    return await one.count("ann", "records", 1000, 60) is None
