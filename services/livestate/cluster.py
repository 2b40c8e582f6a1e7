"""A Redis cluster: which node serves which group of tables, and how commands follow when that changes.

Each node is a server of its own, with its own connections and its own circuit breaker. So a node that is away does not
slow down the tables of other nodes. (The client library has a cluster client too. When a node dies, its
pipelines close the connections to all nodes and sleep longer than a call may last here.) The nodes report which of
them serves which group. One task at a time asks them: on first use, and after each failure and redirection.
"""

import asyncio
import itertools
import secrets
from collections.abc import Coroutine, Iterable, Sequence
from operator import methodcaller
from typing import Any, Final, TypeVar

from redis.exceptions import AskError, MovedError, RedisError, TryAgainError

from services.livestate import addresses, slots
from services.livestate.addresses import Place
from services.livestate.breaker import Breaker
from services.livestate.node import ELSEWHERE, Ask, LiveStateAway, Server, away, refused

MOST_HOPS: Final = 16
"""Maximum number of times that a command is sent while it follows redirections."""
AGAIN_SECONDS: Final = 0.01
"""Pause before a command is sent again while its keys are being moved; it grows by this much each time."""
LEARN_PAUSE: Final = 0.1
"""Seconds after which the nodes may be asked again which slots they serve."""

_SLOTS: Final = Ask(0, methodcaller("execute_command", "CLUSTER SLOTS"))
_PING: Final = Ask(0, methodcaller("ping"))

Result = TypeVar("Result")


