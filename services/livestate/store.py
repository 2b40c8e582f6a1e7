"""Live tables in Redis: sealed states by version, deadlines, and word of new versions.

All of it may be lost at any time. A table's state is a hash ``pitboss:live:{<group>}:<table>`` (``v``: version, ``b``:
sealed bytes) that expires; the deadlines of a family are the sorted sets ``pitboss:deadlines:{<group>}:<family>``
(milliseconds since 1970 by table); each save is told on the channel ``pitboss:version:<database>:<table>``. A table's
group is a function of its id, so that the two keys of a save lie in one slot of a cluster. One call is one round trip,
bounded in time; whatever goes wrong is ``LiveStateAway``.
"""

import asyncio
import zlib
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Final, TypeVar, cast

import msgspec
import redis.asyncio
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import RedisError

from services.livestate.breaker import Breaker
from services.livestate.watchers import Watch, Watchers

T = TypeVar("T")

CALL_SECONDS: Final = 0.25
KEEP_SECONDS: Final = 86_400
GROUPS: Final = 8
"""Groups of tables; a cluster spreads them over its nodes."""
CONNECTIONS: Final = 32
MOST_BLOB: Final = 4 << 20
"""Greatest size of a sealed state, in bytes."""
MOST_VERSION: Final = 1 << 53
"""Versions and deadlines stay below this, where Redis counts exactly."""

SAVE: Final = """
local had = redis.call('HGET', KEYS[1], 'v')
if had and tonumber(had) > tonumber(ARGV[1]) then return 0 end
redis.call('HSET', KEYS[1], 'v', ARGV[1], 'b', ARGV[2])
redis.call('PEXPIRE', KEYS[1], ARGV[3])
if ARGV[4] == '' then redis.call('ZREM', KEYS[2], ARGV[5]) else redis.call('ZADD', KEYS[2], ARGV[4], ARGV[5]) end
redis.call('PUBLISH', ARGV[6], ARGV[1])
return 1
"""

FORGET: Final = """
local is = redis.call('ZSCORE', KEYS[1], ARGV[1])
if is and tonumber(is) == tonumber(ARGV[2]) then return redis.call('ZREM', KEYS[1], ARGV[1]) end
return 0
"""


class LiveStateAway(Exception):  # noqa: N818 - a state of affairs that every caller has an answer to
    """Redis did not do what was asked in time; nothing is known of what it did. Go on without it."""


class Save(msgspec.Struct, frozen=True):
    """A table's sealed state at a version, with its deadline (None: it has none)."""

    table_id: str
    version: int
    blob: bytes
    deadline_ms: int | None
    family: str

    def check(self) -> None:
        """Hold the bounds of what is stored."""
        assert 0 <= self.version < MOST_VERSION, f"{self.version} is no version"
        assert len(self.blob) <= MOST_BLOB, f"a state of {len(self.blob)} bytes; at most {MOST_BLOB} are kept"
        assert self.deadline_ms is None or 0 <= self.deadline_ms < MOST_VERSION, f"{self.deadline_ms} is no deadline"


