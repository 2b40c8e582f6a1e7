"""Bets over one stream of play at many tables, beside calls and beside messages of a bare echo server, in turns."""

import asyncio
import os
import statistics
import time
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AsyncExitStack
from typing import Any, Final

import grpc
import msgspec
import psutil
from pitboss import client, session
from pitboss.v1 import table_pb2

from services.cli import reach
from services.localhouse import local_house
from tests.bench.act_bench import BETS_A_WINDOW, BUY_IN, echo
from tests.bench.due_bench import spent
from tests.bench.echo_server import METHOD, TALK
from tests.support import people

TABLES: Final = 32
TURNS: Final = 8
SECONDS: Final = 2.5
"""Of each way in each turn."""
WARM_SECONDS: Final = 1.5
MESSAGE: Final = os.urandom(96)
METADATA: Final = (("authorization", "Bearer " + "x" * 200),)
QUOTAS: Final = {"PITBOSS_QUOTA_ACTS": "100000/400000"}
"""One player bets at all tables, far faster than a person or an honest program."""


class Turn(msgspec.Struct, frozen=True):
    """One way in one turn: operations a second, and processor time of all processes for each, in µs."""

    per_second: float
    cpu_us: float


class Ways(msgspec.Struct, frozen=True):
    """The turns of all ways, side by side."""

    play: list[Turn]
    act: list[Turn]
    calls: list[Turn]
    messages: list[Turn]


class _Bets:
    """One player's bets at one table; its window is opened anew before a seat's actions of a round are used up."""

    def __init__(self, house: client.House, way: session.Session | client.House, table_id: str) -> None:
        self._house, self._way, self._table_id = house, way, table_id
        self._left = 0

    async def bet(self) -> None:
        if not self._left:
            seen = await self._house.table(self._table_id)
            if seen.round.state == table_pb2.ROUND_STATE_RUNNING:
                await self._way.act(self._table_id, people.action("done"))
            await self._house.start_round(self._table_id)
            self._left = BETS_A_WINDOW
        self._left -= 1
        await self._way.act(self._table_id, _ONE_CHIP)


_ONE_CHIP: Final = people.action("place_bet", spot="spade", amount=1)


class _Talk:
    """A stream of echoes with as many messages under way as there are tables: one for each caller."""

    def __init__(self, channel: grpc.aio.Channel) -> None:
        method: Any = channel.stream_stream(TALK, request_serializer=None, response_deserializer=None)
        self._call = method(metadata=METADATA)
        self._waiting: list[asyncio.Future[None]] = []
        self._reading = asyncio.create_task(self._read())
        self._writing = asyncio.Lock()

    async def _read(self) -> None:
        while (await self._call.read()) is not grpc.aio.EOF:  # type: ignore[attr-defined]  # missing in the stubs
            self._waiting.pop(0).set_result(None)

    async def say(self) -> None:
        """Send a message and wait for it to come back."""
        back: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        async with self._writing:
            self._waiting.append(back)
            await self._call.write(MESSAGE)
        await back


Once = Callable[[], Awaitable[Any]]


async def _turn(callers: Sequence[Once], seconds: float, processes: Sequence[psutil.Process]) -> Turn:
    """Let all callers call for a while; ``processes`` are those that work for it beside this one."""
    before, began = _spent(processes), time.perf_counter()
    until, done = began + seconds, 0

    async def keep_calling(call: Once) -> None:
        nonlocal done
        while time.perf_counter() < until:
            await call()
            done += 1

    await asyncio.gather(*(keep_calling(call) for call in callers))
    taken = time.perf_counter() - began
    return Turn(per_second=done / taken, cpu_us=(_spent(processes) - before) / done * 1e6)


def _spent(processes: Sequence[psutil.Process]) -> float:
    return time.process_time() + sum(map(spent, processes))


async def _tables(crowd: people.Crowd, player: people.Person) -> list[str]:
    found = []
    for _ in range(TABLES):
        rules = people.MANUAL | {"bet_seconds": 3600}
        made = await crowd.operator.house.create_table("suit_betting", rules, **people.ANY_BUY_IN)
        await player.house.take_seat(made.table_id, BUY_IN)
        found.append(made.table_id)
    return found