class Cluster:
    """The nodes of a cluster; each call is bounded by ``seconds``, redirections included."""

    def __init__(self, named: addresses.Cluster, seconds: float) -> None:
        self._named = named
        self._seconds = seconds
        self._servers: dict[Place, Server] = {}
        self._homes: dict[int, Place] = {}
        self._known: tuple[Place, ...] = ()
        self._breaker = Breaker()
        self._learning: asyncio.Task[None] | None = None
        self._learnt_at = float("-inf")
        self._closed = False
        # Processes that start together subscribe at different nodes.
        self._turns = itertools.count(secrets.randbelow(1 << 16))

    @property
    def away(self) -> bool:
        """Return whether any node that serves tables, or the whole cluster, was away in the last calls."""
        serving = [self._servers[place] for place in set(self._homes.values()) if place in self._servers]
        return self._breaker.is_open or any(server.away for server in serving)

    @property
    def database(self) -> int:
        """A cluster has one database only."""
        return 0

    async def ask(self, asks: Sequence[Ask]) -> list[Any | LiveStateAway]:
        """Send all commands, in one round trip to each node concurrently, and follow redirections.

        Return for each command its answer, or LiveStateAway where its node is away.
        """
        if not asks:
            return []
        when = self._when()
        lost = await self._find(when)
        if lost is not None:
            return [lost] * len(asks)
        answers: list[Any] = [away(ConnectionError("no node serves the slot"))] * len(asks)
        routes = {at: (self._homes[one.group], False) for at, one in enumerate(asks) if one.group in self._homes}
        if len(routes) < len(asks):
            self._learn_soon()
        for hop in range(MOST_HOPS):
            for at, answer in await self._hop(asks, routes, when):
                answers[at] = answer
            redirected = {at: route for at, route in routes.items() if isinstance(answers[at], ELSEWHERE)}
            if any(isinstance(answers[at], TryAgainError) for at in redirected):
                await asyncio.sleep(AGAIN_SECONDS * (hop + 1))
            if not redirected or asyncio.get_running_loop().time() >= when:
                break
            routes = {at: self._followed(asks[at], answers[at], *route) for at, route in redirected.items()}
        return [away(answer) if isinstance(answer, RedisError) else answer for answer in answers]

    async def ping(self) -> None:
        """Check that all nodes that serve tables answer. Raises LiveStateAway."""
        when = self._when()
        lost = await self._find(when, anyway=True)
        if lost is not None:
            raise lost
        serving = sorted(set(self._homes.values()))
        answers = await _together(self._server(place).ask([_PING], when, anyway=True) for place in serving)
        for [answer] in answers:
            if isinstance(answer, RedisError):
                raise away(answer)
            if isinstance(answer, LiveStateAway):
                raise answer

    def subscription_url(self) -> str:
        """Return the URL of a node to subscribe on, another one each time; healthy nodes are preferred."""
        places = self._known or self._named.places
        well = [place for place in places if place not in self._servers or not self._servers[place].away]
        chosen = well or places
        return self._named.url(chosen[next(self._turns) % len(chosen)])

    async def close(self) -> None:
        """Close all connections to all nodes."""
        self._closed = True
        if self._learning is not None:
            self._learning.cancel()
            await asyncio.gather(self._learning, return_exceptions=True)
        await asyncio.gather(*(server.close() for server in self._servers.values()))

    # -- sending commands --------------------------------------------------------------------------------------

    async def _hop(
        self, asks: Sequence[Ask], routes: dict[int, tuple[Place, bool]], when: float
    ) -> list[tuple[int, Any]]:
        """Send commands, given by their index in ``asks``, to their nodes; return the answers by the same indexes."""
        parts: dict[tuple[Place, bool], list[int]] = {}
        for at, route in routes.items():
            parts.setdefault(route, []).append(at)
        found = await _together(
            self._server(place).ask([asks[at] for at in ats], when, asking=asking)
            for (place, asking), ats in parts.items()
        )
        return [pair for ats, part in zip(parts.values(), found, strict=True) for pair in zip(ats, part, strict=True)]

    def _followed(self, asked: Ask, answer: RedisError, place: Place, asking: bool) -> tuple[Place, bool]:
        """Return the node that a command goes to next, and whether it must be preceded by ``ASKING`` there."""
        if isinstance(answer, MovedError):
            target = Place(answer.host or place.host, int(answer.port))
            self._homes[asked.group] = target
            self._learn_soon()
            return target, False
        if isinstance(answer, AskError):
            return Place(answer.host or place.host, int(answer.port)), True
        return place, asking

    def _server(self, place: Place) -> Server:
        found = self._servers.get(place)
        if found is None:
            found = Server(self._named.url(place), self._seconds, self._learn_soon)
            self._servers[place] = found
        return found

    def _when(self) -> float:
        return asyncio.get_running_loop().time() + self._seconds

    # -- finding out which node serves which group --------------------------------------------------------------

    async def _find(self, when: float, *, anyway: bool = False) -> LiveStateAway | None:
        """Wait until the nodes of the groups are known; return the error if they are not known in time."""
        if self._homes:
            return None
        if not (self._breaker.allows() or anyway):
            return refused()
        self._learn_soon()
        error: Exception = ConnectionError("no node of the cluster reported its slots")
        if self._learning is not None:
            try:
                async with asyncio.timeout_at(when):
                    await asyncio.shield(self._learning)
            except TimeoutError as late:
                error = late
        if self._homes:
            self._breaker.succeeded()
            return None
        self._breaker.failed()
        return away(error)

    def _learn_soon(self) -> None:
        """Start asking the nodes again, unless this is under way or was done a moment ago."""
        if self._closed or (self._learning is not None and not self._learning.done()):
            return
        if asyncio.get_running_loop().time() - self._learnt_at >= LEARN_PAUSE:
            self._learning = asyncio.create_task(self._learn(), name="livestate cluster")

    async def _learn(self) -> None:
        """Ask nodes in turn which node serves which slots, until one answers; healthy ones first, rotating."""
        turn = next(self._turns)
        known = [*self._known[turn % max(1, len(self._known)) :], *self._known[: turn % max(1, len(self._known))]]
        known.sort(key=lambda place: place in self._servers and self._servers[place].away)
        for place in dict.fromkeys([*known, *self._named.places]):
            [found] = await self._server(place).ask([_SLOTS], self._when())
            if isinstance(found, list):
                homes, places = slots.homes(found, place)
                if homes:
                    self._homes, self._known = homes, places
                    await self._forget_others()
                    break
        self._learnt_at = asyncio.get_running_loop().time()

    async def _forget_others(self) -> None:
        """Close the connections to nodes that left the cluster, or that have another address than the URL named."""
        gone = [place for place in self._servers if place not in self._known]
        await _together(self._servers.pop(place).close() for place in gone)


async def _together(calls: Iterable[Coroutine[Any, Any, Result]]) -> list[Result]:
    """Make calls at once and return their results; when cancelled, end only after all of them have ended.

    ``asyncio.gather`` does not wait for the calls that it cancels, and a connection could outlive its cluster.
    """
    async with asyncio.TaskGroup() as group:
        tasks = [group.create_task(call) for call in calls]
    return [task.result() for task in tasks]
