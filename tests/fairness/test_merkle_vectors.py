"""The tree over all stream heads, against RFC 6962 computed independently and its well-known test vectors."""

import hashlib

import pytest

from services.fairness import merkle

LEAVES = [
    bytes.fromhex(text)
    for text in ("", "00", "10", "2021", "3031", "40414243", "5051525354555657", "606162636465666768696a6b6c6d6e6f")
]
ROOTS = [
    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
    "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
    "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
    "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
    "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
]
"""Roots over the first 0 to 8 of these leaves, as the reference implementation of Certificate Transparency has them."""


def by_the_text(leaves: list[bytes]) -> bytes:
    """Return the root as section 2.1 of the RFC defines it, by recursion."""
    if not leaves:
        return hashlib.sha256(b"").digest()
    if len(leaves) == 1:
        return hashlib.sha256(b"\x00" + leaves[0]).digest()
    part = 1
    while part * 2 < len(leaves):
        part *= 2
    return hashlib.sha256(b"\x01" + by_the_text(leaves[:part]) + by_the_text(leaves[part:])).digest()


def path_by_the_text(index: int, leaves: list[bytes]) -> list[bytes]:
    """Return the audit path as section 2.1.1 of the RFC defines it, by recursion."""
    if len(leaves) == 1:
        return []
    part = 1
    while part * 2 < len(leaves):
        part *= 2
    if index < part:
        return [*path_by_the_text(index, leaves[:part]), by_the_text(leaves[part:])]
    return [*path_by_the_text(index - part, leaves[part:]), by_the_text(leaves[:part])]


@pytest.mark.parametrize("count", range(9))
def test_roots_are_those_of_the_reference_vectors(count: int) -> None:
    """The first so many leaves give the published root."""
    assert merkle.root(LEAVES[:count]).hex() == ROOTS[count]


@pytest.mark.parametrize("count", [*range(18), 31, 32, 33, 100])
def test_roots_and_paths_are_those_of_the_text(count: int) -> None:
    """Of trees of many sizes root and every path are those of the recursive definition, and each path is accepted."""
    leaves = [f"stream {number}".encode() for number in range(count)]
    top = merkle.root(leaves)
    assert top == by_the_text(leaves)
    for index, leaf in enumerate(leaves):
        nodes = merkle.path(leaves, index)
        assert nodes == path_by_the_text(index, leaves)
        assert merkle.included(leaf, index, count, nodes, top)


def test_a_path_proves_its_own_leaf_at_its_own_place_only() -> None:
    """Another leaf, place, size, root, a node more, less or other: not included."""
    leaves = [f"stream {number}".encode() for number in range(13)]
    top = merkle.root(leaves)
    for index, leaf in enumerate(leaves):
        nodes = merkle.path(leaves, index)
        assert not merkle.included(leaf + b"x", index, 13, nodes, top)
        assert not merkle.included(leaf, index, 13, nodes, merkle.root(leaves[:12]))
        assert not merkle.included(leaf, index, 13, [*nodes, top], top)
        assert not merkle.included(leaf, index, 13, nodes[:-1], top)
        assert not merkle.included(leaf, index, 13, [bytes(32), *nodes[1:]], top)
        assert not any(merkle.included(leaf, other, 13, nodes, top) for other in range(13) if other != index)
        assert not merkle.included(leaf, -1, 13, nodes, top)
        assert not merkle.included(leaf, 13, 13, nodes, top)


def test_a_leaf_is_no_node() -> None:
    """Two leaves and one leaf made of their hashes have different roots (second preimages)."""
    both = [b"a", b"b"]
    joined = merkle.leaf_hash(b"a") + merkle.leaf_hash(b"b")
    assert merkle.root(both) != merkle.root([joined])
