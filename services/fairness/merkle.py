"""Merkle trees (RFC 6962, section 2.1), used by the commitment to a deck, the log's trees and the audit.

A leaf is hashed as ``SHA-256(00 ‖ leaf)``, an inner node as ``SHA-256(01 ‖ left ‖ right)``. A tree of n leaves is split
at the greatest power of two below n. Nodes are 32 bytes; a path is a list of nodes from the bottom up.
"""

import hashlib
from collections.abc import Sequence
from typing import Final

EMPTY: Final = hashlib.sha256(b"").digest()
"""The root of a tree without leaves."""

NODE_BYTES: Final = 32


def leaf_hash(leaf: bytes) -> bytes:
    """Return the hash of a leaf."""
    return hashlib.sha256(b"\x00" + leaf).digest()


def node_hash(left: bytes, right: bytes) -> bytes:
    """Return the hash of an inner node."""
    return hashlib.sha256(b"\x01" + left + right).digest()


def levels(hashes: Sequence[bytes]) -> list[list[bytes]]:
    """Return the levels of a tree over leaf hashes, the leaf hashes first and the root's level last.

    The last node of an odd level is part of the next one unchanged. At least one leaf hash is required.
    """
    assert hashes, "a tree of levels has a leaf"
    level = list(hashes)
    found = [level]
    sha256 = hashlib.sha256
    while len(level) > 1:
        nodes = iter(level)
        # ``node_hash``, without a call for each node: the commitment to every deck is made here.
        above = [sha256(b"\x01" + left + right).digest() for left, right in zip(nodes, nodes, strict=False)]
        level = above + level[-1:] if len(level) & 1 else above
        found.append(level)
    return found


def root(leaves: Sequence[bytes]) -> bytes:
    """Return the root over leaves in order; without leaves it is ``EMPTY``."""
    return levels([leaf_hash(leaf) for leaf in leaves])[-1][0] if leaves else EMPTY


def fold(nodes: Sequence[bytes]) -> bytes:
    """Return the root over the roots of whole subtrees of one size; their number is a power of two."""
    assert nodes, "a tree has a node"
    assert len(nodes) & (len(nodes) - 1) == 0, f"{len(nodes)} is not a power of two"
    return levels(nodes)[-1][0]


def split(size: int) -> int:
    """Return the greatest power of two below ``size``: where a tree of that many leaves is split."""
    assert size > 1, f"a tree of {size} leaves is not split"
    return 1 << (size - 1).bit_length() - 1


class Growing:
    """The root over leaves that are added one by one; holds one node for each bit of their number."""

    def __init__(self) -> None:
        self.size = 0
        self._nodes: list[bytes] = []

    def add(self, leaf: bytes) -> None:
        """Append a leaf."""
        node = leaf_hash(leaf)
        for _ in range((~self.size & self.size + 1).bit_length() - 1):
            node = node_hash(self._nodes.pop(), node)
        self._nodes.append(node)
        self.size += 1

    def root(self) -> bytes:
        """Return the root over the leaves so far."""
        if not self._nodes:
            return EMPTY
        node = self._nodes[-1]
        for left in reversed(self._nodes[:-1]):
            node = node_hash(left, node)
        return node


def path(leaves: Sequence[bytes], index: int) -> list[bytes]:
    """Return the nodes that lead from a leaf to the root."""
    assert 0 <= index < len(leaves), f"there is no leaf {index} of {len(leaves)}"
    return path_within(levels([leaf_hash(leaf) for leaf in leaves]), index)


def path_within(tree: Sequence[Sequence[bytes]], index: int) -> list[bytes]:
    """Return the nodes that lead from the leaf at ``index`` to the root, from the ``levels`` of a tree."""
    return [level[(index >> height) ^ 1] for height, level in enumerate(tree) if (index >> height) ^ 1 < len(level)]


def climb(node: bytes, index: int, size: int, nodes: Sequence[bytes]) -> bytes | None:
    """Return the root that a path leads to from a leaf hash in a tree of ``size`` leaves.

    Return None where the index or the number of nodes does not fit the size.
    """
    if not 0 <= index < size:
        return None
    used = 0
    while size > 1:
        if index ^ 1 < size:
            if used == len(nodes):
                return None
            node = node_hash(nodes[used], node) if index & 1 else node_hash(node, nodes[used])
            used += 1
        index, size = index >> 1, (size + 1) >> 1
    return node if used == len(nodes) else None


def included(leaf: bytes, index: int, size: int, nodes: Sequence[bytes], expected_root: bytes) -> bool:
    """Return whether a path leads from a leaf to the root of a tree of ``size`` leaves."""
    return climb(leaf_hash(leaf), index, size, nodes) == expected_root


def extends(old_size: int, old_root: bytes, new_size: int, new_root: bytes, nodes: Sequence[bytes]) -> bool:
    """Return whether a proof shows that a tree begins with an older one (RFC 6962, section 2.1.2).

    The empty tree is the beginning of every tree, and a tree is the beginning of itself; both need no node.
    """
    if not 0 <= old_size <= new_size:
        return False
    if old_size in (0, new_size):
        return not nodes and (old_root == EMPTY if old_size == 0 else old_root == new_root)
    left = list(nodes)
    at, last = old_size - 1, new_size - 1
    while at % 2:
        at, last = at // 2, last // 2
    if at and not left:
        return False
    old = new = left.pop(0) if at else old_root
    while last:
        if at % 2 or at == last:
            if not left:
                return False
            node = left.pop(0)
            old, new = node_hash(node, old), node_hash(node, new)
            while not at % 2 and at:
                at, last = at // 2, last // 2
        else:
            if not left:
                return False
            new = node_hash(new, left.pop(0))
        at, last = at // 2, last // 2
    return not left and old == old_root and new == new_root
