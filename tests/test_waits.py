"""The waits of the suites are bounded, return what they waited for, and say what did not come."""

import asyncio

import pytest

from tests.support import waits


async def test_a_wait_returns_what_it_waited_for() -> None:
    """The first true value of a function, of a coroutine, or without an event loop."""
    values = iter([0, None, 7])

    async def found() -> int | None:
        return next(values)

    assert await waits.eventually(found, "seven", pause=0) == 7
    assert await waits.eventually(lambda: "here", "it") == "here"
    assert await asyncio.to_thread(waits.eventually_blocking, lambda: [1], "it") == [1]


async def test_a_wait_is_bounded_and_says_what_did_not_come() -> None:
    """After its time it fails with the words of the test."""
    with pytest.raises(AssertionError, match="waited in vain: the rain"):
        await waits.eventually(lambda: False, "the rain", seconds=0.01, pause=0.001)
    with pytest.raises(AssertionError, match="waited in vain: the rain"):
        waits.eventually_blocking(lambda: None, "the rain", seconds=0.01, pause=0.001)


async def test_a_call_is_repeated_only_for_the_errors_that_are_named() -> None:
    """A named error is waited out within the bound; any other one is raised at once."""
    failures: list[Exception] = [OSError("away"), OSError("away")]

    async def call() -> str:
        if failures:
            raise failures.pop()
        return "answer"

    assert await waits.answered(call, OSError, pause=0) == "answer"
    failures[:] = [ValueError("wrong"), OSError("away")]
    with pytest.raises(ValueError, match="wrong"):
        await waits.answered(call, lambda error: isinstance(error, OSError), pause=0)
    failures[:] = [OSError("still away")] * 1000
    with pytest.raises(OSError, match="still away"):
        await waits.answered(call, OSError, seconds=0.01, pause=0.001)
