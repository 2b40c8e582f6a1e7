"""Checks the proof of a card (``GetCardProof``), with the standard library alone.

Keep the root of each stock from the first view that shows it, and check the proof against that copy:
``check(await player.card_proof(table_id, 1, "As"), root)``. The bytes that are hashed are listed in
``docs/fairness.md`` of the house.
"""

import hashlib
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from pitboss.v1 import dealer_pb2

HASH_BYTES: Final = 32
NUMBER_BYTES: Final = 4
CARD_CHARACTERS: Final = 2


def check(proof: "dealer_pb2.GetCardProofResponse", root: str) -> bool:
    """Return whether the card is at its position of the stock whose root (hex) the table published.

    Pass the root from ``view.round.stocks`` of the proof's ``stock``, not the one in the answer. A malformed proof
    returns False.
    """
    try:
        nonce, path = _hash(proof.nonce), [_hash(node) for node in proof.path]
        stock, size, position = (_number(one) for one in (proof.stock, proof.size, proof.position))
        card = proof.card.encode("ascii")
    except (ValueError, OverflowError):
        return False
    if len(card) != CARD_CHARACTERS or proof.position >= proof.size:
        return False
    top = _climb(_sha256(b"\x00", nonce, stock, position, card), proof.position, proof.size, path)
    return top is not None and _sha256(b"\x02", stock, size, top).hex() == root


def _climb(node: bytes, place: int, width: int, path: list[bytes]) -> bytes | None:
    """Return the top of the tree that the path leads to; None where the path is too short or too long."""
    left = iter(path)
    while width > 1:
        if place ^ 1 < width:  # the last node of an odd level has no neighbour and moves up unchanged
            neighbour = next(left, None)
            if neighbour is None:
                return None
            pair = (neighbour, node) if place % 2 else (node, neighbour)
            node = _sha256(b"\x01", *pair)
        place, width = place // 2, (width + 1) // 2
    return node if next(left, None) is None else None


def _hash(text: str) -> bytes:
    found = bytes.fromhex(text)
    if len(found) != HASH_BYTES:
        raise ValueError(f"a nonce or node has {HASH_BYTES} bytes, not {len(found)}")
    return found


def _number(number: int) -> bytes:
    return number.to_bytes(NUMBER_BYTES, "big")


def _sha256(*parts: bytes) -> bytes:
    return hashlib.sha256(b"".join(parts)).digest()
