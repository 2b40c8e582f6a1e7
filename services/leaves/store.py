"""The store of leaves and complete subtrees; it only grows and nothing in it is changed."""

from collections.abc import Sequence

from services.database.retry import Connection
from services.database.statements import rows
from services.leaves import queries


class LeafError(Exception):
    """A tree lacks a leaf or a node below its size: its store is damaged."""


async def clock_us(conn: Connection) -> int:
    """Return the database's time in microseconds since 1970."""
    return int((await rows(conn, queries.CLOCK))[0][0])


async def sizes(conn: Connection, trees: Sequence[str]) -> dict[str, int]:
    """Return the number of leaves of each tree."""
    return {tree: int(size) for tree, size in await rows(conn, queries.SIZES, (list(trees),))}


async def leaves(conn: Connection, tree: str, first: int, count: int) -> list[bytes]:
    """Return ``count`` leaves from position ``first`` on. Raises LeafError."""
    found = await rows(conn, queries.LEAVES, (tree, first, count))
    return _whole(found, first, count, f"the tree of {tree} lacks a leaf between positions")


async def keyed_leaves(conn: Connection, tree: str, first: int, size: int, limit: int) -> list[tuple[int, str, bytes]]:
    """Return (position, key, leaf) from position ``first`` on, below ``size``, in order; at most ``limit``."""
    return await rows(conn, queries.KEYED_LEAVES, (tree, first, size, limit))


async def position(conn: Connection, tree: str, key: str) -> tuple[int, bytes] | None:
    """Return the position and leaf of a record; None if it is not in its tree yet."""
    found = await rows(conn, queries.POSITION, (tree, key))
    return (int(found[0][0]), bytes(found[0][1])) if found else None


async def store_leaves(conn: Connection, tree: str, first: int, keys: Sequence[str], hashes: Sequence[bytes]) -> bool:
    """Store leaves from position ``first`` on; return False and store nothing if the tree's size has changed.

    Raises psycopg.errors.UniqueViolation if another auditor stores at the same moment.
    """
    return bool((await rows(conn, queries.STORE_LEAVES, (tree, first, list(keys), list(hashes))))[0][0])


async def nodes(conn: Connection, tree: str, level: int, first: int, count: int) -> list[bytes]:
    """Return stored nodes, each over ``256 ** level`` leaves. Raises LeafError."""
    found = await rows(conn, queries.NODES, (tree, level, first, count))
    return _whole(found, first, count, f"the tree of {tree} lacks a node of level {level} between")


async def nodes_held(conn: Connection, tree: str, level: int) -> int:
    """Return the number of stored nodes of a level."""
    return int((await rows(conn, queries.NODES_HELD, (tree, level)))[0][0])


async def store_nodes(conn: Connection, tree: str, level: int, first: int, hashes: Sequence[bytes]) -> None:
    """Store nodes from place ``first`` on; existing ones stay unchanged."""
    await rows(conn, queries.STORE_NODES, (tree, level, first, list(hashes)))


def _whole(found: Sequence[tuple[int, bytes]], first: int, count: int, lack: str) -> list[bytes]:
    if [place for place, _ in found] != list(range(first, first + count)):
        raise LeafError(f"{lack} {first} and {first + count - 1}: the store is damaged")
    return [bytes(hash_) for _, hash_ in found]
