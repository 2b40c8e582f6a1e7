"""Changed tables on their way to Redis: behind the answers, the newest state of each, many in one round trip."""

import asyncio
from collections.abc import Callable, Sequence
from typing import Final

from services.dealer.vault import Vault
from services.livestate.store import LiveState, LiveStateAway, Save
from services.runtime import failpoints, metrics
from services.table.full_table import FullTable

GATHER_SECONDS: Final = 0.003
"""Pause before tables are saved: answers go first, and what changes together goes together."""
LONG_GATHER_SECONDS: Final = 0.03
"""The pause under load: a table that changes several times meanwhile is sealed and sent once, with many others."""
LOAD_BEGINS: Final = 3
LOAD_GOES_ON: Final = 8
"""Tables saved after a short pause from which the next one is long, and after a long one for which it stays long."""
AT_ONCE: Final = 32
"""Tables in one round trip."""

pause = asyncio.sleep


class Saver:
    """Saves tables as they are in memory, so that a table which changes often is sealed only once in a while.

    Nothing waits for a save, and nothing depends on one: what is not in Redis comes from the log.

    ``find`` returns a table that is at rest, None while a command works on it: then it is saved when it is put back
    (``again``), never in between, for what is not in the log must not be in Redis. ``unsaved`` is called with tables
    that Redis did not take.
    """

    def __init__(
        self,
        live: LiveState,
        vault: Vault,
        find: Callable[[str], FullTable | None],
        unsaved: Callable[[Sequence[Save]], None],
    ) -> None:
        self._live = live
        self._vault = vault
        self._find = find
        self._unsaved = unsaved
        self._changed: dict[str, None] = {}
        self._worker: asyncio.Task[None] | None = None

    def changed(self, table_id: str) -> None:
        """Save a table soon."""
        self._changed[table_id] = None
        if self._worker is None or self._worker.done():
            self._worker = asyncio.create_task(self._work())

    def again(self, table_id: str) -> None:
        """Save a table that is at rest again, if that is still to be done."""
        if table_id in self._changed:
            self.changed(table_id)

    async def settle_down(self, seconds: float) -> None:
        """Wait until what was changed is written."""
        if self._worker is not None:
            await asyncio.wait([self._worker], timeout=seconds)

    async def _work(self) -> None:
        await pause(GATHER_SECONDS)
        loaded = False
        while saved := await self._save_changed():
            loaded = saved >= (LOAD_GOES_ON if loaded else LOAD_BEGINS)
            await pause(LONG_GATHER_SECONDS if loaded else GATHER_SECONDS)

    async def _save_changed(self) -> int:
        """Save all tables that changed and are at rest, each as it is now; return how many there were."""
        saved = 0
        while batch := self._take():
            failpoints.reached("dealer.saving")
            try:
                await self._live.save_all(batch)
            except LiveStateAway:
                metrics.REDIS_FAILURES.inc()
                self._unsaved(batch)
            saved += len(batch)
            if len(batch) < AT_ONCE:
                break
        return saved

    def _take(self) -> list[Save]:
        batch: list[Save] = []
        for table_id in list(self._changed):
            if len(batch) == AT_ONCE:
                break
            table = self._find(table_id)
            if table is not None:
                del self._changed[table_id]
                batch.append(self._sealed(table))
        return batch

    def _sealed(self, table: FullTable) -> Save:
        core = table.core
        return Save(core.table_id, core.version, self._vault.seal_live(table), core.due_ms or None, core.opening.family)
