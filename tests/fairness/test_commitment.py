"""Commitments: frozen, and no proof but the true one leads to the root."""

import hashlib

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.fairness import commitment, shuffle
from services.fairness.commitment import Proof
from services.rules import cards

SEED = bytes(range(32))
ORDER = shuffle.shuffle(SEED, 0, cards.PACK_52)
ROOT = commitment.root(SEED, 0, ORDER)


def hashed(*parts: bytes) -> bytes:
    """Hash parts that stand one after the other."""
    return hashlib.sha256(b"".join(parts)).digest()


def top(leaves: list[bytes]) -> bytes:
    """Hash a tree as RFC 6962, section 2.1 defines it: split at the greatest power of two below the size."""
    if len(leaves) == 1:
        return leaves[0]
    split = 1 << ((len(leaves) - 1).bit_length() - 1)
    return hashed(b"\x01", top(leaves[:split]), top(leaves[split:]))


def test_the_root_is_frozen() -> None:
    """The commitment to this order under this seed never changes."""
    assert ROOT.hex() == "93e59e039eb48c97beeb510433067befd2292183c2799cc23608741b2303bd2b"


def test_the_proofs_are_frozen() -> None:
    """The nonces and paths of all 52 proofs of this order never change."""
    proofs = commitment.prove_all(SEED, 0, ORDER, range(52))
    digest = hashed(*(part for proof in proofs for part in (*proof.path, proof.nonce))).hex()
    assert digest == "366b58e6141d4e2bb54346dba0c7af4f91306df892bc34a57f94ec3fd9d0507b"


@given(st.integers(1, 54), st.integers(0, 5))
def test_the_root_is_the_documented_tree(size: int, stock: int) -> None:
    """The root equals a second writing from the definition of RFC 6962, for every size."""
    order = cards.PACK_54[:size]
    head = b"".join(len(part).to_bytes(4, "big") + part for part in (b"pitboss nonce v1", SEED, b"%d" % stock))
    nonces = hashlib.shake_256(head).digest(32 * size)
    number = stock.to_bytes(4, "big")
    leaves = [
        hashed(b"\x00", nonces[32 * at : 32 * at + 32], number, at.to_bytes(4, "big"), card.encode())
        for at, card in enumerate(order)
    ]
    assert commitment.root(SEED, stock, order) == hashed(b"\x02", number, size.to_bytes(4, "big"), top(leaves))


@given(st.integers(1, 54), st.data())
def test_every_position_can_be_proven(size: int, data: st.DataObject) -> None:
    """The proof of each position leads to the root, and to no other stock's."""
    order = cards.PACK_54[:size]
    position = data.draw(st.integers(0, size - 1))
    proof = commitment.prove(SEED, 3, order, position)
    assert proof.card == order[position]
    assert commitment.check(commitment.root(SEED, 3, order), proof)
    assert not commitment.check(commitment.root(SEED, 4, order), proof)
    assert not commitment.check(commitment.root(bytes(32), 3, order), proof)


@pytest.mark.parametrize("position", [0, 31, 47, 48, 51])
def test_no_changed_proof_passes(position: int) -> None:
    """A proof with any bit of root, nonce or path flipped, or any other card or place, is refused."""
    proof = commitment.prove(SEED, 0, ORDER, position)
    assert commitment.check(ROOT, proof)
    changed: list[Proof] = [
        *(msgspec.structs.replace(proof, card=card) for card in (*cards.PACK_54, "", "A", "Ass") if card != proof.card),
        *(msgspec.structs.replace(proof, position=place) for place in range(-1, 66) if place != position),
        *(msgspec.structs.replace(proof, size=size) for size in (*range(-1, 66), 1 << 40) if size != proof.size),
        *(msgspec.structs.replace(proof, stock=stock) for stock in (-1, 1, 2, 1 << 40)),
        *(msgspec.structs.replace(proof, nonce=nonce) for nonce in flipped(proof.nonce)),
        msgspec.structs.replace(proof, nonce=b""),
        msgspec.structs.replace(proof, path=proof.path[:-1]),
        msgspec.structs.replace(proof, path=(*proof.path, bytes(32))),
        msgspec.structs.replace(proof, path=proof.path[::-1]),
    ]
    for at, node in enumerate(proof.path):
        for other in (*flipped(node), b"", node + b"\x00"):
            path = (*proof.path[:at], other, *proof.path[at + 1 :])
            changed += [msgspec.structs.replace(proof, path=path)]
    assert not any(commitment.check(ROOT, other) for other in changed)
    assert not any(commitment.check(other, proof) for other in (*flipped(ROOT), b"", ROOT[:-1]))


def test_a_node_cannot_stand_for_a_leaf() -> None:
    """The top of a tree of two is no leaf of a tree of one: leaves, nodes and roots are hashed apart."""
    two = commitment.prove_all(SEED, 0, ("As", "Kd"), (0, 1))
    single = msgspec.structs.replace(two[0], size=1, path=())
    assert not commitment.check(commitment.root(SEED, 0, ("As", "Kd")), single)


def test_equal_cards_have_unequal_leaves() -> None:
    """Four equal tiles are hidden by four nonces: no node of a proof tells that another position holds the same."""
    proofs = commitment.prove_all(SEED, 0, ("5t",) * 4, range(4))
    assert len({proof.nonce for proof in proofs}) == 4
    assert len({node for proof in proofs for node in proof.path}) == 6


def test_proofs_made_together_are_the_single_ones() -> None:
    """Proving several positions at once gives the same proofs as one by one."""
    assert commitment.prove_all(SEED, 0, ORDER, (5, 0, 51)) == [
        commitment.prove(SEED, 0, ORDER, position) for position in (5, 0, 51)
    ]


def flipped(data: bytes) -> list[bytes]:
    """Return the bytes once for each bit, with that bit flipped."""
    return [data[:at] + bytes([data[at] ^ (1 << bit)]) + data[at + 1 :] for at in range(len(data)) for bit in range(8)]
