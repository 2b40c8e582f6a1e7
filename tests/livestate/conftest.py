"""The servers for tests of the live state: one server and a cluster; the store and its watches run on both."""

from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any, Protocol

import pytest
import redis
import redis.asyncio

from services.livestate import addresses
from tests.support import clusters

KINDS = ("one server", "a cluster")


class Stoppable(Protocol):
    """A Redis that a test may stop and start again."""

    @property
    def url(self) -> str:
        """The URL, the same after each start."""
        ...

    def start(self) -> object:
        """Start it again."""
        ...

    def stop(self, *, immediate: bool = False) -> None:
        """Stop all its servers."""
        ...


class Raw:
    """Bare clients of every server of a Redis."""

    def __init__(self, nodes: list[redis.asyncio.Redis]) -> None:
        self.nodes = nodes

    async def each(self, method: str, *arguments: Any, **named: Any) -> list[Any]:
        """Call a method of every client, one after the other."""
        return [await getattr(node, method)(*arguments, **named) for node in self.nodes]

    async def holder(self, table: str) -> tuple[redis.asyncio.Redis, Any]:
        """Return the server that holds a table's state, and the state's key."""
        [found] = [(node, key) for node in self.nodes for key in await node.keys(f"pitboss:live:*:{table}")]
        return found

    async def channels(self) -> int:
        """Return the number of channels with a subscriber."""
        mine = f"pitboss:version:{self.database}:*"
        return len({name for names in await self.each("pubsub_channels", mine) for name in names})

    async def subscribers(self) -> int:
        """Return the number of subscribed connections."""
        clients = [client for found in await self.each("client_list") for client in found]
        return len([one for one in clients if int(one["sub"]) and one["db"] == str(self.database)])

    @property
    def database(self) -> int:
        """The logical database; other tests' stores live in others of the same server."""
        return int(self.nodes[0].connection_pool.connection_kwargs.get("db", 0))


@pytest.fixture(scope="session")
def cluster() -> Iterator[clusters.Cluster]:
    """Yield a cluster of three nodes; a test must neither stop one nor move a slot."""
    with clusters.running() as found:
        yield found


@pytest.fixture(params=KINDS)
def redis_url(request: pytest.FixtureRequest, redis_url: str) -> Iterator[str]:
    """Yield an empty database of one server, then an empty cluster."""
    if request.param == "one server":
        yield redis_url
        return
    found: clusters.Cluster = request.getfixturevalue("cluster")
    yield found.url
    for node in found.nodes:
        clusters.ask(node, "FLUSHALL")


@pytest.fixture
async def raw(redis_url: str) -> AsyncIterator[Raw]:
    """Yield bare clients of the same Redis."""
    async with raw_clients(redis_url) as found:
        yield found


@asynccontextmanager
async def raw_clients(redis_url: str) -> AsyncIterator[Raw]:
    """Connect a bare client to every server of a Redis."""
    named = addresses.parse(redis_url)
    urls = [named] if isinstance(named, str) else [named.url(place) for place in named.places]
    async with AsyncExitStack() as stack:
        yield Raw([await stack.enter_async_context(redis.asyncio.Redis.from_url(url)) for url in urls])


@pytest.fixture(params=KINDS)
def own_site(request: pytest.FixtureRequest) -> Stoppable:
    """Return a Redis that a test may stop and start: one server, then a cluster."""
    found: Stoppable = request.getfixturevalue("own_redis" if request.param == "one server" else "own_cluster")
    return found
