"""A house whose players think for no time, started once per run of this folder."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from random import Random

import pytest

from services.cli import reach
from services.localhouse import local_house
from services.players import crew
from services.players.crew import Member
from services.players.house_player import Sitting
from services.players.pace import Pace
from services.players.rest import Rest
from services.runtime import crew_tokens, settings
from services.runtime.settings import Settings

GAMES = ["tongbi_niu_niu", "texas_holdem"]


@pytest.fixture(scope="session")
def house(
    tmp_path_factory: pytest.TempPathFactory, house_urls: Callable[[], tuple[str, str]]
) -> Iterator[local_house.LocalHouse]:
    """Yield a house with one dealer; its house players are not started yet."""
    folder: Path = tmp_path_factory.mktemp("house")
    database_url, redis_url = house_urls()
    given = {
        "PITBOSS_DRAIN_SECONDS": "2",
        "PITBOSS_PLAYERS_LEAST_THINK_SECONDS": "0",
        "PITBOSS_PLAYERS_MOST_THINK_SECONDS": "0",
        "PITBOSS_PLAYERS_GAMES": json.dumps(GAMES),
        "PITBOSS_PLAYERS_REST_SECONDS": "86400",
    }
    with local_house.LocalHouse(folder, database_url=database_url, redis_url=redis_url, settings=given) as running:
        running.write_down()
        yield running


@pytest.fixture
def given(house: local_house.LocalHouse, reached: reach.Reach) -> Settings:
    """Return the settings of house players that do not think."""
    return settings.load(
        players_tokens=crew_tokens.minted(reached.identity, 600),
        listen=house.dealers[0].address,
        settlement_address=reached.settlement,
        players_least_think_seconds=0,
        players_most_think_seconds=0,
        players_calls_per_second=1000,
    )


@pytest.fixture
async def members(given: Settings) -> AsyncIterator[list[Member]]:
    """Yield the house players, who sit nowhere yet."""
    async with crew.opened(given) as found:
        yield found


@pytest.fixture
def pace(given: Settings) -> Pace:
    """Return a pace without time to think."""
    return Pace(given, Random(1))


@asynccontextmanager
async def playing(
    members: list[Member], table: str, pace: Pace, *, rest_seconds: float
) -> AsyncIterator[list[Sitting]]:
    """Let house players play until the block ends; after so many seconds alone they rest."""
    sittings = [Sitting(one, table, pace, Random(number), Rest(rest_seconds)) for number, one in enumerate(members)]
    tasks = [asyncio.create_task(one.play()) for one in sittings]
    try:
        yield sittings
    finally:
        for one in tasks:
            one.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
