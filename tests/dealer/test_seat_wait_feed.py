"""The stream of a player's wait for a seat: what it shows, and what it does where waits cannot be read."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import aclosing, asynccontextmanager

import psycopg_pool
import pytest
from pitboss.v1 import dealer_pb2 as pb

from services.dealer import seat_wait_feed
from services.dealer.seat_wait_feed import SeatWaits
from services.registry import seat_waits
from services.rules.refusals import Reason, Refused
from services.runtime.pools import Pool
from tests.dealer.watchers import WAIT_SECONDS, player

NOW_MS = 1_000_000
ANY = seat_waits.Wanted(game="war", stake=0, currency="", fits=("war",), test=False)


@pytest.fixture
async def pool(postgres_url: str) -> AsyncIterator[Pool]:
    """Yield connections of the owner."""
    async with psycopg_pool.AsyncConnectionPool(postgres_url, min_size=1, max_size=3, open=False) as found:
        yield found


@asynccontextmanager
async def feed(pool: Pool) -> AsyncIterator[SeatWaits]:
    """Yield a feed and close it."""
    one = SeatWaits(pool, lambda: NOW_MS)
    try:
        yield one
    finally:
        await one.close()


async def joined(pool: Pool, name: str) -> None:
    """Let a player wait for any table of war."""
    async with pool.connection() as conn:
        await seat_waits.join(conn, name, ANY, NOW_MS + 60_000)


async def test_a_wait_is_shown_as_it_is_and_as_it_changes(pool: Pool) -> None:
    """First nothing, then the place in the line; who stands before one leaves, and one moves up."""
    async with asyncio.timeout(WAIT_SECONDS), feed(pool) as waits, aclosing(waits.watch(player("ann"))) as stream:
        assert await anext(stream) == pb.WatchSeatWaitResponse()
        await joined(pool, "bob")
        await joined(pool, "ann")
        shown = (await anext(stream)).wait
        assert (shown.game, shown.place, shown.waiting) == ("war", 2, 2)
        async with pool.connection() as conn:
            await seat_waits.leave(conn, "bob")
        shown = (await anext(stream)).wait
        assert (shown.place, shown.waiting) == (1, 1)


async def test_waits_that_cannot_be_read_end_the_watch(pool: Pool, monkeypatch: pytest.MonkeyPatch) -> None:
    """After some failures every watcher is refused; a new watch is served when reads succeed again."""
    monkeypatch.setattr(seat_wait_feed, "LOOK_SECONDS", 0.01)
    await joined(pool, "ann")
    async with asyncio.timeout(WAIT_SECONDS), feed(pool) as waits:
        async with aclosing(waits.watch(player("ann"))) as stream:
            assert (await anext(stream)).wait.place == 1
            await _rename(pool, "seat_waits", "seat_waits_away")
            with pytest.raises(Refused) as caught:
                await anext(stream)
        assert caught.value.reason is Reason.UNAVAILABLE
        assert caught.value.retry_seconds == seat_wait_feed.RETRY_SECONDS
        await _rename(pool, "seat_waits_away", "seat_waits")
        async with aclosing(waits.watch(player("ann"))) as stream:
            assert (await anext(stream)).wait.place == 1


async def test_the_watches_of_one_player_are_bounded_and_count_while_they_last(pool: Pool) -> None:
    """One more than the bound is refused; where one has ended, another begins."""
    async with asyncio.timeout(WAIT_SECONDS), feed(pool) as waits:
        streams = [waits.watch(player("ann")) for _ in range(seat_wait_feed.MOST_PER_CALLER)]
        for stream in streams:
            await anext(stream)
        async with aclosing(waits.watch(player("ann"))) as more:
            with pytest.raises(Refused) as caught:
                await anext(more)
        assert caught.value.reason is Reason.TOO_MANY_REQUESTS
        await streams.pop().aclose()
        async with aclosing(waits.watch(player("ann"))) as more:
            await anext(more)
        for stream in streams:
            await stream.aclose()
    assert not waits._watched


async def _rename(pool: Pool, old: str, new: str) -> None:
    async with pool.connection() as conn:
        await conn.execute(f"ALTER TABLE {old} RENAME TO {new}".encode())
