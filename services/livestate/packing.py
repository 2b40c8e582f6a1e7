"""Connections to Redis whose commands are packed by hiredis: the library packs those of asyncio in Python."""

from collections.abc import Iterable
from typing import Any, Final

import hiredis
from redis.asyncio import Connection, SSLConnection


class _Packing:
    """Packs whole commands, and many into one write."""

    def pack_command(self, *args: Any) -> list[bytes]:
        """Return one command as Redis reads it; the first argument may be two words (``CLUSTER SLOTS``)."""
        return [_packed(args)]

    def pack_commands(self, commands: Iterable[Iterable[Any]]) -> list[bytes]:
        """Return commands as Redis reads them, one after the other."""
        return [b"".join([_packed(tuple(one)) for one in commands])]


class PackedConnection(_Packing, Connection):
    """A connection in plain text."""


class PackedSSLConnection(_Packing, SSLConnection):
    """A connection within TLS."""


BY_KIND: Final[dict[type[Any], type[Any]]] = {Connection: PackedConnection, SSLConnection: PackedSSLConnection}
"""The packing connection for each kind of the library's."""


def _packed(args: tuple[Any, ...]) -> bytes:
    name = args[0]
    words = name.split() if isinstance(name, bytes) else str(name).encode().split()
    packed: bytes = hiredis.pack_command((*words, *args[1:]))
    return packed
