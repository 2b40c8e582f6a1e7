"""Commands that hiredis packs are the bytes that the library itself would send."""

from typing import Any

import pytest
from redis.asyncio import Connection, SSLConnection

from services.livestate import packing
from services.livestate.node import Server

COMMANDS: list[tuple[Any, ...]] = [
    ("PING",),
    ("CLUSTER SLOTS",),
    (b"CLUSTER SLOTS",),
    ("SET", "key", b"\x00\r\n\xff"),
    ("SET", "龍", "牌"),
    ("ZADD", "key", 1795990000000, "a"),
    ("HSET", "key", "v", 0, "b", b""),
    ("EVALSHA", "f" * 40, 2, "one", "two", 3, b"x" * 20_000, 1.5),
]


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: str(command[0]))
def test_a_command_is_packed_as_the_library_does(command: tuple[Any, ...]) -> None:
    """Words, texts, bytes, numbers and long values come out as the same bytes."""
    theirs = b"".join(bytes(part) for part in Connection().pack_command(*command))
    assert b"".join(packing.PackedConnection().pack_command(*command)) == theirs


def test_many_commands_are_one_write() -> None:
    """What goes together is one piece, the commands in their order."""
    theirs = b"".join(bytes(part) for part in Connection().pack_commands(COMMANDS))
    assert packing.PackedConnection().pack_commands(COMMANDS) == [theirs]


@pytest.mark.parametrize(
    ("url", "kind"),
    [("redis://h", packing.PackedConnection), ("rediss://h", packing.PackedSSLConnection)],
    ids=["plain", "TLS"],
)
async def test_every_server_is_spoken_to_by_such_connections(url: str, kind: type) -> None:
    """A server's pool makes packing connections, those of TLS with what the URL asks for."""
    server = Server(f"{url}:1?ssl_check_hostname=no" if kind is packing.PackedSSLConnection else f"{url}:1", 1.0)
    pool: Any = server._pool
    made = pool.make_connection()
    assert type(made) is kind
    assert isinstance(made, SSLConnection if kind is packing.PackedSSLConnection else Connection)
    await server.close()
