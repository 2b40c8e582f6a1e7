"""What a table shows without an event: who is present, and whether it is switched off.

Each dealer renews the leases of those who watch with it, and shows what all dealers say.

House players watch their tables, and rest while nobody else does: at those tables a dealer looks often.

It is not in the log. While Redis is away nobody's presence is known, and views say nothing of it.
"""

import asyncio
import contextlib
import time
import uuid
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Final

from pitboss.v1 import table_pb2 as pb

from services.contract import wire_tables
from services.dealer.admission import AdmissionPolicy
from services.dealer.feed import Feed, viewer
from services.dealer.feeds import Feeds
from services.livestate.presence import Present, Report, Seen
from services.livestate.store import LiveState, LiveStateAway
from services.rules import house_players
from services.runtime.clock import NowMs
from services.runtime.identity import Role
from services.table import persons
from services.table.events import SeatRecord
from services.table.public_table import PublicTable

GLANCE_SECONDS: Final = 1.0
"""How often the presence of tables where house players watch is read."""
BEAT_SECONDS: Final = 5.0
"""How often leases are renewed and the presence of watched tables is read."""
LEASE_MS: Final = 15_000
"""A player whose dealer is gone counts as watching for at most so long."""
LEAST_PAUSE_SECONDS: Final = 0.2
"""Players who come and go are reported at once, together with those of so long before."""
MOST_TABLES: Final = 500
"""Tables in one round trip."""

Watching = dict[str, dict[str, int]]
"""By table: the people whom this dealer shows it to, since when."""


def person(seat: SeatRecord) -> str:
    """Return the name of a seat's player in Redis: its opaque id, or the seat where it has none."""
    return persons.player_id(seat.name) or f"#{seat.seat}"


class Presence:
    """The presence that this process knows and reports."""

    def __init__(self, feeds: Feeds, live: LiveState, admission: AdmissionPolicy, now_ms: NowMs) -> None:
        self._feeds, self._live, self._admission, self._now_ms = feeds, live, admission, now_ms
        self._switches = admission.switches_read
        self._process = uuid.uuid4().hex[:12]
        self._here: Watching = {}
        self._spectators: Counter[str] = Counter()

    async def serve(self) -> None:
        """Report at every beat, and soon after somebody has come or gone or a switch was set, until cancelled."""
        moved, beaten = self._feeds.audience.moved, -BEAT_SECONDS
        while True:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(GLANCE_SECONDS):
                    await moved.wait()
            switched = self._switches != self._admission.switches_read
            if moved.is_set() or switched or time.monotonic() - beaten >= BEAT_SECONDS:
                moved.clear()
                beaten = time.monotonic()
                await self.beat()
            else:
                await self.glance()
            await asyncio.sleep(LEAST_PAUSE_SECONDS)

    async def beat(self) -> None:
        """Renew the leases of all watched tables, and show their watchers who is present."""
        now_ms = self._now_ms()
        self._switches = self._admission.switches_read
        feeds = {feed.table_id: feed for feed in self._feeds.open()}
        before, self._here = self._here, self._watching(now_ms)
        others, self._spectators = self._spectators, self._count_spectators()
        reports = [
            Report(
                table_id,
                here=self._here.get(table_id, {}),
                gone={one: now_ms for one in before.get(table_id, {}) if one not in self._here.get(table_id, {})},
                people=[*_people(feeds.get(table_id)), *before.get(table_id, {})],
                spectators=self._spectators[table_id] if table_id in self._spectators or table_id in others else None,
            )
            for table_id in sorted({*feeds, *before, *others})
        ]
        for at in range(0, len(reports), MOST_TABLES):
            await self._report(reports[at : at + MOST_TABLES], feeds, now_ms)

    async def glance(self) -> None:
        """Read who is present where house players watch, and show it."""
        watchers = self._feeds.audience.watchers()
        feeds = {feed.table_id: feed for feed, caller in watchers if house_players.is_one(caller.subject)}
        reports = [Report(table_id, {}, {}, list(_people(feed))) for table_id, feed in sorted(feeds.items())]
        if reports:
            await self._report(reports[:MOST_TABLES], feeds, self._now_ms())

    def _count_spectators(self) -> Counter[str]:
        """Count who watches each table without a seat; house players do not count."""
        return Counter(
            feed.table_id
            for feed, caller in self._feeds.audience.watchers()
            if viewer(feed.table, caller) is None and not house_players.is_one(caller.subject)
        )

    async def _report(self, reports: list[Report], feeds: Mapping[str, Feed], now_ms: int) -> None:
        try:
            found = await self._live.report_presence(reports, self._process, now_ms, now_ms + LEASE_MS)
        except LiveStateAway:
            found = {}
        for report in reports:
            feed = feeds.get(report.table_id)
            if feed is not None:
                feed.show_presence(self._shown(feed.table.core, found.get(report.table_id)))

    def _watching(self, now_ms: int) -> Watching:
        found: Watching = {}
        for feed, caller in self._feeds.audience.watchers():
            seat = feed.table.core.seat_of(caller.subject) if caller.role is Role.PLAYER else None
            if seat is not None:
                since = self._here.get(feed.table_id, {}).get(person(seat), now_ms)
                found.setdefault(feed.table_id, {})[person(seat)] = since
        return found

    async def of_table(self, core: PublicTable) -> pb.TableView:
        """Return the presence at a table now and its switch, as the part of a view; no presence while Redis is away."""
        try:
            return self._shown(core, await self._live.presence(core.table_id, self._now_ms()))
        except LiveStateAway:
            return self._shown(core, None)

    def _shown(self, core: PublicTable, found: Present | None) -> pb.TableView:
        """Write who is present and whether the table is switched off."""
        view = shown(core, found)
        if self._admission.is_off(game=core.opening.game, table=core.table_id):
            view.table.switched_off = True
        return view

    async def is_unwatched(self, core: PublicTable) -> bool:
        """Return whether none of the people in the seats watches; False while that is not known.

        House players do not count: they watch for as long as they sit.
        """
        people = {person(seat) for seat in core.seats.values() if not house_players.is_one(seat.player)}
        try:
            found = await self._live.presence(core.table_id, self._now_ms())
        except LiveStateAway:
            return False
        return not any(seen.watching for one, seen in found.people.items() if one in people)


def _people(feed: Feed | None) -> Iterable[str]:
    return () if feed is None else [person(seat) for seat in feed.table.core.seats.values()]


def shown(core: PublicTable, found: Present | None) -> pb.TableView:
    """Write who is present, as the part of a view; nothing where it is not known (None)."""
    if found is None:
        return pb.TableView()
    seats = [_shown(number, found.people.get(person(seat))) for number, seat in sorted(core.seats.items())]
    return pb.TableView(presence=seats, spectators=found.spectators)


def _shown(seat: int, seen: Seen | None) -> pb.Presence:
    if seen is None:
        return pb.Presence(seat=seat)
    return pb.Presence(seat=seat, watching=seen.watching, since_time=wire_tables.timestamp(seen.since_ms))
