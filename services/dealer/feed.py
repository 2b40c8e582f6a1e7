"""Streams of views: from a version on, for one viewer, whichever dealer the table's commands reach."""

from collections.abc import AsyncIterator
from typing import Final

from pitboss.v1 import dealer_pb2 as pb

from services.contract import stored, wire_events, wire_tables
from services.dealer.tables import Tables
from services.eventlog import log
from services.livestate.store import LiveState
from services.runtime import context
from services.runtime.identity import Caller, Role
from services.runtime.pools import Pool
from services.table.live import Live

POLL_SECONDS: Final = 1.0
"""A watcher looks at the log so often even where nobody wakes it: a lost message must not hang it."""
MOST_EVENTS: Final = 200
"""Events in one message; a watcher that was away longer gets the newest of them and is told."""


def viewer(table: Live, caller: Caller) -> int | None:
    """Give the seat as which a caller sees a table; staff and strangers see what spectators see."""
    if caller.role is not Role.PLAYER:
        return None
    seat = table.core.seat_of(caller.subject)
    return None if seat is None else seat.seat


class Watching:
    """Serves the watchers of one dealer process."""

    def __init__(self, tables: Tables, live: LiveState, pool: Pool) -> None:
        self._tables = tables
        self._live = live
        self._pool = pool

    async def watch(self, table_id: str, after: int, caller: Caller) -> AsyncIterator[pb.WatchTableResponse]:
        """Send the table as the caller may see it now, then again after every change."""
        sent = after
        first = True
        async with self._live.watch(table_id) as changes:
            while True:
                message, version = await self._message(table_id, sent, caller, first=first)
                if message is not None:
                    context.current().resume = {"version": version}
                    yield message
                    first, sent = False, version
                await changes.newer(POLL_SECONDS)

    async def _message(
        self, table_id: str, sent: int, caller: Caller, *, first: bool
    ) -> tuple[pb.WatchTableResponse | None, int]:
        async with self._tables.lock(table_id):
            table = await self._tables.fresh(table_id)
            version = table.core.version
            changed = first or version > sent
            shown = wire_tables.view(table, viewer(table, caller)) if changed else None
            self._tables.keep(table)
        if shown is None:
            return None, sent
        # Who has seen nothing yet (0) starts from now; who names a version gets what came since.
        since = max(sent, version - MOST_EVENTS) if sent else version
        async with self._pool.connection() as conn:
            recorded = await log.read(conn, table_id, since, MOST_EVENTS) if since < version else []
        events = [
            wire_events.event(one.version, stored.kind_of(one)[0], stored.from_stored(one))
            for one in recorded
            if one.version <= version
        ]
        return pb.WatchTableResponse(view=shown, events=events, truncated=bool(sent) and since > sent), version
