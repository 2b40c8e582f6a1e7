"""A settlement process on a database and a Redis of the test's own."""

from collections.abc import AsyncIterator
from random import Random
from typing import Any

import pytest

from tests.support import pools, served
from tests.support.served import Connection, Served
from tests.support.settlement_floor import Floor


@pytest.fixture
async def settlement(postgres_url: str, redis_url: str) -> AsyncIterator[Served]:
    """Serve settlement."""
    async with served.serve("settlement", served.given(postgres_url, redis_url)) as process:
        yield process


@pytest.fixture
async def conn(postgres_url: str) -> AsyncIterator[Connection]:
    """Return a connection as superuser."""
    async with await served.connect(postgres_url) as connection:
        yield connection


@pytest.fixture
async def pool(postgres_url: str) -> AsyncIterator[Any]:
    """Return settlement's connections."""
    async with pools.make_pool(postgres_url, "pitboss_settlement") as opened:
        yield opened


@pytest.fixture
async def floor(postgres_url: str, redis_url: str, conn: Connection) -> AsyncIterator[Floor]:
    """Serve settlement; every win and stake of 50 chips or more is a significant event."""
    given = served.given(postgres_url, redis_url, large_win=50, large_stake=50)
    async with served.serve("settlement", given) as settlement:
        yield Floor(settlement, conn, Random(11))
