"""Settlement's signature over each ledger entry, by a key that is not in the database.

The signed text is JSON of everything known before the entry is posted: its id, kind, currency, legs, reason, table,
round, request key, digest and actor. The database sets its moment and the balances after it.
"""

from collections.abc import Collection, Iterable, Mapping
from typing import Any, Final

import msgspec
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from services.ledger.records import Entry

FORM: Final = "pitboss entry v1"
FIELDS: Final = ("entry_id", "kind", "currency", "reason", "table", "round", "request_key", "digest", "actor")
KEY_BYTES: Final = 32


class EntryKey:
    """The Ed25519 key that signs entries; its id is the public key in hex."""

    def __init__(self, seed: bytes) -> None:
        self._key = Ed25519PrivateKey.from_private_bytes(seed)
        self.key_id = self._key.public_key().public_bytes_raw().hex()

    def sign(self, entry: Entry) -> bytes:
        """Return the signature of an entry, 64 bytes."""
        legs = ((leg.account, leg.amount) for leg in entry.legs)
        values = msgspec.structs.asdict(entry) | {"digest": entry.digest.hex()}
        return self._key.sign(content(values, legs))


class EntryKeys:
    """The public keys (hex) by which entries are checked; the one in use is best named first.

    ``admitted`` are the ids of entries that the house's owner vouches for although no key has signed them. Raises
    ValueError for an invalid key.
    """

    def __init__(self, key_ids: Iterable[str], admitted: Collection[str] = ()) -> None:
        self._keys = tuple(_public(key_id) for key_id in key_ids)
        self._admitted = frozenset(admitted)

    def admits(self, entry_id: str) -> bool:
        """Whether the house's owner vouches for an entry."""
        return entry_id in self._admitted

    def signed(self, values: Mapping[str, Any], legs: Iterable[tuple[str, int]], signature: bytes) -> bool:
        """Whether one of the keys signed an entry; ``values`` hold its ``FIELDS``, the digest in hex."""
        text = content(values, legs)
        return any(_fits(key, signature, text) for key in self._keys)


def content(values: Mapping[str, Any], legs: Iterable[tuple[str, int]]) -> bytes:
    """Return what is signed of an entry: JSON of the form, its fields and its legs (account, amount) by account."""
    fields = {name: values.get(name) for name in FIELDS}
    return msgspec.json.encode({"form": FORM, **fields, "legs": sorted(legs)})


def _public(key_id: str) -> Ed25519PublicKey:
    try:
        raw = bytes.fromhex(key_id)
    except ValueError:
        raise ValueError(f"{key_id!r} is not a public key; it must be {KEY_BYTES} bytes in hex") from None
    if len(raw) != KEY_BYTES:
        raise ValueError(f"{key_id!r} has {len(raw)} bytes; a public key has {KEY_BYTES}, in hex")
    return Ed25519PublicKey.from_public_bytes(raw)


def _fits(key: Ed25519PublicKey, signature: bytes, text: bytes) -> bool:
    try:
        key.verify(signature, text)
    except InvalidSignature:
        return False
    return True
