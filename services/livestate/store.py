"""Live tables in Redis: sealed states by version, deadlines, and notifications of new versions.

All of it may be lost at any time. A table's state is a hash ``pitboss:live:{<tag>}:<table>`` (``v``: version, ``b``:
sealed bytes) that expires; the deadlines of a family are the sorted sets ``pitboss:deadlines:{<tag>}:<family>``
(milliseconds since 1970 by table). Each save is published on the channel ``pitboss:version:<database>:<table>``. The
tag is that of the table's group (``slots``), so that the two keys of a save are in one slot of a cluster. One call is
one round trip to each server concerned, with a time limit; every failure is ``LiveStateAway``.
"""

from collections.abc import Mapping, Sequence
from operator import methodcaller
from typing import Any, Final

import msgspec

from services.livestate import nodes, presence, schedule, scripts, slots
from services.livestate.node import Ask, LiveStateAway
from services.livestate.notifications import Watchers
from services.livestate.presence import Present, Report
from services.livestate.schedule import Wanted
from services.livestate.sweep_turns import SweepTurns
from services.livestate.watches import Watch, WatchAll

__all__ = ["CALL_SECONDS", "KEEP_SECONDS", "LiveState", "LiveStateAway", "Save"]

CALL_SECONDS: Final = 0.25
KEEP_SECONDS: Final = 86_400
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

DROP: Final = """
local had = redis.call('HGET', KEYS[1], 'v')
if had and tonumber(had) >= tonumber(ARGV[1]) then return redis.call('DEL', KEYS[1]) end
return 0
"""


class Save(msgspec.Struct, frozen=True):
    """A table's sealed state at a version, with its deadline (None: it has none)."""

    table_id: str
    version: int
    blob: bytes
    deadline_ms: int | None
    family: str

    def check(self) -> None:
        """Assert the bounds of the stored values."""
        assert 0 <= self.version < MOST_VERSION, f"{self.version} is not a version"
        assert len(self.blob) <= MOST_BLOB, f"a state of {len(self.blob)} bytes; at most {MOST_BLOB} are kept"
        assert self.deadline_ms is None or 0 <= self.deadline_ms < MOST_VERSION, f"{self.deadline_ms} is not a deadline"


