"""Seats that are offered to players who wait for any table of a game and stake.

An offer is a reservation in the table's log and a mark in the player's row, both of one transaction. The row is locked
first and passed by where another process has locked it, so nobody is offered two seats; the reservation is decided on a
version of the table, so no seat is offered to two. What a process leaves undone another one finds in its next beat.
"""

import asyncio
from collections.abc import Mapping
from contextlib import suppress
from typing import Any, Final

from pitboss.v1 import settlement_pb2 as pb

from services.eventlog import log
from services.eventlog.records import StreamHead
from services.house import templates
from services.journal import summaries
from services.journal.summaries import TableSummary
from services.livestate.store import LiveState, LiveStateAway
from services.registry import seat_waits, switches
from services.registry.seat_waits import Wanted
from services.rules.refusals import Refused
from services.runtime import logs
from services.runtime.identity import Role
from services.runtime.pools import Connection, Pool
from services.settlement import money_commands
from services.settlement.limits.admission import Admission
from services.settlement.money_commands import MoneyCommand
from services.table import public_table, reservations, waiting_line
from services.table.events import Event
from services.table.public_table import PublicTable
from services.table.records import Opening, Reservation

BEAT_SECONDS: Final = 1.0
MOST_AT_ONCE: Final = 10
"""Seats of one table that are offered one after the other."""
MOST_TABLES: Final = 500
"""Tables of one game that are looked at in a beat."""
MOST_TRIED: Final = 20
MOST_WANTED: Final = 1000
MOST_REMEMBERED: Final = 10_000

trace = logs.get("seat offers")


class SeatsOwed(Exception):
    """Somebody who waits for any table comes before the player who takes a seat: it is offered one first."""


class OfferSeat(MoneyCommand[pb.LeaveAnyLineResponse]):
    """Offers a free seat of a table to the first who waits for one like it; does nothing where nobody does.

    ``room``: whether a seat was free; ``offered``: whether it was offered.
    """

    kind = "OfferSeat"
    answer_type = pb.LeaveAnyLineResponse

    def __init__(self, table_id: str, admission: Admission) -> None:
        super().__init__(table_id, "house", Role.SERVICE.value)
        self._admission = admission
        self._offer: Reservation | None = None
        self.room = self.offered = False

    async def check(self, conn: Connection, core: PublicTable) -> None:
        """Lock the first in line, and mark the seat as offered to it."""
        now_ms = self._admission.clock()
        self._offer, self.room, fit = None, has_room(core, now_ms), fit_of(core)
        if fit is None or not self.room:
            return
        if await switches.against(conn, game=fit.game, table=core.table_id, player="") is not None:
            return
        passed = [seat.player for seat in core.seats.values()] + [one.player for one in core.reserved.values()]
        while (first := await seat_waits.lock_first(conn, fit, now_ms, passed)) is not None:
            try:
                await self._admission.bring(conn, core, first.player, 0)
            except Refused:  # it keeps its place, and may be let in later
                passed.append(first.player)
                continue
            until_ms = now_ms + 1000 * public_table.game_and_rules(core)[1].seat_hold_s
            seat = reservations.open_seats(core, now_ms)[0]
            await seat_waits.offer(conn, first.player, core.table_id, seat, until_ms)
            self._offer = Reservation(seat=seat, player=first.player, until_ms=until_ms, offer=True)
            return

    def decide(self, table: PublicTable, now_ms: int) -> list[Event]:
        """Return the reservation; nothing where nobody waits."""
        return [] if self._offer is None else reservations.reserve(table, self._offer, now_ms)

    def reply(self, table: PublicTable, made: list[Event]) -> pb.LeaveAnyLineResponse:
        """Return the table and its version."""
        self.offered = bool(made)
        return pb.LeaveAnyLineResponse(table_id=table.table_id, version=table.version)


async def refuse_owed(conn: Connection, core: PublicTable, player: str, now_ms: int) -> None:
    """Raise SeatsOwed where a player would take a seat that somebody in line has not been offered yet."""
    fit = fit_of(core)
    if fit is None or reservations.of_player(core, player, now_ms) is not None or not has_room(core, now_ms):
        return
    if await seat_waits.is_awaited(conn, fit, now_ms):
        raise SeatsOwed


