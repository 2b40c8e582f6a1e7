"""Seeds: frozen values, and nothing that may be exchanged for another."""

import hashlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.fairness import seed

HOUSE = bytes(range(32))
TABLE = "6f1c1a54-3f9a-4c54-8a56-0d8d5b6f1d10"
texts = st.dictionaries(st.integers(0, 9), st.text(max_size=20), max_size=4)


def test_the_commitment_is_frozen() -> None:
    """The commitment is SHA-256 over length-prefixed label and seed, and never changes."""
    frame = b"\x00\x00\x00\x15pitboss house seed v1" + b"\x00\x00\x00\x20" + HOUSE
    assert seed.commitment(HOUSE) == hashlib.sha256(frame).digest()
    assert seed.commitment(HOUSE).hex() == "903550afa25d33bd991a078c8bc704f608f5c6ea62060f68d996455bf6708f9e"


def test_the_combination_is_frozen() -> None:
    """The round seed of these parts never changes."""
    made = seed.combine(HOUSE, TABLE, 7, {2: "幸運 7", 0: "lucky"})
    assert made.hex() == "90f5210fa6bd3bceca45b0b102473134466cf0653e1a9ed00e40f56a369d2942"


def test_the_combination_is_what_the_documentation_says() -> None:
    """The round seed is SHA-256 over the framed parts, seats in rising order."""
    parts = [b"pitboss round seed v1", HOUSE, TABLE.encode(), b"7", b"2", b"b", b"10", b"a"]
    frame = b"".join(len(part).to_bytes(4, "big") + part for part in parts)
    assert seed.combine(HOUSE, TABLE, 7, {10: "a", 2: "b"}) == hashlib.sha256(frame).digest()


@given(texts, texts)
def test_other_players_seeds_give_another_round_seed(one: dict[int, str], other: dict[int, str]) -> None:
    """Two sets of players' seeds give the same round seed only if they are the same."""
    assert (seed.combine(HOUSE, TABLE, 1, one) == seed.combine(HOUSE, TABLE, 1, other)) == (one == other)


def test_every_part_counts() -> None:
    """House seed, table, round, seat and text each change the round seed, also where their joint text is equal."""
    made = {
        seed.combine(HOUSE, TABLE, 1, {1: "2"}),
        seed.combine(bytes(32), TABLE, 1, {1: "2"}),
        seed.combine(HOUSE, TABLE + "1", 1, {1: "2"}),
        seed.combine(HOUSE, TABLE, 11, {1: "2"}),
        seed.combine(HOUSE, TABLE, 1, {12: ""}),
        seed.combine(HOUSE, TABLE, 1, {2: "1"}),
        seed.combine(HOUSE, TABLE, 1, {1: "", 2: ""}),
        seed.combine(HOUSE, TABLE, 1, {}),
    }
    assert len(made) == 8


def test_bounds_are_kept() -> None:
    """A short house seed, a round before the first and a text without end are refused."""
    with pytest.raises(AssertionError, match="32 bytes, not 31"):
        seed.commitment(HOUSE[:31])
    with pytest.raises(AssertionError, match="not 0"):
        seed.combine(HOUSE, TABLE, 0, {})
    assert seed.combine(HOUSE, TABLE, 1, {3: "x" * 256})
    with pytest.raises(ValueError, match="seat 3 has 258 bytes; at most 256"):
        seed.combine(HOUSE, TABLE, 1, {3: "é" * 129})
