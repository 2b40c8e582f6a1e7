"""Sealing: encryption for the holders of a key, with key rotation (AES-256-GCM).

Two rings are in use. ``deal`` is held by dealers: it seals house seeds, round seeds and the whole live state.
``audit`` is held by dealers and the audit service: at a round's end the dealer seals the revealed seed under it, so
that a reader of the database never learns folded cards. Bytes sealed for one purpose cannot be opened for the other.

Secret arguments of actions are sealed under a key derived from the round seed: anyone who knows the seed can open
them. Sealing the same action at the same version again yields the same bytes.
"""

import hashlib
import hmac
from collections.abc import Mapping
from typing import Final

import msgspec
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from services.fairness.seed import framed
from services.fairness.stream import Stream

KEY_BYTES: Final = 32
NONCE_BYTES: Final = 12
MOST_KEY_ID: Final = 64
ACTION_BLOCK: Final = 128
"""Secret arguments are padded to a multiple of this many bytes, so that their length reveals nothing."""

_FORM: Final = b"\x01"


class SealError(ValueError):
    """Sealed bytes cannot be opened; the message never contains the plaintext."""


class KeyMissingError(SealError):
    """The ring does not hold the key ``key_id``."""

    def __init__(self, purpose: str, key_id: str) -> None:
        super().__init__(f"the key ring {purpose!r} holds no key {key_id!r}; add it to the settings to open this")
        self.key_id = key_id


class TamperedError(SealError):
    """The sealed bytes, or the data that they were bound to, were changed."""


class Sealed(msgspec.Struct, frozen=True):
    """Sealed bytes with the id of their key, and their nonce."""

    key_id: str
    nonce: bytes
    ciphertext: bytes


class KeyRing:
    """Keys of 32 bytes by id for one purpose; ``active`` seals, all of them open. Raises ValueError for a bad ring."""

    def __init__(self, purpose: str, keys: Mapping[str, bytes], active: str) -> None:
        for key_id, key in keys.items():
            if len(key) != KEY_BYTES:
                message = f"key {key_id!r} of the ring {purpose!r} has {len(key)} bytes; it must have {KEY_BYTES}"
                raise ValueError(message)
            if not 1 <= len(key_id.encode()) <= MOST_KEY_ID:
                raise ValueError(f"a key's id in the ring {purpose!r} must have 1 to {MOST_KEY_ID} bytes")
        if active not in keys:
            raise ValueError(f"the active key {active!r} is not in the ring {purpose!r}, which holds {sorted(keys)}")
        self.purpose = purpose
        self.active = active
        self._keys = dict(keys)
        self._ciphers = {key_id: AESGCM(key) for key_id, key in keys.items()}

    def __repr__(self) -> str:
        return f"KeyRing({self.purpose!r}, {sorted(self._keys)}, active={self.active!r})"

    def __reduce__(self) -> tuple[type["KeyRing"], tuple[str, dict[str, bytes], str]]:
        """Support pickling, for worker processes that use the ring."""
        return KeyRing, (self.purpose, self._keys, self.active)

    def cipher(self, key_id: str) -> AESGCM:
        """Return the cipher of a key. Raises KeyMissingError."""
        if key_id not in self._ciphers:
            raise KeyMissingError(self.purpose, key_id)
        return self._ciphers[key_id]

    def derived(self, key_id: str, what: bytes) -> bytes:
        """Return 32 bytes that follow from a key and a label, and tell nothing of either; b"" without the key."""
        key = self._keys.get(key_id)
        return b"" if key is None else hmac.digest(key, framed(b"derived", self.purpose.encode(), what), hashlib.sha256)


def seal(ring: KeyRing, plaintext: bytes, associated_data: bytes, *, nonce: bytes) -> Sealed:
    """Seal under the ring's active key, bound to ``associated_data`` (its place: table, round, version).

    ``nonce``: 12 bytes from the operating system, new for every call.
    """
    assert len(nonce) == NONCE_BYTES, f"a nonce has {NONCE_BYTES} bytes, not {len(nonce)}"
    bound = framed(ring.purpose.encode(), associated_data)
    return Sealed(ring.active, nonce, ring.cipher(ring.active).encrypt(nonce, plaintext, bound))


def open(ring: KeyRing, sealed: Sealed, associated_data: bytes) -> bytes:  # noqa: A001 - the opposite of seal
    """Return the plaintext of bytes sealed for the ring's purpose. Raises KeyMissingError, TamperedError."""
    cipher = ring.cipher(sealed.key_id)
    try:
        return cipher.decrypt(sealed.nonce, sealed.ciphertext, framed(ring.purpose.encode(), associated_data))
    except (InvalidTag, ValueError) as error:
        message = f"sealed bytes under key {sealed.key_id!r} of the ring {ring.purpose!r} are not what was sealed here"
        raise TamperedError(message) from error


def to_bytes(sealed: Sealed) -> bytes:
    """Encode a sealed record as one byte string."""
    return _FORM + framed(sealed.key_id.encode(), sealed.nonce) + sealed.ciphertext


def from_bytes(data: bytes) -> Sealed:
    """Parse the result of ``to_bytes``. Raises TamperedError."""
    parts: list[bytes] = []
    at = 1
    for _ in range(2):
        size = int.from_bytes(data[at : at + 4], "big")
        parts.append(data[at + 4 : at + 4 + size])
        at += 4 + size
    if data[:1] != _FORM or at > len(data) or len(parts[0]) > MOST_KEY_ID or len(parts[1]) != NONCE_BYTES:
        raise TamperedError("these bytes are not a sealed record of this house")
    return Sealed(parts[0].decode(errors="replace"), parts[1], data[at:])


def seal_action(round_seed: bytes, version: int, plaintext: bytes) -> bytes:
    """Return an action's sealed secret arguments; ``version`` is its event's. 12 bytes of nonce, then the ciphertext.

    The nonce is derived from key, version and content. So the same input yields the same bytes, and two actions that
    raced for one version (only one of which was stored) do not share a nonce.
    """
    cipher_key, nonce_key = _action_keys(round_seed)
    bound = str(version).encode()
    padded = _pad(plaintext)
    nonce = hmac.digest(nonce_key, framed(bound, padded), hashlib.sha256)[:NONCE_BYTES]
    return nonce + AESGCM(cipher_key).encrypt(nonce, padded, bound)


def open_action(round_seed: bytes, version: int, sealed: bytes) -> bytes:
    """Return the secret arguments of an action, opened with its round's seed. Raises TamperedError."""
    cipher_key, _ = _action_keys(round_seed)
    try:
        padded = AESGCM(cipher_key).decrypt(sealed[:NONCE_BYTES], sealed[NONCE_BYTES:], str(version).encode())
    except (InvalidTag, ValueError) as error:
        raise TamperedError(f"the sealed action at version {version} does not open with this round's seed") from error
    return padded.rstrip(b"\x00")[:-1]


def _action_keys(round_seed: bytes) -> tuple[bytes, bytes]:
    keys = Stream(round_seed, "action").take(2 * KEY_BYTES)
    return keys[:KEY_BYTES], keys[KEY_BYTES:]


def _pad(plaintext: bytes) -> bytes:
    """Append the byte 80, then bytes 00 up to a full block."""
    return plaintext + b"\x80" + bytes(-(len(plaintext) + 1) % ACTION_BLOCK)
