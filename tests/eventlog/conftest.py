"""Connections for the log's tests, closed after each."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack

import pytest

from tests.support import log_events


@pytest.fixture
async def conn(postgres_url: str) -> AsyncIterator[log_events.Connection]:
    """Yield a connection as superuser that commits every statement by itself."""
    async with await log_events.connect(postgres_url) as connection:
        yield connection


@pytest.fixture
async def others(postgres_url: str) -> AsyncIterator[list[log_events.Connection]]:
    """Yield three further connections."""
    async with AsyncExitStack() as stack:
        yield [await stack.enter_async_context(await log_events.connect(postgres_url)) for _ in range(3)]
