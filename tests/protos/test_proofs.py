"""The client's check of a card's proof, against the house's own commitments."""

import subprocess
import sys

import pytest
from pitboss import proofs
from pitboss.v1 import dealer_pb2

from services.fairness import commitment
from services.rules import cards

SEED = bytes(range(32))
STOCK = 1


def answer(size: int, position: int) -> tuple[dealer_pb2.GetCardProofResponse, str]:
    """Return a house's proof of one card, and the published root."""
    order = cards.PACK_52[:size]
    proof = commitment.prove(SEED, STOCK, order, position)
    root = commitment.root(SEED, STOCK, order).hex()
    response = dealer_pb2.GetCardProofResponse(
        stock=STOCK,
        size=size,
        position=position,
        card=proof.card,
        nonce=proof.nonce.hex(),
        path=[node.hex() for node in proof.path],
        root=root,
    )
    return response, root


@pytest.mark.parametrize("size", [1, 2, 3, 5, 8, 33, 52])
def test_every_card_of_a_stock_is_proven(size: int) -> None:
    """The client accepts the house's proof of every position, in trees of every shape."""
    for position in range(size):
        assert proofs.check(*answer(size, position))


@pytest.mark.parametrize(
    "change",
    [
        {"card": "Xr"},
        {"card": "三公"},
        {"card": ""},
        {"position": 6},
        {"position": 52},
        {"position": -1},
        {"stock": 0},
        {"stock": -1},
        {"size": 51},
        {"size": 0},
        {"nonce": "00" * 32},
        {"nonce": "00"},
        {"nonce": "no hex"},
        {"path": []},
        {"path": ["00" * 32] * 6},
        {"path": ["00"] * 6},
        {"path": ["00" * 32] * 10_000},
    ],
)
def test_a_changed_proof_does_not_hold(change: dict[str, object]) -> None:
    """A proof of another card, place, stock, size, nonce or path returns False and raises nothing."""
    response, root = answer(52, 5)
    for field in change:
        response.ClearField(field)  # type: ignore[arg-type]  # the name comes from the case
    response.MergeFrom(dealer_pb2.GetCardProofResponse(**change))  # type: ignore[arg-type]  # as above
    assert not proofs.check(response, root)


def test_the_root_of_the_answer_is_not_trusted() -> None:
    """Only the root that the caller passes counts."""
    response, _ = answer(52, 5)
    assert not proofs.check(response, "00" * 32)


def test_the_check_needs_the_standard_library_alone() -> None:
    """Importing the module loads neither grpc nor protobuf."""
    program = (
        "import sys; from pitboss import proofs; print([m for m in ('grpc', 'google.protobuf') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
