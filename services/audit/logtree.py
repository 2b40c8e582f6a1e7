"""Trees that only grow (RFC 6962): each shard of the log, whose leaves are events' hashes, and each kind of record.

Positions have no gap and no leaf ever changes, so a tree of n leaves is the beginning of every later one. A proof of
this is short, however many leaves are between. Subtrees of 256, 65,536, … leaves are stored once they are complete; a
root or a proof reads these and at most 255 leaves. They are a cache and prove nothing alone: proofs are checked against
signed roots, and ``checkpoint_check`` computes everything again from events and records.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Final

from services.eventlog import checkpoints
from services.eventlog.follower import HoleError
from services.fairness import merkle
from services.leaves import store
from services.leaves.store import LeafError
from services.runtime.pools import Connection

LEVEL_BITS: Final = 8
WIDTH: Final = 1 << LEVEL_BITS
MOST_LEVELS: Final = 6
"""Levels above the leaves: 256 ** 6 of them."""

DAMAGED: Final = (HoleError, LeafError)
"""Errors of a tree that lacks a leaf or a node."""


class GrowingTree(ABC):
    """A tree whose leaves and whole subtrees are stored in the database."""

    def __init__(self, conn: Connection) -> None:
        self._conn = conn

    @abstractmethod
    async def _leaves(self, first: int, count: int) -> list[bytes]:
        """Return leaves by position."""

    @abstractmethod
    async def _nodes(self, level: int, first: int, count: int) -> list[bytes]:
        """Return stored nodes of a level from 1 on."""

    @abstractmethod
    async def _held(self, level: int) -> int:
        """Return how many nodes of a level are stored."""

    @abstractmethod
    async def _store(self, level: int, place: int, hashes: Sequence[bytes]) -> None:
        """Store nodes of a level; existing ones are kept."""

    async def grow(self, size: int) -> None:
        """Store the nodes that are complete with ``size`` leaves and not stored yet."""
        for level in range(1, MOST_LEVELS + 1):
            whole = size >> LEVEL_BITS * level
            for place in range(await self._held(level), whole):
                node = merkle.fold(await self._children(level - 1, place * WIDTH, WIDTH))
                await self._store(level, place, [node])
            if not whole:
                return

    async def root(self, size: int) -> bytes:
        """Return the root over the first ``size`` leaves. Raises ``DAMAGED``."""
        return await self._over(0, size) if size else merkle.EMPTY

    async def proof(self, old: int, new: int) -> list[bytes]:
        """Return the nodes that ``merkle.extends`` needs from ``old`` leaves to ``new``. Raises ``DAMAGED``."""
        assert 0 <= old <= new, f"a tree of {new} leaves does not extend one of {old}"
        return [] if old in (0, new) else await self._proof(old, 0, new, known=True)

    async def path(self, index: int, size: int) -> list[bytes]:
        """Return the nodes that ``merkle.included`` needs for a leaf, from the bottom up. Raises ``DAMAGED``."""
        assert 0 <= index < size, f"there is no leaf {index} of {size}"
        first, found = 0, []
        while size > 1:
            half = merkle.split(size)
            if index < half:
                found.append(await self._over(first + half, size - half))
                size = half
            else:
                found.append(await self._over(first, half))
                first, index, size = first + half, index - half, size - half
        return found[::-1]

    async def _proof(self, old: int, first: int, size: int, *, known: bool) -> list[bytes]:
        """Prove within the ``size`` leaves from ``first`` on; ``known``: the old root covers exactly these."""
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
        """Return nodes of a level; those of level 0 are the leaves."""
        if level:
            return await self._nodes(level, first, count)
        return [merkle.leaf_hash(leaf) for leaf in await self._leaves(first, count)]


class ShardTree(GrowingTree):
    """One shard of the log: the events' hashes by position."""

    def __init__(self, conn: Connection, shard: int) -> None:
        super().__init__(conn)
        self._shard = shard

    async def _leaves(self, first: int, count: int) -> list[bytes]:
        return await checkpoints.leaves(self._conn, self._shard, first, count)

    async def _nodes(self, level: int, first: int, count: int) -> list[bytes]:
        return await checkpoints.nodes(self._conn, self._shard, level, first, count)

    async def _held(self, level: int) -> int:
        return await checkpoints.nodes_held(self._conn, self._shard, level)

    async def _store(self, level: int, place: int, hashes: Sequence[bytes]) -> None:
        await checkpoints.store_nodes(self._conn, self._shard, level, place, hashes)


class RecordTree(GrowingTree):
    """The records of one kind, in the order in which they entered."""

    def __init__(self, conn: Connection, tree: str) -> None:
        super().__init__(conn)
        self._tree = tree

    async def _leaves(self, first: int, count: int) -> list[bytes]:
        return await store.leaves(self._conn, self._tree, first, count)

    async def _nodes(self, level: int, first: int, count: int) -> list[bytes]:
        return await store.nodes(self._conn, self._tree, level, first, count)

    async def _held(self, level: int) -> int:
        return await store.nodes_held(self._conn, self._tree, level)

    async def _store(self, level: int, place: int, hashes: Sequence[bytes]) -> None:
        await store.store_nodes(self._conn, self._tree, level, place, hashes)
