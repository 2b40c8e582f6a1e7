"""Memory of a dealer while it serves very many actions."""

import asyncio
from typing import Final

import msgspec
import psutil

from services.cli import reach
from services.localhouse import local_house
from tests.bench.act_bench import BUY_IN, Hands
from tests.support import people

ACTIONS: Final = 100_000
TABLES: Final = 32
SAMPLES: Final = 10


class Memory(msgspec.Struct, frozen=True):
    """Resident memory of the dealer in MiB after each tenth of the actions, the first sample after warming up."""

    actions: int
    mib: tuple[float, ...]


async def _grow(house: local_house.LocalHouse, actions: int) -> Memory:
    process = psutil.Process(house.members["dealer"].pid)
    sizes = []
    async with people.Crowd(reach.of_folder(house.folder)) as crowd:
        tables = []
        for at in range(TABLES):
            table_id, players = await crowd.table("texas_holdem", (f"a{at}", f"b{at}"), buy_in=BUY_IN)
            tables.append(Hands(players, table_id))
        for _ in range(SAMPLES):
            await asyncio.gather(*(_play(table, actions // SAMPLES // TABLES) for table in tables))
            sizes.append(process.memory_info().rss / 2**20)
    return Memory(actions=actions, mib=tuple(sizes))


async def _play(table: Hands, count: int) -> None:
    for _ in range(count):
        await table.act()


def measure(house: local_house.LocalHouse, actions: int = ACTIONS) -> Memory:
    """Serve so many actions at a house with one dealer."""
    return asyncio.run(_grow(house, actions))
