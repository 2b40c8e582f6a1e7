"""One worker process, seen from the audit process: it begins a job, and its answer is read part by part."""

import asyncio
import multiprocessing
import socket

import msgspec

from services.audit import frames, worker
from services.audit.frames import Job
from services.fairness.seal import KeyRing
from services.runtime.settings import Settings


class WorkerFailed(Exception):
    """A job ended with an error of the program; the text is the worker's traceback."""


class WorkerProcess:
    """A process that does one job at a time; it is ``busy`` until the answer has been read."""

    def __init__(self, settings: Settings, ring: KeyRing, role: str) -> None:
        self._near, self._far = socket.socketpair()
        self._process = multiprocessing.get_context("spawn").Process(
            target=worker.main, args=(self._far, settings, ring, role), name="audit worker"
        )
        self._reader: frames.Reader
        self._writer: asyncio.StreamWriter
        self.busy = False

    @property
    def pid(self) -> int | None:
        """The process id."""
        return self._process.pid

    def alive(self) -> bool:
        """Return whether the process runs."""
        return self._process.is_alive()

    async def start(self) -> None:
        """Start the process; its first job waits until all games are loaded."""
        try:
            await asyncio.to_thread(self._process.start)
        finally:
            self._far.close()
        stream, self._writer = await asyncio.open_unix_connection(sock=self._near)
        self._reader = frames.Reader(stream)

    async def begin(self, job: Job) -> None:
        """Begin a job. Raises EOFError if the process has ended."""
        assert not self.busy, "a worker does one job at a time"
        self.busy = True
        await self._send(frames.JOB, msgspec.msgpack.encode(job))

    async def next_part(self) -> bytes | None:
        """Return the next part of the answer; None after the last one.

        Raises the job's Refused; WorkerFailed; EOFError if the process has ended.
        """
        if not self.busy:
            return None
        kind, data = await self._reader.read()
        if kind == frames.PART:
            return data
        self.busy = False
        if kind == frames.REFUSED:
            raise msgspec.msgpack.decode(data, type=frames.Refusal).refusal()
        if kind == frames.FAILED:
            raise WorkerFailed(data.decode())
        return None

    async def drop(self) -> None:
        """Cancel the job and read the rest of its answer. Raises EOFError if the process has ended."""
        await self._send(frames.CANCEL)
        while (await self._reader.read())[0] == frames.PART:
            pass
        self.busy = False

    async def end(self) -> None:
        """End the process, even in the middle of a job."""
        self._writer.close()
        self._process.kill()
        await asyncio.to_thread(self._process.join)
        self._process.close()

    async def _send(self, kind: bytes, data: bytes = b"") -> None:
        try:
            await frames.write(self._writer, kind, data)
        except ConnectionError as error:
            raise EOFError from error
