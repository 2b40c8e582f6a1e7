"""The content of a checkpoint: a JSON text that anyone can parse and verify. Pure."""

from typing import Final

import msgspec
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from services.rules.refusals import invalid

FORM: Final = "pitboss checkpoint v3"
FORMS: Final = ("pitboss checkpoint v2", FORM)
"""Supported forms; checkpoints of the older one do not cover records."""

Head = tuple[str, int, bytes]


class Grown(msgspec.Struct, frozen=True):
    """A tree that only grows: its number of leaves and its root in hex."""

    size: int
    root: str


class Statement(msgspec.Struct, frozen=True, kw_only=True):
    """A checkpoint's content; ``root`` (over the streams' heads), ``previous`` and ``key`` in hex.

    ``positions`` and ``log`` are the number of events and the root (hex) of each shard's tree; ``previous`` is the hash
    of the text before ("" for the first). ``trees`` are those over records, by the name of their kind. ``signed_from``
    is the leaf of the ledger entries' tree from which on settlement has signed every entry.
    """

    form: str
    number: int
    at_ms: int
    streams: int
    root: str
    positions: dict[int, int]
    log: dict[int, str]
    previous: str
    key: str
    trees: dict[str, Grown] = {}
    signed_from: int | None = None


class SigningKey:
    """An Ed25519 key that signs checkpoints; its id is the public key itself, in hex."""

    def __init__(self, seed: bytes) -> None:
        self._key = Ed25519PrivateKey.from_private_bytes(seed)
        public = self._key.public_key()
        self.key_id = public.public_bytes(serialization.Encoding.Raw, serialization.PublicFormat.Raw).hex()

    def sign(self, text: str) -> bytes:
        """Sign a text."""
        return self._key.sign(text.encode())


def signed_by(text: str, signature: bytes, key_id: str) -> bool:
    """Return whether the holder of a public key (hex) signed a text."""
    try:
        Ed25519PublicKey.from_public_bytes(bytes.fromhex(key_id)).verify(signature, text.encode())
    except (InvalidSignature, ValueError):
        return False
    return True


def cosigned(text: str) -> str:
    """Return the text that a witness signs for a checkpoint; it differs from the text that the house signs."""
    return f"pitboss cosignature v1\n{text}"


def leaf(head: Head) -> bytes:
    """Return the leaf of a stream: its id, version and last hash, as text."""
    stream_id, version, last = head
    return f"{stream_id}|{version}|{last.hex()}".encode()


def read(body: str) -> Statement:
    """Parse a checkpoint's text. Raises Refused (``INVALID_ARGUMENT``)."""
    try:
        found = msgspec.json.decode(body, type=Statement)
    except msgspec.DecodeError as error:
        raise invalid("checkpoint", f"this is not a checkpoint's text: {error}") from None
    if found.form not in FORMS:
        message = f"the text's form is {found.form!r}; this house reads {' and '.join(FORMS)}"
        raise invalid("checkpoint", message)
    return found
