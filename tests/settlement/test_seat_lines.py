"""Waiting for a seat at any table, as settlement decides it: places, repetitions, and who is refused."""

from typing import Any

import pytest
from pitboss.v1 import settlement_pb2 as pb

from services.registry import seat_waits
from services.registry.seat_waits import Wanted
from services.rules.refusals import Reason, Refused
from services.runtime import clock
from services.settlement.limits.admission import Admission
from services.settlement.seat_lines import SeatLines
from services.settlement.seat_offers import SeatOffers
from services.table import waiting_line
from tests.support.served import Connection, on_behalf, request_id

MOST = 200
"""Players that wait for tables of one game, at most."""
ADMISSION = Admission(clock.wall_ms)


@pytest.fixture
def lines(pool: Any) -> SeatLines:
    """Return what joins and leaves lines; no table is open, so that nobody is offered a seat."""
    live: Any = None
    return SeatLines(pool, ADMISSION, SeatOffers(pool, live, ADMISSION))


def joining(player: str, game: str = "war", **more: Any) -> pb.JoinAnyLineRequest:
    """Return a player's wish for any table of a game."""
    request = pb.JoinAnyLineRequest(request_id=request_id(), game=game, fits=[game], on_behalf=on_behalf(player))
    request.request_digest = b"d" * 32
    request.MergeFrom(pb.JoinAnyLineRequest(**more))
    return request


async def fill(conn: Connection, game: str, count: int, until_ms: int) -> None:
    """Let so many players wait for a game."""
    wanted = Wanted(game=game, stake=0, currency="", fits=(game,), test=True)
    for number in range(count):
        await seat_waits.join(conn, f"{game}{number}", wanted, until_ms)


async def test_places_follow_the_order_of_joining(lines: SeatLines) -> None:
    """A second join keeps the place, another wish goes to the end, and an end lets others move up."""
    first, second = await lines.join(joining("ann")), await lines.join(joining("bob"))
    assert [(one.place, one.waiting) for one in (first, second)] == [(1, 1), (2, 2)]
    again = await lines.join(joining("ann"))
    assert (again.place, again.waiting) == (1, 2)
    other = await lines.join(joining("ann", stake=10))
    assert (other.place, other.waiting) == (2, 2)
    await lines.leave(pb.LeaveAnyLineRequest(request_id=request_id(), on_behalf=on_behalf("bob"), request_digest=b"d"))
    assert (await lines.join(joining("ann", stake=10))).place == 1


async def test_a_repeated_request_gets_the_first_answer(lines: SeatLines, conn: Connection) -> None:
    """The answer is the first one whatever has changed since; the same id for another wish is refused."""
    request = joining("ann")
    first = await lines.join(request)
    await seat_waits.leave(conn, "ann")
    assert await lines.join(request) == first
    assert await seat_waits.of_player(conn, "ann") is None
    request.request_digest = b"e" * 32
    with pytest.raises(Refused) as caught:
        await lines.join(request)
    assert caught.value.reason is Reason.REQUEST_CONFLICT


async def test_a_repeated_leave_does_not_end_a_wait_that_began_after_it(lines: SeatLines, conn: Connection) -> None:
    """The first answer stands for the request; a player that has joined again since waits on."""
    await lines.join(joining("ann"))
    leaving = pb.LeaveAnyLineRequest(request_id=request_id(), on_behalf=on_behalf("ann"), request_digest=b"d" * 32)
    first = await lines.leave(leaving)
    assert await seat_waits.of_player(conn, "ann") is None
    await lines.join(joining("ann"))
    assert await lines.leave(leaving) == first
    assert await seat_waits.of_player(conn, "ann") is not None


async def test_a_full_line_takes_nobody_else_and_keeps_those_in_it(lines: SeatLines, conn: Connection) -> None:
    """The refusal says how many wait; another game's line, and who waits already, are not concerned."""
    later = clock.wall_ms() + waiting_line.WAIT_MS
    await fill(conn, "war", MOST - 1, later)
    assert (await lines.join(joining("ann"))).place == MOST
    with pytest.raises(Refused) as caught:
        await lines.join(joining("bob"))
    assert caught.value.reason is Reason.LINE_FULL
    assert caught.value.metadata == {"waiting": str(MOST), "most": str(MOST)}
    assert (await lines.join(joining("ann"))).place == MOST
    assert (await lines.join(joining("bob", "loo"))).place == 1


async def test_waits_that_are_over_fill_no_line(lines: SeatLines, conn: Connection) -> None:
    """Those whose time is over are gone when the next one joins."""
    await fill(conn, "war", MOST, clock.wall_ms() - 1)
    joined = await lines.join(joining("ann"))
    assert (joined.place, joined.waiting) == (1, 1)
