"""Offers of seats to players who wait for any table: two processes never offer one person two seats."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from services.house.templates import sort_key
from services.registry import seat_waits, switches
from services.registry.records import PLAYER, Command
from services.registry.seat_waits import Wanted
from services.runtime import clock
from services.settlement import money_commands, seat_offers
from services.settlement.limits.admission import Admission
from services.settlement.seat_offers import OfferSeat, SeatOffers
from services.table import entry_events, waiting_line
from services.table.public_table import PublicTable
from tests.support import served
from tests.support.served import Connection
from tests.support.sittings import Sitting

Pool = Any
GAME = "tongbi_san_gong"
HOUR_MS = waiting_line.WAIT_MS
ADMISSION = Admission(clock.wall_ms)


class NoLive:
    """A live store that is away: offers go through without it."""

    async def publish(self, table_id: str, version: int) -> None:
        """Announce nothing."""
        del table_id, version


async def open_table(conn: Connection, seated: int = 1, *, private: bool = False) -> Sitting:
    """Write a table of a template, with some seats taken."""
    sitting = Sitting(GAME, table_id=served.table_id(), template=GAME, template_version=1, private=private)
    sitting.sit(dict.fromkeys(range(seated), 500))
    await served.publish(conn, sitting)
    return sitting


def wanted(sitting: Sitting, *, stake: int = 0, test: bool = True) -> Wanted:
    """Return the wish for a table like this one."""
    at = sitting.table.core.opening
    return Wanted(game=GAME, stake=stake, currency="", fits=(sort_key(GAME, 1, at.rules),), test=test)


async def wait_for(conn: Connection, sitting: Sitting, *players: str) -> None:
    """Let players wait for a table like this one, in this order."""
    for player in players:
        await seat_waits.join(conn, player, wanted(sitting), clock.wall_ms() + HOUR_MS)


async def offered(conn: Connection, *sittings: Sitting) -> list[tuple[int, str]]:
    """Return at which of these tables a seat was offered to whom."""
    found = []
    for number, sitting in enumerate(sittings):
        for event in await served.catch_up(conn, sitting):
            if isinstance(event, entry_events.SeatReserved):
                assert event.reservation.offer
                found.append((number, event.reservation.player))
        assert sitting.again().differences == []
    return found


async def of(conn: Connection, player: str) -> tuple[str, int] | None:
    """Return what is offered to a player by its row; None where it does not wait."""
    found = await seat_waits.of_player(conn, player)
    return None if found is None else (found.table, found.seat)


def offers(pool: Pool) -> SeatOffers:
    """Return what offers seats in one process."""
    live: Any = NoLive()
    return SeatOffers(pool, live, ADMISSION)


class Interrupted(OfferSeat):
    """An offer during which others act once, after it has locked the first in line."""

    def __init__(self, sitting: Sitting, meanwhile: Callable[[], Awaitable[Any]]) -> None:
        super().__init__(sitting.table_id, ADMISSION)
        self._meanwhile: Callable[[], Awaitable[Any]] | None = meanwhile

    async def check(self, conn: Connection, core: PublicTable) -> None:
        """Lock, then let the others act."""
        await super().check(conn, core)
        meanwhile, self._meanwhile = self._meanwhile, None
        if meanwhile is not None:
            await meanwhile()


async def test_two_processes_offer_one_person_one_seat(pool: Pool, conn: Connection) -> None:
    """While one offers a seat, the other finds nobody at another table; the next in line, where there is one."""
    one, other = await open_table(conn), await open_table(conn)
    await wait_for(conn, one, "ann")
    made: list[int] = []

    async def meanwhile() -> None:
        made.append(await offers(pool).at_table(other.table_id))

    await money_commands.run(pool, Interrupted(one, meanwhile), None)
    assert made == [0]
    assert await offered(conn, one, other) == [(0, "ann")]
    assert await of(conn, "ann") == (one.table_id, 1)
    await wait_for(conn, one, "bob")
    assert await offers(pool).at_table(other.table_id) == 1
    assert await offered(conn, other) == [(0, "bob")]


async def test_an_offer_that_is_undone_leaves_the_person_in_line(pool: Pool, conn: Connection) -> None:
    """The process dies between the mark and the event: neither stands, and the other table's seat is offered."""
    one, other = await open_table(conn), await open_table(conn)
    await wait_for(conn, one, "ann")

    async def dies() -> None:
        raise ConnectionResetError

    with pytest.raises(ConnectionResetError):
        await money_commands.run(pool, Interrupted(one, dies), None)
    assert await of(conn, "ann") == ("", 0)
    assert await offers(pool).at_table(other.table_id) == 1
    assert await offered(conn, one, other) == [(1, "ann")]


