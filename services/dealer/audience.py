"""The watchers at one dealer: bounded for each table, and ended when they may no longer watch."""

import asyncio
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import islice
from typing import Final

from services.dealer.admission import AdmissionPolicy
from services.dealer.feed import Feed
from services.dealer.pace import Turn
from services.rules.refusals import Reason, Refused
from services.runtime.identity import Caller, Role
from services.table import persons
from services.table.public_table import PublicTable

LOOK_SECONDS: Final = 1.0
"""How often all watchers are checked for those who may no longer watch."""
RETRY_SECONDS: Final = 5.0
AT_ONCE: Final = 1000
"""Players in one question to the database."""


class Watcher:
    """One open watch: who watches, what ends it, and the turn that it waits for."""

    __slots__ = ("caller", "ends", "feed", "is_last", "turn")

    def __init__(self, feed: Feed, caller: Caller) -> None:
        self.feed, self.caller = feed, caller
        self.turn: Turn | None = None
        self.ends: Refused | None = None
        self.is_last = False

    async def next(self, sent: int, stirs: int = 0) -> None:
        """Wait until there is something newer to send, or the watch ends. Raises Refused.

        ``stirs``: those of the feed when the last message was made.

        A watch that ends while its turn is due gets one more message, so that a player sees the result of its round.
        """
        if self.ends is None:
            await self._wait(sent, stirs)
        if self.ends is None:
            return
        if self.is_last or sent == self.feed.version:
            raise self.ends
        self.is_last = True

    async def _wait(self, sent: int, stirs: int) -> None:
        self.turn = self.feed.wait(sent, self.caller, stirs)
        try:
            await self.turn
        finally:
            self.feed.leave(self.turn)
            self.turn = None

    def end(self, refusal: Refused) -> None:
        """End the watch with a refusal."""
        self.ends = refusal
        if self.turn is not None and not self.turn.done():
            self.turn.set_result(None)


class Audience:
    """All watchers of one dealer process; ``most`` bounds those of one table who have no seat there."""

    def __init__(self, admission: AdmissionPolicy, most: int) -> None:
        self._admission = admission
        self._most = most
        self._strangers: Counter[str] = Counter()
        self._watchers: dict[Watcher, None] = {}
        self.moved = asyncio.Event()
        """Set when a player has begun or ceased to watch a table where it has a seat, or the first or last stranger."""

    def watchers(self) -> Iterator[tuple[Feed, Caller]]:
        """Yield each caller that watches, with the feed that it watches."""
        return ((one.feed, one.caller) for one in list(self._watchers))

    @contextmanager
    def enter(self, feed: Feed, caller: Caller, *, seated: bool) -> Iterator[Watcher]:
        """Count a watcher while it watches. Raises Refused (``TOO_MANY_REQUESTS``) where too many strangers do."""
        table_id = feed.table_id
        if not seated and self._strangers[table_id] >= self._most:
            message = f"{self._most} watch this table here already, as many as may; try later, or take a seat"
            raise Refused(Reason.TOO_MANY_REQUESTS, message, metadata={"most": self._most}, retry_seconds=RETRY_SECONDS)
        watcher = Watcher(feed, caller)
        self._watchers[watcher] = None
        self._strangers[table_id] += not seated
        if seated or self._strangers[table_id] == 1:
            self.moved.set()
        try:
            yield watcher
        finally:
            del self._watchers[watcher]
            self._strangers[table_id] -= not seated
            if seated or not self._strangers[table_id]:
                self.moved.set()
            if not self._strangers[table_id]:
                del self._strangers[table_id]

    async def refuse(self, feed: Feed, caller: Caller) -> None:
        """Raise Refused (``SWITCHED_OFF``, ``EXCLUDED``) for a player who may not watch; psycopg.Error."""
        if _is_bound(feed, caller):
            await self.refuse_barred(caller)

    async def refuse_barred(self, caller: Caller) -> None:
        """Raise Refused (``SWITCHED_OFF``, ``EXCLUDED``) for a player who may be shown no table; psycopg.Error."""
        if caller.role is not Role.PLAYER:
            return
        found = await self._admission.barred([caller.subject])
        if caller.subject in found:
            refusal = found[caller.subject]()
            raise refusal

    async def serve(self) -> None:
        """Check all watchers repeatedly, until cancelled."""
        while True:
            await asyncio.sleep(LOOK_SECONDS)
            await self.look_through()

    async def look_through(self) -> None:
        """End the watches of players who are switched off or excluded, once they play no running round there.

        The same holds at private tables for those whose invitation was revoked.
        """
        players = iter({one.caller.subject for one in self._watchers if one.caller.role is Role.PLAYER})
        barred: dict[str, Callable[[], Refused]] = {}
        while some := list(islice(players, AT_ONCE)):
            barred.update(await self._admission.barred(some))
        for watcher in list(self._watchers) if barred else ():
            if watcher.caller.subject in barred and _is_bound(watcher.feed, watcher.caller):
                watcher.end(barred[watcher.caller.subject]())
        for watcher in list(self._watchers):
            try:
                refuse_stranger(watcher.feed.table.core, watcher.caller)
            except Refused as refusal:
                watcher.end(refusal)


def refuse_stranger(table: PublicTable, caller: Caller) -> None:
    """Raise Refused (``INVITATION_NEEDED``) for a player who may not enter a private table; staff may see it."""
    if caller.role is Role.PLAYER:
        persons.refuse_stranger(table, caller.subject)


def _is_bound(feed: Feed, caller: Caller) -> bool:
    """Return whether switches and exclusions apply to a watcher: not to staff, nor to a player in the running round."""
    return caller.role is Role.PLAYER and not feed.plays(caller.subject)
