"""Postgres is silent in mid-statement, as a machine that hangs is: calls and processes end within their bounds."""

import asyncio
import signal
import time
from collections.abc import AsyncIterator, Awaitable
from contextlib import asynccontextmanager, suppress
from typing import Final

import grpc
import psutil
import pytest
from pitboss import client
from pitboss.v1 import dealer_pb2, wallet_pb2

from services.runtime import connections, last_resort
from tests.faults import breaking
from tests.faults.breaking import Broken
from tests.faults.floor import Played
from tests.support import waits
from tests.support.people import Crowd

CALL_SECONDS: Final = float(breaking.SETTINGS["PITBOSS_CALL_SECONDS"])
DRAIN_SECONDS: Final = float(breaking.SETTINGS["PITBOSS_DRAIN_SECONDS"])
CROWDED_SECONDS: Final = 1.5
"""What a crowded machine may add."""


@asynccontextmanager
async def silent(house: Broken) -> AsyncIterator[None]:
    """Hold every process of Postgres where it is."""
    async with await house.connect() as conn:
        top = psutil.Process(conn.info.backend_pid).parent()
    assert top is not None
    stopped = [top, *top.children()]
    for process in stopped:
        process.suspend()
    try:
        yield
    finally:
        for process in stopped:
            with suppress(psutil.NoSuchProcess):  # a connection whose client has gone ends by itself
                process.resume()


async def test_calls_keep_their_bound(house: Broken, crowd: Crowd, table: Played) -> None:
    """A command and a question whose clients set no deadline end with the house's own bound, not with twice as much."""
    ann, stub = table.players[0], table.players[0].house
    seed = dealer_pb2.SetSeedRequest(request_id=client.request_id(), table_id=table.table_id, seed="mine")

    async def seconds(call: Awaitable[object]) -> float:
        began = time.monotonic()
        with pytest.raises(grpc.aio.AioRpcError):
            await call
        return time.monotonic() - began

    async with silent(house):
        took = await asyncio.gather(
            seconds(stub.dealer.SetSeed(seed, metadata=ann.metadata)),
            seconds(stub.wallets.GetBalance(wallet_pb2.GetBalanceRequest(), metadata=ann.metadata)),
        )
    assert max(took) < CALL_SECONDS + connections.HANG_UP_SECONDS + CROWDED_SECONDS, took
    del crowd


@pytest.mark.parametrize(("signals", "seconds"), [(1, DRAIN_SECONDS + 2), (2, 1.0)], ids=["one signal", "two signals"])
async def test_a_dealer_that_is_told_to_stop_ends(house: Broken, table: Played, signals: int, seconds: float) -> None:
    """With an append under way it ends within notice, drain and two seconds, after a second signal within one."""
    dealer = house.dealer(0)
    ann = table.players[0]
    seed = dealer_pb2.SetSeedRequest(request_id=client.request_id(), table_id=table.table_id, seed="mine")
    async with silent(house):
        left = asyncio.ensure_future(ann.at(0).dealer.SetSeed(seed, metadata=ann.metadata))
        await waits.eventually(lambda: "pitboss_open_calls 1.0" in breaking.metrics_of(dealer), "the call has come in")
        for number in range(signals):
            if number:
                await waits.eventually(lambda: '"event": "draining"' in dealer.tail(), "the dealer drains")
            began = time.monotonic()
            house.signal(dealer, signal.SIGTERM)
        code = await asyncio.to_thread(dealer.wait_ended, 30)
        assert time.monotonic() - began < seconds + CROWDED_SECONDS
        assert code in {0, last_resort.EXIT_CODE}
        with pytest.raises(grpc.aio.AioRpcError):
            await left
    answer = await ann.at(1).call(ann.at(1).dealer.SetSeed, seed)
    assert answer.version > 0, "the same command is done once, whatever became of the first"