class LiveState:
    """A process's client of Redis: one server or a cluster, as the URL says.

    ``call_seconds`` limits each call; ``keep_seconds`` is how long the state of an idle table is kept. Raises
    ValueError for an invalid URL.
    """

    def __init__(self, url: str, *, call_seconds: float = CALL_SECONDS, keep_seconds: float = KEEP_SECONDS) -> None:
        self._keep_ms = int(keep_seconds * 1000)
        self._servers = nodes.reach(url, call_seconds)
        self._channel = f"pitboss:version:{self._servers.database}:"
        self._watchers = Watchers(self._servers.subscription_url, self._channel, self._present, call_seconds)

    @property
    def away(self) -> bool:
        """Return whether Redis, or a node of it, was away in the last calls, so that most calls now fail at once."""
        return self._servers.away

    async def save(self, table_id: str, version: int, blob: bytes, deadline_ms: int | None, family: str) -> bool:
        """Store a table's sealed state at a version, with its deadline (None: none), and notify the watchers.

        Return False where a newer version is stored already; it and its deadline are kept. Raises LiveStateAway.
        """
        [stored] = await self.save_all([Save(table_id, version, blob, deadline_ms, family)])
        return stored

    async def save_all(self, saves: Sequence[Save]) -> list[bool]:
        """Store several tables in one round trip, each as ``save`` does.

        Raises LiveStateAway if any could not be stored; the others are stored.
        """
        for one in saves:
            one.check()
        return [bool(stored) for stored in await self._all([self._saving(one) for one in saves])]

    def _saving(self, one: Save) -> Ask:
        group = slots.of_table(one.table_id)
        deadline = "" if one.deadline_ms is None else str(one.deadline_ms)
        keys = [slots.state(one.table_id), slots.deadlines(group, one.family)]
        arguments = [one.version, one.blob, self._keep_ms, deadline, one.table_id, self._channel + one.table_id]
        return scripts.ask(group, SAVE, keys, arguments)

    async def load(self, table_id: str) -> tuple[int, bytes] | None:
        """Return a table's version and sealed state; None where there is none. Raises LiveStateAway."""
        version, blob = await self._one(slots.of_table(table_id), "hmget", slots.state(table_id), ["v", "b"])
        return None if version is None or blob is None else (int(version), blob)

    async def drop(self, table_id: str, version: int) -> bool:
        """Delete a table's state if it is at ``version`` or newer; return whether it was. Raises LiveStateAway.

        After the log lost its end, such a state would otherwise win over those saved from now on.
        """
        group = slots.of_table(table_id)
        [taken] = await self._all([scripts.ask(group, DROP, [slots.state(table_id)], [version])])
        return bool(taken)

    async def versions(self, table_ids: Sequence[str]) -> list[int | None]:
        """Return the version of each table, None where there is no state. Raises LiveStateAway."""
        found = await self._all([_version(table_id) for table_id in table_ids])
        return [None if version is None else int(version) for version in found]

    async def _present(self, table_ids: Sequence[str]) -> dict[str, int | None]:
        """Return the versions of those tables whose server is not away."""
        found = await self._servers.ask([_version(table_id) for table_id in table_ids])
        return {
            table_id: None if version is None else int(version)
            for table_id, version in zip(table_ids, found, strict=True)
            if not isinstance(version, LiveStateAway)
        }

    async def due(self, family: str, now_ms: int, limit: int) -> list[tuple[str, int]]:
        """List tables of a family whose deadline is at or before ``now_ms``, the earliest first.

        Tables of a node that is away are left out. Raises LiveStateAway if no server answers.
        """
        assert limit > 0, f"cannot list {limit} deadlines"
        found = await self._servers.ask(schedule.due_asks([family], now_ms, [limit] * slots.COUNT))
        return schedule.read_due([family], found)[family][:limit]

    async def due_by_family(
        self, families: Sequence[str], now_ms: int, limits: Sequence[int]
    ) -> dict[str, list[tuple[str, int]]]:
        """List the due tables of each family, the earliest in each group of tables, in one round trip.

        ``limits`` bound the tables of one family in each group.

        Tables of a node that is away are left out. Raises LiveStateAway if no server answers.
        """
        assert len(limits) == slots.COUNT, f"{len(limits)} limits for {slots.COUNT} groups"
        assert min(limits) > 0, f"cannot list {min(limits)} deadlines"
        found = await self._servers.ask(schedule.due_asks(families, now_ms, limits))
        return schedule.read_due(families, found)

    async def unscheduled(self, tables: Sequence[Wanted]) -> Mapping[str, bool]:
        """Return those tables that do not have their state of this version and a deadline, all in one round trip.

        The value is True for them, False for tables whose server is away.
        """
        asks, parts = schedule.unscheduled_asks(tables)
        return schedule.read_unscheduled(parts, await self._servers.ask(asks))

    def sweep_turns(self, name: str, pass_ms: int, pause_ms: int) -> SweepTurns:
        """Return the turns of a sweep, the same for all processes that use the name; see ``SweepTurns``."""
        return SweepTurns(self._servers, name, pass_ms, pause_ms)

    async def deadline(self, table_id: str, family: str) -> int | None:
        """Return a table's deadline; None where there is none. Raises LiveStateAway."""
        [score] = await self._all([_deadline(table_id, family)])
        return None if score is None else int(score)

    async def publish(self, table_id: str, version: int) -> None:
        """Notify the watchers of a version that another process appended. Raises LiveStateAway."""
        await self._one(slots.of_table(table_id), "publish", self._channel + table_id, version)

    async def forget_deadline(self, table_id: str, deadline_ms: int, family: str) -> bool:
        """Delete a table's deadline if it is still this one; return whether it was. Raises LiveStateAway."""
        group = slots.of_table(table_id)
        [taken] = await self._all(
            [scripts.ask(group, FORGET, [slots.deadlines(group, family)], [table_id, deadline_ms])]
        )
        return bool(taken)

    async def report_presence(
        self, reports: Sequence[Report], process: str, now_ms: int, until_ms: int
    ) -> dict[str, Present]:
        """Renew a process's leases, all in one round trip; return who is present at each table whose server answers.

        Raises LiveStateAway where none does.
        """
        asks = [presence.asks(report, process, until_ms) for report in reports]
        answers = iter(await self._servers.ask([ask for some in asks for ask in some]))
        last = [[next(answers) for _ in some][-1] for some in asks]
        read = [(one, found) for one, found in zip(reports, last, strict=True) if not isinstance(found, LiveStateAway)]
        if reports and not read:
            raise next(found for found in last if isinstance(found, LiveStateAway))
        if stale := [ask for report, found in read for ask in presence.forgetting(report, found)]:
            await self._servers.ask(stale)
        return {report.table_id: presence.read(found, now_ms) for report, found in read}

    async def presence(self, table_id: str, now_ms: int) -> Present:
        """Return who is present at a table. Raises LiveStateAway."""
        [found] = await self._all([presence.reading(table_id)])
        return presence.read(found, now_ms)

    def watch(self, table_id: str) -> Watch:
        """Watch a table's new versions; see ``Watch``. While Redis is away it reports nothing and does not raise."""
        return self._watchers.watch(table_id)

    def watch_all(self) -> WatchAll:
        """Watch all tables for new versions; see ``WatchAll``. While Redis is away it reports nothing."""
        return self._watchers.watch_all()

    async def ping(self) -> None:
        """Check that Redis answers, every node of a cluster, even while the breaker is open. Raises LiveStateAway."""
        await self._servers.ping()

    async def close(self) -> None:
        """End all watches and close all connections; no call may be in progress."""
        await self._watchers.close()
        await self._servers.close()

    async def _one(self, group: int, method: str, *arguments: Any) -> Any:
        [answer] = await self._all([Ask(group, methodcaller(method, *arguments))])
        return answer

    async def _all(self, asks: Sequence[Ask]) -> list[Any]:
        answers = await self._servers.ask(asks)
        for answer in answers:
            if isinstance(answer, LiveStateAway):
                raise answer
        return answers


def _version(table_id: str) -> Ask:
    return Ask(slots.of_table(table_id), methodcaller("hget", slots.state(table_id), "v"))


def _deadline(table_id: str, family: str) -> Ask:
    group = slots.of_table(table_id)
    return Ask(group, methodcaller("zscore", slots.deadlines(group, family), table_id))
