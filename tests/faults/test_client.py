"""A client plays while processes of the house are killed and restarted: it waits, and nothing is done twice."""

import asyncio
from contextlib import AsyncExitStack, aclosing

import pytest
from pitboss import client
from pitboss.v1 import dealer_pb2

from services.table import events
from tests.faults import proofs
from tests.faults.breaking import Broken
from tests.faults.floor import BUY_IN, Played
from tests.support import waits
from tests.support.people import Crowd


async def watched(house: client.House, table_id: str, seen: list[dealer_pb2.WatchTableResponse], number: int) -> None:
    """Watch a table until a round is settled; keep every message."""
    async with aclosing(house.watch(table_id)) as messages:
        async for message in messages:
            seen.append(message)
            if message.view.last_result.round_number >= number:
                return


@pytest.mark.parametrize("step", ["dealer.received", "dealer.decided", "dealer.appended"])
async def test_a_client_plays_on_over_the_restart_of_its_only_dealer(house: Broken, crowd: Crowd, step: str) -> None:
    """Killed before or after an action was stored, the dealer answers it once when it is back; the watch goes on."""
    table = await Played.open(crowd, "texas_holdem")
    await table.start()
    doomed, *rest = await house.up()
    seen: list[dealer_pb2.WatchTableResponse] = []
    async with AsyncExitStack() as stack:
        address = crowd.reach.dealers[doomed]
        only = [await stack.enter_async_context(client.connect(address, one.token)) for one in table.players]
        watching = asyncio.create_task(watched(only[0], table.table_id, seen, table.rounds))
        await waits.eventually(lambda: bool(seen), "the first view")
        is_up = True
        while (chosen := await table.next_action(rest)) is not None:
            seat, request = chosen
            if is_up:
                house.doom(house.dealer(doomed), step)
            acting = asyncio.create_task(only[seat].call(only[seat].dealer.Act, request))
            if is_up:
                await house.died(house.dealer(doomed))
                house.revive(house.dealer(doomed))
                is_up = False
            table.note(seat, request, await acting)
        await asyncio.wait_for(watching, 60)
    versions = [event.version for message in seen for event in message.events]
    assert versions == list(range(versions[0], seen[-1].view.version + 1)), "an event is missing, or came twice"
    assert versions[0] == seen[0].view.version + 1
    await proofs.hold(house, crowd, table)


@pytest.mark.parametrize("step", ["settlement.decided", "settlement.appended"])
async def test_a_seat_is_bought_once_over_the_restart_of_settlement(house: Broken, crowd: Crowd, step: str) -> None:
    """Settlement dies on a buy-in: the client's one command takes one seat for one price when settlement is back."""
    table_id, _ = await crowd.table("texas_holdem", ())
    ann = await crowd.player("ann")
    before = await house.wallet(ann.subject)
    [dealer, *_] = await house.up()
    async with (
        client.connect(crowd.reach.dealers[dealer], ann.token, crowd.reach.settlement) as patient,
        aclosing(patient.watch_wallet(after_sequence=1)) as wallet,
    ):
        assert (await anext(wallet)).sequence == 1
        house.doom(house.settlement, step)
        taking = asyncio.create_task(patient.take_seat(table_id, BUY_IN))
        await house.died(house.settlement)
        house.revive(house.settlement)
        answer = await taking
        bought = await asyncio.wait_for(anext(wallet), 60)
    assert [(line.kind, line.amount, line.table_id) for line in bought.lines] == [("buy_in", -BUY_IN, table_id)]
    await house.until_up(house.settlement)
    assert await house.wallet(ann.subject) == before - BUY_IN == bought.balance
    taken = [event for event in await house.events(table_id) if isinstance(event, events.SeatTaken)]
    assert [(event.seat.seat, event.seat.player) for event in taken] == [(answer.seat, ann.subject)]
