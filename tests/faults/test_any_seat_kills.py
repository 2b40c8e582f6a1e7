"""Settlement is killed at every step of an offer: the seat is offered once, to the first in line, and is taken."""

from typing import Any

import pytest
from pitboss import client
from pitboss.v1 import dealer_pb2

from services.table import entry_events
from tests.faults import floor
from tests.faults.breaking import Broken
from tests.faults.test_kills import SETTLEMENT_STEPS
from tests.support import people, waits
from tests.support.people import Crowd

GAME = "tongbi_san_gong"


@pytest.mark.parametrize("step", SETTLEMENT_STEPS)
async def test_settlement_killed_on_an_offer_makes_it_once(house: Broken, crowd: Crowd, step: str) -> None:
    """Two wait, a table is opened, and the beat that offers its seats dies of it; the next process offers them."""
    rules = {"max_seats": 2, "seat_hold_s": 300}
    name = await crowd.template(GAME, rules, least_buy_in=1, greatest_buy_in=floor.BUY_IN)
    first, second, stranger = [await crowd.player(who) for who in ("first", "second", "stranger")]
    for player in (first, second):
        await player.house.wait_for_any_seat(GAME, template_ids=[name])
    house.doom(house.settlement, step)
    made = await crowd.operator.house.create_table(GAME, people.MANUAL, template_id=name)
    await house.died(house.settlement)
    house.revive(house.settlement)
    await house.until_up(house.settlement)
    table: dict[str, Any] = {"table_id": made.table_id}

    async def reserved() -> list[str]:
        recorded = await house.events(made.table_id)
        found = [one.reservation.player for one in recorded if isinstance(one, entry_events.SeatReserved)]
        return found if len(found) >= 2 else []

    assert await waits.eventually(reserved, "both seats are offered") == [first.subject, second.subject]
    await people.refused("SEAT_RESERVED", stranger.house.take_seat(made.table_id, 700))
    for player in (first, second):
        request = dealer_pb2.TakeSeatRequest(request_id=client.request_id(), buy_in=700, **table)
        answers = [await floor.insist(player, (dealer,), "TakeSeat", request) for dealer in (0, 1)]
        assert answers[0] == answers[1]
        async for wait in player.house.watch_wait():
            if wait is None:
                break
    assert await reserved() == [first.subject, second.subject]
    assert await house.imbalance() == 0
