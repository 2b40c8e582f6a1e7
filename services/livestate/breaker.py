"""A circuit breaker: after several failures in a row calls fail at once, except for an occasional trial."""

import time
from collections.abc import Callable
from typing import Final

FAILURES: Final = 3
"""Failures in a row after which the circuit opens."""

FIRST_PAUSE: Final = 0.25
LONGEST_PAUSE: Final = 2.0
"""Seconds before the next trial: the first time, and at most; each failed trial doubles them."""


class Breaker:
    """Counts failures of a server that may be away; ``clock`` returns monotonic seconds."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._failures = 0
        self._pause = FIRST_PAUSE
        self._try_at = 0.0

    @property
    def is_open(self) -> bool:
        """Return whether calls are refused for now, except for the next trial."""
        return self._failures >= FAILURES

    def allows(self) -> bool:
        """Return whether a call may be made; while the circuit is open, one per pause may."""
        if not self.is_open:
            return True
        now = self._clock()
        if now < self._try_at:
            return False
        self._try_at = now + self._pause
        return True

    def succeeded(self) -> None:
        """Record a successful call: the circuit closes."""
        self._failures = 0
        self._pause = FIRST_PAUSE

    def failed(self) -> None:
        """Record a failed call."""
        self._failures += 1
        if self._failures == FAILURES:
            self._try_at = self._clock() + self._pause
        elif self._failures > FAILURES:
            self._pause = min(2 * self._pause, LONGEST_PAUSE)
            self._try_at = self._clock() + self._pause
