"""Dealers and settlement are killed as by ``kill -9`` at every step; nothing that was acknowledged is lost."""

import asyncio
import time
from typing import Any

import pytest
from google.protobuf.message import Message
from pitboss import client
from pitboss.v1 import dealer_pb2

from services.table import events
from tests.faults import floor, proofs
from tests.faults.breaking import Broken
from tests.faults.floor import Played
from tests.support import people, waits
from tests.support.people import Crowd, Person

DEALER_STEPS = ("dealer.received", "dealer.decided", "dealer.appended", "dealer.saving")
SETTLEMENT_STEPS = ("settlement.decided", "settlement.appended")


def _games(steps: tuple[str, ...], offset: int) -> list[tuple[str, str]]:
    return [(step, game) for at, step in enumerate(steps) for game in (*floor.CORE, *floor.others(at + offset))]


@pytest.mark.parametrize(("step", "game"), _games(DEALER_STEPS, 0))
async def test_a_dealer_killed_on_an_action_loses_nothing(house: Broken, crowd: Crowd, step: str, game: str) -> None:
    """The same request at another dealer gets the one answer there is, and the round goes on where it was."""
    table = await Played.open(crowd, game)
    await table.start()
    await table.play(1)
    doomed, *rest = await house.up()
    chosen = await table.next_action(rest)
    assert chosen is not None, "the round goes on after one action"
    house.doom(house.dealer(doomed), step)
    assert await table.act(*chosen, (doomed, *rest)), "nobody else acts at this table"
    again = await floor.insist(table.players[chosen[0]], rest, "Act", chosen[1])
    assert again.version == table.acknowledged[-1].version, "the repetition got another answer"
    await house.died(house.dealer(doomed))
    house.revive(house.dealer(doomed))
    await proofs.every_acknowledgement_is_in_the_log(house, table)
    await table.finish(rest)
    await proofs.hold(house, crowd, table)
    await proofs.settled_in_time(house, table)


@pytest.mark.parametrize("game", floor.CORE)
@pytest.mark.parametrize("step", ["dealer.decided", "dealer.appended"])
async def test_a_dealer_killed_on_the_start_of_a_round_starts_one(
    house: Broken, crowd: Crowd, step: str, game: str
) -> None:
    """A start whose dealer dies is answered by another one with the one round that there is."""
    table = await Played.open(crowd, game)
    doomed, *rest = await house.up()
    house.doom(house.dealer(doomed), step)
    request = dealer_pb2.StartRoundRequest(request_id=client.request_id(), table_id=table.table_id)
    first = await floor.insist(table.players[0], (doomed, *rest), "StartRound", request)
    await house.died(house.dealer(doomed))
    house.revive(house.dealer(doomed))
    assert await floor.insist(table.players[0], rest, "StartRound", request) == first
    recorded = await house.events(table.table_id)
    started = [event for event in recorded if isinstance(event, events.RoundStarted)]
    assert [(event.round_number, event.round_id) for event in started] == [(1, first.round_id)]
    table.rounds = 1
    await table.finish(rest)
    await proofs.hold(house, crowd, table)


@pytest.mark.parametrize("game", floor.CORE)
async def test_a_round_whose_dealer_died_on_its_end_is_settled_in_time(house: Broken, crowd: Crowd, game: str) -> None:
    """Killed between the end of a round and the call for settlement, the dealer is not missed: the sweep settles."""
    table = await Played.open(crowd, game, seats=2)
    await table.start()
    doomed, *rest = await house.up()
    seat, request = await table.last_action()
    house.doom(house.dealer(doomed), "dealer.appended")
    await table.act(seat, request, (doomed, *rest))
    await house.died(house.dealer(doomed))
    house.revive(house.dealer(doomed))
    assert any(isinstance(event, events.RoundEnded) for event in await house.events(table.table_id))
    await table.finish(rest)
    await proofs.settled_in_time(house, table)
    await proofs.hold(house, crowd, table)


