"""The tree over all stream heads (RFC 6962, section 2.1): its root, and the proof that a leaf is in it.

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
    """Give the root over leaves in order; of no leaf at all the hash of nothing."""
    level = [leaf_hash(leaf) for leaf in leaves]
    if not level:
        return EMPTY
    while len(level) > 1:
        paired = [node_hash(level[at], level[at + 1]) for at in range(0, len(level) - 1, 2)]
        level = paired + level[-1:] if len(level) % 2 else paired
    return level[0]


def path(leaves: Sequence[bytes], index: int) -> list[bytes]:
    """Give the nodes that lead from a leaf to the root, from the bottom up."""
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
    """Whether a path leads from a leaf to the root of a tree of ``size`` leaves."""
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
