"""Sealed texts: AES-256-GCM under a player's key, bound to the key's id and to what the text is.

The nonce is derived from key, field and text, so that the same text is always sealed to the same bytes. So names can
be compared without being opened, and a command that is retried writes the same event. A text is not bound to its
place in the log: a name is in the event that introduced it and in every round's start. The hash chain fixes it in
each of these places.

The bytes are written in base32 (lower case, without padding). It has letters and digits only, so a sealed text
holds no word that looks like a card.
"""

import base64
import hashlib
import hmac
from typing import Final

import msgspec
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from services.fairness import seal
from services.fairness.seed import framed
from services.rules.personal import MARK

NAME, TITLE, NICKNAME, REASON, AVATAR = "name", "title", "nickname", "reason", "avatar"
BLOCK_BYTES: Final = 32
"""Texts are padded to a multiple of this many bytes, so that their length reveals little."""

_LABEL: Final = b"pitboss personal text v1"
_NONCE_LABEL: Final = b"pitboss personal nonce v1"


class PlayerKey(msgspec.Struct, frozen=True):
    """A player's key: its id, which is part of every text that it seals, and its 32 bytes."""

    key_id: str
    key: bytes

    def __repr__(self) -> str:
        """Return the id only, so that printing never shows a key."""
        return f"PlayerKey({self.key_id!r})"


def seal_text(held: PlayerKey, field: str, text: str) -> str:
    """Return a text sealed under a player's key."""
    padded = _pad(text.encode())
    bound = framed(_LABEL, held.key_id.encode(), field.encode())
    nonce_key = hmac.digest(held.key, _NONCE_LABEL, hashlib.sha256)
    nonce = hmac.digest(nonce_key, framed(bound, padded), hashlib.sha256)[: seal.NONCE_BYTES]
    sealed = nonce + AESGCM(held.key).encrypt(nonce, padded, bound)
    return f"{MARK}{field}:{held.key_id}:{_written(sealed)}"


def open_text(held: PlayerKey, sealed: str) -> str:
    """Return the text that was sealed under a player's key. Raises seal.TamperedError."""
    try:
        _, field, key_id, encoded = sealed.split(":")
        data = _read(encoded)
        bound = framed(_LABEL, key_id.encode(), field.encode())
        padded = AESGCM(held.key).decrypt(data[: seal.NONCE_BYTES], data[seal.NONCE_BYTES :], bound)
    except (InvalidTag, ValueError) as error:
        raise seal.TamperedError("a sealed text does not open with the key that it names") from error
    return padded.rstrip(b"\x00")[:-1].decode()


def _written(data: bytes) -> str:
    return base64.b32encode(data).decode().lower().rstrip("=")


def _read(encoded: str) -> bytes:
    """Return the bytes of a text in base32. Raises ValueError where it is not the one way to write them."""
    data = base64.b32decode(encoded.upper() + "=" * (-len(encoded) % 8))
    if _written(data) != encoded:
        raise ValueError("the bytes of a sealed text are not in base32")
    return data


def _pad(plain: bytes) -> bytes:
    """Append the byte 80, then bytes 00 up to a full block."""
    return plain + b"\x80" + bytes(-(len(plain) + 1) % BLOCK_BYTES)
