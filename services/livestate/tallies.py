"""Counts of calls, shared by all processes of a house: the library ``limits`` on the house's own Redis.

Keys are ``pitboss:quota:{…}``, within the prefix that a restricted Redis user may use; they expire. All of it may be
lost at any time. One server is used as in the live state. From a cluster's URL the nodes, the user, the password and
the use of TLS are taken.
"""

import asyncio
import time
from typing import Any, Final
from urllib.parse import unquote

import redis.asyncio
from limits import RateLimitItem, RateLimitItemPerSecond
from limits.aio.storage import RedisClusterStorage, RedisStorage
from limits.aio.strategies import SlidingWindowCounterRateLimiter
from limits.errors import ConfigurationError
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import RedisClusterException, RedisError

from services.livestate import addresses
from services.livestate.breaker import Breaker

PREFIX: Final = "pitboss:quota"
CONNECTIONS: Final = 8
"""Maximum number of connections to one server: few calls are counted here, each in one round trip."""
LEAST_PAUSE_SECONDS: Final = 0.05


class Tallies:
    """A process's client of the shared counts; each call takes at most ``seconds``. Raises ValueError for a bad URL."""

    def __init__(self, url: str, seconds: float) -> None:
        self._seconds, self._breaker = seconds, Breaker()
        self._storage = _storage(addresses.parse(url), seconds)
        self._limiter = SlidingWindowCounterRateLimiter(self._storage)

    async def count(self, subject: str, kind: str, most: int, span_seconds: int) -> float | None:
        """Count one call of a subject that may make ``most`` calls per span; return the seconds to wait.

        0 means that the call was counted and may proceed, None that Redis is away and nothing was counted.
        """
        if not self._breaker.allows():
            return None
        item = RateLimitItemPerSecond(most, span_seconds, namespace=kind)
        try:
            async with asyncio.timeout(self._seconds):
                wait_seconds = await self._count(item, subject)
        except (RedisError, RedisClusterException, OSError, TimeoutError, ConfigurationError):
            self._breaker.failed()
            return None
        self._breaker.succeeded()
        return wait_seconds

    async def _count(self, item: RateLimitItem, subject: str) -> float:
        if await self._limiter.hit(item, subject):
            return 0.0
        window = await self._limiter.get_window_stats(item, subject)
        return min(max(window.reset_time - time.time(), LEAST_PAUSE_SECONDS), float(item.get_expiry()))

    async def close(self) -> None:
        """Close all connections."""
        bridge: Any = self._storage.bridge  # its clients have no public type
        client = bridge.get_connection()
        await client.aclose()
        if isinstance(client, redis.asyncio.Redis):
            await client.connection_pool.disconnect()


def _storage(named: str | addresses.Cluster, seconds: float) -> RedisStorage:
    options: dict[str, Any] = {"socket_timeout": seconds, "socket_connect_timeout": seconds}
    if isinstance(named, str):
        pool: Any = redis.asyncio.BlockingConnectionPool.from_url(
            named, max_connections=CONNECTIONS, timeout=seconds, retry=Retry(NoBackoff(), 1), **options
        )
        return RedisStorage("async+redis://", implementation="redispy", key_prefix=PREFIX, connection_pool=pool)
    user, _, password = named.credentials.removesuffix("@").partition(":")
    options |= {"username": unquote(user)} if user else {}
    options |= {"password": unquote(password)} if password else {}
    options |= {"ssl": True} if named.scheme == "rediss" else {}
    nodes = ",".join(f"{place.host}:{place.port}" for place in named.places)
    return RedisClusterStorage(
        f"async+redis+cluster://{nodes}",
        implementation="redispy",
        key_prefix=PREFIX,
        max_connections=CONNECTIONS,
        **options,
    )
