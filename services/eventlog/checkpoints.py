"""Where signed checkpoints are kept, and the moments of the log that they are made of.

What a checkpoint says and how it is signed is the auditor's; here it is a text with a signature, kept to the byte.
"""

import contextlib
from collections.abc import AsyncIterator
from typing import Final

import msgspec
import psycopg

from services.eventlog import queries, reading

STORED: Final = "stored"
ALREADY_STORED: Final = "already_stored"
NUMBER_CONFLICT: Final = "number_conflict"


class Checkpoint(msgspec.Struct, frozen=True):
    """A signed statement about the log; ``number`` counts from 1 without holes, ``at_ms`` is when it was stored."""

    number: int
    body: str
    signature: bytes
    key_id: str
    at_ms: int = 0


async def store(conn: reading.Connection, one: Checkpoint) -> str:
    """Store a checkpoint behind the last one; give ``stored``, ``already_stored`` or ``number_conflict``.

    With ``number_conflict`` another auditor was quicker, or a number was left out: read the last one again.
    """
    async with conn.cursor() as cursor:
        await cursor.execute(queries.STORE_CHECKPOINT, (one.number, one.body, one.signature, one.key_id))
        row = await cursor.fetchone()
    assert row is not None, "the function gives an outcome"
    return str(row[0])


async def last(conn: reading.Connection) -> Checkpoint | None:
    """Give the newest checkpoint; None where there is none."""
    found = await reading.rows(conn, queries.LAST_CHECKPOINT, ())
    return Checkpoint(*found[0]) if found else None


async def page(conn: reading.Connection, after: int = 0, limit: int = 100) -> list[Checkpoint]:
    """Give checkpoints by number, from behind the number ``after``."""
    return [Checkpoint(*row) for row in await reading.rows(conn, queries.CHECKPOINTS, (after, reading.bounded(limit)))]


@contextlib.asynccontextmanager
async def moment(conn: reading.Connection) -> AsyncIterator[None]:
    """Hold one moment of the log: all that is read inside, ``log.heads`` and ``log.positions``, is of that moment.

    The connection must not be in a transaction.
    """
    await conn.set_isolation_level(psycopg.IsolationLevel.REPEATABLE_READ)
    await conn.set_read_only(True)
    try:
        async with conn.transaction():
            yield
    finally:
        await conn.set_isolation_level(None)
        await conn.set_read_only(None)


async def heads_at(conn: reading.Connection, positions: dict[int, int]) -> list[tuple[str, int, bytes]]:
    """Give (stream id, version, hash) of every stream as it stood when the shards were at ``positions``, by id.

    Reads all events up to there.
    """
    found: list[tuple[str, int, bytes]] = []
    for shard, position in positions.items():
        found += await reading.rows(conn, queries.HEADS_AT, (shard, position))
    return sorted(found)
