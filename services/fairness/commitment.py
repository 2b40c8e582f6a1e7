"""The commitment to a stock's order: a Merkle tree over its positions.

A proof shows one card at one position and tells nothing of the others.

* A leaf is ``SHA-256(00 ‖ nonce ‖ stock ‖ position ‖ card)``.
* An inner node is ``SHA-256(01 ‖ left ‖ right)``; the last node of an odd level goes up as it is (as in RFC 6962).
* The root is ``SHA-256(02 ‖ stock ‖ size ‖ top node)``. It names the size, since a tree that could be read at two sizes
  could hold two cards for one position.

Numbers are four bytes, big endian; a nonce is 32 bytes, a card its two letters.
"""

import functools
import hashlib
from collections.abc import Sequence
from typing import Final

import msgspec

from services.fairness.stream import Stream
from services.rules.cards import Card

_sha256 = hashlib.sha256

NONCE_BYTES: Final = 32
MOST_CARDS: Final = 1 << 16
"""Greatest size of a stock."""


class Proof(msgspec.Struct, frozen=True):
    """That ``card`` lies at ``position`` (0 is the top) of a stock of ``size`` cards; ``path`` leads to the root."""

    stock: int
    size: int
    position: int
    card: Card
    nonce: bytes
    path: tuple[bytes, ...]


def root(seed: bytes, stock: int, order: Sequence[Card]) -> bytes:
    """Commit to the order of a stock, from the top; the nonces come from the round seed. 32 bytes."""
    return _root(stock, len(order), _tree(seed, stock, order)[-1][0])


def prove(seed: bytes, stock: int, order: Sequence[Card], position: int) -> Proof:
    """Prove the card at one position of a stock whose root was made from the same seed and order."""
    return prove_all(seed, stock, order, (position,))[0]


def prove_all(seed: bytes, stock: int, order: Sequence[Card], positions: Sequence[int]) -> list[Proof]:
    """Prove the cards at several positions, making the tree but once."""
    size = len(order)
    tree = _tree(seed, stock, order)
    nonces = _nonces(seed, stock, size)
    proofs = []
    for position in positions:
        assert 0 <= position < size, f"a stock of {size} cards has no position {position}"
        path = [
            level[(position >> height) ^ 1]
            for height, level in enumerate(tree)
            if (position >> height) ^ 1 < len(level)
        ]
        proofs.append(Proof(stock, size, position, order[position], nonces[position], tuple(path)))
    return proofs


def check(root: bytes, proof: Proof) -> bool:
    """Return whether a proof leads to the root; a malformed one does not. Nothing but the two is needed."""
    numbers = (proof.stock, proof.size, proof.position)
    if not all(0 <= number <= MOST_CARDS for number in numbers) or not proof.position < proof.size:
        return False
    if len(proof.nonce) != NONCE_BYTES or len(proof.card) != len("As") or not proof.card.isascii():
        return False
    node = _leaf(proof.nonce, _place(proof.stock, proof.position), proof.card)
    path = list(proof.path)
    place, width = proof.position, proof.size
    while width > 1:
        if place ^ 1 < width:
            if not path or len(path[0]) != len(node):
                return False
            other = path.pop(0)
            node = _node(other, node) if place & 1 else _node(node, other)
        place, width = place >> 1, (width + 1) >> 1
    return not path and _root(proof.stock, proof.size, node) == root


def _tree(seed: bytes, stock: int, order: Sequence[Card]) -> list[list[bytes]]:
    """Return the levels of the tree, the leaves first."""
    size = len(order)
    assert 1 <= size <= MOST_CARDS, f"cannot commit to {size} cards"
    level = [
        _leaf(nonce, place, card)
        for nonce, place, card in zip(_nonces(seed, stock, size), _places(stock, size), order, strict=True)
    ]
    levels = [level]
    while len(level) > 1:
        nodes = iter(level)
        above = [_node(left, right) for left, right in zip(nodes, nodes, strict=False)]
        level = above + level[-1:] if len(level) & 1 else above
        levels.append(level)
    return levels


def _nonces(seed: bytes, stock: int, size: int) -> list[bytes]:
    stream = Stream(seed, "nonce", stock).take(NONCE_BYTES * size)
    return [stream[at : at + NONCE_BYTES] for at in range(0, len(stream), NONCE_BYTES)]


def _place(stock: int, position: int) -> bytes:
    return stock.to_bytes(4, "big") + position.to_bytes(4, "big")


@functools.lru_cache(maxsize=64)
def _places(stock: int, size: int) -> tuple[bytes, ...]:
    """Write every place of a stock; the same few are needed for every round of every table."""
    return tuple(_place(stock, position) for position in range(size))


def _leaf(nonce: bytes, place: bytes, card: Card) -> bytes:
    return _sha256(b"\x00" + nonce + place + card.encode()).digest()


def _node(left: bytes, right: bytes) -> bytes:
    return _sha256(b"\x01" + left + right).digest()


def _root(stock: int, size: int, top: bytes) -> bytes:
    return _sha256(b"\x02" + stock.to_bytes(4, "big") + size.to_bytes(4, "big") + top).digest()
