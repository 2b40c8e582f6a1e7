"""The chain of hashes, as anyone with SHA-256 can compute it; the database's ``event_hash`` computes the same."""

import hashlib
import struct
from typing import Final

FIRST: Final = bytes(32)
"""What stands for the hash before the first event of a stream."""

SHARDS: Final = 16


def canonical(stream_id: str, version: int, type_: str, data: str, metadata: str) -> bytes:
    """Give the bytes that are hashed: five fields, each behind its length in bytes as a big-endian 32-bit number."""
    fields = (stream_id, str(version), type_, data, metadata)
    return b"".join(struct.pack(">I", len(field)) + field for field in (text.encode() for text in fields))


def event_hash(previous: bytes, stream_id: str, version: int, type_: str, data: str, metadata: str) -> bytes:
    """Give the hash of an event that follows one with the hash ``previous`` (``FIRST`` for a stream's first)."""
    assert len(previous) == len(FIRST), f"a hash has 32 bytes, not {len(previous)}"
    return hashlib.sha256(previous + canonical(stream_id, version, type_, data, metadata)).digest()


def shard_of(stream_id: str) -> int:
    """Give the shard of a stream, as the database's ``shard_of`` does."""
    return int(stream_id[-2:], 16) % SHARDS
