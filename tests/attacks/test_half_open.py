"""Connections that are opened and never used are closed in bounded time, and callers are served meanwhile."""

import asyncio
import time
from typing import Final

import grpc
import pytest
from google.protobuf.wrappers_pb2 import StringValue

from services.runtime import server
from tests.support import echo

PREFACE: Final = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
SETTINGS_FRAME: Final = bytes(3) + b"\x04" + bytes(5)
HANDSHAKE_SECONDS: Final = 1.0
IDLE_SECONDS: Final = 1.0
CROWDED_SECONDS: Final = 20.0


async def closed(port: int, said: bytes) -> None:
    """Open a connection, send these bytes and no more, and wait until the server closes it."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(said)
    try:
        while await reader.read(4096):
            pass
    except ConnectionError:
        pass
    finally:
        writer.close()


@pytest.mark.parametrize(
    "said",
    [b"", PREFACE[:10], PREFACE, b"GET / HTTP/1.1\r\n\r\n", PREFACE + SETTINGS_FRAME],
    ids=["nothing", "half a preface", "a preface", "another protocol", "a greeting"],
)
async def test_connections_that_say_no_more_are_closed(said: bytes, size: int) -> None:
    """Hundreds of connections that stop in or after the handshake are closed; a caller is answered meanwhile."""
    given = echo.given(handshake_seconds=HANDSHAKE_SECONDS, idle_seconds=IDLE_SECONDS)
    async with (
        server.running("echo", given, echo.build) as run,
        grpc.aio.insecure_channel(f"127.0.0.1:{run.port}") as channel,
    ):
        held = [asyncio.ensure_future(closed(run.port, said)) for _ in range(200 * size)]
        answer = await echo.say_on(channel)(StringValue(value="x"), metadata=[echo.bearer()], timeout=60)
        assert answer.value == "ann: x"
        began = time.monotonic()
        await asyncio.wait_for(asyncio.gather(*held), HANDSHAKE_SECONDS + IDLE_SECONDS + CROWDED_SECONDS)
        assert time.monotonic() - began < HANDSHAKE_SECONDS + IDLE_SECONDS + CROWDED_SECONDS


async def test_a_connection_that_was_closed_for_idleness_costs_its_client_nothing() -> None:
    """A client whose connection the server closed connects again by itself at its next call."""
    async with (
        server.running("echo", echo.given(idle_seconds=0.3), echo.build) as run,
        grpc.aio.insecure_channel(f"127.0.0.1:{run.port}") as channel,
    ):
        for _ in range(2):
            answer = await echo.say_on(channel)(StringValue(value="x"), metadata=[echo.bearer()], timeout=60)
            assert answer.value == "ann: x"
            async with asyncio.timeout(20):
                while channel.get_state() is grpc.ChannelConnectivity.READY:
                    await channel.wait_for_state_change(grpc.ChannelConnectivity.READY)
