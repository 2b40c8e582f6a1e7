"""A void and the round that it is meant for: however they cross, no round gets another one's seed, or none."""

import asyncio
from random import Random
from typing import Any

from pitboss.v1 import settlement_pb2 as pb

from services.rules import actions
from services.table import events
from tests.settlement.test_money import buy_in, seated
from tests.support import log_events, served
from tests.support.served import Connection, Served, on_behalf, request_id
from tests.support.settlement_floor import Floor, RealSitting, voiding
from tests.support.sittings import Sitting

GAME = "tongbi_san_gong"


def asked(sitting: Sitting, **more: Any) -> pb.VoidOutRequest:
    """Write a void as a dealer sends it."""
    return pb.VoidOutRequest(
        request_id=request_id(),
        table_id=sitting.table_id,
        reason="a torn card",
        on_behalf=on_behalf("boss", "operator"),
        **more,
    )


async def started(settlement: Served, conn: Connection) -> Sitting:
    """Return a table in its first round."""
    sitting = await seated(settlement, conn, GAME)
    sitting.start()
    await served.publish(conn, sitting)
    return sitting


async def rich(settlement: Served, conn: Connection) -> Sitting:
    """Return a table of real money in its first round, with more chips at risk than one person may void."""
    floor = Floor(settlement, conn, Random(7))
    sitting, chips = RealSitting("texas_holdem"), 2 * settlement.settings.void_alone_chips
    await served.publish(conn, sitting)
    for seat in range(2):
        player = await floor.player(chips)
        who = on_behalf(player, test=False)
        await settlement.call(settlement.money.BuyIn, buy_in(sitting, player, chips, seat, on_behalf=who))
    await served.catch_up(conn, sitting)
    sitting.start()
    sitting.act(0, actions.AllIn())
    await served.publish(conn, sitting)
    return sitting


async def test_a_void_that_was_looked_at_before_the_round_began_is_refused(
    settlement: Served, conn: Connection
) -> None:
    """The dealer saw no round and brings no seed; a round runs by now: nothing is voided, and it says so."""
    sitting = await started(settlement, conn)
    told = await settlement.refused("STALE_VERSION", settlement.money.VoidOut, asked(sitting))
    assert "round 1 is open now" in told
    assert await served.catch_up(conn, sitting) == []


async def test_a_void_with_the_seed_of_another_round_is_refused(settlement: Served, conn: Connection) -> None:
    """The seed of round 1 comes while round 2 runs: refused; with the right one it is voided, and holds that seed."""
    sitting = await started(settlement, conn)
    await settlement.call(settlement.money.VoidOut, asked(sitting, **voiding(sitting)))
    await served.catch_up(conn, sitting)
    late = asked(sitting, **voiding(sitting))
    sitting.start()
    await served.publish(conn, sitting)
    await settlement.refused("STALE_VERSION", settlement.money.VoidOut, late)
    await settlement.call(settlement.money.VoidOut, asked(sitting, **voiding(sitting)))
    [void] = await served.catch_up(conn, sitting)
    assert isinstance(void, events.RoundVoided)
    assert (void.round_number, void.reveal) == (2, sitting.reveal(2))


async def test_a_second_person_brings_the_seed_of_the_round_too(settlement: Served, conn: Connection) -> None:
    """With much at risk another person approves; nothing is voided without the seed of the open round."""
    sitting = await rich(settlement, conn)
    first = await settlement.call(settlement.money.VoidOut, asked(sitting, **voiding(sitting)))
    approval = {"table_id": sitting.table_id, "void_id": first.void_id, "approve": True, "reason": "seen"}
    by = on_behalf("chief", "operator")

    def decision(**seed: Any) -> pb.DecideVoidOutRequest:
        return pb.DecideVoidOutRequest(request_id=request_id(), on_behalf=by, **approval, **seed)

    await settlement.refused("INVALID_ARGUMENT", settlement.money.DecideVoidOut, decision(round_number=1))
    await settlement.refused(
        "STALE_VERSION", settlement.money.DecideVoidOut, decision(round_number=2, reveal=sitting.reveal(2))
    )
    assert await served.catch_up(conn, sitting) == []
    done = await settlement.call(settlement.money.DecideVoidOut, decision(**voiding(sitting)))
    assert done.voided
    [void] = await served.catch_up(conn, sitting)
    assert isinstance(void, events.RoundVoided)
    assert void.reveal == sitting.reveal(1)


async def test_a_void_that_meets_the_next_round_while_it_is_written_is_refused(
    settlement: Served, conn: Connection, postgres_url: str
) -> None:
    """Settlement has decided to void round 1 when round 2 is committed under its hands: round 2 is not touched.

    The table's stream is held by hand from before the void until the next round stands.
    """
    sitting = await started(settlement, conn)
    void = asked(sitting, **voiding(sitting))
    async with await served.connect(postgres_url) as other:
        async with other.transaction():
            sitting.void("by another operator")
            sitting.start()
            await served.publish(other, sitting)
            running = asyncio.create_task(settlement.refused("STALE_VERSION", settlement.money.VoidOut, void))
            await log_events.wait_for_waiting(conn)
        assert "round 2 is open now" in await running
    assert await served.catch_up(conn, sitting) == []
    voids = [event for event in sitting.log if isinstance(event, events.RoundVoided)]
    assert [(event.round_number, event.reveal) for event in voids] == [(1, sitting.reveal(1))]


async def test_a_running_round_is_never_voided_without_seed_unless_it_is_said_to_be_lost(
    settlement: Served, conn: Connection
) -> None:
    """An empty reveal is refused, and so is one beside the word that it is lost; said so, the event says so too."""
    sitting = await started(settlement, conn)
    await settlement.refused("INVALID_ARGUMENT", settlement.money.VoidOut, asked(sitting, round_number=1))
    both = asked(sitting, seed_lost=True, **voiding(sitting))
    await settlement.refused("INVALID_ARGUMENT", settlement.money.VoidOut, both)
    await settlement.call(settlement.money.VoidOut, asked(sitting, round_number=1, seed_lost=True))
    [void] = await served.catch_up(conn, sitting)
    assert isinstance(void, events.RoundVoided)
    assert (void.reveal, void.seed_lost) == ("", True)


async def test_a_void_is_repeated_with_another_look(settlement: Served, conn: Connection) -> None:
    """What the dealer adds is not the caller's: the same request gets its first answer, whatever runs by now."""
    sitting = await started(settlement, conn)
    void = asked(sitting, **voiding(sitting))
    first = await settlement.call(settlement.money.VoidOut, void)
    void.ClearField("round_number")
    void.ClearField("reveal")
    assert await settlement.call(settlement.money.VoidOut, void) == first
