"""Helpers of the log's tests: streams of a shard, appends, connections, waiting for a waiting connection."""

import hashlib
import uuid
from typing import Any

import psycopg

from services.eventlog import canonical
from services.eventlog.records import Append, NewEvent
from tests.support import waits

Connection = psycopg.AsyncConnection[Any]


def stream(shard: int | None = None) -> str:
    """Make up a stream, of a certain shard where one is given."""
    while True:
        made = str(uuid.uuid4())
        if shard is None or canonical.shard_of(made) == shard:
            return made


def event(number: int = 1, text: str = "") -> NewEvent:
    """Return an event with its number."""
    return NewEvent("ActionTaken.v1", f'{{"number": {number}, "text": "{text}"}}', '{"actor": "ann"}')


def one(stream_id: str, expected: int | None, *events: NewEvent, key: str | None = None, **more: Any) -> Append:
    """Make an append, of one event where none is given; its request's content is the events' text."""
    events = events or (event(),)
    content = "".join(each.data for each in events)
    digest = more.pop("digest", None) or hashlib.sha256(content.encode()).digest()
    return Append(
        stream_id=stream_id,
        expected=expected,
        events=events,
        request_key=key,
        request_digest=digest if key else None,
        **more,
    )


def nothing(stream_id: str, expected: int, key: str, **more: Any) -> Append:
    """Make the append of a request that changes nothing."""
    digest = hashlib.sha256(b"nothing").digest()
    return Append(stream_id=stream_id, expected=expected, events=(), request_key=key, request_digest=digest, **more)


async def connect(url: str) -> Connection:
    """Open a connection that commits every statement by itself."""
    return await psycopg.AsyncConnection.connect(url, autocommit=True)


async def wait_for_waiting(watcher: Connection, many: int = 1) -> None:
    """Wait until ``count`` connections of this database wait for a lock."""
    query = (
        "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
        " AND pid <> pg_backend_pid()"
    )

    async def waiting() -> bool:
        row = await (await watcher.execute(query)).fetchone()
        return row is not None and row[0] >= many

    await waits.eventually(waiting, f"{many} connections wait for a lock")
