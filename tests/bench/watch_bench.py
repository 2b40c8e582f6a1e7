"""``Act`` at tables that few or many watch, in turns of one run, so that all meet the same machine."""

import asyncio
import contextlib
import json
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import msgspec

from services.cli import reach
from services.localhouse import local_house
from services.runtime.identity import Role
from tests.bench.act_bench import BUY_IN, Bets
from tests.support import people

WATCHERS: Final = (0, 100, 1000)
TURNS: Final = 25
CALLS: Final = 25
"""Calls of one turn at one table, one after the other."""
PAUSE_SECONDS: Final = 0.6
"""Between two turns: what one table's watchers are still to be sent must not burden the next table."""


class Watched(msgspec.Struct, frozen=True):
    """``Act`` at a table with so many watchers: the times of each turn in ms, and the messages sent in all."""

    watchers: int
    turns_ms: list[list[float]]
    messages: int

    @property
    def p50_ms(self) -> float:
        """Median of all calls, in ms."""
        return statistics.median(one for turn in self.turns_ms for one in turn)

    @property
    def p99_ms(self) -> float:
        """99th percentile of all calls, in ms."""
        return statistics.quantiles((one for turn in self.turns_ms for one in turn), n=100)[98]

    def beside(self, other: "Watched") -> float:
        """Return the median of the ratios of the turns' medians: each turn is compared with its neighbour."""
        pairs = zip(self.turns_ms, other.turns_ms, strict=True)
        return statistics.median(statistics.median(ours) / statistics.median(theirs) for ours, theirs in pairs)


@contextlib.contextmanager
def watching(given: dict[str, Any], found: dict[str, list[float]]) -> Iterator[None]:
    """Run spectators in a process of their own; afterwards ``found`` holds the moments of messages by table."""
    root = Path(__file__).resolve().parents[2]
    command = [sys.executable, "-m", "tests.bench.spectators"]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=root)
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        process.stdin.write(json.dumps(given) + "\n")
        process.stdin.flush()
        assert process.stdout.readline() == "all watch\n", "the spectators did not get to watch"
        yield
        process.stdin.close()
        told = json.loads(process.stdout.readline())
        assert not told["failed"], told["failed"][:3]
        found.update(told["sent"])
    finally:
        process.kill()
        process.wait(10)


async def _take_turns(tables: list[Bets]) -> list[list[list[float]]]:
    """Return the times of each turn of each table, in ms."""
    taken: list[list[list[float]]] = [[] for _ in tables]
    for turn in range(TURNS):
        for place, table in enumerate(tables):
            await asyncio.sleep(PAUSE_SECONDS)
            times = [await _timed(table) for _ in range(CALLS)]
            if turn:  # the first one warms up
                taken[place].append(times[1:])
    return taken


async def _timed(table: Bets) -> float:
    began = time.perf_counter()
    await table.act()
    return (time.perf_counter() - began) * 1000


async def measure(house: local_house.LocalHouse, watchers: tuple[int, ...] = WATCHERS) -> list[Watched]:
    """Measure bets at one table for each number of watchers."""
    way = reach.of_folder(house.folder)
    async with people.Crowd(way) as crowd:
        tables, ids = [], []
        for count in watchers:
            table_id, [player] = await crowd.table("suit_betting", (f"w{count}",), {"bet_seconds": 3600}, buy_in=BUY_IN)
            await player.house.start_round(table_id)
            tables.append(Bets(player, table_id))
            ids.append(table_id)
        tokens = {
            table_id: [way.token(f"spectator-{count}-{at}", Role.PLAYER) for at in range(count)]
            for table_id, count in zip(ids, watchers, strict=True)
        }
        messages: dict[str, list[float]] = {}
        with watching({"address": way.dealers[0], "watchers": tokens}, messages):
            taken = await _take_turns(tables)
    return [
        Watched(watchers=count, turns_ms=times, messages=len(messages.get(table_id, ())))
        for count, times, table_id in zip(watchers, taken, ids, strict=True)
    ]


def of_watchers(house: local_house.LocalHouse) -> list[Watched]:
    """Measure ``Act`` beside watchers."""
    return asyncio.run(measure(house))
