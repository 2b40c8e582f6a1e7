"""The watch over the whole past: everything that was ever signed is read again, in parts, pass after pass.

A part is a page of events or records. After each part the watch rests, so that a pass uses about a fifth of one core
and of the database's speed for one reader. At 20,000 events or records a second, a pass over ten million of them takes
about forty minutes (docs/audit.md). A pass checks everything against the last checkpoint that this process signed and
keeps in memory.
"""

import asyncio
import time
from typing import Final

from services.audit import checkpoint_check
from services.audit.signer import Signer
from services.ledger.signatures import EntryKeys
from services.runtime import logs, metrics
from services.runtime.pools import Pool

REST_PER_WORK: Final = 4.0
"""Seconds of rest for each second of work."""
LONGEST_REST_SECONDS: Final = 2.0
BETWEEN_SECONDS: Final = 60.0
"""Rest between two passes."""
SOON_SECONDS: Final = 5.0
"""Rest after a pass that found something: nothing is signed until a pass finds nothing."""
FIRST_SECONDS: Final = 1.0

trace = logs.get("past")


class Pacer:
    """Rests after each part in proportion to the time that it took."""

    def __init__(self, rest_per_work: float = REST_PER_WORK) -> None:
        self._rest_per_work = rest_per_work
        self._began = time.monotonic()

    async def __call__(self) -> None:
        """Rest."""
        worked = time.monotonic() - self._began
        await asyncio.sleep(min(LONGEST_REST_SECONDS, worked * self._rest_per_work))
        self._began = time.monotonic()


class Watch:
    """Reads the past again and reports its findings to the signer."""

    def __init__(self, pool: Pool, signer: Signer, entry_keys: EntryKeys | None = None) -> None:
        self._pool = pool
        self._entry_keys = entry_keys
        self._signer = signer

    async def once(self) -> float:
        """Read the whole past once, if anything was signed; return the seconds to rest before the next pass."""
        last = self._signer.last
        if last is None:
            return FIRST_SECONDS
        began = time.monotonic()
        found = await checkpoint_check.check(
            self._pool, last.body, last.signature, last.key_id, Pacer(), self._entry_keys
        )
        self._signer.past_was_checked(found)
        metrics.PAST_CHECKED.set_to_current_time()
        trace.info("the past was read", checkpoint=last.number, findings=len(found), seconds=time.monotonic() - began)
        return SOON_SECONDS if found else BETWEEN_SECONDS

    async def serve(self) -> None:
        """Read pass after pass, until cancelled."""
        while True:
            rest_seconds = await self.once()
            await asyncio.sleep(rest_seconds)
