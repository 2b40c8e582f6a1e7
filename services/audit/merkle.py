"""Merkle trees (RFC 6962, section 2.1): roots, proofs that a leaf is in a tree, proofs that a tree extends another.

A leaf is hashed as ``SHA-256(00 ‖ leaf)``, an inner node as ``SHA-256(01 ‖ left ‖ right)``; a tree of n leaves is
parted at the greatest power of two below n.
"""

import hashlib
from collections.abc import Sequence
from typing import Final

EMPTY: Final = hashlib.sha256(b"").digest()


def leaf_hash(leaf: bytes) -> bytes:
    """Hash a leaf."""
    return hashlib.sha256(b"\x00" + leaf).digest()


def node_hash(left: bytes, right: bytes) -> bytes:
    """Hash an inner node."""
    return hashlib.sha256(b"\x01" + left + right).digest()


def root(leaves: Sequence[bytes]) -> bytes:
    """Return the root over leaves in order; of no leaf at all the hash of nothing."""
    level = [leaf_hash(leaf) for leaf in leaves]
    if not level:
        return EMPTY
    while len(level) > 1:
        paired = [node_hash(level[at], level[at + 1]) for at in range(0, len(level) - 1, 2)]
        level = paired + level[-1:] if len(level) % 2 else paired
    return level[0]


def fold(nodes: Sequence[bytes]) -> bytes:
    """Return the root over nodes that are roots of whole subtrees of one size; their number is a power of two."""
    level = list(nodes)
    assert level, "a tree has a node"
    assert len(level) & (len(level) - 1) == 0, f"{len(level)} is no power of two"
    while len(level) > 1:
        level = [node_hash(level[at], level[at + 1]) for at in range(0, len(level), 2)]
    return level[0]


def split(size: int) -> int:
    """Return the greatest power of two below ``size``: where a tree of so many leaves is parted."""
    assert size > 1, f"a tree of {size} leaves is not parted"
    return 1 << (size - 1).bit_length() - 1


class Growing:
    """The root over leaves that come one after the other; holds one node for each bit of their number."""

    def __init__(self) -> None:
        self.size = 0
        self._nodes: list[bytes] = []

    def add(self, leaf: bytes) -> None:
        """Add a leaf behind the others."""
        node = leaf_hash(leaf)
        for _ in range((~self.size & self.size + 1).bit_length() - 1):
            node = node_hash(self._nodes.pop(), node)
        self._nodes.append(node)
        self.size += 1

    def root(self) -> bytes:
        """Return the root over what was added so far."""
        if not self._nodes:
            return EMPTY
        node = self._nodes[-1]
        for left in reversed(self._nodes[:-1]):
            node = node_hash(left, node)
        return node


def path(leaves: Sequence[bytes], index: int) -> list[bytes]:
    """Return the nodes that lead from a leaf to the root, from the bottom up."""
    assert 0 <= index < len(leaves), f"there is no leaf {index} of {len(leaves)}"
    level = [leaf_hash(leaf) for leaf in leaves]
    found = []
    while len(level) > 1:
        other = index ^ 1
        if other < len(level):
            found.append(level[other])
        paired = [node_hash(level[at], level[at + 1]) for at in range(0, len(level) - 1, 2)]
        level = paired + level[-1:] if len(level) % 2 else paired
        index //= 2
    return found


def included(leaf: bytes, index: int, size: int, nodes: Sequence[bytes], expected_root: bytes) -> bool:
    """Return whether a path leads from a leaf to the root of a tree of ``size`` leaves."""
    if not 0 <= index < size:
        return False
    node, left = leaf_hash(leaf), list(nodes)
    while size > 1:
        if index ^ 1 < size:
            if not left:
                return False
            other = left.pop(0)
            node = node_hash(other, node) if index % 2 else node_hash(node, other)
        index, size = index // 2, (size + 1) // 2
    return not left and node == expected_root


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