def fit_of(core: PublicTable) -> Wanted | None:
    """Return for whom a table fits; None: for nobody."""
    at = core.opening
    return None if core.phase == public_table.CLOSED else _fit(at, at.template, at.rules)


def _fit(at: Opening | TableSummary, template_id: str, rules: Mapping[str, Any]) -> Wanted | None:
    """Return for whom a table fits; None for a private table and one with rules of its own: for nobody."""
    if at.private or not template_id:
        return None
    key = templates.sort_key(template_id, at.template_version, rules)
    return Wanted(game=at.game, stake=at.stake, currency=at.currency, fits=(key,), test=at.test)


def has_room(core: PublicTable, now_ms: int) -> bool:
    """Return whether a seat is free that is neither reserved nor due to the table's own waiting line."""
    return waiting_line.free_seats(core, now_ms) > len(waiting_line.standing(core, now_ms))


class SeatOffers:
    """Offers seats in one process: at a table on request, and everywhere in each beat."""

    def __init__(self, pool: Pool, live: LiveState, admission: Admission) -> None:
        self._pool, self._live, self._admission = pool, live, admission
        self._without_room: dict[str, int] = {}
        """The versions of tables at which no seat was free."""

    async def at_table(self, table_id: str) -> int:
        """Offer the free seats of a table to those who wait for one like it; return how many."""
        for made in range(MOST_AT_ONCE):
            command = OfferSeat(table_id, self._admission)
            answer = await money_commands.run(self._pool, command, None)
            if not command.offered:
                if not command.room:
                    self._without_room[table_id] = answer.version
                return made
            with suppress(LiveStateAway):
                await self._live.publish(table_id, answer.version)
        return MOST_AT_ONCE

    async def serve(self) -> None:
        """Offer seats and end waits in every beat, until cancelled."""
        while True:
            await self.once()
            await asyncio.sleep(BEAT_SECONDS)

    async def once(self) -> None:
        """End the waits that are over, take back the offers of closed tables, and offer all free seats."""
        now_ms = self._admission.clock()
        async with self._pool.connection() as conn:
            await seat_waits.end(conn, now_ms)
            for head in await log.read_heads(conn, await seat_waits.offering(conn, MOST_WANTED)):
                if summaries.read(head.summary).closed:
                    await seat_waits.withdraw(conn, head.stream_id, now_ms + waiting_line.WAIT_MS)
            awaited = await seat_waits.awaited(conn, now_ms, MOST_WANTED)
        for game in sorted({one.game for one in awaited}):
            await self.in_game(game, [one for one in awaited if one.game == game])
        if len(self._without_room) > MOST_REMEMBERED:
            self._without_room.clear()

    async def in_game(self, game: str, awaited: list[Wanted]) -> None:
        """Offer the free seats of the tables of a game that players wait for, the fullest tables first."""
        async with self._pool.connection() as conn:
            heads = await log.list_with_seats(conn, game, MOST_TABLES)
        tables = {head.stream_id: summaries.read(head.summary) for head in heads if self._is_worth_a_try(head)}
        fitting = [table_id for table_id, kept in tables.items() if _fits_any(kept, awaited)]
        fruitless = 0
        for table_id in sorted(fitting, key=lambda one: -tables[one].seats_taken):
            try:
                fruitless += not await self.at_table(table_id)
            except Exception as error:  # one table's fault must not keep others from being offered
                fruitless += 1
                trace.warning("no seat could be offered", table=table_id, cause=type(error).__name__)
            if fruitless >= MOST_TRIED:
                return

    def _is_worth_a_try(self, head: StreamHead) -> bool:
        return self._without_room.get(head.stream_id) != head.version


def _fits_any(kept: TableSummary, awaited: list[Wanted]) -> bool:
    own = _fit(kept, kept.template_id, kept.sizes_and_times)
    return own is not None and any(one.overlaps(own) for one in awaited)
