"""The turns of a sweep that several processes share: each takes the next part, and one pass is spread over time.

A sweep is a hash ``pitboss:sweep:{<tag>}:<name>`` of the first group: ``at`` (where the next part begins), ``began``
(when the pass began) and ``due`` (when the next turn may be taken), both in ms since 1970, ``turn`` (the number of the
last turn), ``hurried`` (1 in a pass without pauses), ``again`` (1 where another such pass follows). Each other group
has a mark of the same name. So the sweep's place is lost together with what the sweep looks after: one that is not
there, or whose mark a group lacks, begins anew.
"""

from collections.abc import Sequence
from operator import methodcaller
from typing import Any, Final, Protocol

import msgspec

from services.livestate import scripts, slots
from services.livestate.node import Ask, LiveStateAway

LEASE_MS: Final = 3_000
"""A turn that its process has not ended is another's after so long: the process is gone."""

TAKE: Final = """
local had = redis.call('HMGET', KEYS[1], 'due', 'at', 'began', 'hurried')
local now, due = tonumber(ARGV[1]), tonumber(had[1] or '0')
if due > now and due <= now + tonumber(ARGV[3]) then return due - now end
if not had[2] then redis.call('HSET', KEYS[1], 'at', '', 'began', ARGV[1], 'hurried', '1') end
redis.call('HSET', KEYS[1], 'due', string.format('%.0f', now + tonumber(ARGV[2])))
local turn = redis.call('HINCRBY', KEYS[1], 'turn', 1)
return {turn, had[2] or '', had[3] or ARGV[1], had[4] or '1'}
"""

END: Final = """
if redis.call('HGET', KEYS[1], 'turn') ~= ARGV[1] then return 0 end
redis.call('HSET', KEYS[1], 'due', ARGV[2], 'at', ARGV[3], 'began', ARGV[4], 'hurried', ARGV[5])
if ARGV[3] == '' and redis.call('HDEL', KEYS[1], 'again') == 1 then
  redis.call('HSET', KEYS[1], 'due', '0', 'began', '0', 'hurried', '1')
end
return 1
"""

BEGIN: Final = """
local had = redis.call('HMGET', KEYS[1], 'at', 'hurried')
if ARGV[2] == '0' and had[2] == '1' and had[1] ~= '' then
  redis.call('HSET', KEYS[1], 'again', '1')
  return 0
end
redis.call('HINCRBY', KEYS[1], 'turn', 1)
redis.call('HSET', KEYS[1], 'due', '0', 'at', '', 'began', ARGV[1], 'hurried', '1')
return 1
"""


class Turn(msgspec.Struct, frozen=True):
    """One turn: its number, where its part begins ("": at the beginning), when the pass began in ms since 1970."""

    number: int
    at: str
    began_ms: int
    hurried: bool


class Servers(Protocol):
    """What a sweep needs of Redis."""

    async def ask(self, asks: Sequence[Ask]) -> list[Any | LiveStateAway]:
        """Send all commands; return for each its answer or LiveStateAway."""
        ...


class SweepTurns:
    """The turns of one sweep. A pass takes ``pass_ms`` at least, and pauses ``pause_ms`` after each part."""

    def __init__(self, servers: Servers, name: str, pass_ms: int, pause_ms: int) -> None:
        self._servers = servers
        self._pass_ms, self._pause_ms = pass_ms, pause_ms
        self._keys = [f"pitboss:sweep:{{{tag}}}:{name}" for tag in slots.TAGS]
        self._away: frozenset[int] = frozenset()

    async def take(self, now_ms: int) -> Turn | int:
        """Take the next turn if it is due, else return in how many ms it is. Raises LiveStateAway."""
        most_ms = max(self._pass_ms, LEASE_MS)
        found = await self._first(scripts.ask(0, TAKE, self._keys[:1], (now_ms, LEASE_MS, most_ms)))
        if isinstance(found, int):
            return found
        if await self._is_lost():
            await self._begin(now_ms, lost=True)
            return 0
        number, at, began, hurried = found
        at = at.decode()
        return Turn(int(number), at, int(began) if at else now_ms, hurried == b"1")

    async def end(self, turn: Turn, at: str, now_ms: int) -> bool:
        """End a turn: the next one begins ``at`` ("": the pass is over). Raises LiveStateAway.

        Return False where the turn had been taken from this process.
        """
        due_ms = now_ms if turn.hurried and at else now_ms + self._pause_ms
        if not at:
            due_ms = max(due_ms, turn.began_ms + self._pass_ms)
        return await self._end(turn, at, due_ms, hurried=turn.hurried and bool(at))

    async def give_back(self, turn: Turn, now_ms: int) -> bool:
        """End a turn with nothing done: after a pause its part is the next one again. Raises LiveStateAway."""
        return await self._end(turn, turn.at, now_ms + self._pause_ms, hurried=turn.hurried)

    async def _end(self, turn: Turn, at: str, due_ms: int, *, hurried: bool) -> bool:
        arguments = (turn.number, due_ms, at, turn.began_ms, int(hurried))
        return bool(await self._first(scripts.ask(0, END, self._keys[:1], arguments)))

    async def begin(self, now_ms: int) -> None:
        """Begin the sweep anew, without pauses until it is through. Raises LiveStateAway.

        A pass without pauses that is under way is ended first, and another one follows it: processes that start again
        and again cannot keep the sweep from the tables at its end.
        """
        await self._begin(now_ms, lost=False)

    async def _begin(self, now_ms: int, *, lost: bool) -> None:
        await self._first(scripts.ask(0, BEGIN, self._keys[:1], (now_ms, int(lost))))

    async def _is_lost(self) -> bool:
        """Return whether a group has lost its keys, or is away since the last look; a lost mark is set again."""
        asks = [Ask(group, methodcaller("setnx", key, 1)) for group, key in enumerate(self._keys) if group]
        answers = await self._servers.ask(asks)
        before = self._away
        self._away = frozenset(group for group, one in enumerate(answers, 1) if isinstance(one, LiveStateAway))
        return bool(self._away - before) or any(one for one in answers if not isinstance(one, LiveStateAway))

    async def _first(self, asked: Ask) -> Any:
        [answer] = await self._servers.ask([asked])
        if isinstance(answer, LiveStateAway):
            raise answer
        return answer