@pytest.mark.parametrize("game", floor.CORE)
@pytest.mark.parametrize("step", SETTLEMENT_STEPS)
async def test_settlement_killed_before_it_commits_moves_no_chip(
    house: Broken, crowd: Crowd, step: str, game: str
) -> None:
    """Settlement dies between reading the claims and committing: no chip has moved; back, it settles in two seconds."""
    table = await Played.open(crowd, game)
    held = await house.at_seats(table.table_id)
    house.doom(house.settlement, step)
    await table.start()
    playing = asyncio.create_task(table.finish())
    await house.died(house.settlement)
    recorded = await house.events(table.table_id)
    assert isinstance(recorded[-1], events.RoundEnded), "the claims are there, and nothing after them"
    assert await house.at_seats(table.table_id) == held, "chips moved without their event"
    assert await house.imbalance() == 0
    await people.refused("UNAVAILABLE", _start(table))
    house.revive(house.settlement)
    await house.until_up(house.settlement)
    back_ms = time.time_ns() // 1_000_000
    await playing
    await proofs.settled_in_time(house, table, back_ms)
    await proofs.hold(house, crowd, table)


async def _start(table: Played) -> None:
    request = dealer_pb2.StartRoundRequest(request_id=client.request_id(), table_id=table.table_id)
    await floor.once(table.players[0], 0, "StartRound", request)


@pytest.mark.parametrize(("step", "game"), list(zip(SETTLEMENT_STEPS, floor.others(len(DEALER_STEPS), 2), strict=True)))
async def test_settlement_killed_on_a_buy_in_moves_no_chip(house: Broken, crowd: Crowd, step: str, game: str) -> None:
    """A buy-in whose settlement dies has taken nothing; the same request again takes the seat once."""
    made = await crowd.operator.house.create_table(game, **people.ANY_BUY_IN)
    player = await crowd.player("ann")
    before = await house.wallet(player.subject)
    house.doom(house.settlement, step)
    request = dealer_pb2.TakeSeatRequest(
        request_id=client.request_id(), table_id=made.table_id, seat=0, buy_in=floor.BUY_IN
    )
    await people.refused("UNAVAILABLE", floor.once(player, 0, "TakeSeat", request))
    await house.died(house.settlement)
    assert await house.wallet(player.subject) == before
    assert await house.at_seats(made.table_id) == {}
    house.revive(house.settlement)
    await house.until_up(house.settlement)
    answers = [await floor.insist(player, (dealer,), "TakeSeat", request) for dealer in (0, 1, 0)]
    assert answers[0] == answers[1] == answers[2]
    assert await house.at_seats(made.table_id) == {0: floor.BUY_IN}
    assert await house.wallet(player.subject) == before - floor.BUY_IN
    assert await house.imbalance() == 0


async def test_settlement_killed_after_it_committed_takes_a_buy_in_once(house: Broken, crowd: Crowd) -> None:
    """No answer was sent, but the buy-in is in log and ledger; the same request again gets its answer, and no more."""
    made = await crowd.operator.house.create_table("war", **people.ANY_BUY_IN)
    player = await crowd.player("ann")
    before = await house.wallet(player.subject)
    house.doom(house.settlement, "settlement.committed")
    request = dealer_pb2.TakeSeatRequest(
        request_id=client.request_id(), table_id=made.table_id, seat=0, buy_in=floor.BUY_IN
    )
    await people.refused("UNAVAILABLE", floor.once(player, 0, "TakeSeat", request))
    await house.died(house.settlement)
    assert await house.at_seats(made.table_id) == {0: floor.BUY_IN}
    house.revive(house.settlement)
    await house.until_up(house.settlement)
    answers = [await floor.insist(player, (dealer,), "TakeSeat", request) for dealer in (0, 1, 0)]
    assert answers[0] == answers[1] == answers[2]
    taken = [event for event in await house.events(made.table_id) if isinstance(event, events.SeatTaken)]
    assert [event.seat.chips for event in taken] == [floor.BUY_IN]
    assert await house.wallet(player.subject) == before - floor.BUY_IN
    assert await house.imbalance() == 0


