"""Key rings: symmetric keys by id, one of them active, so that keys can be rotated."""

import base64
import binascii
import secrets
from typing import Self

import msgspec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

SIZE = 32
"""Bytes of a key (AES-256, Ed25519)."""


class Ring(msgspec.Struct, frozen=True):
    """Keys by id; the ``active`` one seals new texts, the others only open old ones."""

    active: str
    keys: dict[str, bytes]

    def __repr__(self) -> str:
        """Return the ids only, so that a printed ring shows no key."""
        return f"Ring(active={self.active!r}, ids={sorted(self.keys)})"

    @classmethod
    def of(cls, encoded: dict[str, str], active: str) -> Self:
        """Return a ring from base64 texts; ``active`` may be empty if there is one key. Raises ``ValueError``."""
        keys = {key_id: _named(key_id, text) for key_id, text in encoded.items()}
        if not active and len(keys) == 1:
            active = next(iter(keys))
        if active not in keys:
            raise ValueError(f"the active key is {active!r}; the ring holds {', '.join(sorted(keys)) or 'none'}")
        return cls(active, keys)


def _named(key_id: str, text: str) -> bytes:
    if not key_id.isascii() or not 0 < len(key_id) <= SIZE:
        raise ValueError(f"key id {key_id!r}: 1 to {SIZE} ASCII characters")
    try:
        return decode(text)
    except ValueError as error:
        raise ValueError(f"key {key_id!r}: {error}") from None


def decode(text: str) -> bytes:
    """Parse a 32-byte key from base64; raise ``ValueError`` (without the text) if it is not one."""
    try:
        key = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        raise ValueError("not base64") from None
    if len(key) != SIZE:
        raise ValueError(f"{len(key)} bytes; a key has {SIZE}")
    return key


def signing_pair() -> tuple[str, str]:
    """Return a new Ed25519 key pair, private and public key, each as the base64 of its 32 bytes."""
    private = Ed25519PrivateKey.generate()
    raw = private.private_bytes_raw(), private.public_key().public_bytes_raw()
    return base64.b64encode(raw[0]).decode(), base64.b64encode(raw[1]).decode()


def generate() -> str:
    """Return a new key from the operating system's randomness, as base64."""
    return base64.b64encode(secrets.token_bytes(SIZE)).decode()
