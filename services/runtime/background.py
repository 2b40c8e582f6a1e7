"""Background work of a process: loops that are restarted when they fail, and end when the process stops."""

import asyncio
import random
from collections.abc import Awaitable, Callable

from services.runtime import logs, metrics

SHORTEST_PAUSE, LONGEST_PAUSE = 0.2, 5.0
"""Seconds before a failed loop is started again; doubled with each failure in a row."""
STEADY_SECONDS = 30.0
"""Seconds after which a loop counts as healthy: its next failure is the first of a new row."""
CANCEL_AGAIN_SECONDS = 0.2
"""Pause before a loop that still runs is cancelled again."""
LOOP_BEAT = 0.25
"""Seconds between two measurements of how late the event loop wakes."""

log = logs.get("background")
Work = Callable[[], Awaitable[None]]


class Background:
    """The loops of one process."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[None]] = set()
        self._closed = False

    def start(self, name: str, work: Work) -> None:
        """Run a loop until the process stops; when it raises, it is logged, counted and started again after a pause."""
        assert not self._closed, f"{name}: the process is stopping"
        task = asyncio.create_task(_kept_up(name, work), name=name)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def close(self, seconds: float) -> None:
        """Cancel all loops and wait a bounded time for them to end.

        A loop is cancelled again until it ends: a cancellation can be lost inside a library that waits with a timeout
        of its own.
        """
        self._closed = True
        late, loop = set(self._tasks), asyncio.get_running_loop()
        until = loop.time() + seconds
        while late and (left := until - loop.time()) > 0:
            for task in late:
                task.cancel()
            _, late = await asyncio.wait(late, timeout=min(left, CANCEL_AGAIN_SECONDS))
        for task in late:
            log.warning("background task did not end in time", task=task.get_name())


async def _kept_up(name: str, work: Work) -> None:
    pause, loop = SHORTEST_PAUSE, asyncio.get_running_loop()
    while True:
        started = loop.time()
        try:
            await work()
        except Exception as error:
            metrics.TASK_FAILURES.labels(name).inc()
            log.warning("background task failed", task=name, cause=type(error).__name__, exc_info=error)
        else:
            return
        if loop.time() - started > STEADY_SECONDS:
            pause = SHORTEST_PAUSE
        await asyncio.sleep(pause * random.uniform(0.8, 1.2))  # noqa: S311 - spreads retries, guards nothing
        pause = min(pause * 2, LONGEST_PAUSE)


class Heartbeat:
    """Measures by how much the event loop wakes late; ``age`` shows other threads whether it still runs."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._last = self._loop.time()

    async def beat(self) -> None:
        """Beat until cancelled."""
        while True:
            before = self._loop.time()
            await asyncio.sleep(LOOP_BEAT)
            self._last = self._loop.time()
            metrics.LOOP_LAG.observe(max(0.0, self._last - before - LOOP_BEAT))

    def age(self) -> float:
        """Return the seconds since the last beat."""
        return self._loop.time() - self._last
