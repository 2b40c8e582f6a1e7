"""Whole ``Act`` calls against bare echo servers: throughput with many callers, latency with one."""

import asyncio
import contextlib
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import grpc
import msgspec
from pitboss.v1 import actions_pb2, table_pb2

from services.cli import reach
from services.localhouse import local_house
from tests.bench.echo_server import METHOD
from tests.support import people

CALLS_ALONE = 600
CALLERS = 32
SECONDS = 6.0
BUY_IN = 1_000_000
BETS_A_WINDOW = 95
"""Bets of one seat before its window is closed and opened anew."""


class Speed(msgspec.Struct, frozen=True):
    """What was measured: calls per second with many callers, and the latency of one caller, in milliseconds."""

    per_second: float
    p50_ms: float
    p99_ms: float


@contextlib.contextmanager
def echo(url: str = "") -> Iterator[str]:
    """Run an echo server in a process of its own; with a database it commits first. Gives its address."""
    command = [sys.executable, "-m", "tests.bench.echo_server", url]
    root = Path(__file__).resolve().parents[2]
    server = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=root)
    try:
        assert server.stdout is not None
        yield f"127.0.0.1:{server.stdout.readline().strip()}"
    finally:
        assert server.stdin is not None
        server.stdin.close()
        server.wait(10)


async def measure(callers: Sequence[Callable[[], Awaitable[Any]]]) -> Speed:
    """Measure one caller alone, then all of them for a while."""
    taken = []
    for _ in range(CALLS_ALONE):
        began = time.perf_counter()
        await callers[0]()
        taken.append((time.perf_counter() - began) * 1000)
    until = time.perf_counter() + SECONDS
    done = 0

    async def keep_calling(call: Callable[[], Awaitable[Any]]) -> None:
        nonlocal done
        while time.perf_counter() < until:
            await call()
            done += 1

    await asyncio.gather(*(keep_calling(call) for call in callers))
    cuts = statistics.quantiles(taken, n=100)
    return Speed(per_second=done / SECONDS, p50_ms=statistics.median(taken), p99_ms=cuts[98])


async def of_echo(address: str) -> Speed:
    """Measure an echo server with messages of an ``Act`` call's size."""
    async with grpc.aio.insecure_channel(address) as channel:
        method = channel.unary_unary(METHOD, request_serializer=None, response_deserializer=None)
        payload = os.urandom(96)
        metadata = (("authorization", "Bearer " + "x" * 200),)
        return await measure([lambda: method(payload, timeout=10, metadata=metadata)] * CALLERS)


class Hands:
    """Two players at a table who check and call, hand after hand; each call of ``act`` is one ``Act``.

    All calls for a table go to one dealer, as a balancer that looks at the table's id has it.
    """

    def __init__(self, players: list[people.Person], table_id: str, dealer: int = 0) -> None:
        self._houses = [player.at(dealer) for player in players]
        self._table_id = table_id
        self._turns: Iterator[tuple[int, actions_pb2.Action]] = iter(())
        self.starts = 0

    async def act(self) -> None:
        """Take the next action of the hand; start the next hand where one has ended."""
        turn = next(self._turns, None)
        while turn is None:
            await self._houses[0].start_round(self._table_id)
            self.starts += 1
            button = (self.starts - 1) % 2
            first = [(button, people.action("call")), (1 - button, people.action("check"))]
            later = [(1 - button, people.action("check")), (button, people.action("check"))] * 3
            self._turns = iter(first + later)
            turn = next(self._turns, None)
        seat, action = turn
        await self._houses[seat].act(self._table_id, action)


class Bets:
    """A player in a betting window that stays open; each call of ``act`` is one ``Act``.

    A seat has a bounded number of actions in a round: before they are used up the window is closed and opened anew.
    """

    def __init__(self, player: people.Person, table_id: str, dealer: int = 0) -> None:
        self._house = player.at(dealer)
        self._table_id = table_id
        self._left = 0

    async def act(self) -> None:
        """Add a chip to a spot."""
        if not self._left:
            seen = await self._house.table(self._table_id)
            if seen.round.state == table_pb2.ROUND_STATE_RUNNING:
                await self._house.act(self._table_id, people.action("done"))
            await self._house.start_round(self._table_id)
            self._left = BETS_A_WINDOW
        self._left -= 1
        await self._house.act(self._table_id, people.action("place_bet", spot="spade", amount=1))


async def of_hands(house: local_house.LocalHouse) -> Speed:
    """Measure hands of hold'em; starting and settling them in between counts as time, not as calls."""
    async with people.Crowd(reach.of_folder(house.folder)) as crowd:
        callers = []
        for at in range(CALLERS):
            table_id, players = await crowd.table("texas_holdem", (f"a{at}", f"b{at}"), buy_in=BUY_IN)
            callers.append(Hands(players, table_id, at).act)
        return await measure(callers)


async def of_bets(house: local_house.LocalHouse) -> Speed:
    """Measure bets in windows that stay open: ``Act`` and nothing else."""
    async with people.Crowd(reach.of_folder(house.folder)) as crowd:
        callers = []
        for at in range(CALLERS):
            table_id, [player] = await crowd.table("suit_betting", (f"a{at}",), {"bet_seconds": 3600}, buy_in=BUY_IN)
            await player.house.start_round(table_id)
            callers.append(Bets(player, table_id, at).act)
        return await measure(callers)


def of_echoes(database_url: str) -> tuple[Speed, Speed]:
    """Measure echo, and echo with one commit, one after the other."""
    with echo() as address:
        bare = asyncio.run(of_echo(address))
    with echo(database_url) as address:
        committing = asyncio.run(of_echo(address))
    return bare, committing


def of_acts(house: local_house.LocalHouse) -> tuple[Speed, Speed]:
    """Measure ``Act`` for bets and for hands of hold'em, one after the other."""
    return asyncio.run(of_bets(house)), asyncio.run(of_hands(house))