async def test_of_two_processes_at_one_table_each_seat_is_offered_once(pool: Pool, conn: Connection) -> None:
    """The slower one is run again on the new version, and offers the next seat to the next person."""
    table = await open_table(conn)
    await wait_for(conn, table, "ann", "bob", "cid")
    first = offers(pool)

    async def meanwhile() -> None:
        assert await first.at_table(table.table_id) == 2

    slow = Interrupted(table, meanwhile)
    await asyncio.wait_for(money_commands.run(pool, slow, None), 30)
    assert [player for _, player in await offered(conn, table)] == ["bob", "cid", "ann"]


async def test_one_beat_offers_all_free_seats_in_the_order_of_the_line(pool: Pool, conn: Connection) -> None:
    """The fullest table is filled first; another beat changes nothing."""
    empty, fuller = await open_table(conn, 0), await open_table(conn, 2)
    await wait_for(conn, empty, "ann", "bob", "cid", "dan")
    process = offers(pool)
    await process.once()
    found = await offered(conn, empty, fuller)
    assert found == [(0, "dan"), (1, "ann"), (1, "bob"), (1, "cid")]
    await process.once()
    assert await offered(conn, empty, fuller) == []


async def test_who_may_not_play_now_is_passed_over_and_keeps_its_place(pool: Pool, conn: Connection) -> None:
    """The next in line is offered the seat; who was passed over is first again once it may play."""
    table = await open_table(conn)
    await wait_for(conn, table, "ann", "bob")
    await switch(conn, "ann", off=True)
    assert await asyncio.wait_for(offers(pool).at_table(table.table_id), 60) == 1
    assert await of(conn, "ann") == ("", 0)
    await switch(conn, "ann", off=False)
    await wait_for(conn, table, "cid")
    await offers(pool).once()
    assert await offered(conn, table) == [(0, "bob"), (0, "ann"), (0, "cid")]


async def switch(conn: Connection, player: str, *, off: bool) -> None:
    """Switch a player off, or on again."""
    command = Command(key=served.request_id(), digest=b"d" * 32)
    await switches.record(conn, command, scope=PLAYER, subject=player, off=off, reason="a test", actor="boss")


async def test_what_does_not_fit_is_not_offered(pool: Pool, conn: Connection) -> None:
    """Another stake, another kind of money, a private table, and a table where the player sits."""
    table, private = await open_table(conn), await open_table(conn, private=True)
    until_ms = clock.wall_ms() + HOUR_MS
    await seat_waits.join(conn, "ann", wanted(table, stake=99), until_ms)
    await seat_waits.join(conn, "bob", wanted(table, test=False), until_ms)
    await seat_waits.join(conn, "p0", wanted(table), until_ms)
    await offers(pool).once()
    assert await offered(conn, table, private) == []
    await seat_waits.join(conn, "dan", wanted(table, stake=10), until_ms)
    await offers(pool).once()
    assert await offered(conn, table, private) == [(0, "dan")]


async def test_waits_and_offers_that_are_over_end_and_those_of_closed_tables_come_back(
    pool: Pool, conn: Connection
) -> None:
    """A person whose offer was taken back keeps its place before those who came later."""
    table = await open_table(conn, 0)
    await seat_waits.join(conn, "late", wanted(table), clock.wall_ms() - 1)
    await wait_for(conn, table, "ann")
    await offers(pool).once()
    assert await of(conn, "late") is None
    assert await of(conn, "ann") == (table.table_id, 0)
    await wait_for(conn, table, "bob")
    await served.catch_up(conn, table)
    table.close()
    await served.publish(conn, table)
    await offers(pool).once()
    assert await of(conn, "ann") == ("", 0)
    another = await open_table(conn, table.table.core.places - 1)
    await offers(pool).once()
    assert await offered(conn, another) == [(0, "ann")]
    assert await of(conn, "bob") == ("", 0)


async def test_who_comes_after_a_free_seat_that_is_owed_is_sent_back_once(pool: Pool, conn: Connection) -> None:
    """A buy-in finds that somebody in line was not offered the seat yet; the player with the offer is not held up."""
    table = await open_table(conn)
    await wait_for(conn, table, "ann")
    core = table.table.core
    with pytest.raises(seat_offers.SeatsOwed):
        await seat_offers.refuse_owed(conn, core, "eve", clock.wall_ms())
    await offers(pool).once()
    await seat_offers.refuse_owed(conn, core, "eve", clock.wall_ms())
