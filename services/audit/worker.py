"""A process that performs heavy reads for an audit process, one at a time, with database connections of its own.

It ends with its parent process, in whatever way that ends.
"""

import asyncio
import contextlib
import multiprocessing
import os
import socket
import threading
import traceback

import msgspec

from services.audit import frames, heavy_reads
from services.audit.heavy_reads import Tools
from services.fairness.seal import KeyRing
from services.ledger.signatures import EntryKeys
from services.privacy import keys
from services.privacy.names import Names
from services.runtime import errors, pools
from services.runtime.settings import Settings

NICE: int = 5
"""Added to the worker's niceness, so that signing and short calls go first on a busy machine."""
CONNECTIONS: int = 2


def main(connection: socket.socket, settings: Settings, ring: KeyRing, role: str) -> None:
    """Serve jobs from a socket until its other end is closed."""
    _end_with_parent()
    os.nice(NICE)
    with contextlib.suppress(KeyboardInterrupt):
        asyncio.run(_serve(connection, settings, ring, role))


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    assert parent is not None, "a worker is started by another process"

    def wait() -> None:
        parent.join()
        os._exit(1)

    threading.Thread(target=wait, daemon=True).start()


async def _serve(connection: socket.socket, settings: Settings, ring: KeyRing, role: str) -> None:
    stream, writer = await asyncio.open_unix_connection(sock=connection)
    reader = frames.Reader(stream)
    given = settings.model_copy(update={"pool_min": 0, "pool_max": CONNECTIONS})
    async with pools.opened(given, role, "audit worker") as pool:
        names = Names(keys.of_settings(settings), pool.connection)
        entry_keys = EntryKeys(settings.ledger_key_ids(), settings.ledger_admitted_entries)
        processes = settings.replay_processes or os.cpu_count() or 1
        tools = Tools(pool, ring, names, settings.message_bytes // 4, processes, entry_keys)
        running: asyncio.Task[None] | None = None
        with contextlib.suppress(EOFError):
            while True:
                kind, data = await reader.read()
                if kind == frames.JOB:
                    job = msgspec.msgpack.decode(data, type=frames.Job)
                    running = asyncio.create_task(_do(writer, tools, job))
                    await asyncio.sleep(
                        0
                    )  # it must start before it can be cancelled, so that it always reports its end
                elif running is not None:
                    running.cancel()
        if running is not None:
            running.cancel()


async def _do(writer: asyncio.StreamWriter, tools: Tools, job: frames.Job) -> None:
    try:
        async with contextlib.aclosing(heavy_reads.perform(tools, job)) as parts:
            async for part in parts:
                await frames.write(writer, frames.PART, part.SerializeToString())
        last, told = frames.DONE, b""
    except asyncio.CancelledError:
        last, told = frames.DONE, b""
    except Exception as error:  # the audit process logs it and answers the caller
        refusal = errors.from_exception(error)
        last = frames.FAILED if refusal is None else frames.REFUSED
        told = (
            traceback.format_exc().encode() if refusal is None else msgspec.msgpack.encode(frames.Refusal.of(refusal))
        )
    await frames.write(writer, last, told)
