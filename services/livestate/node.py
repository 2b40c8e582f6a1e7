"""One Redis server: a bounded pool of connections, a circuit breaker, and commands that go together in a round trip."""

import asyncio
from collections.abc import Callable, Sequence
from typing import Any, Final, NamedTuple

import redis.asyncio
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import AskError, MovedError, NoScriptError, RedisError, TryAgainError

from services.livestate.breaker import Breaker

CONNECTIONS: Final = 32
"""Connections to one server at most; further calls wait for one, within their bound."""

ELSEWHERE: Final = (MovedError, AskError, TryAgainError)
"""Answers of a node that is well, but does not serve the key now."""


class LiveStateAway(Exception):
    """Redis did not do what was asked in time; nothing is known of what it did. Go on without it."""


class Ask(NamedTuple):
    """One command on keys of one group of tables.

    ``put`` calls a client's method: a connected client then asks, a pipeline takes note. A command that names a script
    by its digest has in ``teach`` the same with the script's text, for a server that does not know it (any more).
    """

    group: int
    put: Callable[[Any], Any]
    teach: Callable[[Any], Any] | None = None


def away(error: Exception) -> LiveStateAway:
    """Say of an error that Redis is away for this call."""
    found = LiveStateAway(f"Redis did not answer as it should ({type(error).__name__}); live tables come from the log")
    found.__cause__ = error
    return found


def refused() -> LiveStateAway:
    """Say that a call is not even tried."""
    return LiveStateAway("Redis was away a moment ago; live tables come from the log")


class Server:
    """Speaks to one server. ``failed`` is told of each failure; calls are bounded by their own ``when`` (loop time)."""

    def __init__(self, url: str, seconds: float, failed: Callable[[], None] = lambda: None) -> None:
        self._breaker = Breaker()
        self._tell_failed = failed
        # A connection that the server closed while it lay idle shows at its next use: that one is tried again at once.
        self._pool = redis.asyncio.BlockingConnectionPool.from_url(
            url,
            max_connections=CONNECTIONS,
            timeout=seconds,
            socket_timeout=seconds,
            socket_connect_timeout=seconds,
            retry=Retry(NoBackoff(), 1),
        )
        self._redis: redis.asyncio.Redis = redis.asyncio.Redis(connection_pool=self._pool)

    @property
    def away(self) -> bool:
        """Whether the server was away in the last calls, so that most calls now fail at once."""
        return self._breaker.is_open

    @property
    def database(self) -> int:
        """The logical database that is used."""
        return int(self._pool.connection_kwargs.get("db", 0))

    async def ask(
        self, asks: Sequence[Ask], when: float, *, asking: bool = False, anyway: bool = False
    ) -> list[Any | RedisError | LiveStateAway]:
        """Ask all in one round trip; give for each its answer, the server's refusal, or that the server is away.

        ``asking``: the keys are on their way to this server, which serves them only to those who say that they know.
        ``anyway``: also while calls are refused at once.
        """
        if not (self._breaker.allows() or anyway):
            return [refused()] * len(asks)
        try:
            async with asyncio.timeout_at(when):
                answers = await self._answers([one.put for one in asks], asking=asking)
                untaught = [at for at, found in enumerate(answers) if isinstance(found, NoScriptError)]
                if untaught:
                    taught = await self._answers([asks[at].teach or asks[at].put for at in untaught], asking=asking)
                    for at, answer in zip(untaught, taught, strict=True):
                        answers[at] = answer
        except (RedisError, OSError, TimeoutError) as error:
            self._failed()
            return [away(error)] * len(asks)
        if any(isinstance(found, RedisError) and not isinstance(found, ELSEWHERE) for found in answers):
            self._failed()
        else:
            self._breaker.succeeded()
        return answers

    async def close(self) -> None:
        """Close all connections."""
        await self._redis.aclose()
        await self._pool.disconnect()

    def _failed(self) -> None:
        self._breaker.failed()
        self._tell_failed()

    async def _answers(self, puts: Sequence[Callable[[Any], Any]], *, asking: bool) -> list[Any]:
        if len(puts) == 1 and not asking:
            return [await self._answer(puts[0])]
        async with self._redis.pipeline(transaction=False) as pipe:
            for put in puts:
                if asking:
                    pipe.execute_command("ASKING")
                put(pipe)
            found = await pipe.execute(raise_on_error=False)
        return found[1::2] if asking else found

    async def _answer(self, put: Callable[[Any], Any]) -> Any:
        try:
            return await put(self._redis)
        except redis.ResponseError as error:
            return error
