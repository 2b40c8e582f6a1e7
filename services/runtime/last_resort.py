"""Ends a process that was asked to stop and does not end in time.

Everything acknowledged is in the log, so a process may end at any moment. A process that waits for a silent server, or
whose event loop is stuck, ends here: on a separate thread, without closing anything.
"""

import os
import threading
import time
from typing import Final

from services.runtime import logs

EXIT_CODE: Final = 3
"""Exit code of a process that did not end within its bound."""

log = logs.get("last resort")


class LastResort:
    """Ends this process at a moment, unless it has ended before."""

    def __init__(self) -> None:
        self._timer: threading.Timer | None = None
        self._at = float("inf")

    def within(self, seconds: float) -> None:
        """End the process in ``seconds``; an earlier moment that was set stays."""
        at = time.monotonic() + seconds
        if at >= self._at:
            return
        self.call_off()
        self._at, self._timer = at, threading.Timer(seconds, _end, (seconds,))
        self._timer.daemon = True
        self._timer.start()

    def call_off(self) -> None:
        """Cancel the end of the process."""
        if self._timer is not None:
            self._timer.cancel()
        self._timer, self._at = None, float("inf")


def _end(seconds: float) -> None:
    log.error("did not end in time; the process ends without closing what it uses", bound=seconds)
    os._exit(EXIT_CODE)
