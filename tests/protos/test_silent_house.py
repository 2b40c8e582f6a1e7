"""A house that goes silent without a word: the client's watch notices it and keeps its caller's patience."""

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

import grpc
import pytest
from pitboss import calls, client
from pitboss.v1 import dealer_pb2 as pb
from pitboss.v1 import dealer_pb2_grpc, table_pb2

from services.runtime import settings
from services.runtime.server import _options
from tests.protos.test_client import watched
from tests.support import waits


class Quiet(dealer_pb2_grpc.DealerServiceServicer):
    """A dealer at whose tables nothing happens after the first view."""

    async def WatchTable(self, request: pb.WatchTableRequest, context: object) -> AsyncIterator[pb.WatchTableResponse]:
        """Send one view, then nothing."""
        del context
        yield pb.WatchTableResponse(view=table_pb2.TableView(version=request.after_version + 1))
        await asyncio.Event().wait()


class Line:
    """A line to a server, which can be cut such that no end notices: bytes are taken and go nowhere."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._open = asyncio.Event()
        self._open.set()
        self._tasks: set[asyncio.Task[None]] = set()

    def cut(self) -> None:
        """Let nothing through from now on."""
        self._open.clear()

    async def carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Carry one connection."""
        there, back = await asyncio.open_connection("127.0.0.1", self._port)
        self._tasks |= {asyncio.create_task(self._pump(reader, back)), asyncio.create_task(self._pump(there, writer))}

    async def _pump(self, source: asyncio.StreamReader, sink: asyncio.StreamWriter) -> None:
        with suppress(ConnectionError):
            while data := await source.read(65536):
                await self._open.wait()
                sink.write(data)
                await sink.drain()
        sink.close()

    async def close(self) -> None:
        """End all connections."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)


@asynccontextmanager
async def behind_a_line() -> AsyncIterator[tuple[Line, client.House]]:
    """Serve a quiet dealer behind a line; yields both the line and a client."""
    server = grpc.aio.server()
    dealer_pb2_grpc.add_DealerServiceServicer_to_server(Quiet(), server)  # type: ignore[abstract]  # as above
    line = Line(server.add_insecure_port("127.0.0.1:0"))
    await server.start()
    front = await asyncio.start_server(line.carry, "127.0.0.1", 0)
    port = front.sockets[0].getsockname()[1]
    try:
        async with client.connect(f"127.0.0.1:{port}", "the token") as house:
            yield line, house
    finally:
        front.close()
        await line.close()
        await server.stop(0)


async def test_a_watch_of_a_silent_house_ends_when_its_patience_does(monkeypatch: pytest.MonkeyPatch) -> None:
    """A line that was cut ends the watch: noticed by the keepalive, tried again, and given up after the patience."""
    monkeypatch.setattr(calls, "KEEPALIVE_SECONDS", 1)
    monkeypatch.setattr(calls, "KEEPALIVE_TIMEOUT_SECONDS", 1)
    monkeypatch.setattr(calls, "CALL_SECONDS", 2.0)
    seen: list[int] = []
    async with behind_a_line() as (line, house):
        watching = asyncio.create_task(watched(house, 0, seen, 1.0))
        await waits.eventually(lambda: seen, "the first view")
        line.cut()
        began = time.monotonic()
        with pytest.raises(client.Refused) as caught:
            async with asyncio.timeout(60):
                await watching
        assert caught.value.code in calls.UNKNOWN
        assert time.monotonic() - began < 30
        assert seen == [1]


async def test_a_watch_of_a_quiet_table_stays_open(monkeypatch: pytest.MonkeyPatch) -> None:
    """A table without events is not a silent house, for any time."""
    monkeypatch.setattr(calls, "CALL_SECONDS", 0.3)
    seen: list[int] = []
    async with behind_a_line() as (_, house):
        watching = asyncio.create_task(watched(house, 0, seen, 0.1))
        await asyncio.wait({watching}, timeout=1.5)
        assert not watching.done()
        assert seen == [1]
        watching.cancel()
        await asyncio.gather(watching, return_exceptions=True)


def test_the_client_asks_no_more_often_than_the_house_takes() -> None:
    """The servers end connections whose signs of life are asked for more often than each 5 seconds."""
    least_ms = dict(_options(settings.load()))["grpc.http2.min_recv_ping_interval_without_data_ms"]
    assert least_ms < calls.KEEPALIVE_SECONDS * 1000
    assert calls.SILENT_SECONDS < calls.PATIENCE_SECONDS
