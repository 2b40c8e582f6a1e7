"""A whole house for tests: every process on real servers, started once per run of this folder."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from services.localhouse import local_house
from tests.support.command_line import Office


@pytest.fixture(scope="session")
def house(
    tmp_path_factory: pytest.TempPathFactory, house_urls: Callable[[], tuple[str, str]]
) -> Iterator[local_house.LocalHouse]:
    """Yield a house with scripted decks and two dealers, each of which serves every table."""
    folder: Path = tmp_path_factory.mktemp("house")
    database_url, redis_url = house_urls()
    running = local_house.LocalHouse(
        folder,
        dealers=2,
        scripted_decks=True,
        database_url=database_url,
        redis_url=redis_url,
        settings={"PITBOSS_DRAIN_SECONDS": "2"},
    )
    with running:
        running.write_down()
        yield running


@pytest.fixture
def office(house: local_house.LocalHouse) -> Office:
    """Return the command line of an operator."""
    return Office(house)
