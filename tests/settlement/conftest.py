"""A settlement process on a database and a Redis of the test's own."""

from collections.abc import AsyncIterator

import pytest

from tests import served
from tests.served import Connection, Served


@pytest.fixture
async def settlement(postgres_url: str, redis_url: str) -> AsyncIterator[Served]:
    """Serve settlement."""
    async with served.serve("settlement", served.given(postgres_url, redis_url)) as process:
        yield process


@pytest.fixture
async def conn(postgres_url: str) -> AsyncIterator[Connection]:
    """Give a connection as superuser."""
    async with await served.connect(postgres_url) as connection:
        yield connection
