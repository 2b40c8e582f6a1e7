"""Databases at the isolation levels that the house may meet, and the errors that it got there."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack

import psycopg
import pytest
from psycopg import conninfo, sql

from services.database import retry
from tests.support import log_events

LEVELS = ("read committed", "repeatable read", "serializable")


def at_level(url: str, level: str) -> None:
    """Set the default isolation level of a database."""
    name = str(conninfo.conninfo_to_dict(url)["dbname"])
    with psycopg.connect(url, autocommit=True) as conn:
        conn.execute(
            sql.SQL("ALTER DATABASE {} SET default_transaction_isolation = {}").format(sql.Identifier(name), level)
        )


@pytest.fixture(params=LEVELS)
def level(request: pytest.FixtureRequest) -> str:
    """Return each isolation level in turn."""
    return str(request.param)


@pytest.fixture
def database(postgres_url: str, level: str) -> str:
    """Return a database whose transactions have that isolation level."""
    at_level(postgres_url, level)
    return postgres_url


@pytest.fixture
async def hands(database: str) -> AsyncIterator[list[log_events.Connection]]:
    """Yield three connections for hand-made interleavings; the last one observes."""
    async with AsyncExitStack() as stack:
        yield [await stack.enter_async_context(await log_events.connect(database)) for _ in range(3)]


@pytest.fixture
def losses(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Record the SQLSTATE of every transaction of this process that lost and is retried."""
    seen: list[str] = []
    really = retry.lost_race

    def noted(error: BaseException) -> bool:
        lost = really(error)
        if lost and isinstance(error, psycopg.Error):
            seen.append(error.sqlstate or "")
        return lost

    monkeypatch.setattr(retry, "lost_race", noted)
    return seen
