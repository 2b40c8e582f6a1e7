"""The same request many times, different requests at once, and requests that come too late."""

import asyncio
import uuid
from typing import Any

import pytest
from pitboss import client
from pitboss.v1 import dealer_pb2, wallet_pb2

from services.table import events
from tests.faults import floor, proofs
from tests.faults.breaking import Broken
from tests.faults.floor import Played
from tests.support import people
from tests.support.people import Crowd, Person

TIMES = 50


async def _fifty(person: Person, method: str, request: Any) -> list[Any]:
    """Send the same request fifty times at once, over two dealers."""
    return await asyncio.gather(*(floor.insist(person, (at % 2,), method, request) for at in range(TIMES)))


@pytest.mark.parametrize("game", [*floor.CORE, *floor.others(8, 2)])
async def test_the_same_request_fifty_times_at_once_is_done_once(house: Broken, crowd: Crowd, game: str) -> None:
    """Start, action and buy-in, each sent fifty times at once over two dealers, are done once and answered alike."""
    table = await Played.open(crowd, game)
    start = dealer_pb2.StartRoundRequest(request_id=client.request_id(), table_id=table.table_id)
    started = await _fifty(table.players[0], "StartRound", start)
    assert all(answer == started[0] for answer in started)
    table.rounds = 1
    chosen = await table.next_action()
    assert chosen is not None
    answers = await _fifty(table.players[chosen[0]], "Act", chosen[1])
    assert all(answer == answers[0] for answer in answers)
    table.note(*chosen, answers[0])
    await proofs.every_acknowledgement_is_in_the_log(house, table)
    await table.finish()
    await proofs.hold(house, crowd, table)
    assert sum(isinstance(event, events.RoundStarted) for event in await house.events(table.table_id)) == 1


async def test_a_buy_in_fifty_times_at_once_pays_once(house: Broken, crowd: Crowd) -> None:
    """One seat is taken and one buy-in leaves the wallet, whichever dealer and seat the fifty requests meet."""
    made = await crowd.operator.house.create_table("texas_holdem", **people.ANY_BUY_IN)
    ann, bob = await crowd.player("ann"), await crowd.player("bob")
    named = dealer_pb2.TakeSeatRequest(request_id="one", table_id=made.table_id, buy_in=floor.BUY_IN)
    quick = dealer_pb2.TakeAnySeatRequest(request_id="one", game="texas_holdem", buy_in=floor.BUY_IN)
    for person, method, request in ((ann, "TakeSeat", named), (bob, "TakeAnySeat", quick)):
        answers = await _fifty(person, method, request)
        assert all(answer == answers[0] for answer in answers)
        assert await house.wallet(person.subject) == people.WALLET - floor.BUY_IN
    left = dealer_pb2.LeaveSeatRequest(request_id="two", table_id=made.table_id)
    assert len({answer.version for answer in await _fifty(ann, "LeaveSeat", left)}) == 1
    assert await house.wallet(ann.subject) == people.WALLET
    assert await house.imbalance() == 0


async def test_a_deposit_fifty_times_at_once_pays_once(house: Broken, crowd: Crowd) -> None:
    """The same deposit fifty times at once arrives once."""
    player = await crowd.player("ann", 0)
    staff = crowd.operator.house
    request = wallet_pb2.DepositRequest(request_id=client.request_id(), player=player.subject, amount=70)
    answers = await asyncio.gather(*(staff.call(staff.wallets.Deposit, request) for _ in range(TIMES)))
    assert all(answer == answers[0] for answer in answers)
    assert await house.wallet(player.subject) == 70


async def test_a_table_opened_fifty_times_at_once_is_one_table(house: Broken, crowd: Crowd) -> None:
    """The same request to open a table fifty times at once over two dealers opens one."""
    before = await house.counts()
    request = dealer_pb2.CreateTableRequest(request_id=client.request_id(), game="tongbi_san_gong")
    answers = await _fifty(crowd.operator, "CreateTable", request)
    assert len({answer.table_id for answer in answers}) == 1
    assert (await house.counts())["streams"] == before["streams"] + 1


