"""A shard's tree in the database: roots and proofs from stored nodes and the last events."""

from collections.abc import AsyncIterator

import pytest

from services.audit import logtree
from services.eventlog import checkpoints, log
from services.eventlog.follower import HoleError
from services.fairness import merkle
from tests.support import log_events
from tests.support.log_events import Connection, event, one

SHARD = 5


@pytest.fixture
async def conn(fast_postgres_url: str) -> AsyncIterator[Connection]:
    """Yield a connection as superuser that commits every statement by itself."""
    async with await log_events.connect(fast_postgres_url) as connection:
        yield connection


async def leaves(conn: Connection) -> list[bytes]:
    """Return the hash of every event of the shard, by position."""
    cursor = await conn.execute("SELECT hash FROM events WHERE shard = %s ORDER BY position", (SHARD,))
    return [row[0] for row in await cursor.fetchall()]


async def fill(conn: Connection, count: int) -> None:
    """Append ``count`` events to one new stream of the shard."""
    await log.append(conn, [one(log_events.stream(SHARD), 0, *(event(number) for number in range(count)))])


async def test_roots_and_proofs_come_from_stored_nodes(conn: Connection) -> None:
    """Roots and proofs are those of all events, at any growth and with any stored nodes."""
    tree = logtree.ShardTree(conn, SHARD)
    sizes = [0]
    for count in (1, 200, 100, 256, 255, 1):
        await fill(conn, count)
        sizes.append(sizes[-1] + count)
        if count != 100:
            await tree.grow(sizes[-1])
    held = await leaves(conn)
    roots = {size: merkle.root(held[:size]) for size in sizes}
    assert {size: await tree.root(size) for size in sizes} == roots
    for new in sizes:
        for old in (size for size in sizes if size <= new):
            assert merkle.extends(old, roots[old], new, roots[new], await tree.proof(old, new))
    assert await checkpoints.nodes_held(conn, SHARD, 1) == 813 // 256


async def test_what_is_missing_is_told(conn: Connection) -> None:
    """A missing node or event raises an error and never yields another root."""
    tree = logtree.ShardTree(conn, SHARD)
    for _ in range(3):
        await fill(conn, 200)
    await tree.grow(600)
    await conn.execute("SET session_replication_role = replica")
    await conn.execute("DELETE FROM events WHERE shard = %s AND position = 590", (SHARD,))
    with pytest.raises(HoleError, match="lacks an event"):
        await tree.root(600)
    await conn.execute("DELETE FROM tree_nodes WHERE shard = %s AND place = 1", (SHARD,))
    with pytest.raises(HoleError, match="lacks a node of level 1"):
        await tree.root(512)
