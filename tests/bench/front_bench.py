"""What a table costs that very many watch through the gateway: processor time, and when all have seen a bet."""

import asyncio
import statistics
import time
from typing import Final

import msgspec
import psutil

from services.cli import reach
from services.localhouse import local_house
from services.runtime.identity import Role
from tests.bench.act_bench import BUY_IN, Bets
from tests.bench.watch_bench import watching
from tests.support import people

SPECTATORS: Final = 500
BETS: Final = 30
PAUSE_SECONDS: Final = 1.5
"""Between two bets, so that each one is seen by all before the next."""


class Front(msgspec.Struct, frozen=True):
    """Figures of one bet: medians of when the last spectator has it, and processor time for each bet, in ms."""

    spectators: int
    all_seen_ms: float
    slowest_ms: float
    dealer_ms: float
    gateway_ms: float
    messages: int


def _spent(root: int) -> float:
    """Return the processor time of a process and all that it started, in ms."""
    process = psutil.Process(root)
    return 1000 * sum(sum(one.cpu_times()[:2]) for one in (process, *process.children(recursive=True)))


async def _measure(house: local_house.LocalHouse, spectators: int) -> Front:
    way = reach.of_folder(house.folder)
    pids = [house.members[name].pid for name in ("dealer", "gateway")]
    async with people.Crowd(way) as crowd:
        table_id, [player] = await crowd.table("suit_betting", ("w",), {"bet_seconds": 3600}, buy_in=BUY_IN)
        await player.house.start_round(table_id)
        bets = Bets(player, table_id)
        tokens = [way.token(f"spectator-{at}", Role.PLAYER) for at in range(spectators)]
        found: dict[str, list[float]] = {}
        began: list[float] = []
        address = house.members["gateway"].address
        with watching({"address": address, "watchers": {table_id: tokens}}, found):
            await asyncio.sleep(PAUSE_SECONDS)
            before = [_spent(pid) for pid in pids]
            for _ in range(BETS):
                began.append(time.monotonic())
                await bets.act()
                await asyncio.sleep(PAUSE_SECONDS)
            dealer_ms, gateway_ms = (_spent(pid) - spent for pid, spent in zip(pids, before, strict=True))
    seen = found[table_id]
    last_ms = [1000 * (max(at for at in seen if start <= at < start + PAUSE_SECONDS) - start) for start in began]
    return Front(
        spectators=spectators,
        all_seen_ms=statistics.median(last_ms),
        slowest_ms=max(last_ms),
        dealer_ms=dealer_ms / BETS,
        gateway_ms=gateway_ms / BETS,
        messages=sum(began[0] <= at for at in seen),
    )


def measure(house: local_house.LocalHouse, spectators: int = SPECTATORS) -> Front:
    """Measure bets at a table that so many watch through the gateway of a house."""
    return asyncio.run(_measure(house, spectators))
