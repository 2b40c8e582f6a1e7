"""The feed of one watched table: a copy of the table that follows the log, rendered once for each kind of viewer.

The copy is the feed's own, so nothing that watches takes the table's lock or reads the log for itself. A dealer hands
over what it has just appended or read; what other processes append is read once, when Redis says so or when the next
poll finds it, of which there is one each second for all feeds.
"""

import asyncio
from collections import deque
from collections.abc import Iterable, Sequence
from typing import Final

from pitboss.v1 import table_pb2

from services.contract import wire_tables
from services.dealer import past, views
from services.dealer.pace import Pace, Turn
from services.dealer.tables import not_replayed
from services.dealer.views import MOST_EVENTS, Row, Views
from services.eventlog import log
from services.eventlog.records import StoredEvent
from services.journal import log_rows
from services.privacy.names import Names
from services.rules.refusals import Reason, Refused
from services.runtime import clock, logs, metrics
from services.runtime.clock import NowMs
from services.runtime.identity import Caller, Role
from services.runtime.pools import Pool
from services.table import own_cards, replay
from services.table.events import Event
from services.table.full_table import FullTable
from services.table.own_cards import Own
from services.table.replay import Opener, Replay

LEVEL_SECONDS: Final = 0.1
"""Looks that watchers ask for, because they have seen a newer version elsewhere, are at least so far apart."""
PAGE: Final = 500

trace = logs.get("feed")


def viewer(table: FullTable, caller: Caller) -> int | None:
    """Return the seat as which a caller sees a table; staff and strangers see what spectators see (None)."""
    if caller.role is not Role.PLAYER:
        return None
    seat = table.core.seat_of(caller.subject)
    return None if seat is None else seat.seat


