"""Processes that decide the parts of a long replay side by side; a short one is decided where it is asked for."""

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
from services.runtime.errors import Problem, Reason

AHEAD: Final = 2
"""Parts on their way for each process, so that none is idle while the next is read."""

_ring: KeyRing | None = None
"""The audit ring of a process of the crew; it is given when the process starts and leaves it never."""


@contextmanager
def gathered(ring: KeyRing, processes: int) -> Iterator[ProcessPoolExecutor]:
    """Start so many processes for one replay; they end with it, or with the process that asked, however that ends."""
    assert processes > 1, "one process alone is no crew"
    crew = ProcessPoolExecutor(
        processes, mp_context=multiprocessing.get_context("spawn"), initializer=_begin, initargs=(ring,)
    )
    try:
        yield crew
    finally:
        crew.shutdown(wait=False, cancel_futures=True)


async def reports(crew: ProcessPoolExecutor, processes: int, parts: AsyncIterator[Part]) -> AsyncIterator[Report]:
    """Return each part's report, in order; a bounded number of parts is on its way at any time.

    Raises Problem (``UNAVAILABLE``) where one of the processes was ended from outside.
    """
    waiting: deque[Future[Report]] = deque()
    try:
        async for part in parts:
            waiting.append(crew.submit(_decide, part))
            if len(waiting) >= AHEAD * processes:
                yield await asyncio.wrap_future(waiting.popleft())
        while waiting:
            yield await asyncio.wrap_future(waiting.popleft())
    except BrokenProcessPool:
        raise Problem(Reason.UNAVAILABLE, "a process of this replay was ended; ask for the replay again") from None


def _begin(ring: KeyRing) -> None:
    global _ring  # noqa: PLW0603 - the pool gives no other place to what a process holds
    _ring = ring
    parent = multiprocessing.parent_process()
    assert parent is not None, "a crew's process is started by another"

    def end_with_it() -> None:
        parent.join()
        os._exit(1)

    threading.Thread(target=end_with_it, daemon=True).start()


def _decide(part: Part) -> Report:
    assert _ring is not None, "a crew's process begins with its ring"
    return replay_part.replay(_ring, part)
