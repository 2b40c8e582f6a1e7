"""The trees of RFC 6962: roots, proofs of inclusion and of consistency, against the definitions of the standard."""

import hashlib
from collections.abc import Sequence

import pytest

from services.fairness import merkle

LEAVES = [bytes([number]) * (number % 5) for number in range(70)]
WRONG = bytes(32)


def by_definition(leaves: Sequence[bytes]) -> bytes:
    """Return the root as section 2.1 defines it."""
    if not leaves:
        return hashlib.sha256(b"").digest()
    if len(leaves) == 1:
        return hashlib.sha256(b"\0" + leaves[0]).digest()
    half = max(1 << bit for bit in range(8) if 1 << bit < len(leaves))
    return hashlib.sha256(b"\1" + by_definition(leaves[:half]) + by_definition(leaves[half:])).digest()


def proof(old: int, leaves: Sequence[bytes], known: bool = True) -> list[bytes]:
    """Return the consistency proof as section 2.1.2 defines it."""
    if old == len(leaves):
        return [] if known else [by_definition(leaves)]
    half = max(1 << bit for bit in range(8) if 1 << bit < len(leaves))
    if old <= half:
        return [*proof(old, leaves[:half], known), by_definition(leaves[half:])]
    return [*proof(old - half, leaves[half:], known=False), by_definition(leaves[:half])]


@pytest.mark.parametrize("size", range(len(LEAVES)))
def test_roots_are_those_of_the_standard(size: int) -> None:
    """Computed at once or leaf by leaf; each leaf is in its tree by its path, and another one is not."""
    leaves = LEAVES[:size]
    root = by_definition(leaves)
    growing = merkle.Growing()
    for leaf in leaves:
        growing.add(leaf)
    assert merkle.root(leaves) == growing.root() == root
    assert growing.size == size
    for index, leaf in enumerate(leaves):
        path = merkle.path(leaves, index)
        assert merkle.included(leaf, index, size, path, root)
        assert not merkle.included(leaf + b"x", index, size, path, root)
        assert not merkle.included(leaf, index, size, [*path, WRONG], root)


@pytest.mark.parametrize("new", range(1, len(LEAVES)))
def test_consistency_is_proven_for_every_beginning_and_nothing_else(new: int) -> None:
    """Every older tree is shown to be the beginning; a changed root, a node more, less or changed shows nothing."""
    root = by_definition(LEAVES[:new])
    for old in range(new + 1):
        nodes = [] if old in {0, new} else proof(old, LEAVES[:new])
        begun = by_definition(LEAVES[:old])
        assert merkle.extends(old, begun, new, root, nodes)
        assert not merkle.extends(old, WRONG, new, root, nodes)
        assert not merkle.extends(old, begun, new, root, [*nodes, WRONG])
        assert not merkle.extends(new + 1, root, new, root, nodes)
        if old:
            assert not merkle.extends(old, begun, new, WRONG, nodes)
        for at in range(len(nodes)):
            assert not merkle.extends(old, begun, new, root, nodes[:at])
            assert not merkle.extends(old, begun, new, root, [*nodes[:at], WRONG, *nodes[at + 1 :]])
