"""Bounded waits for what no event reports; the one place in the suites that pauses between two looks.

A test waits for what it needs and never for a time. ``tests/test_architecture.py`` names the few other pauses.
"""

import asyncio
import inspect
import time
from collections.abc import Awaitable, Callable
from typing import Any, Final, TypeVar, overload

from pitboss import client

from services.registry import switches

T = TypeVar("T")
SECONDS: Final = 60.0
"""How long a wait may take on a machine that others use too."""
PAUSE_SECONDS: Final = 0.02


@overload
async def eventually(
    found: Callable[[], Awaitable[T | None]], otherwise: str, *, seconds: float = SECONDS, pause: float = PAUSE_SECONDS
) -> T: ...
@overload
async def eventually(
    found: Callable[[], T | None], otherwise: str, *, seconds: float = SECONDS, pause: float = PAUSE_SECONDS
) -> T: ...
async def eventually(
    found: Callable[[], Any], otherwise: str, *, seconds: float = SECONDS, pause: float = PAUSE_SECONDS
) -> Any:
    """Return the first true value of ``found()``. Raises AssertionError with ``otherwise`` after so many seconds."""
    end = time.monotonic() + seconds
    while True:
        value = found()
        if inspect.isawaitable(value):
            value = await value
        if value:
            return value
        assert time.monotonic() < end, f"waited in vain: {otherwise}"
        await asyncio.sleep(pause)


def eventually_blocking(
    found: Callable[[], T | None], otherwise: str, *, seconds: float = SECONDS, pause: float = PAUSE_SECONDS
) -> T:
    """Return the first true value of ``found()`` as ``eventually`` does, where no event loop runs."""
    end = time.monotonic() + seconds
    while not (value := found()):
        assert time.monotonic() < end, f"waited in vain: {otherwise}"
        time.sleep(pause)
    return value


async def answered(
    call: Callable[[], Awaitable[T]],
    away: type[Exception] | Callable[[Exception], bool],
    *,
    seconds: float = SECONDS,
    pause: float = PAUSE_SECONDS,
) -> T:
    """Return the first answer of a call that fails as ``away`` says; any other error, or the last one, is raised."""
    end = time.monotonic() + seconds
    while True:
        try:
            return await call()
        except Exception as error:
            expected = isinstance(error, away) if isinstance(away, type) else away(error)
            if not expected or time.monotonic() > end:
                raise
        await asyncio.sleep(pause)


def is_unavailable(error: Exception) -> bool:
    """Return whether a call was refused because its process, or what it needs, is away."""
    return isinstance(error, client.Refused) and error.reason == "UNAVAILABLE"


async def turns(count: int = 1) -> None:
    """Let every other task of this event loop run ``count`` times; one that waits for its turn begins in the first."""
    for _ in range(count):
        await asyncio.sleep(0)


async def next_millisecond() -> None:
    """Wait until the clock shows a later millisecond, so that what follows has a later time in the log."""
    now_ms = time.time_ns() // 1_000_000
    await eventually(lambda: time.time_ns() // 1_000_000 > now_ms, "a later millisecond", pause=0.001)


async def switches_read() -> None:
    """Wait until every process must have read a switch that was just set.

    A process reads them by its own clock and reports nothing of it, so the documented bound is waited out.
    """
    await asyncio.sleep(switches.OLDEST_SECONDS)
