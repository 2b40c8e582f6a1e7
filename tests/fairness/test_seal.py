"""Seals: nothing opens that was changed, moved or sealed for another."""

import hashlib
import hmac

import pytest
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from hypothesis import given
from hypothesis import strategies as st

from services.fairness import seal
from services.fairness.seal import KeyMissingError, KeyRing, Sealed, SealError, TamperedError
from services.fairness.seed import framed
from services.fairness.stream import Stream

OLD, NEW = bytes([1]) * 32, bytes([2]) * 32
NONCE = bytes(range(12))
RING = KeyRing("deal", {"2026-01": OLD, "2026-07": NEW}, active="2026-07")
SEED = bytes(range(32))


@given(st.binary(max_size=300), st.binary(max_size=50))
def test_what_was_sealed_opens(plaintext: bytes, bound: bytes) -> None:
    """Sealed bytes open to what they were, also after a way through a store."""
    sealed = seal.seal(RING, plaintext, bound, nonce=NONCE)
    assert sealed.key_id == "2026-07"
    assert seal.open(RING, seal.from_bytes(seal.to_bytes(sealed)), bound) == plaintext


def test_the_seal_is_frozen() -> None:
    """These bytes, stored years ago, still open."""
    stored = bytes.fromhex(
        "0100000007323032362d30370000000c000102030405060708090a0b3d6087dab926f9374ea83373fbdafec94bb074fa63202217d77ae2770dbf"
    )
    assert seal.to_bytes(seal.seal(RING, b"the house seed", b"table 1", nonce=NONCE)) == stored
    assert seal.open(RING, seal.from_bytes(stored), b"table 1") == b"the house seed"


def test_any_change_is_noticed() -> None:
    """With any bit of any stored byte flipped, or cut anywhere, nothing opens."""
    stored = seal.to_bytes(seal.seal(RING, b"ace of spades", b"table 1, round 2", nonce=NONCE))
    broken = [stored[:at] for at in range(len(stored))]
    broken += [
        stored[:at] + bytes([stored[at] ^ (1 << bit)]) + stored[at + 1 :]
        for at in range(len(stored))
        for bit in range(8)
    ]
    for data in broken:
        with pytest.raises(SealError):
            seal.open(RING, seal.from_bytes(data), b"table 1, round 2")


def test_it_opens_only_where_it_belongs() -> None:
    """A seal moved to another table, or read by a ring of another purpose with the same keys, does not open."""
    sealed = seal.seal(RING, b"secret", b"table 1", nonce=NONCE)
    with pytest.raises(TamperedError):
        seal.open(RING, sealed, b"table 2")
    with pytest.raises(TamperedError):
        seal.open(KeyRing("audit", {"2026-07": NEW}, active="2026-07"), sealed, b"table 1")


def test_keys_rotate() -> None:
    """What an older key sealed opens while the ring holds that key; then the error says which one is missing."""
    before = KeyRing("deal", {"2026-01": OLD}, active="2026-01")
    sealed = seal.seal(before, b"secret", b"", nonce=NONCE)
    assert seal.open(RING, sealed, b"") == b"secret"
    with pytest.raises(KeyMissingError, match="2026-01") as caught:
        seal.open(KeyRing("deal", {"2026-07": NEW}, active="2026-07"), sealed, b"")
    assert caught.value.key_id == "2026-01"


@pytest.mark.parametrize(
    ("keys", "active", "fault"),
    [
        ({"a": OLD}, "b", "active key 'b'"),
        ({}, "b", "active key 'b'"),
        ({"a": OLD[:16]}, "a", "has 16 bytes"),
        ({"": OLD}, "", "1 to 64 bytes"),
        ({"x" * 65: OLD}, "x" * 65, "1 to 64 bytes"),
    ],
)
def test_a_bad_ring_is_refused(keys: dict[str, bytes], active: str, fault: str) -> None:
    """A ring without its active key, or with a short key or a bad id, is refused in words."""
    with pytest.raises(ValueError, match=fault):
        KeyRing("deal", keys, active)


def test_a_ring_does_not_show_its_keys() -> None:
    """Neither the text of a ring nor an error holds a key or what was sealed."""
    assert OLD.hex() not in repr(RING)
    assert repr(OLD) not in repr(RING)
    sealed = Sealed("2026-07", NONCE, b"x" * 40)
    with pytest.raises(TamperedError) as caught:
        seal.open(RING, sealed, b"")
    assert "xxx" not in str(caught.value)


@given(st.binary(max_size=300), st.integers(1, 2**40))
def test_secret_arguments_open_with_the_round_seed(plaintext: bytes, version: int) -> None:
    """Sealed arguments open with their version and seed only, and equal ones are equal bytes."""
    sealed = seal.seal_action(SEED, version, plaintext)
    assert seal.seal_action(SEED, version, plaintext) == sealed
    assert seal.open_action(SEED, version, sealed) == plaintext
    for seed, other in ((SEED, version + 1), (bytes(32), version)):
        with pytest.raises(TamperedError):
            seal.open_action(seed, other, sealed)


def test_secret_arguments_hide_their_length_and_never_share_a_nonce() -> None:
    """A short and a longer argument seal to equally many bytes; two that raced for a version have two nonces."""
    short, longer = seal.seal_action(SEED, 9, b'{"multiple":1}'), seal.seal_action(SEED, 9, b'{"multiple":12345}')
    assert len(short) == len(longer)
    assert short[:12] != longer[:12]
    assert short[:12] != seal.seal_action(SEED, 10, b'{"multiple":1}')[:12]


def test_changed_secret_arguments_do_not_open() -> None:
    """With any byte changed or cut, sealed arguments do not open."""
    sealed = seal.seal_action(SEED, 9, b'{"card":"As"}')
    for at in range(len(sealed)):
        for broken in (sealed[:at], sealed[:at] + bytes([sealed[at] ^ 1]) + sealed[at + 1 :]):
            with pytest.raises(TamperedError):
                seal.open_action(SEED, 9, broken)


def test_an_actions_keys_are_two_whole_ones_of_the_rounds_stream() -> None:
    """The first 32 bytes of the stream encrypt, the next 32 make the nonce: a second reading yields the same bytes."""
    keys = Stream(SEED, "action").take(64)
    padded = b'{"card":"As"}\x80'.ljust(seal.ACTION_BLOCK, b"\0")
    nonce = hmac.digest(keys[32:], framed(b"9", padded), hashlib.sha256)[:12]
    assert seal.seal_action(SEED, 9, b'{"card":"As"}') == nonce + AESGCM(keys[:32]).encrypt(nonce, padded, b"9")