async def measure(house: local_house.LocalHouse, turns: int = TURNS, seconds: float = SECONDS) -> Ways:
    """Measure all ways in turns, the order reversed every other time."""
    inside = [psutil.Process(one.pid) for one in house.members.values()]
    stores = [psutil.Process(one.pid) for one in (house.redis, house.postgres) if one is not None]
    with echo() as address:
        [bare] = [one for one in psutil.Process().children() if "tests.bench.echo_server" in one.cmdline()]
        async with AsyncExitStack() as stack:
            crowd = await stack.enter_async_context(people.Crowd(reach.of_folder(house.folder)))
            channel = await stack.enter_async_context(grpc.aio.insecure_channel(address))
            player = await crowd.player("player", 2 * TABLES * BUY_IN)
            other = await crowd.player("caller", 2 * TABLES * BUY_IN)
            playing = await stack.enter_async_context(player.house.session())
            calling: Any = channel.unary_unary(METHOD, request_serializer=None, response_deserializer=None)
            talk = _Talk(channel)
            betting = [_Bets(player.house, playing, table).bet for table in await _tables(crowd, player)]
            acting = [_Bets(other.house, other.house, table).bet for table in await _tables(crowd, other)]
            whole = [*inside, *stores]
            ways: dict[str, tuple[Sequence[Once], list[psutil.Process]]] = {
                "play": (betting, whole),
                "calls": ([lambda: calling(MESSAGE, timeout=10, metadata=METADATA)] * TABLES, [bare]),
                "act": (acting, whole),
                "messages": ([talk.say] * TABLES, [bare]),
            }
            found: dict[str, list[Turn]] = {name: [] for name in ways}
            for callers, processes in ways.values():
                await _turn(callers, min(seconds, WARM_SECONDS), processes)
            for number in range(turns):
                for name in list(ways) if number % 2 == 0 else reversed(list(ways)):
                    callers, processes = ways[name]
                    found[name].append(await _turn(callers, seconds, processes))
    return Ways(**found)


def ratio(ours: Sequence[Turn], theirs: Sequence[Turn]) -> float:
    """Return the median of the ratios of turns, operations a second of each beside its neighbour."""
    return statistics.median(one.per_second / other.per_second for one, other in zip(ours, theirs, strict=True))


def cost(ours: Sequence[Turn], theirs: Sequence[Turn]) -> float:
    """Return the median of the ratios of processor time for each operation."""
    return statistics.median(one.cpu_us / other.cpu_us for one, other in zip(ours, theirs, strict=True))


def lines(found: Ways) -> list[tuple[str, str, str, str, str]]:
    """Return what was measured as lines of the table; figures are medians, ratios those of neighbouring turns."""
    beside = (
        ("bets over Play, 32 tables, beside echo calls", found.play, found.calls, "at least 1.0", ""),
        ("bets over Play, 32 tables, beside stream echoes", found.play, found.messages, "at least 0.4", ""),
        ("bets over Play, 32 tables, beside bets by Act", found.play, found.act, "", ""),
        ("bets by Act, 32 callers, beside echo calls", found.act, found.calls, "at least 0.5", "at most 2.2"),
    )
    return [
        line
        for what, ours, theirs, speed_aim, cost_aim in beside
        for line in (
            (
                what,
                f"{statistics.median(one.per_second for one in ours):,.0f}/s",
                f"{statistics.median(one.per_second for one in theirs):,.0f}/s",
                f"{ratio(ours, theirs):.2f} (best {_best(ours) / _best(theirs):.2f})",
                speed_aim,
            ),
            (
                f"{what}: processor time, all processes",
                f"{statistics.median(one.cpu_us for one in ours):,.0f} µs",
                f"{statistics.median(one.cpu_us for one in theirs):,.0f} µs",
                f"{cost(ours, theirs):.2f}",
                cost_aim,
            ),
        )
    ]


def _best(turns: Sequence[Turn]) -> float:
    return max(one.per_second for one in turns)


def of_play(house: local_house.LocalHouse) -> Ways:
    """Measure bets over ``Play`` and ``Act`` beside echoes."""
    return asyncio.run(measure(house))
