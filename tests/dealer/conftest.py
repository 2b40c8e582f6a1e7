"""The parts of a dealer, on a database and a Redis of the test's own."""

from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack

import pytest
from pitboss import client

from services.dealer.admission import AdmissionPolicy
from services.dealer.cashier import Cashier
from services.dealer.commands import Commands
from services.dealer.feeds import Feeds
from services.dealer.lobby_feeds import LobbyFeeds
from services.dealer.tables import Checkout, Tables
from services.dealer.vault import Vault
from services.eventlog.log import Appender
from services.fairness.seal import KeyRing
from services.livestate.store import LiveState
from services.privacy.names import Names
from services.registry.switches import Switchboard
from services.rules import catalogue
from services.runtime import clock, pools
from services.table.full_table import FullTable
from tests.dealer import play_house
from tests.privacy import opening
from tests.support import served, sittings
from tests.support.people import Crowd
from tests.support.served import Connection, Served

MOST_WATCHERS = 100
"""Strangers who may watch one table of a dealer of these tests."""


class Dealer:
    """One dealer's tables and commands."""

    def __init__(
        self, pool: pools.Pool, appender: Appender, live: LiveState, vault: Vault, cashier: Cashier, families: list[str]
    ) -> None:
        self.pool, self.live, self.vault = pool, live, vault
        self.admission = AdmissionPolicy(Switchboard(), pool, cashier, clock.wall_ms)
        self.tables = Tables(pool, live, vault, frozenset(families))
        self.commands = Commands(self.tables, appender, pool, "dealer", clock.wall_ms)
        self.names = Names(opening.KEYS, pool.connection)
        self.feeds = Feeds(self.tables, live, pool, self.admission, self.commands.busy, self.names, MOST_WATCHERS)
        self.lobbies = LobbyFeeds(pool, live, self.admission, self.names, self.commands.busy)

    async def version(self, table_id: str) -> int:
        """Return the version of a table as this dealer has it, which may be behind the log."""
        return (await self.at_hand(table_id)).table.core.version

    async def table(self, table_id: str) -> FullTable:
        """Return a table as new as the log; this dealer keeps it."""
        async with self.tables.checkout(table_id) as held:
            return held.table

    async def at_hand(self, table_id: str) -> Checkout:
        """Return a table of this dealer, loaded if needed, and whether it is as new as the log."""
        async with self.tables.checkout(table_id, fresh=False) as held:
            return held

    async def saved(self, table_id: str) -> FullTable:
        """Return a table of this dealer; it is in Redis afterwards."""
        async with self.tables.checkout(table_id, fresh=False) as held:
            held.save()
        await self.tables.settle_down()
        return held.table


Open = Callable[..., Dealer]


@pytest.fixture
async def conn(postgres_url: str) -> AsyncIterator[Connection]:
    """Yield a connection as superuser."""
    async with await served.connect(postgres_url) as connection:
        yield connection


@pytest.fixture
async def settlement(postgres_url: str, redis_url: str) -> AsyncIterator[Served]:
    """Serve settlement."""
    async with served.serve("settlement", served.given(postgres_url, redis_url)) as process:
        yield process


@pytest.fixture
async def open_dealer(postgres_url: str, redis_url: str) -> AsyncIterator[Open]:
    """Return a function that opens dealers on one database: each with its own memory, on request with other keys."""
    settings = served.given(postgres_url, redis_url)
    async with AsyncExitStack() as stack:
        pool = await stack.enter_async_context(pools.opened(settings, "pitboss_dealer", "dealer"))
        appender = await stack.enter_async_context(Appender(pool))
        nowhere = client.open_channel("127.0.0.1:9")  # these commands move no money
        stack.push_async_callback(nowhere.close, None)
        dealers: list[Dealer] = []

        def opened(*, deal: KeyRing = sittings.DEAL, families: list[str] | None = None) -> Dealer:
            live = LiveState(redis_url, call_seconds=2.0)
            stack.push_async_callback(live.close)
            served_by = families or catalogue.families()
            dealers.append(Dealer(pool, appender, live, Vault(deal, sittings.AUDIT), Cashier(nowhere), served_by))
            return dealers[-1]

        yield opened
        for dealer in dealers:
            await dealer.lobbies.close()
            await dealer.feeds.close()
            await dealer.tables.settle_down()


@pytest.fixture
async def dealer(settlement: Served, postgres_url: str, redis_url: str) -> AsyncIterator[Served]:
    """Serve a dealer of all families."""
    given = served.given(postgres_url, redis_url, settlement_address=settlement.address)
    async with served.serve("dealer", given) as process:
        yield process


@pytest.fixture
async def crowd(dealer: Served, settlement: Served) -> AsyncIterator[Crowd]:
    """Yield people of this house."""
    async with play_house.crowd_of(dealer, settlement=settlement) as made:
        yield made