@pytest.mark.parametrize("step", SETTLEMENT_STEPS)
async def test_settlement_killed_on_a_seat_or_chips_in_a_round_moves_no_chip(
    house: Broken, crowd: Crowd, step: str
) -> None:
    """In mid-round a buy-in, a top-up and a cash-out are each taken once or not at all, and the round goes on."""
    table = await Played.open(crowd, "tongbi_san_gong")
    await table.start()
    late = await crowd.player("late")
    before = await house.at_seats(table.table_id)
    given: dict[str, Any] = {"table_id": table.table_id}
    seat = len(before)
    commands: tuple[tuple[Person, str, Message, dict[int, int]], ...] = (
        (
            late,
            "TakeSeat",
            dealer_pb2.TakeSeatRequest(request_id=client.request_id(), buy_in=700, **given),
            {seat: 700},
        ),
        (late, "AddChips", dealer_pb2.AddChipsRequest(request_id=client.request_id(), amount=40, **given), {seat: 740}),
        (late, "LeaveSeat", dealer_pb2.LeaveSeatRequest(request_id=client.request_id(), **given), {}),
        (
            table.players[0],
            "AddChips",
            dealer_pb2.AddChipsRequest(request_id=client.request_id(), amount=60, **given),
            {0: before[0] + 60},
        ),
    )
    for player, method, request, after in commands:
        house.doom(house.settlement, step)
        held, wallet = await house.at_seats(table.table_id), await house.wallet(player.subject)
        await people.refused("UNAVAILABLE", floor.once(player, 0, method, request))
        await house.died(house.settlement)
        assert await house.at_seats(table.table_id) == held
        assert await house.wallet(player.subject) == wallet
        house.revive(house.settlement)
        await house.until_up(house.settlement)
        answers = [await floor.insist(player, (dealer,), method, request) for dealer in (0, 1)]
        assert answers[0] == answers[1]
        assert await house.at_seats(table.table_id) == {**before, **after}
        assert await house.imbalance() == 0
    await table.finish()
    await proofs.hold(house, crowd, table)


@pytest.mark.parametrize("step", DEALER_STEPS)
async def test_dealers_killed_on_a_start_by_the_house_start_one_round(house: Broken, crowd: Crowd, step: str) -> None:
    """Whichever of the doomed dealers starts a round dies of it; the round is started, once, and played to its end."""
    rules = {"start": "auto", "start_countdown_s": 2, **floor.SLOW}
    table = await Played.open(crowd, "tongbi_san_gong", rules)
    *doomed, last = await house.up(3)
    for dealer in doomed:
        house.doom(house.dealer(dealer), step)
    await _running(house, table.table_id, 1)
    house.revive_the_dead()
    table.rounds = 1
    await _leave_all(table, last)
    await table.finish((last,))
    await proofs.hold(house, crowd, table)


@pytest.mark.parametrize("step", SETTLEMENT_STEPS)
async def test_the_house_starts_the_next_round_though_settlement_was_killed(
    house: Broken, crowd: Crowd, step: str
) -> None:
    """Settlement dies on the round; back, it settles the round, and the next one starts without any client."""
    rules = {"start": "auto", "start_countdown_s": 1, **floor.SLOW}
    table = await Played.open(crowd, "tongbi_san_gong", rules)
    await _running(house, table.table_id, 1)
    table.rounds = 1
    house.doom(house.settlement, step)
    playing = asyncio.create_task(table.finish())
    await house.died(house.settlement)
    house.revive(house.settlement)
    await house.until_up(house.settlement)
    await playing
    await _running(house, table.table_id, 2)
    table.rounds = 2
    await _leave_all(table, 0)
    await table.finish()
    await proofs.hold(house, crowd, table)


async def _running(house: Broken, table_id: str, number: int) -> None:
    """Wait until a round has started by itself; it has once."""

    async def started() -> list[int] | None:
        recorded = await house.events(table_id)
        numbers = [event.round_number for event in recorded if isinstance(event, events.RoundStarted)]
        return numbers if number in numbers else None

    found = await waits.eventually(started, f"round {number} by the house")
    assert found == list(range(1, number + 1))


async def _leave_all(table: Played, dealer: int) -> None:
    """Let all seats leave with this round, so that it is the last one."""
    for player in table.players:
        request = dealer_pb2.LeaveSeatRequest(request_id=client.request_id(), table_id=table.table_id)
        await floor.insist(player, (dealer,), "LeaveSeat", request)