class LiveState:
    """One process's way to Redis.

    ``call_seconds`` bounds each call; ``keep_seconds`` is how long the state of an idle table stays.
    """

    def __init__(
        self,
        url: str,
        *,
        call_seconds: float = CALL_SECONDS,
        keep_seconds: float = KEEP_SECONDS,
        breaker: Breaker | None = None,
    ) -> None:
        self._seconds = call_seconds
        self._keep_ms = int(keep_seconds * 1000)
        self._breaker = breaker or Breaker()
        # A connection that the server closed while it lay idle shows at its next use: that one is tried again at once.
        self._pool = redis.asyncio.BlockingConnectionPool.from_url(
            url,
            max_connections=CONNECTIONS,
            timeout=call_seconds,
            socket_timeout=call_seconds,
            socket_connect_timeout=call_seconds,
            retry=Retry(NoBackoff(), 1),
        )
        self._redis: redis.asyncio.Redis = redis.asyncio.Redis(connection_pool=self._pool)
        self._save = self._redis.register_script(SAVE)
        self._forget = self._redis.register_script(FORGET)
        self._channel = f"pitboss:version:{self._pool.connection_kwargs.get('db', 0)}:"
        self._watchers = Watchers(url, self._channel, self.versions, call_seconds)

    @property
    def away(self) -> bool:
        """Whether Redis was away in the last calls, so that most calls now fail at once."""
        return self._breaker.is_open

    async def save(self, table_id: str, version: int, blob: bytes, deadline_ms: int | None, family: str) -> bool:
        """Store a table's sealed state at a version, with its deadline (None: it has none), and tell the watchers.

        A newer version that is there already stays, and its deadline too: then the answer is False. Raises
        LiveStateAway.
        """
        one = Save(table_id, version, blob, deadline_ms, family)
        one.check()
        arguments = self._save_arguments(one)
        return bool(await self._call(lambda: self._save(keys=arguments[:2], args=arguments[2:])))

    async def save_all(self, saves: Sequence[Save]) -> list[bool]:
        """Store several tables in one round trip, each as ``save`` does. Raises LiveStateAway."""
        for one in saves:
            one.check()

        async def ask() -> list[Any]:
            async with self._redis.pipeline(transaction=False) as pipe:
                for one in saves:
                    pipe.eval(SAVE, 2, *self._save_arguments(one))
                return await pipe.execute()

        return [bool(stored) for stored in await self._call(ask)]

    def _save_arguments(self, one: Save) -> list[Any]:
        deadline = "" if one.deadline_ms is None else str(one.deadline_ms)
        return [
            _state(one.table_id), _deadlines(one.table_id, one.family), one.version, one.blob, self._keep_ms, deadline,
            one.table_id, self._channel + one.table_id,
        ]  # fmt: skip

    async def load(self, table_id: str) -> tuple[int, bytes] | None:
        """Give a table's version and sealed state; None where there is none. Raises LiveStateAway."""
        found = await self._call(lambda: _answer(self._redis.hmget(_state(table_id), ["v", "b"])))
        version, blob = found
        return None if version is None or blob is None else (int(version), blob)

    async def versions(self, table_ids: Sequence[str]) -> list[int | None]:
        """Give the version of each table, None where there is no state. Raises LiveStateAway."""

        async def ask() -> list[Any]:
            async with self._redis.pipeline(transaction=False) as pipe:
                for table_id in table_ids:
                    pipe.hget(_state(table_id), "v")
                return await pipe.execute()

        return [None if version is None else int(version) for version in await self._call(ask)]

    async def due(self, family: str, now_ms: int, limit: int) -> list[tuple[str, int]]:
        """List tables of a family whose deadline is at or before ``now_ms``, the earliest first.

        Raises LiveStateAway.
        """
        assert limit > 0, f"cannot list {limit} deadlines"

        async def ask() -> list[Any]:
            async with self._redis.pipeline(transaction=False) as pipe:
                for group in range(GROUPS):
                    pipe.zrange(
                        _deadlines_of(group, family), cast("int", "-inf"), now_ms, byscore=True, offset=0, num=limit,
                        withscores=True,
                    )  # fmt: skip
                return await pipe.execute()

        found = [(int(score), member.decode()) for part in await self._call(ask) for member, score in part]
        return [(table_id, at_ms) for at_ms, table_id in sorted(found)[:limit]]

    async def held(self, tables: Sequence[tuple[str, str]]) -> list[tuple[int | None, int | None]]:
        """Give version and deadline of tables, named by (id, family), in one round trip; None for what is not held.

        Raises LiveStateAway.
        """

        async def ask() -> list[Any]:
            async with self._redis.pipeline(transaction=False) as pipe:
                for table_id, family in tables:
                    pipe.hget(_state(table_id), "v")
                    pipe.zscore(_deadlines(table_id, family), table_id)
                return await pipe.execute()

        found = await self._call(ask)
        return [
            (None if version is None else int(version), None if score is None else int(score))
            for version, score in zip(found[::2], found[1::2], strict=True)
        ]

    async def deadline(self, table_id: str, family: str) -> int | None:
        """Give a table's deadline; None where none is held. Raises LiveStateAway."""
        score = await self._call(lambda: _answer(self._redis.zscore(_deadlines(table_id, family), table_id)))
        return None if score is None else int(score)

    async def tell(self, table_id: str, version: int) -> None:
        """Tell the watchers of a version that another process appended. Raises LiveStateAway."""
        await self._call(lambda: _answer(self._redis.publish(self._channel + table_id, version)))

    async def forget_deadline(self, table_id: str, deadline_ms: int, family: str) -> bool:
        """Take out a table's deadline if it is still this one; say whether it was. Raises LiveStateAway."""
        return bool(
            await self._call(lambda: self._forget(keys=[_deadlines(table_id, family)], args=[table_id, deadline_ms]))
        )

    def watch(self, table_id: str) -> Watch:
        """Hear of a table's new versions; see ``Watch``. Never raises while Redis is away, it is just quiet then."""
        return self._watchers.watch(table_id)

    async def ping(self) -> None:
        """Ask whether Redis answers, also while calls are refused at once. Raises LiveStateAway."""
        await self._bounded(lambda: _answer(self._redis.ping()))

    async def close(self) -> None:
        """End all watches and close all connections."""
        await self._watchers.close()
        await self._redis.aclose()
        await self._pool.disconnect()

    async def _call(self, ask: Callable[[], Awaitable[T]]) -> T:
        if not self._breaker.allows():
            message = "Redis was away a moment ago; live tables come from the log"
            raise LiveStateAway(message)
        return await self._bounded(ask)

    async def _bounded(self, ask: Callable[[], Awaitable[T]]) -> T:
        try:
            async with asyncio.timeout(self._seconds):
                answer = await ask()
        except (RedisError, OSError, TimeoutError) as error:
            self._breaker.failed()
            message = f"Redis did not answer as it should ({type(error).__name__}); live tables come from the log"
            raise LiveStateAway(message) from error
        self._breaker.succeeded()
        return answer


async def _answer(answer: object) -> Any:  # noqa: ANN401 - as the client declares it
    """Await an answer whose declared type covers the blocking client too."""
    return await cast("Awaitable[Any]", answer)


def _group(table_id: str) -> int:
    return zlib.crc32(table_id.encode()) % GROUPS


def _state(table_id: str) -> str:
    return f"pitboss:live:{{{_group(table_id)}}}:{table_id}"


def _deadlines(table_id: str, family: str) -> str:
    return _deadlines_of(_group(table_id), family)


def _deadlines_of(group: int, family: str) -> str:
    return f"pitboss:deadlines:{{{group}}}:{family}"
