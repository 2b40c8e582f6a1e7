"""Appending inside a transaction of the caller's: one batch is one statement."""

from collections.abc import Sequence
from typing import Any, Final

import psycopg

from services.eventlog import queries
from services.eventlog.records import Append, Appended

MOST_APPENDS: Final = 256
"""Appends in one batch."""


async def append(conn: psycopg.AsyncConnection[Any], appends: Sequence[Append]) -> list[Appended]:
    """Append a batch and give one outcome for each append, in their order.

    Each append stands for itself: one that is refused leaves the others be. Appends to one stream take effect in the
    order given. A request key may occur once in a batch. The rows stay locked until the caller's transaction ends, so
    call this once in a transaction and last, after ``ledger.post``: then no two transactions wait for each other.
    Raises ValueError (batch too long, or a key twice) and psycopg.Error.
    """
    if not appends:
        return []
    if len(appends) > MOST_APPENDS:
        message = f"{len(appends)} appends at once; a batch holds at most {MOST_APPENDS}"
        raise ValueError(message)
    keys = [one.request_key for one in appends if one.request_key is not None]
    if len(keys) != len(set(keys)):
        twice = next(key for key in keys if keys.count(key) > 1)
        message = f"request {twice!r} occurs twice in one batch"
        raise ValueError(message)
    async with conn.cursor(binary=True) as cursor:
        await cursor.execute(queries.APPEND, _parameters(appends), prepare=True)
        rows = await cursor.fetchall()
    assert len(rows) == len(appends), f"{len(rows)} outcomes for {len(appends)} appends"
    return [Appended(*row) for row in rows]


def _parameters(appends: Sequence[Append]) -> tuple[object, ...]:
    """Turn records into the columns that the function takes."""
    events = [event for one in appends for event in one.events]
    return (
        [one.stream_id for one in appends],
        [one.expected for one in appends],
        [one.request_key for one in appends],
        [one.request_digest for one in appends],
        [one.answer for one in appends],
        [one.rebuild for one in appends],
        [one.mark for one in appends],
        [one.summary for one in appends],
        [len(one.events) for one in appends],
        [event.type for event in events],
        [event.data for event in events],
        [event.metadata for event in events],
    )