@pytest.mark.parametrize("game", floor.CORE)
async def test_the_same_id_with_other_content_is_refused(house: Broken, crowd: Crowd, game: str) -> None:
    """A request id that was used for something else is REQUEST_CONFLICT at every dealer, and nothing is done."""
    table = await Played.open(crowd, game)
    await table.start()
    chosen = await table.next_action()
    assert chosen is not None
    seat, request = chosen
    await table.act(seat, request)
    before = await house.counts()
    other = dealer_pb2.ActRequest()
    other.CopyFrom(request)
    other.action.fold.SetInParent()
    other.ClearField("expected_version")
    seed = dealer_pb2.SetSeedRequest(request_id=request.request_id, table_id=table.table_id, seed="another")
    top_up = dealer_pb2.AddChipsRequest(request_id=request.request_id, table_id=table.table_id, amount=1)
    for dealer in (0, 1):
        for method, sent in (("Act", other), ("SetSeed", seed), ("AddChips", top_up)):
            refusal = await people.refused("REQUEST_CONFLICT", floor.once(table.players[seat], dealer, method, sent))
            assert refusal.code.name == "ALREADY_EXISTS"
    assert await house.counts() == before
    # Another player may use the same id: a request id belongs to its caller.
    stranger = await crowd.player("stranger")
    made = dealer_pb2.CreateTableRequest(request_id=request.request_id, game=game)
    assert (await floor.once(stranger, 0, "CreateTable", made)).table_id != table.table_id


@pytest.mark.parametrize("game", [*floor.CORE, *floor.others(9)])
async def test_a_stale_version_is_refused(house: Broken, crowd: Crowd, game: str) -> None:
    """A command that was decided on an older version is ABORTED and told the version; nothing is appended."""
    table = await Played.open(crowd, game)
    await table.start()
    chosen = await table.next_action()
    assert chosen is not None
    seat, request = chosen
    true = request.expected_version
    before = await house.counts()
    for wrong in (true - 1, true + 1, 0, -1, 1 << 62):
        request.request_id, request.expected_version = uuid.uuid4().hex, wrong
        for dealer in (0, 1):
            refusal = await people.refused("STALE_VERSION", floor.once(table.players[seat], dealer, "Act", request))
            assert (refusal.code.name, refusal.metadata["version"]) == ("ABORTED", str(true))
    leave = dealer_pb2.LeaveSeatRequest(request_id=uuid.uuid4().hex, table_id=table.table_id, expected_version=true - 1)
    refusal = await people.refused("STALE_VERSION", floor.once(table.players[seat], 0, "LeaveSeat", leave))
    assert refusal.code.name == "ABORTED"
    assert await house.counts() == before
    request.request_id, request.expected_version = uuid.uuid4().hex, true
    assert await table.act(seat, request)
    await proofs.hold(house, crowd, table)


async def test_two_players_race_for_the_same_version(house: Broken, crowd: Crowd) -> None:
    """Of two actions on the same version at two dealers the log takes one; the other is refused and may act again."""
    table = await Played.open(crowd, "tongbi_san_gong", seats=5)
    await table.start()
    while (view := await table.view()).round.phase == "bets" or len(view.round.waiting_for) > 1:
        waiting = list(view.round.waiting_for)
        if len(waiting) < 2:
            break
        requests = []
        for seat in waiting[:2]:
            own = await table.view(seat)
            requests.append(
                dealer_pb2.ActRequest(
                    request_id=uuid.uuid4().hex,
                    table_id=table.table_id,
                    expected_version=view.version,
                    action=floor.chosen(own, table.rng),
                )
            )
        racing = (
            floor.once(table.players[seat], at, "Act", request)
            for at, (seat, request) in enumerate(zip(waiting[:2], requests, strict=True))
        )
        outcomes = await asyncio.gather(*racing, return_exceptions=True)
        won = [at for at, outcome in enumerate(outcomes) if not isinstance(outcome, BaseException)]
        lost = [outcome for outcome in outcomes if isinstance(outcome, client.Refused)]
        assert (len(won), [refusal.reason for refusal in lost]) == (1, ["STALE_VERSION"]), outcomes
        table.note(waiting[won[0]], requests[won[0]], outcomes[won[0]])  # type: ignore[arg-type]  # the one that won
    await table.finish()
    await proofs.hold(house, crowd, table)


@pytest.mark.parametrize("game", ["tongbi_san_gong", *floor.others(10, 2)])
async def test_players_who_act_at_once_all_get_through(house: Broken, crowd: Crowd, game: str) -> None:
    """Where all may act at once, commands without an expected version that reach two dealers together are all done."""
    table = await Played.open(crowd, game)
    await table.start()
    for _ in range(3):
        view = await table.view()
        if not view.round.waiting_for or view.last_result.round_number >= table.rounds:
            break
        await asyncio.gather(*(_act_at_once(table, seat) for seat in view.round.waiting_for))
    await table.finish()
    await proofs.hold(house, crowd, table)


async def _act_at_once(table: Played, seat: int) -> None:
    own = await table.view(seat)
    if own.round.options:
        request = dealer_pb2.ActRequest(
            request_id=uuid.uuid4().hex, table_id=table.table_id, action=floor.chosen(own, table.rng)
        )
        try:
            answer = await floor.once(table.players[seat], seat % 2, "Act", request)
        except client.Refused as refusal:
            assert refusal.reason in ("ILLEGAL_ACTION", *floor.NOT_NOW), refusal
            return
        table.note(seat, request, answer)
