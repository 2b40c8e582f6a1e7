"""A pool of processes for the parts of a long replay; a short replay runs in the calling process."""

import asyncio
import multiprocessing
import os
import threading
from collections import deque
from collections.abc import AsyncIterator, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from typing import Final

from services.audit import replay_part
from services.audit.replay_part import Part, Report
from services.fairness.seal import KeyRing
from services.rules.refusals import Reason, Refused

AHEAD: Final = 2
"""Submitted parts for each process, so that no process is idle while the next part is read."""

_ring: KeyRing | None = None
"""The audit ring of a pool process; set by the worker initializer, it never leaves the process."""


@contextmanager
def gathered(ring: KeyRing, processes: int) -> Iterator[ProcessPoolExecutor]:
    """Start ``processes`` processes for one replay; they end with it, or with the calling process."""
    assert processes > 1, "a pool needs more than one process"
    pool = ProcessPoolExecutor(
        processes, mp_context=multiprocessing.get_context("spawn"), initializer=_begin, initargs=(ring,)
    )
    try:
        yield pool
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


async def reports(pool: ProcessPoolExecutor, processes: int, parts: AsyncIterator[Part]) -> AsyncIterator[Report]:
    """Yield each part's report, in order; a bounded number of parts is submitted at any time.

    Raises Refused (``UNAVAILABLE``) if one of the processes was killed.
    """
    waiting: deque[Future[Report]] = deque()
    try:
        async for part in parts:
            waiting.append(pool.submit(_decide, part))
            if len(waiting) >= AHEAD * processes:
                yield await asyncio.wrap_future(waiting.popleft())
        while waiting:
            yield await asyncio.wrap_future(waiting.popleft())
    except BrokenProcessPool:
        raise Refused(Reason.UNAVAILABLE, "a process of this replay was ended; ask for the replay again") from None


def _begin(ring: KeyRing) -> None:
    global _ring  # noqa: PLW0603 - the pool gives no other place to what a process holds
    _ring = ring
    parent = multiprocessing.parent_process()
    assert parent is not None, "a pool process has a parent"

    def end_with_it() -> None:
        parent.join()
        os._exit(1)

    threading.Thread(target=end_with_it, daemon=True).start()


def _decide(part: Part) -> Report:
    assert _ring is not None, "a pool process is initialized with its ring"
    return replay_part.replay(_ring, part)
