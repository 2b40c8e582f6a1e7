"""The round seed: the house's seed, committed to beforehand, combined with the players' seeds.

The commitment to the house's seed of the next round is in the log before the players' seeds of that round close. Both
go into the round seed, so that neither side alone decides the order. All hashes are SHA-256 over parts, each preceded
by its length (four bytes, big endian). The first part is a label of the purpose.
"""

import hashlib
from collections.abc import Mapping
from typing import Final

SEED_BYTES: Final = 32
MOST_SEED_TEXT: Final = 256
"""Maximum length of a player's seed, in bytes of UTF-8."""
DIGEST: Final = "sha256:"
"""Prefix of a player's seed that is the digest of a text; older rounds used the text itself."""

COMMITMENT_LABEL: Final = b"pitboss house seed v1"
PLAYER_LABEL: Final = b"pitboss player seed v1"
COMBINATION_LABEL: Final = b"pitboss round seed v1"


def framed(*parts: bytes) -> bytes:
    """Join parts, each preceded by its length, so that different lists of parts never yield equal bytes."""
    return b"".join(len(part).to_bytes(4, "big") + part for part in parts)


def commitment(house_seed: bytes) -> bytes:
    """Return the commitment to a house seed of 32 bytes: SHA-256 over label and seed."""
    _check(house_seed)
    return hashlib.sha256(framed(COMMITMENT_LABEL, house_seed)).digest()


def digest(table_id: str, round_number: int, seat: int, text: str) -> str:
    """Return the digest of a player's text that goes into the round seed; the player can compute it too.

    It is bound to table, round and seat, so that a repeated text cannot be recognised.
    """
    parts = (PLAYER_LABEL, table_id.encode(), str(round_number).encode(), str(seat).encode(), text.encode())
    return DIGEST + hashlib.sha256(framed(*parts)).hexdigest()


def combine(house_seed: bytes, table_id: str, round_number: int, player_seeds: Mapping[int, str]) -> bytes:
    """Return the round seed (32 bytes) made from the house's seed and the players' seeds.

    ``player_seeds`` holds the ``digest`` of each seat that gave a text, or the text in older rounds; in any order.
    ``round_number`` counts from 1. Raises ValueError for a text longer than ``MOST_SEED_TEXT`` bytes.
    """
    _check(house_seed)
    assert round_number >= 1, f"rounds count from 1, not {round_number}"
    parts = [COMBINATION_LABEL, house_seed, table_id.encode(), str(round_number).encode()]
    for seat in sorted(player_seeds):
        text = player_seeds[seat].encode()
        if len(text) > MOST_SEED_TEXT:
            raise ValueError(f"the seed of seat {seat} has {len(text)} bytes; at most {MOST_SEED_TEXT} are allowed")
        parts += [str(seat).encode(), text]
    return hashlib.sha256(framed(*parts)).digest()


def _check(seed: bytes) -> None:
    assert len(seed) == SEED_BYTES, f"a seed has {SEED_BYTES} bytes, not {len(seed)}"
