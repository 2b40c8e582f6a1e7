"""Dealers are killed at every step of a reserved seat: it is reserved once, and its end is recorded once."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from pitboss import client
from pitboss.v1 import dealer_pb2

from services.table import entry_events
from tests.faults import floor, proofs
from tests.faults.breaking import Broken
from tests.faults.floor import Played
from tests.faults.test_kills import DEALER_STEPS
from tests.support import people, waits
from tests.support.people import Crowd

STEPS = DEALER_STEPS[1:]
"""The steps of a command that has been received."""


@pytest.mark.parametrize("step", STEPS)
async def test_a_dealer_killed_on_a_reservation_makes_it_once(house: Broken, crowd: Crowd, step: str) -> None:
    """Sent again, also to the other dealer, the request gets one answer; the seat is its player's alone."""
    table = await Played.open(crowd, "tongbi_san_gong", {"max_seats": 3}, seats=2)
    guest, stranger = await crowd.player("guest"), await crowd.player("stranger")
    request = dealer_pb2.ReserveSeatRequest(
        request_id=client.request_id(), table_id=table.table_id, seat=2, player=guest.subject
    )
    request.until_time.FromDatetime(datetime.now(UTC) + timedelta(hours=1))
    await floor.killed_on(house, crowd.operator, step, "ReserveSeat", request)
    recorded = await house.events(table.table_id)
    assert len([one for one in recorded if isinstance(one, entry_events.SeatReserved)]) == 1
    await people.refused("SEAT_RESERVED", stranger.at(1).take_seat(table.table_id, 700))
    assert (await guest.at(1).take_seat(table.table_id, 700)).seat == 2
    assert await house.imbalance() == 0
    await proofs.auditor_finds_nothing(crowd, table)


@pytest.mark.parametrize("step", STEPS)
async def test_dealers_killed_on_the_end_of_a_reservation_record_it_once(
    house: Broken, crowd: Crowd, step: str
) -> None:
    """Whichever of the doomed dealers ends it dies of it; the seat is free all the same."""
    table = await Played.open(crowd, "tongbi_san_gong", {"max_seats": 3}, seats=2)
    guest, stranger = await crowd.player("guest"), await crowd.player("stranger")
    *doomed, last = await house.up(3)
    until = datetime.now(UTC) + timedelta(seconds=3)
    await crowd.operator.at(last).reserve_seat(table.table_id, 2, guest.subject, until)
    for dealer in doomed:
        house.doom(house.dealer(dealer), step)

    async def ended() -> list[tuple[int, ...]]:
        recorded = await house.events(table.table_id)
        return [one.seats for one in recorded if isinstance(one, entry_events.ReservationsEnded)]

    assert await waits.eventually(ended, "the end of the reservation") == [(2,)]
    house.revive_the_dead()
    given: dict[str, Any] = {"table_id": table.table_id, "buy_in": 700}
    request = dealer_pb2.TakeSeatRequest(request_id=client.request_id(), **given)
    assert (await floor.insist(stranger, (last,), "TakeSeat", request)).seat == 2
    assert await ended() == [(2,)]
    await proofs.auditor_finds_nothing(crowd, table)
