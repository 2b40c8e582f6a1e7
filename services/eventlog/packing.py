"""Arrays as Postgres wants them in binary: several times quicker than the driver's general way, which asks each item.

Layout: dimensions 1, a flag for nulls, the element's type, count, lower bound 1; then each item behind its length
(-1: null).
"""

import struct
from collections.abc import Iterable, Sequence
from typing import Final

import msgspec
import psycopg
from psycopg import abc, adapt, pq

_HEAD: Final = struct.Struct(">iiIii").pack
_SIZE: Final = struct.Struct(">i").pack
_SIZED_INT4: Final = struct.Struct(">ii").pack
_SIZED_INT8: Final = struct.Struct(">iq").pack
_NULL: Final = _SIZE(-1)
_UUID_SIZE: Final = _SIZE(16)

# Numbers of types and of the arrays of them in pg_type, the same in every Postgres.
_BYTEA, _BYTEA_ARRAY = 17, 1001
_INT8, _INT8_ARRAY = 20, 1016
_INT4, _INT4_ARRAY = 23, 1007
_TEXT, _TEXT_ARRAY = 25, 1009
_UUID, _UUID_ARRAY = 2950, 2951


class Packed(msgspec.Struct, frozen=True):
    """An array ready to be sent: the number of its type, and its bytes."""

    oid: int
    content: bytes


class _PackedDumper(adapt.Dumper):
    format = pq.Format.BINARY

    def __init__(self, cls: type, context: abc.AdaptContext | None = None, oid: int = 0) -> None:
        super().__init__(cls, context)
        self.oid = oid

    def dump(self, obj: Packed) -> bytes:
        return obj.content

    def get_key(self, obj: Packed, format: adapt.PyFormat) -> tuple[type, int]:  # noqa: A002, ARG002 - the driver's names
        return (Packed, obj.oid)

    def upgrade(self, obj: Packed, format: adapt.PyFormat) -> adapt.Dumper:  # noqa: A002, ARG002 - the driver's names
        return _PackedDumper(Packed, None, obj.oid)


psycopg.adapters.register_dumper(Packed, _PackedDumper)


def texts(items: Iterable[str | None]) -> Packed:
    """Pack a ``text[]``."""
    return _packed(_TEXT_ARRAY, _TEXT, [None if item is None else item.encode() for item in items])


def byteas(items: Sequence[bytes | None]) -> Packed:
    """Pack a ``bytea[]``."""
    return _packed(_BYTEA_ARRAY, _BYTEA, items)


def uuids(items: Sequence[str]) -> Packed:
    """Pack a ``uuid[]`` from UUIDs in their usual writing."""
    content = b"".join(_UUID_SIZE + bytes.fromhex(item.replace("-", "")) for item in items)
    return Packed(_UUID_ARRAY, _HEAD(1, 0, _UUID, len(items), 1) + content)


def int4s(items: Sequence[int | None]) -> Packed:
    """Pack an ``int[]``."""
    content = b"".join(_NULL if item is None else _SIZED_INT4(4, item) for item in items)
    return Packed(_INT4_ARRAY, _HEAD(1, 1, _INT4, len(items), 1) + content)


def int8s(items: Sequence[int | None]) -> Packed:
    """Pack a ``bigint[]``."""
    content = b"".join(_NULL if item is None else _SIZED_INT8(8, item) for item in items)
    return Packed(_INT8_ARRAY, _HEAD(1, 1, _INT8, len(items), 1) + content)


def _packed(oid: int, element: int, items: Sequence[bytes | None]) -> Packed:
    parts: list[bytes] = [_HEAD(1, 1, element, len(items), 1)]
    for item in items:
        if item is None:
            parts.append(_NULL)
        else:
            parts += (_SIZE(len(item)), item)
    return Packed(oid, b"".join(parts))
