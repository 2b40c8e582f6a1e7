"""What a call costs: processor time of every process for each ``Act``, of two houses side by side in turns.

``python -m tests.bench ab CLONE [SECONDS [TURNS]]`` starts a house of this checkout and one of another (its own
``.venv``), which both stay up. Turns alternate between them and an echo server, in reversed order every other time, so
that all meet the same machine. A turn counts calls of 32 callers; then one caller calls alone for its latency.
"""

import asyncio
import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import AsyncExitStack, ExitStack, contextmanager
from pathlib import Path
from typing import Any, Final

import grpc
import msgspec
import psutil

from services.cli import reach
from tests.bench import act_bench, aims
from tests.bench.due_bench import spent
from tests.bench.echo_server import METHOD
from tests.support import people

SECONDS: Final = 2.5
TURNS: Final = 6
ALONE: Final = 120
"""Calls of one caller alone in a turn."""
QUIET_LOAD: Final = aims.QUIET_LOAD
"""Load average above which figures are printed and nothing is to be judged by them."""
ROOT: Final = Path(__file__).resolve().parents[2]

HOLD: Final = """
import json, sys
from tests.bench.__main__ import house
with house() as held:
    pids = {name: member.pid for name, member in held.members.items()}
    print(json.dumps([str(held.folder), {**pids, "postgres": held.postgres.pid, "redis": held.redis.pid}]), flush=True)
    sys.stdin.read()
"""

Call = Callable[[], Awaitable[Any]]
House = tuple[str, Path, dict[str, int]]
"""A house's name, its folder, and the ids of its processes by name."""


class Turn(msgspec.Struct, frozen=True):
    """One turn: µs of processor time for each call by process, calls per second, p50 of one caller in ms."""

    cost: dict[str, float]
    per_second: float
    p50_ms: float


class Side(msgspec.Struct):
    """One of those that take turns: its callers, its processes by name, and its turns so far."""

    name: str
    callers: Sequence[Call]
    pids: dict[str, int]
    turns: list[Turn] = []


@contextmanager
def held(clone: Path) -> Iterator[tuple[Path, dict[str, int]]]:
    """Run a house of a checkout until the end; yield its folder and the ids of its processes."""
    python = clone / ".venv" / "bin" / "python"
    environment = {**os.environ, "PYTHONPATH": str(clone)}
    with subprocess.Popen(
        [python, "-c", HOLD], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=clone, env=environment
    ) as holder:
        assert holder.stdin is not None
        assert holder.stdout is not None
        folder, pids = json.loads(holder.stdout.readline())
        try:
            yield Path(folder), pids
        finally:
            holder.stdin.close()
            holder.wait(60)


async def _bets(crowd: people.Crowd) -> list[Call]:
    found: list[Call] = []
    for at in range(act_bench.CALLERS):
        name = f"b{at}"
        table_id, [player] = await crowd.table("suit_betting", (name,), {"bet_seconds": 3600}, buy_in=act_bench.BUY_IN)
        await player.house.start_round(table_id)
        found.append(act_bench.Bets(player, table_id).act)
    return found


async def _hands(crowd: people.Crowd) -> list[Call]:
    found: list[Call] = []
    for at in range(act_bench.CALLERS):
        table_id, players = await crowd.table("texas_holdem", (f"x{at}", f"y{at}"), buy_in=act_bench.BUY_IN)
        found.append(act_bench.Hands(players, table_id).act)
    return found


KINDS: Final = {"bets": _bets, "hold'em": _hands}


