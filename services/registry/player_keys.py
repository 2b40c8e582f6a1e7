"""Players' wrapped keys: one for each player; a destroyed key cannot be restored."""

from collections.abc import Sequence

import msgspec

from services.database.retry import Connection
from services.database.row_bounds import bounded
from services.database.statements import execute, rows
from services.registry import queries


class WrappedKey(msgspec.Struct, frozen=True):
    """A player's key, wrapped by the house; ``key_id`` is random and never used again."""

    key_id: str
    player: str
    wrapped: bytes


class Tombstone(msgspec.Struct, frozen=True):
    """A destroyed key: its player, who requested and approved it, and when, in milliseconds since 1970."""

    number: int
    key_id: str
    player: str
    asked_by: str
    decided_by: str
    at_ms: int


async def of_player(conn: Connection, player: str) -> WrappedKey | None:
    """Return a player's key; None where there is none."""
    found = await rows(conn, queries.KEY_OF_PLAYER, (player,))
    return _key(found[0]) if found else None


async def by_id(conn: Connection, key_ids: Sequence[str]) -> list[WrappedKey]:
    """Return the keys of these ids that exist."""
    return [_key(row) for row in await rows(conn, queries.KEYS_BY_ID, (list(key_ids),))]


async def record(conn: Connection, made: WrappedKey) -> None:
    """Record a new key in the caller's transaction, under the player's turn."""
    await execute(conn, queries.RECORD_KEY, (made.key_id, made.player, made.wrapped))


async def wrapped_otherwise(conn: Connection, wrapper: bytes, limit: int) -> list[WrappedKey]:
    """Return keys whose wrapped bytes do not begin with ``wrapper``."""
    return [_key(row) for row in await rows(conn, queries.KEYS_WRAPPED_OTHERWISE, (wrapper, wrapper, bounded(limit)))]


async def rewrap(conn: Connection, key_id: str, before: bytes, after: bytes) -> None:
    """Replace the wrapped bytes of a key unless they have changed since ``before``."""
    await rows(conn, queries.REWRAP_KEY, (key_id, before, after))


async def destroy(conn: Connection, erasure_id: str) -> str:
    """Destroy the key that an approved erasure names, in the caller's transaction, under the player's turn.

    Returns the id of the destroyed key; "" where the player no longer has one.
    """
    return str((await rows(conn, queries.DESTROY_KEY, (erasure_id,)))[0][0])


async def tombstones(conn: Connection, after: int, limit: int = 1000) -> list[Tombstone]:
    """Return the destroyed keys after a number, in the order of destruction; numbers have no holes."""
    return [Tombstone(*row) for row in await rows(conn, queries.TOMBSTONES, (after, bounded(limit)))]


async def last_tombstone(conn: Connection) -> int:
    """Return the number of the newest tombstone; 0 where there is none."""
    return int((await rows(conn, queries.LAST_TOMBSTONE))[0][0])


async def reapply(conn: Connection, one: Tombstone) -> bool:
    """Destroy a key that a restored database brought back; return whether it existed. Needs the database's owner."""
    given = (one.key_id, one.player, one.asked_by, one.decided_by)
    return bool((await rows(conn, queries.REAPPLY_ERASURE, given))[0][0])


def _key(row: tuple[str, str, bytes]) -> WrappedKey:
    return WrappedKey(row[0], row[1], bytes(row[2]))
