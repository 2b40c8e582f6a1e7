"""Dealers and settlement are killed at every step of a waiting line; a seat goes to one person, the first in line."""

from typing import Any

import pytest
from pitboss import client
from pitboss.v1 import dealer_pb2

from services.table import events
from tests.faults import floor, proofs
from tests.faults.breaking import Broken
from tests.faults.floor import Played
from tests.faults.test_kills import DEALER_STEPS, SETTLEMENT_STEPS
from tests.support import people, waits
from tests.support.people import Crowd


@pytest.mark.parametrize("step", SETTLEMENT_STEPS)
async def test_settlement_killed_on_a_line_gives_the_seat_to_its_first(house: Broken, crowd: Crowd, step: str) -> None:
    """Joining, freeing the seat and taking it are each done once, and a stranger never gets the held seat."""
    table = await Played.open(crowd, "tongbi_san_gong", {"max_seats": 2, "seat_hold_s": 300}, seats=2)
    first, stranger = await crowd.player("first"), await crowd.player("stranger")
    given: dict[str, Any] = {"table_id": table.table_id}
    commands = (
        (first, "JoinWaitingList", dealer_pb2.JoinWaitingListRequest(request_id=client.request_id(), **given)),
        (table.players[1], "LeaveSeat", dealer_pb2.LeaveSeatRequest(request_id=client.request_id(), **given)),
        (first, "TakeSeat", dealer_pb2.TakeSeatRequest(request_id=client.request_id(), buy_in=700, **given)),
    )
    for player, method, request in commands:
        if method == "TakeSeat":
            await people.refused("SEAT_HELD", stranger.house.take_seat(table.table_id, 700))
        house.doom(house.settlement, step)
        await people.refused("UNAVAILABLE", floor.once(player, 0, method, request))
        await house.died(house.settlement)
        house.revive(house.settlement)
        await house.until_up(house.settlement)
        answers = [await floor.insist(player, (dealer,), method, request) for dealer in (0, 1)]
        assert answers[0] == answers[1]
    recorded = await house.events(table.table_id)
    assert [one.player for one in recorded if isinstance(one, events.WaitingJoined)] == [first.subject]
    assert [one.seat.player for one in recorded if isinstance(one, events.SeatTaken)][2:] == [first.subject]
    assert not (await stranger.house.table(table.table_id)).table.waiting
    await people.refused("TABLE_FULL", stranger.house.take_seat(table.table_id, 700))
    assert await house.imbalance() == 0


@pytest.mark.parametrize("step", DEALER_STEPS)
async def test_dealers_killed_on_a_hold_that_lapses_pass_it_on_once(house: Broken, crowd: Crowd, step: str) -> None:
    """Whichever of the doomed dealers ends the hold dies of it; the seat is held for the next one all the same."""
    table = await Played.open(crowd, "tongbi_san_gong", {"max_seats": 2, "seat_hold_s": 3}, seats=2)
    gone, next_one = await crowd.player("gone"), await crowd.player("next")
    for player in (gone, next_one):
        await player.house.join_line(table.table_id)
    *doomed, last = await house.up(3)
    await table.players[1].at(last).leave(table.table_id)
    for dealer in doomed:
        house.doom(house.dealer(dealer), step)

    async def passed() -> list[tuple[str, ...]] | None:
        recorded = await house.events(table.table_id)
        ended = [event.players for event in recorded if isinstance(event, events.WaitingEnded)]
        return ended if len(ended) == 2 else None

    assert await waits.eventually(passed, "the ends of both holds") == [(gone.subject,), (next_one.subject,)]
    house.revive_the_dead()
    await floor.insist(
        gone,
        (last,),
        "TakeSeat",
        dealer_pb2.TakeSeatRequest(request_id=client.request_id(), table_id=table.table_id, buy_in=700),
    )
    assert await house.imbalance() == 0
    await proofs.auditor_finds_nothing(crowd, table)