class Feed:
    """One watched table. A message is the concatenation of its encoded fields.

    The view is encoded once for each viewer and version, each event once for all who see the same of it.
    """

    def __init__(
        self, table_id: str, pool: Pool, opener: Opener, pace: Pace, names: Names, now_ms: NowMs = clock.wall_ms
    ) -> None:
        self.table_id = table_id
        self.failure: Exception | None = None
        self._pool, self._opener, self._pace = pool, opener, pace
        self._replay = Replay(table_id, opener, compare=False)
        self._head: tuple[int, str, str] = (0, "", "")
        self._tip: tuple[int, bytes] = (0, b"")
        """Version and hash of the last event that was read from the log."""
        self._views = Views(names)
        self._now_ms = now_ms
        self._presence = table_pb2.TableView()
        self.stirs = 0
        """How often the presence or the switch has changed."""
        self._heard: deque[tuple[int, Row]] = deque()
        self._idle: dict[Turn, None] = {}
        self._seated: dict[Turn, None] = {}
        self._scheduled = False
        self._building = False
        self._reading = asyncio.Lock()
        self._looked = 0.0
        self.behind = asyncio.Event()
        """Set when the log must be read."""
        self.why = "notified"
        """Why it must be, for the count of reads."""

    @property
    def table(self) -> FullTable:
        """The table as the feed knows it; only the feed changes it."""
        assert self._replay.table is not None, "a feed is opened before it is used"
        return self._replay.table

    @property
    def version(self) -> int:
        """The version that the feed shows."""
        return self._head[0]

    def poll(self, tip: tuple[int, bytes] | None) -> None:
        """Require a read of the log, unless its last event (None: unknown) was read and is the feed's last."""
        if (tip is None or tip != self._tip or tip[0] != self.version) and not self.behind.is_set():
            self.why = "poll"
            self.behind.set()

    # -- what comes in ------------------------------------------------------------------------------------------

    async def open(self) -> None:
        """Read the table from the log, and its last events. Raises Refused (``TABLE_NOT_FOUND``), psycopg.Error."""
        async with self._reading:
            await self._rebuild("opened")

    def hear(self, first_version: int, rows: Sequence[Row]) -> None:
        """Queue events that this process has appended or read, in order; they are processed soon after."""
        if len(self._heard) + len(rows) > PAGE:
            self._heard.clear()
            self.behind.set()
            return
        if not self._scheduled:
            self._scheduled = True
            asyncio.get_running_loop().call_soon(self._work_off)
        self._heard.extend(enumerate(rows, first_version))

    def _work_off(self) -> None:
        self._scheduled = False
        try:
            if not self._building:  # else they follow when the table is built
                self._take()
        except Exception as error:  # whatever it is: the next look builds the table anew
            self._spoilt(error)

    def _take(self, rows: Iterable[tuple[int, Row]] = ()) -> None:
        """Follow the log by these events, then by those heard; what is known already is passed over."""
        before = self.version
        for source in (rows, self._heard_in_order()):
            for version, row in source:
                if version == self.version + 1:
                    event = log_rows.from_stored(row)
                    self._replay.take(version, event)
                    own = own_cards.of_event(self.table, version, event)
                    self._views.note(version, row, event, self.table.core.opening.family, own)
                    self._head = version, row.type, row.data
                elif version > self.version:
                    self.behind.set()
        if self.version != before:
            self._changed()

    def _heard_in_order(self) -> Iterable[tuple[int, Row]]:
        while self._heard:
            yield self._heard.popleft()

    def _spoilt(self, error: Exception) -> None:
        trace.warning("a feed cannot follow its table and is built anew", cause=type(error).__name__)
        self._head = self._head[0], "", ""
        self._heard.clear()
        self.behind.set()

    async def level(self, version: int) -> None:
        """Catch the feed up to a version that a watcher has seen, as far as the log has it.

        One read serves all callers that asked before it began.
        """
        loop = asyncio.get_running_loop()
        asked = loop.time()
        async with self._reading:
            if version <= self.version or self._looked >= asked:
                return
            await asyncio.sleep(max(0.0, self._looked + LEVEL_SECONDS - loop.time()))
            if version > self.version:
                await self._attempt("level")

    async def look(self, why: str) -> None:
        """Read what the log has beyond the feed. Raises psycopg.Error, Refused."""
        async with self._reading:
            await self._attempt(why)

    async def _attempt(self, why: str) -> None:
        """Read on from the last known event, which is read again: where the log has another one, all is read anew."""
        self.behind.clear()
        self.why = "notified"
        self._looked = asyncio.get_running_loop().time()
        while True:
            known = self._head
            metrics.FEED_READS.labels(why).inc()
            async with self._pool.connection() as conn:
                rows = await log.read(conn, self.table_id, known[0] - 1, PAGE)
            if not rows or (rows[0].version, rows[0].type, rows[0].data) != known:
                await self._rebuild("lost")
                return
            self._take((row.version, row) for row in rows[1:])
            self._tip = rows[-1].version, rows[-1].hash
            if len(rows) < PAGE:
                return

    async def _rebuild(self, why: str) -> None:
        """Build the table anew from the log, with its last events."""
        metrics.FEED_READS.labels(why).inc()
        self._building = True
        try:
            self._begin(*await past.whole(self._pool, self.table_id, MOST_EVENTS))
        finally:
            self._building = False
        self._take()

    def _begin(self, rows: Sequence[StoredEvent], recent: Sequence[StoredEvent]) -> None:
        own: dict[int, dict[str, Own]] = {}

        def seen(table: FullTable, version: int, event: Event) -> None:
            own[version] = own_cards.of_event(table, version, event)

        earlier = [row for row in recent if row.version < rows[0].version]
        for whole in (log_rows.from_a_start(earlier), rows):
            in_order = [(row.version, log_rows.from_stored(row)) for row in whole]
            if in_order:
                self._replay = replay.rebuilt(self.table_id, in_order, self._opener, not_replayed, seen)
        last = rows[-1]
        self._head, self._tip = (last.version, last.type, last.data), (last.version, last.hash)
        self._views.forget()
        family = self.table.core.opening.family
        for row in recent:
            event, shown = log_rows.from_stored(row), own.get(row.version, own_cards.NOTHING)
            self._views.note(row.version, row, event, family, shown)
        self._changed()

    def fail(self, error: Exception) -> None:
        """End the feed: every watcher gets this error."""
        self.failure = error
        self._changed()

    def refusal(self) -> Refused:
        """Return the refusal by which a watcher learns that the feed has failed; each watcher needs one of its own."""
        if isinstance(self.failure, Refused):
            return Refused(self.failure.reason, self.failure.message, metadata=self.failure.metadata)
        return Refused(Reason.UNAVAILABLE, "the table cannot be read from the log now; watch it again")

    # -- what goes out ------------------------------------------------------------------------------------------

    def show_presence(self, presence: table_pb2.TableView) -> None:
        """Show who is present, and a switch; watchers get it now, a mere number of spectators with the next view."""
        shown, self._presence = self._presence, presence
        same = presence.table == shown.table and bool(presence.spectators) == bool(shown.spectators)
        if not same or list(presence.presence) != list(shown.presence):
            self.stirs += 1
            self._wake()

    def _changed(self) -> None:
        self._views.clear()
        self._wake()

    def _wake(self) -> None:
        idle, seated = self._idle, self._seated
        self._idle, self._seated = {}, {}
        if idle:
            self._pace.queue(self.table_id, idle)
        if seated:
            self._pace.queue(self.table_id, seated, first=True)

    async def learn(self, language: str) -> None:
        """Open the players' texts of this version, except erased ones. Raises psycopg.Error."""
        while not self._views.knows(language):
            head = self._head
            shower = await self._views.shower(wire_tables.all_texts_in(self.table), language)
            if head == self._head:
                self._views.take(language, shower)

    def wait(self, sent: int, caller: Caller, stirs: int = 0) -> Turn:
        """Return a turn that comes with a newer version or presence than was sent, or a failure; players first."""
        turn: Turn = asyncio.get_running_loop().create_future()
        seated = viewer(self.table, caller) is not None
        if sent != self.version or stirs != self.stirs or self.failure is not None:
            self._pace.queue(self.table_id, (turn,), first=seated)
        elif seated:
            self._seated[turn] = None
        else:
            self._idle[turn] = None
        return turn

    def leave(self, turn: Turn) -> None:
        """Forget a turn that nobody waits for any more."""
        self._idle.pop(turn, None)
        self._seated.pop(turn, None)
        turn.cancel()

    def plays(self, player: str) -> bool:
        """Return whether a player is dealt into a round that is not settled or voided yet."""
        core = self.table.core
        seat = core.seat_of(player)
        return seat is not None and core.plays(seat.seat)

    def _moment(self, caller: Caller) -> bytes:
        """Return what of a view changes with time or is one caller's alone, encoded."""
        return views.moment(self.table, caller, self._now_ms(), self._presence).SerializeToString()

    def message(self, sent: int, caller: Caller, language: str) -> bytes:
        """Return the encoded message that brings a caller from the version it was sent (0: nothing) to this one.

        Players' texts are shown in a language that was just ``learn``ed.
        """
        view = views.framed(self._views.view(self.table, viewer(self.table, caller), language) + self._moment(caller))
        if not sent or sent >= self.version:
            return view
        player = caller.subject if caller.role is Role.PLAYER else ""
        return view + self._views.events(self.version - sent, language, player)
