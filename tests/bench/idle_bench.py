"""What a dealer costs while nothing happens at very many open tables."""

import asyncio
import itertools
from typing import Final

import msgspec
import psutil

from services.cli import reach
from services.localhouse import local_house
from services.runtime.identity import Role
from tests.support import people

TABLES: Final = 10_000
SEATED_EVERY: Final = 50
"""At each so many tables one player sits and waits for a second one."""
OPENERS: Final = 16
BUY_IN: Final = 1000
PER_SUBJECT: Final = 25
"""Tables opened by one subject, below the quota of new tables."""
SETTLED_SECONDS: Final = 10.0
"""Pause before measuring: what opening the tables left to do is done by then."""
MEASURED_SECONDS: Final = 60.0


class Idle(msgspec.Struct, frozen=True):
    """The dealer's share of a core over the time measured, and its resident memory in MiB."""

    tables: int
    core: float
    mib: float


async def _open(crowd: people.Crowd, numbers: "itertools.count[int]", tables: int) -> None:
    while (first := next(numbers) * PER_SUBJECT) < tables:
        staff = crowd.person(f"floor-{first}", Role.OPERATOR).house
        for number in range(first, min(first + PER_SUBJECT, tables)):
            table_id = (await staff.create_table("texas_holdem")).table_id
            if number % SEATED_EVERY == 0:
                player = await crowd.player("waits")
                await player.house.take_seat(table_id, BUY_IN)


async def _measure(house: local_house.LocalHouse, tables: int) -> Idle:
    process = psutil.Process(house.members["dealer"].pid)
    async with people.Crowd(reach.of_folder(house.folder)) as crowd:
        numbers = itertools.count()
        await asyncio.gather(*(_open(crowd, numbers, tables) for _ in range(OPENERS)))
    await asyncio.sleep(SETTLED_SECONDS)
    before = sum(process.cpu_times()[:2])
    await asyncio.sleep(MEASURED_SECONDS)
    spent = sum(process.cpu_times()[:2]) - before
    return Idle(tables=tables, core=spent / MEASURED_SECONDS, mib=process.memory_info().rss / 2**20)


def measure(house: local_house.LocalHouse, tables: int = TABLES) -> Idle:
    """Open so many tables at a house with one dealer, and measure the dealer while nothing happens."""
    return asyncio.run(_measure(house, tables))
