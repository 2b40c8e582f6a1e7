"""Parts of a table's stream: whole rounds, found without reading earlier events."""

from collections.abc import AsyncIterator
from typing import Final

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

    Raises Refused (``NOT_FOUND``; ``ROUND_STILL_OPEN`` where it is not settled or voided yet).
    """
    last = await head_version(pool, table_id)
    async with pool.connection() as conn:
        start = await _find(conn, table_id, number, last)
        if start is None:
            raise Refused(Reason.NOT_FOUND, f"there is no round {number} at this table")
        following = await log.first_of_types(conn, table_id, start + 1, STARTS)
    end = last if following is None else following.version - 1
    found: list[StoredEvent] = []
    async for segment in segments(pool, table_id, start, end):
        found.extend(segment)
    if not any(log_rows.kind_of(one)[0] in OVER for one in found):
        message = f"round {number} is not over; nothing of it is shown before"
        raise Refused(Reason.ROUND_STILL_OPEN, message, metadata={"round_number": number})
    return found


async def hash_before(pool: Pool, recorded: list[StoredEvent]) -> bytes:
    """Return the hash of the event before the first of these; empty where that event is missing."""
    first = recorded[0]
    if first.version == 1:
        return canonical.FIRST
    async with pool.connection() as conn:
        before = await log.read(conn, first.stream_id, first.version - 2, 1)
    return before[0].hash if before else b""


async def _find(conn: Connection, table_id: str, number: int, last: int) -> int | None:
    """Return the version of a round's start, found by binary search: round numbers grow with versions."""
    low, high = 1, last
    while low <= high:
        middle = (low + high) // 2
        found = await log.first_of_types(conn, table_id, middle, STARTS)
        if found is None:
            high = middle - 1
            continue
        event = log_rows.from_stored(found)
        assert isinstance(event, events.RoundStarted), "asked for starts"
        if event.round_number == number:
            return found.version
        if event.round_number > number:
            high = middle - 1
        else:
            low = found.version + 1
    return None
