"""Settlement and dealers are killed while the house cashes out a seat that was away for too long."""

import signal
from collections.abc import Sequence

import msgspec
import pytest
from pitboss.v1 import dealer_pb2

from services.table import events
from services.table.events import Event
from tests.faults import floor, proofs
from tests.faults.breaking import Broken
from tests.faults.floor import Played
from tests.support import people, waits
from tests.support.people import Crowd

AWAY = 2
"""The seat that sits out."""
RULES = {"absent_rounds": 1, **floor.SLOW}


class Before(msgspec.Struct, frozen=True):
    """What the seats and the absent player's wallet hold before the removal, and the action that nobody answered."""

    held: dict[int, int]
    wallet: int
    unanswered: tuple[int, dealer_pb2.ActRequest]


@pytest.mark.parametrize("step", ["settlement.decided", "settlement.appended"])
async def test_settlement_killed_on_a_removal_pays_the_seat_once(house: Broken, crowd: Crowd, step: str) -> None:
    """Killed before it commits, settlement has moved no chip; back, it pays the seat out once."""
    table = await Played.open(crowd, "tongbi_san_gong", RULES, seats=3)
    first, *rest = await house.up(3)
    before = await _until_away(house, table, first, rest)
    house.doom(house.settlement, step)
    _resume(house, rest)
    await house.died(house.settlement)
    assert await house.at_seats(table.table_id) == before.held, "chips moved without their event"
    assert await house.wallet(table.players[AWAY].subject) == before.wallet
    assert await _removals(house, table) == []
    for member in (house.settlement, house.dealer(first)):
        house.revive(member)
    await house.until_up(house.settlement)
    await _paid_once(house, crowd, table, before)


@pytest.mark.parametrize("step", ["dealer.received", "dealer.saving", "dealer.saving:2"])
async def test_a_dealer_killed_on_a_removal_pays_the_seat_once(house: Broken, crowd: Crowd, step: str) -> None:
    """Killed before it asks for the removal, or after it was paid, the dealer is not missed: another one looks."""
    table = await Played.open(crowd, "tongbi_san_gong", RULES, seats=3)
    first, doomed, *rest = await house.up(3)
    before = await _until_away(house, table, first, [doomed, *rest])
    house.doom(house.dealer(doomed), step)
    _resume(house, [doomed])
    await house.died(house.dealer(doomed))
    _resume(house, rest)
    for dealer in (first, doomed):
        house.revive(house.dealer(dealer))
    await _paid_once(house, crowd, table, before)


async def _until_away(house: Broken, table: Played, first: int, others: Sequence[int]) -> Before:
    """Play a round without a seat until its removal is due while no dealer runs: one is dead, all others are stopped.

    ``others`` are all other dealers of the house: one that was still starting would ask for the removal meanwhile.
    """
    away = table.players[AWAY]
    request = dealer_pb2.SitOutRequest(request_id=f"out-{table.table_id}", table_id=table.table_id)
    await floor.insist(away, (first,), "SitOut", request)
    table.dealers = [first]
    await table.start()
    seat, last = await table.last_action()
    for other in others:
        house.signal(house.dealer(other), signal.SIGSTOP)
    house.doom(house.dealer(first), "dealer.appended")
    await people.refused("UNAVAILABLE", floor.once(table.players[seat], first, "Act", last))
    await house.died(house.dealer(first))

    async def settled() -> bool:
        return any(isinstance(event, events.RoundSettled) for event in await house.events(table.table_id))

    await waits.eventually(settled, "the settlement of the round")
    wallet = await house.wallet(away.subject)
    return Before(held=await house.at_seats(table.table_id), wallet=wallet, unanswered=(seat, last))


def _resume(house: Broken, dealers: Sequence[int]) -> None:
    for dealer in dealers:
        house.signal(house.dealer(dealer), signal.SIGCONT)


async def _removals(house: Broken, table: Played) -> list[Event]:
    recorded = await house.events(table.table_id)
    return [event for event in recorded if isinstance(event, events.RemovedForAbsence)]


async def _paid_once(house: Broken, crowd: Crowd, table: Played, before: Before) -> None:
    """Wait for the removal; the seat's chips are in the wallet, once, and all that must hold does."""
    [removed] = await waits.eventually(lambda: _removals(house, table), "the removal", seconds=floor.ROUND_SECONDS)
    assert isinstance(removed, events.RemovedForAbsence)
    assert (removed.seat, removed.chips) == (AWAY, before.held[AWAY])
    assert await house.at_seats(table.table_id) == {seat: chips for seat, chips in before.held.items() if seat != AWAY}
    assert await house.wallet(table.players[AWAY].subject) == before.wallet + before.held[AWAY]
    assert await table.act(*before.unanswered, await house.up())
    await proofs.hold(house, crowd, table)
    assert len(await _removals(house, table)) == 1
