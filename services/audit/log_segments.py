"""Parts of a table's stream: whole rounds, found without reading earlier events."""

from collections.abc import AsyncIterator
from typing import Final

import msgspec

from services.audit import intact
from services.eventlog import canonical, log
from services.eventlog.records import StoredEvent
from services.journal import log_rows
from services.rules import personal
from services.rules.refusals import Reason, Refused, invalid
from services.runtime.pools import Connection, Pool
from services.table import events

PAGE: Final = 1000
STARTS: Final = tuple(f"RoundStarted.v{number}" for number in range(1, 4))
BEGINNINGS: Final = (*STARTS, *(f"TableOpened.v{number}" for number in range(1, 4)))
"""Events from which a table can be rebuilt, in every shape that was ever written."""

OVER: Final = ("RoundSettled", "RoundVoided")
"""Events that end a round; after them it may be shown."""


def require_order(first: int, last: int, from_field: str, to_field: str) -> None:
    """Raise Refused for an empty span from one number to another (0: not set)."""
    for number, field in ((first, from_field), (last, to_field)):
        if number < 0:
            raise invalid(field, f"{number} is below 0; send 0 or leave it out for all")
    if last and last < first:
        raise invalid(to_field, f"{last} is before {from_field}, which is {first}")


def texts_in(recorded: list[StoredEvent]) -> list[str]:
    """Return every sealed text of a player in stored events."""
    return [text for one in recorded for text in personal.sealed_within(one.data)]


async def head_version(pool: Pool, table_id: str) -> int:
    """Return the version of a table's last event. Raises Refused (``TABLE_NOT_FOUND``)."""
    async with pool.connection() as conn:
        head = await log.read_head(conn, table_id)
    if head is None:
        raise Refused(Reason.TABLE_NOT_FOUND, f"there is no table {table_id[:64]!r}")
    return head.version


async def beginning(pool: Pool, table_id: str, version: int) -> int:
    """Return the last version at or before ``version`` from which the table can be rebuilt."""
    async with pool.connection() as conn:
        found = await log.first_of_types(conn, table_id, max(version, 1), BEGINNINGS, backwards=True)
    return 1 if found is None else found.version


async def segments(pool: Pool, table_id: str, first: int, last: int) -> AsyncIterator[list[StoredEvent]]:
    """Yield the events ``first`` to ``last``, split where a round starts: a segment holds at most one round."""
    segment: list[StoredEvent] = []
    after = first - 1
    while after < last:
        async with pool.connection() as conn:
            page = await log.read(conn, table_id, after, min(PAGE, last - after))
        if not page:
            break
        for one in page:
            if one.type in STARTS and segment:
                yield segment
                segment = []
            segment.append(one)
        after = page[-1].version
    if segment:
        yield segment


async def round_events(pool: Pool, table_id: str, number: int) -> list[StoredEvent]:
    """Return the events of a round, from its start up to the start of the next one.

    Raises Refused (``NOT_FOUND``; ``ROUND_STILL_OPEN`` where it is not settled or voided yet; ``HISTORY_CHANGED``
    where an event was changed or is missing).
    """
    start = await start_of(pool, table_id, number)
    last = await head_version(pool, table_id)
    async with pool.connection() as conn:
        following = await log.first_of_types(conn, table_id, start + 1, STARTS)
    end = last if following is None else following.version - 1
    found = await require_intact(pool, table_id, start, end)
    if not any(log_rows.kind_of(one)[0] in OVER for one in found):
        message = f"round {number} is not over; nothing of it is shown before"
        raise Refused(Reason.ROUND_STILL_OPEN, message, metadata={"round_number": number})
    return found


async def start_of(pool: Pool, table_id: str, number: int) -> int:
    """Return the version at which a round starts. Raises Refused (``TABLE_NOT_FOUND``, ``NOT_FOUND``)."""
    start = await _find(pool, table_id, number, await head_version(pool, table_id))
    if start is None:
        raise Refused(Reason.NOT_FOUND, f"there is no round {number} at this table")
    return start


async def require_intact(pool: Pool, table_id: str, first: int, last: int) -> list[StoredEvent]:
    """Return the events ``first`` to ``last``.

    Raises Refused (``HISTORY_CHANGED``) where one was changed or is missing.
    """
    found: list[StoredEvent] = []
    async for segment in segments(pool, table_id, first, last):
        found.extend(segment)
    if not found or found[0].version != first:
        raise intact.missing(first)
    async with pool.connection() as conn:
        await intact.require(conn, found)
    if found[-1].version != last:
        raise intact.missing(found[-1].version + 1)
    return found


async def hash_before(pool: Pool, recorded: list[StoredEvent]) -> bytes:
    """Return the hash of the event before the first of these; empty where that event is missing."""
    first = recorded[0]
    if first.version == 1:
        return canonical.FIRST
    async with pool.connection() as conn:
        before = await log.read(conn, first.stream_id, first.version - 2, 1)
    return before[0].hash if before else b""


class _Search(msgspec.Struct):
    """A search for a round: its start, and the versions between which it would be."""

    low: int
    high: int
    start: int | None = None
    read: StoredEvent | None = None


async def _find(pool: Pool, table_id: str, number: int, last: int) -> int | None:
    """Return the version of a round's start, None where there is none.

    Raises Refused (``HISTORY_CHANGED``) where that is so because an event was changed or is missing.
    """
    search = _Search(1, last)
    async with pool.connection() as conn:
        try:
            await _search(conn, table_id, number, search)
        except (msgspec.MsgspecError, ValueError, KeyError, TypeError):
            if search.read is not None:
                await intact.require(conn, [search.read])
            raise
    if search.start is None:
        await require_intact(pool, table_id, search.low, search.high)
    return search.start


async def _search(conn: Connection, table_id: str, number: int, search: _Search) -> None:
    """Find a round's start by binary search: round numbers grow with versions."""
    low, high = 1, search.high
    while low <= high:
        middle = (low + high) // 2
        found = await log.first_of_types(conn, table_id, middle, STARTS)
        if found is None:
            high = middle - 1
            continue
        search.read = found
        event = log_rows.from_stored(found)
        assert isinstance(event, events.RoundStarted), "asked for starts"
        if event.round_number == number:
            search.start = found.version
            return
        if event.round_number > number:
            high, search.high = middle - 1, min(search.high, found.version)
        else:
            low, search.low = found.version + 1, found.version
