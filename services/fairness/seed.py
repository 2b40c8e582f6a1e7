"""Where a round's order comes from: the house's seed, committed to beforehand, and the players' seeds.

The commitment to the house's seed of the next round stands in the log before the players' seeds of that round
close; both go into the round seed, so that neither side alone decides the order. All hashes are SHA-256 over
parts that each carry their length before them (four bytes, big endian), the first part being a label of its purpose.
"""

import hashlib
from collections.abc import Mapping
from typing import Final

SEED_BYTES: Final = 32
MOST_SEED_TEXT: Final = 256
"""Greatest length of what is mixed for a player, in bytes of UTF-8."""
DIGEST: Final = "sha256:"
"""How what is mixed for a player begins where it is the digest of its text; older rounds mixed the text itself."""

COMMITMENT_LABEL: Final = b"pitboss house seed v1"
PLAYER_LABEL: Final = b"pitboss player seed v1"
COMBINATION_LABEL: Final = b"pitboss round seed v1"


def framed(*parts: bytes) -> bytes:
    """Join parts such that no two lists of parts give equal bytes: each has its length before it."""
    return b"".join(len(part).to_bytes(4, "big") + part for part in parts)


def commitment(house_seed: bytes) -> bytes:
    """Commit to a house seed of 32 bytes: SHA-256 over label and seed, 32 bytes."""
    _check(house_seed)
    return hashlib.sha256(framed(COMMITMENT_LABEL, house_seed)).digest()


def digest(table_id: str, round_number: int, seat: int, text: str) -> str:
    """Return what is mixed for a player's text: a digest that the player can make of it, and nobody can read.

    It is bound to table, round and seat, so that the same text given twice is not seen to be the same.
    """
    parts = (PLAYER_LABEL, table_id.encode(), str(round_number).encode(), str(seat).encode(), text.encode())
    return DIGEST + hashlib.sha256(framed(*parts)).hexdigest()


def combine(house_seed: bytes, table_id: str, round_number: int, player_seeds: Mapping[int, str]) -> bytes:
    """Make the round seed (32 bytes) from the house's seed and what each seat added.

    ``player_seeds`` holds the ``digest`` of every seat that gave a text, in older rounds the text; in any order.
    ``round_number`` counts from 1. Raises ValueError for a text longer than ``MOST_SEED_TEXT`` bytes.
    """
    _check(house_seed)
    assert round_number >= 1, f"rounds count from 1, not {round_number}"
    parts = [COMBINATION_LABEL, house_seed, table_id.encode(), str(round_number).encode()]
    for seat in sorted(player_seeds):
        text = player_seeds[seat].encode()
        if len(text) > MOST_SEED_TEXT:
            raise ValueError(f"the seed of seat {seat} has {len(text)} bytes; at most {MOST_SEED_TEXT} are taken")
        parts += [str(seat).encode(), text]
    return hashlib.sha256(framed(*parts)).digest()


def _check(seed: bytes) -> None:
    assert len(seed) == SEED_BYTES, f"a seed has {SEED_BYTES} bytes, not {len(seed)}"
