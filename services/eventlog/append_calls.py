"""Appends within the caller's transaction: one batch is one statement."""

from collections.abc import Sequence
from typing import Any, Final

import psycopg

from services.database import statements
from services.database.statements import Statement
from services.eventlog import binary_arrays, queries
from services.eventlog.records import Append, Appended

MOST_APPENDS: Final = 256
"""Maximum number of appends in one batch."""


async def append(conn: psycopg.AsyncConnection[Any], appends: Sequence[Append]) -> list[Appended]:
    """Append a batch; return one outcome for each append, in their order.

    Appends are independent: a refused one does not affect the others. Appends to one stream take effect in the order
    given. A request key may occur once in a batch. The rows stay locked until the caller's transaction ends. So call
    this once in a transaction and last, after ``ledger.post``: then no two transactions wait for each other. Outside a
    transaction the call is one of its own, and is retried where it lost a race.
    Raises ValueError (batch too long, or a key twice) and psycopg.Error.
    """
    return outcomes(await statements.rows(conn, *statement(appends)), appends) if appends else []


def statement(appends: Sequence[Append]) -> Statement:
    """Return the statement that appends a batch, to be sent as the last one of its transaction. Raises ValueError."""
    if len(appends) > MOST_APPENDS:
        message = f"{len(appends)} appends at once; a batch holds at most {MOST_APPENDS}"
        raise ValueError(message)
    keys = [one.request_key for one in appends if one.request_key is not None]
    if len(keys) != len(set(keys)):
        twice = next(key for key in keys if keys.count(key) > 1)
        message = f"request {twice!r} occurs twice in one batch"
        raise ValueError(message)
    if len(appends) == 1:
        return Statement(queries.APPEND_ONE, _parameters_of_one(appends[0]))
    return Statement(queries.APPEND_BATCH, _parameters(appends))


def outcomes(rows: Sequence[Any], appends: Sequence[Append]) -> list[Appended]:
    """Return the outcomes of the statement that appends."""
    assert len(rows) == len(appends), f"{len(rows)} outcomes for {len(appends)} appends"
    return [Appended(*row) for row in rows]


def _parameters_of_one(one: Append) -> tuple[object, ...]:
    return (
        one.stream_id,
        one.expected,
        one.expected_hash,
        one.request_key,
        one.request_digest,
        one.answer,
        one.rebuild,
        one.mark,
        one.summary,
        binary_arrays.Texts([event.type for event in one.events]),
        binary_arrays.Texts([event.data for event in one.events]),
        binary_arrays.Texts([event.metadata for event in one.events]),
    )


def _parameters(appends: Sequence[Append]) -> tuple[object, ...]:
    """Return the appends as the arrays that the database function takes."""
    events = [event for one in appends for event in one.events]
    return (
        binary_arrays.Uuids([one.stream_id for one in appends]),
        binary_arrays.Bigints([one.expected for one in appends]),
        binary_arrays.Byteas([one.expected_hash for one in appends]),
        binary_arrays.Texts([one.request_key for one in appends]),
        binary_arrays.Byteas([one.request_digest for one in appends]),
        binary_arrays.Byteas([one.answer for one in appends]),
        binary_arrays.Ints([one.rebuild for one in appends]),
        binary_arrays.Texts([one.mark for one in appends]),
        binary_arrays.Texts([one.summary for one in appends]),
        binary_arrays.Ints([len(one.events) for one in appends]),
        binary_arrays.Texts([event.type for event in events]),
        binary_arrays.Texts([event.data for event in events]),
        binary_arrays.Texts([event.metadata for event in events]),
    )
