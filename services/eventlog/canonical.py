"""The hash chain, computable by anyone with SHA-256; the database's ``event_hash`` computes the same.

There are two forms. Events that were written before revision 0009 of the schema are hashed over five fields. Those
written since are hashed over six; the last is the time of recording. No bytes have both forms, because each field is
preceded by its length. Within a stream the older form never follows the newer one.
"""

import hashlib
import struct
from typing import Final

FIRST: Final = bytes(32)
"""The previous hash of a stream's first event."""

SHARDS: Final = 16


def canonical(stream_id: str, version: int, type_: str, data: str, metadata: str, recorded_at_ms: int | None) -> bytes:
    """Return the bytes that are hashed: each field after its length in bytes as a big-endian 32-bit number.

    ``recorded_at_ms`` is milliseconds since 1970; None selects the older form, which omits it.
    """
    fields = [stream_id, str(version), type_, data, metadata]
    if recorded_at_ms is not None:
        fields.append(str(recorded_at_ms))
    return b"".join(struct.pack(">I", len(field)) + field for field in (text.encode() for text in fields))


def event_hash(
    previous: bytes, stream_id: str, version: int, type_: str, data: str, metadata: str, recorded_at_ms: int | None
) -> bytes:
    """Return the hash of an event that follows one with the hash ``previous`` (``FIRST`` for a stream's first)."""
    assert len(previous) == len(FIRST), f"a hash has 32 bytes, not {len(previous)}"
    return hashlib.sha256(previous + canonical(stream_id, version, type_, data, metadata, recorded_at_ms)).digest()


def shard_of(stream_id: str) -> int:
    """Return the shard of a stream, as the database's ``shard_of`` does."""
    return int(stream_id[-2:], 16) % SHARDS
