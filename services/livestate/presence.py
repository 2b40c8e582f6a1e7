"""Who watches which table, counted over all dealers: leases in Redis that run out unless they are renewed.

A table's presence is a hash ``pitboss:presence:{<tag>}:<table>`` with a field for each person at each process. Its
value is ``1|SINCE|UNTIL`` while the process shows the table to the person (until the lease runs out), else
``0|SINCE``. Of those without a seat a process says how many it shows the table to: its field ``*`` is
``COUNT|UNTIL``. Times are milliseconds since 1970. All of it may be lost at any time, and it expires.
"""

from collections.abc import Collection, Mapping
from operator import methodcaller
from typing import Final

import msgspec

from services.livestate import slots
from services.livestate.node import Ask

KEEP_MS: Final = 86_400_000
SPECTATORS: Final = "*"
"""Stands in a field for all who have no seat."""
MOST_FIELDS: Final = 1000
"""Maximum number of fields of a table that are read; seats are far fewer."""


class Seen(msgspec.Struct, frozen=True):
    """Whether a person watches a table, and since when, in milliseconds since 1970."""

    watching: bool
    since_ms: int


class Present(msgspec.Struct, frozen=True):
    """Who is present at a table over all processes: the people in its seats, and how many others watch."""

    people: Mapping[str, Seen] = msgspec.field(default_factory=dict)
    spectators: int = 0


class Report(msgspec.Struct, frozen=True):
    """What one process says of a table: whom it shows it to since when, and who went away when.

    ``people``: those with a seat; all others are forgotten. ``spectators``: to how many others it shows the table now;
    None: nothing to say of them.
    """

    table_id: str
    here: Mapping[str, int]
    gone: Mapping[str, int]
    people: Collection[str]
    spectators: int | None = None


def asks(report: Report, process: str, until_ms: int) -> list[Ask]:
    """Return the commands that renew the leases of a table; the last one reads its presence."""
    key, group = _key(report.table_id), slots.of_table(report.table_id)
    fields = {f"{person}|{process}": f"1|{since}|{until_ms}" for person, since in report.here.items()}
    fields |= {f"{person}|{process}": f"0|{since}" for person, since in report.gone.items()}
    if report.spectators is not None:
        fields[f"{SPECTATORS}|{process}"] = f"{report.spectators}|{until_ms}"
    writing = [
        Ask(group, methodcaller("hset", key, mapping=fields)),
        Ask(group, methodcaller("pexpire", key, KEEP_MS)),
    ]
    return [*(writing if fields else []), reading(report.table_id)]


def reading(table_id: str) -> Ask:
    """Return the command that reads a table's presence."""
    return Ask(slots.of_table(table_id), methodcaller("hgetall", _key(table_id)))


def forgetting(report: Report, found: Mapping[bytes, bytes]) -> list[Ask]:
    """Return the command that drops the fields of people who have no seat any more."""
    kept = {SPECTATORS, *report.people}
    gone = [field for field in found if field.decode().partition("|")[0] not in kept]
    key, group = _key(report.table_id), slots.of_table(report.table_id)
    return [Ask(group, methodcaller("hdel", key, *gone[:MOST_FIELDS]))] if gone else []


def read(found: Mapping[bytes, bytes], now_ms: int) -> Present:
    """Return who watches now, over all processes; a person whose leases have run out does not."""
    spectators = 0
    watching: dict[str, int] = {}
    away: dict[str, int] = {}
    for field, value in list(found.items())[:MOST_FIELDS]:
        person = field.decode().partition("|")[0]
        kind, since, *until = (int(part) for part in value.decode().split("|"))
        if person == SPECTATORS:
            spectators += kind if since > now_ms else 0
        elif kind and until[0] > now_ms:
            watching[person] = min(since, watching.get(person, since))
        else:
            away[person] = max(until[0] if kind else since, away.get(person, 0))
    seen = {person: Seen(watching=False, since_ms=since) for person, since in away.items()}
    seen |= {person: Seen(watching=True, since_ms=since) for person, since in watching.items()}
    return Present(seen, spectators)


def _key(table_id: str) -> str:
    return slots.presence(table_id)
