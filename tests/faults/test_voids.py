"""A void whose settlement dies in the middle neither loses nor repeats a refund [R15]."""

import pytest
from pitboss import client
from pitboss.v1 import back_office_pb2, dealer_pb2

from services.table import events
from tests.faults import floor
from tests.faults.breaking import Broken
from tests.faults.floor import Played
from tests.support import people
from tests.support.people import Crowd


@pytest.mark.parametrize("step", ["settlement.decided", "settlement.appended"])
async def test_a_void_is_resumed_after_settlement_died_in_it(house: Broken, crowd: Crowd, step: str) -> None:
    """Killed at any step of it, a void has moved nothing; the same request again gives every stake back, once."""
    table = await Played.open(crowd, "texas_holdem")
    await table.start()
    await table.play(2)
    before = await house.at_seats(table.table_id)
    request = dealer_pb2.VoidRoundRequest(
        request_id=client.request_id(), table_id=table.table_id, reason="the table lost its line"
    )
    house.doom(house.settlement, step)
    await people.refused("UNAVAILABLE", floor.once(crowd.operator, 0, "VoidRound", request))
    await house.died(house.settlement)
    assert not any(isinstance(event, events.RoundVoided) for event in await house.events(table.table_id))
    house.revive(house.settlement)
    await house.until_up(house.settlement)
    first = await floor.insist(crowd.operator, (0, 1), "VoidRound", request)
    again = await floor.insist(crowd.operator, (1, 0), "VoidRound", request)
    assert first == again
    voided = [event for event in await house.events(table.table_id) if isinstance(event, events.RoundVoided)]
    assert [event.reason for event in voided] == ["the table lost its line"]
    assert await house.at_seats(table.table_id) == before
    assert await house.imbalance() == 0
    office = crowd.operator.house.office
    told = await crowd.operator.house.call(
        office.ListSignificantEvents, back_office_pb2.ListSignificantEventsRequest(kind="round_voided", page_size=500)
    )
    assert len([one for one in told.significant_events if table.table_id in one.subject]) == 1
