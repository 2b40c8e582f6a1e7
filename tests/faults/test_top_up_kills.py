"""Settlement is killed at every step of a top-up before a round: the chips move once, with the round that follows."""

import pytest
from pitboss import client
from pitboss.v1 import dealer_pb2

from services.table import events
from tests.faults import floor, proofs
from tests.faults.breaking import Broken
from tests.faults.floor import Played
from tests.faults.test_kills import SETTLEMENT_STEPS
from tests.support import people
from tests.support.people import Crowd


@pytest.mark.parametrize("step", SETTLEMENT_STEPS)
async def test_settlement_killed_on_a_top_up_moves_the_chips_once(house: Broken, crowd: Crowd, step: str) -> None:
    """The start is refused while settlement is away; sent again it starts one round with the seat at its level."""
    table = await Played.open(crowd, "tongbi_san_gong")
    player, level = table.players[0], floor.BUY_IN + 250
    before = await house.wallet(player.subject)
    await player.house.set_top_up(table.table_id, level)
    house.doom(house.settlement, step)
    request = dealer_pb2.StartRoundRequest(request_id=client.request_id(), table_id=table.table_id)
    await people.refused("UNAVAILABLE", floor.once(player, 0, "StartRound", request))
    await house.died(house.settlement)
    house.revive(house.settlement)
    await house.until_up(house.settlement)
    answers = [await floor.insist(player, (dealer,), "StartRound", request) for dealer in (0, 1)]
    assert answers[0] == answers[1]
    recorded = await house.events(table.table_id)
    assert [(one.seat, one.chips) for one in recorded if isinstance(one, events.ChipsAdded)] == [(0, 250)]
    assert (await house.at_seats(table.table_id))[0] == level
    assert await house.wallet(player.subject) == before - 250
    assert await house.imbalance() == 0
    table.rounds = 1
    await table.finish()
    await proofs.hold(house, crowd, table)
