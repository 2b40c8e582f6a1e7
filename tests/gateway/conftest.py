"""A whole house with its gateway, started once per run of this folder."""

from collections.abc import Callable, Iterator

import pytest

from services.localhouse import local_house

ORIGIN = "https://play.example.org"


@pytest.fixture(scope="session")
def house(
    tmp_path_factory: pytest.TempPathFactory, house_urls: Callable[[], tuple[str, str]]
) -> Iterator[local_house.LocalHouse]:
    """Yield a house of two dealers behind a gateway."""
    database_url, redis_url = house_urls()
    running = local_house.LocalHouse(
        tmp_path_factory.mktemp("gateway"),
        dealers=2,
        database_url=database_url,
        redis_url=redis_url,
        settings={
            "PITBOSS_DRAIN_SECONDS": "2",
            "PITBOSS_GATEWAY_ORIGINS": f'["{ORIGIN}", "http://localhost:*"]',
            "PITBOSS_GATEWAY_QUOTA": "5000/50000",
        },
        gateway=True,
    )
    with running:
        running.write_down()
        yield running


@pytest.fixture
def gateway(house: local_house.LocalHouse) -> str:
    """Return the address of the gateway."""
    return house.members["gateway"].address
