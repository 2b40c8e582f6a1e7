"""The commitment to a stock's order: a Merkle tree over its positions.

A proof shows one card at one position and reveals nothing of the others.

* A leaf is ``SHA-256(00 ‖ nonce ‖ stock ‖ position ‖ card)``.
* An inner node is ``SHA-256(01 ‖ left ‖ right)``; the tree is that of RFC 6962 (``merkle``).
* The root is ``SHA-256(02 ‖ stock ‖ size ‖ top node)``. It covers the size: a tree that could be read at two
  sizes could hold two cards for one position.

Numbers are four bytes, big endian; a nonce is 32 bytes, a card its two letters.
"""

import functools
import hashlib
from collections.abc import Sequence
from typing import Final

import msgspec

from services.fairness import merkle
from services.fairness.stream import Stream
from services.rules.cards import Card

NONCE_BYTES: Final = 32
MOST_CARDS: Final = 1 << 16
"""Maximum number of cards in a stock."""


class Proof(msgspec.Struct, frozen=True):
    """Proof that ``card`` is at ``position`` (0: the top) of a stock of ``size`` cards; ``path`` leads to the root."""

    stock: int
    size: int
    position: int
    card: Card
    nonce: bytes
    path: tuple[bytes, ...]


def root(seed: bytes, stock: int, order: Sequence[Card]) -> bytes:
    """Return the commitment (32 bytes) to a stock's order, top first; the nonces come from the round seed."""
    return _root(stock, len(order), _tree(seed, stock, order)[-1][0])


def prove(seed: bytes, stock: int, order: Sequence[Card], position: int) -> Proof:
    """Return the proof of the card at one position; ``root`` of the same seed and order is its root."""
    return prove_all(seed, stock, order, (position,))[0]


def prove_all(seed: bytes, stock: int, order: Sequence[Card], positions: Sequence[int]) -> list[Proof]:
    """Return the proofs of the cards at several positions; the tree is built once."""
    size = len(order)
    tree = _tree(seed, stock, order)
    nonces = _nonces(seed, stock, size)
    proofs = []
    for position in positions:
        assert 0 <= position < size, f"a stock of {size} cards has no position {position}"
        path = tuple(merkle.path_within(tree, position))
        proofs.append(Proof(stock, size, position, order[position], nonces[position], path))
    return proofs


def check(root: bytes, proof: Proof) -> bool:
    """Return whether a proof leads to the root; a malformed one does not."""
    numbers = (proof.stock, proof.size, proof.position)
    if not all(0 <= number <= MOST_CARDS for number in numbers) or not proof.position < proof.size:
        return False
    if len(proof.nonce) != NONCE_BYTES or len(proof.card) != len("As") or not proof.card.isascii():
        return False
    if any(len(node) != merkle.NODE_BYTES for node in proof.path):
        return False
    leaf = _leaf(proof.nonce, _place(proof.stock, proof.position), proof.card)
    top = merkle.climb(merkle.leaf_hash(leaf), proof.position, proof.size, proof.path)
    return top is not None and _root(proof.stock, proof.size, top) == root


def _tree(seed: bytes, stock: int, order: Sequence[Card]) -> list[list[bytes]]:
    """Return the levels of the tree, leaves first."""
    size = len(order)
    assert 1 <= size <= MOST_CARDS, f"cannot commit to {size} cards"
    nonces, places, sha256 = _nonces(seed, stock, size), _places(stock, size), hashlib.sha256
    # ``merkle.leaf_hash`` of each ``_leaf``, without two calls for each card.
    parts = zip(nonces, places, order, strict=True)
    return merkle.levels([sha256(b"\x00" + nonce + place + card.encode()).digest() for nonce, place, card in parts])


def _nonces(seed: bytes, stock: int, size: int) -> list[bytes]:
    stream = Stream(seed, "nonce", stock).take(NONCE_BYTES * size)
    return [stream[at : at + NONCE_BYTES] for at in range(0, len(stream), NONCE_BYTES)]


def _place(stock: int, position: int) -> bytes:
    return stock.to_bytes(4, "big") + position.to_bytes(4, "big")


@functools.lru_cache(maxsize=64)
def _places(stock: int, size: int) -> tuple[bytes, ...]:
    """Return the encoded places of a stock, cached: every round needs the same few."""
    return tuple(_place(stock, position) for position in range(size))


def _leaf(nonce: bytes, place: bytes, card: Card) -> bytes:
    return nonce + place + card.encode()


def _root(stock: int, size: int, top: bytes) -> bytes:
    return hashlib.sha256(b"\x02" + stock.to_bytes(4, "big") + size.to_bytes(4, "big") + top).digest()
