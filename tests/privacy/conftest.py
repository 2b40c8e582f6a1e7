"""Keys of players in a database of the test's own."""

import contextlib
from collections.abc import AsyncIterator

import pytest

from services.fairness.seal import KeyRing
from services.privacy.keys import RING, PlayerKeys
from services.privacy.names import Connect
from tests.support import served
from tests.support.served import Connection

OLD, NEW = bytes(range(32)), bytes(range(32, 64))


@pytest.fixture
def keys() -> PlayerKeys:
    """Return a house's keys under its first ring."""
    return PlayerKeys(KeyRing(RING, {"old": OLD}, "old"))


@pytest.fixture
async def conn(postgres_url: str) -> AsyncIterator[Connection]:
    """Yield a connection as superuser that commits every statement by itself."""
    async with await served.connect(postgres_url) as connection:
        yield connection


@pytest.fixture
def connect(conn: Connection) -> Connect:
    """Return an object that hands out that one connection."""

    @contextlib.asynccontextmanager
    async def handed() -> AsyncIterator[Connection]:
        yield conn

    return handed
