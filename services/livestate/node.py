"""One Redis server: a bounded pool of connections, a circuit breaker, and commands that share a round trip."""

import asyncio
from collections.abc import Callable, Sequence
from typing import Any, Final, NamedTuple

import redis.asyncio
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import AskError, MovedError, NoScriptError, RedisError, TryAgainError

from services.livestate import packing
from services.livestate.breaker import Breaker

CONNECTIONS: Final = 32
"""Maximum number of connections to one server; further calls wait for one, within their time limit."""

ELSEWHERE: Final = (MovedError, AskError, TryAgainError)
"""Answers of a healthy node that does not serve the key now."""


class LiveStateAway(Exception):
    """Redis did not answer in time; whether it executed the command is unknown. Continue without it."""


class Ask(NamedTuple):
    """One command on keys of one group of tables.

    ``command`` calls a method of a client, which sends it, or of a pipeline, which queues it. A command that names a
    script by its digest (EVALSHA) has the same call with the script's text (EVAL) in ``command_with_script``; it is
    used where the server does not have the script.
    """

    group: int
    command: Callable[[Any], Any]
    command_with_script: Callable[[Any], Any] | None = None


def away(error: Exception) -> LiveStateAway:
    """Return the error that reports Redis as away for this call."""
    found = LiveStateAway(f"Redis did not answer as it should ({type(error).__name__}); live tables come from the log")
    found.__cause__ = error
    return found


def refused() -> LiveStateAway:
    """Return the error for a call that was not attempted."""
    return LiveStateAway("Redis was away a moment ago; live tables come from the log")


class Server:
    """A client of one server. ``failed`` is called on each failure; ``when`` (loop time) is a call's time limit."""

    def __init__(self, url: str, seconds: float, failed: Callable[[], None] = lambda: None) -> None:
        self._breaker = Breaker()
        self._on_failure = failed
        # A connection that the server closed while idle fails at its next use: that call is retried at once.
        self._pool = redis.asyncio.BlockingConnectionPool.from_url(
            url,
            max_connections=CONNECTIONS,
            timeout=seconds,
            socket_timeout=seconds,
            socket_connect_timeout=seconds,
            retry=Retry(NoBackoff(), 1),
        )
        self._pool.connection_class = packing.BY_KIND[self._pool.connection_class]
        self._redis: redis.asyncio.Redis = redis.asyncio.Redis(connection_pool=self._pool)

    @property
    def away(self) -> bool:
        """Return whether the server was away in the last calls, so that most calls now fail at once."""
        return self._breaker.is_open

    @property
    def database(self) -> int:
        """The logical database that is used."""
        return int(self._pool.connection_kwargs.get("db", 0))

    async def ask(
        self, asks: Sequence[Ask], when: float, *, asking: bool = False, anyway: bool = False
    ) -> list[Any | RedisError | LiveStateAway]:
        """Send all commands in one round trip; return for each its answer, the server's error, or LiveStateAway.

        ``asking``: the keys are being moved to this server, which then requires ``ASKING`` before each command.
        ``anyway``: send even while the circuit breaker is open.
        """
        if not (self._breaker.allows() or anyway):
            return [refused()] * len(asks)
        try:
            async with asyncio.timeout_at(when):
                answers = await self._answers([one.command for one in asks], asking=asking)
                missing = [at for at, found in enumerate(answers) if isinstance(found, NoScriptError)]
                if missing:
                    answered = await self._answers(
                        [asks[at].command_with_script or asks[at].command for at in missing], asking=asking
                    )
                    for at, answer in zip(missing, answered, strict=True):
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
        self._on_failure()

    async def _answers(self, commands: Sequence[Callable[[Any], Any]], *, asking: bool) -> list[Any]:
        if len(commands) == 1 and not asking:
            return [await self._answer(commands[0])]
        async with self._redis.pipeline(transaction=False) as pipe:
            for command in commands:
                if asking:
                    pipe.execute_command("ASKING")
                command(pipe)
            found = await pipe.execute(raise_on_error=False)
        return found[1::2] if asking else found

    async def _answer(self, command: Callable[[Any], Any]) -> Any:
        try:
            return await command(self._redis)
        except redis.ResponseError as error:
            return error
