"""The house that the attacks of this folder run against: one of their own, or one that the environment names.

``PITBOSS_ATTACK_HOUSE`` names the folder of a running ``pitboss up`` (or ``-`` for a house that the settings of the
environment describe). Attacks that need its database, its processes or scripted decks are skipped there. Without it a
whole house is started. ``PITBOSS_ATTACK_SIZE`` (1) multiplies the size of the floods.
"""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from services.cli import reach
from services.localhouse import local_house

NAMED = os.environ.get("PITBOSS_ATTACK_HOUSE", "")


@pytest.fixture(scope="session")
def size() -> int:
    """Return the factor that multiplies the size of floods."""
    return max(1, int(os.environ.get("PITBOSS_ATTACK_SIZE", "1")))


@pytest.fixture(scope="session")
def house(tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> Iterator[local_house.LocalHouse]:
    """Start a house with scripted decks and two dealers, each of which serves every table."""
    if NAMED:
        pytest.skip("this attack needs a house of its own")
    database_url, redis_url = request.getfixturevalue("house_urls")()
    running = local_house.LocalHouse(
        tmp_path_factory.mktemp("attacked"),
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
def reached(request: pytest.FixtureRequest) -> reach.Reach:
    """Return the addresses of the attacked house."""
    if NAMED:
        return reach.of_folder(Path("no folder" if NAMED == "-" else NAMED))
    house: local_house.LocalHouse = request.getfixturevalue("house")
    return reach.of_folder(house.folder)
