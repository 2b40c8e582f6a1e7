"""Access to the Redis that a URL names, one server or a cluster, through the same interface."""

import asyncio
from collections.abc import Sequence
from operator import methodcaller
from typing import Any, Protocol

from redis.exceptions import RedisError

from services.livestate import addresses
from services.livestate.cluster import Cluster
from services.livestate.node import Ask, LiveStateAway, Server, away


class Servers(Protocol):
    """The interface that the live state needs from Redis."""

    @property
    def away(self) -> bool:
        """Return whether Redis, or a node of it, was away in the last calls, so that most calls now fail at once."""
        ...

    @property
    def database(self) -> int:
        """The logical database that is used."""
        ...

    async def ask(self, asks: Sequence[Ask]) -> list[Any | LiveStateAway]:
        """Send all commands, in one round trip to each server; return for each its answer or LiveStateAway."""
        ...

    async def ping(self) -> None:
        """Check that every server answers, even while the circuit breaker is open. Raises LiveStateAway."""
        ...

    def subscription_url(self) -> str:
        """Return the URL of a node to subscribe on; notifications reach every node, so each call may return another."""
        ...

    async def close(self) -> None:
        """Close all connections."""
        ...


class OneServer:
    """A Redis of one server."""

    def __init__(self, url: str, seconds: float) -> None:
        self._url = url
        self._seconds = seconds
        self._server = Server(url, seconds)

    @property
    def away(self) -> bool:
        """Return whether the server was away in the last calls."""
        return self._server.away

    @property
    def database(self) -> int:
        """The logical database that the URL names."""
        return self._server.database

    async def ask(self, asks: Sequence[Ask]) -> list[Any | LiveStateAway]:
        """Send all commands in one round trip; return for each its answer or LiveStateAway."""
        if not asks:
            return []
        found = await self._server.ask(asks, self._when())
        return [away(answer) if isinstance(answer, RedisError) else answer for answer in found]

    async def ping(self) -> None:
        """Check that the server answers. Raises LiveStateAway."""
        [answer] = await self._server.ask([Ask(0, methodcaller("ping"))], self._when(), anyway=True)
        if isinstance(answer, RedisError):
            raise away(answer)
        if isinstance(answer, LiveStateAway):
            raise answer

    def subscription_url(self) -> str:
        """Return the server's URL."""
        return self._url

    async def close(self) -> None:
        """Close all connections."""
        await self._server.close()

    def _when(self) -> float:
        return asyncio.get_running_loop().time() + self._seconds


def reach(url: str, seconds: float) -> Servers:
    """Return a client for the Redis that a URL names; each call takes at most ``seconds``. Raises ValueError."""
    named = addresses.parse(url)
    return OneServer(named, seconds) if isinstance(named, str) else Cluster(named, seconds)
