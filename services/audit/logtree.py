"""The log as 16 trees that only grow: a shard's events by position, each leaf the event's hash (RFC 6962).

A shard's positions have no hole and no event is ever changed, so a tree of n leaves is the beginning of every later
one, and a proof of this is short whatever lies between. Subtrees of 256, 65,536, … events are stored once they are
whole; a root or a proof reads these and at most 255 events. They are the house's own notes and prove nothing alone:
what is proven is held against signed roots, and ``scanning`` computes everything again from the events.
"""

from typing import Final

from services.audit import merkle
from services.eventlog import checkpoints
from services.runtime.pools import Connection

LEVEL_BITS: Final = 8
WIDTH: Final = 1 << LEVEL_BITS
MOST_LEVELS: Final = 6
"""Levels above the events: 256 ** 6 of them."""


class ShardTree:
    """One shard's tree, read through one connection."""

    def __init__(self, conn: Connection, shard: int) -> None:
        self._conn = conn
        self._shard = shard

    async def grow(self, size: int) -> None:
        """Store the nodes that are whole with ``size`` events and not stored yet."""
        for level in range(1, MOST_LEVELS + 1):
            whole = size >> LEVEL_BITS * level
            for place in range(await checkpoints.nodes_held(self._conn, self._shard, level), whole):
                node = merkle.fold(await self._children(level - 1, place * WIDTH, WIDTH))
                await checkpoints.store_nodes(self._conn, self._shard, level, place, [node])
            if not whole:
                return

    async def root(self, size: int) -> bytes:
        """Give the root over the first ``size`` events. Raises HoleError."""
        return await self._over(0, size) if size else merkle.EMPTY

    async def proof(self, old: int, new: int) -> list[bytes]:
        """Give the nodes that show ``merkle.extends`` from ``old`` events to ``new``. Raises HoleError."""
        assert 0 <= old <= new, f"a log of {new} events does not extend one of {old}"
        return [] if old in (0, new) else await self._proof(old, 0, new, known=True)

    async def _proof(self, old: int, first: int, size: int, *, known: bool) -> list[bytes]:
        """Prove within the ``size`` leaves from ``first`` on; ``known``: the old root itself is over just these."""
        if old == size:
            return [] if known else [await self._over(first, size)]
        half = merkle.split(size)
        if old <= half:
            return [*await self._proof(old, first, half, known=known), await self._over(first + half, size - half)]
        inner = await self._proof(old - half, first + half, size - half, known=False)
        return [*inner, await self._over(first, half)]

    async def _over(self, first: int, size: int) -> bytes:
        if size & (size - 1):
            half = merkle.split(size)
            return merkle.node_hash(await self._over(first, half), await self._over(first + half, size - half))
        level = min((size.bit_length() - 1) // LEVEL_BITS, MOST_LEVELS)
        unit = 1 << LEVEL_BITS * level
        return merkle.fold(await self._children(level, first // unit, size // unit))

    async def _children(self, level: int, first: int, count: int) -> list[bytes]:
        """Give nodes of a level, those of level 0 from the events themselves."""
        if level:
            return await checkpoints.nodes(self._conn, self._shard, level, first, count)
        return [merkle.leaf_hash(leaf) for leaf in await checkpoints.leaves(self._conn, self._shard, first, count)]
