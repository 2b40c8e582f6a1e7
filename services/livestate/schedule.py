"""The deadlines in Redis: which are due, and which of the log's tables have none there.

The deadlines of a family are the sorted sets ``pitboss:deadlines:{<tag>}:<family>`` (milliseconds since 1970 by table).
One script for each group reads the sets of all families, so that a look costs as many commands as there are groups.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final

import msgspec

from services.livestate import scripts, slots
from services.livestate.node import Ask, LiveStateAway

DUE: Final = """
local found = {}
for at, key in ipairs(KEYS) do
  local due = redis.call('ZRANGEBYSCORE', key, '-inf', ARGV[1], 'WITHSCORES', 'LIMIT', 0, ARGV[2])
  if #due > 0 then found[#found + 1] = {at, due} end
end
return found
"""

UNSCHEDULED: Final = """
local count, found = tonumber(ARGV[1]), {}
for at = 1, count do
  local id, version, family = ARGV[3 * at - 1], ARGV[3 * at], ARGV[3 * at + 1]
  if redis.call('HGET', KEYS[at], 'v') ~= version
    or not redis.call('ZSCORE', KEYS[count + tonumber(family)], id) then found[#found + 1] = at end
end
return found
"""


class Wanted(msgspec.Struct, frozen=True):
    """A table as the log has it: its deadline is to be in Redis beside the state of this version."""

    table_id: str
    version: int
    family: str


def due_asks(families: Sequence[str], now_ms: int, limits: Sequence[int]) -> list[Ask]:
    """Return the commands that read the earliest deadlines of each family until now, at most ``limits`` by group."""
    return [
        scripts.ask(group, DUE, [slots.deadlines(group, family) for family in families], (now_ms, limit))
        for group, limit in enumerate(limits)
    ]


def read_due(families: Sequence[str], answers: Sequence[Any]) -> dict[str, list[tuple[str, int]]]:
    """Read the answers to ``due_asks``, by family, the earliest deadline first; a server that is away has none.

    Raises LiveStateAway where all are.
    """
    away = [part for part in answers if isinstance(part, LiveStateAway)]
    if away and len(away) == len(answers):
        raise away[0]
    listed: dict[str, list[tuple[int, str]]] = {family: [] for family in families}
    for part in answers:
        for at, flat in () if isinstance(part, LiveStateAway) else part:
            pairs = zip(flat[::2], flat[1::2], strict=True)
            listed[families[at - 1]] += [(int(score), member.decode()) for member, score in pairs]
    return {family: [(table_id, at_ms) for at_ms, table_id in sorted(due)] for family, due in listed.items()}


def unscheduled_asks(tables: Sequence[Wanted]) -> tuple[list[Ask], list[list[Wanted]]]:
    """Return the commands that find tables without their state or deadline, and the tables of each command."""
    parts: dict[int, list[Wanted]] = {}
    for one in tables:
        parts.setdefault(slots.of_table(one.table_id), []).append(one)
    families = {family: number for number, family in enumerate(sorted({one.family for one in tables}), 1)}
    asks = []
    for group, part in parts.items():
        keys = [slots.state(one.table_id) for one in part] + [slots.deadlines(group, family) for family in families]
        about = [value for one in part for value in (one.table_id, one.version, families[one.family])]
        asks.append(scripts.ask(group, UNSCHEDULED, keys, (len(part), *about)))
    return asks, list(parts.values())


def read_unscheduled(parts: Sequence[Sequence[Wanted]], answers: Sequence[Any]) -> Mapping[str, bool]:
    """Return the tables that lack something in Redis (True), or whose server is away (False)."""
    found: dict[str, bool] = {}
    for part, answer in zip(parts, answers, strict=True):
        if isinstance(answer, LiveStateAway):
            found.update((one.table_id, False) for one in part)
        else:
            found.update((part[at - 1].table_id, True) for at in answer)
    return found