async def _turn(side: Side, seconds: float) -> None:
    processes = {name: psutil.Process(pid) for name, pid in side.pids.items()}
    before = {name: spent(process) for name, process in processes.items()}
    client, began, done = time.process_time(), time.perf_counter(), 0
    until = began + seconds

    async def keep_calling(call: Call) -> None:
        nonlocal done
        while time.perf_counter() < until:
            await call()
            done += 1

    await asyncio.gather(*(keep_calling(call) for call in side.callers))
    per_second = done / (time.perf_counter() - began)
    used = {name: spent(process) - before[name] for name, process in processes.items()}
    used["client"] = time.process_time() - client
    taken = []
    for _ in range(ALONE):
        began = time.perf_counter()
        await side.callers[0]()
        taken.append((time.perf_counter() - began) * 1000)
    cost = {name: 1e6 * seconds_used / done for name, seconds_used in used.items()}
    side.turns.append(Turn({**cost, "all": sum(cost.values())}, per_second, statistics.median(taken)))


async def _measured(houses: Sequence[House], address: str, seconds: float, turns: int) -> str:
    lines = []
    async with AsyncExitStack() as stack:
        channel = await stack.enter_async_context(grpc.aio.insecure_channel(address))
        method = channel.unary_unary(METHOD, request_serializer=None, response_deserializer=None)
        payload, metadata = os.urandom(96), (("authorization", "Bearer " + "x" * 200),)
        echoes: list[Call] = [lambda: method(payload, timeout=10, metadata=metadata)] * act_bench.CALLERS
        server = psutil.Process().children()
        echo_pid = next(one.pid for one in server if "tests.bench.echo_server" in one.cmdline())
        crowds = [await stack.enter_async_context(people.Crowd(reach.of_folder(folder))) for _, folder, _ in houses]
        for kind, make in KINDS.items():
            sides = [Side("echo", echoes, {"server": echo_pid})]
            for (name, _, pids), crowd in zip(houses, crowds, strict=True):
                sides.append(Side(name, await make(crowd), pids))
            for number in range(turns + 1):
                for side in sides if number % 2 else reversed(sides):
                    await _turn(side, seconds if number else seconds / 2)
            for side in sides:
                del side.turns[0]  # warms up
            lines += [f"### {kind}", *_table(sides), ""]
    return "\n".join(lines)


def _table(sides: Sequence[Side]) -> list[str]:
    def cell(values: Sequence[float], best: float, form: str = ",.0f") -> str:
        return f"{statistics.median(values):{form}} [{best:{form}}]"

    parts = list(dict.fromkeys(part for side in sides for part in side.turns[0].cost))
    rows = [["", *(side.name for side in sides)], ["---"] * (len(sides) + 1)]
    for part in parts:
        columns = [[turn.cost.get(part, 0.0) for turn in side.turns] for side in sides]
        rows.append([f"{part}, µs a call", *(cell(values, min(values)) for values in columns)])
    speeds = [[turn.per_second for turn in side.turns] for side in sides]
    rows.append(["calls a second", *(cell(values, max(values)) for values in speeds)])
    waits = [[turn.p50_ms for turn in side.turns] for side in sides]
    rows.append(["p50 of one caller, ms", *(cell(values, min(values), ".2f") for values in waits)])
    last = sides[-1].turns
    for side in sides[:-1]:
        beside = [ours.cost["all"] / other.cost["all"] for ours, other in zip(last, side.turns, strict=True)]
        rows.append([f"all: {sides[-1].name} beside {side.name}, by turn", cell(beside, min(beside), ".2f")])
    return ["| " + " | ".join(row) + " |" for row in rows]


def main(arguments: Sequence[str]) -> int:
    """Measure this checkout beside another one and print a table."""
    other = Path(arguments[0]).resolve()
    seconds = float(arguments[1]) if len(arguments) > 1 else SECONDS
    turns = int(arguments[2]) if len(arguments) > 2 else TURNS
    before = os.getloadavg()[0]
    with ExitStack() as stack:
        address = stack.enter_context(act_bench.echo())
        houses = [(name, *stack.enter_context(held(root))) for name, root in (("other", other), ("this", ROOT))]
        sys.stdout.write(asyncio.run(_measured(houses, address, seconds, turns)) + "\n")
    verdict = "" if before <= QUIET_LOAD else f"; above {QUIET_LOAD} nothing is to be judged by these figures"
    sys.stdout.write(f"load average before {before:.1f}{verdict}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
