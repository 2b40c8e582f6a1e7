"""A line to a server that a test holds in its hand: it lets bytes through, keeps them back, or is cut."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress


class Line:
    """Carries connections to a port. ``there`` and ``back`` are the gates of the two directions."""

    def __init__(self, port: int) -> None:
        self._port = port
        self.there, self.back = asyncio.Event(), asyncio.Event()
        self.carried = 0
        """Connections that were made over the line so far."""
        self._writers: list[asyncio.StreamWriter] = []
        self._tasks: set[asyncio.Task[None]] = set()
        self.restore()

    def restore(self) -> None:
        """Let everything through."""
        self.there.set()
        self.back.set()

    def lead_to(self, port: int) -> None:
        """Carry later connections to another port."""
        self._port = port

    def cut(self) -> None:
        """End all connections, with what is kept back; new ones may be made."""
        for task in self._tasks:
            task.cancel()
        for writer in self._writers:
            writer.transport.abort()
        self._writers.clear()

    async def carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Carry one connection."""
        try:
            up_reader, up_writer = await asyncio.open_connection("127.0.0.1", self._port)
        except OSError:
            writer.transport.abort()
            return
        self.carried += 1
        self._writers += [writer, up_writer]
        for source, sink, gate in ((reader, up_writer, self.there), (up_reader, writer, self.back)):
            task = asyncio.create_task(_pump(source, sink, gate))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def close(self) -> None:
        """End all connections."""
        tasks = list(self._tasks)
        self.cut()
        await asyncio.gather(*tasks, return_exceptions=True)


async def _pump(source: asyncio.StreamReader, sink: asyncio.StreamWriter, gate: asyncio.Event) -> None:
    with suppress(OSError):
        while data := await source.read(1 << 16):
            await gate.wait()
            sink.write(data)
            await sink.drain()
    sink.close()


@asynccontextmanager
async def line_to(port: int) -> AsyncIterator[tuple[Line, str]]:
    """Yield a line to a port of this machine, and its own address."""
    line = Line(port)
    front = await asyncio.start_server(line.carry, "127.0.0.1", 0)
    try:
        yield line, f"127.0.0.1:{front.sockets[0].getsockname()[1]}"
    finally:
        front.close()
        await line.close()
