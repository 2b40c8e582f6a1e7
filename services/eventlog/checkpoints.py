"""Storage of signed checkpoints, and the reads of the log that they are made from.

The auditor defines a checkpoint's content and signs it. Here it is a text with a signature, stored to the byte.
"""

from collections.abc import Sequence
from typing import Final

import msgspec

from services.database import statements
from services.database.retry import Connection
from services.database.row_bounds import bounded
from services.eventlog import queries, reads
from services.eventlog.follower import HoleError
from services.eventlog.records import StoredEvent

STORED: Final = "stored"
ALREADY_STORED: Final = "already_stored"
NUMBER_CONFLICT: Final = "number_conflict"
PAGE: Final = 1000


class Checkpoint(msgspec.Struct, frozen=True):
    """A signed statement about the log; ``number`` counts from 1 without holes, ``at_ms`` is when it was stored."""

    number: int
    body: str
    signature: bytes
    key_id: str
    at_ms: int = 0


class HeadBeside(msgspec.Struct, frozen=True):
    """A stream's current head, and its head at the last checkpoint (``known`` None: it had no such stream)."""

    stream_id: str
    version: int
    head_hash: bytes
    known_version: int
    known: bytes | None

    @property
    def head(self) -> tuple[str, int, bytes]:
        """Stream, version and hash."""
        return self.stream_id, self.version, self.head_hash

    @property
    def is_new(self) -> bool:
        """Whether the head differs from that of the last checkpoint."""
        return (self.version, self.head_hash) != (self.known_version, self.known)


async def store(conn: Connection, one: Checkpoint) -> str:
    """Store a checkpoint after the last one; return ``stored``, ``already_stored`` or ``number_conflict``.

    ``number_conflict`` means that another auditor was faster, or that a number is missing: read the last one again.
    """
    found = await statements.rows(conn, queries.STORE_CHECKPOINT, (one.number, one.body, one.signature, one.key_id))
    return str(found[0][0])


async def last(conn: Connection) -> Checkpoint | None:
    """Return the newest checkpoint; None where there is none."""
    found = await statements.rows(conn, queries.LAST_CHECKPOINT, ())
    return Checkpoint(*found[0]) if found else None


async def page(conn: Connection, after: int = 0, limit: int = 100) -> list[Checkpoint]:
    """Return checkpoints by number, those after the number ``after``."""
    return [Checkpoint(*row) for row in await statements.rows(conn, queries.CHECKPOINTS, (after, bounded(limit)))]


async def page_before(conn: Connection, number: int, limit: int = 100) -> list[Checkpoint]:
    """Return the checkpoints below a number, newest first."""
    found = await statements.rows(conn, queries.CHECKPOINTS_BEFORE, (number, bounded(limit)))
    return [Checkpoint(*row) for row in found]


async def store_cosignature(conn: Connection, number: int, key_id: str, signature: bytes) -> None:
    """Store a witness's signature over a checkpoint; an existing one is kept."""
    await statements.execute(conn, queries.STORE_COSIGNATURE, (number, key_id, signature))


async def cosignatures(conn: Connection, numbers: Sequence[int]) -> dict[int, list[tuple[str, bytes]]]:
    """Return (key, signature) of the witnesses of each of these checkpoints."""
    found: dict[int, list[tuple[str, bytes]]] = {}
    for number, key_id, signature in await statements.rows(conn, queries.COSIGNATURES, (list(numbers),)):
        found.setdefault(number, []).append((key_id, bytes(signature)))
    return found


async def cosigned_after(conn: Connection, number: int, key_id: str, limit: int) -> list[tuple[Checkpoint, str, bytes]]:
    """Return checkpoints with a witness's key and signature, by number and key, those after the given ones."""
    found = await statements.rows(conn, queries.COSIGNED_AFTER, (number, key_id, bounded(limit)))
    return [(Checkpoint(*row[:5]), row[5], bytes(row[6])) for row in found]


async def heads_beside(conn: Connection, after: str = reads.LOWEST, limit: int = 1000) -> list[HeadBeside]:
    """Return the heads of streams by id, those after ``after``, each with its head at the last checkpoint."""
    found = await statements.rows(conn, queries.HEADS_BESIDE, (after, bounded(limit)))
    return [HeadBeside(*row) for row in found]


async def store_heads(conn: Connection, number: int, heads: Sequence[tuple[str, int, bytes]]) -> None:
    """Store the heads of streams that changed since the previous checkpoint."""
    streams, versions, hashes = ([head[column] for head in heads] for column in range(3))
    await statements.rows(conn, queries.STORE_HEADS, (number, streams, versions, hashes))


async def heads_at(conn: Connection, number: int) -> list[tuple[str, int, bytes]]:
    """Return (stream id, version, hash) of every stream at a checkpoint, by id; unverified, as stored."""
    found: list[tuple[str, int, bytes]] = []
    after = reads.LOWEST
    while True:
        page = await statements.rows(conn, queries.HEADS_AT, {"after": after, "limit": PAGE, "number": number})
        found += [row for row in page if row[1] is not None]
        if len(page) < PAGE:
            return found
        after = page[-1][0]


async def known_heads(conn: Connection, stream_id: str, number: int) -> dict[int, bytes]:
    """Return a stream's head hashes, by version, at the checkpoints up to a number."""
    return dict(await statements.rows(conn, queries.KNOWN_HEADS, (stream_id, number)))


async def shard_events(conn: Connection, shard: int, after: int, last: int, limit: int = 1000) -> list[StoredEvent]:
    """Return the events of a shard after the position ``after`` up to ``last``, by position."""
    return [StoredEvent(*row) for row in await statements.rows(conn, queries.SHARD, (shard, after, last, limit))]


async def leaves(conn: Connection, shard: int, first: int, count: int) -> list[bytes]:
    """Return the hashes of ``count`` events of a shard from position ``first + 1`` on. Raises HoleError."""
    found = await statements.rows(conn, queries.LEAVES, (shard, first, count))
    return _whole(found, first + 1, count, f"shard {shard} lacks an event between positions")


async def nodes(conn: Connection, shard: int, level: int, first: int, count: int) -> list[bytes]:
    """Return stored nodes of a shard's tree, each over ``256 ** level`` events. Raises HoleError."""
    found = await statements.rows(conn, queries.NODES, (shard, level, first, count))
    return _whole(found, first, count, f"shard {shard} lacks a node of level {level} of its tree between")


async def nodes_held(conn: Connection, shard: int, level: int) -> int:
    """Return how many nodes of a level are stored."""
    return int((await statements.rows(conn, queries.NODES_HELD, (shard, level)))[0][0])


async def store_nodes(conn: Connection, shard: int, level: int, first: int, hashes: Sequence[bytes]) -> None:
    """Store nodes from index ``first`` on; existing ones are kept."""
    await statements.rows(conn, queries.STORE_NODES, (shard, level, first, list(hashes)))


def _whole(found: Sequence[tuple[int, bytes]], first: int, count: int, lack: str) -> list[bytes]:
    if [place for place, _ in found] != list(range(first, first + count)):
        message = f"{lack} {first} and {first + count - 1}: it was damaged"
        raise HoleError(message)
    return [hash_ for _, hash_ in found]
